"""Legality and payouts of the blackjack family as pure functions of the rules and of what a hand shows.

The engine asks these functions with real cards; the compiled tables of the solver and the simulator are
made by asking the same functions for everything a hand can become. There is no second copy of the law.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import permutations
from typing import Final

from cardroom.core.cards import Card, Rank
from cardroom.core.odds import Odds
from cardroom.core.refusal import Refusal
from cardroom.rules.bets.bonus import state_of_hand
from cardroom.rules.bets.super_bonus import super_machine, winning_hands, winning_up_cards
from cardroom.rules.twentyone.schema import TwentyOneRules

BLACKJACK_TOTAL: Final = 21
PUSHING_TOTAL: Final = 22
"""The dealer's bust that pushes where the house has it so (21-1.18)."""
EVEN_MONEY: Final = Odds(1)
EARLY: Final = ("early", "early-not-ace")
"""Surrenders that a dealer's blackjack does not undo (21-1.20)."""
LOOKED_UNDER: Final = (1, 10)
"""Values of up cards that may become a blackjack."""
DOUBLED_TOTALS: Final = {"9-11": (9, 10, 11), "10-11": (10, 11)}
"""The hard totals that may be doubled where not all may (21-1.16)."""


class Action(StrEnum):
    """What a player may do with a hand, in the order in which options are offered."""

    STAND = "stand"
    HIT = "hit"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    RESCUE = "rescue"


def add_card(total: int, soft: bool, value: int) -> tuple[int, bool]:  # noqa: FBT001
    """A hand's total and softness with one more card of a value 1 … 10 (21-1.1)."""
    total += value
    if value == 1 and total + 10 <= BLACKJACK_TOTAL:
        return total + 10, True
    if soft and total > BLACKJACK_TOTAL:
        return total - 10, False
    return total, soft


def total_of(cards: Sequence[Card]) -> tuple[int, bool]:
    """The worth of cards, and whether an ace counts 11 in it (21-1.1)."""
    total = sum(card.value for card in cards)
    soft = total + 10 <= BLACKJACK_TOTAL and any(card.value == 1 for card in cards)
    return (total + 10 if soft else total), soft


