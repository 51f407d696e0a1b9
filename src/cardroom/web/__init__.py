"""The card room on the web: pages and API. It parses, calls the rooms below and renders; no rule, no SQL."""
