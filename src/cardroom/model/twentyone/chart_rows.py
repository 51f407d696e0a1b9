"""The rows of a chart: the hands that each is for, the cells that it has, and the row that decides a hand.

A cell holds actions by preference, the first that is allowed is taken: `S` stand, `H` hit, `D` double,
`P` split, `R` give up (surrender, or rescue after a double), so `Dh` doubles, or hits where a double is not
allowed. `D` alone means `Dh`; `R` alone means `Rh` in a row of which some hand may give up; `P` alone is for
pairs. Hands that have no such choice, split aces that get one card, stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cardroom.core.cards import Rank, parse_rank
from cardroom.core.errors import MalformedInput
from cardroom.model.twentyone.automaton import Automaton, Hand
from cardroom.model.twentyone.columns import UP_CARD, columns_of
from cardroom.rules.twentyone.law import BLACKJACK_TOTAL, Action

UP_CARDS: Final = UP_CARD.names
"""The columns of a chart where the dealer shows one card …"""
UP_COLUMNS: Final = UP_CARD.places
"""… and where they stand in a table: the card's value less 1."""
LETTERS: Final[Mapping[str, tuple[Action, ...]]] = {
    "S": (Action.STAND,),
    "H": (Action.HIT,),
    "D": (Action.DOUBLE,),
    "P": (Action.SPLIT,),
    "R": (Action.SURRENDER, Action.RESCUE),
}
NO_SUCH_CARD: Final = "-"
"""The cell of a dealer's card that does not come from the shoe."""
_FALLBACKS: Final = (Action.HIT, Action.STAND)
"""What `D` or `R` alone means where it is not allowed."""
_ALWAYS_MEANT: Final = frozenset({Action.STAND, Action.HIT, Action.DOUBLE})
"""Actions that say what to do with every hand of a row: alone, `D` hits where it is not allowed."""
_TOTALS: Final = {"hard": (4, 21), "soft": (12, 21)}
"""The least and the highest total of two cards or more: 2-2 and A-A are the least."""
FIELDS: Final = ("hand", "cards", "doubles", "bonus", "after_split")
_HAND: Final = re.compile(r"(hard|soft) (\d{1,2})(?:-(\d{1,2}))?|pair (10|[A2-9TJQK])", re.IGNORECASE)
_SUCH: Final = "S H D P R, such as Dh"
_COUNT: Final = re.compile(r"(\d)(\+?)")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a chart: the hands it is for, and a cell for each column."""

    hand: str
    """`hard 16`, `hard 5-8`, `soft 18`, `pair 8`."""
    cells: tuple[str, ...]
    cards: str = ""
    """At least so many cards: `4+`; empty for any number."""
    doubles: str = ""
    """Doubles taken: `1`, or `1+`; empty for none."""
    bonus: str = ""
    """Two cards on the way to a bonus: `6-7`, `6-7 suited`, `6-7 spades`, `7-7 mixed`."""
    after_split: str = ""
    """`yes` or `no`; empty for both."""

    def __str__(self) -> str:
        """The hands of the row: `hard 13 (cards 5+, after_split no)`."""
        more = ", ".join(
            f"{name} {value}" for name, value in self.fields().items() if value and name != "hand"
        )
        return f"{self.hand} ({more})" if more else self.hand

    def fields(self) -> dict[str, str]:
        """The columns before the cells, by name."""
        return {name: getattr(self, name) for name in FIELDS}

    def refuse_cells(self, columns: Sequence[str]) -> None:
        """Refuse cells that are not a choice for each column."""
        if len(self.cells) != len(columns):
            raise wrong_number_of_cells(str(self), len(self.cells), columns)
        for up, cell in zip(columns, self.cells, strict=True):
            if not cell:
                raise MalformedInput(f"{self} against {up} is empty; a cell is made of {_SUCH}")
            unknown = next((letter for letter in cell.upper() if letter not in LETTERS), None)
            if unknown is not None and cell != NO_SUCH_CARD:
                raise MalformedInput(
                    f"{self} against {up}: {unknown!r} in cell {cell!r} is not an action; cells are made of "
                    f"{_SUCH}"
                )

    def refuse_impossible(self, possible: Iterable[Action], columns: Sequence[str]) -> None:
        """Refuse a cell of splits and surrenders that none of the row's hands may do."""
        meant = _ALWAYS_MEANT.union(possible)
        for up, cell in zip(columns, self.cells, strict=True):
            if cell != NO_SUCH_CARD and meant.isdisjoint(_preferences(cell)):
                raise MalformedInput(
                    f"{self} against {up}: {cell} is possible with no hand of the row under these rules; "
                    f"write {cell} followed by S or H, such as {cell}s"
                )


def wrong_number_of_cells(row: str, number: int, columns: Sequence[str]) -> MalformedInput:
    """The error of a row that has not a cell for each column."""
    return MalformedInput(
        f"the row {row} has {number} cells; {len(columns)} are needed, for {' '.join(columns)}"
    )


def _preferences(cell: str) -> tuple[Action, ...]:
    if cell == NO_SUCH_CARD:
        return ()
    return tuple(action for letter in cell.upper() for action in LETTERS[letter])


def first_allowed(cell: str, options: Sequence[Action]) -> Action:
    """What a cell does with a hand that has these options."""
    return next(action for action in (*_preferences(cell), *_FALLBACKS) if action in options)


def hand_words(automaton: Automaton, hand: Hand, state: int) -> str:
    """`hard 16`, `soft 18`, or `pair 8` where the pair may be split."""
    if hand.pair and Action.SPLIT in automaton.options(state):
        return f"pair {Rank(hand.pair).letter}"
    return f"{'soft' if hand.soft else 'hard'} {hand.total}"


