"""The report for the house: its parts against complete counts, every order of tiny shoes, and wrong input."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import prod
from pathlib import Path

import numpy as np
import pytest

from cardroom.core.cards import parse_cards
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.knockout52 import live_chances, no_match_chance
from cardroom.exact.sidebets import line_chances, side_bet_figures
from cardroom.games import GAMES
from cardroom.protect import findings, house
from cardroom.protect.exposure import Stakes, Thresholds, at_cut, countermeasures
from cardroom.protect.house import HouseReport, house_report, stakes_of
from cardroom.protect.house_knockout52 import games_of_one_shoe, values_of
from cardroom.protect.paths import Paths, deal_paths
from cardroom.protect.perfect import exactly_at
from cardroom.protect.worth import Worth, exactly, insurance_worth, side_worth
from cardroom.rules import load_rules, load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.twentyone.side_ways import side_ways
from cardroom.sim.twentyone.sides import lines_of
from tests.command_line import CommandLine
from tools.protection import page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "wager"),
    [
        ("blackjack", "21+3"),
        ("blackjack", "over-13"),
        ("players-edge-21", "match-down"),
        pytest.param("players-edge-21", "monster-match-1", marks=pytest.mark.slow),
    ],
)
def test_ways_of_many_shoes_are_those_of_the_exact_count(game: str, wager: str) -> None:
    """Line by line, as fractions: a full deck, and one with cards missing unevenly."""
    offered = {"side_bets.over-13.offered": True} if wager == "over-13" else {}
    rules = load_rules_as(TwentyOneRules, game, {"decks": 1, **offered})
    full = rules.shoe()
    shoes = [full, full.without(parse_cards("7c7d7h8c9cKdKsAc"))]
    bet = rules.side_bets[wager]
    for shoe, ways in zip(shoes, side_ways(rules, wager, np.array([s.counts for s in shoes])), strict=True):
        cards = len(bet.roles) if len(bet.roles) == 4 else 3
        total = prod(range(shoe.total - cards + 1, shoe.total + 1))
        assert ways.sum() == total
        expected = line_chances(rules, bet, shoe, infinite=False)
        for line, number in zip(lines_of(bet), ways.tolist(), strict=True):
            assert Fraction(number, total) == expected.get(line, 0), line


def tiny_paths(rules: TwentyOneRules, cards: str, seen: int) -> Paths:
    """Every order of a tiny shoe, with one round that begins after so many cards."""
    indices = [card.index for card in parse_cards(cards)]
    orders = np.array(list(permutations(indices)), np.uint8)
    left = np.array([np.bincount(order[seen:], minlength=52) for order in orders], np.int64)
    number = len(orders)
    return Paths(rules, orders, np.arange(number), np.full(number, seen), left)


@pytest.mark.parametrize("wager", ["21+3", "match-the-dealer"])
def test_perfect_play_over_every_order_is_the_count_of_all_that_can_be_left(wager: str) -> None:
    rules = load_rules("blackjack", {"decks": 1})
    cards = "7c 7d 7h 8c 9c Td"
    shoe = CardCounts.of_cards(parse_cards(cards))
    for seen in (0, 1, 2):
        paths = tiny_paths(rules, cards, seen)
        worth = side_worth(paths, wager)
        nothing = np.zeros(len(paths.place))
        found = at_cut(paths, worth, Stakes(100, nothing, nothing), 0, 0.0)
        expected = float(exactly_at(rules, wager, shoe, shoe.total - seen))
        assert found.units / 100 == pytest.approx(expected, abs=1e-12)
        assert found.at_maximum_cents == pytest.approx(100 * found.units)


def test_what_is_left_before_each_round() -> None:
    """One card burned unseen, rounds of four cards or more, none begun behind the cut card."""
    rules = load_rules("blackjack", {"decks": 2})
    paths = deal_paths(rules, 5, 26, seed=3)
    assert set(paths.shoe.tolist()) == set(range(5))
    assert (paths.unseen == 104 - (paths.place - 1)).all()
    assert paths.place.max() < 104 - 26
    for shoe in range(5):
        places = paths.place[paths.shoe == shoe]
        assert places[0] == 1
        assert (np.diff(places) >= 4).all()
        order = paths.cards[shoe]
        last = np.flatnonzero(paths.shoe == shoe)[-1]
        seen = np.bincount(order[1 : places[-1]], minlength=52)
        assert (paths.left[last] + seen == 2).all()


def test_a_round_more_after_the_cut_card() -> None:
    """The same shoes and rounds; one more begins behind the cut card in each."""
    rules = load_rules("blackjack", {"decks": 2})
    paths = deal_paths(rules, 5, 26, seed=3)
    longer = deal_paths(rules, 5, 26, seed=3, rounds_after_cut=1)
    assert (longer.cards == paths.cards).all()
    for shoe in range(5):
        places, more = paths.place[paths.shoe == shoe], longer.place[longer.shoe == shoe]
        assert more[:-1].tolist() == places.tolist()
        assert more[-1] >= 104 - 26


def test_insurance_by_hand() -> None:
    """An ace up, the player with 5 and 6 seen; four tens among six cards not seen: 2 · 4/6 − 2/6 = 1."""
    rules = load_rules("blackjack", {"decks": 1})
    order = np.array([[card.index for card in parse_cards("5c Ac 6c Tc Td Th Ts 2c 3c")]], np.uint8)
    left = np.array([np.bincount(order[0], minlength=52)], np.int64)
    worth = insurance_worth(Paths(rules, order, np.zeros(1, np.int64), np.zeros(1, np.int64), left))
    assert worth.value[0] == pytest.approx(1)
    assert worth.variance[0] == pytest.approx(4 / 6 * 4 + 2 / 6 - 1)
    suited = load_rules("players-edge-21", {"decks": 1})
    order = np.array([[card.index for card in parse_cards("5c Ac 6c Kc Kd 2c 3c 4c")]], np.uint8)
    left = np.array([np.bincount(order[0], minlength=52)], np.int64)
    worth = insurance_worth(Paths(suited, order, np.zeros(1, np.int64), np.zeros(1, np.int64), left))
    assert worth.value[0] == pytest.approx((5 + 2 - 3) / 5)


def by_hand(values: list[float], shoes: list[int]) -> tuple[Paths, Worth]:
    rules = load_rules("blackjack", {"decks": 1})
    number = len(values)
    cards = np.zeros((max(shoes) + 1, 52), np.uint8)
    paths = Paths(rules, cards, np.array(shoes), np.zeros(number, np.int64), np.zeros((number, 52), np.int64))
    return paths, exactly("primary", np.array(values), np.ones(number))


def test_exposure_and_countermeasures_by_hand() -> None:
    """Two shoes of three rounds; two rounds are good, by 1 % and 3 %. Stakes: 100 dollars, 10 in waiting."""
    paths, worth = by_hand([-0.01, 0.01, 0.03, -0.01, -0.01, -0.01], [0, 0, 0, 1, 1, 1])
    stakes = Stakes(100_00, np.zeros(6), 10_00 * np.minimum(worth.value, 0))
    here = at_cut(paths, worth, stakes, 0, 0.0)
    assert here.share == pytest.approx(2 / 6)
    assert here.edge == pytest.approx(0.02)
    assert here.units == pytest.approx(100 * 0.04 / 6)
    assert here.at_maximum_cents == pytest.approx(100_00 * here.units)
    assert here.without_maximum_cents == pytest.approx(100 * 10_000_00 * (0.01**2 + 0.03**2) / 6)
    cut, maximum, entry, shuffle = countermeasures(paths, worth, stakes, here, here)
    assert cut.left_cents == here.at_maximum_cents
    assert maximum.left_cents == here.at_maximum_cents / 2
    # 4 dollars won, 40 cents lost in four rounds of waiting: 60 cents a round.
    assert entry.left_cents == pytest.approx(100 * (4_00 - 40) / 6)
    # Raising at the third round wins 3 dollars in six rounds dealt, at the second 1 in five.
    assert shuffle.left_cents == pytest.approx(100 * 3_00 / 6)


def test_a_wager_that_pays_more_from_a_stake_on_is_valued_by_its_largest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seven to two on 25 dollars and more, and that is what the largest stake of fifty is paid."""
    bet = {
        "title": "Suited",
        "looks_at": ["player_1", "player_2"],
        "lines": [{"name": "suited", "when": {"same": ["suit"]}, "pays": "3:1"}],
    }
    larger = {**bet, "title": "Larger", "larger_wagers": [{"from": "25.00", "pays": {"suited": "7:2"}}]}
    bets = {"side_bets.suited": bet, "side_bets.larger": larger, "limits.side_max": "50.00"}
    others = {"side_bets.21+3.offered": False, "side_bets.match-the-dealer.offered": False}
    rules = load_rules_as(TwentyOneRules, "blackjack", {"decks": 1, "limits.max": "50.00", **bets, **others})

    def worth_nothing(paths: Paths, *_: object) -> Worth:
        return exactly("primary", np.zeros(len(paths.place)), np.ones(len(paths.place)))

    monkeypatch.setattr(house, "primary_worth", worth_nothing)
    monkeypatch.setattr(findings, "findings", lambda *_: ())
    report = house_report(rules, shoes=20, solved=8, seed=1)
    deepest = {one.wager: min((*one.cuts, one.own), key=lambda cut: cut.cut_cards) for one in report.wagers}
    paths = deal_paths(rules, 20, deepest["suited"].cut_cards, 1)
    chance = (side_worth(paths, "suited").value + 1) / 4
    for wager, paid in (("suited", 3), ("larger", 3.5)):
        expected = 100 * np.maximum((paid + 1) * chance - 1, 0).mean()
        assert expected > 0
        assert deepest[wager].units == pytest.approx(expected)


