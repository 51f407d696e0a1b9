"""A randomised attacker against the whole house: nothing is lost, nothing is had for nothing.

`CARDROOM_ATTACK_STEPS` says how many steps are tried on each database (`make attack`: 50,000); the suite
tries a hundred. Faults that were in the house once are planted, and must be found: all by `make attack`, one
in the suite.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select

from cardroom.core.errors import CardroomError, Unavailable
from cardroom.lottery.claims import Answer, pay_prize
from cardroom.lottery.funds import CASH, Funds
from cardroom.lottery.house import Lottery
from cardroom.lottery.sales import BegunPurchase, Order
from cardroom.records.players import ChipsTaken
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.store.database import Database
from cardroom.store.ledger import Transfer
from cardroom.store.lottery import head
from cardroom.store.schema import requests
from cardroom.store.unit import Unit
from cardroom.table.twentyone.running import TwentyOneTable
from cardroom.web.live.lottery import DEMO_CHANGES, LotteryRoom
from cardroom.web.players.player import Player
from cardroom.web.players.register import CHIPS
from tests.attack.asking import PLAYERS
from tests.attack.attacker import Attacker
from tests.attack.hands import Hands
from tests.attack.owners import TICKET_CENTS
from tests.databases import Snapshot
from tests.web.conftest import finished
from tests.web.stage import make_quick, shoes_are_ready

STEPS = int(os.environ.get("CARDROOM_ATTACK_STEPS", "100"))
WHOLE = "CARDROOM_ATTACK_STEPS" in os.environ
STEPS_OF_A_HOUSE = 100 if WHOLE else 25
SEED = os.environ.get("CARDROOM_ATTACK_SEED")

players = st.sampled_from(PLAYERS)
places = st.integers(0, 10**6)
tables = st.sampled_from(["linden", "rowan"])
stakes = st.sampled_from([0, 200, 400, 1_000, 5_000])


def step(**given: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Any]:
    """A rule of the machine; a machine that looks for one fault leaves out what has nothing to do with it."""

    def decorated(function: Callable[..., None]) -> Any:
        name = function.__name__
        made: Any = rule
        return precondition(lambda machine: not machine.focus or name in machine.focus)(
            made(**given)(function)
        )

    return decorated


@dataclass(frozen=True, slots=True)
class Begun:
    """A house that has opened its day, and closed: what it holds, and when that was."""

    snapshot: Snapshot
    moment: datetime


class Evening(RuleBasedStateMachine):
    """A house from its opening on, with attackers and accidents."""

    begins: Begun
    """The house as it is when an evening begins."""
    focus: frozenset[str] = frozenset()
    """The steps that are tried; all of them where none is named."""
    finding: Exception | None = None
    total: int = 0
    stops: int = 0
    lost_commits: int = 0

    def __init__(self) -> None:
        super().__init__()
        self._thread = ThreadPoolExecutor(1)
        self._runner = asyncio.Runner()
        self.attacker = Attacker(self._begun(), Hands(self.begins.moment))

    def _begun(self) -> str:
        """The address of the house as it is when an evening begins; a file is a new one every time."""
        snapshot = self.begins.snapshot
        if not snapshot.is_sqlite:
            return snapshot.restore()
        saved = Path(snapshot.url.removeprefix("sqlite:///"))
        path = saved.with_name("evening.db")
        for before in saved.parent.glob("evening.db*"):  # somebody who was stopped may still have it open
            before.unlink()
        shutil.copy(saved, path)
        return f"sqlite:///{path}"

    def _run(self, work: Coroutine[Any, Any, None], *seen: str) -> None:
        async def looked() -> None:
            await work
            for player in seen:
                await self.attacker.see(player)

        self._count()
        self._await(looked())

    def _count(self) -> None:
        type(self).total += 1

    def _await(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            self._thread.submit(self._runner.run, work).result()
        except Exception as finding:  # kept: threads are never as they were, so it may not come again
            type(self).finding = type(self).finding or finding
            raise

    @initialize()
    def open(self) -> None:
        self._run(self.attacker.open())

    def teardown(self) -> None:
        async def closed() -> None:
            if self.attacker.is_open:
                await self.attacker.close()

        try:
            self._await(closed())
        finally:
            self._thread.submit(self._runner.close).result()
            self._thread.shutdown()
            type(self).stops += self.attacker.stops
            type(self).lost_commits += self.attacker.lost_commits

    # Accidents.

    @step(points=st.integers(0, 30))
    def machine_stops(self, points: int) -> None:
        self._count()
        self.attacker.stop_within(points)

    @step(number=st.integers(0, 3), done=st.booleans())
    def commit_lost(self, number: int, *, done: bool) -> None:
        self._count()
        self.attacker.lose_commit(number, done=done)

    @step()
    def restart(self) -> None:
        self._run(self.attacker.restart())

    @step(seconds=st.sampled_from([-40.0, -5.0, 3.0, 30.0, 100.0, 600.0]))
    def clock_jumps(self, seconds: float) -> None:
        self._run(self.attacker.jump(seconds))

    @step()
    def clock_trusted(self) -> None:
        self._run(self.attacker.trust_clock())

    @step()
    def draw(self) -> None:
        self._run(self.attacker.draw(), *PLAYERS)

    @step(hops=st.integers(1, 10))
    def wait(self, hops: int) -> None:
        self._run(self.attacker.wait(hops), *PLAYERS)

    # Tickets.

    @step(
        player=players,
        tickets=st.integers(1, 3),
        draws=st.integers(1, 3),
        ahead=st.none() | st.integers(0, 4),
    )
    def buy(self, player: str, tickets: int, draws: int, ahead: int | None) -> None:
        self._run(self.attacker.buy(player, tickets, draws, ahead), player)

    @step(place=places)
    def choose(self, place: int) -> None:
        self._run(self.attacker.choose(place))

    @step(place=places)
    def alter(self, place: int) -> None:
        self._run(self.attacker.alter(place))

    @step(place=places, player=players)
    def claim(self, place: int, player: str) -> None:
        self._run(self.attacker.claim(place, player), player)

    # Tables.

    @step(player=players, table=tables, spot=st.integers(1, 4), cents=stakes)
    def wager(self, player: str, table: str, spot: int, cents: int) -> None:
        self._run(self.attacker.wager(player, table, spot, cents), player)

    @step(player=players, table=tables | st.sampled_from(["willow", "both"]))
    def deal(self, player: str, table: str) -> None:
        self._run(self.attacker.deal(player, table), *PLAYERS)

    @step(player=players, table=tables, choice=places)
    def act(self, player: str, table: str, choice: int) -> None:
        self._run(self.attacker.act(player, table, choice), player)

    @step(player=players, table=tables)
    def reveal(self, player: str, table: str) -> None:
        self._run(self.attacker.reveal(player, table), player)

    @step(player=players, table=tables, cards=st.sampled_from([0, 100, 120, 156]))
    def cut(self, player: str, table: str, cards: int) -> None:
        self._run(self.attacker.cut(player, table, cards), player)

    @step(player=players, table=tables, spot=st.integers(1, 4))
    def release(self, player: str, table: str, spot: int) -> None:
        self._run(self.attacker.release(player, table, spot), player)

    @step(player=players, table=tables)
    def leave(self, player: str, table: str) -> None:
        self._run(self.attacker.leave(player, table), player)

    @step(player=players, first=stakes, all_the_way=st.sampled_from([0, 100, 500]))
    def stake(self, player: str, first: int, all_the_way: int) -> None:
        wanted = {"round-1": first, "all-the-way": all_the_way}
        self._run(
            self.attacker.stake(player, {name: cents for name, cents in wanted.items() if cents}), player
        )

    @step(
        player=players,
        game=st.sampled_from(["blackjack", "spanish-21"]),
        named=st.none() | st.just("spanish-21"),
        computers=st.integers(0, 3),
    )
    def open_table(self, player: str, game: str, named: str | None, computers: int) -> None:
        self._run(self.attacker.open_table(player, game, named, computers), player)

    # Chips, limits and keys.

    @step(player=players, cents=st.sampled_from([100, 5_000, 100_000]))
    def take_chips(self, player: str, cents: int) -> None:
        self._run(self.attacker.take_chips(player, cents), player)

    @step(player=players, cents=st.sampled_from([1_000, 10_000, 20_000, 50_000, None]))
    def limit(self, player: str, cents: int | None) -> None:
        self._run(self.attacker.limit(player, cents), player)

    @step(player=players, table=tables, spot=st.integers(1, 4), rarely=st.integers(0, 3))
    def pause(self, player: str, table: str, spot: int, rarely: int) -> None:
        if not rarely:  # a break lasts for an hour, and nothing is to be tried in it
            self._run(self.attacker.pause(player, table, spot), player)

    @step(player=players)
    def read_on(self, player: str) -> None:
        self._run(self.attacker.read_on(player))

    @step(place=places)
    def repeat(self, place: int) -> None:
        self._run(self.attacker.repeat(place), *PLAYERS)

    @step(place=places)
    def reuse(self, place: int) -> None:
        self._run(self.attacker.reuse(place), *PLAYERS)

    @step(game=st.sampled_from(["blackjack", "spanish-21", "knockout-21"]), off=st.booleans())
    def switch(self, game: str, *, off: bool) -> None:
        self._run(self.attacker.switch(game, off=off))


def attack(begins: Begun, steps: int, focus: Iterable[str] = ()) -> type[Evening]:
    """So many steps, in houses that are each open for some of them; what was found, if anything was."""

    class Here(Evening):
        pass

    Here.begins, Here.focus = begins, frozenset(focus)
    with contextlib.suppress(*([Exception] if focus else [])):
        run_state_machine_as_test(
            Here,
            settings=settings(
                max_examples=max(1, 3 * steps // (2 * STEPS_OF_A_HOUSE)),  # some are shorter
                stateful_step_count=STEPS_OF_A_HOUSE,
                deadline=None,
                report_multiple_bugs=False,
                database=None,
                derandomize=SEED is None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            ),
        )
    return Here


@pytest.fixture(autouse=True)
def _nothing_else_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    """The coach and the advice move no money, and would take seconds; nobody else writes into the log."""

    async def later(*_args: object) -> None:
        raise Unavailable("not in this test")

    make_quick(monkeypatch)
    monkeypatch.setattr("cardroom.web.coach.Coach.judge", later)
    monkeypatch.setattr("cardroom.web.api.tables.prepare", later)
    monkeypatch.setattr("cardroom.web.api.tables.advise", later)
    monkeypatch.setattr("cardroom.web.live.tables.advise", later)
    monkeypatch.setattr("cardroom.web.clock_watch._SECONDS_BETWEEN_LOOKS", 1e6)  # it looks when told to
    monkeypatch.setattr("cardroom.web.following._SECONDS_BETWEEN_LOOKS", 1e6)
    # A draw every ten minutes: with one every two, most of the time would go into draws of no tickets.
    schedule = {**DEMO_CHANGES, "draws.interval_minutes": 10}
    monkeypatch.setattr("cardroom.web.live.lottery.DEMO_CHANGES", schedule)


@pytest.fixture
def begins(database_url: str) -> Begun:
    return open_house(database_url)


def open_house(url: str) -> Begun:
    """A house that has opened its day, and closed; every evening begins with it."""

    async def opened() -> datetime:
        attacker = Attacker(url)
        await attacker.open()
        await attacker.appoint()
        await shoes_are_ready(attacker.stage)
        await attacker.close()
        return attacker.hands.now()

    moment = finished(opened())
    return Begun(Snapshot(url), moment)


def test_nothing_is_lost_and_nothing_is_free(begins: Begun) -> None:
    here = attack(begins, STEPS)
    assert here.finding is None
    assert here.total >= STEPS
    print(f"{here.total} steps, {here.stops} stops, {here.lost_commits} commits lost")


# Faults that the house had once, planted: the attacker finds them.


def _free_tickets(patch: pytest.MonkeyPatch) -> None:
    """A purchase that was refused is paid back, also when it is asked for again and done."""
    whole, refused = LotteryRoom.buy, set[str]()

    async def buy(room: LotteryRoom, player: Player, order: Order, key: str) -> BegunPurchase:
        try:
            bought = await whole(room, player, order, key)
        except CardroomError:
            refused.add(key)
            raise
        if key in refused:
            refused.discard(key)
            cents = TICKET_CENTS * order.tickets_per_draw * order.draws
            _give(room.lottery.database, player.account, cents)
        return bought

    patch.setattr(LotteryRoom, "buy", buy)


def _forgotten_commit(patch: pytest.MonkeyPatch) -> None:
    """A commit whose answer is lost is taken for one that was not done."""

    def forget(database: Database, unit: Unit) -> bool:
        with database.engine.connect() as connection:
            database._followed = head(connection).seq
        return False

    patch.setattr(Database, "_is_in_log", forget)


def _prize_in_two_commits(patch: pytest.MonkeyPatch) -> None:
    """A ticket is paid in one commit and the chips are given in another."""

    def pay(lottery: Lottery, *args: Any, payee: Funds, **named: Any) -> Answer:
        before = _is_paid(lottery, named["key"])
        answer = pay_prize(lottery, *args, payee=CASH, **named)
        if answer.verdict == "prize" and not before:
            _give(lottery.database, payee.account, answer.prize_cents)
        return answer

    patch.setattr("cardroom.web.api.knockout21.pay_prize", pay)


def _wagers_outlive_a_break(patch: pytest.MonkeyPatch) -> None:
    """What was placed before a break, or before a limit, is dealt all the same."""
    patch.setattr("cardroom.table.twentyone.running.admits", lambda _purse, _cents: True)


def _stakes_in_play_are_no_loss(patch: pytest.MonkeyPatch) -> None:
    """A limit on losses does not know what lies on other tables."""
    whole = Player.lost_cents
    patch.setattr(Player, "lost_cents", lambda player, since: whole(player, since) - player.in_play_cents)


def _game_named_among_options(patch: pytest.MonkeyPatch) -> None:
    """A game that is closed is opened by naming it among the options of another."""

    def rules(game: str, options: Mapping[str, object]) -> TwentyOneRules:
        named = {**options}
        return load_rules_as(TwentyOneRules, str(named.pop("game", game)), named)

    patch.setattr(TwentyOneTable, "private_rules", rules)


def _is_paid(lottery: Lottery, key: str) -> bool:
    with lottery.database.read() as connection:
        return connection.execute(select(requests.c.seq).where(requests.c.key == key)).first() is not None


def _give(database: Database, account: str, cents: int) -> None:
    given = ChipsTaken(player=account.removeprefix("player:"))
    database.write(lambda unit: unit.record(given, [Transfer(CHIPS, account, cents)]))


FAULTS = [
    (_free_tickets, {"buy", "draw"}),
    (_forgotten_commit, {"commit_lost", "buy", "take_chips", "repeat"}),
    (_prize_in_two_commits, {"buy", "choose", "draw", "claim", "machine_stops"}),
    (_wagers_outlive_a_break, {"wager", "pause", "deal", "wait"}),
    (_stakes_in_play_are_no_loss, {"limit", "wager", "reveal", "stake", "deal", "wait"}),
    (_game_named_among_options, {"switch", "open_table"}),
]


@pytest.mark.parametrize(
    ("plant", "focus"), FAULTS if WHOLE else FAULTS[:1], ids=lambda value: getattr(value, "__name__", "")
)
def test_a_planted_fault_is_found(
    plant: Callable[[pytest.MonkeyPatch], None],
    focus: set[str],
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = open_house(database_url)
    plant(monkeypatch)
    found = attack(house, 3_000, focus)
    assert isinstance(found.finding, AssertionError)
    assert re.search(
        "chips are|staked during a break|the limit is|a table of a closed game", str(found.finding)
    )
    print(f"found after {found.total} steps")
