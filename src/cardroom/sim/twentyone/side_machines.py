"""Side bets that a kernel follows card by card: on whole hands, the player's third card, or where cards lie.

All that a bet's machine may come to is numbered; states that no card and no line tell apart are one. Kernels
look the next state up for every card that the dealer gets.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.core.errors import MalformedInput
from cardroom.rules.bets import Machine, Role, SideBet
from cardroom.rules.twentyone import law
from cardroom.sim.compiled import part
from cardroom.sim.twentyone.round_parts import peek
from cardroom.sim.twentyone.side_cards import lines_of_deals
from cardroom.sim.twentyone.tables import SPLIT

MOST_MACHINES: Final = 8
"""The most bets that are followed card by card."""
MOST_STATES: Final = 30_000
"""The most that all of them may remember together."""
_DEALERS: Final[tuple[Role, ...]] = ("dealer_up", "dealer_hole", "dealer_draw")
UP: Final = 0
HOLE: Final = 1
DRAW: Final = 2
THIRD: Final = 3
OWN: Final = 4
_ROLES: Final = 5
_LATER: Final[dict[Role, int]] = {"dealer_up": UP, "dealer_hole": HOLE, "player_3": THIRD}
"""Single cards that come after the player's first two, in the order of the deal."""
_Tables = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]
"""[first, second] → state, [state, place, card] → state, [state] → line."""


class MachineTables(NamedTuple):
    """Machines of bets with all their states in one numbering."""

    start: NDArray[np.int16]
    """[bet, first, second]: the state after the player's first two cards."""
    take: NDArray[np.int16]
    """[state, UP or HOLE or DRAW or THIRD or OWN, card]: the state after a card of the dealer's, the player's
    third one, or any that came to the player's hand after the first two."""
    line: NDArray[np.uint8]
    """[state]: the line, 0 for a loss."""
    is_open: NDArray[np.bool_]
    """[state]: whether the player's third card still decides the line."""
    plays_dealer: bool
    """Whether a bet is on the dealer's whole hand, so that the dealer plays whatever the hands are."""
    on_third_card: bool
    """Whether a bet looks at the player's third card, dealt for it if the play brings none (SIDE-8)."""
    on_players_hand: NDArray[np.bool_]
    """[bet]: whether it looks at the player's first hand as it ends (SIDE-9)."""


class TooMuch(Exception):
    """A bet remembers more than a kernel can look up."""


def states_of(bet: SideBet, *, hits_soft_17: bool) -> int:
    """How many states kernels look up for a bet; `TooMuch` where they are more than may be."""
    return len(_tables(bet.machine, hits_soft_17=hits_soft_17)[2])


def remembers_too_much(bet: SideBet) -> str:
    """What is said of a bet with too many states, without the bet itself."""
    hands = [bet.on_players_hand and "the player's hand", bet.on_dealers_hand and "the dealer's hand"]
    seen = " and ".join(hand for hand in hands if hand) or "the cards that it looks at"
    return f"remembers too much of {seen} to be simulated; ask for fewer suits and cards in it"


def machine_tables(bets: Sequence[SideBet], *, hits_soft_17: bool) -> MachineTables:
    """The tables of several bets."""
    if len(bets) > MOST_MACHINES:
        raise MalformedInput(
            f"{len(bets)} side bets look at whole hands or at the order of cards; {MOST_MACHINES} "
            "such bets are the most that can be simulated together"
        )
    parts, machines = [], [bet.machine for bet in bets]
    for bet in bets:
        try:
            parts.append(_tables(bet.machine, hits_soft_17=hits_soft_17))
        except TooMuch:
            words = f"the side bet {bet.title} {remembers_too_much(bet)}, or take it off the table"
            raise MalformedInput(words) from None
    firsts = np.cumsum([0, *(len(lines) for _, _, lines in parts)])
    if firsts[-1] > MOST_STATES:
        raise MalformedInput(
            "the side bets on whole hands or on the order of cards remember too much to be simulated "
            "together; ask for fewer suits and cards in them, or take one off the table"
        )
    deck = len(CARDS)
    starts = [start + first for (start, _, _), first in zip(parts, firsts, strict=False)]
    takes = [take + first for (_, take, _), first in zip(parts, firsts, strict=False)]
    take = np.concatenate([np.zeros((0, _ROLES, deck), np.int64), *takes])
    line = np.concatenate([np.zeros(0, np.uint8), *(lines for _, _, lines in parts)])
    with_third = line[take[:, THIRD]]
    return MachineTables(
        np.array(starts, np.int16).reshape(len(parts), deck, deck),
        take.astype(np.int16),
        line,
        (with_third != with_third[:, :1]).any(axis=1),
        any("dealer_draw" in machine.roles for machine in machines),
        any("player_3" in machine.roles for machine in machines),
        np.array(["player_draw" in machine.roles for machine in machines], np.bool_),
    )