def test_marks() -> None:
    bounds = Thresholds()
    assert [bounds.mark(cents) for cents in (4_99, 5_00, 49_99, 50_00)] == [
        "safe",
        "watch",
        "watch",
        "exposed",
    ]
    with pytest.raises(MalformedInput, match="to watch less than exposed"):
        Thresholds(50_00, 5_00)


@pytest.mark.clause("SIDE-3")
def test_what_must_stand_beside_a_match_wager() -> None:
    """Match Up needs as much on the primary wager, Match Down the least Match Up besides."""
    rules = load_rules("players-edge-21")
    flat = {
        wager: exactly(wager, np.array([value]), np.ones(1))
        for wager, value in (("primary", -0.002), ("match-up", -0.03), ("match-down", 0.05))
    }
    up, down = (stakes_of(rules, wager, flat) for wager in ("match-up", "match-down"))
    assert up.largest == down.largest == 500_00
    assert up.beside[0] == pytest.approx(-0.002 * 500_00)
    assert down.beside[0] == pytest.approx(-0.002 * 500_00 - 0.03 * 1_00)


@pytest.mark.clause("SIDE-3")
@pytest.mark.parametrize(
    ("primary", "up", "down", "added"),
    [
        # In dollars with 500 staked, 500 on the primary wager and 1 on Match Up.
        (-0.02, -0.03, 0.05, 25 - 10 - 0.03),  # both cost something
        (0.02, -0.03, 0.05, 25 - 0.03),  # the primary wager is made anyway: 10 dollars that are its own
        (0.02, 0.03, 0.05, 25),  # so is Match Up
        (0.02, -0.03, -0.01, 0),  # 10 dollars won on the primary wager are not Match Down's
        (-0.0001, 0.07, 0.05, 25),  # five cents lost on the primary wager, seven won on Match Up: made anyway
        (-0.06, -0.03, 0.05, 0),  # the primary wager costs 30
    ],
)
def test_what_a_side_bet_adds(primary: float, up: float, down: float, added: float) -> None:
    """The best that can be won with it less the best that can be won without it."""
    rules = load_rules("players-edge-21")
    values = {"primary": primary, "match-up": up, "match-down": down}
    flat = {wager: exactly(wager, np.array([value]), np.ones(1)) for wager, value in values.items()}
    found = stakes_of(rules, "match-down", flat).won(flat["match-down"].value)
    assert found[0] == pytest.approx(100 * added)


