"""Exact chances and figures of Knockout 21."""
