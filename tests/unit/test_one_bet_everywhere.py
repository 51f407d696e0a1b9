"""One side bet that no file of ours names, written as TOML alone, wherever a bet must be right.

It is dealt and settled, figured as a fraction, walked through by the engine, counted by the kernel of the CPU
and by the tables of the GPU, shown at the table and in the PAR sheet.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardroom.core.cards import CARDS, Card, Suit
from cardroom.core.decks import CardCounts
from cardroom.engine import twentyone
from cardroom.engine.twentyone import ActionTaken, Event, Round, SpotWager, WagerPaid, WagerTaken
from cardroom.engine.walk import Branches, by_chance, moves, walk
from cardroom.exact.sidebets import side_bet_figures
from cardroom.exact.twentyone import solve
from cardroom.lab.agreement import disagreements
from cardroom.lab.par.twentyone import _wagers
from cardroom.model.twentyone.automaton import compile_hands
from cardroom.presentation.howto.side_bets import side_bet_guide
from cardroom.rules import load_rules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.twentyone.dealing import Dealing
from cardroom.sim.twentyone.dice import dice, random_actions
from cardroom.sim.twentyone.job import Job
from cardroom.web.live.twentyone_view import layout_view
from tests.agree.test_twentyone_flat import BATCH, walked
from tests.twentyone import ann, played

FILE = """
extends = "blackjack"