def described(automaton: Automaton, hand: Hand, state: int) -> str:
    """`hard 16`, or `hard 16 after 1 double`."""
    after = f" after {hand.doubles} double{'s' * (hand.doubles > 1)}" if hand.doubles else ""
    return f"{hand_words(automaton, hand, state)}{after}"


def bonus_words(automaton: Automaton, hand: Hand) -> tuple[str, str]:
    """The ranks of two cards on the way to a bonus, and their suits as far as they matter."""
    if hand.cards != 2 or not hand.progress:
        return "", ""
    examples = [automaton.classes.example[number] for number in hand.progress]
    ranks = "-".join(sorted(card.rank.letter for card in examples))
    classes = automaton.classes.of_card
    suits_matter = len({classes[13 * suit + examples[0].rank - 1] for suit in range(4)}) > 1
    if not suits_matter:
        return ranks, ""
    if examples[0].suit is not examples[1].suit:
        return ranks, f"{ranks} mixed"
    table = automaton.rules.bonus_21
    return ranks, f"{ranks} {table.named_suit if examples[0].suit is table.suit else 'suited'}"


@dataclass(frozen=True, slots=True)
class _Bound:
    """`4+` or `4`, as a test."""

    least: int
    more: bool

    @classmethod
    def parse(cls, row: Row, what: str, default: str) -> _Bound:
        text = row.fields()[what]
        match = _COUNT.fullmatch(text or default)
        if match is None:
            raise MalformedInput(f"the row {row}: {text!r} is not a number of {what}; write 4 or 4+")
        return cls(int(match[1]), bool(match[2]))

    @property
    def special(self) -> tuple[int, bool]:
        """Of bounds that fit, the greatest is the most special: 4 before 4+ before 3+."""
        return self.least, not self.more

    def fits(self, number: int) -> bool:
        return number >= self.least if self.more else number == self.least


class RowFinder:
    """Finds the row of a chart for a hand; refuses rows that are for no hand or contradict each other."""

    def __init__(self, rows: Iterable[Row], automaton: Automaton) -> None:
        self.automaton = automaton
        self.columns = columns_of(automaton.rules).names
        self._rows: dict[str, dict[tuple[_Bound, _Bound, str, str], Row]] = {}
        self._most_cards = max(hand.cards for hand in automaton.numbered)
        self._bonuses = {words for hand in automaton.numbered for words in bonus_words(automaton, hand)}
        for row in rows:
            cards = _Bound.parse(row, "cards", "2+")
            doubles = _Bound.parse(row, "doubles", "0")
            self._check(row, cards)
            for words in _hands_of(row.hand):
                same = self._rows.setdefault(words, {}).setdefault(
                    (cards, doubles, row.bonus, row.after_split), row
                )
                _refuse_contradiction(words, same, row, self.columns)

    def _check(self, row: Row, cards: _Bound) -> None:
        row.refuse_cells(self.columns)
        if row.after_split not in ("", "yes", "no"):
            raise MalformedInput(f"after_split of the row {row.hand} is yes, no or empty")
        if cards.least > self._most_cards:
            raise MalformedInput(
                f"the row {row.hand} is for {row.cards} cards; under these rules {self._most_cards} or more "
                "are alike"
            )
        if row.bonus not in self._bonuses:
            allowed = ", ".join(sorted(self._bonuses - {""})) or "none, leave it empty"
            raise MalformedInput(
                f"{row.bonus!r} of the row {row.hand} is not a bonus in view under these rules; "
                f"allowed: {allowed}"
            )

    def row_or_stand(self, hand: Hand, state: int) -> Row | None:
        """The row for a hand, or None where none fits; a 21 that no row names stands."""
        row = self.row(hand, state)
        if row is None and hand.total == BLACKJACK_TOTAL:
            return Row(described(self.automaton, hand, state), ("S",) * len(self.columns))
        return row

    def row(self, hand: Hand, state: int) -> Row | None:
        """The most special row that fits a hand."""
        words = hand_words(self.automaton, hand, state)
        ranks, suited = bonus_words(self.automaton, hand)
        split = "yes" if hand.from_split else "no"
        matches = [
            ((len(bonus), bool(after_split), cards.special, doubles.special), row)
            for (cards, doubles, bonus, after_split), row in self._rows.get(words, {}).items()
            if cards.fits(hand.cards)
            and doubles.fits(hand.doubles)
            and bonus in ("", ranks, suited)
            and after_split in ("", split)
        ]
        return max(matches, key=lambda item: item[0])[1] if matches else None


def _refuse_contradiction(words: str, one: Row, other: Row, columns: Sequence[str]) -> None:
    for up, first, second in zip(columns, one.cells, other.cells, strict=True):
        if first.upper() != second.upper():
            which = str(other) if other.hand == words else f"{other}, {words}"
            raise MalformedInput(
                f"two rows are for {which}: against {up} one says {first}, the other {second}; keep one"
            )


def _hands_of(text: str) -> list[str]:
    """The hands of a row, a total or a pair each."""
    match = _HAND.fullmatch(text.strip())
    if match is None:
        raise MalformedInput(f"{text!r} is not a hand of a chart; write hard 16, hard 5-8, soft 18 or pair 8")
    if match[4]:
        return [f"pair {parse_rank(match[4]).letter}"]
    kind, first, last = match[1].lower(), int(match[2]), int(match[3] or match[2])
    if first > last:
        raise MalformedInput(f"the row {text} runs backwards; write {kind} {last}-{first}")
    least, most = _TOTALS[kind]
    if first < least or last > most:
        raise MalformedInput(f"the row {text} is for no hand; {kind} totals are {least} to {most}")
    return [f"{kind} {total}" for total in range(first, last + 1)]
