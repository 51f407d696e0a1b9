"""The game conditions of Knockout 21 in force: what a buyer must know, on one page and on a ticket's back."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Final

from cardroom.presentation.house_rules import Sentence, Subject
from cardroom.presentation.knockout21.game_1 import game_1_sentence
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted
from cardroom.rules.knockout21 import POSITIONS, Knockout21Rules
from cardroom.rules.knockout21.law import ACE, GAME_2_CHART, GAME_3_CHART, VALUES

ADVICE: Final = "The advice of the charts wins most hands in the long run; it is no guarantee of a prize."
SOURCE: Final = "the game conditions for Knockout 21 of the British Columbia Lottery Corporation"
_CHOICES: Final = {"H": "hit", "S": "stand"}
_SHORT_HASH: Final = 16


def played_under(rules: Knockout21Rules) -> str:
    """Under which rules and regulations the game is played."""
    return (
        f"{rules.title} is played under the house rules of version {rules.rules_hash[:_SHORT_HASH]} and "
        f"these game conditions, which follow {SOURCE}."
    )


def conditions(rules: Knockout21Rules) -> tuple[Subject, ...]:
    """The conditions, subject by subject, each sentence with its clause."""
    return tuple(
        Subject(title, tuple(Sentence(words, clause) for words, clause in sentences))
        for title, sentences in (
            ("Hours", _hours(rules)),
            ("The ticket", _ticket(rules)),
            ("Winning a hand", _WINNING),
            ("Hit and stand", _hit_and_stand(rules)),
            ("Prizes", _prizes(rules)),
            ("Where the rules come from", ((played_under(rules), ""),)),
        )
    )


_Sentences = tuple[tuple[str, str], ...]

_WINNING: Final[_Sentences] = (
    ("Beat or tie the dealer and you stay in the game; lose or bust and you are out of it.", "KO21-4.1"),
    ("A dealer's two-card 21 beats a 21 of three cards; every other tie is yours.", "KO21-4.2"),
    ("When the dealer busts, everybody in the hand who did not bust wins it.", "KO21-4.3"),
    ("Lucky Losers: when nobody wins or ties a hand, all who were in it are deemed to have won.", "KO21-4.4"),
    ("Being out of one game changes nothing in the next: a ticket plays all three.", "KO21-4.5"),
)


def _hours(rules: Knockout21Rules) -> _Sentences:
    sales, draws = rules.sales, rules.draws
    where = rules.timezone.rpartition("/")[2].replace("_", " ")
    times = f"the first at {draws.first} and the last at about {draws.last}"
    return (
        (f"Tickets are sold from {sales.opens} to {sales.closes} every day, {where} time.", "KO21-2.4"),
        (f"Draws are {counted(draws.interval_minutes, 'minute')} apart, {times}.", "KO21-3.1"),
        (f"Sales of a draw close {counted(sales.close_seconds, 'second')} before it.", "KO21-3.1"),
    )


def _ticket(rules: Knockout21Rules) -> _Sentences:
    sales, price = rules.sales, dollars(rules.ticket_price_cents)
    return (
        (f"A ticket costs {price} for one draw and has {counted(POSITIONS, 'hand')}.", "KO21-2.1"),
        ("Its choices may be altered once, before sales of its draw close.", "KO21-2.7"),
        (
            f"An advance ticket for the next draw day may be altered until {sales.next_day_altered_until}.",
            "KO21-2.9",
        ),
        ("A ticket cannot be cancelled.", "KO21-2.10"),
    )


def _hit_and_stand(rules: Knockout21Rules) -> _Sentences:
    return (
        (game_1_sentence(rules.game_1_hit), "KO21-5.1"),
        (f"Game 2, by the dealer's first card: {'; '.join(chart_lines(GAME_2_CHART))}.", "KO21-5.2"),
        (f"Game 3: {'; '.join(chart_lines(GAME_3_CHART))}.", "KO21-5.3"),
        (ADVICE, "KO21-2.6"),
    )


def _prizes(rules: Knockout21Rules) -> _Sentences:
    prizes = rules.prizes
    two, three = (
        f"{dollars(int(shared.min))} to {dollars(int(shared.max))} each"
        for shared in (prizes.game_2, prizes.game_3)
    )
    years = "one year" if rules.claims.years == 1 else counted(rules.claims.years, "year")
    return (
        (f"Every winner of Game 1 wins {dollars(int(prizes.game_1))}.", "KO21-4.6"),
        (f"The winners of Game 2 share its pool: {two}. The winners of Game 3: {three}.", "KO21-4.6"),
        (f"A prize is claimed within {years} of its draw day, once, with the ticket.", "KO21-4.8"),
    )


# The charts.


def chart_columns() -> tuple[str, ...]:
    """The dealer's first cards, in the order of the Game 2 chart."""
    return tuple("A" if value == ACE else str(value) for value in VALUES)


def chart_grid(game: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """A chart by rows: the hand, and `hit` or `stand` for each of the dealer's first cards, or for all.

    >>> dict(chart_grid(3))["15"], dict(chart_grid(2))["16"][:3]
    (('hit',), ('hit', 'stand', 'stand'))
    """
    chart = GAME_2_CHART if game == 2 else GAME_3_CHART
    return tuple((row, tuple(_CHOICES[choice] for choice in cells)) for row, cells in chart.items())


def chart_lines(chart: Mapping[str, str]) -> list[str]:
    """A chart in words, rows that say the same together.

    >>> chart_lines(GAME_3_CHART)
    ['4 to 11 and A/A to A/6 hit', 'A/7 to A/9 stand', '12 to 15 hit', '16 to 21 stand']
    """
    return [
        f"{_rows_words(list(rows))} {_cells_words(cells)}"
        for cells, rows in groupby(chart, key=lambda row: chart[row])
    ]


def _rows_words(rows: list[str]) -> str:
    parts = []
    for _, some in groupby(rows, key=lambda row: row.startswith("A/")):
        members = list(some)
        parts.append(members[0] if len(members) == 1 else f"{members[0]} to {members[-1]}")
    return " and ".join(parts)


def _cells_words(cells: str) -> str:
    if len(set(cells)) == 1:
        return _CHOICES[cells[0]]
    rare, usual = sorted(sorted(set(cells), reverse=True), key=cells.count)  # of as many, stands are told
    columns = chart_columns()
    runs = []
    for choice, places in groupby(range(len(cells)), key=lambda place: cells[place]):
        if choice == rare:
            members = [columns[place] for place in places]
            runs.append(members[0] if len(members) == 1 else f"{members[0]} to {members[-1]}")
    return f"{_CHOICES[rare]} against {' and '.join(runs)}, else {_CHOICES[usual]}"
