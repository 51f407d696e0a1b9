"""The side bets of the blackjack family. To add one: a file here, a line below, and its tests."""

from __future__ import annotations

from typing import Final

from cardroom.rules.sidebets.base import PayTable, Role, SideBet
from cardroom.rules.sidebets.match import MATCH_DOWN, MATCH_THE_DEALER, MATCH_UP
from cardroom.rules.sidebets.monster import MONSTER_MATCH_1, MONSTER_MATCH_5, MonsterTable
from cardroom.rules.sidebets.poker import TWENTY_ONE_PLUS_THREE

__all__ = ["SIDE_BETS", "MonsterTable", "PayTable", "Role", "SideBet"]

SIDE_BETS: Final[dict[str, SideBet]] = {
    bet.wager: bet
    for bet in (
        TWENTY_ONE_PLUS_THREE,
        MATCH_THE_DEALER,
        MATCH_UP,
        MATCH_DOWN,
        MONSTER_MATCH_1,
        MONSTER_MATCH_5,
    )
}
