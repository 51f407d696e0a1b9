"""House rules under which the readings of the blackjack family are compared: engine, kernel, exact."""

from __future__ import annotations

from typing import Any, Final

from cardroom.games import BLACKJACK, GAMES, PLAYERS_EDGE_21, SPANISH_21

FAMILY: Final = tuple(game.id for game in GAMES.values() if game.rules == BLACKJACK.rules)

Changed = tuple[str, dict[str, Any]]
"""A game and what is changed of its rules."""

DOUBLE_EXPOSURE: Final[dict[str, Any]] = {
    "hole_card": "shown",
    "ties_lose": True,
    "insurance.offered": False,
    "insurance.even_money": False,
}
"""Both of the dealer's cards face up, for which ties are lost."""
DIAMONDS: Final = {
    "name": "a blackjack of diamonds",
    "when": {"blackjack": True, "every": {"suits": ["diamonds"]}},
    "pays": "2:1",
}

EACH_OPTION: Final[tuple[Changed, ...]] = (
    (BLACKJACK.id, {"decks": 1}),
    (BLACKJACK.id, {"decks": 8, "dealer_hits_soft_17": False}),
    (BLACKJACK.id, {"deck": "spanish"}),
    (BLACKJACK.id, {"blackjack_pays": "6:5"}),
    (BLACKJACK.id, {"blackjack_always_wins": True}),
    (BLACKJACK.id, {"player_21_always_wins": True}),
    (BLACKJACK.id, {"surrender": "late"}),
    (BLACKJACK.id, {"charlie": 5}),
    (SPANISH_21.id, {"charlie": 6}),
    (BLACKJACK.id, {"dealer_22_pushes": True}),
    (SPANISH_21.id, {"dealer_22_pushes": True}),
    (BLACKJACK.id, {"hole_card": "none"}),
    (BLACKJACK.id, {"hole_card": "none", "surrender": "late"}),
    (SPANISH_21.id, {"hole_card": "none", "surrender": "early", "double.rescue": "original"}),
    (BLACKJACK.id, {"hole_card": "none", "surrender": "early-not-ace", "dealer_22_pushes": True}),
    (BLACKJACK.id, {"hole_card": "none", "dealer_blackjack_takes": "original"}),
    (SPANISH_21.id, {"hole_card": "none", "dealer_blackjack_takes": "original", "double.rescue": "original"}),
    (BLACKJACK.id, {"hole_card": "unseen", "surrender": "late"}),
    (BLACKJACK.id, {"hole_card": "unseen", "dealer_blackjack_takes": "original", "surrender": "early"}),
    (BLACKJACK.id, {"split.never": ["4", "5", "10"], "split.once": ["8"]}),
    (BLACKJACK.id, {"ties_lose": True}),
    (BLACKJACK.id, DOUBLE_EXPOSURE),
    (SPANISH_21.id, {**DOUBLE_EXPOSURE, "surrender": "late", "dealer_22_pushes": True, "decks": 1}),
    (BLACKJACK.id, {"surrender": "late", "surrender_on": "any_cards"}),
    (BLACKJACK.id, {"hole_card": "none", "surrender": "late", "surrender_on": "any_cards"}),
    (BLACKJACK.id, {"bonus_21.five_cards": "2:1", "bonus_21.win_at_once": True, "charlie": 6}),
    (BLACKJACK.id, {"bonus_21.lines": [DIAMONDS]}),
    (BLACKJACK.id, {"split.max_hands": 1}),
    (BLACKJACK.id, {"split.max_hands": 2}),
    (BLACKJACK.id, {"split.max_hands": 3, "split.resplit_aces": True}),
    (BLACKJACK.id, {"split.unlike_tens": False}),
    (BLACKJACK.id, {"split.resplit_aces": True}),
    (BLACKJACK.id, {"split.hit_aces": True}),
    (BLACKJACK.id, {"split.double_aces": True}),
    (BLACKJACK.id, {"split.blackjack_total_stands": True}),
    (BLACKJACK.id, {"double.after_split": False}),
    (BLACKJACK.id, {"double.on": "any_cards"}),
    (BLACKJACK.id, {"double.totals": "10-11"}),
    (SPANISH_21.id, {"double.totals": "9-11"}),
    (BLACKJACK.id, {"double.max_doubles": 0}),
    (BLACKJACK.id, {"double.max_doubles": 2, "double.rescue": "original"}),
    (BLACKJACK.id, {"insurance.offered": False}),
    (BLACKJACK.id, {"bonus_21.five_cards": "2:1", "bonus_21.six_seven_eight_suited": "3:1"}),
    (SPANISH_21.id, {"bonus_21.on_split_hands": True}),
    (SPANISH_21.id, {"bonus_21.named_suit": "hearts"}),
    (SPANISH_21.id, {"bonus_21.seven_cards": "none"}),
    (SPANISH_21.id, {"split.resplit_aces": False, "split.hit_aces": False, "split.double_aces": False}),
    (SPANISH_21.id, {"split.blackjack_total_stands": True, "player_21_always_wins": False}),
    (SPANISH_21.id, {"double.max_doubles": 3, "double.rescue": "before-last-double"}),
    (SPANISH_21.id, {"surrender": "late"}),
    (SPANISH_21.id, {"super_bonus.offered": True}),
    (PLAYERS_EDGE_21.id, {"double.rescue": "before-last-double"}),
    (PLAYERS_EDGE_21.id, {"double.rescue": "none"}),
    (PLAYERS_EDGE_21.id, {"player_21_always_wins": False}),
    (PLAYERS_EDGE_21.id, {"blackjack_always_wins": False}),
    (PLAYERS_EDGE_21.id, {"super_bonus.offered": False}),
    (PLAYERS_EDGE_21.id, {"limits.min": "4.00", "limits.max": "4.00"}),
    (PLAYERS_EDGE_21.id, {"deck": "standard", "decks": 2}),
)
"""Every option that changes a round, changed at least once."""

