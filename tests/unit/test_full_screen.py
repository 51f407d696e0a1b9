"""`cardroom play` on the whole screen: tables of the blackjack family, driven by keys."""

from __future__ import annotations

import asyncio
import errno
import re
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input, Static

from cardroom.cli.bankroll import FRESH_CENTS, Bankroll
from cardroom.cli.leaving import Leaving
from cardroom.cli.twentyone import advice as advice_module
from cardroom.cli.twentyone.adviser import advice_words, blunder_words, verdict_words
from cardroom.cli.twentyone.computer import computer_players
from cardroom.cli.twentyone.cut import Cut
from cardroom.cli.twentyone.full_screen import TwentyOneApp
from cardroom.cli.twentyone.session import Session, Settings
from cardroom.core.errors import MalformedInput
from cardroom.engine.twentyone import Round, format_round
from cardroom.lab.advice import Advice, Choice
from cardroom.lab.charts import StrategyChart, strategy_chart
from cardroom.model.twentyone.strategy import Chart, Row
from cardroom.presentation.money import dollars
from cardroom.rules.round_head import RulesForm
from cardroom.rules.twentyone import TwentyOneRules
from tests.event_loop import run_to_end
from tests.tables import rules_of

__all__ = ["advice_words", "blunder_words", "verdict_words"]

SIZES = [(80, 24), (140, 40), (60, 20)]
STAND_COSTS = {"stand": 0.0, "hit": -60.0}
"""An adviser who always stands: hitting costs 60 cents by it."""


def values(game: Round) -> Advice:
    """What the adviser of these tests says of a hand; a real one solves the game."""
    choices = [Choice(option, STAND_COSTS.get(str(option), -200.0)) for option in game.options]
    return Advice(tuple(sorted(choices, key=lambda choice: -choice.value_cents)), 400)


def chart(rules: TwentyOneRules, wager_cents: int) -> StrategyChart:
    """A chart of one row for every hard total."""
    rows = [Row(f"hard {total}", cells=("H",) * 10 if total < 17 else ("S",) * 10) for total in range(4, 21)]
    return strategy_chart(Chart(rules.game, "made for a test", tuple(rows)), "a chart")


@pytest.fixture(autouse=True)
def _adviser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice_module, "ADVISER", __name__)


def settings_for(game: str, **changes: Any) -> Settings:
    plain = Settings(
        rules_of(game),
        bets=None,
        auto=False,
        rounds=None,
        seconds=0.0,
        others=(),
        spots=1,
        name="You",
        cut=Cut(2.0),
        procedure=False,
        chips_cents=None,
        seed=3,
        record=None,
    )
    return replace(plain, **changes)


def screen_text(app: App[Any]) -> str:
    """Everything that is on the screen, line by line."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Wait for a condition, as long as it takes within reason."""
    for _ in range(2000):
        await pilot.pause()
        if holds():
            return
        await asyncio.sleep(0.005)
    raise AssertionError(screen_text(pilot.app))


Played = Callable[[TwentyOneApp, Pilot[None]], Coroutine[Any, Any, None]]


def play(settings: Settings, scene: Played, size: tuple[int, int] = (80, 24)) -> Session:
    """Play a scene at a table on a screen of a size; the session as it was left."""

    async def run() -> Session:
        session = Session(settings)
        with session:
            app = TwentyOneApp(session, Leaving())
            async with app.run_test(size=size) as pilot:
                await pilot.pause()
                await scene(app, pilot)
            app.end_round()
            session.close()
        return session

    return run_to_end(run())


def type_at_once(app: App[Any], keys: str) -> None:
    """Keys that arrive together, before the first of them has done anything."""
    names = {"\r": "enter", "\b": "backspace"}
    for key in keys:
        app.post_message(events.Key(names.get(key, key), key))


async def play_round(app: TwentyOneApp, pilot: Pilot[None]) -> None:
    """Deal the last bets and stand until the round is over."""
    rounds = len(app.session.played)
    await pilot.press("space")
    while len(app.session.played) == rounds:
        await pilot.pause()
        if app.mode == "decision":
            await pilot.press("n" if "no insurance" in app.offered() else "s")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["blackjack", "spanish-21", "players-edge-21"])
def test_a_round_by_keys(game: str, size: tuple[int, int]) -> None:
    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        assert "space deal" in screen_text(app)
        await play_round(app, pilot)
        text = screen_text(app)
        assert re.search(r"You (won|lost) \$|came back", text)
        assert "Dealer" in text
        assert "Spot 1" in text
        assert "this session" in text.lower()
        assert "b bet" in text
        assert all(len(line) == size[0] for line in text.splitlines())

    session = play(settings_for(game), scene, size)
    assert len(session.played) == 1


