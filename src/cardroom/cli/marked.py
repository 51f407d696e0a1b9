"""Commands that write into the log heed the mark beside the house's key, and move it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardroom.core.errors import Conflict

if TYPE_CHECKING:
    from cardroom.store.database import Database


@contextmanager
def marked(database: Database) -> Iterator[None]:
    """Refuse a database in whose place an older state was put; afterwards the mark is where the log is.

    A server that finds no mark retires all secrets, so where one was ever open a mark is not made here.
    """
    from cardroom.store.history import was_served_by
    from cardroom.store.mark import Mark, head_of, mark_file, why_to_retire
    from cardroom.web.settings import key_file

    mark = Mark(mark_file(key_file(database.url), database.url))
    with database.read() as connection:
        is_kept = mark.read() is not None
        because = why_to_retire(connection, mark if is_kept else None)
        keeps = is_kept or not was_served_by(connection)
    if because is not None:
        raise Conflict(
            f"{because}; start `cardroom serve` on it once: it retires every secret that was not told yet"
        )
    try:
        yield
    finally:
        if keeps:
            with database.read() as connection:
                mark.path.parent.mkdir(parents=True, exist_ok=True)
                head, known = head_of(connection), mark.read()
                if known is None or known.seq < head.seq:  # a server beside this may be further
                    mark.write(head)
