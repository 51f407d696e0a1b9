"""Append-only event log and double-entry ledger on SQLAlchemy: SQLite by default, PostgreSQL by URL."""
