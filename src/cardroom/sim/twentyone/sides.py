"""Side bets in a simulation: every line looked up in tables made by running the bet's own machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, permutations
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS, Suit
from cardroom.core.errors import MalformedInput
from cardroom.core.odds import Odds
from cardroom.rules.bets import Machine, Role, SideBet
from cardroom.rules.bets.trackers import ROLES
from cardroom.rules.twentyone.schema import TwentyOneRules
from cardroom.sim.compiled import inlined, part
from cardroom.sim.twentyone.side_cards import lines_of_deals
from cardroom.sim.twentyone.side_machines import (
    MOST_MACHINES,
    MOST_STATES,
    MachineTables,
    TooMuch,
    machine_tables,
    remembers_too_much,
    states_of,
)

_DECK: Final = len(CARDS)
_DEALT: Final[tuple[Role, ...]] = ROLES[:4]
"""The cards that are always dealt: the player's first two, the up card and the hole card."""
MOST_LINES: Final = 16
"""Room for the lines of a side bet, the loss among them."""


class SideTables(NamedTuple):
    """The side bets of a table as kernels take them."""

    lines_of_three: NDArray[np.uint8]
    """[bet, first, second, up or hole]: the line of a bet on up to three cards."""
    third_is_hole: NDArray[np.bool_]
    """[bet]: whether the third of them is the hole card."""
    lines_of_four: NDArray[np.uint8]
    """[bet, place of the four cards]: the line of a bet on all four in any order."""
    machines: MachineTables
    """Every other bet: on whole hands, on the player's third card, or by where four cards lie."""
    on_second: NDArray[np.bool_]
    """[bet]: whether it looks at the dealer's second card."""


def simulated_sides(rules: TwentyOneRules) -> dict[str, SideBet]:
    """The side bets of a table in the order of the tables: on three cards, on four, by a machine."""
    bets = {wager: rules.side_bets[wager] for wager in rules.offered_side_bets}
    for wager, bet in bets.items():
        if (words := _never_simulated(bet)) is not None:
            raise MalformedInput(
                f"the side bet {wager} {words}; take it off the table with side_bets.{wager}.offered=false"
            )
    return dict(sorted(bets.items(), key=lambda named: _kind(named[1])))


def _never_simulated(bet: SideBet) -> str | None:
    """Why no table is made of a bet, without the bet itself."""
    if bet.on_third_card and bet.waits_for_hole_card:
        return (
            "looks at the player's third card and at more of the dealer's than the up card, which no "
            "simulation follows"
        )
    if len(lines_of(bet)) > MOST_LINES:
        return (
            f"has {len(bet.paid_lines)} lines that pay; {MOST_LINES - 1} are the most that can be simulated"
        )
    return None


def not_simulated(rules: TwentyOneRules) -> dict[str, str]:
    """The side bets on offer that no simulation here follows, each with the sentence that says why."""
    sentences, followed, states = {}, 0, 0
    for wager in rules.offered_side_bets:
        bet = rules.side_bets[wager]
        words = _never_simulated(bet)
        if words is None and is_by_machine(bet):
            try:
                more = states_of(bet, hits_soft_17=rules.dealer_hits_soft_17)
            except TooMuch:
                words = remembers_too_much(bet)
            else:
                if followed == MOST_MACHINES or states + more > MOST_STATES:
                    words = "is one too many of the bets here that a simulation follows card by card"
                else:
                    followed, states = followed + 1, states + more
        if words is not None:
            sentences[wager] = f"{bet.title} is not simulated: it {words}."
    return sentences


def without_bets(rules: TwentyOneRules, wagers: Iterable[str]) -> TwentyOneRules:
    """The rules with some side bets taken off the table, and nothing that hangs on them."""
    away = set(wagers)
    if not away:
        return rules
    kept = {}
    for wager, bet in rules.side_bets.items():
        free: dict[str, Any] = {"offered": False} if wager in away else {}
        free |= {name: None for name in ("needs", "at_most") if getattr(bet, name) in away}
        kept[wager] = bet.model_copy(update=free) if free else bet
    return rules.model_copy(update={"side_bets": kept})


def is_by_machine(bet: SideBet) -> bool:
    """Whether it is followed card by card, and not looked up by three cards or by any four."""
    return _kind(bet) == 2


def _kind(bet: SideBet) -> int:
    """0: a table of three cards; 1: of all four in any order; 2: a machine."""
    if bet.roles == _DEALT and bet.any_order:
        return 1
    followed = not bet.on_first_cards or {"dealer_up", "dealer_hole"} <= set(bet.roles)
    return 2 if followed else 0


def require_no_further_cards(bets: Mapping[str, SideBet], who: str) -> None:
    """Refuse bets on the player's further cards where only the kernel of whole rounds follows them."""
    for wager, bet in bets.items():
        if bet.on_third_card or bet.on_players_hand:
            seen = "hand as it ends" if bet.on_players_hand else "third card"
            raise MalformedInput(f"the side bet {wager} looks at the player's {seen}, which {who} never does")


def lines_of(bet: SideBet) -> tuple[str, ...]:
    """The lines of a bet by number; number 0 is a loss."""
    return ("lose", *bet.line_ids)


def line_nets(rules: TwentyOneRules, wager: str, side_cents: int | None) -> list[Fraction]:
    """What each line of a bet wins for a unit, by number; a jackpot pays the meter as it is after a reset."""
    lines = rules.side_bets[wager].line_ids
    return [Fraction(-1), *(rules.line_net(wager, line, stake_cents=side_cents) for line in lines)]


