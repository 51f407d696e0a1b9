"""What the house does when the time of day jumps: sales close, draws wait, and operators are told."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from cardroom.core.errors import CardroomError, Conflict
from cardroom.core.jumps import Jump
from cardroom.lottery.house import switch_in
from cardroom.web.clock import HouseClock
from cardroom.web.threads import upkeep

if TYPE_CHECKING:
    from cardroom.store.database import Clock, Database
    from cardroom.web.clock_note import ClockNote
    from cardroom.web.memory import Memory

logger = logging.getLogger("cardroom.web")

SCOPE: Final = "clock"
"""What is closed while nobody knows what time it is: sales of the lottery, wherever they are."""
_BY: Final = "the house's clock"
_SECONDS_BETWEEN_LOOKS: Final = 0.5


class ClockWatch:
    """Looks at the time of day for as long as the server runs."""

    def __init__(self, clock: Clock, database: Database, memory: Callable[[], Memory]) -> None:
        self._clock = clock
        self._database = database
        self._memory = memory
        self.note: ClockNote | None = None
        """Tells the next server what time it was; from the moment on at which this one has read it."""
        self._closed_by_jump = False
        """Whether this server closed sales: then it opens them again when the clock is right again."""
        self._one_at_a_time = threading.Lock()
        """A look and people's word are each whole: neither sees sales closed and not yet known to be so."""

    @property
    def jump(self) -> Jump | None:
        """The jump that stands, if one does; a clock that tests set by hand has none."""
        return self._clock.jump if isinstance(self._clock, HouseClock) else None

    @property
    def is_in_doubt(self) -> bool:
        """Whether nobody knows what time it is: nothing is sold, closed or drawn."""
        return self.jump is not None or SCOPE in self._memory().disabled

    @property
    def needs_two(self) -> bool:
        """Whether opening sales takes two people: the clock is ahead, or nobody knows what it did."""
        jump = self.jump
        return self.is_in_doubt and (jump is None or jump.is_ahead)

    def require_certainty(self) -> None:
        """Refuse what depends on the time of day while that is in doubt."""
        if self.is_in_doubt:
            raise Conflict("sales are closed: the house's clock has jumped; nothing was taken")

    def words(self) -> str | None:
        """What operators are told."""
        jump = self.jump
        if jump is not None:
            return f"{jump}; sales are closed and draws wait until the clock is right again, or you say it is"
        if SCOPE in self._memory().disabled:
            return (
                "the clock had jumped; sales are closed and draws wait until two people say that it is right"
            )
        return None

    async def keep_looking(self) -> None:
        """Look again and again."""
        while True:
            try:
                await upkeep.run(self.look)
            except CardroomError as error:
                logger.error("the clock is looked at again: %s", error.message)
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)

    def look(self) -> None:
        """Close sales when the time of day has jumped, and open them when it is right again."""
        self.keep_note(now=False)
        with self._one_at_a_time:
            self._open_or_close()

    def _open_or_close(self) -> None:
        jump, closed = self.jump, self._closed_by_jump or SCOPE in self._memory().disabled
        if jump is not None and not closed:
            logger.error("%s; sales are closed, and draws wait", jump)
            switch_in(self._database, SCOPE, off=True, by=_BY, reason=str(jump))
            self._closed_by_jump = True
        elif jump is None and closed and self._closed_by_jump:
            logger.warning("the time of day is as it is to be expected again; sales are open")
            switch_in(self._database, SCOPE, off=False, by=_BY, reason="the clock is right again")
            self._closed_by_jump = False

    def trust(self, *, by: str, reason: str) -> None:
        """People say that the time of day is right: sales are open again, and draws go on.

        They open what the watch closed; a look in between would open sales in the clock's name.
        """
        with self._one_at_a_time:
            closed = self._closed_by_jump or SCOPE in self._memory().disabled
            self._closed_by_jump = False
            if isinstance(self._clock, HouseClock):
                self._clock.trust_time_of_day()
            if closed:
                switch_in(self._database, SCOPE, off=False, by=by, reason=reason)
        self.keep_note()

    def keep_note(self, *, now: bool = True) -> None:
        """Note the house's time for the next server; `now`: in any case."""
        if self.note is not None:
            self.note.keep(self._memory().head.seq, now=now)
