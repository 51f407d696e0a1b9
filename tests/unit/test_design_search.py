"""The search for paytables: against brute force, within its targets, and quick."""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from cardroom.core.odds import Odds
from cardroom.exact.by_decks import Decks
from cardroom.exact.sidebets import side_bet_figures
from cardroom.lab.design.search import USUAL_ODDS, Range, Target, find_paytables
from cardroom.rules.bets import shelf_bet
from cardroom.rules.twentyone import TwentyOneRules
from tests.command_line import CommandLine
from tests.twentyone import house

DECKS: tuple[Decks, ...] = (2, 6)
FEW = [Odds.parse(text) for text in ("1:1", "3:2", "4:1", "6:1", "9:1", "15:1", "20:1", "30:1", "60:1")]


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def offering(name: str) -> TwentyOneRules:
    return house("blackjack", {f"side_bets.{name}.offered": True})


def percent(least: str, most: str) -> Range:
    return Range(Fraction(least) / 100, Fraction(most) / 100)


def chances_of(name: str, kept: list[int]) -> list[dict[str, Fraction]]:
    """The chances of a bet that has only some lines, from a shoe of each number of decks."""
    definition = shelf_bet(name).definition
    bet: dict[str, Any] = {**definition, "lines": [definition["lines"][place] for place in kept]}
    found = []
    for decks in DECKS:
        rules = house("blackjack", {"side_bets.own": {**bet, "title": "Own"}, "decks": decks})
        figures = side_bet_figures(rules, "own")
        found.append({one.outcome: Fraction(one.probability) for one in figures.outcomes})
    return found


def brute_force(
    name: str, target: Target
) -> dict[tuple[Fraction | None, ...], tuple[Fraction, Fraction, Fraction]]:
    """Every paytable of the few odds that meets a target, with what is weighed of it, slow and plain."""
    lines = [line.id for line in shelf_bet(name).bet.lines]
    chances: dict[tuple[int, ...], list[dict[str, Fraction]]] = {}
    met = {}
    ratios = [one.ratio for one in FEW]
    for pays in product([None, *ratios], repeat=len(lines)):
        kept = tuple(place for place, one in enumerate(pays) if one is not None)
        if not kept:
            continue
        of_decks = chances.setdefault(kept, chances_of(name, list(kept)))
        given = {lines[place]: Fraction(pays[place] or 0) for place in kept}
        rarest = sorted(given, key=lambda line: sum(one[line] for one in of_decks))
        falling = [given[line] for line in rarest]
        if falling != sorted(falling, reverse=True):
            continue
        edges, hits = [], []
        fits = True
        for one in of_decks:
            hit = sum((one[line] for line in given), Fraction(0))
            edge = 1 - hit - sum(given[line] * one[line] for line in given)
            square = 1 - hit + sum(given[line] ** 2 * one[line] for line in given)
            volatility = 1.645 * float(square - edge**2) ** 0.5
            wanted = target.volatility
            fits &= target.edge.least <= edge <= target.edge.most
            fits &= target.hit is None or target.hit.least <= hit <= target.hit.most
            fits &= wanted is None or wanted.least <= volatility <= wanted.most
            edges.append(edge)
            hits.append(hit)
        if fits:
            middle = (target.edge.least + target.edge.most) / 2
            met[pays] = (-max(abs(edge - middle) for edge in edges), min(hits), max(falling))
    return met


@pytest.mark.parametrize(
    "target",
    [
        Target(percent("0", "30"), decks=DECKS),
        Target(percent("-5", "20"), percent("6", "7.5"), decks=DECKS),
        Target(percent("0", "40"), None, Range(Fraction(4), Fraction(6)), decks=DECKS),
    ],
    ids=["edge", "edge and hit", "edge and volatility"],
)
def test_the_front_is_that_of_brute_force(target: Target) -> None:
    met = brute_force("perfect-pairs", target)
    best = {
        goodness
        for goodness in met.values()
        if not any(
            other != goodness and all(a >= b for a, b in zip(other, goodness, strict=True))
            for other in met.values()
        )
    }
    found = find_paytables(offering("perfect-pairs"), "perfect-pairs", target, FEW)
    assert len(best) > 1
    assert sorted(one.goodness for one in found) == sorted(best)
    for one in found:
        pays = tuple(None if odds is None else odds.ratio for odds in one.pays)
        assert met[pays] == one.goodness


def test_five_lines_and_thirty_odds_end_within_ten_seconds() -> None:
    """By the time that it works, not by the clock: other programs of the machine do not count."""
    assert len(USUAL_ODDS) == len({one.ratio for one in USUAL_ODDS}) == 30
    start = time.process_time()
    target = Target(percent("3", "6"), decks=(2, 6, 8))
    found = find_paytables(offering("hot-3"), "hot-3", target)
    assert time.process_time() - start < 10
    assert found
    for one in found:
        assert all(Fraction(3, 100) <= edge <= Fraction(6, 100) for edge in one.edges)


def test_paytables_on_the_command_line(cardroom: CommandLine, tmp_path: Path) -> None:
    """Of 52 × decks − 1 cards, decks − 1 make a perfect pair, decks a coloured and 2 × decks a mixed one."""
    (tmp_path / "own.toml").write_text("[side_bets.perfect-pairs]\n")
    asked = ("design", tmp_path / "own.toml", "--target-edge", "3..6", "--hit", "7..8", "--decks", "6,8")
    tables = cardroom(*asked, "--json").json["bets"]["perfect-pairs"]
    assert tables
    for table in tables:
        *better, mixed = table["pays"].values()
        three = Odds.parse(mixed).ratio  # without it fewer than 7 per cent hit
        # A better pair whose line is left out is paid by the next line.
        two = three if better[1] is None else Odds.parse(better[1]).ratio
        one = two if better[0] is None else Odds.parse(better[0]).ratio
        assert one >= two >= three
        for found in table["by_decks"]:
            decks = found["decks"]
            edge = -((decks - 1) * one + decks * two + 2 * decks * three - (48 * decks)) / (52 * decks - 1)
            assert Fraction(found["expected_value"]) == -edge
            assert Fraction(3, 100) <= edge <= Fraction(6, 100)
    said = cardroom(*asked).out
    assert "Perfect Pairs: pays of" in said
    assert "Edge, 8 decks" in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--target-edge", "3-6"), "--target-edge 3-6 is not a range; write the least and the most"),
        (("--target-edge", "6..3"), "--target-edge 6..3: the least comes first"),
        (("--target-edge", "3..6", "--decks", "2,9"), "'9' is no number of decks; allowed: 1 to 8"),
        (("--target-edge", "3..6", "--watch"), "--watch shows the figures of a file"),
        (("--hit", "3..6"), "--hit is for finding paytables, with --target-edge"),
        (
            ("--target-edge", "3..6", "--hit", "60..70"),
            "no choice of its lines hits between 60.00 % and 70.00 %; the nearest hits 7.40 %",
        ),
    ],
)
def test_what_cannot_be_searched_is_said_in_a_line(
    cardroom: CommandLine, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    (tmp_path / "own.toml").write_text("[side_bets.perfect-pairs]\n")
    assert said in cardroom.refused("design", tmp_path / "own.toml", *options)


def test_a_meter_has_no_odds_to_find() -> None:
    with pytest.raises(ValueError, match="blazing-7s pays a meter"):
        find_paytables(offering("blazing-7s"), "blazing-7s", Target(percent("3", "6")))
