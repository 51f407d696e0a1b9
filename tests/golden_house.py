"""The golden sets, as tests use them: what each version wrote, and a database made of it."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from cardroom.games import GAMES
from cardroom.rules import loader
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.options import option
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.store.log import LogRecord
from tests.databases import HandClock

GOLDEN = Path(__file__).with_name("golden")
VERSIONS = sorted(folder.name for folder in GOLDEN.iterdir() if folder.name[0].isdecimal())


class LaterTwentyOne(TwentyOneRules):
    """Tomorrow's rules of the blackjack family: one option more."""

    lamp: str = option("the lamp is {}", "21-1.1", absent="green")


class LaterKnockout52(Knockout52Rules):
    """Tomorrow's rules of Knockout 52."""

    lamp: str = option("the lamp is {}", "KO52-1", absent="green")


class LaterKnockout21(Knockout21Rules):
    """Tomorrow's rules of Knockout 21."""

    lamp: str = option("the lamp is {}", "KO21-1.1", absent="green")


LATER = {model.__mro__[1]: model for model in (LaterTwentyOne, LaterKnockout52, LaterKnockout21)}
LATER_DECKS = {"1": "2", "6": "8"}
"""Tomorrow's number of decks in a game's own rules, by today's; 6 in all others."""


@pytest.fixture(params=["today", "tomorrow"])
def package(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The package as it is, and as it will be: every schema has an option more, and defaults are others."""
    if request.param == "tomorrow":
        with tomorrow(monkeypatch):
            yield "tomorrow"
    else:
        yield "today"


@contextlib.contextmanager
def tomorrow(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package as it will be."""
    file_of = loader._game_file

    def changed(game: Any) -> str:
        text: str = file_of(game)
        text = re.sub(
            r'^decks = "?(\w+)"?', lambda was: f"decks = {LATER_DECKS.get(was[1], '6')}", text, flags=re.M
        )
        return re.sub(r"^minimum_tickets = (\d+)", r"minimum_tickets = 2\1", text, flags=re.M)

    monkeypatch.setattr(loader, "_game_file", changed)
    loader._own_rules.cache_clear()
    with contextlib.ExitStack() as registered:
        for game in tuple(GAMES.values()):
            later = LATER[game.follow("rules")]
            registered.enter_context(GAMES.registered(replace(game, rules=f"{__name__}:{later.__name__}")))
        yield
    loader._own_rules.cache_clear()


class GoldenSet:
    """What one version wrote."""

    def __init__(self, version: str) -> None:
        self.folder = GOLDEN / version

    def text(self, name: str) -> str:
        return (self.folder / name).read_text("utf-8")

    def lines(self, name: str) -> list[Any]:
        return [json.loads(line) for line in self.text(name).splitlines()]

    def rows(self, table: str) -> list[dict[str, Any]]:
        return [row for name, row in self.lines("database.jsonl")[1:] if name == table]

    def log(self) -> list[LogRecord]:
        return [LogRecord(**row) for row in self.rows("log")]

    def rules(self) -> dict[str, str]:
        return {row["hash"]: row["text"] for row in self.rows("rules")}

    @property
    def now(self) -> datetime:
        return datetime.fromisoformat(self.lines("house.json")[0]["now"])

    @property
    def revision(self) -> str:
        return str(self.lines("database.jsonl")[0]["revision"])

    def sqlite(self, folder: Path) -> str:
        """An SQLite file as the version made it, triggers and all."""
        path = folder / "golden.sqlite3"
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.executescript(self.text("schema.sql"))
            for table, row in self.lines("database.jsonl")[1:]:
                names = ", ".join(f'"{name}"' for name in row)
                places = ", ".join("?" for _ in row)
                connection.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", list(row.values()))
            connection.execute("INSERT INTO alembic_version VALUES (?)", [self.revision])
            connection.commit()
            connection.executescript(self.text("laws.sql" if self.folder.name == "0.2.0" else "triggers.sql"))
        return f"sqlite:///{path}"

    def of_an_earlier_revision(self, url: str, revision: str) -> str:
        """The version's rows in the tables of an earlier revision, brought to the newest by the program.

        What the earlier tables had no place for is filled in afterwards.
        """
        from sqlalchemy import update

        from cardroom.store.migrate import open_database
        from cardroom.store.schema import tickets

        self.made_by_migrations(url, revision)
        with open_database(url, HandClock(self.now)) as database, database.engine.begin() as connection:
            for table, row in self.lines("database.jsonl")[1:]:
                if table == "tickets" and (row["reprints"] or row["stopped"] or row["approval"]):
                    late = {name: row[name] for name in ("reprints", "stopped", "approval")}
                    connection.execute(update(tickets).where(tickets.c.id == row["id"]).values(**late))
        return url

    def made_by_migrations(self, url: str, revision: str) -> str:
        """A database without tables gets those of a revision, and the version's rows."""
        from alembic import command
        from alembic.config import Config
        from sqlalchemy import MetaData, create_engine, insert

        from cardroom.store import migrate

        engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:", 1))
        config = Config()
        config.set_main_option("script_location", str(Path(migrate.__file__).with_name("migrations")))
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, revision)
            found = MetaData()
            found.reflect(connection)
            for table, row in self.lines("database.jsonl")[1:]:
                connection.execute(insert(found.tables[table]), row)
            if revision == migrate.NEWEST:
                migrate.write_triggers(connection)
        engine.dispose()
        return url
