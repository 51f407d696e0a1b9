"""Knockout 21: whatever the tickets and the cards, money is conserved and texts read back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.core.cards import CARDS, Card
from cardroom.core.errors import MalformedInput
from cardroom.engine.contract import Done
from cardroom.engine.knockout21 import (
    Draw,
    Pool,
    Position,
    Settlement,
    Ticket,
    awaits,
    cards_in_order,
    play,
    settle,
    view,
)
from cardroom.rules import load_rules
from cardroom.rules.knockout21 import GAME_OF_POSITION, GAMES, POSITIONS, Knockout21Rules
from cardroom.rules.knockout21.accounts import game_account
from cardroom.rules.knockout21.law import Choice, dealer_draws
from tests.knockout21_cards import house

CARD = st.sampled_from(CARDS)
RULES = st.sampled_from(
    [
        house(),
        house(game_1_hit="literal", prizes__pool_reserve="surplus"),
        house(prizes__coin="0.07", prizes__game_2__pool_percent="33.3", sales__ticket_price="4.99"),
    ]
)


@st.composite
def tickets(draw: st.DrawFn) -> Ticket:
    hands = draw(st.lists(st.tuples(CARD, CARD), min_size=POSITIONS, max_size=POSITIONS))
    choice = st.sampled_from(Choice)
    return Ticket(tuple(hands), tuple(None if game == 1 else draw(choice) for game in GAME_OF_POSITION))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    dealer: tuple[Card, ...] = ()
    while dealer_draws([card.value for card in dealer]):
        dealer = (*dealer, draw(CARD))
    return Position(dealer, draw(CARD))


DRAWS = st.lists(positions(), min_size=POSITIONS, max_size=POSITIONS).map(lambda made: Draw(tuple(made)))
POOLS = st.lists(tickets(), min_size=1, max_size=4)


@given(tickets())
def test_a_ticket_reads_back_from_its_text_and_its_bytes(ticket: Ticket) -> None:
    assert Ticket.parse(str(ticket)) == ticket
    assert Ticket.from_bytes(ticket.to_bytes()) == ticket
    assert len(ticket.to_bytes()) == 32


@given(DRAWS)
def test_a_draw_reads_back_from_its_text(draw: Draw) -> None:
    assert Draw.parse(str(draw)) == draw
    assert eval(repr(draw), {"Draw": Draw}) == draw


@settings(max_examples=60)
@given(RULES, POOLS, DRAWS, st.integers(0, 10_000_00))
def test_money_is_conserved_to_the_cent(
    rules: Knockout21Rules, pool: list[Ticket], draw: Draw, reserve: int
) -> None:
    settled = settle(rules, pool, draw, reserve_cents=reserve)
    account = settled.account
    assert sum(settled.prizes_cents) == account.prizes_cents
    moved = account.reserve_in_cents - account.reserve_out_cents
    assert account.sales_cents == account.prizes_cents + account.house_cents + moved
    assert 0 <= account.reserve_out_cents <= reserve + account.reserve_in_cents
    for game in account.games:
        spent = game.paid_cents + game.rounding_cents + game.left_cents
        assert game.pool_cents + game.added_cents == spent
        assert min(game.rounding_cents, game.added_cents, game.left_cents) >= 0
        assert not (game.added_cents and game.left_cents)


@given(RULES, st.sampled_from(GAMES), st.integers(1, 5000), st.data())
def test_a_prize_is_in_its_range_and_rounding_is_below_a_coin_for_each(
    rules: Knockout21Rules, game: Any, sold: int, data: st.DataObject
) -> None:
    winners = data.draw(st.integers(1, sold))
    account = game_account(rules, game, sold, winners)
    shared = rules.prizes.shared(game)
    if shared is None:
        assert account.prize_cents == rules.prizes.game_1
        return
    assert shared.min <= account.prize_cents <= shared.max
    assert 0 <= account.rounding_cents < winners * rules.prizes.coin


@settings(max_examples=60)
@given(RULES, POOLS, DRAWS)
def test_there_are_always_winners_and_the_order_of_tickets_does_not_matter(
    rules: Knockout21Rules, pool: list[Ticket], draw: Draw
) -> None:
    settled = settle(rules, pool, draw)
    assert all(winners for winners in settled.winners)
    turned = settle(rules, pool[::-1], draw)
    assert turned.prizes_cents == settled.prizes_cents[::-1]
    assert turned.account == settled.account


@pytest.mark.slow
@settings(max_examples=40)
@given(RULES, POOLS, DRAWS)
def test_replay_gives_the_same_state_and_the_settlement(
    rules: Knockout21Rules, pool: list[Ticket], draw: Draw
) -> None:
    closed = Pool(tuple(pool), draw.first_cards)
    state, events = play(rules, closed, cards_in_order(draw))
    assert isinstance(awaits(state), Done)
    assert (state, events) == play(rules, closed, cards_in_order(state.draw))
    settlement: Settlement | None = state.settlement
    assert settlement == settle(rules, pool, draw)


@given(POOLS, DRAWS)
def test_a_ticket_that_is_not_there_sees_nothing(pool: list[Ticket], draw: Draw) -> None:
    state, _ = play(house(), Pool(tuple(pool), draw.first_cards), ())
    with pytest.raises(MalformedInput, match="there is no ticket"):
        view(state, len(pool))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "15 hands and as many choices, not 0 and 0"),
        ("Ah7c " * 15, "hand 1 of Game 2 needs a choice"),
        ("Ah7c:H " * 15, "hand 1 of Game 1 asks nothing"),
        ("Ah7c:X", "':X' is not|is not a hand"),
        ("Ah7", "is not a card"),
    ],
)
def test_what_is_not_a_ticket_is_refused(text: str, message: str) -> None:
    with pytest.raises(Exception, match=message) as raised:
        Ticket.parse(text)
    assert raised.type.__module__ == "cardroom.core.errors"


@pytest.mark.parametrize("data", [b"", bytes(31), bytes([52]) + bytes(31), bytes(31) + b"\x80"])
def test_bytes_that_are_no_ticket_are_refused(data: bytes) -> None:
    with pytest.raises(MalformedInput):
        Ticket.from_bytes(data)
    assert Ticket.from_bytes(bytes(32)).choices[4:] == (Choice.STAND,) * 11


@pytest.mark.parametrize("text", ["ThTs", "Th7s+", "ThTs+2c", "x"])
def test_what_is_not_a_draw_is_refused(text: str) -> None:
    with pytest.raises(MalformedInput):
        Draw.parse(text)


# House rules


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"timezone": "Mars/Olympus"}, "not the name of a time zone"),
        ({"draws.first": "25:00"}, 'hours and minutes, such as "11:21"'),
        ({"draws.first": "23:30"}, "draws.first is later than draws.last"),
        ({"sales.closes": "05:00"}, "are not in order"),
        ({"prizes.game_2.min": "200.00"}, "least share of a prize is above the greatest"),
        ({"prizes.game_2.pool_percent": 101}, "less than or equal to 100"),
        ({"draws.minimum_tickets": -1}, "greater than or equal to 0"),
        ({"game_1_hit": "soft"}, "is not allowed; allowed: 'ace-keeps-value' or 'literal'"),
        ({"prizes.pool_reserve": "all"}, "is not allowed; allowed: 'none' or 'surplus'"),
        ({"prizes.game_4": 1}, "unknown option 'prizes.game_4'"),
    ],
)
def test_house_rules_that_cannot_be(changes: dict[str, object], message: str) -> None:
    with pytest.raises(MalformedInput, match=message):
        load_rules("knockout-21", changes)


def test_equal_house_rules_have_one_text() -> None:
    same = house(prizes__game_2__pool_percent="20.0", sales__opens="6:00")
    assert same.rules_hash == house().rules_hash
    assert house(prizes__game_2__pool_percent=12.5).flat()["prizes.game_2.pool_percent"] == "12.5"
    assert {clause.partition("-")[0] for _, _, clause in house().sentences()} == {"KO21"}
    assert len(house().sentences()) == len(house().flat()) - 3  # all but game, title and currency
