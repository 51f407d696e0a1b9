"""Knockout 21: the fast settlement equals the readable one, and simulation and exact chances agree."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random

import numpy as np
import pytest

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.engine.knockout21 import Draw, Ticket, settle
from cardroom.exact.knockout21.chain import (
    EXACT_TICKETS,
    MOST_TICKETS,
    winners,
    winners_in_fractions,
    winners_of_many,
)
from cardroom.exact.knockout21.chances import chances, hand_classes, value_chance
from cardroom.exact.knockout21.draw_figures import expected_house_cents, picture, prizes_by_winners
from cardroom.exact.knockout21.waiting import waiting
from cardroom.lab.few_tickets import few_tickets, tickets_to_break_even
from cardroom.lab.knockout21 import curve, findings
from cardroom.rules.knockout21 import GAMES, Game, Knockout21Rules
from cardroom.rules.knockout21.accounts import game_account
from cardroom.sim.knockout21.settlement import (
    TICKETS_PER_CHUNK,
    DrawnValues,
    check_pool,
    pool_of,
    random_pool,
    settle_pool,
    simulate_winners,
)
from tests.knockout21_cards import draw, house, random_draw, random_ticket, ticket

POOLS = 4_000
"""bench/knockout21.py compares a hundred thousand."""
SIGMAS = 5


def drawn(cards: Draw) -> DrawnValues:
    return [([card.value for card in each.dealer], each.hit.value) for each in cards.positions]


def assert_same(rules: Knockout21Rules, tickets: list[Ticket], cards: Draw, *, reserve_cents: int = 0) -> int:
    """Settle both ways; how many hands had Lucky Losers."""
    readable = settle(rules, tickets, cards, reserve_cents=reserve_cents)
    pool = pool_of(each.to_bytes() for each in tickets)
    fast = settle_pool(rules, pool, drawn(cards), reserve_cents=reserve_cents)
    assert fast.account == readable.account
    assert fast.prizes_cents.tolist() == list(readable.prizes_cents)
    assert fast.lucky_loser_positions == readable.lucky_loser_positions
    for game in GAMES:
        assert np.flatnonzero(fast.won >> (game - 1) & 1).tolist() == list(readable.winners[game - 1])
    return len(readable.lucky_loser_positions)


# The fast settlement


def test_random_pools_are_settled_alike() -> None:
    chance = Random(21)
    lucky = 0
    variants = [
        house(),
        house(game_1_hit="literal"),
        house(prizes__pool_reserve="surplus", prizes__coin="0.25", prizes__game_2__pool_percent="33.3"),
    ]
    for number in range(POOLS):
        cards = random_draw(chance)
        tickets = [
            random_ticket(chance, overrides=chance.choice((0.0, 0.3)), first_cards=cards.first_cards)
            for _ in range(chance.choice((1, 1, 2, 3, 5, 9)))
        ]
        rules = variants[number % len(variants)]
        lucky += assert_same(rules, tickets, cards, reserve_cents=chance.randrange(5000))
    assert lucky > POOLS  # more than a hand a pool


def test_hands_in_which_all_bust_are_settled_alike() -> None:
    hitting_16 = ticket(rest="Tc6d:H")
    for cards in (draw(rest="Th6sTd+Kc"), draw(rest="ThAs+9c"), draw(rest="Th7s+Ac")):
        for tickets in ([hitting_16], [hitting_16] * 3, [hitting_16, ticket(), ticket(rest="AcKd:S")]):
            assert_same(house(), tickets, cards)
    assert assert_same(house(), [hitting_16] * 2, draw(rest="AhKs+Kc")) == 15


def test_no_ticket_at_all_is_settled_alike() -> None:
    assert assert_same(house(), [], draw()) == 0


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_large_pools_come_out_the_same_for_any_number_of_workers(workers: int) -> None:
    rules, cards = house(), random_draw(Random(5))
    pool = random_pool(2 * TICKETS_PER_CHUNK + 77, [card.value for card in cards.first_cards], seed=9)
    settled = settle_pool(rules, pool, drawn(cards), workers=workers)
    counts = Counter(settled.won.tolist())
    assert [game.winners for game in settled.account.games] == [
        sum(number for bits, number in counts.items() if bits >> bit & 1) for bit in range(3)
    ]
    assert int(settled.prizes_cents.sum()) == settled.account.prizes_cents
    part = slice(TICKETS_PER_CHUNK - 20, TICKETS_PER_CHUNK + 20)  # across a seam
    for row, bits in zip(pool[part], settled.won[part], strict=True):
        alone = Ticket.from_bytes(row.tobytes())
        others = ticket(rest="AcKd:S")
        if bits:  # beside a ticket that never loses, a winner is a winner by itself
            game = int(bits).bit_length()
            assert settle(rules, [alone, others], cards).winners[game - 1][0] == 0


def test_what_is_not_a_pool_or_too_small_is_refused() -> None:
    with pytest.raises(MalformedInput, match="rows of 32 bytes"):
        check_pool(np.zeros((2, 31), dtype=np.uint8))
    with pytest.raises(MalformedInput, match="below 52"):
        check_pool(np.full((1, 32), 52, dtype=np.uint8))
    with pytest.raises(MalformedInput, match="15 positions, not 14"):
        settle_pool(house(), pool_of([]), drawn(draw())[1:])
    with pytest.raises(Conflict, match="at least 3 tickets and this one has 1"):
        settle_pool(house(draws__minimum_tickets=3), pool_of([ticket().to_bytes()]), drawn(draw()))


# Random tickets


def test_random_tickets_follow_the_charts_and_have_all_cards_alike() -> None:
    cards = random_draw(Random(7))
    pool = random_pool(20_000, [card.value for card in cards.first_cards], seed=4)
    for row in pool[:300]:
        dealt = Ticket.from_bytes(row.tobytes())
        assert dealt == Ticket.basic(dealt.hands, cards.first_cards)
    counts = np.bincount(pool[:, :30].ravel(), minlength=52)
    expected = pool.shape[0] * 30 / 52
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    assert abs(chi_square - 51) < SIGMAS * sqrt(2 * 51)
    assert not np.array_equal(pool, random_pool(20_000, [1] * 5, seed=5))


# Simulation and exact chances


@pytest.mark.parametrize(
    ("tickets", "draws", "reading"),
    [
        (1, 200, "ace-keeps-value"),
        (3, 60_000, "ace-keeps-value"),
        (3, 60_000, "literal"),
        (40, 20_000, "literal"),
    ],
)
def test_simulated_winners_are_distributed_as_computed(tickets: int, draws: int, reading: str) -> None:
    rules = house(game_1_hit=reading)
    simulated = simulate_winners(rules, tickets, draws, seed=11)
    for game in GAMES:
        exact = winners(rules, game, tickets).probabilities
        counts = np.bincount(simulated[:, game - 1], minlength=tickets + 1)
        for number, probability in enumerate(exact):
            error = sqrt(max(probability * (1 - probability), 0.0) / draws)
            assert abs(counts[number] / draws - probability) <= SIGMAS * error + 1e-12, (game, number)


@pytest.mark.parametrize(("tickets", "draws"), [(200, 10_000), (5_000, 500)])
def test_simulated_payments_are_those_computed(tickets: int, draws: int) -> None:
    rules = house()
    simulated = simulate_winners(rules, tickets, draws, seed=12)
    prizes = [prizes_by_winners(rules, game, tickets) for game in GAMES]
    paid = sum(simulated[:, game - 1] * prizes[game - 1][simulated[:, game - 1]] for game in GAMES)
    assert isinstance(paid, np.ndarray)
    whole = picture(rules, tickets=tickets)
    error = whole.liability.standard_deviation_cents / sqrt(draws)
    assert abs(float(paid.mean()) - whole.liability.expected_cents) < SIGMAS * error
    for cents in (whole.sales_cents // 2, whole.sales_cents):
        above = whole.liability.chance_above(cents)
        assert abs(float((paid > cents).mean()) - above) < SIGMAS * sqrt(above * (1 - above) / draws)


# Exact chances by different methods


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("reading", ["ace-keeps-value", "literal"])
def test_double_precision_against_fractions(game: Game, reading: str) -> None:
    rules = house(game_1_hit=reading)
    for tickets in (4, 5, 7):
        exact = [float(chance) for chance in winners_in_fractions(rules, game, tickets)]
        assert winners(rules, game, tickets).probabilities == pytest.approx(exact, abs=1e-14)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("reading", ["ace-keeps-value", "literal"])
def test_many_tickets_against_the_exact_chain(game: Game, reading: str) -> None:
    rules = house(game_1_hit=reading)
    exact = winners(rules, game, 2000)
    # So that the method for many has something to do, it hands over to the chain at 600 tickets only.
    many = winners_of_many(hand_classes(rules.game_1_hit, game), game, 2000, many=600)
    assert exact.error == 0
    assert 0 < many.error < 1e-6
    assert float(np.abs(exact.probabilities - many.probabilities).sum()) / 2 < many.error
    assert many.without_lucky_losers == pytest.approx(exact.without_lucky_losers, abs=many.error)


def test_the_stated_error_holds_when_the_step_is_halved() -> None:
    classes = hand_classes("ace-keeps-value", 1)
    whole = winners_of_many(classes, 1, 100_000)
    half = winners_of_many(classes, 1, 100_000, step=2.5e-5)
    assert float(np.abs(whole.probabilities - half.probabilities).sum()) / 2 < whole.error < 1e-6
    assert whole.probabilities.min() > -1e-20
    assert float(whole.probabilities.sum()) == pytest.approx(1, abs=whole.error)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("reading", ["ace-keeps-value", "literal"])
def test_many_tickets_never_lose_a_hand_together_unless_nobody_can_win_it(game: Game, reading: str) -> None:
    wins = [each.win for each in hand_classes(house(game_1_hit=reading).game_1_hit, game) if each.win]
    assert float(min(wins)) > 0.047


def test_figures_join_where_the_method_changes() -> None:
    rules = house()
    below, above = (picture(rules, tickets=EXACT_TICKETS + more) for more in (0, 1))
    assert (below.method, above.method) == ("exact", "approximate")
    assert above.return_to_player == pytest.approx(below.return_to_player, rel=1e-4)


@pytest.mark.parametrize("reading", ["ace-keeps-value", "literal"])
def test_many_tickets_come_near_to_the_odds_among_many(reading: str) -> None:
    """By the chain of a million tickets; Lucky Losers of a hand that some can win are then unheard of."""
    rules = house(game_1_hit=reading)
    limit = chances(rules)
    for game in GAMES:
        won = winners(rules, game, 1_000_000)
        assert won.win_chance == pytest.approx(float(limit[f"game-{game}"]), abs=1e-6 + won.error)


@pytest.mark.clause("KO21-3.2")
def test_draws_with_few_tickets_and_what_a_minimum_changes() -> None:
    few = few_tickets(house())
    assert few.minimum_tickets == 0
    by_tickets = {each.tickets: each for each in few.draws}
    # A lone ticket wins all three games: $10, and the least shares of $15 and $20, for its $5.
    assert by_tickets[1].house_cents == 500 - 1000 - 1500 - 2000
    assert by_tickets[1].loses_chance == pytest.approx(1)
    below, from_here = by_tickets[few.least_tickets - 1], by_tickets[few.least_tickets]
    assert below.house_cents < 0 < from_here.house_cents
    assert few.worst is not None
    assert few.worst.house_cents == min(each.house_cents for each in few.draws)
    for each in few.draws:
        assert each.house_cents == pytest.approx(500 * each.tickets * (1 - each.return_to_player))
    kept = [expected_house_cents(house(), tickets) for tickets in range(1, 30)]
    assert [cents < 0 for cents in kept] == [tickets < few.least_tickets for tickets in range(1, 30)]
    # By simulation: 17 tickets lose and 18 win by less than a draw varies, so ten and fifty are asked.
    for tickets in (10, 50):
        won = simulate_winners(house(), tickets, 100_000, seed=6)
        paid = sum(
            won[:, game - 1] * prizes_by_winners(house(), game, tickets)[won[:, game - 1]] for game in GAMES
        )
        error = float(np.std(paid)) / 100_000**0.5
        assert abs(500 * tickets - float(np.mean(paid)) - by_tickets[tickets].house_cents) < 4 * error
    assert f"From {few.least_tickets} tickets on" in few.sentences[0]
    assert "No minimum is in force" in few.sentences[1]


@pytest.mark.clause("KO21-3.2")
@pytest.mark.parametrize(
    ("minimum", "said"),
    [(5, "Draws with 5 to 17 are held"), (18, "In no draw that is held"), (40, "In no draw")],
)
def test_a_minimum_in_force_is_named(minimum: int, said: str) -> None:
    few = few_tickets(house(draws__minimum_tickets=minimum))
    assert (few.minimum_tickets, few.least_tickets) == (minimum, 18)
    assert f"The minimum in force is {minimum} tickets" in few.sentences[1]
    assert said in few.sentences[1]
    assert few.draws[0].tickets == 1  # shown as if it were held


def test_prizes_by_winners_are_those_of_the_law() -> None:
    for rules in (
        house(),
        house(prizes__coin="0.25", prizes__game_3__min="20.10", sales__ticket_price="3.35"),
    ):
        for tickets in (1, 37, 400):
            for game in GAMES:
                assert prizes_by_winners(rules, game, tickets).tolist() == [
                    game_account(rules, game, tickets, number).prize_cents for number in range(tickets + 1)
                ]


def test_the_picture_adds_up() -> None:
    rules = house()
    for tickets in (1, 30, 700):
        whole = picture(rules, tickets=tickets)
        for game, each in zip(GAMES, whole.games, strict=True):
            won = winners(rules, game, tickets).probabilities
            accounts = [game_account(rules, game, tickets, number) for number in range(1, tickets + 1)]
            added = sum(p * a.added_cents for p, a in zip(won[1:], accounts, strict=True) if game > 1)
            left = sum(p * (a.left_cents + a.rounding_cents) for p, a in zip(won[1:], accounts, strict=True))
            assert each.expected_added_cents == pytest.approx(added, abs=1e-6)
            assert each.expected_left_cents == pytest.approx(left, abs=1e-6)
        assert whole.liability.expected_cents == pytest.approx(
            whole.return_to_player * whole.sales_cents, rel=1e-9
        )
        assert float(whole.liability.probabilities.sum()) == pytest.approx(1, abs=1e-9)
    with pytest.raises(MalformedInput, match=f"from 1 to {MOST_TICKETS} can"):
        winners(rules, 1, MOST_TICKETS + 1)
    with pytest.raises(MalformedInput, match=r"takes at least 20 \(KO21-3.2\)"):
        picture(house(draws__minimum_tickets=20), tickets=19)


# Waiting


def test_waiting_for_first_cards_against_the_same_chain_by_hand() -> None:
    rules = house()
    worth = waiting(rules, tickets=2)
    assert worth.blind_return == pytest.approx(picture(rules, tickets=2).return_to_player, rel=1e-12)
    others = sum(game.per_ticket_cents for game in picture(rules, tickets=2).games if game.game != 2)
    for firsts in ((6, 6, 6, 6, 6), (1, 10, 5, 9, 2)):
        both = 1.0  # both tickets in: of two either both stay, both lose, or one stays alone for good
        for first in firsts:
            both *= sum(
                float(each.weight * (each.win**2 + (1 - each.win) ** 2))
                for each in hand_classes("ace-keeps-value", 2, first)
            )
        place = tuple(first - 1 for first in firsts)
        expected = ((1 + both) * 1500 / 2 + others) / 500
        assert float(worth.returns[place]) == pytest.approx(expected, rel=1e-12)
    assert float(worth.chances[0, 9, 9, 9, 9]) == pytest.approx(
        float(value_chance(1) * value_chance(10) ** 4), rel=1e-12
    )


def test_a_buyer_who_waits_gains_and_never_against_many() -> None:
    worth = waiting(house(), tickets=100)
    assert worth.return_of_best(1.0) == pytest.approx(worth.blind_return, rel=1e-9)
    assert worth.blind_return < worth.return_of_best(0.1) < worth.return_of_best(0.01)
    assert worth.favourable == 0
    assert worth.first_cards(best=True)[0] == "66666"
    with pytest.raises(MalformedInput, match="1 to 2048 tickets, not 0"):
        waiting(house(), tickets=0)


# The lab


def test_what_the_lab_finds() -> None:
    rules = house()
    fewest = tickets_to_break_even(rules)
    assert picture(rules, tickets=fewest - 1).house_cents < 0 < picture(rules, tickets=fewest).house_cents
    said = list(findings(rules))
    assert "returns 9 times its price" in said[0]
    assert f"draws.minimum_tickets = {fewest} or more" in said[2]
    assert any("0 advise the worse choice; both choices are equal for 4 and 5 only" in text for text in said)
    returns = [each.return_to_player for each in curve(rules, (1, 2, 5, 20, 100, 500))]
    assert returns == sorted(returns, reverse=True)
    assert [each.tickets for each in curve(house(draws__minimum_tickets=20), (5, 20, 30))] == [20, 30]
