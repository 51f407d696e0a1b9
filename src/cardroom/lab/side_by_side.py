"""Two sets of house rules, or two side bets, side by side: what differs, every figure, the chart's cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cardroom.core.errors import MalformedInput
from cardroom.exact.figures import Number, number_to_json
from cardroom.exact.sidebets import LOSES
from cardroom.games import BLACKJACK, GAMES
from cardroom.lab.design.figures import bet_figures, deck_words, with_main_wager
from cardroom.lab.design.reading import Design, read_file
from cardroom.lab.wager_figures import plain_figures
from cardroom.presentation import wager_title
from cardroom.presentation.wagers import line_title
from cardroom.rules import HouseRules, load_rules
from cardroom.rules.bets import SideBet, shelf_bet, shelf_names
from cardroom.rules.explain import nearest
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.variants import variant_names

_FIGURES: Final = {
    "house_edge_percent": "house edge, %",
    "hit_frequency": "hit frequency",
    "standard_deviation": "standard deviation",
}


@dataclass(frozen=True, slots=True)
class Side:
    """One of two things that are compared: rules, or one side bet on them."""

    name: str
    rules: HouseRules
    wager: str | None = None

    @property
    def bet(self) -> SideBet | None:
        if self.wager is None:
            return None
        assert isinstance(self.rules, TwentyOneRules)
        return self.rules.side_bets[self.wager]


@dataclass(frozen=True, slots=True)
class Line:
    """A figure of both; None where one has no such thing."""

    about: str
    figure: str
    one: Number | None
    other: Number | None

    @property
    def is_share(self) -> bool:
        """Whether it is a part of one: an edge, a frequency, a chance."""
        return self.figure.startswith(("house edge", "hit frequency", "chance")) and "%" not in self.figure

    @property
    def differs(self) -> bool:
        return self.one != self.other

    def to_json(self) -> dict[str, Any]:
        sides = [None if number is None else number_to_json(number) for number in (self.one, self.other)]
        return {"of": self.about, "figure": self.figure, "values": sides}


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the strategy chart that differs."""

    hand: str
    up_card: str
    one: str | None
    other: str | None

    def to_json(self) -> dict[str, Any]:
        return {"hand": self.hand, "up_card": self.up_card, "values": [self.one, self.other]}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two things side by side."""

    names: tuple[str, str]
    options: dict[str, tuple[Any, Any]]
    """The options that differ, by their keys; None where there is no such option."""
    figures: tuple[Line, ...]
    cells: tuple[Cell, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "names": list(self.names),
            "options": {key: list(values) for key, values in self.options.items()},
            "figures": [line.to_json() for line in self.figures],
            "cells": [cell.to_json() for cell in self.cells],
        }


def find_side(source: str | Path, game: str | None = None) -> Side:
    """A game or a variant, a rules file, a file with one side bet, or a side bet of the shelf by its name."""
    text = str(source)
    if isinstance(source, Path) or text.endswith(".toml"):
        return _of_file(Path(source), read_file(Path(source), game))
    if text in GAMES or text in variant_names():
        return Side(text, load_rules(text))
    if text in shelf_names():
        needed = shelf_bet(text).bet.needs
        offered = {f"side_bets.{name}.offered": True for name in (text, needed) if name}
        return Side(text, load_rules(game or BLACKJACK.id, offered), text)
    known = [*GAMES, *variant_names(), *shelf_names()]
    raise MalformedInput(
        f"there is no game and no side bet {text[:40]!r}{nearest(text, known)}; a file ends in .toml"
    )


def _of_file(file: Path, design: Design) -> Side:
    if design.is_rules:
        return Side(file.name, design.rules)
    if len(design.wagers) != 1:
        raise MalformedInput(f"{file.name} holds {len(design.wagers)} side bets; compare files with one each")
    return Side(file.name, design.rules, design.wagers[0])


def side_by_side(one: Side, other: Side) -> Comparison:
    """Compare two of a kind."""
    if (one.bet is None) != (other.bet is None):
        rules, bet = (one, other) if one.bet is None else (other, one)
        raise MalformedInput(f"{rules.name} is a game and {bet.name} a side bet; compare two of a kind")
    if one.bet is not None and other.bet is not None:
        here, there = _flat(one.bet), _flat(other.bet)
        keys = dict.fromkeys([*here, *there])
        options = {key: (here.get(key), there.get(key)) for key in keys if here.get(key) != there.get(key)}
        return Comparison((one.name, other.name), options, tuple(_of_bets(one, other)), ())
    return Comparison(
        (one.name, other.name),
        one.rules.differences(other.rules),
        tuple(_of_rules(one.rules, other.rules)),
        tuple(_cells(one.rules, other.rules)),
    )


def _flat(bet: SideBet) -> dict[str, Any]:
    """A bet's options, and its lines by their names."""
    tree = {key: value for key, value in bet.option_tree().items() if key != "lines"}
    return {**tree, **{f"lines.{line.id}.when": line.when.tree for line in bet.lines}}


