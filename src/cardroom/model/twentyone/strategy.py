"""A strategy as a table, `action[state, column]`, and as a chart that people read and write (TOML or CSV).

`chart_rows` says what rows and cells mean. A pair that may not be split is played by the row of its total. Of
the rows that fit a hand the most special one holds.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import Card
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.core.toml_text import NotToml, read_toml
from cardroom.model.twentyone.automaton import NONE, NUMBER_OF, Automaton, Hand
from cardroom.model.twentyone.chart_rows import (
    FIELDS,
    LETTERS,
    NO_SUCH_CARD,
    UP_CARDS,
    UP_COLUMNS,
    Row,
    RowFinder,
    bonus_words,
    described,
    first_allowed,
    hand_words,
    wrong_number_of_cells,
)
from cardroom.model.twentyone.columns import BOTH_CARDS, UP_CARD, Columns, columns_of
from cardroom.model.twentyone.reach import hands_that_come
from cardroom.rules.twentyone.law import Action

__all__ = ["NO_SUCH_CARD", "UP_CARDS", "UP_COLUMNS", "Chart", "Row", "Strategy"]

_WHAT_A_CHART_IS: Final = (
    "a chart is CSV or TOML: a line # GAME NAME, a line hand,2,3,4,5,6,7,8,9,T,A and a row for each hand, "
    "as `cardroom strategy GAME --csv FILE` writes it"
)


@dataclass(frozen=True, eq=False)
class Strategy:
    """What to do with every hand against all that can be seen of the dealer's."""

    name: str
    automaton: Automaton
    action: NDArray[np.int8]
    """[state, column of `columns`]: the action's number in `ACTIONS`; NONE with nothing to decide.

    Where the dealer shows one card, its column is its value less 1."""

    @property
    def columns(self) -> Columns:
        """What is seen of the dealer's hand."""
        return columns_of(self.automaton.rules)

    def choose(self, state: int, seen: Card | Sequence[Card] | int) -> Action | None:
        """The action on a state against the dealer's card (or its value), or both where both are seen.

        None where nothing is to be decided.
        """
        columns = self.columns
        column = columns.place(seen) if isinstance(seen, int) else columns.place_of(seen)
        number = int(self.action[state, column])
        return None if number == NONE else tuple(Action)[number]

    def complete(self, shoe: CardCounts | None = None) -> Strategy:
        """The strategy with an action for every hand; refused where it says nothing of one that can come.

        A hand can come where the shoe has the cards and the strategy itself leads to it.
        """
        come = hands_that_come(self.automaton, self.action, shoe)
        silent = come & (self.automaton.may != 0)[:, None] & (self.action == NONE)
        if silent.any():
            column = int(silent.any(axis=0).argmax())
            state, up = int(silent[:, column].argmax()), self.columns.name(column)
            words = described(self.automaton, self.automaton.hands[state], state)
            raise MalformedInput(
                f"{words} against {up} is empty ({NO_SUCH_CARD}), but {up} can come; "
                "write what to do, such as H"
            )
        return self.completed(np.flatnonzero(come.any(axis=0)).tolist())

    def completed(self, columns: Iterable[int]) -> Strategy:
        """The strategy with an action for hands that no play comes to, as its own chart has it, or a stand.

        Such are three cards on a split ace that gets one: rules may say that they could be doubled.
        """
        silent = (self.automaton.may != 0)[:, None] & (self.action == NONE)
        silent &= np.isin(np.arange(len(self.columns)), list(columns))
        if not silent.any():
            return self
        action, rows = self.action.copy(), self.chart().rows_of_states(self.automaton)
        for state in np.flatnonzero(silent.any(axis=1)).tolist():
            row = rows.get(state)
            for column in np.flatnonzero(silent[state]).tolist():
                options = self.automaton.options(state, column)
                cell = NO_SUCH_CARD if row is None else row.cells[self.columns.places.index(column)]
                choice = options[0] if cell == NO_SUCH_CARD else first_allowed(cell, options)
                action[state, column] = NUMBER_OF[choice]
        return Strategy(self.name, self.automaton, action)

    def chart(self) -> Chart:
        """The strategy as a chart of as few rows as say it all."""
        return Chart(self.automaton.rules.game, self.name, tuple(_rows(self)), self.columns.names)


