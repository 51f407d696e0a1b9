"""The lines of the Super Bonus: which first three cards of a player win it, and against which up cards.

They are data of the same kind as the lines of a side bet. What is won is a sum by the size of the wager, the
same for all lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from typing import Final

from pydantic import Field, field_validator

from cardroom.core.cards import Card, Rank
from cardroom.core.decks import DECKS, DeckKind
from cardroom.rules.bets.bonus import file_of_bonuses, state_of_hand
from cardroom.rules.bets.lines import LineName
from cardroom.rules.bets.patterns import NAMED, Part, Pattern, RankName
from cardroom.rules.bets.trackers import Machine, machine_of

CARDS_OF_IT: Final = 3
"""It is won with the third card of a hand, or not at all."""
_THREE_NOT_BUST: Final = Pattern.model_validate({"number": CARDS_OF_IT, "total": {"max": 21}})
_LOWEST, _HIGHEST = Rank.TWO, Rank.NINE


class SuperLine(Part):
    """A line of the Super Bonus: its name, the pattern of the player's three cards, the up card's ranks."""

    name: LineName
    when: Pattern
    against: tuple[RankName, ...] = Field(min_length=1, max_length=8)

    @field_validator("against")
    @classmethod
    def _no_blackjack_under_it(cls, ranks: tuple[Rank, ...]) -> tuple[Rank, ...]:
        if wrong := [rank for rank in ranks if not _LOWEST <= rank <= _HIGHEST]:
            raise ValueError(
                f"the Super Bonus is against up cards from 2 to 9, not {wrong[0].letter}: under an ace or a "
                "ten-valued card the dealer may have a blackjack, and no third card is dealt"
            )
        return tuple(dict.fromkeys(ranks))

    @property
    def said(self) -> str:
        """The cards in words.

        >>> standard_super_lines()[0].said
        'a suited 7-7-7 against a 7'
        """
        return f"{with_article(self.name)} against {self.against_words}"

    @property
    def against_words(self) -> str:
        """The up cards in words: `a 6, a 7 or an 8`."""
        *others, last = (with_article(rank.letter) for rank in self.against)
        return f"{', '.join(others)} or {last}" if others else last


def with_article(words: str) -> str:
    """A name or a rank with its article: `a 7`, `an 8`."""
    return f"{'an' if words[0] in 'AEIOUaeio8' else 'a'} {words}"


@cache
def standard_super_lines() -> tuple[SuperLine, ...]:
    """The line that houses with a Super Bonus have unless they have others (PE21-13)."""
    return tuple(SuperLine.model_validate(line) for line in file_of_bonuses()["super_bonus"])


@lru_cache(maxsize=64)
def super_machine(lines: tuple[SuperLine, ...], named_suit: str) -> Machine:
    """The machine of a player's hand that knows which lines its three cards make."""
    patterns = (Pattern(all=(line.when.with_suit(NAMED, named_suit), _THREE_NOT_BUST)) for line in lines)
    return machine_of(("player_hand",), tuple(patterns))


def winning_up_cards(lines: Sequence[SuperLine], machine: Machine, state: int) -> frozenset[Rank]:
    """The ranks of up cards against which a hand in a state of the machine wins."""
    return frozenset(rank for place in machine.holding(state) for rank in lines[place].against)


@lru_cache(maxsize=64)
def winning_hands(
    lines: tuple[SuperLine, ...], named_suit: str, deck: DeckKind
) -> dict[tuple[Card, ...], frozenset[Rank]]:
    """Every three cards of a deck that win, in the order of the cards, with the up cards that they beat."""
    machine = super_machine(lines, named_suit)
    up_cards: dict[tuple[Card, ...], frozenset[Rank]] = {}
    for cards in combinations_with_replacement(DECKS[deck], CARDS_OF_IT):
        if ranks := winning_up_cards(lines, machine, state_of_hand(machine, cards)):
            up_cards[cards] = ranks
    return up_cards
