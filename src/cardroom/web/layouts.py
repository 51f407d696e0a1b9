"""What stands printed on the layouts and lies beside them, sent with a page: its modules know no rule."""

from __future__ import annotations

from typing import Any, Final

from cardroom.core.cards import RANK_LETTERS
from cardroom.engine.twentyone.chips import DENOMINATIONS
from cardroom.games import GAMES
from cardroom.presentation import chip_tray
from cardroom.rules.knockout21 import HANDS_OF_GAME
from cardroom.rules.knockout21.law import BEST_TOTAL
from cardroom.rules.knockout52 import Knockout52Rules, Layout
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.web.live.lottery import BEAT_SECONDS
from cardroom.web.live.twentyone_view import layout_view

_PRINTED_RANKS: Final = tuple(letter.replace("T", "10") for letter in RANK_LETTERS)


def twentyone_layout(rules: TwentyOneRules, decision_seconds: float) -> dict[str, Any]:
    """A table of the blackjack family: limits, side bets, chips, and how long a hand waits for its player."""
    limits = rules.limits
    return {
        **layout_view(rules),
        "main_wager": GAMES[rules.game].main_wager,
        **_tray(int(limits.min), int(limits.max)),
        "decision_seconds": decision_seconds,
    }


def knockout52_layout(rules: Knockout52Rules) -> dict[str, Any]:
    """Knockout 52: a row of ranks beside the wager on each round, the wager without a row, and chips."""
    layout = Layout()
    *rounds, all_the_way = layout.wagers
    return {
        "rows": [{"wager": wager, "ranks": _PRINTED_RANKS[: layout.ranks]} for wager in rounds],
        "all_the_way": all_the_way,
        "denominations_cents": list(DENOMINATIONS),
        **_tray(int(rules.limits.min), int(rules.limits.max)),
    }


def knockout21_layout() -> dict[str, Any]:
    """The games of a Knockout 21 ticket with the hands of each; whose first cards of the dealer are shown
    before the draw (KO21-1.5); the total above which a hand is bust; how often whoever follows the draws
    hears something at least.
    """
    return {
        "games": [{"game": game, "hands": len(positions)} for game, positions in HANDS_OF_GAME.items()],
        "first_cards_game": 2,
        "best_total": BEST_TOTAL,
        "beat_seconds": BEAT_SECONDS,
    }


def _tray(least_cents: int, most_cents: int) -> dict[str, Any]:
    tray = chip_tray(least_cents, most_cents)
    return {"chips_cents": tray.chips_cents, "first_chip_cents": tray.first_cents}
