"""Knockout 52 on the command line."""
