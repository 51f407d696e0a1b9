"""Gymnasium environments over the engine."""
