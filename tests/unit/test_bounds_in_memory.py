"""What a house that runs for years keeps in memory does not grow with all that ever happened."""

from __future__ import annotations

import asyncio
import random
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest

from cardroom.rules import loader
from cardroom.store import database, ledger
from cardroom.table import correction
from cardroom.table.twentyone import recorded as twentyone_recorded
from cardroom.table.twentyone import running as twentyone_running
from cardroom.web import coach, computations, figures, past
from cardroom.web import memory as memories
from cardroom.web.live import knockout52_view, lottery
from cardroom.web.live.dealers import Dealers
from cardroom.web.live.hub import Hub
from cardroom.web.memory import Memory
from cardroom.web.players import register, wishes
from cardroom.web.players.limits import (
    LIMIT_KINDS,
    PERIODS,
    LimitChange,
    in_force,
    waiting_limit,
    with_change,
)
from cardroom.web.players.player import Player
from cardroom.web.security import limits, password_desk
from cardroom.web.security import operators as people
from cardroom.web.security.operators import Operator, Operators
from tests.event_loop import run_to_end
from tests.web.conftest import quick_settings

NOON = datetime(2026, 6, 14, 12, tzinfo=UTC)


@pytest.mark.parametrize("seed", range(6))
def test_a_players_limits_are_those_of_all_changes_ever_and_few_are_kept(seed: int) -> None:
    chance, at = random.Random(seed), NOON
    ever: list[LimitChange] = []
    kept: list[LimitChange] = []
    for _ in range(50):
        at += timedelta(hours=chance.choice([0, 1, 5, 23, 24, 30]))
        value = chance.choice([None, 0, 100, 200, 300])
        change = LimitChange(chance.choice(LIMIT_KINDS), chance.choice(PERIODS[:2]), value, at)
        ever.append(change)
        kept = with_change(kept, change)
        assert len(kept) <= 2 * len(LIMIT_KINDS) * 2
        for later in (0, 1, 23, 24, 25, 48):
            now = at + timedelta(hours=later)
            for kind in LIMIT_KINDS:
                for period in PERIODS:
                    assert in_force(kept, kind, period, now) == in_force(ever, kind, period, now)
                    assert waiting_limit(kept, kind, period, now) == waiting_limit(ever, kind, period, now)


def test_where_a_player_took_every_wager_back_nothing_is_kept() -> None:
    player = Player("p1", "Ann", welcomed=True)
    for number in range(5):
        for cents in (-500, 500):
            player.moved(NOON, "wager", cents, f"play:blackjack:private-{number}")
    player.moved(NOON, "wager", -300, "play:blackjack:linden")
    assert player.in_play == {"play:blackjack:linden": 300}


class Table:
    """A table at which something is due until it was done."""

    def __init__(self, number: int) -> None:
        self.topic = f"table:{number}"
        self.is_due = True

    def due_at(self) -> datetime | None:
        return NOON if self.is_due else None

    def stakers(self) -> list[str]:
        return []


class Journal:
    """Does what a table's dealer asks."""

    async def perform(self, plan: Any) -> None:
        plan()


def test_a_dealer_who_has_nothing_more_to_do_leaves_nothing_behind() -> None:
    async def work() -> None:
        dealers = Dealers(Hub(), lambda: NOON)

        async def think() -> None:
            pass

        for number in range(5):
            table = Table(number)

            def plan(table: Table = table) -> None:
                table.is_due = False

            for _ in range(3):
                dealers.wake(cast(Any, table), cast(Any, Journal()), cast(Any, plan), think, lambda: True)
            await asyncio.gather(*dealers._tasks.values())
            assert table.is_due is False
            dealers.wake(cast(Any, table), cast(Any, Journal()), cast(Any, plan), think, lambda: True)
            table.is_due = True  # and once more: there is a dealer again
            dealers.wake(cast(Any, table), cast(Any, Journal()), cast(Any, plan), think, lambda: True)
            await asyncio.gather(*dealers._tasks.values())
            assert table.is_due is False
        await asyncio.sleep(0)  # those who wait for a task are told in the next turn
        assert (dealers._tasks, dealers._wakes) == ({}, {})

    run_to_end(work())


