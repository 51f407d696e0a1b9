"""Insurance by lines of a house's own: exact, simulated, counted, and what knowing cards is worth."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cardroom.core.cards import CARDS, Rank, parse_card, parse_cards
from cardroom.core.decks import CardCounts
from cardroom.engine import twentyone
from cardroom.engine.twentyone import CardAwaited, Insure, Round, SpotWager, Turn, WagerPaid, WagerTaken
from cardroom.engine.walk import Branches, moves, walk
from cardroom.envs.twentyone import TwentyOneEnv
from cardroom.exact.sidebets import insurance_figures
from cardroom.exact.twentyone import parse_shoe
from cardroom.lab.advice import _insurance_values
from cardroom.model.twentyone.automaton import compile_hands
from cardroom.protect.effects import effects_of
from cardroom.protect.findings import findings
from cardroom.protect.hole_card import insurance_that_wins
from cardroom.protect.paths import Paths
from cardroom.protect.worth import insurance_before, insurance_worth
from cardroom.sim.run import Run
from cardroom.sim.twentyone import kernel
from cardroom.sim.twentyone.dealing import Dealing, new_marks
from cardroom.sim.twentyone.dice import dice, random_actions
from cardroom.sim.twentyone.job import Job
from cardroom.sim.twentyone.report import report
from tests.agree.test_environments import assert_same_play
from tests.agree.test_twentyone_flat import _same
from tests.engine_environment import EngineEnvironment
from tests.insurance_houses import HOUSES, LINES, SUITED_ALONE, pays_suited_alone
from tests.twentyone import house, played


def test_exact_as_a_fraction() -> None:
    """Six decks, an ace up, 311 cards: 6 queens of hearts; 6 kings of its suit; of its colour 8 ranks and
    suits of ten-valued cards less those, the queen of hearts among them where the ace is red; the rest."""
    rules = house("blackjack", {"insurance.lines": LINES})
    chance = {line.outcome: line.probability for line in insurance_figures(rules).outcomes}
    coloured = Fraction(1, 2) * (8 - 1) * 6 + Fraction(1, 2) * (8 - 2) * 6  # a black ace, a red one
    assert chance == {
        "queen of hearts in the hole": Fraction(6, 311),
        "suited ace-king": Fraction(6, 311),
        "coloured blackjack": Fraction(coloured) / 311,
        "blackjack": Fraction(96 - 12 - coloured) / 311,
        "lose": Fraction(215, 311),
    }
    value = 25 * Fraction(6) + 10 * 6 + 5 * coloured + 2 * (84 - coloured) - 215
    assert insurance_figures(rules).expected_value == value / 311


def test_of_infinitely_many_decks() -> None:
    rules = house("blackjack", {**SUITED_ALONE, "decks": "infinite"})
    suited, lost = insurance_figures(rules).outcomes
    assert (suited.outcome, suited.probability) == ("suited blackjack", Fraction(4, 52))
    assert suited.net == 5
    assert lost.probability == Fraction(48, 52)


SHOES = ["Ah:1,Qh:2,Kh:1,Ks:1,7c:2", "As:1,Ad:1,Ks:1,Qh:1,Tc:1,5d:2", "Ac:2,Kc:1,Qc:1,9d:3"]


@pytest.mark.parametrize("shoe", SHOES)
@pytest.mark.parametrize("name", HOUSES)
def test_the_fraction_is_what_the_engine_pays(name: str, shoe: str) -> None:
    """All cards dealt: of the rounds with an ace up, what insurance has won on average for a unit of it."""
    changes, _ = HOUSES[name]
    table, counts = house("blackjack", changes), parse_shoe(shoe)
    start, _ = twentyone.start(table, [SpotWager(1, "Ann", 1000)], counts)

    def tried(state: Round) -> Any:
        awaited = twentyone.awaits(state)
        if not isinstance(awaited, Turn):
            return moves(twentyone, state)
        insured = [option for option in awaited.options if isinstance(option, Insure)]
        stand: Any = max(insured, key=lambda one: one.stake_cents) if insured else twentyone.Action.STAND
        return ((stand, 1),)

    def fold(state: Round, branches: Branches[twentyone.Event, tuple[Fraction, Fraction]]) -> Any:
        """(chance of an ace up, what was won by insurance), as parts of all that can come."""
        if not branches:
            return Fraction(state.up is not None and state.up.rank is Rank.ACE), Fraction(0)
        whole = sum(one.weight for one in branches)
        ace = won = Fraction(0)
        for one in branches:
            cents = sum(
                event.payment_cents if isinstance(event, WagerPaid) else -event.stake_cents
                for event in one.events
                if isinstance(event, WagerPaid | WagerTaken) and event.wager == "insurance"
            )
            weight = Fraction(one.weight, whole if isinstance(twentyone.awaits(state), CardAwaited) else 1)
            ace += weight * one.value[0]
            won += weight * (Fraction(cents, 500) + one.value[1])
        return ace, won

    ace, won = walk(twentyone, start, fold, tried=tried)
    assert won / ace == insurance_figures(table, shoe=counts).expected_value
    assert won != 0


@pytest.mark.parametrize("name", HOUSES)
def test_every_use_has_the_same_table(name: str) -> None:
    """The law, the kernel's lines and nets, and plain Python, for every ace and every card under it."""
    from cardroom.sim.twentyone.insurance import insurance_nets, insured_lines, line_nets

    changes, pays = HOUSES[name]
    table = house("blackjack", changes)
    nets, numbers, by_line = insurance_nets(table), insured_lines(table), line_nets(table, None)
    for up in (card for card in CARDS if card.rank is Rank.ACE):
        for hole in CARDS:
            assert nets[up.suit][hole.index] == pays(up, hole), (up, hole)
            assert by_line[numbers[up.suit, hole.index]] == pays(up, hole), (up, hole)


