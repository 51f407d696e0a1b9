"""The options of insurance: whether it is offered, and the lines by which a dealer's blackjack is paid."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from pydantic import model_validator

from cardroom.core.cards import Card
from cardroom.rules.bets.insurance import InsuranceLine, lines_made, standard_names, standard_patterns
from cardroom.rules.explain import Misplaced
from cardroom.rules.options import OptionalOdds, Options, OptionWords, Subject, option


class Insurance(Options):
    """Insurance against a dealer's blackjack, with an ace up: the first line that the dealer's cards make.

    The house's own lines come first; behind them stand the two of every house, what a blackjack of one suit
    pays (`suited_pays`) and what any other pays (`pays`).
    """

    offered: bool = option(("insurance is offered with an ace up", "no insurance"), Subject("insurance"))
    lines: tuple[InsuranceLine, ...] = option(
        "lines of the house's own, before suited_pays and pays: {}", "21-1.28", absent=(), max_length=20
    )
    pays: OptionalOdds = option("insurance pays {}", Subject("insurance"))
    suited_pays: OptionalOdds = option(
        "insurance pays {} when the dealer's blackjack is of one suit",
        Subject("insurance_suited"),
        idle=lambda rules: rules.insurance.suited_pays in (None, rules.insurance.pays),
    )
    on_paid_blackjack: bool = option(
        (
            "a blackjack that was already paid may be insured",
            "a blackjack that was already paid is out of the round",
        ),
        Subject("paid_blackjack_insured"),
        idle=lambda rules: not rules.blackjack_always_wins,  # it is paid only after the look
    )
    even_money: bool = option(
        ("even money is offered on a blackjack that is not yet paid, against an ace", "no even money"),
        "BJ-2",
        idle=lambda rules: rules.blackjack_always_wins,  # it is paid before insurance is offered
    )

    @model_validator(mode="after")
    def _lines_apart(self) -> Insurance:
        known = {name: key for key, (name, _) in standard_patterns().items()}
        for place, line in enumerate(self.lines):
            at = f"insurance.lines.{place + 1} ({line.name})"
            if line.name in known:
                option_key = f"insurance.{known[line.name]}"
                words = f"every house has this line: say what it pays by {option_key}, or name it otherwise"
                raise Misplaced(f"{at}: {words}", ("lines", place, "name"), words)
            if line.name in [other.name for other in self.lines[:place]]:
                words = f"two lines are called {line.name!r}; give each a name of its own"
                raise Misplaced(f"{at}: {words}", ("lines", place, "name"), words)
            if words := line.wrong:
                raise Misplaced(f"{at}: {words}", ("lines", place, "when"), words)
        if self.offered and not self.paytable:
            words = "insurance.offered: it pays nothing; say what it pays by lines, suited_pays or pays"
            raise Misplaced(words, ("offered",))
        return self

    @cached_property
    def paytable(self) -> tuple[InsuranceLine, ...]:
        """The lines that are paid, of which the first that the dealer's cards make counts."""
        standard = [
            InsuranceLine(name=name, when=when, pays=odds)
            for key, (name, when) in standard_patterns().items()
            if (odds := getattr(self, key)) is not None
        ]
        return (*self.lines, *standard)

    @cached_property
    def _made(self) -> dict[tuple[Card, Card], InsuranceLine]:
        lines = self.paytable
        made = lines_made(tuple(line.when for line in lines))
        return {cards: lines[places[0]] for cards, places in made.items() if places}

    def line(self, up: Card, hole: Card) -> InsuranceLine | None:
        """The line that an ace up and a hole card are paid by; None where insurance is lost."""
        return self._made.get((up, hole))

    @cached_property
    def told_apart(self) -> tuple[InsuranceLine, ...]:
        """The lines as people are told: without those that never come, and without the suited one of every
        house where it pays what any other blackjack does."""
        come = {line.name for line in self._made.values()}
        lines = [line for line in self.paytable if line.name in come]
        suited, any_other = standard_names()
        both = {line.name: line.pays for line in lines if line.name in (suited, any_other)}
        alike = both.get(suited) == both.get(any_other)
        return tuple(line for line in lines if not (alike and line.name == suited))

    def line_in_figures(self, line: InsuranceLine) -> InsuranceLine:
        """The line under which figures count what a line is paid: itself, or the one that it is told as."""
        return line if line in self.told_apart else self.told_apart[-1]

    @property
    def looks_at_suits(self) -> bool:
        """Whether what it pays depends on suits."""
        return any(line.when.looks_at_suits for line in self.told_apart)

    def worded(self) -> Iterator[tuple[str, Any, OptionWords | None]]:
        """The house's own lines are said together, then what is left for the two of every house."""
        options = {option[0]: option for option in super().worded()}
        lines, suited = options.pop("lines"), options.pop("suited_pays")
        del options["pays"]
        yield options.pop("offered")
        names = {line.name for line in self.told_apart}
        suited_name, any_name = standard_names()
        if self.lines:
            own = ", ".join(f"{line.pays.words} for {line.name}" for line in self.lines)
            yield "lines", lines[1], OptionWords(f"insurance pays {own}", "21-1.28")
        if any_name in names:
            words = "insurance pays {}" + (" on any other blackjack of the dealer's" if self.lines else "")
            yield "pays", self.pays, OptionWords(words, Subject("insurance"))
        elif len(self._made) < len(lines_made(())):
            words = "on any other blackjack of the dealer's insurance is lost"
            yield "pays", self.pays, OptionWords(words, Subject("insurance"))
        if suited_name in names or not self.lines:
            yield suited
        yield from options.values()
