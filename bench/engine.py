"""How long a round of the blackjack family takes in plain Python, and a hundred thousand random ones.

python -m bench.engine                    # microseconds a round, one spot and three
python -m bench.engine --rounds 100000    # random rounds with random legal actions, money conserved
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from random import Random
from time import perf_counter

from cardroom.engine import twentyone
from cardroom.engine.twentyone import Action, CardAwaited, Done, Event, SpotWager
from cardroom.rules.loader import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules

GAMES = ("blackjack", "spanish-21", "players-edge-21")
MOST_MICROSECONDS = 300
"""What a plain-Python round of one spot may cost."""

BATCHES = 7


@dataclass(frozen=True, slots=True)
class Result:
    """What a run of rounds showed."""

    rounds: int
    steps: int
    unbalanced: int
    seconds: float
    """The time of the engine alone, without the shuffles."""

    @property
    def microseconds_a_round(self) -> float:
        return 1e6 * self.seconds / self.rounds


def wagers_of(rules: TwentyOneRules, spots: int, *, side_bets: bool) -> list[SpotWager]:
    """The least primary wager on each spot, with every side bet on offer where asked for."""
    stake = int(rules.limits.min)
    least = int(rules.limits.side_min)
    side = {wager: rules.side_bets[wager].fixed_stake_cents or least for wager in rules.offered_side_bets}
    return [
        SpotWager(spot, f"Player {spot}", stake, side if side_bets else None) for spot in range(1, spots + 1)
    ]


def play_random_rounds(
    game: str, rounds: int, spots: int, random: Random, *, side_bets: bool = True, sensible: bool = False
) -> Result:
    """Play rounds with random cards and random legal actions; a sensible player stands from 17 on."""
    rules = load_rules_as(TwentyOneRules, game)
    wagers = wagers_of(rules, spots, side_bets=side_bets)
    shoe = rules.shoe()
    cards = shoe.cards()
    steps = unbalanced = 0
    seconds = 0.0
    for _ in range(rounds):
        order = random.sample(cards, 40 + 40 * spots)
        draws = [random.random() for _ in range(40 * spots)]
        began = perf_counter()
        state, events = twentyone.start(rules, wagers, shoe)
        log: list[Event] = list(events)
        while not isinstance(awaited := twentyone.awaits(state), Done):
            asked: twentyone.Input
            if isinstance(awaited, CardAwaited):
                asked = order.pop()
            elif sensible:
                asked = _sensible(state, awaited)
            else:
                asked = awaited.options[int(draws.pop() * len(awaited.options))]
            state, events = twentyone.step(state, asked)
            log += events
            steps += 1
        seconds += perf_counter() - began
        total = twentyone.balance(log)
        unbalanced += bool(total.total_cents or total.table_cents)
    return Result(rounds, steps, unbalanced, seconds)


def _sensible(state: twentyone.Round, awaited: twentyone.Turn) -> twentyone.PlayerAction:
    cards = state.spots[state.turn].hands[state.hand].cards
    if Action.HIT in awaited.options and sum(card.value for card in cards) < 15:
        return Action.HIT
    return awaited.options[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=0, help="random rounds of each game, money checked")
    parser.add_argument("--seed", default="1")
    arguments = parser.parse_args()
    lines = []
    failed = False
    for game in GAMES:
        for spots in (1, 3):
            # The best of several batches: what else the machine does is no cost of the engine.
            cost = min(
                play_random_rounds(
                    game, 1000, spots, Random(f"{arguments.seed} {batch}"), side_bets=False, sensible=True
                ).microseconds_a_round
                for batch in range(BATCHES)
            )
            failed |= spots == 1 and cost > MOST_MICROSECONDS
            lines.append({"game": game, "spots": spots, "microseconds_a_round": round(cost, 1)})
        if arguments.rounds:
            result = play_random_rounds(game, arguments.rounds, 3, Random(arguments.seed))
            failed |= result.unbalanced > 0
            lines.append({"game": game, "random_rounds": result.rounds, "unbalanced": result.unbalanced})
    sys.stdout.write("".join(json.dumps(line) + "\n" for line in lines))
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
