"""`import cardroom as cr`: the public names, the twelve everyday tasks, short texts, errors to be caught."""

from __future__ import annotations

import inspect
import json
import math
import re
import subprocess
import sys
import types
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import cardroom as cr
from cardroom.core.cards import parse_card, parse_cards
from cardroom.exact.twentyone import solve
from cardroom.rules import load_rules
from tests.golden_house import GOLDEN
from tests.library_names import SNAPSHOT, promised

PAGE = Path(__file__).parents[2] / "docs" / "library.md"
TASKS = re.findall(r"### (.+?)\n\n```python\n(.+?)```", PAGE.read_text(), re.DOTALL)
RECORD = (GOLDEN / "0.2.0" / "shoes.jsonl").read_text()
HIT_TO_17: Any = lambda hand, up: "stand" if hand.total > 16 else "hit"  # noqa: E731


@pytest.fixture(scope="module")
def blackjack() -> cr.Game:
    return cr.Game("blackjack")


def test_there_are_twelve_tasks() -> None:
    assert len(TASKS) == 12


@pytest.mark.slow
@pytest.mark.parametrize(("task", "code"), TASKS, ids=[task for task, _ in TASKS])
def test_a_task_takes_five_lines_and_one_import(
    task: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run as it stands, with fewer rounds; what it reads is laid out for it."""
    imports, *lines = [line for line in code.splitlines() if line.strip()]
    assert imports == "import cardroom as cr"
    assert len(lines) <= 5
    assert "import" not in " ".join(lines)
    monkeypatch.chdir(tmp_path)
    Path("my.toml").write_text('extends = "blackjack"\ndecks = 2\n')
    Path("evening.jsonl").write_text(RECORD)
    short = code.replace("1e8", "1e5").replace(".par()", ".par(rounds=1000)")
    exec(compile(short, task, "exec"), {})
    if "picture" in task:
        assert Path("chart.svg").read_text().lstrip().startswith("<?xml")
        assert cr.Game("spanish-21").strategy("chart.csv").edge == cr.Game("spanish-21").strategy().edge


def test_public_names_are_as_they_were() -> None:
    """What goes away breaks somebody's program: write the file anew only on purpose."""
    assert json.loads(SNAPSHOT.read_text()) == promised()


def test_the_snapshot_sees_constructors_calls_fields_and_what_is_inherited() -> None:
    names: Any = promised()
    assert names["Curve"]["constructor"] == "(game: 'Game | str')"
    assert "policy" in names["Curve"]["members"]["__call__"]
    assert names["PolicyHand"]["fields"]["total"] == "int"
    assert names["Game"]["fields"] == {"rules": "set by the constructor"}
    assert "column" in names["Rounds"]["members"], "of Rows"
    assert "rules" in names["envs.TwentyOneSeats"]["constructor"]


def test_public_names_are_documented() -> None:
    text = PAGE.read_text()
    for name in cr.__all__:
        thing = getattr(cr, name)
        if name != "__version__":
            assert f"`{name}`" in text, name
            assert inspect.getdoc(thing), name
    for name in ("Game", "Hand", "Chart", "Simulation", "Table", "Par", "Odds", "Wager"):
        for member, one in vars(getattr(cr, name)).items():
            if not member.startswith("_") and isinstance(one, types.FunctionType | property):
                assert inspect.getdoc(one), f"{name}.{member}"


def test_importing_it_is_cheap() -> None:
    heavy = "{'numba', 'numpy', 'pydantic'}"
    code = f"import sys, cardroom; print(sorted({{m.split('.')[0] for m in sys.modules}} & {heavy}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
def test_figures_are_those_of_the_solver(blackjack: cr.Game) -> None:
    solution = solve(load_rules("blackjack"), "basic", wager_cents=400)
    assert blackjack.edge("basic") == -solution.expected_value
    edge = cr.Game("spanish-21").odds()["match-the-dealer"]
    assert edge.exact is not None
    assert float(edge) == float(edge.exact) == float(-edge.expected_value)
    assert sum(row["probability"].exact for row in edge.outcomes) == 1
    assert cr.Game("knockout-52").edge().exact == -Fraction(
        cr.Game("knockout-52").odds()["round-1"].expected_value.exact or 0
    )


def test_a_hand_out_of_a_depleted_shoe(blackjack: cr.Game) -> None:
    hand = blackjack.hand("Tc 6d", "Th", seen="5c 5d 6h")
    left = load_rules("blackjack").shoe().without(parse_cards("5c5d6h"))
    values = solve(load_rules("blackjack"), shoe=left, wager_cents=400).action_values(
        parse_cards("Tc6d"), parse_card("Th")
    )
    assert hand.values == {str(action): value for action, value in values.items()}
    assert hand.best == max(hand.values, key=lambda action: hand.values[action])
    assert hand.cost(hand.best or "") == 0 < hand.cost("double")


def test_a_function_is_played_alike_by_solver_simulator_and_engine() -> None:
    """The table compiled from a function decides as the function does, hand by hand."""
    infinite = cr.Game("blackjack", decks="infinite")
    exact = cr.evaluate(HIT_TO_17, infinite)
    simulation = infinite.simulate(2_000_000, HIT_TO_17, seed=5, side_bets=False)
    assert abs(simulation.mean - exact) < 6.2 * simulation.standard_error
    rounds = cr.Game("blackjack").table(seed=3).play(HIT_TO_17, rounds=40)
    by_table = (
        cr.Game("blackjack").table(seed=3).play(cr.Game("blackjack").strategy(HIT_TO_17).table, rounds=40)
    )
    assert [one.notation for one in rounds] == [one.notation for one in by_table]


def test_a_table_deals_the_same_cards_to_the_same_seed() -> None:
    game = cr.Game("blackjack")
    first, again = (game.table(seed=7).play("basic", rounds=5) for _ in range(2))
    assert [str(one) for one in first] == [str(one) for one in again]
    table = game.table(seed=7)
    parts = [*table.play("basic", rounds=2), *table.play("basic", rounds=3)]
    assert [str(one) for one in parts] == [str(one) for one in first]
    layout = cr.Game("knockout-52").table(seed=1, wager={"round-1": 5, "all-the-way": 1}).play(rounds=3)
    assert {one.net_cents for one in layout} <= {150, -350, -600, 250, -500 + 100 * 50}


@pytest.mark.slow
def test_texts_are_short(blackjack: cr.Game) -> None:
    shown = [
        blackjack,
        blackjack.odds(),
        blackjack.odds()["primary"],
        blackjack.strategy(),
        blackjack.hand("A7", "9"),
        blackjack.simulate(10_000),
        blackjack.table().play(rounds=2),
        blackjack.table().play()[0],
        cr.compare("knockout-52", decks=[1, 2]),
        cr.Game("knockout-21").odds(),
        cr.Game("knockout-52").par(rounds=1000),
        cr.verify(RECORD),
    ]
    for thing in shown:
        assert len(repr(thing).splitlines()) <= 2, repr(thing)
        assert len(repr(thing)) <= 300, repr(thing)
    for thing in shown[:-1]:
        html = thing._repr_html_()
        assert html.startswith("<"), html[:40]


def test_rows_become_data_frames_where_there_is_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    table = cr.compare("knockout-52", decks=[1, 8])
    with pytest.raises(RuntimeError, match="pip install"):
        _without_frames(monkeypatch, table)
    fake = types.ModuleType("pandas")
    fake.__dict__["DataFrame"] = list
    monkeypatch.setitem(sys.modules, "pandas", fake)
    monkeypatch.setattr("cardroom.library.frames.find_spec", lambda name: name == "pandas" or None)
    rows: Any = table.to_frame()
    assert [row["decks"] for row in rows] == [1, 8]
    assert all(type(row["house_edge"]) is float for row in rows)
    with pytest.raises(ValueError, match="known: pandas, polars"):
        table.to_frame("excel")  # type: ignore[arg-type]


def _without_frames(monkeypatch: pytest.MonkeyPatch, table: cr.Rows) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("cardroom.library.frames.find_spec", lambda _name: None)
        table.to_frame()


untyped: Any = cr
"""For what the types would not let through."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ask", "kind", "words"),
    [
        (lambda: cr.Game("blakjack"), KeyError, "did you mean 'blackjack'"),
        (lambda: cr.Game("blackjack", dekcs=3), KeyError, "did you mean 'decks'"),
        (lambda: cr.Game("blackjack", decks="x"), ValueError, "allowed: 1, 2"),
        (lambda: cr.Game("no.toml"), ValueError, "cannot read"),
        (lambda: cr.Game("blackjack").odds()["red"], KeyError, "the wagers are primary"),
        (lambda: cr.Game("blackjack").hand("T", "9"), ValueError, "two cards or more"),
        (lambda: cr.Game("blackjack").hand("A7", "9").cost("split"), KeyError, "it can "),
        (lambda: cr.Game("blackjack").strategy("none.csv"), KeyError, "cannot be read"),
        (lambda: cr.Game("blackjack").simulate(100, lambda hand, up: "jump"), ValueError, "must name one of"),
        (lambda: cr.Game("blackjack").simulate(1.5), ValueError, "whole number"),
        (lambda: cr.Game("blackjack").simulate(math.inf), ValueError, "whole number"),
        (
            lambda: cr.Game("blackjack").edge(wager="4.01"),
            ValueError,
            "wager 4.01 is not allowed; allowed: $4.00",
        ),
        (lambda: cr.Game("knockout-21").hand("A7", "9"), ValueError, "it is for blackjack"),
        (lambda: cr.Game("knockout-21").table().play(), ValueError, "lottery"),
        (lambda: cr.Game("knockout-52").edge("basic"), ValueError, "has no strategy"),
        (lambda: cr.Game("knockout-52").live("Zz"), ValueError, "Zz"),
        (lambda: cr.compare("blackjack", decks=[]), ValueError, "0 rule sets"),
        (lambda: cr.verify("nothing.jsonl"), ValueError, "cannot read"),
        (lambda: cr.Game("blackjack").table().play(rounds=0), ValueError, "from 1"),
        (lambda: untyped.Game("blackjack").table().play(rounds=2.5), ValueError, "a whole number from 1"),
        (lambda: untyped.Game("blackjack").table(seed="x"), ValueError, "the seed 'x' is not allowed"),
        (lambda: untyped.Game("blackjack").simulate("many"), ValueError, "a whole number from 2"),
        (lambda: untyped.Game("blackjack").par(rounds="x"), ValueError, "a whole number from 1000"),
        (lambda: untyped.Game("knockout-21").returns(["x"]), ValueError, "a whole number from 1"),
        (lambda: untyped.Game(5), ValueError, "the game 5 is not a text; write it like 'blackjack'"),
        (lambda: untyped.Game("blackjack").hand(["Tc", "6d"], "Th"), ValueError, "write it like 'Tc 6d'"),
        (lambda: untyped.Game("blackjack").hand("Tc 6d", 10), ValueError, "the up card 10 is not a text"),
        (lambda: untyped.Game("knockout-52").live(5), ValueError, "the cards 5 is not a text"),
        (lambda: untyped.verify(None), ValueError, "the record None is not a text"),
        (lambda: untyped.Game("blackjack").edge(3), ValueError, "a strategy is basic, composition"),
        (lambda: untyped.evaluate({}, "blackjack"), ValueError, "not dict"),
        (lambda: untyped.evaluate(None, "blackjack"), ValueError, "a policy is needed"),
    ],
)
def test_wrong_input_is_a_value_error_with_words(ask: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=re.escape(words)) as caught:
        ask()
    assert isinstance(caught.value, cr.CardroomError)
    assert "\n" not in str(caught.value)
