"""Casino card games run, played, solved and proved from their written house rules."""

__version__ = "0.1.0"
