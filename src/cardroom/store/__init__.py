"""The append-only event log and the double-entry ledger."""
