"""Figures that others have published, as data."""
