"""The lab's page Protection and the chapter of the PAR sheet: what they show, and where it comes from."""

from __future__ import annotations

from cardroom.lab.par.protection import protection_tables
from cardroom.lab.protection import protection_view
from cardroom.protect.effects import effects_of
from cardroom.rules import load_rules


def test_a_page_of_the_family() -> None:
    """Tables as rows as long as their heads, plots with ticks around their points, an edge that rises."""
    rules = load_rules("blackjack", {"decks": 1, "limits.max": "100.00"})
    view = protection_view(rules, shoes=20, solved=30, rounds=100_000)
    assert view["rules_hash"] == rules.rules_hash
    titles = [table["title"] for table in view["tables"]]
    assert titles[0] == "What the best conceivable counter wins"
    assert "Counts" in titles
    assert any(title.startswith("A counter: Hi-Lo") for title in titles)
    for table in view["tables"]:
        assert {len(row) for row in table["rows"]} == {len(table["head"])}
    for plot in view["plots"]:
        xs, ys = [x for x, _ in plot["x_ticks"]], [y for y, _ in plot["y_ticks"]]
        assert min(xs) <= min(x for x, _, _ in plot["points"])
        assert max(ys) >= max(y for _, y, _ in plot["points"])
    names = [plot["title"] for plot in view["plots"]]
    assert {"Edge against true count", "True counts by depth", "How a bankroll may go"} <= set(names)
    for plot in view["plots"]:
        assert [point for one in plot.get("series", []) for point in one["points"]] in ([], plot["points"])
    edges = {x: y for x, y, _ in view["plots"][0]["points"]}
    assert edges[max(edges)] > edges[min(edges)]


def test_a_page_without_cards_to_count() -> None:
    view = protection_view(load_rules("knockout-52"))
    assert view["mark"] == "safe"
    assert view["plots"] == []
    assert any("nobody can gain by watching" in words for words in view["findings"])


def test_the_chapter_of_the_sheet() -> None:
    rules = load_rules("blackjack", {"decks": 1})
    tables = list(protection_tables(rules))
    assert [table.key for table in tables] == [
        *(f"protection-effects-{number}" for number in range(1, len(tables))),
        "protection-counts",
    ]
    insurance = next(table for table in tables[:-1] if table.data["wager"] == "insurance")
    expected = effects_of(rules, "insurance").by_value
    assert insurance.data["per_card"]["T"] == float(expected["T"])  # −4.1176 %
    assert ["T", "−4.1176 %", "−4.118 %"] in [list(row) for row in insurance.rows]
    assert list(protection_tables(load_rules("blackjack", {"decks": "infinite"}))) == []
