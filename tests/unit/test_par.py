"""PAR sheets: the JSON against the exact figures, the page alone in the world, the PDF with its text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from cardroom.core.cards import Rank
from cardroom.exact.knockout52 import chances, joint, wager_figures
from cardroom.exact.twentyone import solve
from cardroom.lab.par import ParSheet, par_sheet, rendered
from cardroom.lab.par.blocks import Block, Grid, Heading, Paragraph
from cardroom.lab.par.document import document
from cardroom.lab.par.sheet import Line, WagerSheet
from cardroom.lab.par.twentyone import _facts, distribution_error
from cardroom.lab.twentyone import plays_for_super_bonus
from cardroom.presentation import numbers
from cardroom.rules import load_rules, load_rules_as
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules
from tests.command_line import CommandLine
from tests.twentyone import house

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def knockout_52() -> ParSheet:
    return par_sheet(load_rules("knockout-52"), rounds=20_000, seed=3)


@pytest.fixture(scope="module")
def blackjack() -> ParSheet:
    return par_sheet(house("blackjack", {"split.max_hands": 2}), rounds=50_000, seed=3)


@pytest.fixture(scope="module")
def knockout_52_in_pdf(knockout_52: ParSheet) -> bytes:
    return rendered(knockout_52, ".pdf")


EDGE = {"split.max_hands": 2, "decks": 2, "double.capped_at_maximum": False}
"""Two decks: nothing that takes three or four cards alike can come. No cap needs a strategy of its own."""


@pytest.fixture(scope="module")
def players_edge() -> ParSheet:
    """The slow studies are left out."""
    with pytest.MonkeyPatch.context() as patch:
        for study in ("sensitivity", "family_findings", "correlations"):
            patch.setattr(f"cardroom.lab.par.twentyone.{study}", lambda *_, **__: ())
        patch.setattr("cardroom.lab.par.twentyone.effect_of_removal", lambda *_: {Rank.ACE: 0.0})
        patch.setattr("cardroom.lab.par.twentyone.protection_tables", lambda *_: ())
        return par_sheet(house("players-edge-21", EDGE), rounds=2_000, seed=3)


def _texts(blocks: list[Block]) -> str:
    return "\n".join(block.text for block in blocks if isinstance(block, Paragraph | Heading))


def _grid_of(sheet: ParSheet, first_column: str) -> Grid:
    grids = [block for block in document(sheet) if isinstance(block, Grid)]
    return next(grid for grid in grids if grid.columns[0] == first_column)


def test_knockout_52_as_data(knockout_52: ParSheet) -> None:
    rules = load_rules_as(Knockout52Rules, "knockout-52")
    data = json.loads(rendered(knockout_52, ".json"))
    assert data["rules_hash"] == rules.rules_hash
    for found, exact in zip(data["wagers"], wager_figures(rules), strict=True):
        assert found["expected_value"]["fraction"] == str(exact.expected_value)
        assert found["variance"] == pytest.approx(float(exact.variance))
        assert found["largest_win"]["probability"]["fraction"] == str(chances(rules)[found["wager"]])
        returned = sum((Fraction(line["return"]["fraction"]) for line in found["outcomes"]), Fraction(0))
        assert returned == exact.expected_value
    both = joint(rules, {"round-1": 100, "round-2": 100}).covariance
    (pair,) = [pair for pair in data["correlations"] if pair["wagers"] == ["Round 1", "Round 2"]]
    assert pair["correlation"] == pytest.approx(float(both[0][1]) / float(both[0][0] * both[1][1]) ** 0.5)
    assert sum(map(sum, data["ends"])) == pytest.approx(float(1 - chances(rules)["all-the-way"]))
    assert all(abs(line["sigmas"]) < 4.5 for line in data["verification"]["lines"])


def test_blackjack_as_data(blackjack: ParSheet) -> None:
    rules = house("blackjack", {"split.max_hands": 2})
    basic = solve(rules, "basic")
    data = json.loads(rendered(blackjack, ".json"))
    primary = data["wagers"][0]
    assert primary["expected_value"]["decimal"] == pytest.approx(basic.expected_value, abs=1e-12)
    assert primary["standard_deviation"] == pytest.approx(basic.standard_deviation, abs=1e-9)
    staked = primary["average_total_wager"]
    assert primary["house_edge_of_total_wager_percent"] == pytest.approx(
        primary["house_edge_percent"] / staked
    )
    assert 1.1 < staked < 1.2
    edges = data["house_edge_percent_by_strategy"].values()
    assert min(edges) == pytest.approx(-100 * solve(rules).expected_value)
    variations = {line["rule"]: line for line in data["sensitivity"]["variations"]}
    there = solve(house("blackjack", {"split.max_hands": 2, "dealer_hits_soft_17": False})).expected_value
    assert variations["dealer_hits_soft_17 = false"]["house_edge_percent"] == pytest.approx(-100 * there)
    assert {session["rounds"] for session in data["sessions"]["sessions"]} == {10**n for n in range(3, 8)}
    assert sum(part["probability"] for part in data["by_first_two"]) == pytest.approx(1)
    assert [pair["wagers"] for pair in data["correlations"]] == [
        ["primary", "21+3"],
        ["primary", "match-the-dealer"],
        ["21+3", "match-the-dealer"],
    ]
    assert all(abs(line["sigmas"]) < 4.5 for line in data["verification"]["lines"])


def test_the_page_stands_alone(blackjack: ParSheet) -> None:
    page = rendered(blackjack, ".html").decode()
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:)?//", page)
    assert "<script" not in page
    assert blackjack.rules.rules_hash in page
    assert page.count("<svg") == 3  # distribution, sensitivity, sessions
    assert "Equipment, wagers and limits" in page
    assert "<caption>Pairs</caption>" in page


def test_the_same_sheet_the_same_bytes(knockout_52: ParSheet, knockout_52_in_pdf: bytes) -> None:
    assert rendered(knockout_52, ".pdf") == knockout_52_in_pdf
    for form in (".html", ".json"):
        assert rendered(knockout_52, form) == rendered(knockout_52, form)


def test_the_pdf_opens_and_says_what_it_should(knockout_52: ParSheet, knockout_52_in_pdf: bytes) -> None:
    content = knockout_52_in_pdf
    assert content.startswith(b"%PDF-")
    assert content.rstrip().endswith(b"%%EOF")
    pages = re.findall(rb"/Type /Page\b", content)
    assert 3 <= len(pages) <= 8
    assert b"Knockout 52: PAR sheet" in content  # the title of the document
    assert knockout_52.rules.rules_hash.encode() in content  # its subject


def test_lines_of_a_wager_make_its_figures() -> None:
    from cardroom.exact.figures import Outcome, WagerFigures

    figures = WagerFigures(
        "x", (Outcome("win", Fraction(3), Fraction(1, 5)), Outcome("lose", Fraction(-1), Fraction(4, 5)))
    )
    sheet = WagerSheet.of(figures, "X", total_wager=2.0)
    assert sheet.expected_value == Fraction(-1, 5)
    assert sheet.house_edge == pytest.approx(0.2)
    assert sheet.element_of_risk == pytest.approx(0.1)
    assert sheet.variance == pytest.approx(0.2 * 3.2**2 + 0.8 * 0.8**2)
    assert sheet.skewness == pytest.approx((0.2 * 3.2**3 - 0.8 * 0.8**3) / sheet.variance**1.5)
    assert sheet.largest.one_in == 5
    assert sheet.hit_frequency == pytest.approx(0.2)


def test_the_command_writes_by_the_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cardroom = CommandLine(monkeypatch, capsys)
    for form, start in (("pdf", b"%PDF-"), ("html", b"<!doctype html>"), ("json", b"{")):
        file = tmp_path / f"sheet.{form}"
        answer = cardroom("par", "knockout-52", "-o", file, "--rounds", "1000", "--set", "decks=2")
        assert answer.code == 0
        assert answer.out == ""
        assert file.read_bytes().startswith(start)
    assert json.loads((tmp_path / "sheet.json").read_text())["rules"]["decks"] == 2
    assert "--rounds 3" in cardroom.refused("par", "knockout-52", "-o", "x.pdf", "--rounds", "3")


def test_a_file_that_cannot_be_written_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def computed(*_: object, **__: object) -> ParSheet:
        raise AssertionError("it was computed first")

    monkeypatch.setattr("cardroom.lab.par.par_sheet", computed)
    cardroom = CommandLine(monkeypatch, capsys)
    missing = tmp_path / "missing" / "x.pdf"
    assert cardroom.refused("par", "knockout-52", "-o", missing).startswith(f"cannot write {missing}: ")
    folder = tmp_path / "folder.json"
    folder.mkdir()
    assert cardroom.refused("par", "knockout-52", "-o", folder).startswith(f"cannot write {folder}: ")
    monkeypatch.setattr("os.access", lambda *_: False)
    file = tmp_path / "x.json"
    assert cardroom.refused("par", "knockout-52", "-o", file) == f"cannot write {file}: no permission"


def test_the_super_bonus_is_not_compared_with_a_chart_that_cannot_win_it(players_edge: ParSheet) -> None:
    rules = house("players-edge-21", EDGE)
    assert not plays_for_super_bonus(solve(rules, "basic"))  # it splits the sevens
    check = players_edge.verification
    assert not [line for line in check.lines if "Super Bonus" in line.quantity]
    assert [line for line in check.lines if "Insurance" in line.quantity]
    assert "The Super Bonus is not compared" in check.method[-1]


def test_without_splits_the_chart_plays_for_the_super_bonus() -> None:
    assert plays_for_super_bonus(solve(house("players-edge-21", {"split.max_hands": 1}), "basic"))


def test_a_jackpot_that_cannot_come_from_the_shoe(players_edge: ParSheet) -> None:
    data = json.loads(rendered(players_edge, ".json"))
    assert [meter["wager"] for meter in data["progressives"]] == ["monster-match-1", "monster-match-5"]
    for meter in data["progressives"]:
        assert meter["jackpot_probability"] == "0"
        assert meter["break_even_meter_cents"] is None
    for _, facts, _ in players_edge.progressives:
        assert dict(facts)["Break-even meter"] == "none"
        assert dict(facts)["Jackpot"].startswith("never")
    (bonus,) = [wager for wager in data["wagers"] if wager["wager"] == "super-bonus"]
    assert bonus["variance"] == bonus["skewness"] == 0.0
    overview = {row[0]: row[-1] for row in _grid_of(players_edge, "Wager").rows}
    assert overview["Super Bonus"] == "none"


RARE = (
    Line("lose", "-1", Fraction(-1), 0.5),
    Line("win", "1:1", Fraction(1), 0.5 - 1e-12),
    Line("win", "8:1", Fraction(8), 1e-12),
    Line("win", "32:1", Fraction(32), 3e-15),
)


def test_nothing_is_printed_below_its_error(knockout_52: ParSheet) -> None:
    wager = WagerSheet("x", "X", RARE, probability_error=1e-13)
    sheet = replace(knockout_52, wagers=(wager,))
    assert [row[1:4] for row in _grid_of(sheet, "Outcome").rows[:-1]] == [
        ("−1", "0.500000000", "2.0000"),
        ("1:1", "0.500000000", "2.0000"),
        ("8:1", "0.0000000000010", "1,000,000,000,000"),
        ("32:1", "< 10⁻¹³", ""),
    ]
    assert _grid_of(sheet, "Wager").rows[0][-1] == "8:1 · 1 in 1,000,000,000,000"
    assert "The largest win, 32:1, comes less often than 1 in 10¹³." in _texts(document(sheet))
    assert sheet.to_json()["wagers"][0]["probability_error"] == 1e-13


def test_the_largest_win_is_one_that_is_known() -> None:
    sheet = WagerSheet("x", "X", RARE, probability_error=1e-13)
    assert sheet.largest is RARE[2]
    assert sheet.rarer_win is RARE[3]
    assert WagerSheet("x", "X", RARE).largest is RARE[3]
    assert WagerSheet("x", "X", RARE).rarer_win is None


@pytest.mark.parametrize(
    ("decks", "error"),
    [(1, 1e-9), (2, 1e-11), (3, 1e-11), (4, 1e-12), (6, 1e-13), (8, 1e-13), ("infinite", 1e-13)],
)
def test_the_error_of_the_distribution_by_decks(decks: int | str, error: float) -> None:
    assert distribution_error(house("blackjack", {"decks": decks})) == error


def test_words() -> None:
    assert numbers.chance(3e-15, 1e-13) == "< 10⁻¹³"
    assert numbers.one_in(3e-15, 1e-13) == ""
    assert numbers.chance(1.65e-13, 1e-13) == "0.0000000000002"
    assert numbers.one_in(1.65e-13, 1e-13) == "about 10¹³"
    assert numbers.one_in(8.1284e-12, 1e-13) == "120,000,000,000"  # known to a hundredth: two digits
    assert numbers.one_in(Fraction(1, 668382)) == "668,382"
    assert numbers.percent(-1e-9) == "0.0000 %"
    assert numbers.percent(1e-9, plus=True) == "0.0000 %"
    assert numbers.percent(0.01, plus=True) == "+1.0000 %"
    assert numbers.percent(-0.01, plus=True) == "−1.0000 %"
    assert numbers.bound(1e-12) == "10⁻¹²"
    assert numbers.bound(1.11e-9) == "2×10⁻⁹"  # never below the number itself
    assert numbers.bound(9.4e-11) == "10⁻¹⁰"
    assert numbers.true_minus("by -0.410 % (PE21-9), to -0.274 %") == "by −0.410 % (PE21-9), to −0.274 %"


def test_findings_have_a_true_minus(blackjack: ParSheet) -> None:
    assert re.search(r"soft 17 would move the house edge by −\d", _texts(document(blackjack)))


def test_the_error_of_sessions_is_what_they_say(blackjack: ParSheet) -> None:
    largest = max(session["error"] for session in blackjack.to_json()["sessions"]["sessions"])
    assert f"move no probability by more than {numbers.bound(largest)}." in _texts(document(blackjack))


def test_the_note_of_a_table_stands_before_it(blackjack: ParSheet) -> None:
    blocks = document(blackjack)
    for table in blackjack.tables:
        place = next(
            at for at, block in enumerate(blocks) if isinstance(block, Grid) and block.rows == table.rows
        )
        assert blocks[place - 1] == Paragraph(table.note)


def test_awards_are_itemised_and_add_up_to_the_headline(blackjack: ParSheet, players_edge: ParSheet) -> None:
    for sheet in (blackjack, players_edge):
        data = json.loads(rendered(sheet, ".json"))
        headline = data["wagers"][0]["expected_value"]["decimal"]
        assert sum(line["return"] for line in data["awards"]) == pytest.approx(headline, abs=1e-9)
        total = _grid_of(sheet, "How a hand ends").rows[-1]
        assert total[4] == _grid_of(sheet, "Outcome").rows[-1][-1]  # the same digits
    names = [row[0] for row in _grid_of(players_edge, "How a hand ends").rows]
    for name in ("blackjack", "21 with five cards", "6-7-8 of diamonds", "7-7-7 of mixed suits", "surrender"):
        assert name in names
    assert {"win, doubled", "win, doubled three times", "rescue, doubled", "bust"} <= set(names)


def test_the_total_with_the_super_bonus_is_for_players_edge_only(
    blackjack: ParSheet, players_edge: ParSheet
) -> None:
    assert "total" not in blackjack.to_json()
    assert [line["players"] for line in players_edge.to_json()["total"]["by_players"]] == [*range(1, 8)]


def test_what_does_not_apply_is_left_out(
    blackjack: ParSheet, players_edge: ParSheet, knockout_52: ParSheet
) -> None:
    options = {row[2] for row in _grid_of(blackjack, "Clause").rows}
    assert not [key for key in options if key.startswith(("bonus_21.", "super_bonus."))]
    assert not options & {"double.rescue", "insurance.suited_pays", "insurance.on_paid_blackjack"}
    assert options >= {"decks", "double.on", "insurance.even_money", "side_bets.21+3.flush"}
    edge = {row[2] for row in _grid_of(players_edge, "Clause").rows}
    assert edge >= {"bonus_21.named_suit", "super_bonus.envy", "double.rescue", "insurance.suited_pays"}
    assert "insurance.even_money" not in edge
    rules = {line["rule"].split(" ")[0] for line in blackjack.to_json()["sensitivity"]["variations"]}
    assert "bonus_21.on_split_hands" not in rules
    assert all(
        abs(line["change_percent"]) > 1e-9 for line in blackjack.to_json()["sensitivity"]["variations"]
    )
    assert "bonus" not in blackjack.summary
    assert "strategy" not in _texts(document(knockout_52)).replace("there is no strategy", "")


def test_the_return_to_the_player_is_a_column(blackjack: ParSheet, knockout_52: ParSheet) -> None:
    for sheet in (blackjack, knockout_52):
        grid = _grid_of(sheet, "Wager")
        place = grid.columns.index("RTP")
        for row, wager in zip(grid.rows, sheet.wagers, strict=True):
            assert row[place] == numbers.percent(1 + float(wager.expected_value))
    row = _grid_of(knockout_52, "Outcome").rows[0]
    won = chances(load_rules_as(Knockout52Rules, "knockout-52"))["round-1"]
    assert row[-1] == numbers.percent(float(won * Fraction(3, 2)))


def test_the_house_shoe_and_two_spots_are_simulated_with_errors(blackjack: ParSheet) -> None:
    data = blackjack.to_json()
    cut, spots = data["cut_card"], data["two_spots"]
    assert cut["method"] == spots["method"] == "simulated"
    assert cut["seed"] == spots["seed"] == 3
    assert cut["cards_behind_the_cut_card"] == 104  # two decks: the middle of 1.5 and 2.5
    assert abs(cut["effect_on_the_player_percent"]) < 5 * cut["standard_error_percent"] + 0.1
    assert spots["covariance"] == pytest.approx(0.49, abs=0.1)
    assert {up: sum(finals.values()) for up, finals in data["dealer_finals"].items()} == {
        up: pytest.approx(1) for up in [*"A23456789T", "any"]
    }


def test_no_heading_of_a_chart_runs_into_its_columns(players_edge: ParSheet) -> None:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    from cardroom.lab.par import pdf

    pdf._register_fonts()
    assert players_edge.strategy is not None
    layout = pdf._Layout(500.0)
    for grid in players_edge.strategy.grids:
        table = layout._chart_grid(grid)
        wide = stringWidth(grid.title, pdf._BOLD, 7.4)
        assert table._argW[0] > wide + 6, grid.title
        assert sum(table._argW) < 500.1


@pytest.mark.parametrize("game", ["spanish-21", "players-edge-21", "knockout-21"])
def test_the_sheets_of_the_other_games(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardroom.lab.par.twentyone.sensitivity", lambda *_, **__: ())  # blackjack has it
    changes = {} if game == "knockout-21" else {"split.max_hands": 1}  # the slowest part, and shown above
    sheet = par_sheet(load_rules(game, changes), rounds=100_000, seed=5)
    data = json.loads(rendered(sheet, ".json"))
    for wager in data["wagers"]:
        whole = sum(line["probability"]["decimal"] for line in wager["outcomes"])
        assert whole == pytest.approx(1, abs=1e-9), wager["wager"]
    assert all(abs(line["sigmas"]) < 4.5 for line in data["verification"]["lines"])
    assert len(data["sessions"]["sessions"]) == 5
    meters = {meter["wager"]: meter for meter in data["progressives"]}
    assert ([*meters] == ["monster-match-1", "monster-match-5"]) is (game == "players-edge-21")
    for meter in meters.values():
        missing = meter["break_even_meter_cents"] - meter["meter_seed_cents"]
        stake = 100 if meter["wager"].endswith("-1") else 500
        fair = meter["expected_value_at_seed"] + Fraction(meter["jackpot_probability"]) * missing / stake
        assert float(fair) == pytest.approx(0, abs=1e-12)
    assert rendered(sheet, ".pdf").startswith(b"%PDF-")


@pytest.mark.clause("KO21-5.1")
def test_the_literal_reading_among_many_is_where_the_curve_of_the_sheet_goes() -> None:
    """Lucky Losers of a dealer's two-card 21 stay in however many play: 1 in 8.867."""
    sheet = par_sheet(load_rules("knockout-21", {"game_1_hit": "literal"}), rounds=1000, seed=1)
    game_1 = next(wager for wager in sheet.wagers if wager.wager == "game-1")
    among_many = re.search(r"won 1 in ([\d.]+) times", game_1.note)
    assert among_many is not None
    assert float(among_many[1]) == pytest.approx(8.867, abs=0.01)
    (curve,) = (table for table in sheet.tables if table.key == "curve")
    assert float(curve.rows[-1][3]) == pytest.approx(8.867, abs=0.01)


