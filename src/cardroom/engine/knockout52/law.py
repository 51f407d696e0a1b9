"""The law of Knockout 52, card by card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, assert_never

from cardroom.core.cards import CARDS, Card, Rank
from cardroom.core.errors import IllegalAction, MalformedInput
from cardroom.core.ids import titled
from cardroom.core.money import format_cents
from cardroom.engine.contract import CardAwaited, Done, Refusal
from cardroom.engine.knockout52.state import (
    CardDealt,
    Event,
    Game,
    GameEnded,
    MarkerMoved,
    PlaceWager,
    Stakes,
    View,
    WagerCollected,
    WagerPaid,
    WagerPlaced,
)
from cardroom.rules.knockout52 import Knockout52Rules

ALL_THE_WAY: Final = "all-the-way"


def start(rules: Knockout52Rules, wagers: Sequence[Stakes]) -> tuple[Game, tuple[Event, ...]]:
    """Put the wagers on the table, in table order, and the marker in Round 1."""
    refusal = why_not_start(rules, wagers)
    if refusal is not None:
        raise IllegalAction(refusal.reason, clause=refusal.clause)
    marker = rules.layout.wagers[0]
    game = Game(rules, tuple(wagers), cards=(), marker=marker, outcome=None)
    placed = (WagerPlaced(stakes.player, wager, cents) for stakes in wagers for wager, cents in stakes.placed)
    return game, (*placed, MarkerMoved(marker))


def why_not_start(rules: Knockout52Rules, wagers: Sequence[Stakes]) -> Refusal | None:
    """Why no game can start with these wagers, or None when it can."""
    if not wagers:
        return Refusal("a game needs a player with at least one wager", "KO52-3")
    names: set[str] = set()
    for stakes in wagers:
        name = stakes.player
        if not name.strip() or not name.isprintable():
            return Refusal(f"{name!r} is not a player's name; write it in letters on one line", "KO52-3")
        if name in names:
            return Refusal(f"{name} is at the table twice; give all wagers of a player together", "KO52-3")
        names.add(name)
        if not stakes.placed:
            allowed = ", ".join(rules.layout.wagers)
            return Refusal(f"{name} has no wager and is not in the game; stake any of {allowed}", "KO52-3")
        for wager, cents in stakes.placed:
            refusal = _why_not_stake(rules, wager, cents)
            if refusal is not None:
                return refusal
    return None


def _why_not_stake(rules: Knockout52Rules, wager: str, cents: int) -> Refusal | None:
    if wager not in rules.layout.wagers:
        return Refusal(
            f"there is no wager {wager!r}; the wagers are {', '.join(rules.layout.wagers)}", "KO52-3"
        )
    limits = rules.limits
    wager_words = f"{titled(wager)}: a stake of {format_cents(cents, symbol=True)}"
    if not limits.min <= cents <= limits.max:
        return Refusal(f"{wager_words} is not from {limits.min} to {limits.max}", "KO52-3")
    if cents % limits.chip:
        return Refusal(f"{wager_words} is not in whole chips of {limits.chip}", "KO52-11")
    return None


def awaits(game: Game) -> CardAwaited | Done:
    """A card on the next space, until there is a match or no space is left (KO52-6)."""
    if game.outcome is not None:
        return Done()
    layout, space = game.rules.layout, len(game.cards)
    rank = Rank(layout.rank_of_space(space))
    return CardAwaited(f"row {layout.row_of_space(space)}, space {rank.letter}")


def chance(game: Game) -> tuple[tuple[Card, int], ...]:
    """Every card that can come now, with the number of it that is left; nothing once the game is over."""
    if game.outcome is not None:
        return ()
    counts = game.undealt.counts
    return tuple((card, counts[card.index]) for card in CARDS if counts[card.index])


def view(game: Game, seat: int) -> View:
    """What the player of a seat, counted from 0, may know: everything, but the order of undealt cards."""
    if not 0 <= seat < len(game.wagers):
        raise MalformedInput(f"there is no seat {seat}; the seats are 0 to {len(game.wagers) - 1}")
    return View(
        seat,
        game.wagers[seat],
        game.wagers,
        game.cards,
        game.marker,
        game.outcome,
        cards_left=game.undealt.total,
    )


def why_not(game: Game, action: Card | PlaceWager) -> Refusal | None:
    """Why a card cannot be dealt or a wager placed now, with its clause; None when it can."""
    match action:
        case PlaceWager():
            when = "after the first card" if game.cards else "once the game has started"
            return Refusal(
                f"{action.player} cannot stake {titled(action.wager)}: no wager is placed {when}", "KO52-3"
            )
        case Card():
            if game.outcome == ALL_THE_WAY:
                return Refusal("no card is dealt when all spaces are filled", "KO52-6")
            if game.outcome is not None:
                return Refusal(f"no card is dealt after the match in {titled(game.outcome)}", "KO52-7")
            if game.undealt[action] == 0:
                held = game.rules.shoe[action]
                return Refusal(f"{action} cannot come now: all {held} of it in the shoe are dealt", "KO52-1")
            return None
        case _:
            assert_never(action)


def step(game: Game, action: Card | PlaceWager) -> tuple[Game, tuple[Event, ...]]:
    """Deal one card; what it settles is settled at once (KO52-10)."""
    refusal = why_not(game, action)
    if refusal is not None:
        raise IllegalAction(refusal.reason, clause=refusal.clause)
    assert isinstance(action, Card)  # every other action has been refused
    card, space, layout = action, len(game.cards), game.rules.layout
    row = layout.row_of_space(space)
    matched = card.rank == layout.rank_of_space(space)
    dealt = replace(game, cards=(*game.cards, card))
    events: list[Event] = [CardDealt(space, row, card, match=matched)]
    round_in_play = layout.wagers[row - 1]
    if matched:
        dealt = replace(dealt, outcome=round_in_play)
        events += _settled_by_win(dealt, round_in_play)
    elif (space + 1) % layout.ranks == 0:
        # The row is complete without a match: its wagers lose, and the marker moves on (KO52-8, KO52-9).
        events += _collected(dealt, round_in_play)
        dealt = replace(dealt, marker=layout.wagers[row])
        events.append(MarkerMoved(dealt.marker))
        if space + 1 == layout.spaces:
            dealt = replace(dealt, outcome=ALL_THE_WAY)
            events += _settled_by_win(dealt, ALL_THE_WAY)
    return dealt, tuple(events)


def _collected(game: Game, lost: str) -> Iterator[Event]:
    for stakes in game.wagers:
        for wager, cents in stakes.placed:
            if wager == lost:
                yield WagerCollected(stakes.player, wager, cents)


def _settled_by_win(game: Game, won: str) -> Iterator[Event]:
    """Player by player around the table: the wager that won is paid, those on later circles lose (KO52-7)."""
    circles = game.rules.layout.wagers
    for stakes in game.wagers:
        for wager, cents in stakes.placed:
            if wager == won:
                yield WagerPaid(stakes.player, wager, cents, game.rules.payment(wager, cents))
            elif circles.index(wager) > circles.index(won):
                yield WagerCollected(stakes.player, wager, cents)
    yield GameEnded(won)


def net_cents(game: Game) -> dict[str, int]:
    """What each player has won (or, below zero, lost) by the wagers that are settled so far."""
    circles = game.rules.layout.wagers
    last_lost = circles.index(game.marker) if game.outcome is None else len(circles)
    net: dict[str, int] = {}
    for stakes in game.wagers:
        net[stakes.player] = 0
        for wager, cents in stakes.placed:
            if wager == game.outcome:
                net[stakes.player] += game.rules.payment(wager, cents)
            elif circles.index(wager) < last_lost:
                net[stakes.player] -= cents
    return net