def test_log_ins_that_have_ended_are_forgotten_and_the_others_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "_MOST_LOGINS", 3)
    monkeypatch.setattr(people, "_verified", lambda password_hash, password: True)
    settings = quick_settings(tmp_path, idle_minutes=30)
    accounts = Operators(settings)
    accounts.appoint(Operator("ann", "operator", "hash", "house", NOON))
    accounts.appoint(Operator("bob", "floor", "hash", "house", NOON))
    for minutes in range(0, 400, 40):
        accounts.log_in("ann", "password", NOON + timedelta(minutes=minutes), "here")
        assert len(accounts._logins) == 1
    now = NOON + timedelta(days=1)
    first, second, third = (
        accounts.log_in(name, "password", now + timedelta(seconds=seconds), "here")
        for seconds, name in enumerate(("ann", "bob", "ann"))
    )
    assert accounts.seen(first.token, now + timedelta(seconds=5)) is not None
    fourth = accounts.log_in("bob", "password", now + timedelta(seconds=6), "here")
    seen = [accounts.seen(one.token, now + timedelta(seconds=7)) for one in (first, second, third, fourth)]
    assert [one is not None for one in seen] == [True, False, True, True]


class Finished:
    """A round that is over, as memory looks at one."""

    is_judged = True
    game_id = "blackjack"
    table = "linden"

    def __init__(self, number: int) -> None:
        self.id = f"round-{number}"

    def results(self) -> list[object]:
        return []


def test_of_too_many_rounds_that_wait_for_the_coach_the_oldest_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memories, "MOST_UNJUDGED", 3)
    memory = Memory(quick_settings(tmp_path), cast(Any, None), lambda player: None)
    for number in range(5):
        memory._round_over(cast(Any, Finished(number)))
    assert list(memory.unjudged) == ["round-2", "round-3", "round-4"]


def test_the_page_of_the_web_names_the_bounds_of_the_code() -> None:
    """Each row of its table that has a number, beside the constant of the program."""
    page = (Path(__file__).parents[2] / "docs" / "web.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", page, re.MULTILINE))
    said = {
        "ids that belong to nobody yet": [register._UNKNOWN_AT_HAND],
        "wishes of guests who have no chips yet": [wishes._AT_HAND, wishes.MOST_GUESTS],
        "those who wait for a spot": [twentyone_running.MOST_WAITING],
        "results and notices that a table keeps for its players": [twentyone_recorded._RESULTS_KEPT],
        "rules that were checked": [loader._checked.cache_parameters()["maxsize"]],
        "finished rounds and games at hand": [past._AT_HAND],
        "rounds that wait for the coach": [memories.MOST_UNJUDGED],
        "the coach's books": [coach._BOOKS_AT_HAND],
        "computed answers: figures; sheets and simulations; advice; papers and pages on how a game works": [
            computations.MOST_KEPT
        ],
        "chances at Knockout 52 after the cards that lie": [
            knockout52_view._chances.cache_parameters()["maxsize"]
        ],
        "balances that the writer knows": [ledger._ACCOUNTS_AT_HAND],
        "connections to the database": [database._READERS],
        "paces of requests and changes": [limits._MOST_BUCKETS],
        "failed log-ins": [people._MOST_FAILURES],
        "log-ins": [people._MOST_LOGINS],
        "passwords that wait to be checked": [
            password_desk.MOST_WAITING,
            password_desk.MOST_WAITING_PER_ADDRESS,
        ],
        "shows of draws on the wall, draws that it looked at": [lottery._SHOWS_KEPT, lottery._LOOKED_AT],
        "rounds that a check of the log remembers for their corrections": [correction._ROUNDS_REMEMBERED],
    }
    for row, bounds in said.items():
        numbers = [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", rows[row])]
        assert numbers[: len(bounds)] == bounds, row
    waiting = [
        number
        for each in (figures.computed, figures.sheets, figures.drawn)
        for number in (each._bounds.in_all, each._bounds.per_address, each._bounds.per_visitor)
    ]
    assert list(map(int, re.findall(r"\d+", rows["requests that wait for them"]))) == waiting


def test_names_with_a_pace_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_MOST_BUCKETS", 3)
    pace = limits.RateLimit(per_second=1, burst=1)
    assert [pace.allow(name, now=0.0) for name in "abca"] == [True, True, True, False]
    assert pace.allow("d", now=0.0)
    assert len(pace._buckets) == 3
    assert pace.allow("a", now=0.0) is False  # asked after b, who is forgotten
    assert pace.allow("b", now=0.0)
