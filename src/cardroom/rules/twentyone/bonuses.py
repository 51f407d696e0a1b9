"""The options of bonus 21s, lines on the player's hand."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from pydantic import Field, model_serializer, model_validator

from cardroom.core.cards import Card, Suit
from cardroom.core.odds import Odds
from cardroom.rules.bets.bonus import (
    IN_ANY_ORDER,
    BonusLine,
    bonus_machine,
    paid_lines,
    standard_lines,
    state_of_hand,
)
from cardroom.rules.bets.trackers import Machine
from cardroom.rules.explain import Misplaced
from cardroom.rules.options import Options, OptionWords, Subject, option


class Bonus21(Options):
    """Bonus 21s: lines on the hand; no bonus is paid on a doubled hand, and on a blackjack only a line that
    asks for one (21-1.23)."""

    lines: tuple[BonusLine, ...] = Field(default_factory=standard_lines, max_length=40)
    """The standard ones, then the house's own, which alone are written in a rules file."""
    named_suit: Literal["clubs", "diamonds", "hearts", "spades"] = option(
        "the named suit is {}",
        Subject("bonus_21"),
        idle=lambda rules: not any(name.endswith("_named") for name in rules.bonus_21.paid),
    )
    on_split_hands: bool = option(
        ("bonus 21s are paid on split hands", "bonus 21s are not paid on split hands"),
        Subject("bonus_21_split"),
        idle=lambda rules: not rules.bonus_21.rates or rules.split.max_hands == 1,
    )
    win_at_once: bool = option(
        (
            "a 21 that earns a bonus is paid at once and always wins",
            "a 21 that earns a bonus is compared like any other 21",
        ),
        "21-1.24",
        absent=False,
        idle=lambda rules: not rules.bonus_21.rates or rules.player_21_always_wins,
    )

    @model_validator(mode="before")
    @classmethod
    def _rates_by_line(cls, value: object) -> object:
        """The rate of a line may stand beside the lines, under its id: `five_cards = "3:2"`."""
        if not isinstance(value, Mapping):
            return value
        tree = dict(value)
        own = tree.get("lines", ())
        if not isinstance(own, list | tuple):
            words = "lines is a list of bonuses, each a group of the options name, when, pays, words"
            raise Misplaced(f"bonus_21.lines: {words}", ("lines",), words)
        lines = [*(line.tree for line in standard_lines()), *own]
        tree["lines"] = [_with_rate(line, tree, cls.model_fields) for line in lines]
        return tree

    @model_validator(mode="after")
    def _lines_apart(self) -> Bonus21:
        ids = [line.id for line in self.lines]
        standard = len(standard_lines())
        for place, line in enumerate(self.lines[standard:]):
            at = f"bonus_21.lines.{place + 1} ({line.name})"
            if line.id in ids[: standard + place] or line.id in type(self).model_fields:
                words = f"a line cannot be called {line.name!r} here"
                raise Misplaced(f"{at}: {words}", ("lines", place), words)
            if line.when.cares_for_places:
                words = f"a bonus is for the player's whole hand, {IN_ANY_ORDER}"
                raise Misplaced(f"{at}: {words}", ("lines", place, "when"), words)
        return self

    @model_serializer(mode="wrap")
    def _by_line(self, handler: Any) -> dict[str, Any]:
        """The rates by the ids of the lines, and the lines that are the house's own."""
        tree: dict[str, Any] = handler(self)
        own = tree.pop("lines")[len(standard_lines()) :]
        written = [{key: part for key, part in line.items() if key != "pays"} for line in own]
        rates = {line.id: "none" if line.pays is None else str(line.pays) for line in self.lines}
        return {**rates, **tree, **({"lines": written} if written else {})}

    def canonical(self) -> dict[str, Any]:
        return self.without_absent(self.model_dump(mode="json"))

    def worded(self) -> Iterator[tuple[str, Any, OptionWords | None]]:
        for line in self.lines:
            yield line.id, line.pays, OptionWords(line.saying, Subject("bonus_21"))
        yield from (option for option in super().worded() if option[0] != "lines")

    @property
    def suit(self) -> Suit:
        return Suit[self.named_suit.upper()]

    @property
    def paid(self) -> tuple[str, ...]:
        """The bonuses that this house pays, by name."""
        return tuple(line.id for line in self.lines if line.pays is not None)

    def rate(self, name: str) -> Odds | None:
        """What a line is paid; None where this house does not pay it."""
        return next(line.pays for line in self.lines if line.id == name)

    @property
    def rates(self) -> tuple[Odds, ...]:
        """Every rate that this house pays."""
        return tuple(line.pays for line in self.lines if line.pays is not None)

    @cached_property
    def machine(self) -> Machine:
        """The trackers of all its lines."""
        return bonus_machine(self.lines, self.named_suit)

    def earned(self, cards: Sequence[Card], *, blackjack: bool) -> list[tuple[str, Odds]]:
        """The lines that the cards of a 21, or of a blackjack, make and the house pays."""
        made = paid_lines(self.machine, self.lines, state_of_hand(self.machine, cards))
        line_ids = {line.id for line in self.lines if line.for_blackjack is blackjack}
        return [(name, odds) for name, odds in made if name in line_ids]


def _with_rate(line: object, tree: dict[str, Any], options: Container[str]) -> object:
    if not isinstance(line, Mapping) or not isinstance(name := line.get("name"), str):
        return line
    key = name.replace(" ", "_")
    return {**line, "pays": tree.pop(key)} if key in tree and key not in options else line
