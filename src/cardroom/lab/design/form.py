"""A side bet as a form edits it: the text of its file, its fields, its figures, hands that win each line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from cardroom.core.errors import CardroomError, MalformedInput
from cardroom.core.toml_text import read_toml
from cardroom.lab.design.figures import bet_figures, correlations_left_out, with_main_wager
from cardroom.lab.design.reading import WrongFile, read_bets
from cardroom.lab.design.search import Range, Target, find_paytables, read_range
from cardroom.lab.par.sheet import VOLATILITY_SIGMAS
from cardroom.presentation.howto.laying import deals_of
from cardroom.presentation.howto.wording import NOT_FOUND, not_in
from cardroom.rules.bets import SideBet
from cardroom.rules.twentyone import TwentyOneRules

FILE: Final = "bet.toml"
_OF_THE_FORM: Final = ("title", "looks_at", "lines")
_DEALERS_FIRST: Final = "dealer"


def toml_value(value: object) -> str:
    """A value as it stands in a TOML file, on one line.

    >>> toml_value({"same": ["rank"], "number": 2})
    '{ same = ["rank"], number = 2 }'
    """
    if isinstance(value, Mapping):
        return f"{{ {toml_pairs(value)} }}" if value else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    return json.dumps(value, ensure_ascii=False)


def toml_pairs(table: Mapping[str, object]) -> str:
    return ", ".join(f"{key} = {toml_value(value)}" for key, value in table.items())


def fields_of(bet: SideBet) -> dict[str, Any]:
    """A bet as the fields of a form: a line's pattern, and all that has no field of its own, as text."""
    plain = bet.model_dump(mode="json")
    more = [f"{key} = {toml_value(value)}" for key, value in plain.items() if key not in _OF_THE_FORM]
    return {
        "title": bet.title,
        "looks_at": list(bet.looks_at),
        "lines": [
            {"name": line.name, "when": toml_pairs(line.when.tree), "pays": str(line.pays)}
            for line in bet.lines
        ],
        "more": "\n".join(more),
    }


def only_bet(text: str, game: str) -> tuple[TwentyOneRules, str]:
    """The rules of a game with the one bet of a text, and the bet's name."""
    design = read_bets(text, FILE, game)
    if len(design.wagers) != 1:
        raise MalformedInput(f"the form edits one side bet; this file holds {len(design.wagers)}")
    assert isinstance(design.rules, TwentyOneRules)
    return design.rules, design.wagers[0]


def bet_view(text: str, game: str) -> dict[str, Any]:
    """What the form shows of a text; of one that is wrong, its faults."""
    try:
        rules, wager = only_bet(text, game)
        figures = bet_figures(rules, wager)
    except WrongFile as wrong:
        return {"faults": [{"line": one.line, "key": one.key, "words": one.words} for one in wrong.faults]}
    except CardroomError as error:
        return {"faults": [{"line": 1, "key": "", "words": str(error)}]}
    bet = rules.side_bets[wager]
    deals, all_tried = deals_of(rules, wager)
    hands = {}
    for line, cards in deals.items():
        hands[line] = [
            {"of": words, "cards": [str(card) for role, card in cards if role.startswith(role_of)]}
            for words, role_of in (("You", "player"), ("Dealer", _DEALERS_FIRST))
            if any(role.startswith(role_of) for role, _ in cards)
        ]
    return {
        "faults": [],
        "wager": wager,
        "fields": fields_of(bet),
        "hands": hands,
        "without_hand": {
            line: not_in(rules) if all_tried else NOT_FOUND for line in bet.line_ids if line not in deals
        },
        **figures.to_json(),
    }


Percentages = tuple[float, float]


def _sound_bet(text: str, game: str) -> tuple[TwentyOneRules, str]:
    """The one bet of a text, which is refused in a sentence where it is wrong."""
    try:
        return only_bet(text, game)
    except WrongFile as wrong:
        raise MalformedInput(wrong.message) from None


def pays_view(text: str, game: str, edge: Percentages, hit: Percentages | None = None) -> dict[str, Any]:
    """The paytables that meet a target: the pays of each line, None where it is left out, and figures."""
    rules, wager = _sound_bet(text, game)
    bet = rules.side_bets[wager]
    target = Target(_range(edge), None if hit is None else _range(hit), decks=(rules.decks,))
    paytables = find_paytables(rules, wager, target)
    return {
        "decks": rules.decks,
        "lines": [line.name for line in bet.lines],
        "paytables": [
            {
                "pays": [odds and str(odds) for odds in one.pays],
                "house_edge_percent": float(100 * one.edges[0]),
                "hit_frequency_percent": float(100 * one.hit),
                "volatility_index": VOLATILITY_SIGMAS * float(one.variances[0]) ** 0.5,
            }
            for one in paytables
        ],
    }


def _range(percentages: Percentages) -> Range:
    return read_range("{:.6f}..{:.6f}".format(*percentages), "a range", per=100)


def correlation_view(text: str, game: str) -> dict[str, Any]:
    """How the bet of a text goes together with the main wager."""
    rules, wager = _sound_bet(text, game)
    if correlations := with_main_wager(rules, (wager,)):
        return correlations[0].to_json()
    return {"correlation": None, "note": correlations_left_out(rules, (wager,))[wager]}


def bet_tree(text: str, game: str) -> tuple[str, dict[str, Any]]:
    """The name of the bet of a sound text, and what the text says of it."""
    _, wager = only_bet(text, game)
    tree = read_toml(text)
    bet: dict[str, Any] = tree["side_bets"][wager] if "side_bets" in tree else tree
    return wager, bet
