"""Lines of a bet that can never be won: no cards make them, or an earlier line is always paid instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from functools import lru_cache
from typing import Final

from cardroom.core.cards import Card
from cardroom.core.decks import DECKS, DeckKind
from cardroom.rules.bets.bet import SideBet
from cardroom.rules.bets.patterns import Pattern
from cardroom.rules.bets.trackers import LooksAt, Machine, Role, machine_of

_MOST_HANDS: Final = 8_000
"""Of the dealer, as far as a bet tells them apart."""
_DEALER_STANDS: Final = 17
_BLACKJACK_TOTAL: Final = 21
_DEALERS: Final[tuple[Role, ...]] = ("dealer_up", "dealer_hole", "dealer_draw")


class _TooMany(Exception):
    """More states than anybody should wait for."""


def never_won(bet: SideBet, deck: DeckKind) -> str | None:
    """The first line that no cards of a deck win, in a sentence; None when each can be won.

    Any number of each card may be in the shoe, since the number of decks is another matter.
    """
    for place, words in lines_never_won(bet, deck):
        return f"lines: {words}" if place is None else f"lines.{place + 1} ({bet.lines[place].name}): {words}"
    return None


def lines_never_won(bet: SideBet, deck: DeckKind) -> Iterator[tuple[int | None, str]]:
    """Every line that no cards of a deck win, by its place, with the reason; None for all lines together."""
    try:
        makes, wins = _lines_made(bet.looks_at, tuple(line.when for line in bet.lines), deck)
    except _TooMany:
        yield None, "they remember too much of the cards; ask for fewer single cards and groups"
        return
    for place in range(len(bet.lines)):
        if place not in makes:
            yield place, "no cards make it"
        elif place not in wins:
            yield place, "it is never paid, for an earlier line always is"


@lru_cache(maxsize=256)
def _lines_made(
    looks_at: tuple[LooksAt, ...], patterns: tuple[Pattern, ...], deck: DeckKind
) -> tuple[frozenset[int], frozenset[int]]:
    """The lines whose patterns some cards make, and those that are the first of all that they make."""
    machine = machine_of(looks_at, patterns)
    cards = DECKS[deck]
    exchangeable = not any(pattern.names_suits for pattern in patterns)
    makes: set[int] = set()
    wins: set[int] = set()
    for state in _ends(machine, cards, exchangeable=exchangeable):
        holding = machine.holding(state)
        makes.update(holding)
        wins.update(holding[:1])
    return frozenset(makes), frozenset(wins)


def _ends(machine: Machine, cards: Sequence[Card], *, exchangeable: bool) -> set[int]:
    """Every state in which a bet may be decided; where suits may be exchanged, one of each kind.

    Then a suit not seen yet stands for all that are not: suits come in the order of their numbers.
    """
    states = {(0, 0)}
    for role in machine.roles:
        if "dealer_draw" in machine.roles and role in _DEALERS:
            return _dealers_ends(machine, cards, {state for state, _ in states})
        states = {
            (machine.after(state, role, card), suits + (exchangeable and card.suit == suits))
            for state, suits in states
            for card in cards
            if not exchangeable or card.suit <= suits
        }
    return {state for state, _ in states}


def _dealers_ends(machine: Machine, cards: Sequence[Card], states: set[int]) -> set[int]:
    """The states of hands that the dealer may end with; a soft 17 may be an end, or not."""
    ends: set[int] = set()
    hands = {(state, 0, False, 0) for state in states}
    met = set(hands)
    while hands:
        after: set[tuple[int, int, bool, int]] = set()
        for state, hard, ace, held in hands:
            _require_few(after)
            for card in cards:
                total, one = hard + card.value, ace or card.value == 1
                then = machine.after(state, _DEALERS[held], card)
                soft = one and total + 10 <= _BLACKJACK_TOTAL
                best = total + 10 if soft else total
                if held > 0 and best >= _DEALER_STANDS:
                    ends.add(then)
                if held == 0 or best < _DEALER_STANDS or (soft and best == _DEALER_STANDS):
                    after.add((then, total, one, min(held + 1, 2)))
        hands = after - met
        met |= hands
        _require_few(met)
    return ends


def _require_few(states: Sized) -> None:
    if len(states) > _MOST_HANDS:
        raise _TooMany
