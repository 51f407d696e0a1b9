"""Knockout 21, the prizes: pools, shares, limits, rounding, and where every cent goes."""

from __future__ import annotations

import pytest

from cardroom.core.cards import parse_cards
from cardroom.core.errors import Conflict
from cardroom.engine.knockout21 import Pool, settle, start
from cardroom.rules.knockout21.accounts import draw_account, game_account
from tests.knockout21_cards import GAME_1, draw, house, ticket

FIRST_CARDS = parse_cards("Th Th Th Th Th")


@pytest.mark.clause("KO21-4.6")
def test_prizes_and_their_ranges() -> None:
    rules = house()
    assert [rules.prizes.prize_cents(1, 0, winners) for winners in (1, 50)] == [10_00, 10_00]
    # 20 % of 400 tickets at $5.00 is a pool of $400.00.
    pool = rules.prizes.pool_cents(2, rules.sales_cents(400))
    assert pool == 400_00
    assert [rules.prizes.prize_cents(2, pool, winners) for winners in (1, 2, 3, 20, 26, 27, 400)] == [
        150_00,
        150_00,
        133_30,
        20_00,
        15_35,
        15_00,
        15_00,
    ]
    pool = rules.prizes.pool_cents(3, rules.sales_cents(2000))
    assert pool == 2000_00
    assert [rules.prizes.prize_cents(3, pool, winners) for winners in (1, 2, 3, 99, 100, 101)] == [
        1000_00,
        1000_00,
        666_65,
        20_20,
        20_00,
        20_00,
    ]


@pytest.mark.clause("KO21-4.6")
def test_a_ticket_may_win_several_games() -> None:
    settled = settle(house(), [ticket(), ticket({GAME_1: "Tc5d"})], draw({GAME_1: "Th9s+9c"}))
    assert settled.prizes_cents == (10_00 + 15_00 + 20_00, 15_00 + 20_00)


@pytest.mark.clause("KO21-4.7")
def test_every_cent_of_a_pool_is_booked() -> None:
    account = game_account(house(), 2, 400, 3)  # $400.00 among 3: $133.33⅓, paid as $133.30
    assert (account.pool_cents, account.prize_cents, account.paid_cents) == (400_00, 133_30, 399_90)
    assert (account.rounding_cents, account.added_cents, account.left_cents) == (10, 0, 0)
    account = game_account(house(), 2, 400, 1)  # held to the greatest share
    assert (account.prize_cents, account.left_cents, account.rounding_cents) == (150_00, 250_00, 0)
    account = game_account(house(), 2, 400, 27)  # $14.81 rounds to $14.80 and is raised to the least share
    assert (account.prize_cents, account.rounding_cents, account.added_cents) == (15_00, 40, 27 * 20)
    account = game_account(house(), 1, 400, 7)
    assert (account.pool_cents, account.added_cents, account.paid_cents) == (0, 70_00, 70_00)


@pytest.mark.clause("KO21-4.7")
def test_a_share_is_rounded_to_the_coin_before_the_limits_are_applied() -> None:
    rules = house(prizes__coin="1.00", prizes__game_2__min="14.50")
    assert rules.prizes.prize_cents(2, 29_80, 2) == 14_50  # $14.90 → $14.00 → $14.50
    rules = house(prizes__game_2__pool_percent="12.5", sales__ticket_price="0.99")
    assert rules.prizes.pool_cents(2, rules.sales_cents(3)) == 37  # 37.125 cents


@pytest.mark.clause("KO21-4.7")
def test_what_the_house_keeps() -> None:
    account = draw_account(house(), 400, {1: 40, 2: 1, 3: 30})
    assert [game.paid_cents for game in account.games] == [400_00, 150_00, 600_00]
    assert account.sales_cents == 2000_00
    assert account.house_cents == 2000_00 - 1150_00
    assert (account.reserve_in_cents, account.reserve_out_cents) == (0, 0)


@pytest.mark.clause("KO21-4.7")
@pytest.mark.parametrize(("reserve", "paid_by_reserve"), [(0, 1_00), (100_00, 101_00), (900_00, 401_00)])
def test_a_pool_reserve_takes_what_is_left_and_pays_what_is_added(reserve: int, paid_by_reserve: int) -> None:
    rules = house(prizes__pool_reserve="surplus")
    # Game 2 leaves $250.00 of its pool. Game 3 rounds $13.33 to $13.30, leaving $1.00, and lacks 30 × $6.70.
    account = draw_account(rules, 400, {1: 40, 2: 1, 3: 30}, reserve_cents=reserve)
    assert (account.reserve_in_cents, account.reserve_out_cents) == (251_00, 201_00)
    assert account.house_cents == 2000_00 - 400_00 - 400_00 - 400_00  # the pools cost the house no cent more
    # Both games lack, $200.00 and $201.00: the reserve pays as far as it goes, the house the rest.
    account = draw_account(rules, 400, {1: 40, 2: 40, 3: 30}, reserve_cents=reserve)
    assert (account.reserve_in_cents, account.reserve_out_cents) == (1_00, paid_by_reserve)
    assert account.house_cents == 2000_00 - 400_00 - 600_00 - 600_00 - 1_00 + paid_by_reserve


def test_a_draw_with_too_few_tickets_is_not_held() -> None:
    rules = house(draws__minimum_tickets=2)
    for attempt in (
        lambda: settle(rules, [ticket()], draw()),
        lambda: start(rules, Pool((ticket(),), FIRST_CARDS)),
    ):
        with pytest.raises(Conflict, match=r"takes at least 2 tickets and this one has 1 \(KO21-3.2\)"):
            attempt()
    assert settle(rules, [ticket()] * 2, draw()).winners[0] == (0, 1)


def test_a_draw_without_tickets_pays_nothing() -> None:
    settled = settle(house(), [], draw())
    assert settled.account.house_cents == settled.account.prizes_cents == 0
    assert settled.lucky_loser_positions == ()
