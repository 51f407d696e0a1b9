"""The lab's page Protection and the chapter of the PAR sheet: what they show, and where it comes from."""

from __future__ import annotations

import pytest

from cardroom.core.errors import CardroomError
from cardroom.lab.par.protection import exposure_tables, protection_tables
from cardroom.lab.protection import exact_tables, protection_view
from cardroom.lab.protection_asked import counter_view, index_tables, known_tables
from cardroom.protect.effects import effects_of
from cardroom.protect.house import house_report
from cardroom.rules import load_rules


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
    assert [table["title"].split(",")[0] for table in counter["tables"]] == ["A counter: Hi-Lo"]
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


def test_a_counter_as_somebody_asks() -> None:
    """Another count, ramp and cut; what is wrong is refused as on the command line."""
    rules = load_rules("blackjack", {"decks": 2})
    view = counter_view(rules, "ko", "1:3,2:20", 52, rounds=20_000)
    (table,) = view["tables"]
    assert table["title"] == "A counter: Knock-Out, ramp 1:3,2:20"
    assert "52 cards behind the cut card, 20 units at most" in table["note"]
    assert {row[0]: row[2] for row in table["rows"]}["2"] == "20"
    for wrong, words in (
        (("high-low",), "there is no count"),
        (("hi-lo", "1:0"), "falls below"),
        (("hi-lo", "1:2", 200), "beyond the shoe"),
    ):
        with pytest.raises(CardroomError, match=words):
            counter_view(rules, *wrong)
    with pytest.raises(CardroomError, match="no cards to count"):
        counter_view(load_rules("knockout-52"))


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
