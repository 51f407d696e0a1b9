"""Laws of a table over whatever people do: money, cards, the log, offers kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from cardroom.core.errors import CardroomError
from cardroom.engine import twentyone
from cardroom.fair import verify_record
from cardroom.lab.shuffle import compare
from cardroom.table.twentyone import (
    Act,
    ChangeDealer,
    ClearWagers,
    FairDealer,
    Leave,
    Phase,
    PlaceWagers,
    ProcedureDealer,
    ReleaseSpot,
    Request,
    Sit,
    StartRound,
    Table,
    TakeSpot,
    Wait,
    dealer_cut_range,
    format_request,
    parse_request,
    player_cut_range,
)
from cardroom.table.twentyone.procedure import cut, plug, riffle, shuffle_piles, wash
from tests.tables import GAMES, all_cards, rules_of

NAMES = st.sampled_from(["Ann", "Bob", "Cid", "Dan"])
SPOTS = st.integers(0, 8)
CENTS = st.sampled_from([-100, 0, 100, 300, 350, 400, 1000, 2500, 60_000])
SIDE = st.dictionaries(
    st.sampled_from(["match-up", "match-down", "monster-match-1", "21+3", "match-the-dealer"]),
    st.sampled_from([100, 200, 400]),
    max_size=3,
)
SAID = st.sampled_from(
    ["stand", "hit", "double", "split", "surrender", "rescue", "no insurance", "insure 2", "even money", "?"]
)
REQUESTS: st.SearchStrategy[Request] = st.one_of(
    st.builds(Sit, NAMES),
    st.builds(Leave, NAMES),
    st.builds(Wait, NAMES),
    st.builds(TakeSpot, NAMES, SPOTS),
    st.builds(ReleaseSpot, NAMES, SPOTS),
    st.builds(PlaceWagers, NAMES, SPOTS, CENTS, SIDE),
    st.builds(ClearWagers, NAMES, SPOTS),
    st.builds(Act, NAMES, SPOTS, SAID),
    st.builds(ChangeDealer, NAMES, st.booleans()),
    st.just(StartRound()),
)


class TablesInUse(RuleBasedStateMachine):
    """Anything may be asked at any time."""

    @initialize(
        game=st.sampled_from(GAMES),
        decks=st.sampled_from([1, 2, 6]),
        seed=st.integers(0, 2**32),
        procedure=st.booleans(),
    )
    def open(self, game: str, decks: int, seed: int, procedure: bool) -> None:
        self.house = rules_of(game, {"decks": decks, "limits.max": "500.00"})
        self.kind = ProcedureDealer if procedure else FairDealer
        self.seed = seed
        self.table = Table(self.house, self.kind(repeatable=seed))
        self.table.open()
        for spot, name in enumerate(("Ann", "Bob"), 1):
            self.table.sit(name, 40_000)
            self.table.take_spot(name, spot)
        self.brought = {"Ann": 40_000, "Bob": 40_000}
        self.table.new_shoe(player="Ann")

    @rule(name=NAMES, cents=st.sampled_from([100, 2500, 60_000]))
    def bring_chips(self, name: str, cents: int) -> None:
        self.table.chips.add(name, cents)
        self.brought[name] = self.brought.get(name, 0) + cents

    @rule(request=REQUESTS)
    def ask(self, request: Request) -> None:
        before = self.table.state
        try:
            self.table.do(request)
        except CardroomError:
            assert self.table.state is before

    @precondition(lambda self: self.table.state.phase is Phase.SHUFFLE)
    @rule(data=st.data())
    def shuffle(self, data: st.DataObject) -> None:
        players, dealers = player_cut_range(self.house), dealer_cut_range(self.house)
        self.table.new_shoe(
            cut_cards=data.draw(st.integers(players.least, players.most)),
            end=data.draw(st.sampled_from(["front", "back"])),
            cut_card=data.draw(st.integers(dealers.least, dealers.most)),
        )

    @precondition(lambda self: self.table.state.phase is Phase.WAGERS)
    @rule(
        stake=st.sampled_from([400, 1000]),
        choices=st.lists(st.integers(0, 20), min_size=1),
        stops=st.booleans(),
    )
    def play(self, stake: int, choices: list[int], stops: bool) -> None:
        """A round, or the beginning of one; every option that is offered is accepted."""
        for spot, owner in self.table.state.owners.items():
            if spot not in self.table.state.circles and self.table.view(owner).free_cents >= stake:
                self.table.place_wagers(owner, spot, stake)
        if self.table.state.circles:
            self.table.do(StartRound())
            self.go_on(choices, stops)

    @precondition(lambda self: self.table.state.in_round)
    @rule(choices=st.lists(st.integers(0, 20), min_size=1), stops=st.booleans())
    def go_on(self, choices: list[int], stops: bool) -> None:
        """What is awaited comes."""
        taken = 0
        while self.table.state.in_round and not (stops and taken > len(choices)):
            self.table.deal()
            if self.table.state.in_round:
                awaited = self.table.view().awaits
                assert awaited.player is not None
                assert awaited.spot is not None
                option = awaited.options[choices[taken % len(choices)] % len(awaited.options)]
                self.table.act(awaited.player, awaited.spot, str(option))
                taken += 1

    @rule()
    def crowd(self) -> None:
        """Ann takes all spots that are left, and Dan comes and waits."""
        for spot in range(1, self.house.procedure.spots + 1):
            if self.table.why_not(TakeSpot("Ann", spot)) is None:
                self.table.take_spot("Ann", spot)
        if "Dan" not in self.table.state.players:
            self.table.sit("Dan", 5_000)
            self.brought["Dan"] = self.brought.get("Dan", 0) + 5_000
        if self.table.why_not(Wait("Dan")) is None:
            self.table.wait("Dan")

    @invariant()
    def money_is_conserved(self) -> None:
        state = self.table.state
        assert sum(state.accounts.values()) == 0
        assert all(
            cents >= 0 for account, cents in state.accounts.items() if account.startswith(("meter:", "table"))
        )
        on_table = state.round.on_table_cents if state.in_round and state.round is not None else 0
        assert state.accounts.get("table", 0) == on_table
        assert all(self.table.view(player).free_cents >= 0 for player in state.players)
        won = sum(self.table.chips.cents(player) - brought for player, brought in self.brought.items())
        assert won == state.accounts.get("purses", 0)
        for wager, meter in state.meters.items():
            assert meter.shown_cents == state.accounts[f"meter:{wager}"]

    @invariant()
    def no_card_is_lost(self) -> None:
        if not self.table.state.in_round:
            assert all_cards(self.table) == Counter(self.house.shoe().cards())

    @invariant()
    def people_are_where_they_are_once(self) -> None:
        state = self.table.state
        assert set(state.owners.values()) <= set(state.players)
        assert set(state.waiting) <= set(state.players) - set(state.owners.values())
        if state.waiting and not state.in_round:
            assert all(len(state.spots_of(player)) <= 2 for player in state.players)
            assert len(state.owners) == self.house.procedure.spots

    def teardown(self) -> None:
        if not hasattr(self, "table"):
            return
        again = Table.restore(self.house, self.table.log.lines, self.kind(repeatable=self.seed))
        assert again.state == self.table.state
        assert all(verify_record(record).holds for record in self.table.records)


TestTablesInUse = pytest.mark.slow(pytest.mark.requirement("R-44", "R-48", "R-43")(TablesInUse.TestCase))
TestTablesInUse.settings = settings(max_examples=80, stateful_step_count=30)


@given(REQUESTS)
def test_a_request_parses_back(request: Request) -> None:
    assert parse_request(format_request(request)) == request


@given(st.integers(8, 120), st.integers(1, 60), st.integers(0, 2**32), st.data())
@settings(max_examples=50)
def test_hands_lose_no_card(size: int, deck: int, seed: int, data: st.DataObject) -> None:
    state = seed

    def below(bound: int) -> int:
        nonlocal state
        state = (6364136223846793005 * state + 1442695040888963407) % 2**64
        return (state >> 33) % bound

    cards = list(range(size))
    part = data.draw(st.integers(0, size))
    depth = data.draw(st.integers(1, size - 1))
    for moved in (
        wash(cards, below),
        plug(cards[part:], cards[:part], below),
        riffle(cards[:part], cards[part:], below),
        shuffle_piles(cards, deck, below),
        cut(cards, depth, "front"),
        cut(cards, depth, "back"),
    ):
        assert sorted(moved) == cards
        assert all(measure.variance > 0 for measure in compare([moved]))


@given(st.sampled_from(GAMES), st.integers(0, 2**32))
@settings(max_examples=20)
def test_a_view_tells_nothing_of_what_lies_face_down(game: str, seed: int) -> None:
    """The same table with another hole card looks the same from every seat."""
    table = Table(rules_of(game), FairDealer(repeatable=seed))
    table.open()
    table.sit("Ann", 40_000)
    table.take_spot("Ann", 1)
    table.new_shoe()
    table.place_wagers("Ann", 1, 400)
    table.deal()
    if not table.state.in_round:
        return
    shown = table.view("Ann")
    game_now = table.state.round
    assert game_now is not None
    for card, _ in twentyone.unseen_hole(game_now)[::7]:
        table.state = replace(table.state, round=twentyone.with_hole(game_now, card))
        assert table.view("Ann") == shown
