"""Where things are kept unless somebody says otherwise."""

from __future__ import annotations

from typing import Final

DEFAULT_DATABASE: Final = "sqlite:///var/cardroom.sqlite3"
"""The one database of pages and of the lottery's commands, in the folder they are started in."""
DEMONSTRATION_DATABASE: Final = "sqlite:///var/demonstration.sqlite3"
"""That of a demonstration, whose money is never mixed with a house's."""
