"""The lab's page Protection and the chapter of the PAR sheet: what they show, and where it comes from."""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.core.errors import CardroomError
from cardroom.lab.par.protection import exposure_tables, protection_tables
from cardroom.lab.progress import listening
from cardroom.lab.protection import exact_tables, protection_view
from cardroom.lab.protection_counters import counter_of, counter_view, team_view
from cardroom.lab.protection_tables import efficiency_tables, index_tables, known_tables
from cardroom.protect.effects import effects_of
from cardroom.protect.house import house_report
from cardroom.rules import load_rules
from tests.command_line import CommandLine


@pytest.mark.slow
def test_a_page_of_the_family() -> None:
    """Tables as rows as long as their heads, plots with ticks around their points, an edge that rises."""
    rules = load_rules("blackjack", {"decks": 1, "limits.max": "100.00"})
    view = protection_view(rules, shoes=20, solved=30)
    counter = counter_view(rules, rounds=100_000)
    assert view["rules_hash"] == rules.rules_hash
    exact = exact_tables(rules)
    assert [table["title"] for table in exact][-2:] == ["Counts", "The best counts"]
    assert all(table["title"].startswith("Effects of removal: ") for table in exact[:-2])
    titles = [table["title"] for table in view["tables"]]
    assert titles[0] == "What the best conceivable counter wins"
    assert titles[1] == "Perfect play: the most that any count could win"
    assert [table["title"] for table in counter["tables"]] == ["A counter: Hi-Lo"]
    for table in [*view["tables"], *counter["tables"], *exact]:
        assert {len(row) for row in table["rows"]} == {len(table["head"])}
    plots = [*counter["plots"], *view["plots"]]
    for plot in plots:
        xs, ys = [x for x, _ in plot["x_ticks"]], [y for y, _ in plot["y_ticks"]]
        assert min(xs) <= min(x for x, _, _ in plot["points"])
        assert max(ys) >= max(y for _, y, _ in plot["points"])
    names = [plot["title"] for plot in plots]
    assert {"Edge against true count", "True counts by depth", "How a bankroll may go"} <= set(names)
    for plot in plots:
        assert [point for one in plot.get("series", []) for point in one["points"]] in ([], plot["points"])
    edges = {x: y for x, y, _ in counter["plots"][0]["points"]}
    assert edges[max(edges)] > edges[min(edges)]


@pytest.mark.slow
def test_a_counter_as_somebody_asks() -> None:
    """Another count, ramp and cut; what is wrong is refused as on the command line."""
    rules = load_rules("blackjack", {"decks": 2})
    view = counter_view(rules, {"count": "ko", "ramp": "1:3,2:20"}, cut_cards=52, rounds=20_000)
    (table,) = view["tables"]
    assert table["title"] == "A counter: Knock-Out"
    assert table["note"].startswith("Knock-Out: 1 unit, 3 from +1, 20 from +2. ")
    assert "52 cards behind the cut card, 20 units at most" in table["note"]
    assert {row[0]: row[2] for row in table["rows"]}["2"] == "20"
    for wrong, cut, words in (
        ({"count": "high-low"}, None, "there is no count"),
        ({"ramp": "1:0"}, None, "falls below"),
        ({"ramp": "1:2"}, 200, "beyond the shoe"),
        ({"insurance_count": "tens"}, None, "insurance"),
        ({"enter": 2}, None, "somebody to be dealt to meanwhile"),
        ({"sides": [{"wager": "lucky", "from_count": 3, "units": 1}]}, None, "lucky"),
    ):
        with pytest.raises(CardroomError, match=words) as refused:
            counter_view(rules, wrong, cut_cards=cut)
        assert "\n" not in str(refused.value)
    with pytest.raises(CardroomError, match="no cards to count"):
        counter_view(load_rules("knockout-52"))


def number(words: str) -> float:
    """A number as it is shown, read again."""
    return float(words.replace("\N{MINUS SIGN}", "-").replace(",", "").removesuffix(" %"))


@pytest.mark.slow
def test_a_team_as_somebody_asks() -> None:
    """What each wins adds up to what all win together; who never leaves plays every round."""
    rules = load_rules("blackjack", {"decks": 2})
    team: list[dict[str, Any]] = [{"ramp": ""}, {"count": "zen", "ramp": "1:4,2:12", "enter": 2, "spots": 2}]
    view = team_view(rules, team, rounds=200_000)
    won, who = view["tables"]
    assert won["title"] == "2 counters at one table"
    assert [row[0] for row in won["rows"]] == ["1", "2", "All together"]
    first, second, together = (number(row[2]) for row in won["rows"])
    assert first + second == pytest.approx(together, abs=0.0015)  # each is rounded to a thousandth
    assert won["rows"][0][1] == "100.0 %"
    assert 0 < number(won["rows"][1][1]) < 50
    assert [row[0] for row in who["rows"]] == [
        "1. Hi-Lo: 1 unit",
        "2. Zen: 1 unit, 4 from +1, 12 from +2; 2 spots; sits down at +2, gets up below +2",
    ]
    for one in view["tables"]:
        assert {len(row) for row in one["rows"]} == {len(one["head"])}
    titles = [plot["title"] for plot in view["plots"]]
    assert titles[:2] == ["Counter 1: edge against true count", "Counter 2: edge against true count"]
    assert "How a bankroll may go" in titles
    with pytest.raises(CardroomError, match="spots of the counter"):
        team_view(rules, [{"spots": 5}, {"spots": 5}])
    with pytest.raises(CardroomError, match="all wait for a count"):
        team_view(rules, [{"enter": 1}, {"enter": 2}])


