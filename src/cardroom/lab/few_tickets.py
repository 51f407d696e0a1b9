"""Draws of Knockout 21 with few tickets: from how many the house keeps anything, and what a minimum changes.

>>> from cardroom.rules.loader import load_rules_as
>>> few = few_tickets(load_rules_as(Knockout21Rules, "knockout-21"))
>>> few.least_tickets, few.minimum_tickets
(18, 0)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from cardroom.core.errors import MalformedInput
from cardroom.exact.knockout21.draw_figures import expected_house_cents, picture
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted, percent
from cardroom.rules.knockout21 import Knockout21Rules

_MOST_TO_BREAK_EVEN: Final = 200
_SHOWN: Final = (1, 2, 3, 5, 10, 50, 100, 1000)


@dataclass(frozen=True, slots=True)
class FewDraw:
    """A draw with a number of tickets, as if it were held."""

    tickets: int
    return_to_player: float
    house_cents: float
    """What the house keeps on average; below zero it pays more than was sold."""
    loses_chance: float
    """How often the draw pays more than was sold."""

    def to_json(self) -> dict[str, Any]:
        return {
            "tickets": self.tickets,
            "return_to_player": self.return_to_player,
            "house_expected": self.house_cents / 100,
            "loses_chance": self.loses_chance,
        }


@dataclass(frozen=True, slots=True)
class FewTickets:
    """The house's side of draws with few tickets."""

    least_tickets: int
    """From so many tickets on the house keeps something of a draw on average."""
    minimum_tickets: int
    """The minimum in force (`draws.minimum_tickets`); 0 is none."""
    worst: FewDraw | None
    """The draw in which the house is expected to lose most, where there is one."""
    draws: tuple[FewDraw, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """What this says to the house."""
        if self.worst is None:
            return ("The house is expected to keep something of a draw however few tickets are in it.",)
        loss = f"{counted(self.worst.tickets, 'ticket')}, {dollars(-self.worst.house_cents)} a draw"
        few = (
            f"From {self.least_tickets} tickets on the house is expected to keep something of a draw. With "
            "fewer it is expected to pay more than was sold, since Lucky Losers win and least shares are "
            f"paid whatever the pool; most with {loss}."
        )
        return (few, self._on_the_minimum)

    @property
    def _on_the_minimum(self) -> str:
        least, minimum = self.least_tickets, self.minimum_tickets
        put_off = (
            "a draw with fewer is put off to the next draw time, and its sales go on until then (KO21-3.2)"
        )
        if minimum == 0:
            return (
                "No minimum is in force (draws.minimum_tickets = 0), as the source has none: a draw is held "
                f"however few tickets are in it. With a minimum of {least}, {put_off}. The house would then "
                "expect to lose in no draw, and nothing would change for draws with more tickets."
            )
        in_force = f"The minimum in force is {counted(minimum, 'ticket')}: {put_off}."
        if minimum < least:
            return (
                f"{in_force} Draws with {minimum} to {least - 1} are held, and the house is expected to lose "
                f"in them; it would take a minimum of {least} to end that."
            )
        return (
            f"{in_force} In no draw that is held is the house expected to lose. Without a minimum, as the "
            "source has it, it would be."
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "least_tickets": self.least_tickets,
            "minimum_tickets": self.minimum_tickets,
            "worst": None if self.worst is None else self.worst.to_json(),
            "draws": [draw.to_json() for draw in self.draws],
            "sentences": list(self.sentences),
        }


def few_tickets(rules: Knockout21Rules) -> FewTickets:
    """What draws with few tickets bring the house; the minimum in force is named, and left out of figures."""
    house = without_minimum(rules)
    least, worst = _break_even(house)
    shown = sorted({*_SHOWN, least, *([least - 1] if least > 1 else []), *([worst] if worst else [])})
    draws = {tickets: _draw(house, tickets) for tickets in shown}
    return FewTickets(
        least, rules.draws.minimum_tickets, draws[worst] if worst else None, tuple(draws.values())
    )


MOST_TICKETS_SO_FAR: Final = 20_000
"""Draws with more tickets are not worked out while sales go on."""


@dataclass(frozen=True, slots=True)
class DrawSoFar:
    """What a draw is expected to bring if it were held with the tickets sold so far, all by the charts."""

    tickets: int
    sales_cents: int
    return_to_player: float
    prizes_cents: float
    """What its prizes come to on average: the house's liability."""
    high_prizes_cents: int
    """An amount that its prizes stay at or below in 99 of 100 such draws."""
    most_prizes_cents: int
    loses_chance: float

    @property
    def house_cents(self) -> float:
        return self.sales_cents - self.prizes_cents

    @property
    def house_loses(self) -> bool:
        """Whether the house is expected to pay more than was sold."""
        return self.house_cents < 0

    @property
    def sentence(self) -> str:
        """What is expected, and a warning where the house is expected to lose."""
        sold = f"With {counted(self.tickets, 'ticket')} so far"
        if self.house_loses:
            return (
                f"{sold} the house is expected to lose {dollars(-self.house_cents)} on this draw: prizes "
                f"come to {dollars(self.prizes_cents)} on average, and {dollars(self.sales_cents)} was sold."
            )
        return (
            f"{sold} the house is expected to keep {dollars(self.house_cents)} of "
            f"{dollars(self.sales_cents)}; it loses on {percent(self.loses_chance, 2)} of such draws."
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "tickets": self.tickets,
            "sales_cents": self.sales_cents,
            "return_to_player": self.return_to_player,
            "prizes_cents": self.prizes_cents,
            "high_prizes_cents": self.high_prizes_cents,
            "most_prizes_cents": self.most_prizes_cents,
            "house_cents": self.house_cents,
            "loses_chance": self.loses_chance,
            "house_loses": self.house_loses,
            "sentence": self.sentence,
        }


def draw_so_far(rules: Knockout21Rules, tickets: int) -> DrawSoFar:
    """A draw at the tickets sold so far, as if it were held with them.

    >>> from cardroom.rules.loader import load_rules_as
    >>> one = draw_so_far(load_rules_as(Knockout21Rules, "knockout-21"), 1)
    >>> one.sales_cents, round(one.prizes_cents), one.house_loses
    (500, 4500, True)
    """
    whole = picture(without_minimum(rules), tickets=tickets)
    return DrawSoFar(
        tickets,
        whole.sales_cents,
        whole.return_to_player,
        whole.sales_cents - whole.house_cents,
        whole.liability.quantile_cents(0.99),
        whole.liability.most_cents,
        whole.liability.chance_above(whole.sales_cents),
    )


def tickets_to_break_even(rules: Knockout21Rules) -> int:
    """The fewest tickets from which on the house keeps something of a draw on average."""
    return _break_even(without_minimum(rules))[0]


def without_minimum(rules: Knockout21Rules) -> Knockout21Rules:
    """The same rules, with draws held however few tickets are in them."""
    return rules.model_copy(update={"draws": rules.draws.model_copy(update={"minimum_tickets": 0})})


def _break_even(rules: Knockout21Rules) -> tuple[int, int | None]:
    """From how many tickets on the house keeps something, and with how many it loses most, if ever."""
    kept = {tickets: expected_house_cents(rules, tickets) for tickets in range(1, _MOST_TO_BREAK_EVEN + 1)}
    losing = [tickets for tickets, cents in kept.items() if cents < 0]
    if losing and losing[-1] == _MOST_TO_BREAK_EVEN:
        raise MalformedInput(f"by these rules the house loses with {_MOST_TO_BREAK_EVEN} tickets, too")
    return (losing[-1] + 1, min(losing, key=kept.__getitem__)) if losing else (1, None)


def _draw(rules: Knockout21Rules, tickets: int) -> FewDraw:
    whole = picture(rules, tickets=tickets)
    loses = whole.liability.chance_above(whole.sales_cents)
    return FewDraw(tickets, whole.return_to_player, whole.house_cents, loses)
