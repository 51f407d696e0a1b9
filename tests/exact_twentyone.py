"""The engine's tree walked under a strategy of the solver: the exact mean of what a round brings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from cardroom.core.cards import Card
from cardroom.core.decks import CardCounts
from cardroom.engine import twentyone
from cardroom.engine.twentyone import Action, CardAwaited, Done, Round, SpotWager
from cardroom.engine.twentyone.events import WagerPaid, WagerReturned, WagerTaken
from cardroom.engine.twentyone.state import Hand
from cardroom.exact.twentyone.solver import Solver
from cardroom.model.twentyone.automaton import START
from cardroom.rules.twentyone import TwentyOneRules

STAKE_CENTS = 1000
Choice = Callable[[Hand, int, Card], Action]
"""(hand, number of hands, up card) → what is done."""


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


def alike(state: Round) -> object:
    """The same for all states of a round with one spot from which the same can follow with the same chances.

    The order of a hand's cards does not matter, nor the cards of a hand that is decided, nor in which order
    hands were played that wait for the dealer.
    """
    (spot,) = state.spots
    hands = [
        (sorted(hand.cards), hand.stake_cents, hand.doubles, hand.from_split, hand.status)
        if hand.is_open
        else ([], 0, 0, False, "decided")
        for hand in spot.hands
    ]
    return repr(
        (
            state.phase,
            state.dealer[:1],
            sorted(state.dealer[1:]),
            state.turned,
            state.looked,
            state.to_deal,
            state.hand,
            sorted(hands[: state.hand]),
            hands[state.hand :],
            state.options,
            sorted(state.dealt),
        )
    )


def engine_mean(
    rules: TwentyOneRules, shoe: CardCounts, choose: Choice, stake_cents: int = STAKE_CENTS
) -> Fraction:
    """What the engine pays on average for each unit wagered, every card dealt that can come."""
    found: dict[object, Fraction] = {}

    def mean(state: Round) -> Fraction:
        """The mean of what is still to be won or lost from a state on."""
        key = alike(state)
        if key not in found:
            found[key] = branch(state)
        return found[key]

    def after(state: Round, asked: twentyone.Input) -> Fraction:
        following, events = twentyone.step(state, asked)
        return Fraction(twentyone.balance(events).players.get("Ann", 0)) + mean(following)

    def branch(state: Round) -> Fraction:
        awaited = twentyone.awaits(state)
        if isinstance(awaited, Done):
            return Fraction(0)
        if isinstance(awaited, CardAwaited):
            weights = dict(twentyone.chance(state))
            total = sum(weights.values())
            return sum((Fraction(n, total) * after(state, card) for card, n in weights.items()), Fraction(0))
        spot = state.spots[state.turn]
        assert state.up is not None
        return after(state, choose(spot.hands[state.hand], len(spot.hands), state.up))

    state, events = twentyone.start(rules, [SpotWager(1, "Ann", stake_cents)], shoe)
    return (twentyone.balance(events).players["Ann"] + mean(state)) / stake_cents


Ending = tuple[str, int, Fraction]
"""(why a wager was paid, taken or returned; doubles of its hand; what it won in first wagers)."""


def engine_endings(rules: TwentyOneRules, shoe: CardCounts, choose: Choice) -> dict[Ending, Fraction]:
    """How many hands of a round end in each way on average, by the engine's own events, every card dealt."""
    found: dict[object, dict[Ending, Fraction]] = {}

    def endings(state: Round) -> dict[Ending, Fraction]:
        key = alike(state)
        if key not in found:
            found[key] = branch(state)
        return found[key]

    def after(state: Round, asked: twentyone.Input) -> dict[Ending, Fraction]:
        following, events = twentyone.step(state, asked)
        result = dict(endings(following))
        for ending in endings_of(following, events):
            result[ending] = result.get(ending, Fraction(0)) + 1
        return result

    def branch(state: Round) -> dict[Ending, Fraction]:
        awaited = twentyone.awaits(state)
        if isinstance(awaited, Done):
            return {}
        if isinstance(awaited, CardAwaited):
            weights = dict(twentyone.chance(state))
            total = sum(weights.values())
            result: dict[Ending, Fraction] = {}
            for card, number in weights.items():
                for ending, hands in after(state, card).items():
                    result[ending] = result.get(ending, Fraction(0)) + Fraction(number, total) * hands
            return result
        spot = state.spots[state.turn]
        assert state.up is not None
        return after(state, choose(spot.hands[state.hand], len(spot.hands), state.up))

    state, _ = twentyone.start(rules, [SpotWager(1, "Ann", STAKE_CENTS)], shoe)
    return endings(state)


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
