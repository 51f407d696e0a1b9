"""Every flow on the web that moves money, stopped at every point of its writes, on both databases.

Afterwards nothing is lost and nothing done twice: the log and the ledger hold, what a player sees is what the
ledger has, and the same request, sent again, has one outcome. `CARDROOM_WRITE_POINTS=all` (`make
write-points`) also tries every point of the dealer's commits that move no money, and all on PostgreSQL.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from cardroom.core.errors import Unavailable
from cardroom.fair.commitment import Commitment
from cardroom.fair.salts import salt_hash
from cardroom.lottery.draws import open_day, void_draw
from cardroom.lottery.scheduler import advance
from cardroom.store.lottery import records
from cardroom.table.evidence import check_evidence
from tests.web.conftest import finished
from tests.web.table_flows import (
    SALT,
    cut,
    deal,
    dealt,
    double,
    give_back,
    hold_and_deal,
    keyed,
    leave,
    open_table,
    salted_wager,
    stand,
    take_back,
    too_small,
    unkeyed,
    wager,
    wager_more,
    wagered,
)
from tests.web.write_points import (
    ANN,
    COMMITTED,
    NOON,
    Count,
    Enumeration,
    Flow,
    Stage,
    shoes_are_ready,
)

ALL = os.environ.get("CARDROOM_WRITE_POINTS") == "all"
LOTTERY = "/api/v1/knockout-21"
WILLOW = "/api/v1/knockout-52/tables/willow"
DOCS = Path(__file__).resolve().parents[2] / "docs" / "web.md"
PASSWORD = "a password of the tests"
FIRST_PASSWORD = "somebody else's password"
OVERRIDES = {"4": "H"}


async def stubborn(work: Callable[[], Any]) -> Any:
    """What the house does by itself: tried again when the database could not."""
    try:
        return await asyncio.to_thread(work)
    except Unavailable:
        return await asyncio.to_thread(work)


# The lottery.


async def open_lottery(stage: Stage) -> None:
    await asyncio.to_thread(advance, stage.room.lottery)
    await asyncio.to_thread(stage.room.look)


async def look(stage: Stage) -> None:
    await asyncio.to_thread(stage.room.look)


async def bought(stage: Stage) -> dict[str, Any]:
    """A purchase begun before the flow: asked for again, it is the same one."""
    found: dict[str, Any] = await keyed(stage, "POST", f"{LOTTERY}/purchases", {}, key="bought-before")
    return found


async def chosen(stage: Stage) -> None:
    """Its ticket printed, with a choice for which there is an alteration."""
    purchase = await bought(stage)
    path = f"{LOTTERY}/purchases/{purchase['purchase']}/choices"
    overrides = {purchase["tickets"][0]["id"]: {"4": "S"}}
    await keyed(stage, "POST", path, {"overrides": overrides}, key="chosen-before")


async def before_choices(stage: Stage) -> None:
    await open_lottery(stage)
    await bought(stage)


async def before_alteration(stage: Stage) -> None:
    await open_lottery(stage)
    await chosen(stage)


async def before_close(stage: Stage) -> None:
    await before_alteration(stage)
    stage.clock.moment = stage.room.window[0].closes_at


async def before_draw(stage: Stage) -> None:
    await before_close(stage)
    due = stage.room.window[0].due_at
    await open_lottery(stage)
    stage.clock.moment = due


async def before_claim(stage: Stage) -> None:
    await before_draw(stage)
    await open_lottery(stage)
    stage.clock.advance(minutes=30)  # the wall has shown it


async def buy_first(stage: Stage) -> Any:
    return await keyed(stage, "POST", f"{LOTTERY}/purchases", {})


async def buy_more(stage: Stage) -> Any:
    return await keyed(stage, "POST", f"{LOTTERY}/purchases", {"tickets_per_draw": 2, "draws": 2})


async def keep_choices(stage: Stage) -> Any:
    player = stage.house.player(ANN)
    path = f"{LOTTERY}/purchases/{player.purchases[0]}/choices"
    return await keyed(stage, "PUT", path, {"overrides": {player.tickets[0][0]: OVERRIDES}})


async def make_choices(stage: Stage) -> Any:
    player = stage.house.player(ANN)
    path = f"{LOTTERY}/purchases/{player.purchases[0]}/choices"
    return await keyed(stage, "POST", path, {"overrides": {player.tickets[0][0]: OVERRIDES}})


async def alter(stage: Stage) -> Any:
    ticket = stage.house.player(ANN).tickets[0][0]
    return await keyed(stage, "POST", f"{LOTTERY}/tickets/{ticket}/alteration", {"overrides": OVERRIDES})


async def go_on(stage: Stage) -> None:
    await stubborn(lambda: advance(stage.room.lottery))


async def call_off(stage: Stage) -> None:
    number = stage.house.player(ANN).tickets[0][1]
    await stubborn(
        lambda: void_draw(stage.room.lottery, number, operators=["Ann", "Bob"], reason="a power cut")
    )


async def open_tomorrow(stage: Stage) -> None:
    day = date(2025, 6, 15)
    await stubborn(lambda: open_day(stage.room.lottery, day, by="Ann"))


async def claim(stage: Stage) -> Any:
    ticket = await stage.done("GET", f"{LOTTERY}/tickets/{stage.house.player(ANN).tickets[0][0]}")
    body = {"control_number": ticket["control_number"], "code": ticket["code"]}
    paid = await keyed(stage, "POST", f"{LOTTERY}/claims", body)
    assert paid["verdict"] == "prize"
    assert paid["prize_cents"] > 0
    return paid


# Knockout 52.


async def stake(stage: Stage) -> Any:
    return await keyed(stage, "PUT", f"{WILLOW}/wagers", {"stakes": {"round-1": 500, "all-the-way": 100}})


async def staked(stage: Stage) -> None:
    stakes = {"round-1": 500, "all-the-way": 100}
    await keyed(stage, "PUT", f"{WILLOW}/wagers", {"stakes": stakes}, key="staked-before")


async def unstake(stage: Stage) -> Any:
    return await keyed(stage, "PUT", f"{WILLOW}/wagers", {"stakes": {}})


async def deal_game(stage: Stage) -> None:
    """A game from the first card to the last payment."""

    async def is_over() -> bool:
        view = await stage.done("GET", WILLOW)
        return view["last"] is not None and view["phase"] == "open"

    if not await is_over() and (await stage.done("GET", WILLOW))["phase"] == "open":
        await unkeyed(stage, "POST", f"{WILLOW}/deal")
    await stage.until(is_over)


async def salted(stage: Stage) -> None:
    """Wagers with the hash of a salt, which is revealed when wagers are closed."""
    commitment = Commitment.parse((await stage.done("GET", WILLOW))["commitment"])
    body = {"stakes": {"round-1": 500}, "salt_hash": salt_hash(commitment, bytes.fromhex(SALT))}
    await keyed(stage, "PUT", f"{WILLOW}/wagers", body, key="salted-before")


async def reveal_and_deal(stage: Stage) -> None:
    """A game from the closing of its wagers on: the salt, whenever it is asked for, and all cards."""

    async def is_over() -> bool:
        view = await stage.done("GET", WILLOW)
        if view["salts"]["stage"] == "asked" and not all(view["salts"]["revealed"]):
            await unkeyed(stage, "POST", f"{WILLOW}/salts", {"salt": SALT})
        return view["last"] is not None and view["phase"] == "open"

    if not await is_over() and (await stage.done("GET", WILLOW))["phase"] == "open":
        await unkeyed(stage, "POST", f"{WILLOW}/deal")
    await stage.until(is_over)
    with stage.house.database.read() as connection:
        evidence = check_evidence(records(connection))
    assert (evidence.faults, evidence.revealed, evidence.withheld) == ([], 1, [])


async def open_knockout52(stage: Stage) -> Any:
    return await keyed(stage, "POST", "/api/v1/knockout-52/tables", {"decks": 2})


# Chips and switches.


async def take_chips(stage: Stage) -> None:
    await keyed(stage, "POST", "/api/v1/session/chips", {"cents": 5_000})


async def log_in(stage: Stage) -> None:
    """The operator logs in after every start, the first time with a password that is changed at once."""
    first, login = stage.house.first_password, "/api/v1/operations/login"
    if first is not None:
        await stage.done("POST", login, {"name": "operator", "password": first})
        await stage.done("PUT", "/api/v1/operations/password", {"old": first, "new": PASSWORD})
    await stage.done("POST", login, {"name": "operator", "password": PASSWORD})


async def before_correction(stage: Stage) -> None:
    """A round that is over, and two more people of the house."""
    await dealt(stage)
    await stand(stage)
    await log_in(stage)
    for name, role in (("flo", "floor"), ("max", "operator")):
        body = {"name": name, "role": role, "password": FIRST_PASSWORD}
        await stage.done("PUT", "/api/v1/operations/operators", body)
    for name in ("flo", "max"):
        await stage.done("POST", "/api/v1/operations/login", {"name": name, "password": FIRST_PASSWORD})
        passwords = {"old": FIRST_PASSWORD, "new": PASSWORD}
        await stage.done("PUT", "/api/v1/operations/password", passwords)
    stage.clock.advance(hours=25)  # nobody signs on the day on which they were appointed


async def floor_logs_in(stage: Stage) -> None:
    """Somebody of the floor logs in after every start, once there is such a person."""
    await stage.ask("POST", "/api/v1/operations/login", {"name": "flo", "password": PASSWORD})


async def correct(stage: Stage) -> None:
    """The first round at Linden is put right to a result that its cards cannot have had."""
    body = {
        "net_cents": {ANN: -25},
        "reason": "a test",
        "second": {"name": "max", "password": PASSWORD},
    }
    path = "/api/v1/operations/floor/rounds/linden-1/correction"
    await unkeyed(stage, "POST", path, body)


async def switch(stage: Stage, *, off: bool) -> None:
    body = {"what": "game:knockout-21", "off": off, "reason": "a test"}
    await unkeyed(stage, "POST", "/api/v1/operations/switches", body)


async def switch_off(stage: Stage) -> None:
    await switch(stage, off=True)


async def switch_on(stage: Stage) -> None:
    await switch(stage, off=False)


FLOWS = [
    Flow("chips for a new player", take_chips),
    Flow("a ticket, the first of a new player", buy_first, open_lottery, look),
    Flow("tickets for two draws", buy_more, before_choices, look),
    Flow("choices kept", keep_choices, before_choices, look),
    Flow("choices made", make_choices, before_choices, look),
    Flow("an alteration", alter, before_alteration, look),
    Flow("sales closed", go_on, before_close, commits=None),
    Flow("sealed, drawn, settled", go_on, before_draw, commits=None),
    Flow("a draw called off", call_off, before_alteration),
    Flow("a day opened", open_tomorrow, open_lottery),
    Flow("a claim", claim, before_claim, look),
    Flow("blackjack: sit, buy in, wager", wager),
    Flow("blackjack: a second wager", wager_more, wagered),
    Flow("blackjack: a wager taken back", take_back, wagered),
    Flow("blackjack: cash out and leave", leave, wagered),
    Flow("blackjack: stakes and cards", deal, wagered, commits=None),
    Flow("blackjack: stand, settlement", stand, dealt, commits=None),
    Flow("blackjack: double, settlement", double, dealt, commits=None),
    Flow("blackjack: a player's cut", cut, wagered),
    Flow("blackjack: a wager too small comes back", give_back, too_small),
    Flow("blackjack: stakes held, salts, cards", hold_and_deal, salted_wager, salted=True, commits=None),
    Flow("blackjack: a table of one's own", open_table, commits=2),
    Flow("Knockout 52: wagers", stake),
    Flow("Knockout 52: wagers taken back", unstake, staked),
    Flow("Knockout 52: cards, settlement", deal_game, staked, commits=None),
    Flow("Knockout 52: salts, cards, settlement", reveal_and_deal, salted, commits=None),
    Flow("Knockout 52: a table of one's own", open_knockout52),
    Flow("a result put right", correct, before_correction, floor_logs_in),
    Flow("a game switched off", switch_off, ready=log_in),
    Flow("a game switched on", switch_on, switch_off, log_in),
]


@pytest.fixture(autouse=True)
def _nothing_else_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    """The coach and the advice move no money, and would take seconds; nobody else writes into the log."""

    async def later(*_args: object) -> None:
        raise Unavailable("not in this test")

    monkeypatch.setattr("cardroom.web.coach.Coach.judge", later)
    monkeypatch.setattr("cardroom.web.api.tables.value_of", later)
    monkeypatch.setattr("cardroom.web.api.tables.advise", later)
    monkeypatch.setattr("cardroom.web.following._SECONDS_BETWEEN_LOOKS", 1e6)


async def enumerate_points(flow: Flow, url: str, *, whole: bool) -> Count:
    """Try the points of a flow and all ends of its commits."""
    tried = Enumeration(flow, url)
    count = await tried.prepare()
    for point in tried.chosen_points(whole=whole):
        await tried.stopped_at(point)
        count.stops += 1
    for number in tried.chosen_commits(whole=whole):
        for done in (True, False):
            await tried.commit_lost(number, done=done)
            count.lost += 1
    return count


@pytest.mark.requirement("R-15", "R-30", "R-44", "R-48")
@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.name)
def test_stopped_at_every_point(flow: Flow, database_url: str) -> None:
    count = finished(enumerate_points(flow, database_url, whole=ALL))
    print(f"{flow.name}: {count}")
    if flow.commits is not None:  # how many cards there are is a matter of chance
        line = f"| {flow.name} | {count.commits} | {count.points} |"
        assert line in DOCS.read_text("utf-8"), f"docs/web.md should say {line}"


def test_a_table_and_what_it_does_first_are_one_commit(sqlite_url: str) -> None:
    async def opened() -> list[list[str]]:
        stage = Stage(sqlite_url, NOON)
        await stage.open()
        await shoes_are_ready(stage)
        heard: list[list[str]] = []
        before = stage.log_length()

        def listen(point: str) -> None:
            if point == COMMITTED:
                with stage.house.database.read() as connection:
                    heard.append([record.kind for record in records(connection, after=before)])

        stage.house.database.probe = listen
        await open_table(stage)
        stage.house.database.probe = None
        await stage.close()
        return heard

    assert finished(opened())[0] == ["TwentyOneTableOpened", "TableRequestGranted"]
