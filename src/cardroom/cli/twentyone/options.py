"""Options that the figures of the blackjack family share, and how their values are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.core.kernels import are_compiled
from cardroom.presentation import wager_title

if TYPE_CHECKING:
    from cardroom.core.decks import CardCounts
    from cardroom.model.twentyone.strategy import Strategy
    from cardroom.rules.twentyone import TwentyOneRules

StrategyName = Annotated[
    str,
    typer.Option(
        "--strategy", metavar="basic|composition|FILE", help="How it is played; FILE is a chart, TOML or CSV."
    ),
]
ShoeText = Annotated[
    str | None,
    typer.Option(
        "--shoe",
        metavar="A:2,T:4,7d:1",
        help="A shoe by its cards in place of decks; T is any ten-valued card.",
        show_default=False,
    ),
]
RemovedCards = Annotated[
    str | None,
    typer.Option(
        "--removed",
        metavar="CARDS",
        help="Cards that are out of the shoe, such as 5h5c6d.",
        show_default=False,
    ),
]
Exact = Annotated[bool, typer.Option("--exact", help="In fractions, where the shoe is small.")]


def read_strategy(text: str, rules: TwentyOneRules, shoe: CardCounts | None = None) -> str | Strategy:
    """`basic`, `composition`, or the strategy of a chart file, which is named after the file.

    A chart must say what to do with the hands that can come from the shoe.
    """
    from cardroom.core.errors import MalformedInput

    if text in ("basic", "composition"):
        return text
    if not text.strip():
        raise MalformedInput("--strategy is empty; allowed: basic, composition or the name of a chart file")
    from cardroom.model.twentyone.automaton import compile_hands
    from cardroom.model.twentyone.strategy import Chart

    file = Path(text)
    try:
        chart = Chart.parse(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise MalformedInput(
            f"--strategy is basic, composition or a chart file; {text} cannot be read: {error.strerror}"
        ) from None
    except UnicodeDecodeError:
        raise MalformedInput(f"the chart {text} is not UTF-8 text") from None
    return replace(chart, name=file.name).strategy(compile_hands(rules), shoe)


def read_shoe(text: str | None, rules: TwentyOneRules, removed: str | None = None) -> CardCounts | None:
    """The cards of `--shoe`, of the game's kind of deck, without those of `--removed`."""
    from cardroom.core.cards import parse_cards
    from cardroom.core.errors import MalformedInput

    shoe = None
    if text is not None:
        from cardroom.exact.twentyone import parse_shoe

        shoe = parse_shoe(text, rules.deck)
    if removed is None:
        return shoe
    if shoe is None and rules.decks == "infinite":
        raise MalformedInput("of infinitely many decks no card is missed; leave --removed out")
    return (shoe or rules.shoe()).without(parse_cards(removed))


def suits_words(shoe: str | None, rules: TwentyOneRules) -> str:
    """That `--shoe` left suits open, and how they were filled in, where a wager looks at suits."""
    if shoe is None or not re.search(r"[^cdhs♣♦♥♠\s]\s*:", shoe, re.IGNORECASE):
        return ""
    wagers = [wager_title(wager, rules) for wager in _wagers_by_suit(rules)]
    if not wagers:
        return ""
    return (
        "Suits that --shoe does not name were spread evenly, which matters to "
        f"{', '.join(wagers)}: write them, such as 7d:2."
    )


def _wagers_by_suit(rules: TwentyOneRules) -> Iterator[str]:
    """The wagers on offer that look at suits."""
    if any(line.pays is not None and line.when.looks_at_suits for line in rules.bonus_21.lines):
        yield "primary"
    if rules.insurance.offered and rules.insurance.looks_at_suits:
        yield "insurance"
    if rules.super_bonus.offered:
        yield "super-bonus"
    for name in rules.offered_side_bets:
        if any(line.when.looks_at_suits for line in rules.side_bets[name].lines):
            yield name


def solving(rules: TwentyOneRules, *, exact: bool) -> str:
    """What somebody who waits is told."""
    words = f"solving {rules.title}{' in fractions, every card dealt' if exact else ''}"
    return words if are_compiled("exact") else f"{words}; compiling, once"
