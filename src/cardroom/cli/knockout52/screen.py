"""How a game of Knockout 52 looks: the layout of 4 × 13 spaces, the marker, the wagers; 80 columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rich.text import Text

from cardroom.cli.output import plain_table
from cardroom.core.cards import Rank, Suit
from cardroom.engine.knockout52 import Game, Stakes
from cardroom.presentation import wager_title
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import in_percent, live_chance
from cardroom.rules.knockout52 import Knockout52Rules

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

_SUIT_STYLES: Final[Mapping[Suit, str]] = {
    Suit.CLUBS: "green",
    Suit.DIAMONDS: "bright_blue",
    Suit.HEARTS: "red",
    Suit.SPADES: "default",
}
_EMPTY: Final = "·"


@dataclass(frozen=True, slots=True)
class Form:
    """How much room a table takes: whether other players and wagers without a stake are shown."""

    others: bool = True
    only_staked: bool = False
    blank_lines: bool = True


FORMS: Final = (
    Form(),
    Form(others=False),
    Form(others=False, only_staked=True, blank_lines=False),
)
"""From the fullest to the shortest; the layout and what is asked are in all of them."""


@dataclass(frozen=True, slots=True)
class _Measure:
    """How wide a row's label and a space are; a label of 0 stands on a line of its own."""

    label: int
    cell: int


_WIDE, _NARROW, _NARROWEST = _Measure(14, 5), _Measure(8, 4), _Measure(0, 3)
_MEASURES: Final = (_WIDE, _NARROW, _NARROWEST)


def layout(game: Game, width: int = 80) -> Text:
    """The spaces with the cards that lie on them; the match has a mark, and the marker is ●."""
    shape = game.rules.layout
    measure = next((m for m in _MEASURES if m.label + shape.ranks * m.cell <= width), _NARROWEST)
    text = Text(" " * measure.label)
    for rank in range(1, shape.ranks + 1):
        text.append(_at_place(_rank_name(rank, measure), measure), "dim")
    for row, wager in enumerate(shape.wagers):
        in_play = wager == game.marker
        between = "" if measure.label == _NARROW.label else " "
        mark = f"{'●' if in_play else '○'}{between}{wager_title(wager)}"
        text.append(f"\n{mark:<{measure.label}}", "bold" if in_play else "")
        if row < shape.rows:
            text.append("" if measure.label else "\n")
            for space in range(row * shape.ranks, (row + 1) * shape.ranks):
                text.append_text(_cell(game, space, measure))
    return text


def _rank_name(rank: int, measure: _Measure) -> str:
    return "10" if rank == Rank.TEN and measure is not _NARROWEST else Rank(rank).letter


def _cell(game: Game, space: int, measure: _Measure) -> Text:
    if space >= len(game.cards):
        return Text(_at_place(_EMPTY, measure), "dim")
    card = game.cards[space]
    style = _SUIT_STYLES[card.suit]
    shown = _rank_name(card.rank, measure) + card.pretty[-1]
    if card.rank != game.rules.layout.rank_of_space(space):
        return Text(_at_place(shown, measure), style)
    marked = f"[{shown}]" if measure is _WIDE else f"*{shown}"
    return Text(marked.rjust(measure.cell), f"bold reverse {style}")


def _at_place(shown: str, measure: _Measure) -> str:
    """What lies on a space, where brackets would leave it; a mark of one character stands before it."""
    return f"{shown} ".rjust(measure.cell) if measure is _WIDE else shown.rjust(measure.cell)


def wagers(
    game: Game, stakes: Stakes, *, chances: Mapping[str, Fraction] | None, only_staked: bool = False
) -> Table:
    """A player's wagers with pay, stake and what has become of them; and the chances when asked for."""
    right = ("Stake", "Chance", "Result")
    table = plain_table("Wager", "Pays", *right, right=right)
    for wager in game.rules.layout.wagers:
        staked = stakes.stakes.get(wager)
        if only_staked and staked is None:
            continue
        table.add_row(
            wager_title(wager),
            game.rules.odds_of(wager).words,
            "" if staked is None else dollars(staked),
            "" if chances is None else live_chance(chances[wager]),
            "" if staked is None else _result(game, wager, staked),
        )
    if chances is None:
        table.columns[3].header = ""
    return table


def _result(game: Game, wager: str, staked: int) -> str:
    circles = game.rules.layout.wagers
    if wager == game.outcome:
        return f"won {dollars(game.rules.payment(wager, staked))}"
    if game.outcome is not None or circles.index(wager) < circles.index(game.marker):
        return f"lost {dollars(staked)}"
    return "in play"


def table_of(
    game: Game,
    *,
    chances: Mapping[str, Fraction] | None = None,
    note: str = "",
    form: Form = FORMS[0],
    width: int = 80,
) -> RenderableType:
    """The whole table from the first player's seat."""
    from rich.console import Group

    between: list[RenderableType] = [Text()] if form.blank_lines else []
    own = wagers(game, game.wagers[0], chances=chances, only_staked=form.only_staked)
    parts: list[RenderableType] = [layout(game, width), *between, own]
    others = [_other(game, stakes) for stakes in game.wagers[1:]] if form.others else []
    if others:
        parts += [*between, *others]
    if note:
        parts += [*between, Text(note, "dim")]
    return Group(*parts)


def _other(game: Game, stakes: Stakes) -> Text:
    placed = ", ".join(
        f"{wager_title(wager)} {dollars(cents)} {_result(game, wager, cents).split()[0]}"
        for wager, cents in stakes.placed
    ).replace(" in", " in play")
    return Text(f"{stakes.player}: {placed}", "dim")


def odds_table(rules: Knockout52Rules) -> Table:
    """The wagers before the first card: pay, chance and house edge of the smallest wager, exact."""
    from cardroom.exact.knockout52 import chances, wager_figures

    right = ("Chance", f"House edge at {rules.limits.min}")
    table = plain_table("Wager", "Pays", *right, right=right)
    won = chances(rules)
    for figures in wager_figures(rules, int(rules.limits.min)):
        table.add_row(
            wager_title(figures.wager),
            rules.odds_of(figures.wager).words,
            live_chance(won[figures.wager]),
            in_percent(figures.house_edge_percent, 2),
        )
    return table


def session_table(rules: Knockout52Rules, games: Sequence[Game]) -> Table:
    """The first player's result by wager."""
    right = ("Games", "Won", "Staked", "Result")
    table = plain_table("Wager", *right, right=right)
    total_staked = total_net = 0
    for wager in rules.layout.wagers:
        stakes = [(game.wagers[0].stakes.get(wager, 0), game.outcome == wager) for game in games]
        staked = sum(cents for cents, _ in stakes)
        won = [cents for cents, wins in stakes if wins and cents]
        net = sum(cents + rules.payment(wager, cents) for cents in won) - staked
        total_staked, total_net = total_staked + staked, total_net + net
        if staked:
            count = sum(cents > 0 for cents, _ in stakes)
            money = dollars(staked)
            table.add_row(wager_title(wager), f"{count:,}", f"{len(won):,}", money, dollars(net, plus=True))
    money = dollars(total_staked)
    table.add_row("Together", f"{len(games):,}", "", money, dollars(total_net, plus=True), style="bold")
    return table