SOLVED: Final[tuple[Changed, ...]] = (
    (BLACKJACK.id, {}),
    (BLACKJACK.id, {"decks": 1, "double.after_split": False}),
    (
        BLACKJACK.id,
        {"decks": 8, "dealer_hits_soft_17": False, "surrender": "late", "split.resplit_aces": True},
    ),
    (BLACKJACK.id, {"decks": "infinite", "blackjack_pays": "6:5"}),
    (BLACKJACK.id, {"hole_card": "none", "surrender": "early-not-ace", "double.totals": "9-11"}),
    (
        BLACKJACK.id,
        {
            "hole_card": "unseen",
            "dealer_blackjack_takes": "original",
            "surrender": "early",
            "split.never": ["10"],
            "split.once": ["8"],
        },
    ),
    (SPANISH_21.id, {"hole_card": "none", "dealer_blackjack_takes": "original", "double.rescue": "original"}),
    (BLACKJACK.id, {"charlie": 6, "dealer_22_pushes": True}),
    (
        BLACKJACK.id,
        {
            "decks": 1,
            "surrender": "late",
            "surrender_on": "any_cards",
            "bonus_21.five_cards": "2:1",
            "bonus_21.win_at_once": True,
            "bonus_21.lines": [DIAMONDS],
        },
    ),
    (SPANISH_21.id, {}),
    (SPANISH_21.id, {"decks": 8, "dealer_hits_soft_17": False}),
    (SPANISH_21.id, {"decks": 2, "double.max_doubles": 1, "surrender": "late"}),
    (PLAYERS_EDGE_21.id, {}),
    (PLAYERS_EDGE_21.id, {"decks": 2, "double.rescue": "none"}),
    (PLAYERS_EDGE_21.id, {"decks": "infinite", "double.rescue": "before-last-double"}),
)
"""Rules whose exact value a simulation from fresh shoes must meet."""


def words(changed: Changed) -> str:
    """A game and its changes in a line.

    >>> words(("blackjack", {"decks": 1, "surrender": "late"}))
    'blackjack, decks=1, surrender=late'
    """
    game, changes = changed
    return ", ".join([game, *(f"{key}={str(value).lower()}" for key, value in changes.items())])
