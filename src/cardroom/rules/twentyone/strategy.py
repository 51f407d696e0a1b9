"""A strategy as a table, `action[state, up card]`, and as a chart that people read and write (TOML or CSV).

A cell holds actions by preference, the first that is allowed is taken: `S` stand, `H` hit, `D` double,
`P` split, `R` give up (surrender, or rescue after a double), so `Dh` doubles, or hits where a double is not
allowed. A pair that may not be split is played by the row of its total. Of the rows that fit a hand the most
special one holds.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import Card, Rank, parse_rank
from cardroom.core.errors import MalformedInput
from cardroom.rules.twentyone.automaton import NONE, NUMBER_OF, Automaton, Hand
from cardroom.rules.twentyone.law import BLACKJACK_TOTAL, Action

UP_CARDS: Final = "23456789TA"
"""The columns of a chart; the column of a table is the card's value less 1."""
UP_COLUMNS: Final[tuple[int, ...]] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
_LETTERS: Final[Mapping[str, tuple[Action, ...]]] = {
    "S": (Action.STAND,),
    "H": (Action.HIT,),
    "D": (Action.DOUBLE,),
    "P": (Action.SPLIT,),
    "R": (Action.SURRENDER, Action.RESCUE),
}
NO_SUCH_CARD: Final = "-"
"""The cell of an up card that does not come from the shoe."""
_FALLBACKS: Final = (Action.HIT, Action.STAND)
"""What `D` or `R` alone means where it is not allowed."""
_FIELDS: Final = ("hand", "cards", "doubles", "bonus", "after_split")
_HAND: Final = re.compile(r"(hard|soft) (\d{1,2})(?:-(\d{1,2}))?|pair (10|[A2-9TJQK])", re.IGNORECASE)
_COUNT: Final = re.compile(r"(\d)(\+?)")


@dataclass(frozen=True, eq=False)
class Strategy:
    """What to do with every hand against every up card."""

    name: str
    automaton: Automaton
    action: NDArray[np.int8]
    """[state, up card's value less 1]: the action's number in `ACTIONS`; NONE with nothing to decide."""

    def choose(self, state: int, up: Card | int) -> Action | None:
        """The action on a state against an up card (or its value), None where nothing is to be decided."""
        value = up.value if isinstance(up, Card) else up
        number = int(self.action[state, value - 1])
        return None if number == NONE else tuple(Action)[number]

    def chart(self) -> Chart:
        """The strategy as a chart of as few rows as say it all."""
        return Chart(self.automaton.rules.game, self.name, tuple(_rows(self)))


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a chart: the hands it is for, and a cell for each of `UP_CARDS`."""

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

    def fields(self) -> dict[str, str]:
        """The columns before the cells, by name."""
        return {name: getattr(self, name) for name in _FIELDS}


@dataclass(frozen=True, slots=True)
class Chart:
    """A strategy in the form in which it is printed; parses back from what it writes."""

    game: str
    name: str
    rows: tuple[Row, ...]

    def csv(self) -> str:
        """The chart as `strategy --csv` writes it."""
        out = io.StringIO()
        out.write(f"# {self.game} {self.name}\n")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([*_FIELDS, *UP_CARDS])
        for row in self.rows:
            writer.writerow([*row.fields().values(), *row.cells])
        return out.getvalue()

    def toml(self) -> str:
        """The chart as TOML, a `[[row]]` for each row."""
        lines = [f'game = "{self.game}"', f'name = "{self.name}"', f'up_cards = "{" ".join(UP_CARDS)}"']
        for row in self.rows:
            lines += ["", "[[row]]"]
            lines += [f'{name} = "{value}"' for name, value in row.fields().items() if value]
            lines.append(f'cells = "{" ".join(row.cells)}"')
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> Chart:
        """Read a chart, CSV or TOML."""
        return _from_csv(text) if text.lstrip("\ufeff \n").startswith(("#", "hand,")) else _from_toml(text)

    def strategy(self, automaton: Automaton) -> Strategy:
        """The table of the chart for a house's rules; refused where the chart is silent on a hand."""
        if self.game != automaton.rules.game:
            raise MalformedInput(f"the chart is for {self.game}, not for {automaton.rules.game}")
        reader = _Reader(self, automaton)
        action = np.full((len(automaton.hands), len(UP_CARDS)), NONE, np.int8)
        for hand, state in automaton.numbered.items():
            options = automaton.options(state)
            if not options or hand.cards < 2:
                continue
            cells = reader.cells(hand, state)
            chosen = [
                NONE if cell == NO_SUCH_CARD else NUMBER_OF[_first_allowed(cell, options)] for cell in cells
            ]
            if action[state, 0] == NONE or hand == automaton.hands[state]:
                action[state, list(UP_COLUMNS)] = chosen
        return Strategy(self.name, automaton, action)

    def rows_of_states(self, automaton: Automaton) -> dict[int, Row]:
        """The row that decides each state; a 21 that no row names is in none."""
        reader = _Reader(self, automaton)
        found = {
            state: reader.row(hand, state)
            for hand, state in automaton.numbered.items()
            if automaton.options(state) and hand.cards >= 2 and hand == automaton.hands[state]
        }
        return {state: row for state, row in found.items() if row is not None}


