"""Charlie 21, a toy: a fourth game of the blackjack family, with a five-card Charlie.

All that it has is this entry and its rules, `games/charlie-21.toml`.
"""

from __future__ import annotations

from cardroom.games import Lever, twenty_one

CHARLIE_21 = twenty_one(
    id="charlie-21",
    title="Charlie 21",
    about="five cards win",
    lobby="A hand of five cards wins at once, whatever the dealer has.",
    cards=("2s", "3h", "4d", "2c", "5s"),
    rules_package="tests.charlie_21",
    open_tables={"hazel": {}},
    own_clauses="BJ",
    environment="cardroom/Charlie21-v0",
    levers=(Lever("charlie", ("none", 7, 6, 5), "player"),),
)
