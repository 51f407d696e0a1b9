"""Advice to the player in turn: what each option is worth, from the exact solution of the table's own rules.

Values are those of a fresh shoe, of which only the cards of the hand and the dealer's open cards are known. A
hand after a split is valued as if its other hands had taken no cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from cardroom.core.cards import Card
from cardroom.engine.twentyone import DeclineInsurance, EvenMoney, Insure, PlayerAction, Round
from cardroom.exact.twentyone import Solution, solve
from cardroom.exact.twentyone.solution import Dealer
from cardroom.model.twentyone.automaton import ACTIONS, NONE, NUMBER_OF, START
from cardroom.rules import parse_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import Action, insurance_net, is_blackjack, win_odds
from cardroom.rules.twentyone.sizes import paid_in_full


@dataclass(frozen=True, slots=True)
class Choice:
    """An option and what it is expected to bring, in cents."""

    option: PlayerAction
    value_cents: float


@dataclass(frozen=True, slots=True)
class Advice:
    """The options of the player in turn, best first."""

    choices: tuple[Choice, ...]
    stake_cents: int
    """The original wager on the spot."""

    @property
    def best(self) -> Choice:
        return self.choices[0]

    def cost_cents(self, option: PlayerAction) -> float | None:
        """What an option costs against the best one, where its value is known."""
        values = {choice.option: choice.value_cents for choice in self.choices}
        value = values.get(option)
        if value is None and isinstance(option, Insure):
            offered = next((one for one in values if isinstance(one, Insure)), None)
            if offered is not None:  # a part of it, of which every cent brings the same
                declined = values[DeclineInsurance()]
                value = declined + (values[offered] - declined) * option.stake_cents / offered.stake_cents
        return None if value is None else self.best.value_cents - value

    def to_json(self) -> list[dict[str, Any]]:
        return [
            {
                "option": str(choice.option),
                "value": choice.value_cents / self.stake_cents,
                "value_cents": choice.value_cents,
                "cost_cents": self.best.value_cents - choice.value_cents,
            }
            for choice in self.choices
        ]


def advice(game: Round) -> Advice | None:
    """The values of the options of the player in turn; None where nothing is asked."""
    if not game.options or game.up is None:
        return None
    spot = game.spots[game.turn]
    insuring = any(isinstance(option, Insure | DeclineInsurance) for option in game.options)
    values = _insurance_values(game) if insuring else _hand_values(game)
    choices = [Choice(option, value) for option, value in values]
    choices.sort(key=lambda choice: -choice.value_cents)
    return Advice(tuple(choices), spot.stake_cents)


def _hand_values(game: Round) -> list[tuple[PlayerAction, float]]:
    assert game.up is not None
    spot = game.spots[game.turn]
    hand = spot.hands[game.hand]
    values = option_values(
        solved(game.rules, spot.stake_cents),
        hand.cards,
        game.dealer[: game.turned],
        doubles=hand.doubles,
        from_split=hand.from_split,
    )
    return [
        (option, values[option] * spot.stake_cents)
        for option in game.options
        if isinstance(option, Action) and option in values
    ]


@lru_cache(maxsize=8)
def _solved(canonical_text: str, wager_cents: int | None) -> Solution:
    return solve(parse_rules_as(TwentyOneRules, canonical_text), "composition", wager_cents=wager_cents)


def solved(rules: TwentyOneRules, wager_cents: int | None = None) -> Solution:
    """The solution of house rules for a wager of that size (the table's minimum unless told), computed once.

    All sizes that are paid in full share one.
    """
    cents = wager_cents or int(rules.limits.min)
    return _solved(rules.canonical_text(), None if paid_in_full(rules, cents) else cents)


def option_values(
    solution: Solution, cards: Sequence[Card], up: Dealer, *, doubles: int = 0, from_split: bool = False
) -> dict[Action, float]:
    """What each action on any hand is expected to bring, in original wagers, given no dealer's blackjack."""
    solver = solution.solver
    nodes, of_card = solver.nodes, solver.automaton.classes.of_card
    before_doubles = len(cards) - doubles
    first = of_card[cards[0].index]
    node = int(nodes.split_hand[first]) if from_split else int(nodes.next[nodes.at[0, START], first])
    for place, card in enumerate(cards[1:], 1):
        if place >= before_doubles:
            node = int(nodes.doubled[node])
        node = int(nodes.next[node, of_card[card.index]])
        if node == NONE:
            return {}
    against = solution.against(up)
    values = solution.values_at(node, against)
    known = {
        action: float(values[number]) for number, action in enumerate(ACTIONS) if not np.isnan(values[number])
    }
    if from_split and len(cards) == 2 and Action.SPLIT not in known:
        # A further split of such a pair is worth about what the first was.
        pair = int(nodes.next[nodes.next[nodes.at[0, START], first], of_card[cards[1].index]])
        again = float(solution.values_at(node, against, of=pair)[NUMBER_OF[Action.SPLIT]])
        if not np.isnan(again):
            known[Action.SPLIT] = again
    return known


def _insurance_values(game: Round) -> list[tuple[PlayerAction, float]]:
    """What insurance adds, given this spot's cards and the up card; declining it is worth nothing more."""
    assert game.up is not None
    rules, spot, up = game.rules, game.spots[game.turn], game.up
    shoe = rules.shoe()
    left = shoe if rules.decks == "infinite" else shoe.without([*spot.hands[0].cards, up])
    total = left.total
    tens = [card for card in left.cards() if card.value == 10]
    blackjack = len(tens) / total

    def insured(cents: int) -> float:
        won = sum(int(cents * insurance_net(rules, cents, up, card)) for card in tens) / total
        return won - cents * (1 - blackjack)

    values: list[tuple[PlayerAction, float]] = []
    own_blackjack = is_blackjack(spot.hands[0].cards) and not rules.blackjack_always_wins
    paid = rules.payment(spot.stake_cents, win_odds(rules, spot.hands[0].cards, doubles=0, from_split=False))
    base = paid * (1 - blackjack) if own_blackjack else 0.0
    for option in game.options:
        match option:
            case Insure(cents):
                values.append((option, base + insured(cents)))
            case EvenMoney():
                values.append((option, float(spot.stake_cents)))
            case DeclineInsurance():
                values.append((option, base))
            case _:
                pass
    return values
