"""What guests wish before their first chips: names, limits, breaks.

Whoever has a cookie and no chips is a stranger, and what strangers say is not for the log. It is kept beside
it, durably, holds at once, and comes into the log in one commit with the first chips: from then on for ever.
Where chips never move it is forgotten when the cookie would be, or the break is over.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from cardroom.records import players
from cardroom.store.guests import keep_wishes, wishes_of
from cardroom.store.plan import Entry
from cardroom.web.players.limits import in_force, parse_limit, with_change
from cardroom.web.players.player import Player

if TYPE_CHECKING:
    from cardroom.store.database import Database
    from cardroom.store.unit import Unit
    from cardroom.web.journal import Journal

MOST_GUESTS: Final = 200_000
"""Guests without chips whose wishes are kept."""
KEPT_FOR: Final = timedelta(days=365)
"""As long as the cookie that a guest is known by."""
_AT_HAND: Final = 10_000

Wish = players.PlayerNamed | players.LimitSet | players.BreakTaken | players.RealityCheckSet
_KINDS: Final[dict[str, type[Wish]]] = {
    kind.__name__: kind
    for kind in (players.PlayerNamed, players.LimitSet, players.BreakTaken, players.RealityCheckSet)
}


@dataclass(frozen=True, slots=True)
class _Wishes:
    """What one guest wishes: at most one of each kind, and two of each limit."""

    wishes: tuple[Wish, ...] = ()

    def over(self, player: Player) -> Player:
        """The player with these wishes granted."""
        granted = replace(player, limits=list(player.limits))
        for wish in self.wishes:
            grant(granted, wish)
        return granted

    def and_also(self, player: Player, wish: Wish, now: datetime) -> _Wishes:
        """These and one more, which takes the place of what it makes pointless."""
        if not isinstance(wish, players.LimitSet):
            return _Wishes((*(one for one in self.wishes if not isinstance(one, type(wish))), wish))
        same = [one for one in self.wishes if _limit_of(one) == _limit_of(wish)]
        change = parse_limit(wish.limit, wish.period, wish.value, now)
        holds = in_force(self.over(player).limits, change.kind, change.period, now)
        # The one that holds now stays until a looser one comes into force; what waited is given up.
        kept = [one for one in same if isinstance(one, players.LimitSet) and one.value == holds][-1:]
        others = [one for one in self.wishes if one not in same]
        return _Wishes((*others, *kept, _set_at(wish, now)))


def _limit_of(wish: Wish) -> tuple[str, str] | None:
    return (wish.limit, wish.period) if isinstance(wish, players.LimitSet) else None


def _set_at(wish: players.LimitSet, now: datetime) -> players.LimitSet:
    return players.LimitSet(
        player=wish.player, limit=wish.limit, period=wish.period, value=wish.value, set_at=now.isoformat()
    )


def grant(player: Player, wish: Wish, at: datetime | None = None) -> None:
    """Change a player as they wish; `at` is the time of the record, where there is one."""
    match wish:
        case players.PlayerNamed():
            player.name = wish.name
        case players.LimitSet():
            moment = datetime.fromisoformat(wish.set_at) if wish.set_at else at
            assert moment is not None
            change = parse_limit(wish.limit, wish.period, wish.value, moment)
            player.limits = with_change(player.limits, change)
        case players.BreakTaken():
            player.break_until = datetime.fromisoformat(wish.until)
        case players.RealityCheckSet():
            player.reality_minutes = wish.minutes


class Wishes:
    """The wishes of all guests without chips; few are at hand."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._at_hand: OrderedDict[str, _Wishes] = OrderedDict()

    def of(self, player: Player) -> Player:
        """A player without chips, as they wish to be."""
        wishes = self._find(player.id)
        return wishes.over(player) if wishes.wishes else player

    def entries(self, player: Player) -> list[Entry]:
        """A guest's wishes for the log, now that they have chips."""
        return [Entry(wish) for wish in self._find(player.id).wishes]

    async def keep(self, journal: Journal, player: Player, entries: Iterable[Entry], now: datetime) -> None:
        """Keep what a guest wishes; whoever calls holds the lock of their purse."""
        wishes = self._find(player.id)
        for entry in entries:
            if isinstance(entry.record, Wish):
                wishes = wishes.and_also(player, entry.record, now)
        until = now + KEPT_FOR
        for wish in wishes.wishes:
            if isinstance(wish, players.BreakTaken):
                until = max(until, datetime.fromisoformat(wish.until))
        kept = [{"kind": wish.kind, "content": wish.content()} for wish in wishes.wishes]

        def run(unit: Unit) -> None:
            keep_wishes(unit, player.id, kept, until=until, most_guests=MOST_GUESTS)

        self._at_hand.pop(player.id, None)  # where the writing fails, they are as the database has them
        await journal.write(run)
        self._remember(player.id, wishes)

    def _find(self, player_id: str) -> _Wishes:
        wishes = self._at_hand.get(player_id)
        if wishes is None:
            with self._database.read() as connection:
                wishes = _Wishes(tuple(map(_read, wishes_of(connection, player_id))))
            self._remember(player_id, wishes)
        return wishes

    def _remember(self, player_id: str, wishes: _Wishes) -> None:
        self._at_hand[player_id] = wishes
        while len(self._at_hand) > _AT_HAND:
            self._at_hand.popitem(last=False)


def _read(plain: dict[str, Any]) -> Wish:
    return _KINDS[plain["kind"]](**plain["content"])
