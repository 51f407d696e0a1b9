"""What the exact figures of Knockout 21 show: curves over the number of tickets, and findings in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final, get_args

from cardroom.core.errors import MalformedInput
from cardroom.exact.knockout21.chances import chances, chances_without_lucky_losers, chart_cells
from cardroom.exact.knockout21.draw_figures import Picture, picture
from cardroom.exact.knockout21.waiting import waiting
from cardroom.lab.few_tickets import tickets_to_break_even, without_minimum
from cardroom.lab.published.figures import PublishedFigure
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import percent
from cardroom.rules.knockout21 import WAGERS, Game1Hit, Knockout21Rules
from cardroom.rules.loader import load_rules_as

CURVE_TICKETS: Final = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 200, 300, 500, 1000, 2000)
"""Where the curves of a PAR sheet are drawn; all exact."""
_WAITING_TICKETS: Final = 200


def curve(rules: Knockout21Rules, tickets: Iterable[int] = CURVE_TICKETS) -> list[Picture]:
    """The picture of a draw for each of these numbers of tickets."""
    return [picture(rules, tickets=number) for number in tickets if number >= rules.draws.minimum_tickets]


def findings(rules: Knockout21Rules) -> Iterator[str]:
    """What the figures say, in sentences with their numbers."""
    free = without_minimum(rules)
    lone, ten, thousand = (picture(free, tickets=number) for number in (1, 10, 1000))
    fewest = tickets_to_break_even(rules)
    yield (
        "A lone ticket wins everything: it wins each hand or is its Lucky Loser (KO21-4.4), so it takes all "
        f"three prizes and returns {lone.return_to_player:g} times its price."
    )
    yield (
        f"Few tickets have the better of the house: ten return {percent(ten.return_to_player)} of their "
        f"price, and it takes {fewest} before the house keeps anything on average. The cause is Lucky Losers "
        "together with the least shares, which the house pays whatever the pool."
    )
    yield (
        "Two options mend it, and neither is the source's. "
        f"draws.minimum_tickets = {fewest} or more puts a draw off until it has that many tickets, which "
        "ends the advantage. prizes.pool_reserve = surplus does not end it, but lets what greatest shares "
        "and rounding leave of some draws pay for the least shares of others: with 1,000 tickets "
        f"{dollars(thousand.pools_left_cents)} a draw are left and {dollars(thousand.pools_added_cents)} "
        "are asked for."
    )
    yield (
        f"With 1,000 tickets the return is {percent(thousand.return_to_player)}; the house still loses in "
        f"{percent(thousand.liability.chance_above(thousand.sales_cents))} of draws, since all tickets face "
        "the same dealer and win together."
    )
    yield _finding_on_waiting(free)
    yield _finding_on_charts()
    yield _finding_on_readings(rules)


def _finding_on_waiting(rules: Knockout21Rules) -> str:
    worth = waiting(rules, tickets=_WAITING_TICKETS)
    cards, best = worth.first_cards(best=True)
    return (
        f"Waiting for good first cards in Game 2 is worth little: with {_WAITING_TICKETS} tickets the best "
        f"tenth of draws returns {percent(worth.return_of_best(0.1))} and the best cards of all, {cards}, "
        f"{percent(best)}, against {percent(worth.blind_return)} for every draw. All tickets have the same "
        "first cards, so what they win more often they share among more."
    )


def _finding_on_charts() -> str:
    cells = [*chart_cells(2), *chart_cells(3)]
    wrong = sum(not cell.is_best for cell in cells)
    ties = sorted({cell.row for cell in cells if cell.hit == cell.stand})
    return (
        f"Of the {len(cells)} cells of starting hand and first card on both charts, {wrong} advise the worse "
        f"choice; both choices are equal for {' and '.join(ties)} only."
    )


def _finding_on_readings(rules: Knockout21Rules) -> str:
    read = {reading: rules.model_copy(update={"game_1_hit": reading}) for reading in get_args(Game1Hit)}
    one_in = {reading: float(1 / chances(each)["game-1"]) for reading, each in read.items()}
    literal = float(1 / chances_without_lucky_losers(read["literal"])["game-1"])
    return (
        "Among many tickets, Game 1 read with an ace that keeps its value is won once in "
        f"{one_in['ace-keeps-value']:.2f} times, which the source prints as 1:10; read literally, once in "
        f"{one_in['literal']:.2f}. Read literally no ticket ends with a two-card 21, so a dealer's beats "
        "them all and makes Lucky Losers of everybody, however many play; without Lucky Losers it would be "
        f"once in {literal:.2f}."
    )


def computed(figure: PublishedFigure) -> Fraction:
    """Our value of a quantity that a published figure of Knockout 21 names."""
    rules = load_rules_as(Knockout21Rules, figure.game, dict(figure.changes))
    quantity, _, wager = figure.quantity.rpartition(" of ")
    if quantity == "one in" and wager in WAGERS:
        return 1 / chances(rules)[wager]
    raise MalformedInput(
        f"{figure.quantity!r} is not computed for {figure.game}; it has the 'one in' of {', '.join(WAGERS)}"
    )
