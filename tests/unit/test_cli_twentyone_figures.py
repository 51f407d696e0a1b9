"""`odds`, `strategy` and `hand` of the blackjack family: what people and programs read, and refusals."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from cardroom.cli.output import print_figures
from cardroom.exact.twentyone import solve
from cardroom.model.twentyone.strategy import UP_CARDS, Chart
from cardroom.presentation.numbers import signed
from tests.command_line import CommandLine
from tests.terminal import Terminal
from tests.twentyone import house

pytestmark = pytest.mark.slow

SMALL = "A:2,2:2,5:2,6:2,T:4"
ONE_SPLIT = ("--set", "split.max_hands=2")


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_odds_have_the_shape_of_the_contract(cardroom: CommandLine) -> None:
    found = cardroom("odds", "blackjack", *ONE_SPLIT, "--set", "dealer_hits_soft_17=false", "--json").json
    assert [*found] == ["schema_version", "game", "rules_hash", "rules", "wagers", "size"]
    assert found["game"] == "blackjack"
    assert found["rules"]["split"]["max_hands"] == 2
    wagers = {wager["wager"]: wager for wager in found["wagers"]}
    assert [*wagers] == ["primary", "insurance", "21+3", "match-the-dealer"]
    primary = wagers["primary"]
    assert [*primary] == [
        "wager",
        "method",
        "strategy",
        "expected_value",
        "house_edge_percent",
        "hit_frequency",
        "standard_deviation",
        "outcomes",
        "probability_error",
    ]
    assert 0 < primary["probability_error"] < 1e-9
    assert primary["strategy"] == "composition"
    assert primary["expected_value"]["fraction"] is None
    assert primary["expected_value"]["decimal"] == pytest.approx(-0.00456886297, abs=5e-12)  # E. Farmer
    assert primary["standard_deviation"] == pytest.approx(1.14654006, abs=5e-9)
    assert sum(line["probability"]["decimal"] for line in primary["outcomes"]) == pytest.approx(1, abs=1e-12)
    assert [line["pays"] for line in primary["outcomes"]][-3:] == ["2:1", "3:1", "4:1"]
    assert wagers["21+3"]["expected_value"]["fraction"] == "-1997/48205"
    assert wagers["match-the-dealer"]["expected_value"]["fraction"] == "-3508/48205"


def test_the_parts_of_the_game_add_up(cardroom: CommandLine) -> None:
    given = ("odds", "blackjack", "--shoe", "8:8,T:14", "--exact", "--parts")
    figures = cardroom(*given, "--json").json
    whole = figures["wagers"][0]["expected_value"]["decimal"]
    for key in ("by_up_card", "by_first_two"):
        parts = figures[key]
        assert sum(part["probability"] for part in parts) == pytest.approx(1, abs=1e-14)
        adds = sum(part["probability"] * part["expected_value"] for part in parts)
        assert adds == pytest.approx(whole, abs=1e-14)
    assert [part["name"] for part in figures["by_first_two"]] == ["88", "8T", "TT"]
    # 8 of 22 cards, then 7 of 21.
    assert "88               0.121212" in cardroom(*given).out


def test_odds_of_players_edge_have_every_wager(
    cardroom: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    wager = ("--wager", "25", "--set", "split.max_hands=1")
    found = cardroom("odds", "players-edge-21", *wager, "--json").json
    wagers = {each["wager"]: each for each in found["wagers"]}
    assert [*wagers] == [
        "primary",
        "insurance",
        "super-bonus",
        "match-up",
        "match-down",
        "monster-match-1",
        "monster-match-5",
    ]
    assert wagers["insurance"]["expected_value"]["fraction"] == "-17/287"
    # $5,000 on a wager of $25, once in 668,382 hands.
    assert Fraction(wagers["super-bonus"]["expected_value"]["fraction"]) == Fraction(200, 668382)
    out = cardroom("odds", "players-edge-21", *wager).out
    assert max(map(len, out.splitlines())) <= 80
    assert "…" not in out
    assert "Super Bonus: for a player who always plays for it" in out
    assert "always plays for it" not in cardroom("odds", "blackjack", "--set", "split.max_hands=1").out


def test_a_small_shoe_in_fractions(cardroom: CommandLine) -> None:
    found = cardroom("odds", "blackjack", "--shoe", SMALL, "--exact", "--json").json
    assert found["shoe"].startswith("Ac:1,2c:1")
    primary = found["wagers"][0]
    value = Fraction(primary["expected_value"]["fraction"])
    assert value == sum(
        Fraction(line["probability"]["fraction"]) * _net(line["pays"]) for line in primary["outcomes"]
    )
    assert float(value) == pytest.approx(primary["expected_value"]["decimal"])


def _net(pays: str) -> Fraction:
    return Fraction(pays.replace(":", "/"))


def test_a_chart_written_is_a_chart_read(cardroom: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "basic.csv"
    assert cardroom("strategy", "spanish-21", *ONE_SPLIT, "--csv", file).err == f"wrote {file}\n"
    rules = house("spanish-21", {"split.max_hands": 2})
    best = solve(rules, "basic").expected_value
    found = cardroom("strategy", "spanish-21", *ONE_SPLIT, "--strategy", file, "--json").json
    assert found["expected_value"]["decimal"] == pytest.approx(best, abs=1e-12)
    assert found["up_cards"] == list(UP_CARDS)
    worse = tmp_path / "worse.csv"
    worse.write_text(re.sub(r"^hard 12,(.*)H$", r"hard 12,\1S", file.read_text(), flags=re.MULTILINE))
    assert worse.read_text() != file.read_text()
    found = cardroom("odds", "spanish-21", *ONE_SPLIT, "--strategy", worse, "--json").json
    assert found["wagers"][0]["expected_value"]["decimal"] < best
    assert found["wagers"][0]["strategy"] == "worse.csv"


def test_a_chart_is_named_after_its_file(cardroom: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(solve(house("blackjack"), "basic").strategy.chart().csv())
    assert file.read_text().startswith("# blackjack basic\n")
    by = ("--strategy", file)
    hand = ("hand", "blackjack", "98", "--dealer", "7", *by)
    assert "played on by the mine.csv strategy" in cardroom(*hand).out
    assert cardroom(*hand, "--json").json["strategy"] == "mine.csv"
    assert cardroom("strategy", "blackjack", *by, "--json").json["strategy"] == "mine.csv"
    simulated = ("simulate", "blackjack", "--rounds", "1000", "--workers", "1", *by)
    assert "mine.csv strategy, " in cardroom(*simulated).out
    assert cardroom(*simulated, "--json").json["strategy"] == "mine.csv"
    again = tmp_path / "again.csv"
    cardroom("strategy", "blackjack", *by, "--csv", again)
    assert again.read_text().startswith("# blackjack mine.csv\n")


def test_the_chart_of_a_small_shoe_is_read_back(cardroom: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "small.csv"
    small = ("--shoe", "8:8,T:14", "--exact")
    cardroom("strategy", "blackjack", *small, "--csv", file)
    assert cardroom("odds", "blackjack", *small, "--strategy", file).code == 0
    for command in (("odds", "blackjack"), ("simulate", "blackjack", "--rounds", "1000")):
        assert "against A is empty (-), but A can come" in cardroom.refused(*command, "--strategy", file)


def test_the_chart_of_the_terminal(cardroom: CommandLine) -> None:
    out = cardroom("strategy", "blackjack", "--set", "dealer_hits_soft_17=false").out
    lines = [line.split() for line in out.splitlines()]
    assert ["hard", "11", *["Dh"] * 9, "H"] in lines
    assert ["pair", "8", *"PPPPPPPPPP"] in lines
    assert ["soft", "18", "S", "Ds", "Ds", "Ds", "Ds", "S", "S", "H", "H", "H"] in lines
    assert "House edge by this strategy: 0.4059 %" in out


def test_pictures_of_the_chart(cardroom: CommandLine, tmp_path: Path) -> None:
    files = {form: tmp_path / f"chart.{form}" for form in ("svg", "png", "html")}
    cardroom("strategy", "blackjack", *(word for form in files for word in (f"--{form}", str(files[form]))))
    assert files["png"].read_bytes().startswith(b"\x89PNG")
    svg = files["svg"].read_text("utf-8")
    assert "<svg" in svg
    assert "Blackjack: basic strategy" in svg
    page = files["html"].read_text("utf-8")
    assert 'lang="en"' in page
    assert "<caption>Pairs</caption>" in page
    assert "http" not in page


def test_composition_names_its_exceptions(cardroom: CommandLine) -> None:
    found = cardroom(
        "strategy", "blackjack", "--set", "dealer_hits_soft_17=false", "--strategy", "composition", "--json"
    ).json
    # As published: of all twelves against a 4, which stand, 10-2 hits.
    against_4 = [each for each in found["exceptions"] if each["up_card"] == "4"]
    assert against_4 == [{"cards": "2T", "up_card": "4", "action": "hit", "usual": "stand"}]


def test_every_action_of_a_hand(cardroom: CommandLine) -> None:
    found = cardroom("hand", "blackjack", "8c8d", "--dealer", "Ts", "--json").json
    assert [line["action"] for line in found["actions"]] == ["split", "hit", "stand", "double"]
    assert found["best"] == "split"
    assert found["actions"][0]["cost"] == 0
    out = cardroom("hand", "blackjack", "8c8d", "--dealer", "Ts").out
    assert "hard 16, against Ts" in out
    assert re.search(r"split +−0\.4\d+ +best", out)


def test_suits_count_where_bonuses_do(cardroom: CommandLine) -> None:
    def hit(cards: str) -> float:
        found = cardroom("hand", "spanish-21", cards, "--dealer", "7h", "--json").json
        return float(
            next(line for line in found["actions"] if line["action"] == "hit")["expected_value"]["decimal"]
        )

    mixed, suited, spades, any_suits = hit("6c7d"), hit("6c7c"), hit("6s7s"), hit("67")
    assert mixed < any_suits < suited < spades
    # Of 24 × 24 pairs of suits a sixteenth is of spades, three sixteenths are of another suit.
    assert any_suits == pytest.approx(mixed * 12 / 16 + suited * 3 / 16 + spades / 16, abs=1e-9)


def test_a_hand_in_fractions(cardroom: CommandLine) -> None:
    found = cardroom("hand", "blackjack", "A5", "--dealer", "6", "--shoe", SMALL, "--exact", "--json").json
    values = {line["action"]: Fraction(line["expected_value"]["fraction"]) for line in found["actions"]}
    # Standing on 16 wins when the dealer busts and loses else. Left are an A, two 2, a 5, a 6 and four T.
    assert values["stand"] == 2 * _busts([1, 2, 2, 5, 6, 10, 10, 10, 10], 6, ace=False) - 1
    assert values["double"] > values["hit"] > values["stand"]


@pytest.mark.parametrize(
    ("cards", "value"),
    [
        ("6s7s8s", 3),
        ("6c7c8c", 2),
        # A sixteenth is of one suit, a quarter of that of spades.
        ("678", Fraction(15, 16) * Fraction(3, 2) + Fraction(3, 64) * 2 + Fraction(1, 64) * 3),
        # Of one suit: any seven, then 5 of 23, then 4 of 22.
        ("777", Fraction(3, 2) + Fraction(20, 506) * (Fraction(3, 4) * Fraction(1, 2) + Fraction(3, 8))),
        ("23457", Fraction(3, 2)),
        ("AK", Fraction(3, 2)),
        ("KQA", 1),  # a 21 of the player always wins
    ],
)
def test_a_hand_on_which_nothing_is_to_be_decided(
    cardroom: CommandLine, cards: str, value: Fraction | int
) -> None:
    found = cardroom("hand", "spanish-21", cards, "--dealer", "4", "--json").json
    assert found["best"] is None
    assert found["actions"] == []
    assert found["expected_value"]["decimal"] == pytest.approx(float(value), abs=1e-12)
    assert found["averaged_over_suits"] == (cards in ("678", "777"))
    assert (
        f"Expected value {signed(float(value), 6, plus=True)}"
        in cardroom("hand", "spanish-21", cards, "--dealer", "4").out
    )


def test_tens_that_are_no_pair(cardroom: CommandLine) -> None:
    """Where only like tens are a pair, the value of a split is that of like tens, and it is said."""
    like = ("--set", "split.unlike_tens=false")

    def split(cards: str) -> float:
        found = cardroom("hand", "blackjack", cards, "--dealer", "6", *like, "--json").json
        assert found["not_with_all_cards"] == (["split"] if cards == "TT" else [])
        values = {line["action"]: line["expected_value"]["decimal"] for line in found["actions"]}
        return float(values["split"])

    # T-T is one of four pairs alike, and all of them are worth the same.
    assert split("TT") == pytest.approx(split("QcQd"), abs=1e-12)
    assert (
        "Only some of these cards may split"
        in cardroom("hand", "blackjack", "TT", "--dealer", "6", *like).out
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("TT", "--dealer", "A", "--shoe", "A:1,T:60"), "is a blackjack with every card that is left"),
        (
            ("AA", "--dealer", "T", "--shoe", "A:5,T:1", "--exact"),
            "is a blackjack with every card that is left",
        ),
        (("A23", "--dealer", "4", "--shoe", "A:1,2:1,3:1,4:1", "--exact"), "leave no card for the dealer"),
    ],
)
def test_no_hole_card_to_play_against(cardroom: CommandLine, words: tuple[str, ...], said: str) -> None:
    assert said in cardroom.refused("hand", "blackjack", *words)


def test_the_super_bonus_is_said_to_be_left_out(cardroom: CommandLine) -> None:
    def said(cards: str, up: str) -> bool:
        return "Super Bonus" in cardroom("hand", "players-edge-21", cards, "--dealer", up).out

    assert said("7d7d", "7c")
    assert said("77", "7")
    assert not said("7d7c", "7c")
    assert not said("7d7d", "8c")
    assert not said("7d6d", "7c")


def test_the_expected_value_of_odds_is_the_sum_of_its_parts(cardroom: CommandLine) -> None:
    """With one deck too, where the distribution is good to ten digits only."""
    found = cardroom("odds", "players-edge-21", "--set", "decks=1", "--parts", "--json").json
    whole = sum(part["probability"] * part["expected_value"] for part in found["by_up_card"])
    assert found["wagers"][0]["expected_value"]["decimal"] == pytest.approx(whole, abs=1e-14)


@pytest.mark.parametrize("game", ["spanish-21", "players-edge-21"])
def test_no_column_of_a_chart_is_lost(
    cardroom: CommandLine, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = cardroom("strategy", game).out.splitlines()
    assert max(map(len, lines)) <= 80
    heads = [line.split()[-10:] for line in lines if line.split()[-1:] == ["A"]]
    assert heads == [["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"]] * len(heads)
    grids = cardroom("strategy", game, "--json").json["grids"]
    assert len(heads) == len(grids)


def test_a_row_that_takes_back_another_is_shown(cardroom: CommandLine) -> None:
    """Of 16 against a ten: three cards stand, four hit as two do, five stand."""
    five = ("--set", "decks=1", "--set", "bonus_21.five_cards=2:1")
    found = cardroom("strategy", "blackjack", *five, "--json").json
    ten = found["up_cards"].index("T")
    cells = {row["cards"]: row["cells"][ten] for row in found["rows"] if row["hand"] == "hard 16"}
    assert cells == {"": "S", "3+": "S", "4+": "H", "5+": "S"}  # the last without a number is after a split
    shown = {row["hand"]: row["cells"] for grid in found["grids"] for row in grid["rows"]}
    assert shown["hard 16, 3+ cards, no split"][ten] == "S"
    assert shown["hard 16, 4+ cards, no split"] == ["·"] * 10
    assert "hard 13, 5+ cards" in shown


def test_a_chart_that_tells_one_and_the_same_hand_apart(cardroom: CommandLine, tmp_path: Path) -> None:
    """Of three cards after a split, and of six without one, 16 has the same options and no bonus in view."""
    five, file = ("--set", "decks=1", "--set", "bonus_21.five_cards=2:1"), tmp_path / "own.csv"
    cardroom("strategy", "blackjack", *five, "--csv", str(file))
    text = file.read_text("utf-8")
    same = "hard 16,{},,,{},S,S,S,S,S,H,H,S,S,S\n"
    assert same.format("5+", "no") in text
    assert same.format("", "yes") in text
    other = "hard 16,,,,yes,S,S,S,S,S,H,H,S,H,S\n"
    file.write_text(text.replace(same.format("", "yes"), other), "utf-8")
    said = cardroom.refused("odds", "blackjack", *five, "--strategy", str(file))
    assert said.startswith("by these rules hard 16 of ")
    assert said.endswith("are one and the same hand; give both the same cells")


def test_one_deck_has_no_five_twos(cardroom: CommandLine) -> None:
    found = cardroom("strategy", "players-edge-21", "--set", "decks=1", "--json").json
    shown = {row["hand"]: row["cells"] for grid in found["grids"] for row in grid["rows"]}
    assert "hard 10, 5+ cards" not in shown
    assert shown["hard 8, 4+ cards"][0] == "·"  # 2-2-2-2 against a 2
    assert shown["hard 8, 4+ cards"][2] == "H"


def test_a_terminal_is_told_what_takes_a_while(cardroom: CommandLine) -> None:
    words = ("hand", "blackjack", "AT", "--dealer", "6", "--shoe", SMALL, "--exact")
    with Terminal(*words) as screen:
        screen.until("solving Blackjack in fractions, every card dealt …")
        screen.until("Expected value")
    assert cardroom(*words).err == ""


def test_a_blackjack_in_fractions(cardroom: CommandLine) -> None:
    words = ("hand", "blackjack", "AT", "--dealer", "6", "--shoe", SMALL, "--exact")
    assert cardroom(*words, "--json").json["expected_value"]["fraction"] == "3/2"
    assert "Expected value 3/2 = +1.500000" in cardroom(*words).out


def _busts(left: list[int], hard: int, *, ace: bool) -> Fraction:
    """The chance that a dealer who hits soft 17 busts, by dealing every card that is left."""
    soft = ace and hard + 10 <= 21
    total = hard + 10 if soft else hard
    if total > 17 or (total == 17 and not soft):
        return Fraction(total > 21)
    return sum(
        (
            _busts([*left[:place], *left[place + 1 :]], hard + card, ace=ace or card == 1)
            for place, card in enumerate(left)
        ),
        Fraction(0),
    ) / len(left)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("AAAAA", "--dealer", "7", "--set", "decks=1"), "holds 5 cards of value 1; the shoe has 4"),
        (("AcAcAc", "--dealer", "7", "--set", "decks=2"), "holds 3 cards of Ac; the shoe has 2"),
        (("9d", "--dealer", "7"), "a hand has two cards or more"),
        (("TT5", "--dealer", "7"), "a hand of 25 is bust"),
        (("9x", "--dealer", "7"), "is not a card"),
        (("98", "--dealer", "77"), "the dealer shows one card"),
        (
            ("98", "--dealer", "7", "--set", "double.rescue=original", "--set", "double.max_doubles=0"),
            "needs a double",
        ),
        (("98", "--dealer", "7", "--shoe", "A:x"), "is not a count of cards"),
        (("98", "--dealer", "7", "--shoe", SMALL), "could run out"),
    ],
)
def test_hands_that_cannot_be(cardroom: CommandLine, words: tuple[str, ...], said: str) -> None:
    assert said in cardroom.refused("hand", "blackjack", *words)


def test_a_wager_in_parts_of_chips(cardroom: CommandLine) -> None:
    said = cardroom.refused("odds", "players-edge-21", "--wager", "24.50")
    assert said == "--wager 24.50 is not in whole chips; the smallest chip is $1.00 (21-1.14)"


def test_an_up_card_that_is_not_in_the_deck(cardroom: CommandLine) -> None:
    assert (
        cardroom.refused("hand", "spanish-21", "98", "--dealer", "Ts")
        == "there is no Ts: a Spanish deck has no tens; write J, Q or K, or T without a suit for any of them"
    )
    shoe = ("--shoe", "7:20,8:20,9:20,T:60")
    assert cardroom.refused("hand", "blackjack", "98", "--dealer", "6", *shoe) == "there is no 6 in the shoe"
    # A ten-valued card without its suit is any of the faces.
    assert cardroom("hand", "spanish-21", "98", "--dealer", "T").code == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ((r"^hard 12,.*\n", ""), "the chart says nothing of hard 12"),
        ((r"^hard 12,(.*),\w+$", r"hard 12,\1,"), "hard 12 against A is empty"),
        ((r"^hard 12,(.*),\w+$", r"hard 12,\1,X"), "hard 12 against A: 'X' in cell 'X' is not an action"),
        (
            (r"^(hard 18),(,*).*$", r"\1,\2P,P,P,P,P,P,P,P,P,P"),
            "hard 18 against 2: P is possible with no hand",
        ),
        ((r"^(hard 18),(,*)S", r"\1,\2-"), "hard 18 against 2 is empty (-), but 2 can come"),
        ((r"(?s).*", ""), "the chart is empty"),
        ((r"^# blackjack", "# spanish-21"), "the chart is for spanish-21, not for blackjack"),
    ],
)
def test_charts_that_say_too_little(
    cardroom: CommandLine, tmp_path: Path, change: tuple[str, str], said: str
) -> None:
    rules = house("blackjack")
    text = re.sub(*change, solve(rules, "basic").strategy.chart().csv(), flags=re.MULTILINE)
    file = tmp_path / "chart.csv"
    file.write_text(text)
    for command in (
        ("odds", "blackjack"),
        ("strategy", "blackjack"),
        ("hand", "blackjack", "98", "--dealer", "7"),
    ):
        assert said in cardroom.refused(*command, "--strategy", file)


def test_other_refusals(cardroom: CommandLine, tmp_path: Path) -> None:
    assert "cannot be read" in cardroom.refused("odds", "blackjack", "--strategy", "nowhere.csv")
    wanted = "--strategy is empty; allowed: basic, composition or the name of a chart file"
    assert cardroom.refused("odds", "blackjack", "--strategy", "") == wanted
    assert "fractions are for small shoes" in cardroom.refused("odds", "blackjack", "--exact")
    assert "allowed: $4.00 to $4.00" in cardroom.refused("odds", "blackjack", "--wager", "5")
    assert ".pdf, .html, .json" in cardroom.refused("par", "blackjack", "-o", "sheet.doc")
    nowhere = tmp_path / "no" / "chart.csv"
    assert "cannot write" in cardroom.refused("strategy", "blackjack", "--csv", nowhere)


def test_charts_parse_back() -> None:
    for game in ("blackjack", "spanish-21", "players-edge-21"):
        chart = solve(house(game), "basic").strategy.chart()
        assert Chart.parse(chart.csv()) == chart
        assert Chart.parse(chart.toml()) == chart


def test_figures_of_nothing_won(capsys: pytest.CaptureFixture[str]) -> None:
    from cardroom.exact.figures import Outcome, WagerFigures

    lost = WagerFigures("primary", (Outcome("lose", Fraction(-1), Fraction(1)),))
    print_figures(house("blackjack"), [lost], as_json=False)
    assert "never" in capsys.readouterr().out
