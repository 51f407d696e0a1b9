"""House rules under which the readings of the blackjack family are compared: engine, kernel, exact."""

from __future__ import annotations

from typing import Any, Final

FAMILY: Final = ("blackjack", "spanish-21", "players-edge-21")

Changed = tuple[str, dict[str, Any]]
"""A game and what is changed of its rules."""

EACH_OPTION: Final[tuple[Changed, ...]] = (
    ("blackjack", {"decks": 1}),
    ("blackjack", {"decks": 8, "dealer_hits_soft_17": False}),
    ("blackjack", {"deck": "spanish"}),
    ("blackjack", {"blackjack_pays": "6:5"}),
    ("blackjack", {"blackjack_always_wins": True}),
    ("blackjack", {"player_21_always_wins": True}),
    ("blackjack", {"surrender": "late"}),
    ("blackjack", {"split.max_hands": 1}),
    ("blackjack", {"split.max_hands": 2}),
    ("blackjack", {"split.max_hands": 3, "split.resplit_aces": True}),
    ("blackjack", {"split.unlike_tens": False}),
    ("blackjack", {"split.resplit_aces": True}),
    ("blackjack", {"split.hit_aces": True}),
    ("blackjack", {"split.double_aces": True}),
    ("blackjack", {"split.blackjack_total_stands": True}),
    ("blackjack", {"double.after_split": False}),
    ("blackjack", {"double.on": "any_cards"}),
    ("blackjack", {"double.max_doubles": 0}),
    ("blackjack", {"double.max_doubles": 2, "double.rescue": "original"}),
    ("blackjack", {"insurance.offered": False}),
    ("blackjack", {"bonus_21.five_cards": "2:1", "bonus_21.six_seven_eight_suited": "3:1"}),
    ("spanish-21", {"bonus_21.on_split_hands": True}),
    ("spanish-21", {"bonus_21.named_suit": "hearts"}),
    ("spanish-21", {"bonus_21.seven_cards": "none"}),
    ("spanish-21", {"split.resplit_aces": False, "split.hit_aces": False, "split.double_aces": False}),
    ("spanish-21", {"split.blackjack_total_stands": True, "player_21_always_wins": False}),
    ("spanish-21", {"double.max_doubles": 3, "double.rescue": "before-last-double"}),
    ("spanish-21", {"surrender": "late"}),
    ("spanish-21", {"super_bonus.offered": True}),
    ("players-edge-21", {"double.rescue": "before-last-double"}),
    ("players-edge-21", {"double.rescue": "none"}),
    ("players-edge-21", {"player_21_always_wins": False}),
    ("players-edge-21", {"blackjack_always_wins": False}),
    ("players-edge-21", {"super_bonus.offered": False}),
    ("players-edge-21", {"limits.min": "4.00", "limits.max": "4.00"}),
    ("players-edge-21", {"deck": "standard", "decks": 2}),
)
"""Every option that changes a round, changed at least once."""

SOLVED: Final[tuple[Changed, ...]] = (
    ("blackjack", {}),
    ("blackjack", {"decks": 1, "double.after_split": False}),
    (
        "blackjack",
        {"decks": 8, "dealer_hits_soft_17": False, "surrender": "late", "split.resplit_aces": True},
    ),
    ("blackjack", {"decks": "infinite", "blackjack_pays": "6:5"}),
    ("spanish-21", {}),
    ("spanish-21", {"decks": 8, "dealer_hits_soft_17": False}),
    ("spanish-21", {"decks": 2, "double.max_doubles": 1, "surrender": "late"}),
    ("players-edge-21", {}),
    ("players-edge-21", {"decks": 2, "double.rescue": "none"}),
    ("players-edge-21", {"decks": "infinite", "double.rescue": "before-last-double"}),
)
"""Rules whose exact value a simulation from fresh shoes must meet."""


def words(changed: Changed) -> str:
    """A game and its changes in a line.

    >>> words(("blackjack", {"decks": 1, "surrender": "late"}))
    'blackjack, decks=1, surrender=late'
    """
    game, changes = changed
    return ", ".join([game, *(f"{key}={str(value).lower()}" for key, value in changes.items())])
