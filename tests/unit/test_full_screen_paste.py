"""What is pasted into the app comes as a whole, and stands in the line of bets."""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from cardroom.cli.twentyone import advice as advice_module
from cardroom.cli.twentyone.full_screen import TwentyOneApp
from tests.unit import test_full_screen
from tests.unit.test_full_screen import play, settings_for, until


@pytest.fixture(autouse=True)
def _adviser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice_module, "ADVISER", test_full_screen.__name__)


def test_a_bet_that_is_pasted_stands_whole_in_its_line_and_other_words_do_nothing() -> None:
    async def scene(app: TwentyOneApp, pilot: Pilot[None]) -> None:
        line = app.screen.query_one("#line", Input)
        app.post_message(events.Paste("quit\n"))
        await pilot.pause()
        assert "pasted does nothing" in app.said
        assert line.disabled
        app.post_message(events.Paste("25 up=5\nss"))
        await pilot.pause()
        assert (line.value, app.mode) == ("25 up=5", "wagers")  # Enter has yet to say it
        await pilot.press("enter")
        await until(pilot, lambda: app.mode == "decision" or bool(app.session.played))

    assert play(settings_for("players-edge-21"), scene).last_bets == "25 up=5"
