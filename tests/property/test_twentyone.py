"""What holds in every round of the blackjack family, whatever the house, the cards and the players do."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from cardroom.core.cards import CARDS, Card
from cardroom.core.decks import DECKS, CardCounts
from cardroom.core.errors import IllegalAction, MalformedInput
from cardroom.engine import twentyone
from cardroom.engine.twentyone import (
    Action,
    CardAwaited,
    CardDealt,
    ChangeWager,
    DeclineInsurance,
    Done,
    DoubleFaceDown,
    DoubleFor,
    EvenMoney,
    Event,
    Insure,
    Request,
    Round,
    SpotWager,
    Turn,
    WagerBetweenPlayers,
)
from cardroom.rules.bets import shelf_names
from cardroom.rules.loader import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from tests.engines import ENGINES, leaks_nothing
from tests.twentyone import GAMES, WIDE

NAMES = ("Ann", "Bob", "Cid O'Dea", 'D "Q" É')
AMOUNTS = st.integers(-100, 60_000)

REQUESTS: st.SearchStrategy[Request] = st.one_of(
    st.sampled_from(Action),
    st.just(DeclineInsurance()),
    st.just(EvenMoney()),
    st.just(DoubleFaceDown()),
    st.builds(Insure, AMOUNTS),
    st.builds(DoubleFor, AMOUNTS),
    st.builds(ChangeWager, st.sampled_from(["primary", *shelf_names()]), AMOUNTS),
    st.builds(WagerBetweenPlayers, st.sampled_from(NAMES), AMOUNTS),
)


@st.composite
def houses(draw: st.DrawFn) -> TwentyOneRules:
    """One of the three games with any of its options changed."""
    changes: dict[str, object] = dict(WIDE)
    choices: dict[str, list[object]] = {
        "decks": [1, 6, "infinite"],
        "dealer_hits_soft_17": [True, False],
        "surrender": ["none", "late"],
        "hole_card": ["dealt", "unseen", "none"],
        "dealer_blackjack_takes": ["all", "original"],
        "split.never": [["10"], ["4", "5", "A"]],
        "split.once": [["8"]],
        "charlie": ["none", 5, 6, 7],
        "dealer_22_pushes": [True, False],
        "rounding": ["cents", "chip"],
        "blackjack_pays": ["3:2", "6:5"],
        "blackjack_always_wins": [True, False],
        "player_21_always_wins": [True, False],
        "split.max_hands": [1, 2, 3, 4],
        "split.unlike_tens": [True, False],
        "split.resplit_aces": [True, False],
        "split.hit_aces": [True, False],
        "split.double_aces": [True, False],
        "split.blackjack_total_stands": [True, False],
        "double.on": ["two_cards", "any_cards"],
        "double.totals": ["any", "9-11", "10-11"],
        "double.after_split": [True, False],
        "double.max_doubles": [1, 2, 3],
        "double.capped_at_maximum": [True, False],
        "double.rescue": ["none", "original", "before-last-double"],
        "insurance.offered": [True, False],
        "insurance.on_paid_blackjack": [True, False],
        "insurance.even_money": [True, False],
        "bonus_21.on_split_hands": [True, False],
    }
    for key in draw(st.sets(st.sampled_from(sorted(choices)), max_size=6)):
        changes[key] = draw(st.sampled_from(choices[key]))
    if changes.get("dealer_blackjack_takes") == "original" and changes.get("hole_card") != "none":
        changes["hole_card"] = "unseen"
    return load_rules_as(TwentyOneRules, draw(st.sampled_from(GAMES)), changes)


@st.composite
def openings(draw: st.DrawFn) -> tuple[TwentyOneRules, list[SpotWager], CardCounts | None, CardCounts]:
    """A house, wagers that it takes, and a full shoe or a handful of cards that may run out."""
    rules = draw(houses())
    wagers = []
    for spot in sorted(draw(st.sets(st.integers(1, 7), min_size=1, max_size=3))):
        stake = 100 * draw(st.sampled_from([1, 3, 4, 5, 24, 25, 300, 500]))
        side = {}
        for wager in draw(st.sets(st.sampled_from(rules.offered_side_bets))):
            bet = rules.side_bets[wager]
            least = max(int(rules.limits.side_min), 100)
            cents = bet.fixed_stake_cents or draw(st.sampled_from([least, least + 100]))
            if bet.stake != "at_most_primary" or cents <= stake:
                side[wager] = cents
        if "match-down" in side and "match-up" not in side:
            del side["match-down"]
        wagers.append(SpotWager(spot, draw(st.sampled_from(NAMES)), stake, side))
    cards = st.lists(st.sampled_from(DECKS[rules.deck]), max_size=18)
    small = draw(st.booleans()) and rules.decks != "infinite"
    shoe = CardCounts.of_cards(draw(cards)) if small else None
    return rules, wagers, shoe, CardCounts.of_cards(draw(cards))


class RoundMachine(RuleBasedStateMachine):
    """A round driven by any cards and any requests, with what must hold checked after every step."""

    state: Round
    events: list[Event]

    @initialize(opening=openings())
    def sit_down(self, opening: Any) -> None:
        rules, wagers, shoe, discards = opening
        self.state, events = twentyone.start(rules, wagers, shoe, discards=discards)
        self.events = list(events)

    def step(self, asked: twentyone.Input) -> None:
        self.state, events = twentyone.step(self.state, asked)
        self.events += events

    @property
    def awaited(self) -> CardAwaited | Turn | Done:
        return twentyone.awaits(self.state)

    @precondition(lambda self: isinstance(self.awaited, CardAwaited))
    @rule(data=st.data())
    def deal(self, data: st.DataObject) -> None:
        outcomes = twentyone.chance(self.state)
        assert all(weight > 0 for _, weight in outcomes)
        self.step(data.draw(st.sampled_from([card for card, _ in outcomes])))

    @precondition(lambda self: isinstance(self.awaited, Turn))
    @rule(data=st.data())
    def decide(self, data: st.DataObject) -> None:
        assert isinstance(self.awaited, Turn)
        option = data.draw(st.sampled_from(self.awaited.options))
        if isinstance(option, Insure):
            # The option stands for any whole chips up to its amount.
            chips = data.draw(st.integers(1, max(1, option.stake_cents // 100)))
            option = Insure(min(option.stake_cents, 100 * chips))
        assert twentyone.why_not(self.state, option) is None
        self.step(option)

    @rule(asked=st.one_of(REQUESTS, st.sampled_from(CARDS)))
    def ask_for_anything(self, asked: twentyone.Input) -> None:
        """What is offered is accepted, and what is not offered is refused with a clause; nothing moves."""
        refusal = twentyone.why_not(self.state, asked)
        assert (refusal is None) is self.is_offered(asked), (asked, refusal)
        before = self.state
        if refusal is None:
            twentyone.step(self.state, asked)
        else:
            assert refusal.clause
            with pytest.raises(IllegalAction):
                twentyone.step(self.state, asked)
        assert self.state == before

    def is_offered(self, asked: twentyone.Input) -> bool:
        awaited = self.awaited
        if isinstance(asked, Card):
            return asked in [card for card, _ in twentyone.chance(self.state)]
        if not isinstance(awaited, Turn):
            return False
        match asked:
            case Insure(cents):
                most = [option.stake_cents for option in awaited.options if isinstance(option, Insure)]
                return bool(most) and (cents == most[0] or (0 < cents < most[0] and cents % 100 == 0))
            case DoubleFor(cents):
                if Action.DOUBLE not in awaited.options:
                    return False
                _, events = twentyone.step(self.state, Action.DOUBLE)
                (added,) = [e.added_cents for e in events if isinstance(e, twentyone.WagerAdded)]
                return cents == added
            case _:
                return asked in awaited.options

    @invariant()
    def money_is_conserved(self) -> None:
        total = twentyone.balance(self.events)
        assert total.total_cents == 0
        assert total.table_cents == self.state.on_table_cents
        moved = {wager: now - before for (wager, now), (_, before) in self.meters()}
        assert {wager: cents for wager, cents in total.meters.items() if cents} == {
            wager: cents for wager, cents in moved.items() if cents
        }
        by_wager: dict[str, int] = dict.fromkeys(total.players, 0)
        for (player, _), cents in twentyone.net_by_wager(self.events).items():
            by_wager[player] += cents
        assert by_wager == total.players
        if isinstance(self.awaited, Done):
            assert total.table_cents == 0

    def meters(self) -> Any:
        return zip(self.state.meters, self.state.opening.meters, strict=True)

    @invariant()
    def cards_are_where_they_should_be(self) -> None:
        dealt = [each for each in self.state.inputs if isinstance(each, Card)]
        on_table = [card for spot in self.state.spots for hand in spot.hands for card in hand.cards]
        assert sorted(dealt) == sorted([*on_table, *self.state.dealer])
        if self.state.rules.decks != "infinite":
            assert self.state.left == self.state.undealt.total

    @invariant()
    def views_hide_what_is_face_down(self) -> None:
        for seat in (1, 4, 7):
            seen = twentyone.view(self.state, seat)
            assert seen.dealer[self.state.turned :] == (None,) * (len(self.state.dealer) - self.state.turned)
        up = {e.card for e in self.events if isinstance(e, CardDealt) and e.spot is None}
        lie_down_first = 1 if self.state.rules.hole_card == "none" else 2
        assert up - {None} == set(self.state.dealer[lie_down_first : self.state.turned])

    @invariant()
    def another_hole_card_looks_the_same(self) -> None:
        leaks_nothing(ENGINES[self.state.rules.game], self.state, Random(0), seats=(1, 2))

    @invariant()
    def the_text_replays_to_the_same_state_and_events(self) -> None:
        text = twentyone.format_round(self.state)
        assert twentyone.replay(text) == (self.state, tuple(self.events))
        assert twentyone.format_round(twentyone.parse_round(text)) == text

    def teardown(self) -> None:
        if not hasattr(self, "state"):
            return
        for _ in range(200):
            awaited = self.awaited
            if isinstance(awaited, Done):
                break
            self.step(
                twentyone.chance(self.state)[0][0] if isinstance(awaited, CardAwaited) else awaited.options[0]
            )
        assert isinstance(self.awaited, Done)
        self.money_is_conserved()


TestRounds = pytest.mark.slow(RoundMachine.TestCase)
TestRounds.settings = settings(max_examples=30, stateful_step_count=30)


@pytest.mark.parametrize("text", ["", "game blackjack", "nonsense"])
def test_what_is_no_round_is_refused(text: str) -> None:
    with pytest.raises(MalformedInput):
        twentyone.parse_round(text)
