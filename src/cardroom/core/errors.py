"""Errors say whose fault it is: the input's, the player's, the moment's or the machine's.

Each is also of the built-in class that a caller would catch.
"""

from __future__ import annotations


class CardroomError(Exception):
    """The root of every error that a user may see: one line of text, and the clause behind it."""

    def __init__(self, message: str, *, clause: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.clause = clause

    def __str__(self) -> str:
        return f"{self.message} ({self.clause})" if self.clause else self.message


class MalformedInput(CardroomError, ValueError):
    """What was given cannot be read: a card, an amount, a file, an option that does not exist."""


class UnknownName(MalformedInput, KeyError):
    """There is nothing of that name: a game, a wager, a column."""


class UnknownPlace(MalformedInput, IndexError):
    """There is nothing at that place: a row beyond the last."""


class WrongKind(MalformedInput, TypeError):
    """What was given is of another kind: a number in place of a text."""


class FileTrouble(MalformedInput, OSError):
    """A file that cannot be read or written."""


class IllegalAction(CardroomError, ValueError):
    """What was asked is understood and against the rules; `clause` names the rule."""


class Conflict(CardroomError):
    """What was asked is in order but came too late, twice, or against the state of things."""


class Unavailable(CardroomError, RuntimeError):
    """What was asked is in order, but a part it needs is not here: a GPU, a database, a package."""