@dataclass(frozen=True, slots=True)
class Chart:
    """A strategy in the form in which it is printed; parses back from what it writes."""

    game: str
    name: str
    rows: tuple[Row, ...]
    columns: tuple[str, ...] = UP_CARDS
    """The cards, or pairs of cards, that the dealer may show."""

    def csv(self) -> str:
        """The chart as `strategy --csv` writes it."""
        out = io.StringIO()
        out.write(f"# {self.game} {self.name}\n")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([*FIELDS, *self.columns])
        for row in self.rows:
            writer.writerow([*row.fields().values(), *row.cells])
        return out.getvalue()

    def toml(self) -> str:
        """The chart as TOML, a `[[row]]` for each row."""
        lines = [f'game = "{self.game}"', f'name = "{self.name}"', f'up_cards = "{" ".join(self.columns)}"']
        for row in self.rows:
            lines += ["", "[[row]]"]
            lines += [f'{name} = "{value}"' for name, value in row.fields().items() if value]
            lines.append(f'cells = "{" ".join(row.cells)}"')
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> Chart:
        """Read a chart, CSV or TOML."""
        text = text.lstrip("\ufeff")
        if not text.strip():
            raise MalformedInput(f"the chart is empty; {_WHAT_A_CHART_IS}")
        return _from_csv(text) if text.lstrip().startswith(("#", "hand,")) else _from_toml(text)

    def strategy(self, automaton: Automaton, shoe: CardCounts | None = None) -> Strategy:
        """The table of the chart for a house's rules; refused where it is silent on a hand or asks too much.

        It need not speak of hands that cannot come from the shoe, the full one unless it is given. A cell
        may be left to `-`; `Strategy.complete` knows which up cards come.
        """
        if self.game != automaton.rules.game:
            raise MalformedInput(f"the chart is for {self.game}, not for {automaton.rules.game}")
        columns = columns_of(automaton.rules)
        if self.columns != columns.names:
            raise MalformedInput(
                f"the chart has columns for {' '.join(self.columns)}; by these rules they are "
                f"{' '.join(columns.names)}"
            )
        finder = RowFinder(self.rows, automaton)
        possible: dict[Row, set[Action]] = {}
        decided: dict[int, tuple[Hand, Row, list[int]]] = {}
        unsaid: dict[int, Hand] = {}
        action = np.full((len(automaton.hands), len(columns)), NONE, np.int8)
        for hand, state in automaton.numbered.items():
            options = automaton.options(state)
            if not options or hand.cards < 2:
                continue
            row = finder.row_or_stand(hand, state)
            if row is None:
                unsaid.setdefault(state, hand)
                continue
            possible.setdefault(row, set()).update(options)
            chosen = [
                NONE
                if cell == NO_SUCH_CARD
                else NUMBER_OF[first_allowed(cell, automaton.options(state, column))]
                for cell, column in zip(row.cells, columns.places, strict=True)
            ]
            before = decided.setdefault(state, (hand, row, chosen))
            if before[2] != chosen:
                raise MalformedInput(_cannot_be_told_apart(automaton, state, before[:2], (hand, row)))
            action[state, list(columns.places)] = chosen
        for row, actions in possible.items():
            row.refuse_impossible(actions, columns.names)
        if missing := sorted(unsaid.keys() - decided.keys()):
            come = hands_that_come(automaton, action, shoe)
            for state in missing:
                if come[state].any():
                    words = described(automaton, unsaid[state], state)
                    raise MalformedInput(f"the chart says nothing of {words}")
        return Strategy(self.name, automaton, action)

    def rows_of_states(self, automaton: Automaton) -> dict[int, Row]:
        """The row that decides each state; a 21 that no row names is in none."""
        finder = RowFinder(self.rows, automaton)
        rows = {
            state: finder.row(hand, state)
            for hand, state in automaton.numbered.items()
            if automaton.options(state) and hand.cards >= 2 and hand == automaton.hands[state]
        }
        return {state: row for state, row in rows.items() if row is not None}


