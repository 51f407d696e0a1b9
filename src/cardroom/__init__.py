"""Cardroom runs, plays, solves and proves casino card games from their written house rules."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardroom.rules import load_rules

__all__ = ["__version__", "load_rules"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import lazily, so that `import cardroom` costs nothing until something is used."""
    if name == "load_rules":
        from cardroom.rules import load_rules

        return load_rules
    raise AttributeError(f"module 'cardroom' has no attribute {name!r}")