@dataclass(frozen=True, slots=True)
class HandFacts:
    """All that the law of a player's options needs to know of a hand."""

    total: int
    soft: bool
    cards: int
    pair: bool
    """Two cards that the house splits (`is_pair`)."""
    first_is_ace: bool
    doubles: int
    """How many doubles were taken on this hand."""
    from_split: bool
    hands: int
    """How many hands the spot has now; 1 before any split."""
    surrender_open: bool = True
    """Whether a surrender may still be taken, as far as the dealer's card goes (21-1.20)."""

    @property
    def split_ace(self) -> bool:
        return self.from_split and self.first_is_ace

    @property
    def pair_of(self) -> str:
        """The value of the cards of a pair, as `split.never` names it."""
        return "A" if self.soft else str(self.total // 2)

    @property
    def split_blackjack_total(self) -> bool:
        """An ace and a ten-valued card after a split: 21, and no blackjack (21-1.2)."""
        return self.from_split and self.cards == 2 and self.total == BLACKJACK_TOTAL


def undone_by_blackjack(rules: TwentyOneRules, up_value: int) -> bool:
    """Whether a blackjack that may still come undoes all but the original wager (21-1.26)."""
    return rules.original_only and up_value in LOOKED_UNDER


def is_pair(rules: TwentyOneRules, first: Rank, second: Rank) -> bool:
    """Whether two cards may be split: equal value, ten-valued cards of different faces included (21-1.6)."""
    if rules.split.unlike_tens:
        return min(first, 10) == min(second, 10)
    return first == second


def is_blackjack(cards: Sequence[Card], *, from_split: bool = False) -> bool:
    """An ace and a ten-valued card as the two cards first dealt (21-1.2)."""
    return not from_split and len(cards) == 2 and is_blackjack_values(cards[0].value, cards[1].value)


def is_blackjack_values(one: int, other: int) -> bool:
    """Whether two cards of these values first dealt are a blackjack, an ace being 1."""
    return {one, other} == set(LOOKED_UNDER)


def is_charlie(rules: TwentyOneRules, total: int, cards: int, *, doubles: int) -> bool:
    """A hand of so many cards that it wins at once, neither bust nor doubled (21-1.17)."""
    many = rules.charlie != "none" and cards >= rules.charlie
    return many and not doubles and total <= BLACKJACK_TOTAL


def facts(
    rules: TwentyOneRules,
    cards: Sequence[Card],
    *,
    doubles: int,
    from_split: bool,
    hands: int,
    surrender_open: bool = True,
) -> HandFacts:
    """The facts of a hand of real cards."""
    total, soft = total_of(cards)
    return HandFacts(
        total=total,
        soft=soft,
        cards=len(cards),
        pair=len(cards) == 2 and is_pair(rules, cards[0].rank, cards[1].rank),
        first_is_ace=cards[0].rank is Rank.ACE,
        doubles=doubles,
        from_split=from_split,
        hands=hands,
        surrender_open=surrender_open,
    )


def refusal(rules: TwentyOneRules, hand: HandFacts, action: Action) -> Refusal | None:
    """Why the rules forbid an action on a hand, or None when they allow it. The hand is no blackjack."""
    if hand.total > BLACKJACK_TOTAL:
        return Refusal("the hand is bust", "21-1.6")
    if hand.total == BLACKJACK_TOTAL and rules.player_21_always_wins:
        return Refusal("the 21 has been paid", rules.clause("player_21"))
    if is_charlie(rules, hand.total, hand.cards, doubles=hand.doubles):
        return Refusal(f"the {rules.charlie}-card Charlie has been paid", "21-1.17")
    if hand.split_blackjack_total and rules.split.blackjack_total_stands and action is not Action.STAND:
        return Refusal("an ace and a ten-valued card after a split stand", "21-1.15")
    match action:
        case Action.STAND:
            return None
        case Action.HIT:
            return _hit_refusal(rules, hand)
        case Action.DOUBLE:
            return _double_refusal(rules, hand)
        case Action.SPLIT:
            return _split_refusal(rules, hand)
        case Action.SURRENDER:
            return _surrender_refusal(rules, hand)
        case Action.RESCUE:
            return _rescue_refusal(rules, hand)


def _hit_refusal(rules: TwentyOneRules, hand: HandFacts) -> Refusal | None:
    if hand.doubles:
        return Refusal("a doubled hand takes no card but by another double", rules.clause("redouble"))
    if hand.split_ace and not rules.split.hit_aces:
        return Refusal("split aces get one card each", rules.clause("split_aces"))
    return None


def _double_refusal(rules: TwentyOneRules, hand: HandFacts) -> Refusal | None:
    if hand.doubles >= rules.double.max_doubles:
        most = rules.double.max_doubles
        return Refusal(f"this hand has had all its doubles: {most}", rules.clause("redouble"))
    if hand.doubles == 0 and rules.double.on == "two_cards" and hand.cards != 2:
        return Refusal("a double is for the first two cards of a hand", rules.clause("double"))
    if rules.double.totals != "any" and (hand.soft or hand.total not in DOUBLED_TOTALS[rules.double.totals]):
        return Refusal(f"only a hard total of {rules.double.totals} may be doubled", "21-1.16")
    if hand.from_split and not rules.double.after_split:
        return Refusal("no double after a split", rules.clause("double"))
    if hand.split_ace and not rules.split.double_aces:
        return Refusal("split aces may not be doubled", rules.clause("split_aces"))
    return None


def _split_refusal(rules: TwentyOneRules, hand: HandFacts) -> Refusal | None:
    if not hand.pair:
        return Refusal("only two cards of equal value may be split", "21-1.6")
    if hand.pair_of in rules.split.never:
        return Refusal(f"pairs of {hand.pair_of} may not be split here", "21-1.27")
    if hand.from_split and hand.pair_of in rules.split.once:
        return Refusal(f"pairs of {hand.pair_of} may not be split again here", "21-1.27")
    if hand.hands >= rules.split.max_hands:
        return Refusal(f"the hands of a spot are at most {rules.split.max_hands}", rules.clause("split"))
    if hand.split_ace and not rules.split.resplit_aces:
        return Refusal("aces may not be split again", rules.clause("split_aces"))
    return None


def _surrender_refusal(rules: TwentyOneRules, hand: HandFacts) -> Refusal | None:
    if rules.surrender == "none":
        return Refusal("this table has no surrender", rules.clause("surrender"))
    if hand.doubles:
        return Refusal("no surrender after a double", rules.clause("surrender"))
    if rules.surrender_on == "first_two" and (hand.cards != 2 or hand.from_split):
        return Refusal("surrender is for the first two cards dealt", rules.clause("surrender"))
    if not hand.surrender_open:
        return Refusal("this table has no surrender against an ace", "21-1.20")
    return None


def surrender_against(rules: TwentyOneRules, up_value: int) -> bool:
    """Whether the house takes a surrender against an up card of this value, an ace being 1 (21-1.20)."""
    return rules.surrender != "early-not-ace" or up_value != 1


def _rescue_refusal(rules: TwentyOneRules, hand: HandFacts) -> Refusal | None:
    if rules.double.rescue == "none":
        return Refusal("this table has no double-down rescue", rules.clause("rescue"))
    if hand.doubles == 0:
        return Refusal("a rescue comes after a double", rules.clause("rescue"))
    return None


def options(rules: TwentyOneRules, hand: HandFacts) -> tuple[Action, ...]:
    """What a player may do with a hand; empty when nothing is left to decide (21-1.12)."""
    allowed = tuple(action for action in Action if refusal(rules, hand, action) is None)
    return () if allowed == (Action.STAND,) else allowed


def double_adds(rules: TwentyOneRules, original_cents: int, doubles: int) -> int:
    """What the next double adds: as much as stands by now, capped where the house caps it (S21-7, PE21-8)."""
    adds = original_cents << doubles
    return min(adds, int(rules.limits.max)) if rules.double.capped_at_maximum else adds


def stake_after(rules: TwentyOneRules, original_cents: int, doubles: int) -> int:
    """The whole wager on a hand after so many doubles."""
    return original_cents + sum(double_adds(rules, original_cents, taken) for taken in range(doubles))


def rescue_loses(rules: TwentyOneRules, original_cents: int, doubles: int) -> int:
    """What a rescue gives up of a hand doubled so often (PE21-9)."""
    if rules.double.rescue == "before-last-double":
        return stake_after(rules, original_cents, doubles - 1)
    return original_cents


def bonus_21(
    rules: TwentyOneRules, cards: Sequence[Card], *, doubles: int, from_split: bool
) -> tuple[str, Odds] | None:
    """The best bonus that a 21 earns, by name and rate, or None (S21-4, PE21-14)."""
    table = rules.bonus_21
    if total_of(cards)[0] != BLACKJACK_TOTAL or doubles or (from_split and not table.on_split_hands):
        return None
    earned = table.earned(cards, blackjack=is_blackjack(cards, from_split=from_split))
    return max(earned, key=lambda line: line[1].ratio, default=None)


def bonus_wins_at_once(
    rules: TwentyOneRules, cards: Sequence[Card], *, doubles: int, from_split: bool
) -> bool:
    """Whether a 21 that is no blackjack wins by its bonus, whatever the dealer has (21-1.24)."""
    if not rules.bonus_21.win_at_once or is_blackjack(cards, from_split=from_split):
        return False
    return bonus_21(rules, cards, doubles=doubles, from_split=from_split) is not None


def wins_as_21(rules: TwentyOneRules, cards: Sequence[Card], *, doubles: int, from_split: bool) -> bool:
    """Whether a 21 that is no blackjack wins whatever the dealer has (21-1.10, 21-1.24)."""
    if total_of(cards)[0] != BLACKJACK_TOTAL or is_blackjack(cards, from_split=from_split):
        return False
    return rules.player_21_always_wins or bonus_wins_at_once(
        rules, cards, doubles=doubles, from_split=from_split
    )


def wins_at_once(rules: TwentyOneRules, cards: Sequence[Card], *, doubles: int, from_split: bool) -> bool:
    """Whether a hand that is no blackjack wins whatever the dealer has: such a 21, or a Charlie (21-1.17)."""
    total, _ = total_of(cards)
    if total == BLACKJACK_TOTAL and wins_as_21(rules, cards, doubles=doubles, from_split=from_split):
        return True
    return is_charlie(rules, total, len(cards), doubles=doubles)


def win_odds(rules: TwentyOneRules, cards: Sequence[Card], *, doubles: int, from_split: bool) -> Odds:
    """What a winning hand is paid on its whole wager."""
    bonus = bonus_21(rules, cards, doubles=doubles, from_split=from_split)
    if bonus:
        return bonus[1]
    return rules.blackjack_pays if is_blackjack(cards, from_split=from_split) else EVEN_MONEY


class Outcome(StrEnum):
    """How a hand ends against the dealer's."""

    WIN = "win"
    PUSH = "push"
    LOSE = "lose"


def outcome(
    rules: TwentyOneRules,
    total: int,
    dealer_total: int,
    *,
    blackjack: bool,
    dealer_blackjack: bool,
    won_at_once: bool = False,
) -> Outcome:
    """How totals compare: who busts loses, what always wins wins, then the higher (21-1.10, 21-1.22)."""
    if total > BLACKJACK_TOTAL:
        return Outcome.LOSE
    if blackjack:
        won = rules.blackjack_always_wins or not dealer_blackjack
        return Outcome.WIN if won else Outcome.PUSH
    if won_at_once or (total == BLACKJACK_TOTAL and rules.player_21_always_wins):
        return Outcome.WIN
    if dealer_blackjack:
        return Outcome.LOSE
    if dealer_total == PUSHING_TOTAL and rules.dealer_22_pushes:
        return Outcome.PUSH
    if dealer_total > BLACKJACK_TOTAL or total > dealer_total:
        return Outcome.WIN
    is_push = total == dealer_total and not rules.ties_lose
    return Outcome.PUSH if is_push else Outcome.LOSE


def dealer_draws(rules: TwentyOneRules, total: int, *, soft: bool) -> bool:
    """Whether the dealer takes another card (21-1.9)."""
    return total < 17 or (total == 17 and soft and rules.dealer_hits_soft_17)


def dealer_looks(up: Card) -> bool:
    """Whether the dealer looks at the hole card: with an ace or a ten-valued card up (21-1.8)."""
    return up.value in LOOKED_UNDER


def super_bonus_cents(
    rules: TwentyOneRules,
    cards: Sequence[Card],
    up: Card,
    wager_cents: int,
    *,
    doubles: int,
    from_split: bool,
) -> int:
    """The Super Bonus a hand wins, or 0 (PE21-13, PE21-6.2)."""
    bonus = rules.super_bonus
    if not bonus.offered or doubles or from_split:
        return 0
    hand = super_machine(bonus.lines, rules.bonus_21.named_suit)
    won = up.rank in winning_up_cards(bonus.lines, hand, state_of_hand(hand, cards))
    return bonus.pays_on(wager_cents) if won else 0


def super_bonus_hands(rules: TwentyOneRules) -> dict[tuple[Card, ...], frozenset[Rank]]:
    """Every three cards that win the Super Bonus, with the ranks of the up cards that they win against."""
    return winning_hands(rules.super_bonus.lines, rules.bonus_21.named_suit, rules.deck)


def drawn_orders(cards: Sequence[Card]) -> set[tuple[Card, ...]]:
    """The orders in which a hand may come to its cards: a blackjack draws none (21-1.4)."""
    return {order for order in permutations(cards) if not is_blackjack(order[:2])}


def insurance_net(rules: TwentyOneRules, stake_cents: int | None, up: Card, hole: Card) -> Fraction:
    """What a unit of insurance wins or loses with these cards of the dealer's (21-1.7, 21-1.28, PE21-3.1).

    With `stake_cents` as the house rounds it on a stake of that size, else in full.
    """
    line = rules.insurance.line(up, hole)
    return Fraction(-1) if line is None else rules.pays_on(stake_cents, line.pays)


def most_insurance_cents(rules: TwentyOneRules, wager_cents: int) -> int:
    """The largest insurance on a wager: half of it, in whole chips where the house pays in chips (21-1.7)."""
    return rules.payment(wager_cents, Fraction(1, 2))


def surrender_returns(rules: TwentyOneRules, wager_cents: int) -> int:
    """What a surrender gives back: half the wager, by the rounding clause (21-1.6)."""
    return rules.payment(wager_cents, Fraction(1, 2))
