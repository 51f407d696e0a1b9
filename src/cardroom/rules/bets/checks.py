"""Lines of a bet that can never be won: no cards make them, or an earlier line is always paid instead."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from cardroom.core.decks import DECKS, DeckKind
from cardroom.rules.bets.bet import SideBet
from cardroom.rules.bets.patterns import Pattern
from cardroom.rules.bets.reached import TooMany, ends
from cardroom.rules.bets.trackers import LooksAt, machine_of


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
    except TooMany:
        yield None, "they remember too much of the cards; ask for fewer single cards and groups"
        return
    for place in range(len(bet.lines)):
        if place not in makes:
            yield place, "no cards make it"
        elif place not in wins and not bet.every_match_adds:
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
    for state in ends(machine, cards, exchangeable=exchangeable):
        holding = machine.holding(state)
        makes.update(holding)
        wins.update(holding[:1])
    return frozenset(makes), frozenset(wins)