def test_lines_that_pay_alike_are_counted_as_one() -> None:
    """Where one line pays every blackjack under an ace, a GPU looks nothing up."""
    from cardroom.sim.twentyone.flat import flatten
    from cardroom.sim.twentyone.insurance import insured_lines
    from cardroom.sim.twentyone.sides import MOST_LINES

    found = {}
    for pays in ("2:1", "5:1"):
        rules = house("blackjack", {"insurance.suited_pays": pays})
        actions = random_actions(compile_hands(rules), dice(5))
        prepared = Job.of(rules, actions, seed=0, dealing=Dealing.fresh()).prepared
        flat = flatten(prepared.game, prepared.cards, prepared.results, MOST_LINES)
        found[pays] = (np.unique(insured_lines(rules)).tolist(), flat.sizes["INSURED_ALIKE"])
    assert found == {"2:1": ([0, 1], 1), "5:1": ([0, 1, 2], 0)}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOUSES)
@pytest.mark.parametrize("spots", [1, 2])
def test_the_kernels_count_it_card_for_card(name: str, spots: int) -> None:
    """By `play_waves` with one spot and by `play_rounds` with two: each shoe's ace and card under it."""
    changes, pays = HOUSES[name]
    rules = house("blackjack", changes)
    actions = random_actions(compile_hands(rules), dice(5))
    job = Job.of(rules, actions, seed=0, dealing=Dealing.fresh(), spots=spots)
    prepared = job.prepared
    nets = [Fraction(-1), *(line.pays.ratio for line in reversed(rules.insurance.paytable))]
    random = np.random.default_rng(8)
    others = [card.index for card in rules.shoe().cards()]
    for up in (card for card in CARDS if card.rank is Rank.ACE):
        for hole in CARDS:
            # The first card of each spot, the up card, the second of each, the hole card.
            rest = random.permutation(others)[:80].tolist()
            shoe = np.array(
                [*rest[:spots], up.index, *rest[spots : 2 * spots], hole.index, *rest[8:]], np.uint8
            )
            tallies = prepared.tallies(np.zeros(prepared.tally_size, np.int64))
            given = prepared.game, np.zeros(4, np.uint32), shoe, new_marks(1), kernel.Room.of(1), tallies
            if spots == 1:
                kernel.play_waves(np.ones(1, np.int64), *given)
            else:
                kernel.play_rounds(np.ones(1, np.int64), spots, *given)
            aces, *by_line = (int(count) for count in tallies.counters[kernel.ACES_UP :])
            assert aces == 1
            assert sum(by_line) == (pays(up, hole) > 0)
            won = nets[1 + by_line.index(1)] if any(by_line) else nets[0]
            assert won == pays(up, hole), (up, hole)


