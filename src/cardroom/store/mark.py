"""The mark: how far the log had come, kept beside the house's key and apart from the database.

Who puts an older state of the database back gets secrets back that have been shown since. The mark tells: a
log that ends before it, or that has another record in its place, is not the log that the house last wrote.
It is written after every commit, before anybody is told of it, and replaced as a whole.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any, Final

from sqlalchemy import delete, select
from sqlalchemy.engine import make_url

from cardroom.core.errors import MalformedInput
from cardroom.store.archives import sealed_head
from cardroom.store.log import LogHead
from cardroom.store.schema import log, settings
from cardroom.store.unit import Unit

logger = logging.getLogger("cardroom.store")

RESTORED: Final = "restored"
"""The setting that a restored back-up has until its secrets are retired."""
_SUFFIX: Final = ".mark"
_PRIVATE: Final = 0o600


def mark_file(key_file: Path, database: str) -> Path:
    """Where the mark of a database is: beside the key, under the database's own name."""
    url = make_url(database)
    name = Path(url.database or "cardroom").name
    return key_file.with_name(f"{name}{_SUFFIX}")


class Mark:
    """The mark in its file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> LogHead | None:
        """The mark; None where there is none that can be read."""
        try:
            return LogHead.parse(self.path.read_text("ascii").strip())
        except (OSError, UnicodeDecodeError, MalformedInput):
            return None

    def write(self, head: LogHead, *, durably: bool = False) -> None:
        """Put the mark at a head of the log; `durably` waits until the disk has it."""
        try:
            replace_file(self.path, f"{head}\n", durably=durably)
        except OSError as error:  # the log is written; what is lost is a warning
            logger.error("the mark %s could not be written: %s", self.path, error)


def replace_file(path: Path, text: str, *, durably: bool) -> None:
    """Write a small file of this user's as a whole; `durably` waits until the disk has it."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PRIVATE)
    try:
        os.write(descriptor, text.encode("ascii"))
        if durably:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
    draft.replace(path)


def why_to_retire(connection: Any, mark: Mark | None) -> str | None:
    """Why the secrets of a database may have been shown before: one sentence; None where they were not."""
    known = None if mark is None else mark.read()  # before the log: a server may write meanwhile
    head = head_of(connection)
    restored = connection.execute(select(settings.c.value).where(settings.c.name == RESTORED)).scalar()
    if restored is not None:
        return f"the database was restored from a back-up that ends at record {restored.partition(':')[0]}"
    if mark is None or head.seq == 0:
        return None
    if known is None:
        return "there is no mark beside the key that says how far the log had come"
    if known.seq > head.seq:
        return f"the log ends at record {head.seq}, and the house had come to record {known.seq}"
    if known.seq <= sealed_head(connection).seq:
        return None  # all of that is in archives, which are chained to what came after them
    at = connection.execute(select(log.c.hash).where(log.c.seq == known.seq)).scalar()
    if known.seq and at != known.hash:
        return f"record {known.seq} of the log is not the one that the house wrote there"
    return None


def head_of(connection: Any) -> LogHead:
    """The last record of the log."""
    row = connection.execute(select(log.c.seq, log.c.hash).order_by(log.c.seq.desc()).limit(1)).first()
    return LogHead(int(row.seq), row.hash) if row else sealed_head(connection)


def forget_restore(unit: Unit) -> None:
    """The secrets of a restored database are retired: it is one like any other from now on."""
    unit.connection.execute(delete(settings).where(settings.c.name == RESTORED))
