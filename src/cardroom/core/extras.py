"""Libraries that only some uses need, and what to type when one is missing."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from cardroom.core.errors import Unavailable

DISTRIBUTION: Final = "cardroom-lab"
"""The name to install; the name to import is `cardroom`."""

_EXTRA_OF: Final = {
    "alembic": "store",
    "argon2": "web",
    "distributed": "dask",
    "fastapi": "web",
    "gymnasium": "gym",
    "jinja2": "web",
    "matplotlib": "plots",
    "msgspec": "store",
    "pettingzoo": "pettingzoo",
    "pyarrow": "parquet",
    "reportlab": "documents",
    "segno": "documents",
    "sqlalchemy": "store",
    "textual": "tui",
    "uvicorn": "web",
}
"""The library → the extra that brings it."""


def install_line(extra: str) -> str:
    """What to type: `pip install 'cardroom-lab[plots]'`."""
    return f"pip install '{DISTRIBUTION}[{extra}]'"


def missing(what: str, extra: str) -> Unavailable:
    """The refusal of something that needs an extra."""
    return Unavailable(f"{what} needs more libraries: {install_line(extra)}")


def require(what: str, extra: str, *libraries: str) -> None:
    """Refuse something before it is begun, where a library that it needs is not installed."""
    if any(find_spec(library) is None for library in libraries):
        raise missing(what, extra)


def not_installed(error: ModuleNotFoundError) -> Unavailable | None:
    """The refusal for a library that was looked for and not found; None where no extra brings it."""
    extra = _EXTRA_OF.get((error.name or "").partition(".")[0])
    return None if extra is None else missing("this", extra)
