"""Which clause of which game of the blackjack family an option or a refusal comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cardroom.games import BLACKJACK, PLAYERS_EDGE_21, SPANISH_21


def _family(blackjack: str, spanish: str, players_edge: str) -> Mapping[str, str]:
    return {BLACKJACK.id: blackjack, SPANISH_21.id: spanish, PLAYERS_EDGE_21.id: players_edge}


CLAUSES: Final[Mapping[str, Mapping[str, str]]] = {
    "decks": _family("BJ-1", "S21-1", "PE21-1"),
    "soft_17": _family("BJ-6", "S21-1", "PE21-1"),
    "blackjack": _family("BJ-2", "S21-2", "PE21-4"),
    "player_21": _family("21-1.10", "S21-3", "PE21-5"),
    "surrender": _family("BJ-5", "S21-8", "PE21-10"),
    "split": _family("21-1.11", "21-1.11", "PE21-6"),
    "split_aces": _family("BJ-4", "S21-5", "PE21-6"),
    "double": _family("BJ-3", "S21-6", "PE21-7"),
    "redouble": _family("BJ-3", "S21-7", "PE21-8"),
    "double_cap": _family("BJ-3", "S21-7", "PE21-8.2"),
    "rescue": _family("S21-8", "S21-8", "PE21-9"),
    "insurance": _family("21-1.7", "21-1.7", "PE21-3"),
    "insurance_suited": _family("21-1.7", "21-1.7", "PE21-3.1"),
    "paid_blackjack_insured": _family("BJ-2", "S21-2", "PE21-3"),
    "bonus_21": _family("S21-4", "S21-4", "PE21-14"),
    "bonus_21_split": _family("S21-4", "S21-4", "PE21-6.1"),
    "super_bonus": _family("PE21-13", "PE21-13", "PE21-13"),
    "side_limits": _family("SIDE-5", "SIDE-5", "SIDE-3"),
    "side_bets": _family("BJ-7", "S21-9", "PE21-11"),
}
"""Which clause of which game an option or a refusal comes from."""