def _preferences(cell: str) -> tuple[Action, ...]:
    if cell == NO_SUCH_CARD:
        return ()
    try:
        return tuple(action for letter in cell.upper() for action in _LETTERS[letter])
    except KeyError as letter:
        raise MalformedInput(
            f"{letter.args[0]!r} in cell {cell!r} is not an action; cells are made of S H D P R, such as Dh"
        ) from None


def _first_allowed(cell: str, options: Sequence[Action]) -> Action:
    return next(action for action in (*_preferences(cell), *_FALLBACKS) if action in options)


def _hand_words(automaton: Automaton, hand: Hand, state: int) -> str:
    """`hard 16`, `soft 18`, or `pair 8` where the pair may be split."""
    if hand.pair and Action.SPLIT in automaton.options(state):
        return f"pair {Rank(hand.pair).letter}"
    return f"{'soft' if hand.soft else 'hard'} {hand.total}"


def _bonus_words(automaton: Automaton, hand: Hand) -> tuple[str, str]:
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
    def parse(cls, text: str, default: str, what: str) -> _Bound:
        match = _COUNT.fullmatch(text or default)
        if match is None:
            raise MalformedInput(f"{text!r} is not a number of {what}; write 4 or 4+")
        return cls(int(match[1]), bool(match[2]))

    def fits(self, number: int) -> bool:
        return number >= self.least if self.more else number == self.least


class _Reader:
    """Finds the row of a chart for a hand."""

    def __init__(self, chart: Chart, automaton: Automaton) -> None:
        self.automaton = automaton
        self.rows: dict[str, list[tuple[Row, _Bound, _Bound]]] = {}
        for row in chart.rows:
            cards = _Bound.parse(row.cards, "2+", "cards")
            doubles = _Bound.parse(row.doubles, "0", "doubles")
            self._check(row, cards)
            for words in _hands_of_row(row.hand):
                self.rows.setdefault(words, []).append((row, cards, doubles))

    def _check(self, row: Row, cards: _Bound) -> None:
        if len(row.cells) != len(UP_CARDS) or not all(row.cells):
            filled = sum(map(bool, row.cells))
            raise MalformedInput(
                f"the row {row.hand} has {filled} cells; {len(UP_CARDS)} are needed, for {' '.join(UP_CARDS)}"
            )
        for cell in row.cells:
            _preferences(cell)
        if row.after_split not in ("", "yes", "no"):
            raise MalformedInput(f"after_split of the row {row.hand} is yes, no or empty")
        counted = max(hand.cards for hand in self.automaton.numbered)
        if cards.least > counted:
            raise MalformedInput(
                f"the row {row.hand} is for {row.cards} cards; under these rules {counted} or more are alike"
            )

    def cells(self, hand: Hand, state: int) -> tuple[str, ...]:
        row = self.row(hand, state)
        if row is not None:
            return row.cells
        if hand.total == BLACKJACK_TOTAL:
            return ("S",) * len(UP_CARDS)
        words = _hand_words(self.automaton, hand, state)
        after = f" after {hand.doubles} double{'s' * (hand.doubles > 1)}" if hand.doubles else ""
        raise MalformedInput(f"the chart says nothing of {words}{after}")

    def row(self, hand: Hand, state: int) -> Row | None:
        """The most special row that fits a hand."""
        words = _hand_words(self.automaton, hand, state)
        ranks, suited = _bonus_words(self.automaton, hand)
        after_split = "yes" if hand.from_split else "no"
        found = [
            ((len(row.bonus), bool(row.after_split), cards.least, not doubles.more), row)
            for row, cards, doubles in self.rows.get(words, ())
            if cards.fits(hand.cards)
            and doubles.fits(hand.doubles)
            and row.bonus in ("", ranks, suited)
            and row.after_split in ("", after_split)
        ]
        return max(found, key=lambda item: item[0])[1] if found else None


