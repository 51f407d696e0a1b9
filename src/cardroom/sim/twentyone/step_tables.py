"""What stepping needs of a game: the law of hands, pays in cents for each bet, the dealer, the side bets.

Unlike the tables of a simulation these hold no strategy: at every decision somebody outside says what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.core.errors import MalformedInput
from cardroom.model.twentyone.automaton import Automaton, compile_hands
from cardroom.rules.bets import MeterShare
from cardroom.rules.twentyone import law
from cardroom.rules.twentyone.cuts import dealer_cut_range
from cardroom.rules.twentyone.schema import TwentyOneRules
from cardroom.sim.twentyone.dealing import shoe_cards
from cardroom.sim.twentyone.insurance import insurance_nets
from cardroom.sim.twentyone.sides import (
    MOST_LINES,
    lines_of,
    require_no_further_cards,
    side_tables,
    simulated_sides,
)
from cardroom.sim.twentyone.tables import dealer_tables

_NO_END: Final = 1 << 30

# When a side bet is settled, by the card that it waits for last.
AT_UP_CARD: Final = 0
AT_HOLE_CARD: Final = 1
AT_DEALERS_END: Final = 2


@dataclass(frozen=True, slots=True)
class Bet:
    """The wagers of every spot for one round: the primary wager, and what stands on side bets."""

    wager_cents: int
    sides: tuple[tuple[str, int], ...] = field(default=())
    """Name and stake in cents of each side bet."""


class StepTables(NamedTuple):
    """The game as the stepping kernels take it; amounts are cents."""

    next: NDArray[np.int16]
    """[state, card]: the state with one more card."""
    may: NDArray[np.uint8]
    """[state]: bits of the actions of the law."""
    unpaired: NDArray[np.int16]
    """[state]: the same hand where it may not be split."""
    split_hand: NDArray[np.int16]
    """[card]: the hand that this card starts after a split."""
    doubled: NDArray[np.int16]
    """[state]: the hand that now gets its card for a double."""
    settled: NDArray[np.bool_]
    """[state]: the dealer's hand does not matter any more."""
    super_bonus: NDArray[np.bool_]
    """[state, up value]: the hand has won the Super Bonus against that up card."""
    pay: NDArray[np.int32]
    """[bet, state, dealer's final]."""
    rescue: NDArray[np.int32]
    """[bet, state]: the result of a rescue."""
    amounts: NDArray[np.int32]
    """[bet, one of the amounts below]."""
    insured: NDArray[np.int32]
    """[bet, suit of an ace up, hole card]: the net result of insurance."""
    sides: NDArray[np.bool_]
    """[bet, side bet]: whether there is a wager on it."""
    pair: NDArray[np.uint8]
    """[card, card]: the value of the pair that they are, 0 for none."""
    value: NDArray[np.uint8]
    """[card]: 0 (ace) … 9 (ten-valued)."""
    dealer_start: NDArray[np.int8]
    dealer_take: NDArray[np.int8]
    plan: NDArray[np.int64]
    """As `Dealing.plan`: place of the cut card, rounds per shoe, cards burned."""
    lines_of_three: NDArray[np.uint8]
    third_is_hole: NDArray[np.bool_]
    lines_of_four: NDArray[np.uint8]
    machine_start: NDArray[np.int16]
    machine_take: NDArray[np.int16]
    machine_line: NDArray[np.uint8]
    side_pay: NDArray[np.int32]
    """[side bet, line]: the net result."""
    side_when: NDArray[np.int8]
    """[side bet]: when it is settled."""
    one_wager: float
    """Rewards are counted in this many cents."""
    cards: np.uint64
    infinite: bool
    spots: int
    max_hands: int
    blackjack_always_wins: bool
    insurance_offered: bool
    insures_paid_blackjack: bool
    even_money: bool
    asks_bet: bool
    """Whether a round begins with a choice among the bets; else bet 0 stands."""
    whole_shoe: bool
    """Whether an episode is a shoe; else it is a round."""


# Columns of `StepTables.amounts`.
SURRENDER: Final = 0
SUPER_BONUS: Final = 1
INSURANCE: Final = 2
EVEN_MONEY_PAYS: Final = 3


