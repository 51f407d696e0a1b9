"""What callers give, read with words of our own where it is of another kind."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from decimal import Decimal
from numbers import Real
from pathlib import Path
from typing import Any, Final

from cardroom.core.errors import FileTrouble, MalformedInput, WrongKind

MOST: Final = 10**15
"""Of anything that is counted: more than a machine plays in years."""


def plain(value: object) -> Any:
    """A number or a text of NumPy as one of Python's own; all else as it is.

    >>> plain(True), plain("8"), plain(2.5)
    (True, '8', 2.5)
    """
    item = getattr(value, "item", None)
    return item() if callable(item) and getattr(value, "shape", None) == () else value


def several(values: object) -> list[object]:
    """The values of a list, an array, a range or whatever else can be gone through; a text is one value."""
    listed = getattr(values, "tolist", None)
    if callable(listed):
        values = listed()
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        return [values]
    return list(values)


def whole(number: object, what: str, *, least: int, most: int = MOST) -> int:
    """A whole number from the least to the most that is possible; `1e6` is one.

    >>> whole(1e6, "rounds", least=2)
    1000000
    """
    value = _whole(number)
    if value is None or value < least:
        raise _kind(number)(f"{number!r} {what} are not possible; allowed: a whole number from {least}")
    if value > most:
        raise MalformedInput(f"{number!r} {what} are not possible; allowed: at most {most:,}")
    return value


def integer(number: object, what: str) -> int:
    """A whole number, also one below zero, such as a count."""
    value = _whole(number)
    if value is None:
        raise _kind(number)(f"{what} {number!r} is not a whole number; write it like 2")
    return value


def integer_or_none(number: object, what: str) -> int | None:
    """A whole number where one is given."""
    return None if number is None else integer(number, what)


def _whole(number: object) -> int | None:
    """The whole number that something is, of whatever kind of numbers."""
    value = plain(number)
    if not is_number(value):
        return None
    return int(value) if math.isfinite(value) and value % 1 == 0 else None


def is_number(value: object) -> bool:
    """Whether something is a number of whatever kind; yes and no are none."""
    return isinstance(value, Real | Decimal) and not isinstance(value, bool)


def _kind(number: object) -> type[MalformedInput]:
    """What is wrong: the number, or that it is none."""
    return MalformedInput if is_number(plain(number)) else WrongKind


def real(number: object, what: str, *, above: float, below: float = math.inf) -> float:
    """A number between two others."""
    value = plain(number)
    if not (is_number(value) and above < value < below):
        limit = f"above {above:g}" if math.isinf(below) else f"between {above:g} and {below:g}"
        raise _kind(number)(f"{what} {number!r} is not possible; allowed: a number {limit}")
    return float(value)


def truth(value: object, what: str) -> bool:
    """Yes or no."""
    value = plain(value)
    if not isinstance(value, bool):
        raise WrongKind(f"{what} {value!r} is not possible; allowed: True or False")
    return value


def callback(function: object, what: str) -> Any:
    """A function that is called now and then, where one is given."""
    if function is not None and not callable(function):
        raise WrongKind(f"{what} {function!r} is not a function")
    return function


def seed_of(seed: object) -> int:
    """The number from which chance is made again and again."""
    value = _whole(seed)
    if value is None or value < 0:
        raise _kind(seed)(f"the seed {seed!r} is not allowed; allowed: a whole number from 0")
    return value


def amount(value: object) -> str | None:
    """Dollars as they are written: `5`, `2.5` and `"2.50"` in, `2.50` out."""
    data = plain(value)
    if data is None or isinstance(data, str):
        return data
    if not is_number(data) or not math.isfinite(data):
        raise _kind(data)(f'{data!r} is no amount; write dollars, such as 5 or "2.50"')
    if isinstance(data, int):
        return str(data)
    number = float(data)
    return f"{number:.2f}" if round(number, 2) == number else str(number)


def text(value: object, what: str, example: str) -> str:
    """A text, such as cards."""
    if not isinstance(value, str):
        raise WrongKind(f"{what} {value!r} is not a text; write it like {example!r}")
    return value


def text_or_file(value: object, what: str, example: str) -> str | Path:
    """A text, or the path of a file."""
    source = value if isinstance(value, Path) else text(value, what, example)
    if "\0" in str(source):
        raise MalformedInput(f"{what} {str(source)!r} cannot be the name of a file")
    return source


def options_of(options: object) -> dict[str, object]:
    """House options by their names."""
    if options is None:
        return {}
    if not isinstance(options, Mapping) or not all(isinstance(name, str) for name in options):
        raise WrongKind(f"{options!r} are not options; write them like {{'decks': 8}}")
    return {name: _option(value) for name, value in options.items()}


def _option(value: object) -> object:
    """The value of an option; an array is a list."""
    listed = getattr(value, "tolist", None)
    return listed() if callable(listed) else value


def refuse_others(title: str, arguments: Mapping[str, object]) -> None:
    """Refuse what a game has no use for, in place of leaving it out unsaid."""
    for name, value in arguments.items():
        if value is not None:
            raise MalformedInput(f"{title} has no {name.replace('_', ' ')}; leave {name}={value!r} out")


def written(content: str | bytes, file: object) -> None:
    """Put something into a file."""
    path = Path(text_or_file(file, "the file", "sheet.html"))
    try:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    except OSError as error:
        raise FileTrouble(f"cannot write {path}: {error.strerror}") from None
