"""High Card, a toy: a card each, the higher rank wins even money. Its entry in the registry."""

from __future__ import annotations

from cardroom.games import Game, Lever

HIGH_CARD = Game(
    id="high-card",
    title="High Card",
    kind="cards",
    about="a card each, the higher wins",
    lobby="One card for you, one for the house, and the higher rank wins.",
    cards=("Ah", "2c"),
    clauses=("HC",),
    clause_page="high-card",
    main_wager="ante",
    rules="tests.high_card.rules:HighCardRules",
    rules_package="tests.high_card",
    engine="tests.high_card.engine",
    figures="tests.high_card.exact:figures",
    figures_at_once=True,
    replay="tests.high_card.replay",
    show_replay="tests.high_card.replay:show",
    commands={"odds": "tests.high_card.odds"},
    levers=(Lever("tie", ("push", "house"), "house"),),
)
