"""A second method for the infinite deck: a plain recursion over cards, asking the law of every hand."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import pytest

from cardroom.core.cards import CARDS, Card
from cardroom.core.decks import DECKS
from cardroom.exact.twentyone import solve
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.rules.twentyone.law import Action, HandFacts, Outcome
from tests.twentyone import house

Cards = tuple[Card, ...]
MANY = 8
"""From so many cards on no bonus asks for their number."""


class InfiniteDeck:
    """The best game with infinitely many decks; hands are forgotten down to what the law may still ask."""

    def __init__(self, rules: TwentyOneRules) -> None:
        self.rules = rules
        deck = DECKS[rules.deck]
        # Suits matter in 6-7-8 and 7-7-7 only (S21-4, PE21-14), ranks of ten-valued cards never.
        suited = (6, 7, 8) if rules.bonus_21.rates else ()

        def alike(card: Card) -> object:
            return card.text if card.value in suited else card.value

        self.deck = [
            (
                next(card for card in deck if alike(card) == kind),
                sum(alike(card) == kind for card in deck) / len(deck),
            )
            for kind in dict.fromkeys(alike(card) for card in deck)
        ]
        self.by_value = [
            (
                next(card for card in deck if card.value == value),
                sum(card.value == value for card in deck) / len(deck),
            )
            for value in range(1, 11)
        ]
        self.memory: dict[object, float] = {}

    def expected_value(self) -> float:
        return sum(chance * self.against(up.value) for up, chance in self.by_value)

    def against(self, up: int) -> float:
        blackjack = self.final_chances(up)["blackjack"]
        total = 0.0
        for first, one in self.deck:
            for second, two in self.deck:
                cards = (first, second)
                natural = law.is_blackjack(cards)
                lost = self.pays(cards, 21, doubles=0, from_split=False, dealer_blackjack=True)
                if natural:
                    value = self.stood(cards, up, doubles=0, from_split=False)
                else:
                    value = self.best(cards, up, doubles=0, from_split=False, hands=1)
                total += one * two * (blackjack * lost + (1 - blackjack) * value)
        return total

    @cache  # noqa: B019 - a few objects, each for one test
    def final_chances(self, up: int) -> Mapping[object, float]:
        """The dealer's finals, a blackjack included."""
        result: dict[object, float] = {}

        def go(total: int, soft: bool, cards: int, chance: float) -> None:
            if cards == 2 and total == 21:
                result["blackjack"] = result.get("blackjack", 0.0) + chance
            elif cards > 1 and not law.dealer_draws(self.rules, total, soft=soft):
                final = min(total, 22)
                result[final] = result.get(final, 0.0) + chance
            elif total > 21:
                result[22] = result.get(22, 0.0) + chance
            else:
                for card, part in self.by_value:
                    go(*law.add_card(total, soft, card.value), cards + 1, chance * part)

        go(*law.add_card(0, False, up), 1, 1.0)
        return {"blackjack": 0.0, **result}

    def pays(
        self, cards: Cards, dealer: int, *, doubles: int, from_split: bool, dealer_blackjack: bool
    ) -> float:
        natural = law.is_blackjack(cards, from_split=from_split)
        how = law.outcome(
            self.rules, law.total_of(cards)[0], dealer, blackjack=natural, dealer_blackjack=dealer_blackjack
        )
        stake = 2.0**doubles
        won = stake * float(law.win_odds(self.rules, cards, doubles=doubles, from_split=from_split).ratio)
        return {Outcome.WIN: won, Outcome.PUSH: 0.0, Outcome.LOSE: -stake}[how]

    def stood(self, cards: Cards, up: int, *, doubles: int, from_split: bool) -> float:
        finals = self.final_chances(up)
        none = 1 - finals["blackjack"]
        return sum(
            chance
            / none
            * self.pays(cards, final, doubles=doubles, from_split=from_split, dealer_blackjack=False)
            for final, chance in finals.items()
            if isinstance(final, int)
        )

    def best(self, cards: Cards, up: int, *, doubles: int, from_split: bool, hands: int) -> float:
        total, soft = law.total_of(cards)
        remembered: object = tuple(sorted(cards)) if len(cards) < 3 else (total, soft, min(len(cards), MANY))
        if total == 21:
            remembered = (remembered, law.win_odds(self.rules, cards, doubles=doubles, from_split=from_split))
        ace = cards[0].value == 1
        key = (
            remembered,
            ace if from_split else None,
            up,
            doubles,
            from_split,
            hands if len(cards) == 2 else 0,
        )
        if key not in self.memory:
            self.memory[key] = self.asked(cards, up, doubles=doubles, from_split=from_split, hands=hands)
        return self.memory[key]

    def asked(self, cards: Cards, up: int, *, doubles: int, from_split: bool, hands: int) -> float:
        facts: HandFacts = law.facts(self.rules, cards, doubles=doubles, from_split=from_split, hands=hands)
        stands = self.stood(cards, up, doubles=doubles, from_split=from_split)
        values = [stands]
        for action in law.options(self.rules, facts):
            if action is Action.HIT:
                values.append(self.drawn(cards, up, doubles=doubles, from_split=from_split))
            elif action is Action.DOUBLE:
                values.append(self.drawn(cards, up, doubles=doubles + 1, from_split=from_split))
            elif action is Action.SURRENDER:
                values.append(-0.5)
            elif action is Action.RESCUE:
                values.append(-float(law.rescue_loses(self.rules, 1, doubles)))
            elif action is Action.SPLIT and not from_split:
                values.append(self.split(cards, up))
        return max(values)

    def drawn(self, cards: Cards, up: int, *, doubles: int, from_split: bool) -> float:
        deck = self.deck if len(cards) < 3 else self.by_value
        return sum(
            chance * self.best((*cards, card), up, doubles=doubles, from_split=from_split, hands=4)
            if law.total_of((*cards, card))[0] <= 21
            else chance * -(2.0**doubles)
            for card, chance in deck
        )

    def split(self, cards: Cards, up: int) -> float:
        """All hands of a split: each gets a second card, and a pair is split again while there is room."""
        full = self.rules.split.max_hands

        @cache
        def still(hands: int, waiting: int, first: Card) -> float:
            if not waiting:
                return 0.0
            total = 0.0
            for card, chance in self.deck:
                hand = (first, card)
                facts = law.facts(self.rules, hand, doubles=0, from_split=True, hands=hands)
                if Action.SPLIT in law.options(self.rules, facts):
                    total += chance * still(hands + 1, waiting + 1, first)
                else:
                    value = self.best(hand, up, doubles=0, from_split=True, hands=full)
                    total += chance * (value + still(hands, waiting - 1, first))
            return total

        # Hands after a split are of any suit, each as likely as the other.
        same = [card for card in CARDS if card.rank == cards[0].rank]
        return sum(still(2, 2, card) for card in same) / len(same)


