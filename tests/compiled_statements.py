"""Statements are compiled once in each process of the tests, not once for every database that they open."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from sqlalchemy import Engine
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

_MOST_STATEMENTS: Final = 2000
_compiled: defaultdict[type, LRUCache[Any, Any]] = defaultdict(lambda: LRUCache(_MOST_STATEMENTS))


def take_over() -> None:
    """From now on, in this process: databases of one kind share what was compiled, and count as the same."""
    for dialect in (SQLiteDialect_pysqlite, PGDialect_psycopg):
        dialect.__eq__ = lambda self, other: type(self) is type(other)  # type: ignore[method-assign]
        dialect.__hash__ = lambda self: hash(type(self))  # type: ignore[method-assign]
    begin = Engine.__init__

    def begin_with_what_there_is(self: Engine, *values: Any, **options: Any) -> None:
        begin(self, *values, **options)
        if self._compiled_cache is not None and self.dialect.__hash__() == hash(type(self.dialect)):
            self._compiled_cache = _compiled[type(self.dialect)]

    Engine.__init__ = begin_with_what_there_is  # type: ignore[method-assign]
