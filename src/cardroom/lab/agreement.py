"""The engine and the simulator's kernel set side by side: the same shoe, the same strategy, round by round.

The kernel is handed streams of zeros, so that it deals each shoe in the order in which it lies; the engine is
dealt the same cards. They must use the same cards and come to the same cents on every wager.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS, Card, format_cards
from cardroom.core.decks import CardCounts
from cardroom.engine import twentyone
from cardroom.model.twentyone.automaton import ACTIONS, Automaton, compile_hands
from cardroom.model.twentyone.columns import columns_of
from cardroom.rules.bets import MeterShare
from cardroom.rules.twentyone.law import Action
from cardroom.rules.twentyone.schema import TwentyOneRules
from cardroom.sim.twentyone import kernel
from cardroom.sim.twentyone.dealing import NEXT, Dealing, new_marks
from cardroom.sim.twentyone.job import Job
from cardroom.sim.twentyone.sides import lines_of, simulated_sides

JACKPOT: Final = "jackpot"
_PLAYER: Final = "player {}"


@dataclass(frozen=True, slots=True)
class Played:
    """What a round came to; results in parts of the wager."""

    cards_used: int
    won: Fraction
    staked: Fraction
    super_bonuses: int
    sides: dict[str, Fraction | str]
    """The result of each side bet of the first spot; a jackpot is only named."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A shoe on which the two differ."""

    shoe: str
    engine: Played
    kernel: Played


def automaton_of(rules: TwentyOneRules) -> Automaton:
    """The automaton that both play by, with the table's smallest wager."""
    return compile_hands(rules, int(rules.limits.min))


def one_round_job(rules: TwentyOneRules, actions: NDArray[np.int8], spots: int = 1) -> Job:
    """A job whose batches are not asked for: its tables play given shoes."""
    return Job.of(
        rules,
        actions,
        seed=0,
        dealing=Dealing.fresh(),
        spots=spots,
        wager_cents=int(rules.limits.min),
        side_cents=int(rules.limits.side_min),
    )


def disagreements(
    rules: TwentyOneRules, actions: NDArray[np.int8], shoes: NDArray[np.uint8], spots: int = 1
) -> Iterator[Disagreement]:
    """Every shoe on which engine and kernel differ; none is the proof."""
    job = one_round_job(rules, actions, spots)
    automaton = automaton_of(rules)
    for row in shoes:
        shoe = [CARDS[index] for index in row]
        by_engine = play_by_engine(automaton, actions, shoe, spots)
        by_kernel = play_by_kernel(job, row)
        if by_engine != by_kernel:
            yield Disagreement(format_cards(shoe[: by_engine.cards_used + 4]), by_engine, by_kernel)


def play_by_kernel(job: Job, shoe: NDArray[np.uint8]) -> Played:
    """One round from a shoe in its order."""
    prepared = job.prepared
    states, marks, room = np.zeros(4, np.uint32), new_marks(1), kernel.Room.of(1)
    tallies = prepared.tallies(np.zeros(prepared.tally_size, np.int64))
    one = np.ones(1, np.int64)
    if prepared.in_waves:
        kernel.play_waves(one, prepared.game, states, shoe.copy(), marks, room, tallies)
    else:
        kernel.play_rounds(one, job.spots, prepared.game, states, shoe.copy(), marks, room, tallies)
    unit = prepared.tables.unit
    units = int(np.flatnonzero(tallies.nets.sum(axis=0))[0]) - prepared.results // 2
    return Played(
        int(marks[0, NEXT]),
        Fraction(units, unit),
        Fraction(int(tallies.counters[kernel.STAKED]), unit),
        int(tallies.counters[kernel.SUPER_BONUSES]),
        {
            wager: _line_pays(prepared.rules, wager, lines_of(bet)[int(np.argmax(lines))])
            for (wager, bet), lines in zip(
                simulated_sides(prepared.rules).items(), tallies.side_lines, strict=True
            )
            if lines.any()
        },
    )


def _line_pays(rules: TwentyOneRules, wager: str, line: str) -> Fraction | str:
    if line == "lose":
        return Fraction(-1)
    if isinstance(rules.side_bets[wager].pays(line), MeterShare):
        return JACKPOT
    return rules.line_net(wager, line, stake_cents=int(rules.limits.side_min))


def play_by_engine(
    automaton: Automaton, actions: NDArray[np.int8], shoe: Sequence[Card], spots: int
) -> Played:
    """One round from a shoe in its order, everybody playing by the table and taking no insurance."""
    rules = automaton.rules
    stake = int(rules.limits.min)
    least = int(rules.limits.side_min)
    side = {wager: bet.fixed_stake_cents or least for wager, bet in simulated_sides(rules).items()}
    wagers = [
        twentyone.SpotWager(spot + 1, _PLAYER.format(spot), stake, side if spot == 0 else {})
        for spot in range(spots)
    ]
    state, events = twentyone.start(rules, wagers, CardCounts.of_cards(shoe))
    happened = list(events)
    used = 0
    while not isinstance(awaited := twentyone.awaits(state), twentyone.Done):
        if isinstance(awaited, twentyone.CardAwaited):
            state, events = twentyone.step(state, shoe[used])
            used += 1
        elif twentyone.DeclineInsurance() in awaited.options:
            state, events = twentyone.step(state, twentyone.DeclineInsurance())
        else:
            state, events = twentyone.step(state, decision(automaton, actions, state))
        happened += events
    return _engine_played(happened, used, stake, side)


def decision(automaton: Automaton, actions: NDArray[np.int8], state: twentyone.Round) -> Action:
    """What the table says of the hand whose turn it is."""
    spot = state.spots[state.turn]
    hand = spot.hands[state.hand]
    number = automaton.state_of(hand.cards, from_split=hand.from_split, doubles=hand.doubles)
    if len(spot.hands) >= automaton.rules.split.max_hands:
        number = int(automaton.unpaired[number])
    columns = columns_of(automaton.rules)
    column = columns.place_of(state.dealer[: columns.cards])
    return ACTIONS[int(actions[number, column])]


def _engine_played(events: Sequence[twentyone.Event], used: int, stake: int, side: dict[str, int]) -> Played:
    net = twentyone.net_by_wager(events)
    jackpots = {event.wager for event in events if isinstance(event, twentyone.JackpotPaid)}
    on_hands = sum(
        event.stake_cents if isinstance(event, twentyone.WagerPlaced) else event.added_cents
        for event in events
        if (isinstance(event, twentyone.WagerPlaced) and event.wager == "primary")
        or isinstance(event, twentyone.WagerAdded)
    )
    return Played(
        used,
        Fraction(sum(cents for (_, wager), cents in net.items() if wager == "primary"), stake),
        Fraction(on_hands, stake),
        sum(isinstance(event, twentyone.BonusPaid) and event.bonus == "super-bonus" for event in events),
        {
            wager: JACKPOT if wager in jackpots else Fraction(net[_PLAYER.format(0), wager], cents)
            for wager, cents in side.items()
        },
    )