@pytest.mark.slow
@pytest.mark.parametrize("name", HOUSES)
def test_a_simulation_says_what_it_is_worth(name: str) -> None:
    """Within four standard errors of the fraction; what each line pays is among the results."""
    changes, _ = HOUSES[name]
    rules = house("blackjack", changes)
    actions = random_actions(compile_hands(rules), dice(5))
    job = Job.of(rules, actions, seed=3, dealing=Dealing.fresh(), side_bets=False)
    result = report(job, Run(40_000).of(job), "any")
    (insurance,) = [one for one in result.estimates if one.wager == "insurance"]
    exact = insurance_figures(rules)
    assert abs(float(insurance.mean - exact.expected_value)) < 4 * insurance.standard_error
    assert {net for net, _ in insurance.tally} >= {line.net for line in exact.outcomes}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOUSES)
@pytest.mark.parametrize("game", ["blackjack", "players-edge-21"])
def test_the_tables_of_the_gpu_count_it(name: str, game: str) -> None:
    changes, _ = HOUSES[name]
    rules = house(game, changes)
    actions = random_actions(compile_hands(rules), dice(9))
    _same(Job.of(rules, actions, seed=4, dealing=Dealing.fresh()))


@pytest.mark.slow
@pytest.mark.parametrize("name", HOUSES)
def test_environments_pay_it(name: str) -> None:
    changes, _ = HOUSES[name]
    rules = house("blackjack", {**changes, "decks": 1})
    taken = assert_same_play(TwentyOneEnv(rules), EngineEnvironment(rules), 1500, seed=7)
    assert any("insure" in words for words in taken)


def test_effects_of_removal_in_fractions() -> None:
    """One deck: of each suit 4 ten-valued cards among 51, and what a card taken out leaves among 50."""
    rules = house("blackjack", {**SUITED_ALONE, "decks": 1})
    effects = effects_of(rules, "insurance")
    assert effects.full_value == Fraction(5 * 4 - 47, 51)
    # A king of spades less: three aces have 4 of their suit left, one has 3.
    without = Fraction(5 * Fraction(15, 4) - (50 - Fraction(15, 4))) / 50
    assert effects.by_card[parse_card("Ks")] == without - effects.full_value
    assert effects.by_card[parse_card("2c")] == Fraction(5 * 4 - 46, 50) - effects.full_value


@pytest.mark.slow
def test_a_hole_card_that_is_seen_is_insured_where_it_wins() -> None:
    """One deck, suited alone: an ace up in 1 of 13, 4 of 51 of its suit under it, half a unit at 5 to 1.

    Who is told no more than that it is a ten has 4 of 16 at 5 to 1 and 12 at a loss, as long as the own
    cards are none of them; every own hand is looked at by itself."""
    rules = house("blackjack", {**SUITED_ALONE, "decks": 1})
    assert insurance_that_wins(rules) == Fraction(1, 13) * Fraction(4, 51) * Fraction(5, 2)
    told = Fraction(0)
    ace, *rest = parse_cards("As"), *[card for card in CARDS if card.text != "As"]
    assert len(rest) == 51
    up = ace[0]
    tens = [card for card in rest if card.value == 10]
    for one in rest:
        for two in rest:
            if one is not two:
                under = [card for card in tens if card not in (one, two)]
                won = sum((pays_suited_alone(up, card) for card in under), Fraction(0))
                told += max(Fraction(0), won) / (51 * 50 * 49)
    assert insurance_that_wins(rules, tell_only=True) == Fraction(1, 13) * told / 2
    own = house("blackjack", {"insurance.lines": LINES, "decks": 1})
    assert insurance_that_wins(own, tell_only=True) == insurance_that_wins(own)  # every ten wins


