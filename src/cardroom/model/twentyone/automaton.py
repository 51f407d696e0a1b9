"""The law of a player's hand as a small automaton: everything a hand can become, numbered.

The walk asks `law` (options, rates, outcomes) at every point and numbers together what cannot be told apart
from there on: total, softness, pair, number of cards up to the last bonus, what `bonuses` still remembers of
the hand, doubles taken, from a split or not. The solver and the simulator work on these tables.

>>> from cardroom.core.cards import parse_cards
>>> from cardroom.rules import load_rules_as
>>> table = compile_hands(load_rules_as(TwentyOneRules, "blackjack"))
>>> [str(action) for action in table.options(table.state_of(parse_cards("5c6d")))]
['stand', 'hit', 'double']
>>> table.unit, table.pay[table.state_of(parse_cards("AcKd"))].tolist()  # a blackjack, in half units
(2, [3, 3, 3, 3, 3, 3, 0, 3])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS, Card, Rank
from cardroom.core.errors import MalformedInput
from cardroom.core.odds import Odds
from cardroom.model.twentyone.bonuses import START as NO_CARDS
from cardroom.model.twentyone.bonuses import TOO_MANY_HANDS, bonus_states, told_apart
from cardroom.rules import parse_rules_as
from cardroom.rules.twentyone import law
from cardroom.rules.twentyone.law import Action, HandFacts, Outcome
from cardroom.rules.twentyone.schema import TwentyOneRules
from cardroom.rules.twentyone.sizes import SizedPays, in_full, sized_pays

ACTIONS: Final[tuple[Action, ...]] = tuple(Action)
"""Actions by their number in tables; bit `1 << number` in `Automaton.may`."""
NUMBER_OF: Final[dict[Action, int]] = {action: number for number, action in enumerate(ACTIONS)}
_BLACKJACK: Final = "blackjack"
FINALS: Final[tuple[str, ...]] = ("bust", "17", "18", "19", "20", "21", _BLACKJACK, "22")
"""How a dealer's hand ends, by its number in tables; 22 is apart from other busts where it pushes."""
NONE: Final = -1
"""No such state."""
START: Final = 0
"""The state of a hand without a card."""
BUST_TOTAL: Final = law.BLACKJACK_TOTAL + 1
DEALER_TOTALS: Final = (law.PUSHING_TOTAL + 1, 17, 18, 19, 20, 21, 21, law.PUSHING_TOTAL)
UP_RANKS: Final = tuple(Rank)[: Rank.TEN]
"""Up cards by value less 1; the last stands for all that are worth ten."""
_MOST_HANDS: Final = 6_000
_PAIR: Final = 2
_MANY: Final = 3
"""Three cards or more: where no bonus counts them, that is all that matters."""


class Hand(NamedTuple):
    """What is remembered of a hand: enough to know all it can still become."""

    cards: int = 0
    """How many, up to the number from which on it no longer matters; 3 after a double."""
    total: int = 0
    """22 for every bust."""
    soft: bool = False
    pair: int = 0
    """The rank of a pair (10 for ten-valued cards where they pair), 0 where it is none or room is lacking."""
    split_ace: bool = False
    doubles: int = 0
    from_split: bool = False
    progress: tuple[int, ...] = ()
    """Classes of the cards: of the one card; while more than their number matters for a bonus, of two, and
    of more cards those of ranks whose suits still matter."""
    rate: Odds | None = None
    """What a 21 wins; None for every other hand."""
    super_bonus: frozenset[Rank] = frozenset()
    """The up cards against which the hand has won the Super Bonus, by now."""
    bonus: int = NONE
    """What of the hand still matters for its bonuses: a state of `BonusStates`; NONE where there are none."""


@dataclass(frozen=True, slots=True)
class CardClasses:
    """Which cards the law cannot tell apart in a player's hand."""

    of_card: tuple[int, ...]
    """The class of each of the 52 cards."""
    example: tuple[Card, ...]
    """A card of each class."""