def test_the_page_says_what_the_command_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same counters, rounds and seed: the same figures, digit for digit."""
    rules = load_rules("blackjack", {"decks": 1})
    second = {"count": OWN_TAGS, "ramp": "2:8", "decks_known": "half", "rounding": "nearest", "cover": 2}
    table = team_view(rules, [{"ramp": "1:2", "running": True}, second], rounds=50_000)["tables"][0]
    asked = ("protect", "blackjack", "--set", "decks=1", "--rounds", "50000", "--maximum", "8", "--json")
    further = ("--with", f"count={OWN_TAGS} ramp=2:8 decks-known=half rounding=nearest cover=2")
    told = CommandLine(monkeypatch, capsys)(*asked, "--ramp", "1:2", "--running", *further).json
    wins = [one["per_round_seen"]["win_per_100"] for one in (*told["counters"], told["together"])]
    assert [number(row[2]) for row in table["rows"]] == [pytest.approx(win, abs=0.0006) for win in wins]


OWN_TAGS = "-1,0.5,1,1,1.5,1,0.5,0,-0.5,-1"


def test_how_a_count_is_read() -> None:
    """Tags of one's own, decks known roughly, the running count: said in words; what is wrong is refused."""
    rules = load_rules("blackjack", {"decks": 2})
    own = {"count": OWN_TAGS, "decks_known": "quarter", "rounding": "truncate", "cover": 3}
    assert counter_of(own).count.tags == counter_of({"count": "halves"}).count.tags
    assert (counter_of(own).decks_known, counter_of(own).rounding, counter_of(own).cover) == (
        "quarter",
        "truncate",
        3,
    )
    (table,) = counter_view(rules, own, rounds=2_000)["tables"]
    tags = "Tags −1 0.5 1 1 1.5 1 0.5 0 −0.5 −1"
    assert table["title"] == f"A counter: {tags}"
    assert table["note"].startswith(
        f"{tags}: 1 unit, 2 from +1, 4 from +2, 6 from +3, 8 from +4; decks left known to the nearest "
        "quarter of a deck; count rounded towards 0; no wager above 3 times the last one, nor below 1/3 "
        "of it. "
    )
    view = counter_view(rules, {"count": "ko", "running": True}, rounds=20_000)
    assert "; decides by the running count. " in view["tables"][0]["note"]
    assert view["tables"][0]["head"][0] == "Running count"
    titles = [plot["title"] for plot in view["plots"]]
    assert titles[:3] == [
        "Edge against running count",
        "How often each running count comes",
        "Running counts by depth",
    ]
    for wrong, words in (
        ({"running": True, "decks_known": "half"}, "not divided by decks"),
        ({"cover": 1}, "cover of 1 is not allowed"),
        ({"decks_known": "roughly"}, "allowed: exact, quarter, half, whole"),
        ({"rounding": "up"}, "allowed: floor, nearest, truncate"),
        ({"count": "-1,1,1,1,1,1,0,0,-1"}, "9 tags; a count has ten"),
        ({"count": "-1,1,1,1,,1,0,0,0,-1"}, "has no tag for 5"),
    ):
        with pytest.raises(CardroomError, match=words):
            counter_view(rules, wrong)


@pytest.mark.slow
def test_a_second_count_decides_one_thing_alone() -> None:
    """Tens counted for insurance: wagers and counts are those of the first count, the win is not."""
    rules = load_rules("blackjack", {"decks": 1})
    usual = {"count": "hi-opt-1", "ramp": "1:4", "insurance_from": 4}
    alone, beside = (
        counter_view(rules, {**usual, **more}, rounds=100_000)["tables"][0]
        for more in ({}, {"insurance_count": "tens"})
    )
    assert "insurance from +4. " in alone["note"]
    assert "insurance from +4, by tens against all others. " in beside["note"]
    assert [row[:3] for row in alone["rows"]] == [row[:3] for row in beside["rows"]]
    assert [row[3] for row in alone["rows"]] != [row[3] for row in beside["rows"]]