[side_bets.ladder]
title = "Rainbow Ladder"
looks_at = ["player_1", "player_2", "dealer_up"]
lines = [
  { name = "black ladder", when = { in_a_row = true, every = { colours = ["black"] } }, pays = "40:1" },
  { name = "rainbow ladder", when = { in_a_row = true, different = ["suit"] }, pays = "9:1" },
  { name = "rainbow 21", when = { total = 21, different = ["suit"] }, pays = "6:1" },
]
"""
PAYS = {"black_ladder": 40, "rainbow_ladder": 9, "rainbow_21": 6, "lose": -1}
ROUNDS = 1000


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> TwentyOneRules:
    file: Path = tmp_path_factory.mktemp("bets") / "house.toml"
    file.write_text(FILE)
    found = load_rules(file)
    assert isinstance(found, TwentyOneRules)
    return found


def line_of(*cards: Card) -> str:
    """The bet once more, in plain Python."""
    ranks = sorted(int(card.rank) for card in cards)
    in_a_row = ranks in ([ranks[0], ranks[0] + 1, ranks[0] + 2], [1, 12, 13])
    if in_a_row and all(card.suit in (Suit.CLUBS, Suit.SPADES) for card in cards):
        return "black_ladder"
    rainbow = len({card.suit for card in cards}) == 3
    if in_a_row and rainbow:
        return "rainbow_ladder"
    hard = sum(min(rank, 10) for rank in ranks)
    total = hard + 10 if 1 in ranks and hard <= 11 else hard
    return "rainbow_21" if rainbow and total == 21 else "lose"


def counted(shoe: CardCounts) -> dict[str, Fraction]:
    """The chance of every line, over all ordered draws of three cards."""
    ways: dict[str, int] = {}
    for first, second, up in product([card for card in CARDS if shoe[card]], repeat=3):
        left = shoe[first] * (shoe[second] - (second is first)) * (shoe[up] - (up is first) - (up is second))
        if left > 0:
            line = line_of(first, second, up)
            ways[line] = ways.get(line, 0) + left
    whole = shoe.total * (shoe.total - 1) * (shoe.total - 2)
    return {line: Fraction(number, whole) for line, number in ways.items()}


@pytest.mark.slow
def test_figures_are_fractions_and_those_of_a_plain_count(rules: TwentyOneRules) -> None:
    figures = side_bet_figures(rules, "ladder")
    chances = counted(rules.shoe())
    assert {one.outcome: one.probability for one in figures.outcomes} == chances
    assert figures.expected_value == sum(PAYS[line] * chance for line, chance in chances.items())


@pytest.mark.clause("SIDE-6")
def test_it_is_settled_beside_another_bet_in_the_order_of_the_house(rules: TwentyOneRules) -> None:
    """Lost wagers are taken right to left, then won ones paid right to left, before anybody plays; those of a
    spot as they stand on the layout.
    """
    wagers = [SpotWager(spot, f"P{spot}", 1000, {"ladder": 200, "21+3": 300}) for spot in (1, 2, 3)]
    wide = rules.model_copy(
        update={"limits": rules.limits.model_copy(update={"max": type(rules.limits.max)(1000)})}
    )
    events = played(wide, "5s 9h 5c 6d 7c 2d 7h Kc stand", wagers).events
    settled = [one for one in events if isinstance(one, WagerPaid | WagerTaken) and one.wager != "primary"]
    assert [(type(one).__name__, one.spot, one.wager) for one in settled] == [
        ("WagerTaken", 2, "21+3"),
        ("WagerTaken", 2, "ladder"),
        ("WagerPaid", 3, "21+3"),
        ("WagerPaid", 3, "ladder"),
        ("WagerPaid", 1, "21+3"),
        ("WagerPaid", 1, "ladder"),
    ]
    paid = [one.payment_cents for one in settled if isinstance(one, WagerPaid)]
    assert paid == [3000, 1800, 3000, 1800]  # 9 to 1 for the ladder, 10 to 1 for the straight
    first_action = next(place for place, one in enumerate(events) if isinstance(one, ActionTaken))
    assert all(events.index(one) < first_action for one in settled)


def test_the_engine_walks_through_a_small_shoe_to_the_same_value(rules: TwentyOneRules) -> None:
    shoe = CardCounts.parse("5s:2,6c:1,7s:1,6d:2,7h:1,Td:1,Kc:1,Ah:2")

    def tried(state: Round) -> Iterable[tuple[Any, int]]:
        return moves(twentyone, state) if state.spots[0].side else ()

    def net(events: Iterable[Event]) -> Fraction:
        won = [one for one in events if isinstance(one, WagerPaid | WagerTaken) and one.wager == "ladder"]
        return sum(
            (Fraction(one.payment_cents if isinstance(one, WagerPaid) else -200, 200) for one in won),
            Fraction(),
        )

    def fold(_state: Round, branches: Branches[Event, Fraction]) -> Fraction:
        return sum(
            (chance * (one.value + net(one.events)) for chance, one in by_chance(branches)), Fraction()
        )

    start, _ = twentyone.start(rules, ann(400, {"ladder": 200}), shoe)
    by_engine = walk(twentyone, start, fold, tried=tried)
    chances = counted(shoe)
    assert chances.keys() == PAYS.keys()
    assert by_engine == sum(PAYS[line] * chance for line, chance in chances.items())
    assert by_engine == side_bet_figures(rules, "ladder", shoe=shoe).expected_value


@pytest.fixture(scope="module")
def actions(rules: TwentyOneRules) -> Any:
    return random_actions(compile_hands(rules), dice(16))


@pytest.mark.slow
def test_engine_and_kernel_settle_the_same_shoes_alike(rules: TwentyOneRules, actions: Any) -> None:
    random = np.random.default_rng(16)
    deck = np.array([card.index for card in rules.shoe().cards()], np.uint8)
    shoes = np.array([random.permutation(deck)[:60] for _ in range(200)])
    assert list(disagreements(rules, actions, shoes)) == []


@pytest.mark.slow
def test_the_tables_of_the_gpu_count_what_the_kernel_of_the_cpu_counts(
    rules: TwentyOneRules, actions: Any
) -> None:
    job = Job.of(rules, actions, seed=16, dealing=Dealing.fresh())
    nets, *_, lines = walked(job, ROUNDS)
    tallies = job.prepared.tallies(job(BATCH, ROUNDS))
    assert np.array_equal(nets, tallies.nets)
    assert np.array_equal(lines, tallies.side_lines)
    own = lines[rules.offered_side_bets.index("ladder")]
    assert own.sum() == ROUNDS
    assert own[1:4].sum() > 0


def test_it_is_on_the_page(rules: TwentyOneRules) -> None:
    (printed,) = [one for one in layout_view(rules)["side_bets"] if one["wager"] == "ladder"]
    assert printed["title"] == "Rainbow Ladder"
    guide = side_bet_guide(rules, "ladder")
    assert guide.title == "Rainbow Ladder"
    assert [one.rows != () for one in guide.pays] == [True, True, True]


@pytest.mark.slow
def test_it_is_in_the_par_sheet(rules: TwentyOneRules) -> None:
    sheets = {sheet.wager: sheet for sheet in _wagers(rules, solve(rules, "basic"), 400, 200)}
    assert sheets["ladder"].title == "Rainbow Ladder"
    assert sheets["ladder"].expected_value == side_bet_figures(rules, "ladder").expected_value
