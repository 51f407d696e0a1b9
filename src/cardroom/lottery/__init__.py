"""Knockout 21 as a lottery: sales, alteration, close, draw, settlement, control, claims."""