def test_what_insurance_adds_needs_a_primary_wager_before_the_ace_is_seen() -> None:
    """Three rounds with insurance worth 10 % of 250 dollars, beside 500 on the primary wager."""
    rules = load_rules("players-edge-21")
    primary = exactly("primary", np.array([0.01, -0.001, -0.01]), np.ones(3))
    insurance = Worth(
        "insurance",
        np.array([0.1, 0.1, 0.1]),
        np.ones(3),
        np.zeros(0, np.int64),
        np.zeros(0),
        np.array([0.008, 0.008, 0.008]),
    )
    stakes = stakes_of(rules, "insurance", {"primary": primary, "insurance": insurance})
    # Made anyway; for insurance alone, whose 2 dollars are more than 50 cents; not made for 5 dollars.
    assert stakes.won(insurance.value) == pytest.approx([25_00, 25_00 - 50, 0])
    # With no ace up there is no insurance, and the primary wager stands nevertheless.
    assert stakes.won(np.zeros(3)) == pytest.approx([0, -50, 0])


def test_insurance_before_the_deal_is_the_mean_over_every_order() -> None:
    """Eight cards in every order: an ace up or not, insurance taken where it pays."""
    rules = load_rules("players-edge-21", {"decks": 1})
    paths = tiny_paths(rules, "Ac Kc Kd 2c 3c Qh Ad 5c", 0)
    worth = insurance_worth(paths)
    assert worth.before is not None
    assert worth.before[0] == pytest.approx(np.maximum(worth.value, 0).mean(), abs=1e-12)