def test_a_lottery_without_a_minimum_says_nothing_of_it() -> None:
    from cardroom.lab.par.in_force import sentences_in_force

    def keys(minimum: int) -> set[str]:
        rules = load_rules("knockout-21", {"draws.minimum_tickets": minimum})
        return {key for key, _, _ in sentences_in_force(rules)}

    assert keys(18) - keys(0) == {"draws.minimum_tickets"}


def test_rules_that_do_nothing_are_left_out() -> None:
    from cardroom.lab.par.in_force import sentences_in_force

    def keys(game: str, **changes: object) -> set[str]:
        return {key for key, _, _ in sentences_in_force(load_rules(game, changes))}

    idle = {"surrender_on", "dealer_blackjack_takes", "split.never", "split.once", "bonus_21.win_at_once"}
    idle |= {"charlie", "dealer_22_pushes", "ties_lose", "double.totals"}
    assert not idle & keys("blackjack")
    assert {"charlie", "double.totals"} <= keys("blackjack", charlie=6, **{"double.totals": "9-11"})
    assert not idle - {"surrender_on"} & keys("spanish-21")
    assert "surrender_on" in keys("blackjack", surrender="late")
    assert "dealer_blackjack_takes" in keys("blackjack", hole_card="none")
    assert "split.never" in keys("blackjack", **{"split.never": [10]})


def test_equipment_that_the_rules_have_no_use_for_is_not_named() -> None:
    def facts(**changes: object) -> dict[str, str]:
        return dict(_facts(load_rules_as(TwentyOneRules, "spanish-21", changes)))

    whole = facts(**{"procedure.spots": 1})
    assert whole["Equipment"].startswith("shoe, cut card, discard rack, a device to look at the hole card")
    assert whole["Procedure"] == "1 spot; 1 card burned; 1.5 to 2.5 decks cut off"
    assert facts(decks="infinite")["Procedure"] == "7 spots"
    assert facts(decks="infinite")["Equipment"].startswith("a device")
    assert "device" not in facts(hole_card="unseen")["Equipment"]
