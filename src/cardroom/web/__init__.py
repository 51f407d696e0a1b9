"""The card room's pages and API: parse, call, render."""