@lru_cache(maxsize=32)
def _tables(machine: Machine, *, hits_soft_17: bool) -> _Tables:
    """The tables of one bet, with as few states as there may be."""
    if {"dealer_draw", "player_draw"}.isdisjoint(machine.roles):
        return _tables_of_deal(machine)
    return _tables_of_hands(machine, hits_soft_17=hits_soft_17)


def _tables_of_deal(machine: Machine) -> _Tables:
    """Of a bet on single cards, from the last card back: what no further card changes is a line at once."""
    states: NDArray[Any] = lines_of_deals(machine)
    line = np.arange(int(states.max()) + 1, dtype=np.uint8)
    take = _stays(0, len(line))
    for role in reversed([role for role in _LATER if role in machine.roles]):
        rows, place = _different(states.reshape(-1, len(CARDS)))
        is_decided = (rows == rows[:, :1]).all(axis=1)
        number = np.where(is_decided, rows[:, 0], len(take) + np.cumsum(~is_decided) - 1).astype(np.int32)
        more = _stays(len(take), int((~is_decided).sum()))
        more[:, _LATER[role]] = rows[~is_decided]
        take = np.concatenate([take, more])
        line = np.concatenate([line, np.zeros(len(more), np.uint8)])
        if len(take) > MOST_STATES:
            raise TooMuch
        states = number[place].reshape(states.shape[:-1])
    shape = [len(CARDS) if role in machine.roles else 1 for role in ("player_1", "player_2")]
    start = np.broadcast_to(states.reshape(shape), (len(CARDS),) * 2)
    return start.astype(np.int64), take, line


def _stays(first: int, states: int) -> NDArray[np.int64]:
    """[state, place, card] → state: rows of states that no card changes, numbered from the first."""
    return np.tile(first + np.arange(states)[:, None, None], (1, _ROLES, len(CARDS)))