def _cannot_be_told_apart(
    automaton: Automaton, state: int, one: tuple[Hand, Row], other: tuple[Hand, Row]
) -> str:
    """Two rows that play hands differently which have the same options and wins from here on."""
    places = [
        f"{described(automaton, hand, state)} of {hand.cards} cards{' after a split' * hand.from_split} "
        f"({' '.join(row.cells)})"
        for hand, row in (one, other)
    ]
    return f"by these rules {places[0]} and {places[1]} are one and the same hand; give both the same cells"


def _from_csv(text: str) -> Chart:
    lines = text.splitlines()
    comments = [line[1:].split() for line in lines if line.startswith("#")]
    if not comments or not comments[0]:
        raise MalformedInput("a chart starts with a line that names its game: # blackjack NAME")
    game, name = comments[0][0], " ".join(comments[0][1:]) or "chart"
    table = list(csv.reader(line for line in lines if line.strip() and not line.startswith("#")))
    if len(table) < 2:  # the names of the columns alone
        raise MalformedInput(f"the chart has no rows; {_WHAT_A_CHART_IS}")
    header = [column.strip() for column in table[0]]
    columns = _columns_named([column for column in header if column not in FIELDS])
    if "hand" not in header or columns is None:
        raise MalformedInput(f"the first line of a chart names its columns: hand, then {', '.join(UP_CARDS)}")
    rows = []
    for line in table[1:]:
        extra = sum(map(bool, map(str.strip, line[len(header) :])))
        if extra:
            raise wrong_number_of_cells(line[header.index("hand")], len(columns) + extra, columns)
        values = dict(zip(header, (value.strip() for value in line), strict=False))
        cells = {_column_name(key, columns): values.get(key, "") for key in header}
        fields = {name: values.get(name, "") for name in FIELDS}
        rows.append(Row(cells=tuple(cells[column] for column in columns), **fields))
    return Chart(game, name, tuple(rows), columns)


def _columns_named(names: Sequence[str]) -> tuple[str, ...] | None:
    """The columns that a chart names, in their own order; None where they are no such."""
    for columns in (UP_CARD.names, BOTH_CARDS.names):
        if sorted(_column_name(name, columns) for name in names) == sorted(columns):
            return columns
    return None


def _column_name(text: str, columns: Sequence[str]) -> str:
    """A column as it is named here: a ten may be written 10 where no total is meant."""
    name = text.upper()
    return "T" if name == "10" and name not in columns else name


def _from_toml(text: str) -> Chart:
    try:
        tree = read_toml(text)
    except NotToml as error:
        raise MalformedInput(f"the chart is neither CSV nor valid TOML: {error.message}") from None
    rows = tree.get("row")
    if (
        not isinstance(tree.get("game"), str)
        or not isinstance(rows, list)
        or not all(isinstance(row, dict) for row in rows)
    ):
        raise MalformedInput('a chart in TOML has game = "…" and a [[row]] for each row')
    names = str(tree.get("up_cards", " ".join(UP_CARDS))).split()
    columns = _columns_named(names)
    if columns is None:
        raise MalformedInput(f"up_cards are {' '.join(UP_CARDS)}")
    ups = [_column_name(name, columns) for name in names]
    made = tuple(_toml_row(row, ups, columns) for row in rows)
    return Chart(tree["game"], str(tree.get("name", "chart")), made, columns)


def _toml_row(row: Mapping[str, object], ups: Sequence[str], columns: Sequence[str]) -> Row:
    unknown = [key for key in row if key not in (*FIELDS, "cells")]
    if unknown or "hand" not in row:
        what = f"unknown key {unknown[0]!r}" if unknown else "no hand"
        raise MalformedInput(f"a row of the chart has {what}; keys are {', '.join(FIELDS)}, cells")
    cells = str(row.get("cells", "")).split()
    if len(cells) != len(ups):
        raise wrong_number_of_cells(str(row["hand"]), len(cells), columns)
    by_up = dict(zip(ups, cells, strict=True))
    fields = {name: str(row.get(name, "")) for name in FIELDS}
    return Row(cells=tuple(by_up[column] for column in columns), **fields)


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
        words = hand_words(automaton, hand, state)
        numbers = [int(strategy.action[state, column]) for column in strategy.columns.places]
        if all(number == NONE for number in numbers):
            continue
        key = (hand.doubles, words.startswith("pair"), hand.soft, hand.total, words)
        group = groups.setdefault(key, _Group(words, hand.doubles))
        actions = tuple(None if number == NONE else tuple(Action)[number] for number in numbers)
        group.played.append(_Played(hand, options, actions, bonus_words(automaton, hand)[1]))
    for key in sorted(groups):
        yield from _rows_of_group(groups[key])