@dataclass(frozen=True, eq=False)
class Automaton:
    """The compiled law of a player's hand: tables with a row for each state; state 0 has no card."""

    rules: TwentyOneRules
    unit: int
    """How many units of `pay` the original wager is."""
    next: NDArray[np.int16]
    """[state, card index]: the state with one more card."""
    may: NDArray[np.uint8]
    """[state]: bits of `ACTIONS`, split as if there were room for another hand; 0: nothing to decide."""
    unpaired: NDArray[np.int16]
    """[state]: the same hand where it may not be split: itself, unless it is a pair."""
    split_hand: NDArray[np.int16]
    """[card index]: the hand that this card starts after a split."""
    doubled: NDArray[np.int16]
    """[state]: the hand with one more double that now gets its card, or NONE."""
    pay: NDArray[np.int32]
    """[state, dealer's final]: what the hand wins (below zero: loses) when it stands, in units."""
    stake: NDArray[np.int32]
    """[state]: the wager on the hand, in units."""
    rescue_pay: NDArray[np.int32]
    """[state]: the result of a rescue, in units; 0 where none is possible."""
    surrender_pay: int
    """The result of a surrender, in units …"""
    surrender_blackjack_pay: int
    """… and where the dealer then has a blackjack: an early surrender is done by then."""
    settled: NDArray[np.bool_]
    """[state]: a bust, or a 21 that always wins: the dealer's hand does not matter."""
    super_bonus: NDArray[np.bool_]
    """[state, up card by its value less 1]: the hand has won the Super Bonus against it."""
    prospect: NDArray[np.int16]
    """[state]: one number for all hands that look alike on a chart and may still be paid the same,
    whatever their options: total, pair, doubles, and where bonuses make it matter cards and progress."""
    hands: tuple[Hand, ...]
    """[state]: the first hand that was numbered so; the words for a state."""
    numbered: dict[Hand, int]
    """The state of every hand that was told apart on the way."""
    classes: CardClasses

    def options(self, state: int, up: int | None = None) -> tuple[Action, ...]:
        """The options of a state with room for another hand, against an up card by its value less 1."""
        may = self.may[state] if up is None else self.may_against(up)[state]
        return tuple(action for action, number in NUMBER_OF.items() if may >> number & 1)

    def may_against(self, up: int) -> NDArray[np.uint8]:
        """[state]: what may be done against an up card, by its value less 1."""
        if law.surrender_against(self.rules, up + 1):
            return self.may
        return self.may & ~np.uint8(1 << NUMBER_OF[Action.SURRENDER])

    def state_of(self, cards: Sequence[Card], *, from_split: bool = False, doubles: int = 0) -> int:
        """The state of cards held, of which the last came after so many doubles, one on each."""
        state = START
        for held, card in enumerate(cards):
            if from_split and held == 0:
                state = int(self.split_hand[card.index])
                continue
            if held >= len(cards) - doubles:
                state = int(self.doubled[state])
            state = int(self.next[state, card.index])
        return state


def compile_hands(rules: TwentyOneRules, wager_cents: int | None = None) -> Automaton:
    """The automaton of a house's rules, paid in full or as a wager of that size is.

    Hands have the same numbers for every size, and sizes that are paid alike have one automaton.
    """
    text, full = rules.canonical_text(), in_full(rules)
    pays = full if wager_cents is None else sized_pays(rules, wager_cents)
    return _compiled(text) if pays == full else _resized(text, pays)


@lru_cache(maxsize=64)
def _compiled(canonical_text: str) -> Automaton:
    return _Walk(parse_rules_as(TwentyOneRules, canonical_text)).automaton()


@lru_cache(maxsize=64)
def _resized(canonical_text: str, pays: SizedPays) -> Automaton:
    """The automaton with the pays of another size: a win, a push and a loss stay what they are."""
    full, unit = _compiled(canonical_text), pays.unit
    if unit * (1 << full.rules.double.max_doubles) * full.rules.split.max_hands > np.iinfo(np.int32).max:
        raise MalformedInput("the wager is too large to be figured to the cent; try a rounder one")
    hands = full.hands
    won = np.array([unit * pays.wins_at(hand.rate, hand.doubles) for hand in hands], np.int32)
    stake = np.array([unit * pays.stakes[hand.doubles] for hand in hands], np.int32)
    rescued = np.array([-unit * pays.rescue_loses[hand.doubles] for hand in hands], np.int32)
    sign = np.sign(full.pay)
    pay = np.where(sign > 0, won[:, None], sign * stake[:, None])
    if full.rules.original_only:  # a loss to the dealer's blackjack is that of the first wager
        final = FINALS.index(_BLACKJACK)
        pay[:, final] = np.where(sign[:, final] < 0, -unit, pay[:, final])
    return replace(
        full,
        unit=unit,
        pay=pay,
        stake=stake,
        rescue_pay=np.where(full.rescue_pay != 0, rescued, 0),
        surrender_pay=-int(unit * pays.surrender_loses),
        surrender_blackjack_pay=_at_a_blackjack(full.rules, -int(unit * pays.surrender_loses), unit),
    )