def regions(app: TwentyOneApp) -> dict[str, Any]:
    return {
        name: app.screen.query_one(f"#{name}").region for name in ("head", "board", "said", "money", "keys")
    }


@pytest.mark.parametrize("size", SIZES)
def test_nothing_moves_its_place_in_a_round(size: tuple[int, int]) -> None:
    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        before = regions(app)
        await pilot.press("b")
        assert regions(app) == before
        await pilot.press("enter")
        await until(pilot, lambda: app.mode in ("decision", "wagers"))
        assert regions(app) == before
        await play_round(app, pilot) if app.mode == "wagers" else None
        assert regions(app) == before
        assert regions(app)["keys"].bottom == size[1]

    play(settings_for("players-edge-21", spots=3, others=computer_players(2)), scene, size)


def test_the_keys_at_the_foot_are_those_that_work_now() -> None:
    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        assert set(app.offered()) == {"deal", "bet", "coach", "warnings", "keys", "leave"}
        await pilot.press("s")
        assert "'s' does nothing here" in app.said
        await pilot.press("space")
        await until(pilot, lambda: app.mode == "decision")
        assert {"stand", "hit", "advice", "say"} < set(app.offered())
        assert "deal" not in app.offered()
        keys = app.screen.query_one("#keys", Static)
        assert "s stand" in str(keys.render())
        await pilot.press("question_mark")
        await until(pilot, lambda: "surrender" in screen_text(app))
        assert "history: your rounds" in screen_text(app)
        assert "chip" not in screen_text(app)  # what works on pages alone
        await pilot.press("escape")

    play(settings_for("players-edge-21"), scene)


@pytest.mark.clause("PROC-6")
def test_the_cut_is_asked_for_and_made_by_whom_it_is_said() -> None:
    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        assert "Cut the cards, 72 to 144 deep [108]:" in screen_text(app)
        await pilot.press(*"20", "enter")
        assert "(PROC-6)" in app.said
        await pilot.press(*"100", "enter")
        assert app.mode == "wagers"

    session = play(settings_for("players-edge-21", cut=None), scene)
    assert '"player":"You"' in "".join(session.table.log.lines).replace(" ", "")