def _different(rows: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows that differ, and where each row is among them."""
    whole = np.ascontiguousarray(rows)
    one = whole.view(np.dtype((np.void, whole.dtype.itemsize * whole.shape[1]))).reshape(-1)
    _, examples, place = np.unique(one, return_index=True, return_inverse=True)
    return whole[examples].astype(np.int64), place.reshape(-1)


def _tables_of_hands(machine: Machine, *, hits_soft_17: bool) -> _Tables:
    """Of a bet on a whole hand: all its states are met, and then reduced."""

    def after(state: int, role: Role, card: Any) -> int:
        return machine.after(state, role, card) if role in machine.roles else state

    start = np.array(
        [[after(after(0, "player_1", one), "player_2", two) for two in CARDS] for one in CARDS], np.int64
    )
    rows: dict[tuple[int, int], list[int]] = {}
    states = {int(state) for state in np.unique(start)}
    if "player_draw" in machine.roles:
        states = _players_hands(machine, start, rows)
    # How the dealer's hand stands matters only to a bet that follows it to its end.
    whole = "dealer_draw" in machine.roles
    hands = {(state, 0, False) for state in states}
    for dealt in range(law.BLACKJACK_TOTAL if whole else DRAW):
        role, place = _DEALERS[min(dealt, DRAW)], min(dealt, DRAW)
        reached: set[tuple[int, int, bool]] = set()
        for state, total, soft in hands:
            if dealt >= DRAW and not _may_draw(total, soft=soft, hits_soft_17=hits_soft_17):
                continue
            row = rows.setdefault((state, place), [after(state, role, card) for card in CARDS])
            reached.update(
                (then, *(law.add_card(total, soft, card.value) if whole else (0, False)))
                for then, card in zip(row, CARDS, strict=True)
            )
            if len(reached) > MOST_STATES:
                raise TooMuch
        hands = reached
    return _reduced(machine, start, rows)


def _players_hands(
    machine: Machine, start: NDArray[np.int64], rows: dict[tuple[int, int], list[int]]
) -> set[int]:
    """The states of all hands of a player, however they are played, with a row for each that may go on."""
    hands = {
        (int(start[one.index, two.index]), one.value + two.value) for one, two in product(CARDS, repeat=2)
    }
    met = set(hands)
    while hands:
        after: set[tuple[int, int]] = set()
        for state, hard in hands:
            if hard <= law.BLACKJACK_TOTAL:
                row = rows.setdefault(
                    (state, OWN), [machine.after(state, "player_draw", card) for card in CARDS]
                )
                after.update((then, hard + card.value) for then, card in zip(row, CARDS, strict=True))
        hands = after - met
        met |= hands
        if len(met) > MOST_STATES:
            raise TooMuch
    return {state for state, _ in met}


def _may_draw(total: int, *, soft: bool, hits_soft_17: bool) -> bool:
    return total < 17 or (total == 17 and soft and hits_soft_17)


def _reduced(machine: Machine, start: NDArray[np.int64], rows: dict[tuple[int, int], list[int]]) -> _Tables:
    """States that neither their line nor any card tells apart become one, by refinement."""
    reached = {state for row in rows.values() for state in row}
    met = sorted({*map(int, np.unique(start)), *reached})
    number = {state: place for place, state in enumerate(met)}
    take = np.tile(np.arange(len(met))[:, None, None], (1, _ROLES, len(CARDS)))
    for (state, place), row in rows.items():
        take[number[state], place] = [number[then] for then in row]
    lines = np.array([0 if (line := machine.line(state)) is None else line + 1 for state in met], np.uint8)
    label, classes = lines.astype(np.int64), 0
    while True:
        keys = np.concatenate([label[:, None], label[take].reshape(len(met), -1)], axis=1)
        _, examples, label = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        label = label.reshape(-1)
        if len(examples) == classes:
            break
        classes = len(examples)
    numbered = np.vectorize(number.__getitem__, otypes=[np.int64])(start)
    return label[numbered], label[take[examples]], lines[examples]


@part
def deal_machines(first: Any, second: Any, up: Any, start: Any, take: Any, states: Any) -> Any:
    """Note the state of every bet after the first two cards and the up card."""
    for bet in range(start.shape[0]):
        states[bet] = take[start[bet, first, second], UP, up]


@part
def second_to_machines(card: Any, take: Any, states: Any, bets: Any) -> Any:
    """Note the state of every bet after the dealer's second card: the hole card, or one that comes late."""
    for bet in range(bets):
        states[bet] = take[states[bet], HOLE, card]


@part
def draw_machines(card: Any, take: Any, states: Any, bets: Any) -> Any:
    """Note the state of every bet after a card that the dealer draws."""
    for bet in range(bets):
        states[bet] = take[states[bet], DRAW, card]


@part
def third_to_machines(card: Any, take: Any, states: Any, bets: Any) -> Any:
    """Note the state of every bet after the player's third card."""
    for bet in range(bets):
        states[bet] = take[states[bet], THIRD, card]


@part
def waits_for_third(is_open: Any, states: Any, bets: Any) -> Any:
    """Whether the player's third card still decides a bet."""
    waits = False
    for bet in range(bets):
        waits = waits or is_open[states[bet]]
    return waits


@part
def count_machines(line: Any, states: Any, bets: Any, first: Any, side_lines: Any) -> Any:
    """Count the line of every bet; `first` is the place of the first of them among all side bets."""
    for bet in range(bets):
        side_lines[first + bet, line[states[bet]]] += 1


@part
def hand_to_machines(
    before: Any, column: Any, seen: Any, game: Any, lane: Any, shoes: Any, states: Any
) -> Any:
    """Note the state of every bet on the player's hand after the first hand that was played (SIDE-9).

    The hand is played again from where the cards lay `before`: they lie in the shoe as they were dealt, and
    come again from endless decks.
    """
    first, second, up, hole = seen
    bets = game.machine_start.shape[0]
    followed = False
    for bet in range(bets):
        followed = followed or game.machine_on_hand[bet]
    if not followed:
        return
    has_hole = game.has_hole  # without one the dealer's second card comes later (21-1.19)
    take, own_second, hands = game.machine_take, second, 1
    ahead = before
    point = np.int64(game.deal[first, second, column])
    while point == SPLIT:
        hands += 1
        own_second, ahead = peek(ahead, lane, shoes, game.cards, game.infinite)
        _, ahead = peek(ahead, lane, shoes, game.cards, game.infinite)
        point = np.int64(game.split_deal[np.uint64(hands < game.max_hands), first, own_second, column])
    for bet in range(bets):
        if game.machine_on_hand[bet]:
            states[bet] = game.machine_start[bet, first, own_second]
    while point < game.ends:
        card, ahead = peek(ahead, lane, shoes, game.cards, game.infinite)
        point = np.int64(game.take[np.uint64(point), card])
        for bet in range(bets):
            if game.machine_on_hand[bet]:
                states[bet] = take[states[bet], OWN, card]
    for bet in range(bets):
        if game.machine_on_hand[bet]:
            state = take[states[bet], UP, up]
            states[bet] = take[state, HOLE, hole] if has_hole else state
