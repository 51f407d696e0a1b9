"""A second reading of the blackjack family, written straight from the clauses for one spot without side bets.

It shares no code with the engine or with the law in `rules`: cards are texts, rules are the few words below,
a round is a recursion over everything that can happen. `python -m tests.perft.naive` writes its counts to
`twentyone.json`; the test holds the engine against that file, and the file against this reading.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

DATA = Path(__file__).with_name("twentyone.json")


class Tally(NamedTuple):
    """How many nodes of each kind a tree has, and the sum of what the player wins at its ends."""

    chance: int = 0
    decision: int = 0
    terminal: int = 0
    cents: int = 0

    def plus(self, other: Tally) -> Tally:
        return Tally(*(mine + its for mine, its in zip(self, other, strict=True)))


@dataclass(frozen=True)
class House:
    """A house in the words of the clauses; the defaults are Blackjack's."""

    hits_soft_17: bool = True
    instant: bool = False  # blackjacks and 21s are paid at once and always win
    late_surrender: bool = False
    early_surrender: bool = False  # whatever the dealer makes of the second card
    no_surrender_to_ace: bool = False
    surrender_any: bool = False  # on any number of cards and after a split
    hole: bool = True  # the dealer has a hole card and looks at it
    unseen: bool = False  # or does not, before the players have played
    original_only: bool = False  # is all that a dealer's blackjack then takes
    shown: bool = False  # and all see it
    ties_lose: bool = False
    charlie: int = 99  # so many cards win at once
    push_22: bool = False
    hands: int = 4
    never_split: tuple[int, ...] = ()
    split_once: tuple[int, ...] = ()
    aces_again: bool = False  # split aces may be resplit, hit and doubled
    aces_resplit: bool = False  # split aces may be resplit
    split_21_stands: bool = False  # an ace and a ten after a split
    double_any: bool = False
    double_from: int = 0  # only a hard total from here to 11 may be doubled; 0: any
    double_after_split: bool = True
    doubles: int = 1
    cap: int | None = None
    rescue: bool = False
    suited_insurance: int = 2
    insured: str = ""  # lines of the house's own: "own", or "suited alone"
    insure_paid: bool = False
    even_money: bool = True
    diamonds_pay_2: bool = False  # a blackjack of diamonds
    five_cards_pay_2: bool = False  # a 21 of five cards and more, at once
    bonus_suit: str | None = None
    bonus_after_split: bool = False
    super_bonus: bool = False
    chip_rounding: bool = False


HOUSES = {
    "blackjack": House(),
    "spanish-21": House(
        instant=True, aces_again=True, double_any=True, doubles=2, even_money=False, bonus_suit="s"
    ),
    "players-edge-21": House(
        instant=True,
        late_surrender=True,
        aces_again=True,
        double_any=True,
        doubles=3,
        cap=50_000,
        rescue=True,
        suited_insurance=5,
        insure_paid=True,
        even_money=False,
        bonus_suit="d",
        bonus_after_split=True,
        super_bonus=True,
    ),
}

Cards = tuple[str, ...]


def value(card: str) -> int:
    return 1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


def worth(cards: Cards) -> tuple[int, bool]:
    """The total of a hand, and whether an ace counts 11 (21-1.1)."""
    low = sum(map(value, cards))
    eleven = low <= 11 and any(card[0] == "A" for card in cards)
    return low + 10 * eleven, eleven


def blackjack(cards: Cards) -> bool:
    return len(cards) == 2 and worth(cards)[0] == 21


class Hand(NamedTuple):
    cards: Cards
    stake: int
    doubles: int = 0
    split: bool = False
    open: bool = True
    given_up: bool = False  # and waiting for the dealer's second card
    held: int | None = None  # what it has come to unless the dealer's second card makes a blackjack
    insurance: int = 0  # not yet decided


def without(shoe: Cards, card: str) -> Cards:
    place = shoe.index(card)
    return shoe[:place] + shoe[place + 1 :]


