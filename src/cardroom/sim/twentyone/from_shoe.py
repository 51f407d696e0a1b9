"""Rounds of one spot from a given shoe, shuffled anew for each."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cardroom.core.decks import CardCounts
from cardroom.model.twentyone.automaton import NONE, NUMBER_OF
from cardroom.rules.twentyone.law import Action
from cardroom.rules.twentyone.schema import TwentyOneRules
from cardroom.sim.twentyone.dealing import Dealing, new_marks
from cardroom.sim.twentyone.job import Job, rounds_per_stream
from cardroom.sim.twentyone.kernel import Game, Room, play_rounds, play_waves
from cardroom.sim.twentyone.sides import side_tables
from cardroom.sim.twentyone.stream import seed_key, stream_states


def results_from_shoe(
    rules: TwentyOneRules,
    actions: NDArray[np.int8],
    shoe: CardCounts | None,
    *,
    rounds: int,
    seed: int,
    wager_cents: int | None = None,
) -> dict[Fraction, int]:
    """How many rounds came to each net result in wagers; without a shoe, from the full one of the rules.

    The strategy may say nothing against up cards that the shoe does not have.
    """
    choices = np.where(actions == NONE, NUMBER_OF[Action.STAND], actions).astype(np.int8)
    job = Job.of(rules, choices, seed=seed, dealing=Dealing.fresh(), side_bets=False, wager_cents=wager_cents)
    prepared = job.prepared
    cards, game = prepared.cards, prepared.game
    if shoe is not None:
        cards = np.array([card.index for card in shoe.cards()], np.uint8)
        plan = Dealing.fresh().plan(len(cards))
        game = Game.of(
            prepared.tables,
            insured=game.insured,
            cards=len(cards),
            infinite=False,
            plan=plan,
            sides=side_tables([]),
        )
    per_stream = rounds_per_stream(rounds)
    lanes = len(per_stream)
    states = stream_states(seed_key(seed), 0, lanes).reshape(-1)
    shoes = cards.copy() if game.infinite else np.tile(cards, lanes)
    tallies = prepared.tallies(np.zeros(prepared.tally_size, np.int64))
    marks, room = new_marks(lanes), Room.of(lanes)
    if game.in_waves:
        play_waves(per_stream, game, states, shoes, marks, room, tallies)
    else:
        play_rounds(per_stream, 1, game, states, shoes, marks, room, tallies)
    nets = tallies.nets.sum(axis=0)
    middle, unit = prepared.results // 2, prepared.tables.unit
    return {Fraction(int(at) - middle, unit): int(nets[at]) for at in np.flatnonzero(nets)}