def _hands_of_row(text: str) -> list[str]:
    match = _HAND.fullmatch(text.strip())
    if match is None:
        raise MalformedInput(f"{text!r} is not a hand of a chart; write hard 16, hard 5-8, soft 18 or pair 8")
    if match[4]:
        return [f"pair {parse_rank(match[4]).letter}"]
    first, last = int(match[2]), int(match[3] or match[2])
    return [f"{match[1].lower()} {total}" for total in range(first, last + 1)]


def _from_csv(text: str) -> Chart:
    lines = text.lstrip("\ufeff").splitlines()
    comments = [line[1:].split() for line in lines if line.startswith("#")]
    if not comments or not comments[0]:
        raise MalformedInput("a chart starts with a line that names its game: # blackjack NAME")
    game, name = comments[0][0], " ".join(comments[0][1:]) or "chart"
    table = list(csv.reader(line for line in lines if line.strip() and not line.startswith("#")))
    if not table:
        raise MalformedInput("the chart has no rows")
    header = [column.strip() for column in table[0]]
    ups = ["T" if column == "10" else column.upper() for column in header if column not in _FIELDS]
    if "hand" not in header or sorted(ups) != sorted(UP_CARDS):
        raise MalformedInput(f"the first line of a chart names its columns: hand, then {', '.join(UP_CARDS)}")
    rows = []
    for line in table[1:]:
        values = dict(zip(header, (value.strip() for value in line), strict=False))
        cells = {("T" if key == "10" else key.upper()): values.get(key, "") for key in header}
        given = {name: values.get(name, "") for name in _FIELDS}
        rows.append(Row(cells=tuple(cells[up] for up in UP_CARDS), **given))
    return Chart(game, name, tuple(rows))


def _from_toml(text: str) -> Chart:
    try:
        tree: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MalformedInput(f"the chart is neither CSV nor valid TOML: {error}") from None
    rows = tree.get("row")
    if not isinstance(tree.get("game"), str) or not isinstance(rows, list):
        raise MalformedInput('a chart in TOML has game = "…" and a [[row]] for each row')
    ups = str(tree.get("up_cards", " ".join(UP_CARDS))).replace("10", "T").upper().split()
    if sorted(ups) != sorted(UP_CARDS):
        raise MalformedInput(f"up_cards are {' '.join(UP_CARDS)}")
    return Chart(tree["game"], str(tree.get("name", "chart")), tuple(_toml_row(row, ups) for row in rows))


def _toml_row(row: Mapping[str, object], ups: Sequence[str]) -> Row:
    unknown = [key for key in row if key not in (*_FIELDS, "cells")]
    if unknown or "hand" not in row:
        what = f"unknown key {unknown[0]!r}" if unknown else "no hand"
        raise MalformedInput(f"a row of the chart has {what}; keys are {', '.join(_FIELDS)}, cells")
    cells = dict(zip(ups, str(row.get("cells", "")).split(), strict=False))
    given = {name: str(row.get(name, "")) for name in _FIELDS}
    return Row(cells=tuple(cells.get(up, "") for up in UP_CARDS), **given)


@dataclass(slots=True)
class _Played:
    """A hand of a strategy with what it may do and does."""

    hand: Hand
    options: tuple[Action, ...]
    actions: tuple[Action | None, ...]
    """None against an up card that does not come."""
    bonus: str = ""


@dataclass(slots=True)
class _Group:
    """The hands that share the first column of a chart, and the doubles taken."""

    words: str
    doubles: int
    played: list[_Played] = field(default_factory=list)