@pytest.mark.parametrize(
    "fault", [MalformedInput("the shoe cannot be cut"), OSError(errno.EIO, "the disk is gone")], ids=str
)
def test_what_goes_wrong_before_the_first_key_ends_the_app_and_is_handed_on(
    monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    def refused(_: Session) -> None:
        raise fault

    monkeypatch.setattr(Session, "commit_shoe", refused)
    apps = []

    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        apps.append(app)
        await until(pilot, lambda: app.failure is fault)

    play(settings_for("blackjack"), scene)
    monkeypatch.setattr(App, "run", lambda _: None)  # it has run
    with pytest.raises(type(fault)) as raised:
        apps[0].run_to_end()
    assert raised.value is fault


@pytest.mark.slow
@pytest.mark.parametrize(("keys", "bet"), [("25\r", "25"), ("b7\r", "7"), ("b1\b25\r", "25")])
def test_keys_that_arrive_together_all_count_in_a_bet(keys: str, bet: str) -> None:
    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        type_at_once(app, keys)
        await until(pilot, lambda: app.mode in ("decision", "wagers") and app.session.table.state.rounds == 1)

    session = play(settings_for("players-edge-21"), scene)
    assert session.last_bets == bet


@pytest.mark.parametrize("keys", ["25\rssss", " ssss"], ids=["after a bet", "after the deal"])
def test_keys_typed_ahead_of_a_decision_do_nothing(keys: str) -> None:
    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        type_at_once(app, keys)
        await until(pilot, lambda: app.mode == "decision")
        await pilot.pause()
        assert app.mode == "decision"
        assert app.session.table.state.round is not None
        assert "stand" not in format_round(app.session.table.state.round, RulesForm.APART)
        assert app.screen.query_one("#line", Input).value == ""
        await pilot.press("s")
        assert "stand" in format_round(app.session.table.state.round, RulesForm.APART)

    play(settings_for("players-edge-21"), scene)


def test_different_wagers_on_each_spot() -> None:
    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        await pilot.press("b")
        app.screen.query_one("#line", Input).value = "10 up=5 / - / 25"
        await pilot.press("enter")
        await until(pilot, lambda: app.mode in ("decision", "wagers"))

    session = play(settings_for("players-edge-21", spots=3), scene)
    game = session.table.state.round
    assert game is not None
    assert {spot.number: spot.stake_cents for spot in game.spots} == {1: 1000, 3: 2500}


@pytest.mark.slow
@pytest.mark.parametrize("before", [(), ("b",)], ids=["at once", "after its key"])
def test_an_amount_that_is_typed_takes_the_place_of_the_last_bet(before: tuple[str, ...]) -> None:
    """No key for a bet is needed, and the space after an amount deals nothing."""

    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        await pilot.press(*before, *"10", "space", *"m1")
        assert app.screen.query_one("#line", Input).value == "10 m1"
        await pilot.press("enter")
        await until(pilot, lambda: app.mode in ("decision", "wagers"))

    assert play(settings_for("players-edge-21"), scene).last_bets == "10 m1"


@pytest.mark.slow
def test_a_wrong_bet_is_refused_in_a_line_and_asked_for_again() -> None:
    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        await pilot.press("b")
        app.screen.query_one("#line", Input).value = "10 / 20 / 30"
        await pilot.press("enter")
        assert "3 bets" in app.said
        assert app.screen.query_one("#line", Input).value == "10 / 20 / 30"
        await pilot.press("backspace", "5")
        assert app.screen.query_one("#line", Input).value == "10 / 20 / 35"
        await pilot.press("escape")
        assert app.mode == "wagers"

    assert play(settings_for("players-edge-21", spots=2), scene).played == []


def test_the_coach_says_what_is_best_and_what_a_choice_cost() -> None:
    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        await pilot.press("space")
        await until(pilot, lambda: app.mode == "decision")
        await until(pilot, lambda: app.advice is not None)
        assert app.said.startswith("Best: stand.")
        await pilot.press("h")
        verdict = "hit: stand would have been better by 60¢."
        await until(
            pilot, lambda: app.mode == "wagers" or (app.mode == "decision" and app.advice is not None)
        )
        assert verdict in app.said  # beside the next advice, or beside the result

    play(settings_for("players-edge-21", coach=True), scene)


def test_advice_and_chart_stand_beside_the_hand_on_a_wide_screen() -> None:
    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        await pilot.press("space")
        await until(pilot, lambda: app.mode == "decision" and app.chart is not None)
        await pilot.press("v")
        await until(pilot, lambda: app.advice is not None)
        text = screen_text(app)
        assert "Best: stand." in text
        assert "Hard hands" in text
        assert app.screen.query_one("#beside").region.x > 70

    play(settings_for("players-edge-21"), scene, (140, 40))


def test_the_chart_is_for_the_wager_of_the_hand_in_turn() -> None:
    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.chart is not None)
        await pilot.press("b")
        app.screen.query_one("#line", Input).value = "25"
        await pilot.press("enter")
        await until(pilot, lambda: app.mode == "decision")
        await until(pilot, lambda: "Best play for a wager of $25.00" in screen_text(app))

    play(settings_for("players-edge-21"), scene, (140, 40))


