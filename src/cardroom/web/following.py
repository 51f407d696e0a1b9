"""Memory that follows the log: from the last checkpoint on, record by record, and saved on the way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from cardroom.core.errors import CardroomError, MalformedInput
from cardroom.store.archives import require_archives
from cardroom.store.checkpoints import Checkpoints, DamagedCheckpoint
from cardroom.store.log import LogHead, LogRecord
from cardroom.store.mark import Mark, head_of
from cardroom.table.running import Finished, Lookup
from cardroom.web.broken import CONTRADICTIONS
from cardroom.web.memory import PLAYER, VERSION, Memory
from cardroom.web.players.anew import player_anew
from cardroom.web.players.saved import restored_player, saved_player
from cardroom.web.settings import Settings
from cardroom.web.threads import upkeep

if TYPE_CHECKING:
    from cardroom.store.database import Database
    from cardroom.store.rules import RulesBook
    from cardroom.web.players.player import Player

logger = logging.getLogger("cardroom.web")

_RECORDS_BETWEEN_CHECKPOINTS: Final = 2_000
_SECONDS_BETWEEN_LOOKS: Final = 5.0
"""So often it is looked whether a checkpoint is due, and whether others have written into the log."""
_PROGRESS_EVERY: Final = 100_000
_DAMAGE: Final = (
    DamagedCheckpoint,
    MalformedInput,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""What is raised by the part of a player that is not as it was written; not what a database raises."""

Listener = Callable[[LogRecord, Finished | None], None]
"""Who hears of every record after memory has it, with the round that is over by it, if one is."""


class Following:
    """Memory, and all ways in which it comes to be what the log says."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        rules: RulesBook,
        lookup: Lookup,
        listener: Listener,
        *,
        saves_on_the_way: bool = True,
        key_is_known: bool = False,
    ) -> None:
        self._database = database
        self._settings = settings
        self._rules = rules
        self._lookup = lookup
        self._listener = listener
        self._saves_on_the_way = saves_on_the_way
        """Whether this is the server, which keeps the checkpoint; others only look."""
        self._key_is_known = key_is_known
        self.mark: Mark | None = None
        """Says beside the key how far the log has come; from the moment on at which all is in order."""
        self.loop: asyncio.AbstractEventLoop | None = None
        """Where memory lives once the server runs."""
        self.checkpoints = Checkpoints(database, VERSION)
        self.memory = self._restored()
        self._saved_seq = self.memory.head.seq

    def start(self) -> None:
        """Hear of every record from now on."""
        self._database.follow(self._follow, after=self.memory.head.seq)

    def _restored(self) -> Memory:
        """Memory from the last checkpoint and the records after it; from all records where none holds."""
        checkpoint, put_away = self.checkpoints.last(), self.checkpoints.why_not()
        if checkpoint is not None:
            memory = self._new_memory(from_checkpoint=True)
            try:
                memory.restore(checkpoint.head, self.checkpoints, self._lookup)
                return self._folded(memory)
            except CONTRADICTIONS as error:
                put_away = str(error)
        with self._database.read() as connection:
            require_archives(connection)  # without the whole log nothing is put away
            records = head_of(connection).seq
        if put_away is not None:
            logger.warning("the checkpoint is put away: %s", put_away)
            logger.warning("the log is read anew: %s records", f"{records:,}")
        if self._saves_on_the_way:
            self.checkpoints.discard()
        return self._folded(self._new_memory(from_checkpoint=self._saves_on_the_way))

    def _new_memory(self, *, from_checkpoint: bool) -> Memory:
        """Players who are not at hand are read from the checkpoint, where that is where memory begins."""

        def load(player_id: str) -> Player | None:
            return self._saved_player(memory, player_id) if from_checkpoint else None

        memory = Memory(self._settings, self._rules, load)
        memory.key_is_known = self._key_is_known
        return memory

    def _saved_player(self, memory: Memory, player_id: str) -> Player | None:
        """A player as the checkpoint has them, or by the log where that is damaged; None if they are new."""
        try:
            plain = self.checkpoints.part(PLAYER + player_id)
            return None if plain is None else restored_player(player_id, plain)
        except _DAMAGE as error:
            return self._player_anew(memory, player_id, error)

    def _player_anew(self, memory: Memory, player_id: str, error: Exception) -> Player | None:
        """A player from the log up to the checkpoint; the next checkpoint has them in place of the damage.

        Whoever changed since the checkpoint is at hand, and so is never read like this.
        """
        logger.warning("what was saved of player %s is put away: %s", player_id, error)
        checkpoint = self.checkpoints.last()
        until = memory.head.seq if checkpoint is None else checkpoint.head.seq
        logger.warning("the log is read anew for player %s: %s records", player_id, f"{until:,}")
        closed = [table.oddity.seq for table in memory.broken.values()]
        with self._database.read() as connection:
            require_archives(connection)
            player = player_anew(connection, player_id, self._rules, until=until, closed=closed)
        if player is not None:
            memory.players.mark_changed(player_id)
        return player

    def open_wagers(self) -> dict[str, dict[str, int]]:
        """The stakes in rounds that are not over: account of the table → player → cents."""

        def mend(name: str) -> dict[str, Any]:
            return saved_player(self.memory.players.get(name.removeprefix(PLAYER)))

        saved = self.checkpoints.parts(PLAYER, mend=mend)
        return self.memory.players.open_wagers((name.removeprefix(PLAYER), plain) for name, plain in saved)

    def _folded(self, memory: Memory) -> Memory:
        """Take in what the log holds beyond what is known; saved on the way, so that none is read twice."""
        from cardroom.store.unit import read_log

        first = memory.head.seq
        with self._database.read() as connection:
            for record in read_log(connection, after=first):
                memory.apply(record)
                if (record.seq - first) % _PROGRESS_EVERY == 0:
                    logger.warning("reading the log: %s records", f"{record.seq:,}")
                    if self._saves_on_the_way:
                        self.checkpoints.save(memory.head, memory.take_changed())
                        memory.let_go()
        return memory

    def _follow(self, records: Sequence[LogRecord]) -> None:
        """Take records in where memory lives: in the server's loop, or here before there is one."""
        if self.mark is not None:
            self.mark.write(LogHead(records[-1].seq, records[-1].hash))
        if self.loop is None:
            self._take(records)
        else:
            self.loop.call_soon_threadsafe(self._take, records)

    def _take(self, records: Sequence[LogRecord]) -> None:
        """The only way in which anything in memory changes."""
        for logged in records:
            self._listener(logged, self.memory.apply(logged))

    async def keep_saving(self) -> None:
        """Save what changed, every so many records, and hear of records that others have written."""
        while True:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            try:
                await upkeep.run(self._database.catch_up)
                if self.memory.head.seq - self._saved_seq >= _RECORDS_BETWEEN_CHECKPOINTS:
                    await self.save()
            except CardroomError as error:
                logger.error("the checkpoint waits: %s", error.message)

    async def save(self) -> None:
        """Make a checkpoint of this moment."""
        head, changed = self.memory.head, self.memory.take_changed()
        if head.seq == self._saved_seq and not changed:
            return
        try:
            await upkeep.run(self.checkpoints.save, head, changed)
        except BaseException:
            self.memory.mark_changed(changed)
            raise
        self.memory.let_go()
        self._saved_seq = head.seq
        self.keep_mark()

    def keep_mark(self) -> None:
        """Put the mark where the log is, so that the disk has it."""
        if self.mark is not None:
            with self._database.read() as connection:
                self.mark.write(head_of(connection), durably=True)
