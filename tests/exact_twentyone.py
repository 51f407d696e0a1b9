"""The engine's tree walked under a strategy of the solver: the exact mean of what a round brings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

from cardroom.core.cards import Card
from cardroom.core.decks import CardCounts
from cardroom.engine import twentyone
from cardroom.engine.twentyone import Action, Round, SpotWager, Turn
from cardroom.engine.twentyone.alike import alike
from cardroom.engine.twentyone.events import WagerPaid, WagerReturned, WagerTaken
from cardroom.engine.twentyone.state import Hand
from cardroom.engine.walk import Branches, by_chance, moves, walk
from cardroom.exact.twentyone.solver import Solver
from cardroom.model.twentyone.automaton import START
from cardroom.rules.twentyone import TwentyOneRules

STAKE_CENTS = 1000
Choice = Callable[[Hand, int, Sequence[Card]], Action]
"""What to do with a hand, given how many hands there are and the dealer's open cards."""


def node_of(solver: Solver, hand: Hand, hands: int) -> int:
    """The solver's node of an engine's hand. The last cards of a doubled hand came one with each double."""
    nodes, automaton = solver.nodes, solver.automaton
    numbers = [automaton.classes.of_card[card.index] for card in hand.cards]
    undoubled = len(numbers) - hand.doubles
    node = nodes.at[0, START]
    for held, number in enumerate(numbers):
        if held == 0 and hand.from_split:
            node = nodes.split_hand[number]
            continue
        if held >= undoubled:
            node = nodes.doubled[node]
        node = nodes.next[node, number]
    state = nodes.state[node]
    if hands >= automaton.rules.split.max_hands:
        state = automaton.unpaired[state]
    return int(nodes.at[nodes.composition[node], state])


def tried_by(choose: Choice) -> Callable[[Round], Iterable[tuple[twentyone.Input, int]]]:
    """Every card that can come, and of the options the one that is chosen."""

    def tried(state: Round) -> Iterable[tuple[twentyone.Input, int]]:
        if not isinstance(twentyone.awaits(state), Turn):
            return moves(twentyone, state)
        spot = state.spots[state.turn]
        open_cards = state.dealer[: state.turned]
        return ((choose(spot.hands[state.hand], len(spot.hands), open_cards), 1),)

    return tried


def engine_mean(
    rules: TwentyOneRules, shoe: CardCounts, choose: Choice, stake_cents: int = STAKE_CENTS
) -> Fraction:
    """What the engine pays on average for each unit wagered, every card dealt that can come."""

    def fold(_state: Round, branches: Branches[twentyone.Event, Fraction]) -> Fraction:
        """The mean of what is still to be won or lost from a state on."""
        cards = sum(branch.weight for branch in branches)
        ahead = sum(branch.weight * (won(branch.events) + branch.value) for branch in branches)
        return Fraction(ahead, cards) if cards > 1 else Fraction(ahead)

    def won(events: Sequence[twentyone.Event]) -> int:
        return twentyone.balance(events).players.get("Ann", 0)

    state, events = twentyone.start(rules, [SpotWager(1, "Ann", stake_cents)], shoe)
    ahead = walk(twentyone, state, fold, tried=tried_by(choose), alike=alike)
    return (twentyone.balance(events).players["Ann"] + ahead) / stake_cents


Ending = tuple[str, int, Fraction]
"""(why a wager was paid, taken or returned; doubles of its hand; what it won in first wagers)."""
Endings = dict[Ending, Fraction]


def engine_endings(rules: TwentyOneRules, shoe: CardCounts, choose: Choice) -> dict[Ending, Fraction]:
    """How many hands of a round end in each way on average, by the engine's own events, every card dealt."""

    def fold(_state: Round, branches: Branches[twentyone.Event, Endings]) -> Endings:
        result: Endings = {}
        for likely, branch in by_chance(branches):
            for ending in endings_of(branch.after, branch.events):
                result[ending] = result.get(ending, Fraction(0)) + likely
            for ending, hands in branch.value.items():
                result[ending] = result.get(ending, Fraction(0)) + likely * hands
        return result

    state, _ = twentyone.start(rules, [SpotWager(1, "Ann", STAKE_CENTS)], shoe)
    return walk(twentyone, state, fold, tried=tried_by(choose), alike=alike)


def endings_of(state: Round, events: Iterable[twentyone.Event]) -> Iterator[Ending]:
    """The hands of the first spot that these events end; `state` is the one after them."""
    nets: dict[tuple[int, str], int] = {}
    for event in events:
        if isinstance(event, WagerPaid | WagerTaken | WagerReturned):
            paid = event.payment_cents if isinstance(event, WagerPaid) else 0
            won = paid - (event.stake_cents if isinstance(event, WagerTaken) else 0)
            key = event.hand, event.why
            nets[key] = nets.get(key, 0) + won
    for (hand, why), cents in nets.items():
        yield why, state.spots[0].hands[hand - 1].doubles, Fraction(cents, STAKE_CENTS)