class Reading:
    """All rounds of one shoe at one house with one stake."""

    def __init__(self, house: House, stake: int) -> None:
        self.house = house
        self.stake = stake

    def even(self, cents: int) -> int:
        """Down to the chip of $1.00 where the house rounds so (21-1.14)."""
        return cents - cents % 100 if self.house.chip_rounding else cents

    def card(self, shoe: Cards, rest: Cards, net: int, then: Callable[[str, Cards, Cards], Tally]) -> Tally:
        """A card is wanted: from the shoe, else from the discards, else the round is void (21-1.13)."""
        if not shoe:
            shoe, rest = rest, ()
        if not shoe:
            return Tally(terminal=1, cents=net)
        total = Tally(chance=1)
        for card in sorted(set(shoe)):
            total = total.plus(then(card, without(shoe, card), rest))
        return total

    def branches(self, shoe: Cards, rest: Cards) -> Iterator[tuple[str, Tally]]:
        """The trees below the player's first card and the dealer's up card."""
        for first in sorted(set(shoe)):
            left = without(shoe, first)
            for up in sorted(set(left)):
                yield f"{first} {up}", self.second_card(first, up, without(left, up), rest)

    def second_card(self, first: str, up: str, shoe: Cards, rest: Cards) -> Tally:
        if not self.house.hole:
            return self.card(
                shoe, rest, 0, lambda second, shoe, rest: self.dealt((first, second), up, "", shoe, rest)
            )
        return self.card(
            shoe,
            rest,
            0,
            lambda second, shoe, rest: self.card(
                shoe,
                rest,
                0,
                lambda hole, shoe, rest: self.dealt((first, second), up, hole, shoe, rest),
            ),
        )

    def blackjack_pays(self, own: Cards) -> int:
        of_diamonds = self.house.diamonds_pay_2 and {card[1] for card in own} == {"d"}
        return 2 * self.stake if of_diamonds else self.even(self.stake * 3 // 2)

    def insurance_pays(self, up: str, hole: str) -> int:
        """On a blackjack; below 0 where it is lost all the same (21-1.28)."""
        suited = up[1] == hole[1]
        match self.house.insured:
            case "own":
                if hole == "Qh":
                    return 25
                if suited and hole[0] == "K":
                    return 10
                return 5 if (up[1] in "dh") == (hole[1] in "dh") else 2
            case "suited alone":
                return 5 if suited else -1
            case _:
                return self.house.suited_insurance if suited else 2

    def dealt(self, own: Cards, up: str, hole: str, shoe: Cards, rest: Cards) -> Tally:
        house, net, open_ = self.house, 0, True
        if blackjack(own) and house.instant:
            net, open_ = self.blackjack_pays(own), False
        most = self.even(self.stake // 2)
        if house.shown or up[0] != "A" or not most or not (open_ or house.insure_paid):
            return self.look(own, up, hole, net, 0, shoe, rest, open_=open_)
        total = Tally(decision=1)
        for insurance in (0, most):
            total = total.plus(self.look(own, up, hole, net, insurance, shoe, rest, open_=open_))
        if blackjack(own) and open_ and house.even_money:
            total = total.plus(self.look(own, up, hole, self.stake, 0, shoe, rest, open_=False))
        return total

    def look(
        self,
        own: Cards,
        up: str,
        hole: str,
        net: int,
        insurance: int,
        shoe: Cards,
        rest: Cards,
        *,
        open_: bool,
    ) -> Tally:
        if not hole or self.house.unseen:
            return self.without_look(
                own, (up, hole) if hole else (up,), net, insurance, shoe, rest, open_=open_
            )
        if blackjack((up, hole)) and (open_ or insurance):
            pays = self.insurance_pays(up, hole)
            lost = self.stake if open_ and not blackjack(own) else 0
            return Tally(terminal=1, cents=net + pays * insurance - lost)
        net -= insurance
        if open_ and blackjack(own):
            net, open_ = net + self.blackjack_pays(own), False
        if not open_:
            return Tally(terminal=1, cents=net)
        return self.play((Hand(own, self.stake),), 0, net, (up, hole), shoe, rest)

    def without_look(
        self, own: Cards, dealer: Cards, net: int, insurance: int, shoe: Cards, rest: Cards, *, open_: bool
    ) -> Tally:
        """No look: a blackjack that can be tied waits, and so does insurance (21-1.19)."""
        if open_ and blackjack(own) and value(dealer[0]) not in (1, 10):
            net, open_ = net + self.blackjack_pays(own), False
        hand = Hand(own, self.stake, open=open_, insurance=insurance)
        if blackjack(own):
            return self.dealer((hand,), net, dealer, shoe, rest)
        return self.play((hand,), 0, net, dealer, shoe, rest)

    @property
    def nobody_looks(self) -> bool:
        return self.house.unseen or not self.house.hole

    def options(self, hand: Hand, hands: int, up: str) -> list[str]:
        house, ace = self.house, hand.split and hand.cards[0][0] == "A"
        locked = ace and not house.aces_again
        if house.split_21_stands and hand.split and blackjack(hand.cards):
            return []
        found = ["stand"]
        if not hand.doubles and not locked:
            found.append("hit")
        if (
            hand.doubles < house.doubles
            and (hand.doubles or house.double_any or len(hand.cards) == 2)
            and (not house.double_from or self.is_low_and_hard(hand.cards))
            and (house.double_after_split or not hand.split)
            and not locked
        ):
            found.append("double")
        pair = len(hand.cards) == 2 and value(hand.cards[0]) == value(hand.cards[1])
        of = value(hand.cards[0])
        if of in house.never_split or (hand.split and of in house.split_once):
            pair = False
        if pair and hands < house.hands and (not ace or house.aces_again or house.aces_resplit):
            found.append("split")
        surrenders = house.late_surrender or house.early_surrender
        if house.no_surrender_to_ace and up[0] == "A":
            surrenders = False
        if surrenders and not hand.doubles and (house.surrender_any or self.is_first(hand)):
            found.append("surrender")
        if house.rescue and hand.doubles:
            found.append("rescue")
        return [] if found == ["stand"] else found

    @staticmethod
    def is_first(hand: Hand) -> bool:
        return len(hand.cards) == 2 and not hand.split

    def is_low_and_hard(self, cards: Cards) -> bool:
        """Whether the house that asks for a hard total lets it be doubled (21-1.16)."""
        total, soft = worth(cards)
        return not soft and self.house.double_from <= total <= 11

    def play(
        self, hands: tuple[Hand, ...], at: int, net: int, dealer: Cards, shoe: Cards, rest: Cards
    ) -> Tally:
        up = dealer[0]
        while at < len(hands) and not self.asked(hands, at, up):
            at += 1
        if at == len(hands):
            return self.dealer(hands, net, dealer, shoe, rest)
        hand = hands[at]
        total = Tally(decision=1)
        for option in self.options(hand, len(hands), up):
            match option:
                case "stand":
                    after = self.play(hands, at + 1, net, dealer, shoe, rest)
                case "hit":
                    after = self.draw(hands, at, net, dealer, shoe, rest)
                case "double":
                    adds = self.stake * 2**hand.doubles
                    adds = min(adds, self.house.cap) if self.house.cap else adds
                    doubled = hand._replace(stake=hand.stake + adds, doubles=hand.doubles + 1)
                    after = self.draw(self.put(hands, at, doubled), at, net, dealer, shoe, rest)
                case "split":
                    after = self.split(hands, at, net, dealer, shoe, rest)
                case "surrender" if self.waits(up):
                    given_up = self.put(hands, at, hand._replace(given_up=True))
                    after = self.play(given_up, at + 1, net, dealer, shoe, rest)
                case "surrender":
                    lost = self.stake - self.even(self.stake // 2)
                    given_up = self.put(hands, at, hand._replace(open=False))
                    after = self.play(given_up, at, net - lost, dealer, shoe, rest)
                case _ if hand.split and self.may_be_undone(up):
                    given_up = self.put(hands, at, hand._replace(held=-self.stake))
                    after = self.play(given_up, at, net, dealer, shoe, rest)
                case _:
                    given_up = self.put(hands, at, hand._replace(open=False))
                    after = self.play(given_up, at, net - self.stake, dealer, shoe, rest)
            total = total.plus(after)
        return total

    def asked(self, hands: tuple[Hand, ...], at: int, up: str) -> bool:
        return hands[at].open and hands[at].held is None and bool(self.options(hands[at], len(hands), up))

    def waits(self, up: str) -> bool:
        """Whether a surrender loses all to a blackjack that may still come (21-1.19)."""
        return self.nobody_looks and not self.house.early_surrender and value(up) in (1, 10)

    def may_be_undone(self, up: str) -> bool:
        """Whether a blackjack that may still come leaves no more than the original wager lost (21-1.26)."""
        return self.house.original_only and value(up) in (1, 10)

    @staticmethod
    def put(hands: tuple[Hand, ...], at: int, *new: Hand) -> tuple[Hand, ...]:
        return hands[:at] + new + hands[at + 1 :]

    def draw(
        self, hands: tuple[Hand, ...], at: int, net: int, dealer: Cards, shoe: Cards, rest: Cards
    ) -> Tally:
        def got(card: str, shoe: Cards, rest: Cards) -> Tally:
            hand, won = self.receive(hands[at], card, dealer[0])
            return self.play(self.put(hands, at, hand), at, net + won, dealer, shoe, rest)

        return self.card(shoe, rest, net, got)

    def split(
        self, hands: tuple[Hand, ...], at: int, net: int, dealer: Cards, shoe: Cards, rest: Cards
    ) -> Tally:
        """Both cards become hands; the first gets its second card, then the other (21-1.6)."""
        first, second = (Hand((card,), self.stake, split=True) for card in hands[at].cards)
        first = first._replace(insurance=hands[at].insurance)

        def got_first(card: str, shoe: Cards, rest: Cards) -> Tally:
            old, won = self.receive(first, card, dealer[0])

            def got_second(card: str, shoe: Cards, rest: Cards) -> Tally:
                new, more = self.receive(second, card, dealer[0])
                return self.play(self.put(hands, at, old, new), at, net + won + more, dealer, shoe, rest)

            return self.card(shoe, rest, net + won, got_second)

        return self.card(shoe, rest, net, got_first)

    def receive(self, hand: Hand, card: str, up: str) -> tuple[Hand, int]:
        """A hand with one more card, and what it wins or loses at once."""
        hand, won = self.receive_at_once(hand._replace(cards=(*hand.cards, card)), up)
        added = hand.split or hand.doubles or won > 0
        if not hand.open and added and self.may_be_undone(up):
            return hand._replace(open=True, held=won), 0
        return hand, won

    def receive_at_once(self, hand: Hand, up: str) -> tuple[Hand, int]:
        total = worth(hand.cards)[0]
        if total > 21:
            return hand._replace(open=False), -hand.stake
        if total == 21 and self.house.instant:
            return hand._replace(open=False), self.bonus(hand, up)
        if total == 21 and self.house.five_cards_pay_2 and len(hand.cards) >= 5 and not hand.doubles:
            return hand._replace(open=False), 2 * hand.stake
        if len(hand.cards) >= self.house.charlie and not hand.doubles:
            return hand._replace(open=False), hand.stake
        return hand, 0

    def bonus(self, hand: Hand, up: str) -> int:
        """What a 21 wins (S21-4, PE21-13, PE21-14): rates as halves of the stake."""
        house, ranks = self.house, "".join(sorted(card[0] for card in hand.cards))
        suits = {card[1] for card in hand.cards}
        halves, extra = 2, 0
        if not hand.doubles and (house.bonus_after_split or not hand.split):
            halves = {5: 3, 6: 4}.get(len(ranks), 6 if len(ranks) >= 7 else 2)
            if ranks in ("678", "777"):
                halves = 3 if len(suits) > 1 else 6 if suits == {house.bonus_suit} else 4
        plain = not hand.doubles and not hand.split
        if house.super_bonus and plain and ranks == "777" and len(suits) == 1 and up[0] == "7":
            extra = 500_000 if self.stake >= 2500 else 100_000
        return self.even(hand.stake * halves // 2) + extra

    def dealer(self, hands: tuple[Hand, ...], net: int, dealer: Cards, shoe: Cards, rest: Cards) -> Tally:
        still_in = [hand for hand in hands if hand.open]
        total, soft = worth(dealer)
        if self.nobody_looks and len(dealer) == 2:
            insured = hands[0].insurance
            hands = tuple(hand._replace(insurance=0) for hand in hands)
            if blackjack(dealer):
                pays = self.insurance_pays(*dealer)
                tied = len(hands) == 1 and blackjack(hands[0].cards)
                lost = 0 if tied else sum(hand.stake for hand in still_in)
                if self.house.original_only and lost:
                    lost = self.stake
                return Tally(terminal=1, cents=net + pays * insured - lost)
            net -= insured
        wanted = bool(still_in) or hands[0].insurance > 0
        if wanted and (total < 17 or (total == 17 and soft and self.house.hits_soft_17)):
            return self.card(
                shoe,
                rest,
                net,
                lambda card, shoe, rest: self.dealer(hands, net, (*dealer, card), shoe, rest),
            )
        for hand in still_in:
            own = worth(hand.cards)[0]
            if hand.held is not None:
                net += hand.held
            elif hand.given_up:
                net -= self.stake - self.even(self.stake // 2)
            elif len(hands) == 1 and blackjack(hand.cards):
                net += self.blackjack_pays(hand.cards)
            elif total == 22 and self.house.push_22:
                continue
            elif total > 21 or own > total:
                net += hand.stake
            elif own < total or self.house.ties_lose:
                net -= hand.stake
        return Tally(terminal=1, cents=net)


def pairs(text: str) -> Cards:
    """The cards of a text, two characters each."""
    cards = text.replace(" ", "")
    return tuple(cards[place : place + 2] for place in range(0, len(cards), 2))


def reading_of(shoe: dict[str, Any]) -> dict[str, Tally]:
    """The tallies of a shoe of the data file, branch by branch."""
    house = replace(HOUSES[shoe["game"]], **shoe["naive"])
    reading = Reading(house, shoe["stake_cents"])
    return dict(reading.branches(pairs(shoe["shoe"]), pairs(shoe["discards"])))


def write() -> None:
    """Count every shoe of the data file anew with this reading."""
    shoes = json.loads(DATA.read_text("utf-8"))
    lines = []
    for shoe in shoes:
        branches = reading_of(shoe)
        total = Tally()
        for tally in branches.values():
            total = total.plus(tally)
        shoe["total"] = list(total)
        shoe["branches"] = {branch: list(tally) for branch, tally in branches.items()}
        inner = [
            f'  "{key}": {json.dumps(value)}'
            if key != "branches"
            else '  "branches": {\n'
            + ",\n".join(f'   "{branch}": {tally}' for branch, tally in shoe["branches"].items())
            + "\n  }"
            for key, value in shoe.items()
        ]
        lines.append(" {\n" + ",\n".join(inner) + "\n }")
    DATA.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")


if __name__ == "__main__":
    write()