def _of_bets(one: Side, other: Side) -> Iterator[Line]:
    bets = []
    for side in (one, other):
        assert isinstance(side.rules, TwentyOneRules)
        assert side.wager is not None
        bets.append(bet_figures(side.rules, side.wager))
    for here, there in zip(bets[0].by_decks, bets[1].by_decks, strict=True):
        about = deck_words(here.decks)
        yield Line(about, "house edge", here.edge, there.edge)
        yield Line(about, "hit frequency", here.figures.hit_frequency, there.figures.hit_frequency)
        yield Line(about, "variance", here.figures.variance, there.figures.variance)
        yield Line(about, "volatility", here.volatility, there.volatility)
    together = [_with_main(side) for side in (one, other)]
    yield Line("with the main wager", "correlation", together[0], together[1])
    chances = [{line.outcome: line.probability for line in each.here.figures.outcomes} for each in bets]
    for line in dict.fromkeys([*chances[0], *chances[1]]):
        about = deck_words(bets[0].here.decks)
        words = f"chance {'to' if line == LOSES else 'of'} {line_title(line)}"
        yield Line(about, words, chances[0].get(line), chances[1].get(line))


def _with_main(side: Side) -> float | None:
    """How a bet goes together with the main wager."""
    assert isinstance(side.rules, TwentyOneRules)
    assert side.wager is not None
    return next((one.value for one in with_main_wager(side.rules, [side.wager])), None)


def _of_rules(one: HouseRules, other: HouseRules) -> Iterator[Line]:
    wagers = [{each["wager"]: each for each in plain_figures(rules)} for rules in (one, other)]
    for wager in dict.fromkeys([*wagers[0], *wagers[1]]):
        for key, words in _FIGURES.items():
            values = [each.get(wager, {}).get(key) for each in wagers]
            if any(value is not None for value in values):
                yield Line(
                    wager_title(wager, one if wager in wagers[0] else other), words, values[0], values[1]
                )


def _cells(one: HouseRules, other: HouseRules) -> Iterator[Cell]:
    """The cells of the basic strategy's charts that differ; side bets do not move them."""
    if not (isinstance(one, TwentyOneRules) and isinstance(other, TwentyOneRules)):
        return
    plain = [rules.model_copy(update={"side_bets": {}}) for rules in (one, other)]
    if plain[0].rules_hash == plain[1].rules_hash:
        return
    from cardroom.exact.twentyone import solve

    solved = [solve(rules, "basic").strategy.chart() for rules in plain]
    columns = solved[0].columns
    if columns != solved[1].columns:  # one by the up card, one by both of the dealer's cards
        return
    charts = [{str(row): row.cells for row in chart.rows} for chart in solved]
    nothing = (None,) * len(columns)
    for hand in dict.fromkeys([*charts[0], *charts[1]]):
        here, there = (chart.get(hand, nothing) for chart in charts)
        for up, first, second in zip(columns, here, there, strict=True):
            if first != second:
                yield Cell(hand, up, first, second)
