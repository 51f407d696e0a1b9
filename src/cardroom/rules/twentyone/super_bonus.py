"""The options of the Super Bonus: a sum that the house pays for three cards against an up card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import model_validator

from cardroom.rules.bets.bonus import IN_ANY_ORDER
from cardroom.rules.bets.super_bonus import SuperLine, standard_super_lines
from cardroom.rules.explain import Misplaced
from cardroom.rules.options import Dollars, Options, OptionWords, Subject, option


class SuperBonus(Options):
    """A sum for the player's first three cards against an up card, on a hand neither split nor doubled; the
    cards are lines of patterns."""

    offered: bool = option(
        ("the cards of its lines win the Super Bonus", "no Super Bonus"), Subject("super_bonus")
    )
    lines: tuple[SuperLine, ...] = option(
        "the Super Bonus is won by {}",
        Subject("super_bonus"),
        absent=standard_super_lines(),
        min_length=1,
        max_length=20,
    )
    small_pays: Dollars = option("the Super Bonus is {} on a smaller wager", Subject("super_bonus"))
    large_from: Dollars = option("a larger wager starts at {}", Subject("super_bonus"))
    large_pays: Dollars = option("the Super Bonus is {} on a larger wager", Subject("super_bonus"))
    envy: Dollars = option("every other betting player gets {}", "PE21-13.1")

    @model_validator(mode="after")
    def _on_whole_hands(self) -> SuperBonus:
        for place, line in enumerate(self.lines):
            if line.when.cares_for_places:
                words = f"the Super Bonus is for a player's hand of three cards, {IN_ANY_ORDER}"
                at = f"super_bonus.lines.{place + 1} ({line.name})"
                raise Misplaced(f"{at}: {words}", ("lines", place, "when"), words)
        return self

    def worded(self) -> Iterator[tuple[str, Any, OptionWords | None]]:
        """The cards are said where it is said that they win."""
        wins = f"{self.said} wins the Super Bonus", "no Super Bonus"
        for name, value, words in super().worded():
            if name == "offered":
                yield name, value, OptionWords(wins, Subject("super_bonus"))
            elif name != "lines":
                yield name, value, words

    @property
    def said(self) -> str:
        """The cards that win it in words: `a suited 7-7-7 against a 7`."""
        return ", or ".join(line.said for line in self.lines)

    def pays_on(self, wager_cents: int) -> int:
        """What it pays on a wager of that size, in cents."""
        return int(self.large_pays if wager_cents >= self.large_from else self.small_pays)
