"""Results that two people put right: what moves, and whether the records of it hold together.

A correction says what a player won or lost by a round as it should have been. The difference to what the
books have moves between the player and the house, in one record with both names. Nothing is deleted: the
round's own record stays, and a later correction starts from the last one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.games import GAMES
from cardroom.presentation.money import dollars
from cardroom.records.base import Record
from cardroom.records.floor import RoundCorrected
from cardroom.store.ledger import Transfer
from cardroom.store.plan import Entry
from cardroom.table.running import Finished, bank_account, player_account, won_by

MOST_CENTS: Final = 1_000_000_00
"""What a player can have won by a round that is put right."""
_ROUNDS_REMEMBERED: Final = 50_000


def correction_name(round_id: str) -> str:
    """The name by which the log knows what was put right of a round."""
    return f"corrected:{round_id}"


def net_of(finished: Finished, last: RoundCorrected | None) -> dict[str, int]:
    """What each player won or lost by a round as the books have it: by its cards, or as it was put right."""
    return {result.player: result.net_cents for result in finished.results()} if last is None else last.after


def correction(
    finished: Finished,
    last: RoundCorrected | None,
    wanted: Mapping[str, int],
    chips_cents: Callable[[str], int],
    *,
    appointed: Mapping[str, str],
    reason: str,
) -> Entry:
    """The record of a correction, with the money that moves; what cannot be so is refused.

    `appointed` has the two people who sign, each with who appointed them; `chips_cents` says what a player
    has.
    """
    if len(appointed) != 2:
        raise MalformedInput("the result of a round is put right by two people")
    stakes = {result.player: result.stake_cents for result in finished.results()}
    before = net_of(finished, last)
    for player, cents in wanted.items():
        if player not in stakes:
            raise MalformedInput(f"{player[:40]!r} did not play in round {finished.id}")
        if not -stakes[player] <= cents <= MOST_CENTS:
            least, most = dollars(-stakes[player]), dollars(MOST_CENTS)
            raise MalformedInput(
                f"{dollars(cents)} cannot be the result; with these stakes it is {least} to {most}"
            )
    after = {**before, **wanted}
    if after == before:
        raise Conflict(f"the books have these results of round {finished.id} already")
    for player, cents in after.items():
        missing = before[player] - cents - chips_cents(player)
        if cents < before[player] and missing > 0:
            have = dollars(chips_cents(player))
            raise Conflict(f"the player has {have}, and {dollars(before[player] - cents)} would go back")
    record = RoundCorrected(
        round=finished.id,
        table=finished.table,
        game=finished.game_id,
        by=sorted(appointed),
        appointed=dict(appointed),
        reason=reason,
        before=before,
        after=after,
        private=finished.table not in GAMES.find(finished.game_id).open_tables,
    )
    return Entry(record, _moves(record), about=[correction_name(finished.id)])


def _moves(record: RoundCorrected) -> list[Transfer]:
    """What a correction moves, player by player."""
    bank, moves = bank_account(record.game, private=record.private), list[Transfer]()
    for player, cents in sorted(record.after.items()):
        gained = cents - record.before[player]
        if gained > 0:
            moves.append(Transfer(bank, player_account(player), gained))
        elif gained < 0:
            moves.append(Transfer(player_account(player), bank, -gained))
    return moves


class CorrectionCheck:
    """Holds every correction of the log against the round that it is about, and against its own money.

    The results of the last 50,000 rounds are remembered; of an older round a correction is held against the
    one before it, or against its own money alone.
    """

    def __init__(self) -> None:
        self._net: OrderedDict[str, Mapping[str, int]] = OrderedDict()
        self.corrections = 0
        self.moved_cents = 0

    def take(self, record: Record, moves: Sequence[Transfer]) -> None:
        """One record more; a correction that does not fit is refused."""
        if isinstance(record, RoundCorrected):
            self._take(record, moves)
        elif (won := won_by(record)) is not None:
            self._remember(*won)

    def _remember(self, round_id: str, net: Mapping[str, int]) -> None:
        self._net[round_id] = net
        self._net.move_to_end(round_id)
        while len(self._net) > _ROUNDS_REMEMBERED:
            self._net.popitem(last=False)

    def _take(self, record: RoundCorrected, moves: Sequence[Transfer]) -> None:
        name = f"the correction of round {record.round}"
        self.corrections += 1
        self.moved_cents += sum(move.amount_cents for move in moves)
        known = self._net.get(record.round)
        self._remember(record.round, record.after)
        if len({person.casefold() for person in record.by}) != 2:
            raise MalformedInput(f"{name} is not signed by two people")
        if record.before.keys() != record.after.keys():
            raise MalformedInput(f"{name} is not of the same players before and after")
        if sorted(moves, key=str) != sorted(_moves(record), key=str):
            raise MalformedInput(f"{name} moved other money than it says")
        if known is not None and known != record.before:
            raise MalformedInput(f"{name} starts from another result than the round had")
