"""The pages: each parses an address, asks the rooms below, and renders a template."""