@pytest.mark.parametrize("name", HOUSES)
def test_what_it_is_worth_in_a_shoe_by_hand(name: str) -> None:
    """A shoe of nine cards, the ace of diamonds up; before the deal every order of four cards is tried."""
    changes, pays = HOUSES[name]
    rules = house("blackjack", {**changes, "decks": 1})
    shoe = parse_cards("5c Ad 6c Qh Kd Qd Ks Ah 2c")
    order = np.array([[card.index for card in shoe]], np.uint8)
    left = np.array([np.bincount(order[0], minlength=52)], np.int64)
    paths = Paths(rules, order, np.zeros(1, np.int64), np.zeros(1, np.int64), left)
    worth = insurance_worth(paths)
    unseen = [card for card in shoe if card.text not in ("5c", "Ad", "6c")]
    mean = sum((pays(shoe[1], card) for card in unseen), Fraction(0)) / 6
    square = sum((pays(shoe[1], card) ** 2 for card in unseen), Fraction(0)) / 6
    assert worth.value[0] == pytest.approx(float(mean))
    assert worth.variance[0] == pytest.approx(float(square - mean**2))

    before = Fraction(0)
    for up in (card for card in shoe if card.rank is Rank.ACE):
        others = [card for card in shoe if card is not up]
        for first in others:
            for second in others:
                if first is second:
                    continue
                under = [card for card in others if card not in (first, second)]
                value = sum((pays(up, card) for card in under), Fraction(0)) / len(under)
                before += max(Fraction(0), value) / (9 * 8 * 7)
    assert insurance_before(paths)[0] == pytest.approx(float(before))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        # 5 for one ten-valued card of four, a loss for three: 1 in 4 · 5 − 3 in 4 is 1/2, and 1 / (1 + 1/2).
        (
            SUITED_ALONE,
            "Insurance turns where more than 66.7 % of the cards that are not seen are worth ten;",
        ),
        (
            {**SUITED_ALONE, "insurance.suited_pays": "3:1"},
            "Insurance loses on average even where a ten-valued card lies under the ace; in a full shoe",
        ),
    ],
)
def test_the_house_is_told_where_it_turns(changes: dict[str, Any], said: str) -> None:
    rules = house("blackjack", {**changes, "decks": 6})
    order = np.array([[card.index for card in rules.shoe().cards()]], np.uint8)
    left = np.array([rules.shoe().counts], np.int64)
    paths = Paths(rules, order, np.zeros(1, np.int64), np.zeros(1, np.int64), left)
    (sentence,) = findings(paths, {"insurance": insurance_worth(paths)})
    assert sentence.startswith(said)


def test_advice_counts_the_lines() -> None:
    """King and nine against an ace of spades, one deck: what 5 dollars win on average on each of 49 cards."""
    for changes, pays in HOUSES.values():
        table = house("blackjack", {**changes, "decks": 1})
        round_ = played(table, "Kc As 9d 8h", shoe="".join(card.text for card in table.shoe().cards()))
        values = {str(option): value for option, value in _insurance_values(round_.state)}
        left = [card for card in CARDS if card.text not in ("Kc", "As", "9d")]
        won = sum((pays(parse_card("As"), card) for card in left), Fraction(0)) / 49
        assert values["insure 5.00"] == pytest.approx(float(500 * won))


def test_a_shoe_in_which_a_line_cannot_come_has_no_chance_of_it() -> None:
    rules = house("blackjack", {"insurance.lines": LINES})
    figures = insurance_figures(rules, shoe=CardCounts.of_cards(parse_cards("AcKd5h5d")))
    assert [(line.outcome, line.probability) for line in figures.outcomes] == [
        ("blackjack", Fraction(1, 3)),
        ("lose", Fraction(2, 3)),
    ]