def _rows(strategy: Strategy) -> Iterable[Row]:
    """Few rows that say all that the strategy does."""
    automaton = strategy.automaton
    groups: dict[tuple[int, bool, bool, int, str], _Group] = {}
    for hand, state in automaton.numbered.items():
        options = automaton.options(state)
        if not options or hand.cards < 2:
            continue
        words = _hand_words(automaton, hand, state)
        numbers = [int(strategy.action[state, column]) for column in UP_COLUMNS]
        if all(number == NONE for number in numbers):
            continue
        key = (hand.doubles, words.startswith("pair"), hand.soft, hand.total, words)
        group = groups.setdefault(key, _Group(words, hand.doubles))
        actions = tuple(None if number == NONE else tuple(Action)[number] for number in numbers)
        group.played.append(_Played(hand, options, actions, _bonus_words(automaton, hand)[1]))
    for key in sorted(groups):
        yield from _rows_of_group(groups[key])


def _rows_of_group(group: _Group) -> Iterable[Row]:
    plain = [played for played in group.played if not played.bonus] or group.played
    said: list[Row] = list(_rows_by_split(group, plain))
    yield from said
    for bonus in sorted({played.bonus for played in group.played if played.bonus}):
        some = [played for played in group.played if played.bonus == bonus]
        if all(_says(said, played) for played in some):
            continue
        for row in _rows_by_split(group, some):
            yield Row(row.hand, row.cells, "", row.doubles, bonus, row.after_split)


def _says(rows: Sequence[Row], played: _Played) -> bool:
    """Whether rows without a bonus already say what a hand of two cards does."""
    after_split = "yes" if played.hand.from_split else "no"
    fitting = [row for row in rows if row.after_split in ("", after_split) and not row.cards]
    return bool(fitting) and all(
        action is None or _first_allowed(cell, played.options) is action
        for cell, action in zip(fitting[-1].cells, played.actions, strict=True)
    )


def _rows_by_split(group: _Group, played: Sequence[_Played]) -> Iterable[Row]:
    together = list(_rows_by_cards(group, played, ""))
    apart = [
        row
        for after_split in ("no", "yes")
        for row in _rows_by_cards(
            group, [one for one in played if one.hand.from_split == (after_split == "yes")], after_split
        )
    ]
    cut = any(row.cards for row in together)
    yield from (apart if not together or (cut and len(apart) <= max(len(together), 2)) else together)


def _rows_by_cards(group: _Group, played: Sequence[_Played], after_split: str) -> Iterable[Row]:
    """Rows for growing numbers of cards, each as far as one row of cells fits; none where none fits."""
    rows: list[Row] = []
    counts = sorted({one.hand.cards for one in played})
    while counts:
        for last in range(len(counts), 0, -1):
            cells = _cells([one for one in played if one.hand.cards in counts[:last]])
            if cells is not None:
                break
        else:
            return []
        cards = f"{counts[0]}+" if rows else ""
        doubles = str(group.doubles) if group.doubles else ""
        rows.append(Row(group.words, cells, cards, doubles, "", after_split))
        counts = counts[last:]
    return rows


_CELLS: Final[tuple[str, ...]] = (
    *(
        letters[0] + "".join(letters[1:]).lower()
        for length in (1, 2, 3)
        for letters in permutations("HSPDR", length)
        if letters[-1] in "SHP" and not {"S", "H", "P"} & set(letters[:-1])
    ),
    *("Hds", "Rhds"),  # split aces may be such as double and do not hit
)


def _cells(played: Sequence[_Played]) -> tuple[str, ...] | None:
    """One cell for each up card that makes every one of these hands act as it does, or None."""
    cells = []
    allowed = {action for one in played for action in one.options}
    usable = [cell for cell in _CELLS if all(set(_LETTERS[letter]) & allowed for letter in cell.upper())]
    for column in range(len(UP_CARDS)):
        if all(one.actions[column] is None for one in played):
            cells.append(NO_SUCH_CARD)
            continue
        fitting = (
            cell
            for cell in usable
            if all(_first_allowed(cell, one.options) is one.actions[column] for one in played)
        )
        cell = next(fitting, None)
        if cell is None:
            return None
        cells.append(cell)
    return tuple(cells)
