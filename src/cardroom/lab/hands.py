"""One hand against an up card: what each action is worth."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import TYPE_CHECKING, Any, Final

from cardroom.core.cards import CARDS, SUIT_SYMBOLS, Card, Rank, Suit, parse_card, parse_rank
from cardroom.core.decks import CardCounts, DeckKind
from cardroom.core.errors import MalformedInput
from cardroom.exact.figures import Number, number_to_json
from cardroom.model.twentyone.columns import columns_of
from cardroom.presentation.totals import kind_of_total
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.rules.twentyone.law import Action

if TYPE_CHECKING:
    from cardroom.exact.twentyone import ExactSolution, Solution

_CARD: Final = re.compile(rf"(10|[A2-9TJQK])([cdhs{SUIT_SYMBOLS}]?)", re.IGNORECASE)
_MOST_WITH_SUITS: Final = 3
_SUITS: Final = {sign: suit for suit in Suit for sign in (suit.letter, suit.symbol)}
_TENS: Final = (Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING)


@dataclass(frozen=True, slots=True)
class HandValues:
    """What each action on a hand brings, best first, given that the dealer has no blackjack."""

    cards: str
    up_card: str
    values: tuple[tuple[Action, Number], ...]
    """Of each action; of none where nothing is to be decided."""
    expected_value: Number
    """Of the best action, or of the hand as it is."""
    averaged: bool
    """Over cards that were not given and matter: their suits, or which of the tens they are."""
    partly: tuple[Action, ...] = ()
    """Actions that only some of these cards may take; their values are of those."""

    def may_win_super_bonus(self, rules: TwentyOneRules) -> bool:
        """Whether three cards with these among them win it against the up card; a suit not given is any."""
        cards = [(parse_rank(rank), _SUITS.get(suit.lower())) for rank, suit in _CARD.findall(self.cards)]
        up = _CARD.match(self.up_card)
        return rules.super_bonus.offered and any(
            up is not None and parse_rank(up[1]) in ranks and _among(cards, held)
            for held, ranks in law.super_bonus_hands(rules).items()
        )

    def to_json(self) -> dict[str, Any]:
        best = self.expected_value
        return {
            "cards": self.cards,
            "up_card": self.up_card,
            "best": str(self.values[0][0]) if self.values else None,
            "expected_value": number_to_json(best),
            "actions": [
                {
                    "action": str(action),
                    "expected_value": number_to_json(value),
                    "cost": float(best) - float(value),
                }
                for action, value in self.values
            ],
            "averaged_over_suits": self.averaged,
            "not_with_all_cards": [str(action) for action in self.partly],
        }


def _among(cards: Sequence[tuple[Rank, Suit | None]], held: Sequence[Card]) -> bool:
    """Whether cards, some without a suit, may be some of those held."""
    return any(
        all(
            one.rank is rank and suit in (None, one.suit)
            for (rank, suit), one in zip(cards, order, strict=True)
        )
        for order in permutations(held, len(cards))
    )


def written_cards(cards: str) -> list[tuple[str, str]]:
    """Each card of a text by rank and suit, the suit empty where it was left open.

    >>> written_cards("10c 6♦ A")
    [('10', 'c'), ('6', '♦'), ('A', '')]
    """
    return [(match[1].upper(), match[2].lower()) for match in _CARD.finditer(cards)]


def shoe_without(shoe: CardCounts, removed: str) -> CardCounts:
    """A shoe without some cards, such as `TT5` or `7s`: a card without a suit is one of which most are left.

    >>> shoe_without(CardCounts.of_decks("standard", 1), "A A 5d").total
    49
    """
    left = list(shoe.counts)
    for match in _read_cards(removed):
        choices = _cards_of(match)
        card = max(choices, key=lambda card: left[card.index])
        if not left[card.index]:
            raise MalformedInput(f"there is no {match[0]} left in the shoe to be removed")
        left[card.index] -= 1
    return CardCounts(left)


def hand_values(solution: Solution | ExactSolution, cards: str, up_card: str) -> HandValues:
    """The values of a hand given as cards (`6c7d`) or ranks (`A7`), averaged over suits not given."""
    shoe = solution.solver.shoe.cards
    infinite = solution.solver.shoe.infinite
    rules = solution.rules
    held, up = (_choices(text, shoe, infinite, rules.deck) for text in (cards, up_card))
    seen = columns_of(rules).cards
    if len(up) != seen:
        what = "one card, the up card" if seen == 1 else "two cards, such as T6"
        raise MalformedInput(f"the dealer shows {what}; {up_card!r} was given")
    sums: dict[Action | None, tuple[int, Number]] = {}
    whole = 0
    several: set[tuple[Number, ...]] = set()
    for weight, some, against in _deals(held, up, shoe, infinite):
        worth: list[tuple[Action | None, Number]] = [*solution.action_values(some, against).items()]
        worth = worth or [(None, solution.ended_value(some, against))]
        several.add(tuple(value for _, value in worth))
        whole += weight
        for action, value in worth:
            before = sums.get(action, (0, 0))
            sums[action] = (before[0] + weight, before[1] + weight * value)
    if not whole:
        raise MalformedInput(f"{cards} against {up_card} cannot be dealt from this shoe")
    means = [(action, value / open_to) for action, (open_to, value) in sums.items()]
    ranked = sorted(means, key=lambda item: -item[1])
    decided = tuple((action, value) for action, value in ranked if action is not None)
    partly = tuple(action for action, _ in decided if sums[action][0] < whole)
    return HandValues(cards, up_card, decided, ranked[0][1], averaged=len(several) > 1, partly=partly)


def _read_hand(text: str) -> Iterator[re.Match[str]]:
    """The cards of a hand, with a comma between each two of them or with none: `34,5` is refused."""
    for part in text.split(","):
        cards = list(_read_cards(part))
        if "," in text and len(cards) != 1:
            raise MalformedInput(
                f"{text!r} has stray commas; write cards such as 6c7d, or 6c,7d with a comma between each two"
            )
        yield from cards


def _read_cards(text: str) -> Iterator[re.Match[str]]:
    for word in re.split(r"[\s,]+", text):
        yield from _cards_in(word)


def _cards_in(word: str) -> Iterator[re.Match[str]]:
    rest = word
    while rest:
        match = _CARD.match(rest)
        if match is None:
            raise MalformedInput(f"{rest[:8]!r} is not a card; write cards such as 6c7d, or ranks such as A7")
        rest = rest[match.end() :]
        yield match


def _cards_of(match: re.Match[str]) -> list[Card]:
    """The cards that something typed may be: `T` is any ten-valued card, and no suit is any suit."""
    rank = parse_rank(match[1])
    ranks = _TENS if rank is Rank.TEN and not match[2] else (rank,)
    return [parse_card(match[0])] if match[2] else [card for card in CARDS if card.rank in ranks]


def some_cards(solution: Solution, *texts: str) -> list[list[Card]]:
    """Real cards for each text; where no suit is written, suits that differ as far as they can."""
    shoe, infinite = solution.solver.shoe.cards, solution.solver.shoe.infinite
    left = list(shoe.counts)
    read = [_choices(text, shoe, infinite, solution.rules.deck) for text in texts]
    dealt: list[dict[int, Card]] = [{} for _ in texts]
    places = [(text, place) for text, all_choices in enumerate(read) for place in range(len(all_choices))]
    for text, place in sorted(places, key=lambda at: len(read[at[0]][at[1]])):  # those with a suit first
        suits = [card.suit for card in dealt[text].values()]
        card = max(read[text][place], key=lambda card: (left[card.index] > 0, -suits.count(card.suit)))
        left[card.index] -= 0 if infinite else 1
        dealt[text][place] = card
    return [[cards[place] for place in sorted(cards)] for cards in dealt]


def _choices(text: str, shoe: CardCounts, infinite: bool, deck: DeckKind) -> list[list[Card]]:  # noqa: FBT001
    """For each card of the text the cards it may be."""
    choices = []
    for match in _read_hand(text):
        cards = _cards_of(match)
        here = [card for card in cards if shoe[card]]
        if not here and deck == "spanish" and cards[0].rank is Rank.TEN:
            raise MalformedInput(
                f"there is no {match[0]}: a Spanish deck has no tens; "
                "write J, Q or K, or T without a suit for any of them"
            )
        if not here:
            raise MalformedInput(f"there is no {match[0]} in the shoe")
        choices.append(here)
    if not infinite:
        _check_counts(text, choices, shoe)
    return choices


def _check_counts(text: str, all_choices: Sequence[Sequence[Card]], shoe: CardCounts) -> None:
    """Refuse more cards than there are of those that they may be, such as five aces of one deck."""
    for choices in all_choices:
        wanted, there = all_choices.count(choices), sum(shoe[card] for card in choices)
        if wanted > there:
            name = str(choices[0]) if len(choices) == 1 else f"value {choices[0].value}"
            raise MalformedInput(f"{text} holds {wanted} cards of {name}; the shoe has {there}")


def _deals(
    held: Sequence[Sequence[Card]],
    dealer: Sequence[Sequence[Card]],
    shoe: CardCounts,
    infinite: bool,  # noqa: FBT001
) -> Iterator[tuple[int, list[Card], list[Card]]]:
    """Real cards for the hand and the dealer, with weights: all suits of two or three cards, any of more.

    Of a hand of more cards the suits do not matter: no bonus looks at them.
    """
    if len(held) <= _MOST_WITH_SUITS:
        for cards in product(*held):
            left = list(shoe.counts)
            weight = 1
            for card in cards:
                weight *= left[card.index]
                left[card.index] -= 0 if infinite else 1
            against = []
            for choices in dealer:
                card = max(choices, key=lambda card: left[card.index])
                weight *= left[card.index] > 0
                left[card.index] -= 0 if infinite else 1
                against.append(card)
            if weight > 0:
                yield weight, list(cards), against
        return
    left = list(shoe.counts)
    dealt: list[Card] = []
    for choices in (*held, *dealer):
        card = max(choices, key=lambda card: left[card.index])
        left[card.index] -= 0 if infinite else 1
        if left[card.index] < 0:
            return
        dealt.append(card)
    yield 1, dealt[: len(held)], dealt[len(held) :]


def total_words(cards: str) -> str:
    """`soft 18`, `hard 16`; of ranks with or without suits."""
    return kind_of_total([parse_card(f"{match[1]}c") for match in _CARD.finditer(cards)])