@pytest.mark.parametrize("factor", [-1, 1])
def test_what_is_added_over_every_order_of_a_tiny_shoe(factor: int) -> None:
    """A naive player: in every order the best of nothing, what stands beside, and both."""
    rules = load_rules("blackjack", {"decks": 1})
    cards = "7c 7d 7h 8c 9c Td"
    for seen in (1, 2):
        paths = tiny_paths(rules, cards, seen)
        # Another countable bet plays the part of the primary wager, above or below 0 by the order.
        primary = exactly("primary", factor * side_worth(paths, "match-the-dealer").value, np.ones(720))
        bet = side_worth(paths, "21+3")
        found = at_cut(paths, bet, stakes_of(rules, "21+3", {"primary": primary, "21+3": bet}), 0, 0.0)
        stake, least = 4_00, 4_00
        won = Fraction(0)
        for order in permutations(parse_cards(cards)):
            left = CardCounts.of_cards(order[seen:])
            dealer = Fraction(side_bet_figures(rules, "match-the-dealer", shoe=left).expected_value)
            beside = factor * least * dealer
            own = stake * Fraction(side_bet_figures(rules, "21+3", shoe=left).expected_value)
            won += max(Fraction(0), beside, beside + own) - max(Fraction(0), beside)
        assert found.at_maximum_cents == pytest.approx(100 * float(won) / 720, abs=1e-9)


def test_knockout_52_of_uneven_shoes() -> None:
    """In floats as in fractions; with one rank left the first row is won for certain: 1 to 2."""
    rules = load_rules("knockout-52", {"decks": 2})
    left = games_of_one_shoe(rules, 3, seed=2)
    assert (left[0] == 8).all()
    values = values_of(rules, left)
    for game in (0, len(left) - 1):
        survival = [no_match_chance(rules.layout, left[game].tolist(), 0, 13 * rows) for rows in range(1, 5)]
        chances = [1 - survival[0], survival[0] - survival[1]]
        assert values["round-1"][game] == pytest.approx(float(chances[0] * Fraction(3, 2) - 1), abs=1e-12)
        assert values["round-2"][game] == pytest.approx(float(chances[1] * 4 - 1), abs=1e-12)
        assert values["all-the-way"][game] == pytest.approx(float(survival[3] * 51 - 1), abs=1e-12)
    fresh = live_chances(rules.layout, 8, ())
    assert values["round-4"][0] == pytest.approx(float(fresh["round-4"] * 31 - 1), abs=1e-12)
    only_kings = np.array([[0] * 12 + [60]])
    assert values_of(rules, only_kings)["round-1"][0] == pytest.approx(0.5)


