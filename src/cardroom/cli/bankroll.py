"""A player's bankroll in the terminal, kept between sessions where the platform keeps a user's state."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

FRESH_CENTS: Final = 1_000_00
"""What a player begins with, and gets again when the bankroll no longer covers the smallest wager."""
_FIELDS: Final = ("cents", "given_cents", "rounds")
_VERSION: Final = 1


def state_folder() -> Path:
    """Where this platform keeps what a program remembers for its user."""
    variables = os.environ
    if sys.platform == "win32":
        return Path(variables.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "cardroom"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "cardroom"
    return Path(variables.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "cardroom"


@dataclass(frozen=True, slots=True)
class Amounts:
    """What stands in the file."""

    cents: int = FRESH_CENTS
    given_cents: int = FRESH_CENTS
    """All that the house ever gave to play with."""
    rounds: int = 0

    @property
    def result_cents(self) -> int:
        """Won or lost in all sessions together."""
        return self.cents - self.given_cents


class Bankroll:
    """The amounts of a file; where they cannot be kept, `trouble` says so in a sentence and play goes on."""

    def __init__(self, path: Path | None = None) -> None:
        self.trouble = ""
        self.amounts = Amounts()
        try:
            self.path = path or state_folder() / "bankroll.json"
            self.amounts = self._read()
        except (OSError, RuntimeError) as error:  # no home, or a place that may not be read
            self._give_up(error)

    @property
    def cents(self) -> int:
        return self.amounts.cents

    def refill(self, least_cents: int) -> bool:
        """Give fresh chips to who cannot make the smallest wager any more; whether that was so."""
        if self.amounts.cents >= least_cents:
            return False
        self._change(Amounts(FRESH_CENTS, FRESH_CENTS))
        return True

    def add(self, net_cents: int) -> None:
        """Book a round that is over; another session may have booked one meanwhile."""
        self._change(Amounts(net_cents, 0, 1))

    def _change(self, more: Amounts) -> None:
        def added(to: Amounts) -> Amounts:
            return Amounts(*(getattr(to, name) + getattr(more, name) for name in _FIELDS))

        if not self.trouble:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with _alone(self.path.with_suffix(".lock")):
                    self.amounts = added(self._read())
                    self._write()
                return
            except OSError as error:
                self._give_up(error)
        self.amounts = added(self.amounts)

    def _give_up(self, error: OSError | RuntimeError) -> None:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        where = getattr(self, "path", "the user's state")
        self.trouble = f"Your bankroll is not kept after this session: {where}: {reason}."

    def _read(self) -> Amounts:
        try:
            text = self.path.read_text("utf-8")
        except FileNotFoundError:
            return Amounts()
        except UnicodeDecodeError:
            text = ""
        try:
            kept: dict[str, Any] = json.loads(text)
            whole = {name: kept[name] for name in _FIELDS}
            if kept["version"] != _VERSION or not all(type(value) is int for value in whole.values()):
                raise ValueError
        except (ValueError, RecursionError, KeyError, TypeError):
            raise OSError(0, "this file holds no bankroll; move it away to begin anew") from None
        return replace(Amounts(), **whole)

    def _write(self) -> None:
        """In one step: who reads meanwhile, and who is killed, finds the old amounts or the new ones."""
        body = {"version": _VERSION, **{name: getattr(self.amounts, name) for name in _FIELDS}}
        file, name = tempfile.mkstemp(dir=self.path.parent, prefix="bankroll.", suffix=".new")
        try:
            with os.fdopen(file, "w", encoding="utf-8") as out:
                json.dump(body, out)
                out.flush()
                os.fsync(out.fileno())
            Path(name).replace(self.path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """While open, no other session changes the amounts."""
    with path.open("ab") as file:
        with suppress(ImportError):
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