def step_tables(
    rules: TwentyOneRules,
    bets: Sequence[Bet],
    *,
    one_wager_cents: int,
    spots: int,
    house_shoe: bool,
    asks_bet: bool,
    whole_shoe: bool,
) -> StepTables:
    """The tables of a game with these bets; `house_shoe` deals on until the cut card is out (PROC-6)."""
    if rules.hole_card != "dealt":
        raise MalformedInput("an environment is played only at a table with a hole card face down")
    automata = [compile_hands(rules, bet.wager_cents) for bet in bets]
    first = automata[0]
    side_bets = {
        name: bet
        for name, bet in simulated_sides(rules).items()
        if any(name in dict(wagers.sides) for wagers in bets)
    }
    require_no_further_cards(side_bets, "an environment")
    stakes = {name: cents for wagers in bets for name, cents in wagers.sides}
    side = side_tables(side_bets.values(), hits_soft_17=rules.dealer_hits_soft_17)
    cards = shoe_cards(rules)
    infinite = rules.decks == "infinite"
    dealer_start, _, dealer_take = dealer_tables(rules)
    return StepTables(
        next=first.next,
        may=first.may,
        unpaired=first.unpaired,
        split_hand=first.split_hand,
        doubled=first.doubled,
        settled=first.settled,
        super_bonus=first.super_bonus,
        pay=np.array([_cents(one, one.pay, bet) for one, bet in zip(automata, bets, strict=True)], np.int32),
        rescue=np.array(
            [_cents(one, one.rescue_pay, bet) for one, bet in zip(automata, bets, strict=True)], np.int32
        ),
        amounts=np.array([_amounts(rules, bet.wager_cents) for bet in bets], np.int32),
        insured=np.array([_insured(rules, bet.wager_cents) for bet in bets], np.int32),
        sides=np.array([[name in dict(bet.sides) for name in side_bets] for bet in bets], np.bool_).reshape(
            len(bets), len(side_bets)
        ),
        pair=np.array(
            [[one.value if law.is_pair(rules, one.rank, two.rank) else 0 for two in CARDS] for one in CARDS],
            np.uint8,
        ),
        value=np.array([card.value - 1 for card in CARDS], np.uint8),
        dealer_start=dealer_start,
        dealer_take=dealer_take,
        plan=_plan(rules, len(cards), house_shoe=house_shoe and not infinite),
        lines_of_three=side.lines_of_three,
        third_is_hole=side.third_is_hole,
        lines_of_four=side.lines_of_four,
        machine_start=side.machines.start,
        machine_take=side.machines.take,
        machine_line=side.machines.line,
        side_pay=np.array([_side_pay(rules, name, stakes[name]) for name in side_bets], np.int32).reshape(
            len(side_bets), MOST_LINES
        ),
        side_when=np.array(
            [
                AT_DEALERS_END
                if bet.on_dealers_hand
                else AT_HOLE_CARD
                if "dealer_hole" in bet.roles
                else AT_UP_CARD
                for bet in side_bets.values()
            ],
            np.int8,
        ),
        one_wager=float(one_wager_cents),
        cards=np.uint64(len(cards)),
        infinite=infinite,
        spots=spots,
        max_hands=rules.split.max_hands,
        blackjack_always_wins=rules.blackjack_always_wins,
        insurance_offered=rules.insurance.offered,
        insures_paid_blackjack=rules.insurance.on_paid_blackjack,
        even_money=rules.insurance.even_money,
        asks_bet=asks_bet,
        whole_shoe=whole_shoe,
    )


def _plan(rules: TwentyOneRules, cards: int, *, house_shoe: bool) -> NDArray[np.int64]:
    """The cut card comes out before the first card behind it: one card later than the last before it."""
    if not house_shoe:
        return np.array([_NO_END, 1, 0], np.int64)
    behind = dealer_cut_range(rules).middle
    return np.array([cards - behind + 1, _NO_END, rules.procedure.burn_cards], np.int64)


def _cents(automaton: Automaton, units: NDArray[np.int32], bet: Bet) -> NDArray[np.int64]:
    cents, rest = np.divmod(units.astype(np.int64) * bet.wager_cents, automaton.unit)
    assert not rest.any(), "pays of a wager of its size are whole cents"
    return cents


def _amounts(rules: TwentyOneRules, wager_cents: int) -> list[int]:
    """One row of `StepTables.amounts`."""
    return [
        law.surrender_returns(rules, wager_cents) - wager_cents,
        rules.super_bonus.pays_on(wager_cents),
        law.most_insurance_cents(rules, wager_cents),
        rules.payment(wager_cents, law.EVEN_MONEY),
    ]


def _insured(rules: TwentyOneRules, wager_cents: int) -> list[list[int]]:
    """The net result of the largest insurance on a wager; nothing where it is too small to be insured."""
    cents = law.most_insurance_cents(rules, wager_cents)
    return [[int(cents * net) for net in row] for row in insurance_nets(rules, cents or None)]


def _side_pay(rules: TwentyOneRules, name: str, stake_cents: int) -> list[int]:
    """The net result of each line, in the order of `lines_of`, to the end of the row."""
    bet = rules.side_bets[name]
    nets = [-stake_cents]
    for line in lines_of(bet)[1:]:
        pays = bet.pays(line, stake_cents)
        if isinstance(pays, MeterShare):
            raise MalformedInput(
                f"the side bet {name} pays from a meter, which an environment does not have; leave it out"
            )
        nets.append(rules.payment(stake_cents, pays))
    return nets + [0] * (MOST_LINES - len(nets))
