"""What the server is told when it starts: where to listen, where to keep things, how strict to be."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from cardroom.core.errors import FileTrouble, MalformedInput
from cardroom.core.places import DEFAULT_DATABASE, DEMONSTRATION_DATABASE
from cardroom.fair.tokens import KEY_BYTES, fresh_key
from cardroom.web.security.doors import Address
from cardroom.web.security.peers import Network

DEFAULT_PORT: Final = 2121
LOOPBACK: Final = "127.0.0.1"
KEY_FILE_VARIABLE: Final = "CARDROOM_KEY_FILE"
DATABASE_VARIABLE: Final = "CARDROOM_DATABASE"
_PRIVATE: Final = 0o600


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything about one run of the server."""

    database: str
    """The address of the database, such as `sqlite:///var/cardroom.sqlite3`."""
    key: bytes
    """Signs cookies and seals seeds; from a file that only the server's user can read."""
    vault: Path | None = None
    """The folder of the lottery's secrets, of this house alone; else it is beside the database."""
    mark: Path | None = None
    """The file that says how far the log had come; without it, an older state put back is not noticed."""
    archives: Path | None = None
    """A folder in which archive files are looked for first; else they are where they were written."""
    host: str = LOOPBACK
    port: int = DEFAULT_PORT
    operations: Address | None = None
    """Where operations answer, and nowhere else; None is wherever the pages are."""
    lottery: bool = True
    """Whether draws of Knockout 21 run by themselves while the server runs."""
    demo: bool = False
    """A draw every two minutes with simulated buyers."""
    warm: bool = False
    """Compute the figures of all games when the server starts, before anybody asks."""
    secure_cookies: bool = False
    """Cookies for HTTPS only; for a server behind a proxy that speaks HTTPS."""
    public_url: str = ""
    """The address by which visitors know the house, such as `https://cards.example`."""
    proxies: tuple[Network, ...] = ()
    """The proxies whose word about a visitor's address is believed."""
    card_seconds: float = 0.65
    """The dealer's pace at Knockout 52."""
    wager_seconds: float = 20.0
    """How long other players may still place wagers after the first one asks for the deal."""
    show_pace: float = 1.0
    """How fast the wall shows a draw of Knockout 21; 1 takes about a minute and a quarter."""
    decision_seconds: float = 30.0
    """How long a hand waits for its player before it stands."""
    reveal_seconds: float = 3.0
    """How long the players' browsers have to reveal their salts when wagers are closed."""
    verdict_seconds: float = 0.05
    """How long the answer to a decision waits for the coach."""
    gone_seconds: float = 120.0
    """Who has closed the page of a table for so long leaves it between rounds."""
    private_table_minutes: float = 30.0
    """A player's own table is closed when nobody has been there for so long."""
    offer_seconds: float = 60.0
    """How long a spot is kept for a player who waited for it and has staked nothing yet."""
    repeatable: int | None = None
    """Shoes made from a number, the same every time, for rehearsals; their records say so."""
    requests_per_second: float = 25.0
    """What one visitor may ask for, in the long run; a short burst may be larger."""
    burst_requests: int = 120
    refusal_seconds: float = 0.5
    """Who asked for too much is told so after this time."""
    changes_per_second: float = 20.0
    """How often one address may change anything, in the long run: wagers, decisions, tickets, names; one
    visitor a quarter of that."""
    creations_per_second: float = 2.0
    """How often one address may make something that lasts without a stake: chips, names, limits."""
    burst_creations: int = 300
    tables_per_minute: float = 6.0
    """How often one address may open a private table."""
    burst_tables: int = 60
    largest_body_bytes: int = 64 * 1024
    most_streams: int = 4_000
    """Live connections of tables and walls that are open at once, in all."""
    most_streams_per_address: int = 100
    """The same for one address: a home or a hall behind one line."""
    most_connections: int = 8_000
    """Connections that are open at once, in all; fewer where the system allows fewer files."""
    most_connections_per_address: int = 512
    request_seconds: float = 15.0
    """How long a connection may take for the head of a request, and a request for its body."""
    idle_minutes: int = 15
    """An operator who does nothing for so long is logged out."""
    session_hours: int = 8
    failed_logins: int = 5
    """After so many failures from one address a name waits there; other addresses are not affected."""
    lock_minutes: int = 15
    second_person_hours: float = 24.0
    """Who was appointed less than so long ago is not the second person of anything."""


def parse_public_url(text: str | None) -> str:
    """Read the address by which visitors know the house.

    >>> parse_public_url("https://cards.example/")
    'https://cards.example'
    """
    if not text:
        return ""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/") or parts.query:
        raise MalformedInput(f"{text[:80]!r} is no public address; write it like https://cards.example")
    return f"{parts.scheme}://{parts.netloc}"


def default_database(environment: Mapping[str, str] = os.environ, *, demo: bool = False) -> str:
    """The database of a server that was not given one: a file in the folder it was started in."""
    return environment.get(DATABASE_VARIABLE) or (DEMONSTRATION_DATABASE if demo else DEFAULT_DATABASE)


def key_file(database: str, environment: Mapping[str, str] = os.environ) -> Path:
    """Where the house's key is: in the file named in the environment, else in one beside the database."""
    named = environment.get(KEY_FILE_VARIABLE)
    if named:
        return Path(named)
    is_file = database.startswith("sqlite:///")
    folder = Path(database.removeprefix("sqlite:///")).parent if is_file else Path("var")
    return folder / "cardroom.key"


def known_key(database: str, environment: Mapping[str, str] = os.environ) -> bytes:
    """The key of a house that has one; it is never made anew here."""
    path = key_file(database, environment)
    if not path.exists():
        raise MalformedInput(
            f"the key file {path} is missing, and this house was opened with one before. Put it back from "
            f"its own back-up, or name it in {KEY_FILE_VARIABLE}; no other key opens this house's secrets"
        )
    return _read_key(path)


def key_for(database: str, environment: Mapping[str, str] = os.environ) -> bytes:
    """The house's key; it is made where no server was ever open on the database, and only there."""
    path = key_file(database, environment)
    if not path.exists() and not environment.get(KEY_FILE_VARIABLE):
        from cardroom.store.history import was_served

        if was_served(database):
            return known_key(database, environment)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
        except OSError as error:
            raise FileTrouble(
                f"cannot write the house's key, {path}: {error.strerror}; name a database in a folder that "
                "can be written: --database sqlite:///FILE"
            ) from None
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(fresh_key().hex() + "\n")
    return _read_key(path)


def _read_key(path: Path) -> bytes:
    try:
        key = bytes.fromhex(path.read_text("ascii").strip())
    except (OSError, ValueError) as error:
        raise MalformedInput(f"cannot read the key file {path}: {error}") from None
    if len(key) != KEY_BYTES:
        raise MalformedInput(
            f"the key file {path} holds {len(key)} bytes; a key is {2 * KEY_BYTES} hex digits"
        )
    return key