def test_side_bets_and_deviations_of_a_counter() -> None:
    """Decided by counts of their own; a table says how often the bet was made."""
    rules = load_rules("blackjack", {"decks": 2})
    habits = {
        "deviations": "illustrious",
        "play_count": "hi-opt-1",
        "sides": [{"wager": "21+3", "from_count": 3, "units": 5}],
        "side_count": "suits",
    }
    assert counter_of(habits).play_count is not None
    counter, sides = counter_view(rules, habits, others=1, rounds=50_000)["tables"]
    assert (
        "deviations, by Hi-Opt I; 21+3 from +3, 5 units, by the longest suit against the shortest"
        in (counter["note"])
    )
    ((bet, made, edge, won),) = sides["rows"]
    assert bet == "21+3"
    # Five units on it wherever it is made: share times edge, in units for 100 rounds seen.
    assert number(made) * number(edge) / 100 * 5 == pytest.approx(number(won), abs=0.02)


@pytest.mark.thorough
@pytest.mark.slow
def test_efficiency_as_somebody_asks() -> None:
    """The best of the named counts is ahead of Hi-Lo, as published; what was solved is told on the way."""
    heard: list[tuple[float, str]] = []
    with listening(lambda share, words: heard.append((share, words))):
        (table,) = efficiency_tables(load_rules("blackjack", {"decks": 1}), ["hi-lo", "hi-opt-2"], shoes=40)
    shares = {row[0]: number(row[1]) for row in table["rows"]}
    assert 0 < shares["Hi-Lo"] < shares["Hi-Opt II"] < 1
    assert {len(row) for row in table["rows"]} == {len(table["head"])}
    assert heard[0] == (0.0, "of 40 shoes solved")
    assert heard[-1] == (1.0, "of 40 shoes solved")
    with pytest.raises(CardroomError, match="no cards to count"):
        efficiency_tables(load_rules("knockout-52"))


def test_known_cards_as_somebody_asks() -> None:
    """The first ace is worth a little more than with infinite decks, of which .504019 is published."""
    rules = load_rules("blackjack", {"decks": 1})
    tables = {table["title"]: table for table in known_tables(rules)}
    first = {row[0]: row[2] for row in tables["The first card known before the wager"]["rows"]}
    assert first["A"].startswith("+5")
    assert "the hole card itself" in [row[0] for row in tables["An ace followed, the hole card seen"]["rows"]]
    for one in tables.values():
        assert {len(row) for row in one["rows"]} == {len(one["head"])}


@pytest.mark.slow
def test_indices_as_somebody_asks() -> None:
    """Of a single deck: there are shoes without an ace, in which nobody is asked for insurance."""
    (table,) = index_tables(load_rules("blackjack", {"decks": 1}))
    assert table["title"] == "Indices of Hi-Lo"
    assert any(row[0].startswith("16 v T stand from") for row in table["rows"])
    assert any(row[0].startswith("insurance from") for row in table["rows"])
    assert {len(row) for row in table["rows"]} == {len(table["head"])}


def test_a_page_without_cards_to_count() -> None:
    view = protection_view(load_rules("knockout-52"))
    assert view["mark"] == "safe"
    assert (view["plots"], exact_tables(load_rules("knockout-52"))) == ([], [])
    assert any("nobody can gain by watching" in words for words in view["findings"])


@pytest.mark.slow
def test_the_chapter_of_the_sheet() -> None:
    rules = load_rules("blackjack", {"decks": 1})
    tables = list(protection_tables(rules))
    assert [table.key for table in tables] == [
        *(f"protection-effects-{number}" for number in range(1, len(tables) - 1)),
        "protection-counts",
        "protection-best-counts",
    ]
    insurance = next(table for table in tables[:-2] if table.data["wager"] == "insurance")
    expected = effects_of(rules, "insurance").by_value
    assert insurance.data["per_card"]["T"] == float(expected["T"])  # −4.1176 %
    assert ["T", "−4.1176 %", "−4.118 %"] in [list(row) for row in insurance.rows]
    counts = {(row[0], row[1]): row[2:] for row in tables[-1].rows}
    assert counts["Insurance", "level 1, unbalanced"] == ("T −1", "1.000")  # tens and all others
    assert {level for _, level in counts} >= {"level 3, balanced", "level 3, unbalanced"}
    assert list(protection_tables(load_rules("blackjack", {"decks": "infinite"}))) == []


@pytest.mark.thorough
@pytest.mark.slow
def test_the_report_for_the_house_on_a_sheet_with_rounds_enough() -> None:
    """A shoe for every 50,000 rounds, and none for fewer than twenty: the same report as by itself."""
    rules = load_rules("blackjack", {"decks": 1})
    assert list(exposure_tables(rules, rounds=999_999, seed=3)) == []
    wagers, perfect, *_ = exposure_tables(rules, rounds=1_000_000, seed=3)
    report = house_report(rules, shoes=20, solved=8, seed=3)
    assert [row[:2] for row in wagers.rows] == [(one.title, one.mark) for one in report.wagers]
    assert wagers.note.startswith("In 100 rounds with the largest stake")
    assert "From 20 shoes, seed 3" in wagers.note
    assert len(perfect.rows) == len(report.wagers)