@pytest.mark.parametrize(
    ("game", "changes"),
    [
        ("blackjack", {"surrender": "late", "split.resplit_aces": True, "split.hit_aces": True}),
        ("blackjack", {"dealer_hits_soft_17": False, "split.max_hands": 2, "double.after_split": False}),
        ("spanish-21", {}),
        ("players-edge-21", {}),
    ],
)
def test_infinite_deck(game: str, changes: Mapping[str, object]) -> None:
    rules = house(game, {**changes, "decks": "infinite"})
    plain = InfiniteDeck(rules).expected_value()
    assert solve(rules).expected_value == pytest.approx(plain, abs=1e-12)
    # With cards that never run out, what is best for a composition is best for its total.
    assert solve(rules, "basic").expected_value == pytest.approx(plain, abs=1e-12)


def test_the_dealer_of_an_infinite_deck() -> None:
    rules = house("blackjack", {"decks": "infinite", "dealer_hits_soft_17": False})
    deck = InfiniteDeck(rules)
    sums: dict[object, float] = {}
    for up, chance in deck.by_value:
        for final, part in deck.final_chances(up.value).items():
            sums[final] = sums.get(final, 0.0) + chance * part
    published = {17: 0.1451259, 18: 0.1394969, 19: 0.1334640, 20: 0.1802524, 21: 0.0727307, 22: 0.2815928}
    assert {final: round(sums[final], 7) for final in published} == published
    assert round(sums["blackjack"], 7) == round(float(Fraction(8, 169)), 7)