def _rows_of_group(group: _Group) -> Iterable[Row]:
    plain = [played for played in group.played if not played.bonus] or group.played
    rows: list[Row] = list(_rows_by_split(group, plain))
    yield from rows
    for bonus in sorted({played.bonus for played in group.played if played.bonus}):
        some = [played for played in group.played if played.bonus == bonus]
        if all(_says(rows, played) for played in some):
            continue
        for row in _rows_by_split(group, some):
            yield Row(row.hand, row.cells, "", row.doubles, bonus, row.after_split)


def _says(rows: Sequence[Row], played: _Played) -> bool:
    """Whether rows without a bonus already say what a hand of two cards does."""
    after_split = "yes" if played.hand.from_split else "no"
    fitting = [row for row in rows if row.after_split in ("", after_split) and not row.cards]
    return bool(fitting) and all(
        action is None or first_allowed(cell, played.options) is action
        for cell, action in zip(fitting[-1].cells, played.actions, strict=True)
    )


def _rows_by_split(group: _Group, played: Sequence[_Played]) -> Iterable[Row]:
    together = list(_rows_by_cards(group, played, ""))
    apart: list[Row] = []
    for after_split in ("no", "yes"):
        some = [one for one in played if one.hand.from_split == (after_split == "yes")]
        rows = list(_rows_by_cards(group, some, after_split))
        if some and not rows:
            # What a summary plays on a split ace and not on other hands no row says: it is as most do.
            yield from together or _rows_by_cards(group, played, "", _cells_of_most)
            return
        apart += rows
    cut = any(row.cards for row in together)
    yield from (apart if not together or (cut and len(apart) <= max(len(together), 2)) else together)


def _rows_by_cards(
    group: _Group,
    played: Sequence[_Played],
    after_split: str,
    otherwise: Callable[[Sequence[_Played]], tuple[str, ...] | None] = lambda _: None,
) -> Iterable[Row]:
    """Rows for growing numbers of cards, each as far as one row of cells fits; none where none fits."""
    rows: list[Row] = []
    counts = sorted({one.hand.cards for one in played})
    while counts:
        for last in range(len(counts), 0, -1):
            cells = _cells([one for one in played if one.hand.cards in counts[:last]])
            if cells is not None:
                break
        else:
            last, cells = 1, otherwise([one for one in played if one.hand.cards == counts[0]])
            if cells is None:
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


def _usable(played: Sequence[_Played]) -> list[str]:
    """Cells whose letters some of these hands may play."""
    allowed = {action for one in played for action in one.options}
    return [cell for cell in _CELLS if all(set(LETTERS[letter]) & allowed for letter in cell.upper())]


def _cells_of_most(played: Sequence[_Played]) -> tuple[str, ...]:
    """One cell for each up card that makes as many of these hands as may be act as they do."""
    cells = []
    usable = _usable(played)
    for column in range(len(played[0].actions)):
        acting = [one for one in played if one.actions[column] is not None]
        agreed = [
            sum(one.actions[column] is first_allowed(cell, one.options) for one in acting) for cell in usable
        ]
        cells.append(usable[agreed.index(max(agreed))] if acting else NO_SUCH_CARD)
    return tuple(cells)


def _cells(played: Sequence[_Played]) -> tuple[str, ...] | None:
    """One cell for each up card that makes every one of these hands act as it does, or None."""
    cells = []
    usable = _usable(played)
    for column in range(len(played[0].actions)):
        if all(one.actions[column] is None for one in played):
            cells.append(NO_SUCH_CARD)
            continue
        fitting = (
            cell
            for cell in usable
            if all(one.actions[column] in (None, first_allowed(cell, one.options)) for one in played)
        )
        cell = next(fitting, None)
        if cell is None:
            return None
        cells.append(cell)
    return tuple(cells)
