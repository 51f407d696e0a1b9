"""Who signs an act on the command line: accounts of the house, each with its own password."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.core.errors import IllegalAction, MalformedInput

if TYPE_CHECKING:
    from cardroom.store.database import Database
    from cardroom.web.security.operators import Operator, Operators, Role
    from cardroom.web.settings import Settings

By = Annotated[
    list[str] | None,
    typer.Option(
        "--by", metavar="NAME", help="Who signs: an operator's account; twice where two are needed."
    ),
]
PasswordFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--password-file",
        metavar="FILE",
        help="A file with the password of each --by, in their order; else passwords are asked for.",
        show_default=False,
    ),
]
Codes = Annotated[
    list[str] | None,
    typer.Option(
        "--code-of",
        metavar="NAME=CODE",
        help="The code of somebody's authenticator; else it is asked for.",
        show_default=False,
    ),
]
ADDRESS: Final = "command line"
_TWO: Final = 2


class Signatures:
    """The names that were given with `--by`, and how to come by their passwords and codes."""

    def __init__(
        self,
        database: Database,
        by: Sequence[str] | None,
        files: Sequence[Path] | None,
        codes: Sequence[str] | None,
    ) -> None:
        self._database = database
        self.names = list(by or ())
        self._files = list(files or ())
        if len(self._files) > len(self.names):
            raise MalformedInput(
                f"{len(self._files)} password files for {len(self.names)} names; give --by NAME for each"
            )
        self._codes = dict(_code(text) for text in codes or ())
        self.settings = _settings(database.url)
        self.operators = self._operators()

    def _operators(self) -> Operators:
        from cardroom.web.security.accounts import operators_of

        return operators_of(self._database, self.settings)

    def one(self, right: str, what: str) -> Operator:
        """The one who signs, who has the right to."""
        if len(self.names) != 1:
            raise IllegalAction(f"{what} is signed by one operator: --by NAME")
        return self._signed(self.names[0], 0, right)

    def appointers(self, name: str, role: Role) -> tuple[str, str | None]:
        """Who signs an appointment: one, or two of them where it is about an operator."""
        from cardroom.web.security.operators import second_appointer

        if not (self.names and self.operators.takes_two(name, role, self.names[0])):
            return self.one("appoint", "an appointment").name, None
        self.require_two("making or changing an operator", clause=None)
        first, second = (self._signed(one, place, "appoint") for place, one in enumerate(self.names))
        now, hours = self._database.clock.now(), self.settings.second_person_hours
        return first.name, second_appointer(self.operators, first.name, second, now, hours)

    def known(self, what: str) -> Operator:
        """The one who signs, whatever their rights; also with a first password, to choose another."""
        if len(self.names) != 1:
            raise IllegalAction(f"{what} is signed by its owner: --by NAME")
        return self._signed(self.names[0], 0, None)

    def require_two(self, what: str, clause: str | None = "KO21-3.4") -> None:
        """Refuse any other number of names than two."""
        if len(self.names) != _TWO:
            raise IllegalAction(
                f"{what} takes two people, and {len(self.names)} signed for it: --by NAME --by NAME",
                clause=clause,
            )

    def two(self, what: str) -> dict[str, str]:
        """The two who sign, with who appointed each of them."""
        from cardroom.web.security.operators import second_of

        self.require_two(what)
        first, second = (self._signed(name, place, "operate") for place, name in enumerate(self.names))
        now, hours = self._database.clock.now(), self.settings.second_person_hours
        second_of(self.operators, first.name, second, now, hours)
        return {one.name: one.appointed_by for one in (first, second)}

    def _signed(self, name: str, place: int, right: str | None) -> Operator:
        from cardroom.records.house import LoginRefused
        from cardroom.web.errors import CodeNeeded, NotLoggedIn
        from cardroom.web.security.operators import require_signature

        if not len(self.operators):
            raise IllegalAction(
                "this house has no operators yet; two people make the first accounts: "
                "cardroom operators found NAME NAME"
            )
        password = self.password(name, place)
        now = self._database.clock.now()
        try:
            try:
                operator = self.operators.known_by(name, password, now, ADDRESS, self._codes.get(name))
            except CodeNeeded:
                self._codes[name] = typed_secret(f"Code of {name}'s authenticator")
                operator = self.operators.known_by(name, password, now, ADDRESS, self._codes[name])
        except NotLoggedIn as error:
            refused = LoginRefused(name=name[:80], address=ADDRESS)
            self._database.write(lambda unit: unit.note(refused), alone=True)  # whatever the clock shows
            raise IllegalAction(f"{name[:40]!r} did not sign: {error.message}") from None
        if right is not None:
            require_signature(operator, right)
        return operator

    def password(self, name: str, place: int) -> str:
        """The password of a name: from its file, or asked for."""
        if place < len(self._files):
            return read_password(self._files[place])
        return typed_secret(f"Password of {name}")


def read_password(file: Path) -> str:
    """The first line of a file."""
    try:
        return file.read_text("utf-8").partition("\n")[0].rstrip("\r")
    except (OSError, UnicodeDecodeError) as error:
        raise MalformedInput(f"cannot read the password file {file}: {error}") from None


def typed_secret(what: str) -> str:
    """A secret typed at a terminal, without an echo."""
    if not sys.stdin.isatty():
        raise MalformedInput(f"{what}: nobody can be asked here; give --password-file FILE")
    try:
        return getpass.getpass(f"{what}: ")
    except (EOFError, KeyboardInterrupt):
        raise MalformedInput(f"{what}: nothing was typed") from None


def chosen_password(name: str, file: Path | None) -> str:
    """A new password: from a file, or typed twice."""
    if file is not None:
        return read_password(file)
    password = typed_secret(f"New password of {name}")
    if typed_secret(f"New password of {name}, again") != password:
        raise MalformedInput("the two were not the same; nothing was changed")
    return password


def _code(text: str) -> tuple[str, str]:
    name, equals, code = text.partition("=")
    if not (name and equals and code):
        raise MalformedInput(f"{text!r} is not a code; write NAME=CODE, such as anna=287082")
    return name, code


def _settings(url: str) -> Settings:
    """The house's settings as far as signatures need them."""
    from cardroom.web.settings import Settings, key_for

    return Settings(database=url, key=key_for(url))
