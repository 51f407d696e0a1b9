"""Lines of a bet that can never be won: no cards make them, or an earlier line is always paid instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from cardroom.core.decks import DECKS, DeckKind
from cardroom.rules.bets.bet import SideBet
from cardroom.rules.bets.bonus import BonusLine, standard_lines
from cardroom.rules.bets.insurance import InsuranceLine, never_paid
from cardroom.rules.bets.patterns import NAMED, Pattern
from cardroom.rules.bets.reached import TooMany, ends
from cardroom.rules.bets.super_bonus import SuperLine, standard_super_lines, winning_hands
from cardroom.rules.bets.trackers import LooksAt, machine_of
from cardroom.rules.explain import Misplaced


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


def bonus_never_paid(lines: Sequence[BonusLine], named_suit: str, deck: DeckKind) -> Misplaced | None:
    """The first of a house's own bonus lines that no 21 is ever paid by, with its place; None if each may be.

    Of several lines that a 21 makes the best is paid, and of equals the first.
    """
    standard = len(standard_lines())
    known = [(line.when.with_suit(NAMED, named_suit), line.pays, line.for_blackjack) for line in lines]
    for place, line in enumerate(lines[standard:], standard):
        if not _made_by_21((known[place][0],), deck):
            return _line_of("bonus_21", place - standard, line.name, "no hand of 21 makes it")
        rivals = [
            when
            for other, (when, pays, for_blackjack) in enumerate(known)
            if line.pays is not None
            and pays is not None
            and for_blackjack is line.for_blackjack
            and (-pays.ratio, other) < (-line.pays.ratio, place)
        ]
        if not _made_by_21((known[place][0], *rivals), deck):
            words = "it is never paid, for a better line always is"
            return _line_of("bonus_21", place - standard, line.name, words)
    return None


def super_line_never_won(lines: tuple[SuperLine, ...], named_suit: str, deck: DeckKind) -> Misplaced | None:
    """The first line of a Super Bonus that no cards of a deck win, with its place; None if each may be."""
    if lines == standard_super_lines():
        return None
    won: object = {}
    for place, line in enumerate(lines):
        now = winning_hands(lines[: place + 1], named_suit, deck)
        if not winning_hands((line,), named_suit, deck):
            return _line_of("super_bonus", place, line.name, "no three cards of 21 or less make it")
        if now == won:
            words = "it is never paid, for an earlier line always is"
            return _line_of("super_bonus", place, line.name, words)
        won = now
    return None


def insurance_line_never_paid(lines: tuple[InsuranceLine, ...], deck: DeckKind) -> Misplaced | None:
    """The first of a house's own lines of insurance that is never paid, with its place; None if none is."""
    if (never := never_paid(lines, deck)) is None:
        return None
    place, words = never
    return _line_of("insurance", place, lines[place].name, words)


def _line_of(group: str, place: int, name: str, words: str) -> Misplaced:
    return Misplaced(f"{group}.lines.{place + 1} ({name}): {words}", (group, "lines", place), words)


@lru_cache(maxsize=256)
def _made_by_21(patterns: tuple[Pattern, ...], deck: DeckKind) -> bool:
    """Whether some 21 makes the first pattern and none of the others; yes where there are too many hands."""
    machine = machine_of(("player_hand",), (*patterns, Pattern.model_validate({"total": 21})))
    try:
        states = ends(machine, DECKS[deck], exchangeable=False)
    except TooMany:
        return True
    return any(machine.holding(state) == (0, len(patterns)) for state in states)


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