def nets_on_stake(rules: TwentyOneRules, wager: str, stake_cents: int) -> list[Fraction]:
    """What each line wins for a unit of a stake of that size, paid in full; larger ones may be paid more."""
    bet = rules.side_bets[wager]
    pays = [(line, bet.pays(line, stake_cents)) for line in bet.line_ids]
    return [
        Fraction(-1),
        *(odds.ratio if isinstance(odds, Odds) else rules.line_net(wager, line) for line, odds in pays),
    ]


def side_tables(bets: Iterable[SideBet], *, hits_soft_17: bool = True) -> SideTables:
    """The tables of side bets that come in the order of `simulated_sides`."""
    by_kind: list[list[SideBet]] = [[], [], []]
    for bet in bets:
        by_kind[_kind(bet)].append(bet)
    three, four, others = by_kind
    return SideTables(
        np.array([_three(bet) for bet in three], np.uint8).reshape(len(three), _DECK, _DECK, _DECK),
        np.array(["dealer_hole" in bet.roles for bet in three], np.bool_),
        np.array([lines_of_four(bet.machine, any_suits=bet.any_suits) for bet in four], np.uint8).reshape(
            len(four), comb(_DECK + 3, 4)
        ),
        machine_tables(others, hits_soft_17=hits_soft_17),
        np.array([bet.waits_for_hole_card for bet in (*three, *four, *others)], np.bool_),
    )


def _three(bet: SideBet) -> NDArray[np.uint8]:
    """[first, second, up or hole]: the lines of a bet that looks at some of these cards."""
    third: Role = "dealer_hole" if "dealer_hole" in bet.roles else "dealer_up"
    shape = [_DECK if role in bet.roles else 1 for role in ("player_1", "player_2", third)]
    return np.broadcast_to(lines_of_deals(bet.machine).reshape(shape), (_DECK,) * 3)


def _number(line: int | None) -> int:
    return 0 if line is None else line + 1


@lru_cache(maxsize=64)
def lines_of_four(machine: Machine, *, any_suits: bool) -> NDArray[np.uint8]:
    """[place of the four cards]: their line; of cards that differ by their suits alone it is asked once."""
    hands = np.array(list(combinations_with_replacement(range(_DECK), 4)))
    exchanges = [tuple(Suit)]
    if any_suits:
        held = np.stack([(hands // 13 == suit).sum(axis=1) for suit in Suit], axis=1)
        hands = hands[(np.diff(held, axis=1) <= 0).all(axis=1)]  # no suit has more cards than one before it
        exchanges = list(permutations(Suit))
    lines = np.array(
        [
            _number(machine.line(machine.state_of(zip(_DEALT, (CARDS[card] for card in hand), strict=True))))
            for hand in hands.tolist()
        ],
        np.uint8,
    )
    table = np.zeros(comb(_DECK + 3, 4), np.uint8)
    for suits in exchanges:
        other = np.sort(np.array(suits)[hands // 13] * 13 + hands % 13, axis=1)
        table[place_of_four_in_order(*other.T)] = lines
    return table


def place_of_four_in_order(a: Any, b: Any, c: Any, d: Any) -> Any:
    """The place of four cards a ≤ b ≤ c ≤ d among all such, by the combinatorial number system."""
    b = b + 1
    c = c + 2
    d = d + 3
    return a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6 + d * (d - 1) * (d - 2) * (d - 3) // 24


place_of_four = part(place_of_four_in_order)
"""The same for kernels."""


@inlined
def _in_order(low: Any, high: Any) -> Any:
    return min(low, high), max(low, high)


@inlined
def count_fours(
    first: Any, second: Any, up: Any, hole: Any, three: Any, lines_of_four: Any, side_lines: Any
) -> Any:
    """Count the lines of bets on any four cards; `three` bets come before them."""
    if lines_of_four.shape[0] > 0:
        a, b = _in_order(np.int64(first), np.int64(second))
        c, d = _in_order(np.int64(up), np.int64(hole))
        a, c = _in_order(a, c)
        b, d = _in_order(b, d)
        b, c = _in_order(b, c)
        place = place_of_four(a, b, c, d)
        for bet in range(lines_of_four.shape[0]):
            side_lines[three + bet, lines_of_four[bet, place]] += 1


@part
def count_sides(
    first: Any,
    second: Any,
    up: Any,
    hole: Any,
    lines_of_three: Any,
    third_is_hole: Any,
    lines_of_four: Any,
    side_lines: Any,
) -> Any:
    """Count the line of every side bet for one player's first two cards."""
    for bet in range(lines_of_three.shape[0]):
        third = hole if third_is_hole[bet] else up
        side_lines[bet, lines_of_three[bet, first, second, third]] += 1
    count_fours(first, second, up, hole, lines_of_three.shape[0], lines_of_four, side_lines)


@inlined
def count_sides_at_up(first: Any, second: Any, up: Any, game: Any, side_lines: Any) -> Any:
    """Count the lines that the up card decides, where the dealer's second card is still to come (21-1.19)."""
    for bet in range(game.lines_of_three.shape[0]):
        if not game.third_is_hole[bet]:
            side_lines[bet, game.lines_of_three[bet, first, second, up]] += 1


@inlined
def count_sides_at_second(first: Any, second: Any, up: Any, hole: Any, game: Any, side_lines: Any) -> Any:
    """Count the lines that the dealer's second card decides when it comes after the play (21-1.19)."""
    for bet in range(game.lines_of_three.shape[0]):
        if game.third_is_hole[bet]:
            side_lines[bet, game.lines_of_three[bet, first, second, hole]] += 1
    count_fours(first, second, up, hole, game.lines_of_three.shape[0], game.lines_of_four, side_lines)
