"""How Knockout 52 and each of its wagers work: games that the engine deals from laid cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cardroom.core.cards import CARDS, Card, Rank
from cardroom.core.errors import MalformedInput
from cardroom.engine import knockout52
from cardroom.presentation.howto.guide import Film, Guide, Lying, Row, Scene, Winning
from cardroom.presentation.money import chips
from cardroom.presentation.numbers import counted
from cardroom.presentation.outcomes import result_words
from cardroom.presentation.wagers import wager_title
from cardroom.rules.knockout52 import Knockout52Rules

_YOU: Final = "You"
_MATCH_AT: Final = 5
"""The space of its row on which a film has its match."""
_SHIFT: Final = 6
"""Laid cards are so many ranks away from their spaces, so that none matches."""
_USUAL_STAKE_CENTS: Final = 10_00
_CLAUSES: Final = ("KO52-1", "KO52-2", "KO52-4", "KO52-5", "KO52-6", "KO52-7", "KO52-8", "KO52-10")


def bets(rules: Knockout52Rules) -> tuple[str, ...]:
    """The five wagers."""
    return rules.layout.wagers


def guide(rules: Knockout52Rules, bet: str | None = None) -> Guide:
    """How the game works, or one of its wagers."""
    if bet is not None and bet not in bets(rules):
        raise MalformedInput(f"there is no wager {bet!r}; the wagers are {', '.join(bets(rules))}")
    layout = rules.layout
    if bet is None:
        return Guide(
            title=rules.title,
            idea=(
                f"{layout.spaces} spaces in {layout.rows} rows, each row printed from ace to king.",
                "The dealer lays a card on each, in order. One of the rank that is printed there is a match.",
                "The first match ends the game. You bet on the row in which it comes, or that none comes.",
                f"Cards come from {counted(rules.decks, 'deck')}, shuffled together.",
            ),
            pictures=_won_rows(rules, layout.wagers[0]),
            films=tuple(_film(rules, wager) for wager in (layout.wagers[0], layout.wagers[-1])),
            pays=tuple(_winning(rules, wager) for wager in layout.wagers),
            clauses=_CLAUSES,
        )
    return Guide(
        title=wager_title(bet),
        idea=(_wins_when(rules, bet), _loses_when(rules, bet)),
        pictures=_won_rows(rules, bet)[-1:],
        films=(_film(rules, bet),),
        pays=(_winning(rules, bet),),
        clauses=_CLAUSES,
    )


def _wins_when(rules: Knockout52Rules, bet: str) -> str:
    layout = rules.layout
    if bet == layout.wagers[-1]:
        return f"{wager_title(bet)} wins when all {layout.spaces} cards are down without a match."
    row = layout.wagers.index(bet) + 1
    return f"{wager_title(bet)} wins when the first match of the game comes in row {row}."


def _loses_when(rules: Knockout52Rules, bet: str) -> str:
    if bet == rules.layout.wagers[-1]:
        return "The first match, wherever it comes, loses it."
    earlier = "" if bet == rules.layout.wagers[0] else " A match in an earlier row loses it, too."
    return f"It loses as soon as its row is full without a match.{earlier}"


def laid(rules: Knockout52Rules, wager: str) -> list[Card]:
    """Cards with which a wager wins: no match in the rows before its own, and one on a space of that row."""
    layout = rules.layout
    row = layout.wagers.index(wager)
    match_space = layout.ranks * row + _MATCH_AT - 1 if row < layout.rows else layout.spaces
    cards = []
    for space in range(min(match_space + 1, layout.spaces)):
        shifted = space if space == match_space else space + _SHIFT
        rank = Rank(shifted % layout.ranks + 1)
        cards.append(
            next(card for card in CARDS[13 * (layout.row_of_space(space) - 1) :] if card.rank is rank)
        )
    return cards


def usual_stake_cents(rules: Knockout52Rules) -> int:
    """Ten dollars, or the nearest stake that the table takes."""
    limits = rules.limits
    wanted = max(int(limits.min), min(int(limits.max), _USUAL_STAKE_CENTS))
    return wanted if wanted % int(limits.chip) == 0 else int(limits.min)


def _film(rules: Knockout52Rules, wager: str) -> Film:
    """The game of a wager that wins: rows before its own at once, its own card by card."""
    layout = rules.layout
    stakes = knockout52.Stakes(_YOU, {wager: usual_stake_cents(rules)})
    game, events = knockout52.start(rules, [stakes])
    scenes = [Scene(_caption(events), _rows(game))]
    own_row = min(layout.wagers.index(wager) + 1, layout.rows + 1)
    waiting: list[knockout52.Event] = []
    for card in laid(rules, wager):
        game, events = knockout52.step(game, card)
        waiting += events
        space = len(game.cards) - 1
        if layout.row_of_space(space) == own_row:
            scenes.append(Scene(_caption(waiting), _rows(game)))
        elif (space + 1) % layout.ranks == 0:
            row = layout.row_of_space(space)
            money = _caption(event for event in waiting if not isinstance(event, knockout52.CardDealt))
            scenes.append(Scene(f"Row {row} is full, and no card matched. {money}".strip(), _rows(game)))
        else:
            continue
        waiting = []
    last = scenes.pop()
    net = knockout52.net_cents(game)[_YOU]
    return Film(
        f"{wager_title(wager)} wins", (*scenes, Scene(f"{last.caption} {result_words(net)}.", last.rows))
    )


def _caption(events: Iterable[knockout52.Event]) -> str:
    return " ".join(_sentences(events))


def _sentences(events: Iterable[knockout52.Event]) -> Iterator[str]:
    for event in events:
        match event:
            case knockout52.WagerPlaced():
                yield f"You put {chips(event.stake_cents)} on {wager_title(event.wager)}."
            case knockout52.CardDealt():
                said = "a match" if event.match else "no match"
                yield f"Card {event.space + 1} is the {event.card.pretty}: {said}."
            case knockout52.WagerCollected():
                yield f"{wager_title(event.wager)} loses {chips(event.stake_cents)}."
            case knockout52.WagerPaid():
                yield f"{wager_title(event.wager)} wins {chips(event.payment_cents)}."
            case knockout52.MarkerMoved():
                yield f"The marker stands in {wager_title(event.circle)}."
            case _:
                pass


def _rows(game: knockout52.Game) -> tuple[Row, ...]:
    """The rows that have cards, and the one that comes next."""
    layout = game.rules.layout
    rows = []
    for row in range(layout.rows):
        spaces = range(layout.ranks * row, layout.ranks * (row + 1))
        if spaces[0] > len(game.cards):
            break
        rows.append(Row(f"Row {row + 1}", tuple(_space(game, space) for space in spaces)))
    return tuple(rows)


def _space(game: knockout52.Game, space: int) -> Lying:
    printed = Rank(game.rules.layout.rank_of_space(space))
    below = "10" if printed is Rank.TEN else printed.letter
    if space >= len(game.cards):
        return Lying("", below)
    card = game.cards[space]
    return Lying(card.text, below, marked=card.rank is printed)


def _won_rows(rules: Knockout52Rules, wager: str) -> tuple[Row, ...]:
    game, _ = knockout52.start(rules, [knockout52.Stakes(_YOU, {wager: usual_stake_cents(rules)})])
    for card in laid(rules, wager):
        game, _ = knockout52.step(game, card)
    assert game.outcome == wager
    return _rows(game)


def _winning(rules: Knockout52Rules, wager: str) -> Winning:
    stake = usual_stake_cents(rules)
    words = f"{chips(stake)} wins {chips(rules.payment(wager, stake))}"
    return Winning(wager_title(wager), rules.odds_of(wager).words, _won_rows(rules, wager)[-1:], words)