def _at_a_blackjack(rules: TwentyOneRules, surrender_pay: int, unit: int) -> int:
    """What a surrender comes to where the dealer has a blackjack (21-1.8, 21-1.20)."""
    return surrender_pay if rules.surrender in law.EARLY else -unit


def card_classes(rules: TwentyOneRules) -> CardClasses:
    """Cards are told apart by value, by rank where tens pair by rank, by suit where a bonus asks for it."""
    numbers: dict[tuple[int, int], int] = {}
    examples: list[Card] = []
    of_card: list[int] = []
    for card, key in zip(CARDS, told_apart(rules), strict=True):
        if key not in numbers:
            numbers[key] = len(examples)
            examples.append(card)
        of_card.append(numbers[key])
    return CardClasses(tuple(of_card), tuple(examples))


class _Walk:
    """Everything a hand can become, first by what is remembered of it, then numbered by what follows."""

    def __init__(self, rules: TwentyOneRules) -> None:
        self.rules = rules
        self.classes = card_classes(rules)
        self.full = in_full(rules)
        self.unit = self.full.unit
        self.bonuses = {split: bonus_states(rules, from_split=split) for split in (False, True)}
        self.start = Hand(bonus=NO_CARDS)
        self.example: dict[Hand, tuple[Card, ...]] = {}
        """Real cards of each hand, of which the law is asked."""
        self.after: dict[Hand, list[Hand]] = {}
        """The hands that one more card of each class makes."""
        self.may: dict[Hand, int] = {}
        self.doubled: dict[Hand, Hand] = {}
        self.unpaired: dict[Hand, Hand] = {}
        self.pays: dict[Hand, tuple[int, ...]] = {}

    def automaton(self) -> Automaton:
        split_hands = self._walk()
        numbered, order = self._number()
        of_card = list(self.classes.of_card)

        def column(hands: dict[Hand, Hand]) -> NDArray[np.int16]:
            return np.array([numbered[hands[hand]] if hand in hands else NONE for hand in order], np.int16)

        by_class = [[numbered[after] for after in self.after[hand]] for hand in order]
        pay = np.array([self._pay(hand) for hand in order], np.int32)
        unpaired = column(self.unpaired)
        return Automaton(
            rules=self.rules,
            unit=self.unit,
            next=np.array(by_class, np.int16)[:, of_card],
            may=np.array([self.may[hand] for hand in order], np.uint8),
            unpaired=np.where(unpaired == NONE, np.arange(len(order), dtype=np.int16), unpaired),
            split_hand=np.array([numbered[split_hands[number]] for number in of_card], np.int16),
            doubled=column(self.doubled),
            pay=pay,
            stake=np.array([self._stake(hand.doubles) for hand in order], np.int32),
            rescue_pay=np.array([self._rescue_pay(hand) for hand in order], np.int32),
            surrender_pay=self._surrender_pay(),
            surrender_blackjack_pay=_at_a_blackjack(self.rules, self._surrender_pay(), self.unit),
            settled=(pay == pay[:, :1]).all(axis=1)
            & np.array([hand.total > 20 or self._won_at_once(hand) for hand in order]),
            super_bonus=np.array([[up in hand.super_bonus for up in UP_RANKS] for hand in order]),
            prospect=self._prospects(order),
            hands=tuple(order),
            numbered=numbered,
            classes=self.classes,
        )

    def _walk(self) -> list[Hand]:
        """Find every hand; returns the hand that a card of each class starts after a split."""
        start = self.start
        self.example[start] = ()
        split_hands = []
        for number, card in enumerate(self.classes.example):
            ace = card.value == 1
            total, soft = law.total_of([card])
            hand = Hand(
                1,
                total,
                soft,
                split_ace=ace,
                from_split=True,
                progress=(number,),
                bonus=int(self.bonuses[True].next[NO_CARDS, card.index]),
            )
            self.example[hand] = (card,)
            split_hands.append(hand)
        waiting = [start, *split_hands]
        while waiting:
            hand = waiting.pop()
            if hand in self.may:
                continue
            if len(self.may) >= _MOST_HANDS:
                raise MalformedInput(TOO_MANY_HANDS)
            self.may[hand] = self._options(hand)
            self.after[hand] = [self._with(hand, number) for number in range(len(self.classes.example))]
            hands = list(self.after[hand])
            if self.may[hand] >> NUMBER_OF[Action.DOUBLE] & 1:
                self.doubled[hand] = hand._replace(
                    cards=_MANY, pair=0, doubles=hand.doubles + 1, progress=(), bonus=NONE
                )
                hands.append(self.doubled[hand])
            if hand.pair:
                self.unpaired[hand] = hand._replace(pair=0)
                hands.append(self.unpaired[hand])
            for after in hands:
                self.example.setdefault(after, self.example[hand])
            waiting += hands
        return split_hands

    def _with(self, hand: Hand, number: int) -> Hand:
        """The hand with one more card of a class."""
        card = self.classes.example[number]
        if hand.total >= BUST_TOTAL:
            return hand
        total, soft = law.add_card(hand.total, hand.soft, card.value)
        if total >= BUST_TOTAL:
            bust = Hand(_MANY, BUST_TOTAL, doubles=hand.doubles, super_bonus=self._won_before(hand))
            self.example.setdefault(bust, (*self.example[hand], card))
            return bust
        cards = (*self.example[hand], card)
        bonuses = self.bonuses[hand.from_split]
        bonus = NONE if hand.doubles else int(bonuses.next[hand.bonus, card.index])
        count = _MANY if hand.doubles else min(hand.cards + 1, self._most_counted(bonuses.most_counted))
        so_far = tuple(sorted((*hand.progress, number)))
        kept = count == 1 or (bonus != NONE and not bonuses.counts_only[bonus])
        if kept and len(cards) > _PAIR:
            matters = bonuses.suits_matter[bonus]
            so_far = tuple(held for held in so_far if matters[self.classes.example[held].rank - 1])
        after = Hand(
            cards=count,
            total=total,
            soft=soft,
            pair=self._pair(cards) if count == 2 else 0,
            split_ace=hand.split_ace,
            doubles=hand.doubles,
            from_split=hand.from_split,
            progress=so_far if kept else (),
            bonus=bonus,
            super_bonus=self._won_before(hand)
            | (bonuses.super_bonus[bonus] if bonus != NONE else frozenset()),
        )
        if total == law.BLACKJACK_TOTAL:
            rate = law.win_odds(self.rules, cards, doubles=hand.doubles, from_split=hand.from_split)
            after = after._replace(rate=rate)
        self.example.setdefault(after, cards)
        return after

    def _won_before(self, hand: Hand) -> frozenset[Rank]:
        """What further cards leave: a Super Bonus is paid at once, and stays. A 21 takes no further card."""
        return hand.super_bonus if hand.total < law.BLACKJACK_TOTAL else frozenset()

    def _pair(self, cards: tuple[Card, ...]) -> int:
        first, second = cards[0].rank, cards[1].rank
        if not law.is_pair(self.rules, first, second):
            return 0
        return min(first, 10) if self.rules.split.unlike_tens else first

    def _is_blackjack(self, hand: Hand) -> bool:
        return law.is_blackjack(self.example[hand], from_split=hand.from_split)

    def _won_at_once(self, hand: Hand) -> bool:
        """A Charlie, or a 21 whose bonus is paid at once (21-1.17, 21-1.24)."""
        return law.is_charlie(
            self.rules, hand.total, hand.cards, doubles=hand.doubles
        ) or law.bonus_wins_at_once(
            self.rules, self.example[hand], doubles=hand.doubles, from_split=hand.from_split
        )

    def _most_counted(self, by_bonuses: int) -> int:
        """The number of cards from which on it no longer matters."""
        return by_bonuses if self.rules.charlie == "none" else max(by_bonuses, self.rules.charlie)

    def _options(self, hand: Hand) -> int:
        if hand.cards < 2 or self._is_blackjack(hand) or self._won_at_once(hand):
            return 0
        of_hand = HandFacts(
            total=hand.total,
            soft=hand.soft,
            cards=hand.cards,
            pair=hand.pair > 0,
            first_is_ace=hand.split_ace,
            doubles=hand.doubles,
            from_split=hand.from_split,
            hands=2 if hand.from_split else 1,
        )
        return sum(1 << NUMBER_OF[action] for action in law.options(self.rules, of_hand))

    def _number(self) -> tuple[dict[Hand, int], list[Hand]]:
        """Number hands; those with the same words on a chart and the same future share a number."""
        numbers: dict[tuple[object, ...], int] = {}
        numbered: dict[Hand, int] = {}
        order: list[Hand] = []

        def number(hand: Hand) -> int:
            if hand in numbered:
                return numbered[hand]
            after = tuple(number(next_hand) for next_hand in self.after[hand] if next_hand != hand)
            splits = self.may[hand] >> NUMBER_OF[Action.SPLIT] & 1
            future = (
                after,
                self.may[hand],
                self._pay(hand),
                self._rescue_pay(hand),
                number(self.doubled[hand]) if hand in self.doubled else NONE,
                number(self.unpaired[hand]) if splits else NONE,
                (hand.total, hand.soft, hand.cards == 1, hand.super_bonus),
                # A pair may be split when first dealt and played otherwise after a split, or the reverse.
                (hand.pair, hand.from_split) if splits else NONE,
                self._told_apart(hand, after),
            )
            if future not in numbers:
                numbers[future] = len(order)
                order.append(hand)
            numbered[hand] = numbers[future]
            return numbered[hand]

        for hand in sorted(self.may, key=lambda hand: (hand.from_split, -hand.cards)):
            number(hand)
        first = numbered[self.start]
        swap = {first: START, START: first}
        order[first], order[START] = order[START], order[first]
        return {hand: swap.get(n, n) for hand, n in numbered.items()}, order

    def _told_apart(self, hand: Hand, after: tuple[int, ...]) -> tuple[int, ...]:
        """The classes held of ranks whose suits still matter: 7-7 leaves fewer sevens of a suit than 6-8."""
        leads_to: dict[Rank, set[int]] = {}
        for card, state in zip(self.classes.example, after, strict=False):  # a bust leads nowhere
            leads_to.setdefault(card.rank, set()).add(state)
        ranks = {number: self.classes.example[number].rank for number in hand.progress}
        return tuple(number for number in hand.progress if len(leads_to[ranks[number]]) > 1)

    def _prospects(self, order: list[Hand]) -> NDArray[np.int16]:
        """Number states by what they may still be paid, not by what they may do."""
        numbers: dict[tuple[object, ...], int] = {}
        prospects: dict[Hand, int] = {}

        def number(hand: Hand) -> int:
            if hand not in prospects:
                prospect = (
                    tuple(number(after) for after in self.after[hand] if after != hand),
                    self._pay(hand),
                    (hand.total, hand.soft, hand.doubles, hand.cards == 1),
                    hand.pair if self.may[hand] >> NUMBER_OF[Action.SPLIT] & 1 else 0,
                )
                prospects[hand] = numbers.setdefault(prospect, len(numbers))
            return prospects[hand]

        return np.array([number(hand) for hand in order], np.int16)

    def _stake(self, doubles: int) -> int:
        return int(self.unit * self.full.stakes[doubles])

    def _pay(self, hand: Hand) -> tuple[int, ...]:
        if hand not in self.pays:
            self.pays[hand] = self._asked_pay(hand)
        return self.pays[hand]

    def _asked_pay(self, hand: Hand) -> tuple[int, ...]:
        stake = self._stake(hand.doubles)
        won = int(self.unit * self.full.wins_at(hand.rate, hand.doubles))
        blackjack, won_at_once = self._is_blackjack(hand), self._won_at_once(hand)
        pays = tuple(
            {Outcome.WIN: won, Outcome.PUSH: 0, Outcome.LOSE: -stake}[
                law.outcome(
                    self.rules,
                    hand.total,
                    dealer_total,
                    blackjack=blackjack,
                    dealer_blackjack=final == _BLACKJACK,
                    won_at_once=won_at_once,
                )
            ]
            for final, dealer_total in zip(FINALS, DEALER_TOTALS, strict=True)
        )
        if not self.rules.original_only or blackjack:
            return pays
        # What was made of the hand is undone: its original wager is lost (21-1.26).
        return tuple(
            -self.unit if final == _BLACKJACK else pay for final, pay in zip(FINALS, pays, strict=True)
        )

    def _rescue_pay(self, hand: Hand) -> int:
        if not self.may[hand] >> NUMBER_OF[Action.RESCUE] & 1:
            return 0
        return -int(self.unit * self.full.rescue_loses[hand.doubles])

    def _surrender_pay(self) -> int:
        return -int(self.unit * self.full.surrender_loses)
