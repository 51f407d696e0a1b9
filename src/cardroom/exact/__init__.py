"""Probabilities and expected values, exact."""