@pytest.mark.slow
def test_the_report_of_a_game() -> None:
    rules = load_rules("blackjack", {"decks": 1, "limits.max": "100.00"})
    report = house_report(rules, shoes=20, solved=30, seed=5)
    wagers = {one.wager: one for one in report.wagers}
    assert list(wagers) == ["primary", "insurance", "21+3", "match-the-dealer"]
    for one in wagers.values():
        assert len(one.cuts) == 2
        assert one.mark == report.thresholds.mark(one.own.at_maximum_cents)
        assert all(measure.left_cents >= 0 for measure in one.countermeasures)
    assert wagers["primary"].own.units > 0
    answer = report.to_json()
    assert answer["mark"] == report.mark
    lines = report.to_csv().splitlines()
    assert lines[0].startswith("game,wager,mark,decks_cut_off")
    assert len(lines) == 1 + 4 * 2
    text = page([report])
    assert "## For the manager" in text
    assert "| Insurance |" in text


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_solved_and_counted() -> None:
    """In the rounds that are solved, and between the side bets."""
    rules = load_rules("blackjack", {"decks": 1})

    def report(stop_at: int) -> HouseReport:
        def progress(done: int, of: int) -> None:
            assert of == 12 + 2
            if done == stop_at:
                raise KeyboardInterrupt

        return house_report(rules, shoes=20, solved=12, seed=5, progress=progress)

    early = report(9)
    assert early.interrupted
    assert [one.wager for one in early.wagers] == ["primary", "insurance"]
    assert early.not_reached == ("21+3", "match-the-dealer")
    late = report(12 + 1)
    assert late.interrupted
    assert late.not_reached == ("match-the-dealer",)
    assert late.to_json()["interrupted"] is True


def test_the_page_has_every_game_and_wager() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "house-reports.md").read_text("utf-8")
    for game in GAMES.values():
        assert f"## {game.title}\n" in text
        rules = load_rules(game.id)
        if isinstance(rules, TwentyOneRules):
            for wager in rules.offered_side_bets:
                assert rules.side_bets[wager].title in text


def test_a_report_without_cuts_as_csv(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A line for each wager of Knockout 52; the lottery's report has no wagers, and no file is written."""
    cardroom, file = CommandLine(monkeypatch, capsys), tmp_path / "report.csv"
    assert cardroom("protect", "knockout-52", "--csv", str(file)).code == 0
    head, *rows = file.read_text().splitlines()
    assert head.startswith("game,wager,mark,decks_cut_off,")
    assert [row.split(",")[1] for row in rows] == [f"round-{n}" for n in range(1, 5)] + ["all-the-way"]
    file.unlink()
    refused = cardroom.refused("protect", "knockout-21", "--csv", str(file))
    assert refused == "the report of Knockout 21 has no wagers by cut for a CSV; leave it out"
    assert not file.exists()


@pytest.mark.slow
def test_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cardroom = CommandLine(monkeypatch, capsys)
    answer = cardroom("protect", "knockout-52", "--set", "decks=8", "--shoes", "20", "--json").json
    assert (answer["mark"], len(answer["wagers"])) == ("safe", 5)
    lottery = cardroom("protect", "knockout-21", "--json").json
    assert lottery["mark"] == "exposed"  # a lone ticket takes every prize
    mended = cardroom("protect", "knockout-21", "--set", "draws.minimum_tickets=18", "--json").json
    assert mended["mark"] == "safe"
    for wrong, words in (
        (("--watch", "60"), "to watch less than exposed"),
        (("--watch", "-1"), "--watch -1 is not allowed"),
        (("--shoes", "2"), "too few"),
    ):
        refused = cardroom("protect", "knockout-52", "--set", "decks=8", *wrong)
        assert (refused.code, words in refused.err) == (2, True)
    alone = cardroom("protect", "blackjack", "--csv", str(tmp_path / "a.csv"))
    assert (alone.code, "--csv goes with --ramp or --house" in alone.err) == (2, True)