def test_a_question_before_a_blunder_and_not_before_a_small_loss() -> None:
    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        await pilot.press("space")
        await until(pilot, lambda: app.mode == "decision")
        inputs = len(app.session.table.state.round.inputs)  # type: ignore[union-attr]
        await pilot.press("h")
        await until(pilot, lambda: "Really hit?" in app.said)
        assert "60¢ against stand" in app.said
        assert len(app.session.table.state.round.inputs) == inputs  # type: ignore[union-attr]
        await pilot.press("escape")
        assert app.asked_about == ""
        await pilot.press("h")
        await pilot.press("h")
        await pilot.pause()
        assert len(app.session.table.state.round.inputs) > inputs  # type: ignore[union-attr]

    play(settings_for("players-edge-21", ask_above_cents=59.0), scene)

    async def no_question(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        await pilot.press("space")
        await until(pilot, lambda: app.mode == "decision")
        await until(pilot, lambda: app.advice is not None)
        inputs = len(app.session.table.state.round.inputs)  # type: ignore[union-attr]
        await pilot.press("h")
        await pilot.pause()
        assert len(app.session.table.state.round.inputs) > inputs  # type: ignore[union-attr]

    play(settings_for("players-edge-21", ask_above_cents=60.0), no_question)


def test_the_history_shows_your_cards_and_what_you_did() -> None:
    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        for _ in range(2):
            await play_round(app, pilot)
        await pilot.press("y")
        await until(pilot, lambda: "Round 2" in screen_text(app))
        text = screen_text(app)
        assert "Round 2" in text
        assert text.index("Round 2") < text.index("Round 1")
        assert "spot 1:" in text
        assert "stand" in text

    play(settings_for("players-edge-21"), scene)


def test_bankroll_and_running_total_are_kept_between_sessions(tmp_path: Path) -> None:
    path = tmp_path / "state" / "bankroll.json"

    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        await play_round(app, pilot)
        assert f"Bankroll {dollars(app.session.chips_cents)}" in screen_text(app)

    first = play(settings_for("blackjack", bankroll=Bankroll(path), seed=None), scene)
    kept = Bankroll(path)
    assert kept.cents == FRESH_CENTS + first.result_cents == first.chips_cents
    second = play(settings_for("blackjack", bankroll=kept, seed=None), scene)
    again = Bankroll(path)
    assert again.amounts.result_cents == first.result_cents + second.result_cents
    assert again.amounts.rounds == 2


def test_a_bankroll_that_cannot_be_kept_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    bankroll = Bankroll(tmp_path / "file" / "bankroll.json")
    bankroll.add(-400)
    assert "Your bankroll is not kept after this session" in bankroll.trouble
    assert bankroll.cents == FRESH_CENTS - 400

    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        assert "is not kept after this session" in " ".join(screen_text(app).split())
        await play_round(app, pilot)

    assert len(play(settings_for("blackjack", bankroll=bankroll, seed=None), scene).played) == 1


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '{"version": 1, "cents": "x", "given_cents": 1, "rounds": 0}', "\xff"]
)
def test_a_file_that_holds_no_bankroll_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bankroll.json"
    path.write_bytes(text.encode("latin-1"))
    bankroll = Bankroll(path)
    bankroll.add(100)
    assert "holds no bankroll" in bankroll.trouble
    assert path.read_bytes() == text.encode("latin-1")


def test_two_sessions_at_once_lose_nothing_of_a_bankroll(tmp_path: Path) -> None:
    one, other = (Bankroll(tmp_path / "bankroll.json") for _ in range(2))
    one.add(-400)
    other.add(1000)
    one.add(-400)
    assert Bankroll(tmp_path / "bankroll.json").cents == FRESH_CENTS + 200


def test_who_cannot_bet_any_more_gets_fresh_chips(tmp_path: Path) -> None:
    bankroll = Bankroll(tmp_path / "bankroll.json")
    bankroll.add(300 - FRESH_CENTS)
    assert bankroll.refill(400)
    assert bankroll.cents == FRESH_CENTS + 300
    assert bankroll.amounts.result_cents == 300 - FRESH_CENTS
    assert not bankroll.refill(400)


def test_side_bets_are_announced_by_name_and_amount() -> None:
    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        await pilot.press("b")
        app.screen.query_one("#line", Input).value = "10 up=5"
        await pilot.press("enter")
        while not app.session.played:
            await pilot.pause()
            if app.mode == "decision":
                await pilot.press("n" if "no insurance" in app.offered() else "s")
        assert re.search(r"Match Up, (no win, )?[+−]|Match Up, [a-z ]+, \+\$", app.said.replace("\n", " "))

    play(settings_for("players-edge-21"), scene)


def test_who_leaves_in_a_hand_stands_and_the_round_is_recorded(tmp_path: Path) -> None:
    record = tmp_path / "shoes.jsonl"

    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        await pilot.press("space")
        await until(pilot, lambda: app.mode == "decision")
        await pilot.press("q")

    session = play(settings_for("players-edge-21", seed=None, record=record), scene)
    assert session.stood_in == 1
    assert len(session.played) == 1
    assert record.read_text().count("\n") == 1


def test_a_signal_leaves_like_a_key() -> None:
    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        await pilot.press("space")
        await until(pilot, lambda: app.mode == "decision")
        app.going.signal = 15
        await until(pilot, lambda: app.mode == "gone")

    session = play(settings_for("players-edge-21"), scene)
    assert session.stood_in == 1


def test_no_advice_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: Round) -> Advice:
        raise MalformedInput("this shoe may run out")

    monkeypatch.setattr(f"{__name__}.values", refused)

    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        await pilot.press("space")
        await until(pilot, lambda: app.mode == "decision")
        await until(pilot, lambda: "No advice here: this shoe may run out." in app.said)
        await pilot.press("s")

    play(settings_for("players-edge-21", coach=True), scene)
