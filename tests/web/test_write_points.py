"""Every flow on the web that moves money, stopped at the points of its writes, on both databases.

Afterwards nothing is lost and nothing done twice: the log and the ledger hold, what a player sees is what the
ledger has, and the same request, sent again, has one outcome. `make write-points` tries every point of every
flow on both; without it, some statements of each commit and both of its sides.
"""

from __future__ import annotations

import itertools
import os
import re
from pathlib import Path

import pytest

from cardroom.core.errors import Unavailable
from cardroom.fair.seeds import repeatable_seed
from cardroom.store.lottery import records
from tests.databases import HandClock
from tests.web import desk_flows as desk
from tests.web import knockout52_flows as knockout52
from tests.web import lottery_flows as lottery
from tests.web import table_flows as tables
from tests.web.conftest import finished
from tests.web.laid_shoes import lay_shoe
from tests.web.stage import NOON, Stage, make_quick, shoes_are_ready
from tests.web.write_points import COMMITTED, Count, Enumeration, Flow

ALL = os.environ.get("CARDROOM_WRITE_POINTS") == "all"
DOCS = Path(__file__).resolve().parents[2] / "docs"

# Cards come as player, dealer, player, dealer's hole card, and then as they are drawn.
EIGHTS = "8s6d8hKc9s9h5c"
"""A pair against a six. Split: seventeen twice; the dealer's sixteen becomes 21."""
DEALER_BLACKJACK = "9sAd7hKc"
TWO_BLACKJACKS = "AsAdKhKc"
SIXTEEN_AGAINST_KING = "9sKd7h8c"
ELEVEN_AGAINST_SIX = "5s6d6h9c2s"
"""Doubled, it becomes thirteen."""
FORSAKEN = {"private_table_minutes": 1.0, "wager_seconds": 3600.0}
"""Settings of a house that closes a forsaken table soon, and deals no cards to its wagers before."""

FLOWS = [
    Flow("chips for a new player", tables.take_chips),
    Flow("a ticket, the first of a new player", lottery.buy_first, lottery.open_lottery, lottery.look),
    Flow("tickets for two draws", lottery.buy_more, lottery.before_choices, lottery.look),
    Flow("choices kept", lottery.keep_choices, lottery.before_choices, lottery.look),
    Flow("choices made", lottery.make_choices, lottery.before_choices, lottery.look),
    Flow("an alteration", lottery.alter, lottery.before_alteration, lottery.look),
    Flow("sales closed", lottery.go_on, lottery.before_close, commits=None),
    Flow("sealed, drawn, settled", lottery.go_on, lottery.before_draw, commits=None),
    Flow("a day opened", lottery.open_tomorrow, lottery.open_lottery),
    Flow("a claim", lottery.claim, lottery.before_claim, lottery.look),
    Flow("a large prize asked for", lottery.ask_for_prize, desk.before_large_prize, lottery.look),
    Flow("a large prize approved", desk.approve, desk.before_approval, desk.liz_logs_in),
    Flow("a large prize paid", lottery.claim, desk.approved, lottery.look),
    Flow("prizes expired", lottery.expire, lottery.before_expiry),
    Flow("an expiry taken back", desk.take_expiry_back, desk.expired_too_soon, desk.liz_logs_in),
    Flow("a draw called off", desk.call_off, desk.before_override, desk.liz_logs_in),
    Flow("a draw held", desk.hold, desk.before_override, desk.liz_logs_in),
    Flow("a draw released", desk.release, desk.held, desk.liz_logs_in),
    Flow("a draw by hand", desk.draw_by_hand, desk.before_draw_by_hand, desk.liz_logs_in),
    Flow("a lost ticket stopped", desk.stop_ticket, desk.before_override, desk.liz_logs_in),
    Flow("a found ticket let go", desk.let_go, desk.stopped, desk.liz_logs_in),
    Flow("a lost ticket printed anew", desk.print_anew, desk.stopped, desk.liz_logs_in),
    Flow("blackjack: sit, buy in, wager", tables.wager),
    Flow("blackjack: a second wager", tables.wager_more, tables.wagered),
    Flow("blackjack: a wager taken back", tables.take_back, tables.wagered),
    Flow("blackjack: cash out and leave", tables.leave, tables.wagered),
    Flow("blackjack: stakes and cards", tables.deal, tables.wagered, commits=None),
    Flow("blackjack: stand, settlement", tables.stand, tables.dealt, commits=None),
    Flow("blackjack: double, settlement", tables.double, tables.dealt, commits=None),
    Flow(
        "blackjack: split, settlement",
        tables.play("linden", "split", "stand"),
        tables.dealt_at("linden"),
        cards=EIGHTS,
        commits=None,
    ),
    Flow(
        "blackjack: insurance, settlement",
        tables.play("linden", "insure 2.00"),
        tables.dealt_at("linden"),
        cards=DEALER_BLACKJACK,
    ),
    Flow(
        "blackjack: even money",
        tables.play("linden", "even money"),
        tables.dealt_at("linden"),
        cards=TWO_BLACKJACKS,
    ),
    Flow(
        "Player's Edge 21: surrender",
        tables.play("rowan", "surrender"),
        tables.dealt_at("rowan"),
        cards=SIXTEEN_AGAINST_KING,
    ),
    Flow(
        "Player's Edge 21: double, rescue",
        tables.play("rowan", "rescue", "double"),
        tables.dealt_at("rowan"),
        cards=ELEVEN_AGAINST_SIX,
        commits=None,
    ),
    Flow("blackjack: a player's cut", tables.cut, tables.wagered),
    Flow("blackjack: a wager too small comes back", tables.give_back, tables.too_small),
    Flow(
        "blackjack: stakes held, salts, cards",
        tables.hold_and_deal,
        tables.salted_wager,
        salted=True,
        cards=EIGHTS,
        commits=None,
    ),
    Flow("blackjack: a table of one's own", tables.open_table, commits=2),
    Flow(
        "blackjack: a forsaken table closes",
        tables.close_forsaken,
        tables.wagered_at_own,
        changes=FORSAKEN,
    ),
    Flow("blackjack: the floor takes a spot", desk.take_spot, desk.before_release, desk.flo_logs_in),
    Flow("Knockout 52: wagers", knockout52.stake),
    Flow("Knockout 52: wagers taken back", knockout52.unstake, knockout52.staked),
    Flow(
        "Knockout 52: wagers of somebody who is gone",
        knockout52.give_back_to_absent,
        knockout52.staked,
        changes={"gone_seconds": 0.002},
    ),
    Flow("Knockout 52: cards, settlement", knockout52.deal_game, knockout52.staked, commits=None),
    Flow(
        "Knockout 52: salts, cards, settlement", knockout52.reveal_and_deal, knockout52.salted, commits=None
    ),
    Flow("Knockout 52: a table of one's own", knockout52.open_knockout52),
    Flow(
        "Knockout 52: a forsaken table closes",
        tables.close_forsaken,
        knockout52.staked_at_own,
        changes=FORSAKEN,
    ),
    Flow("a result put right", desk.correct, desk.before_correction, desk.flo_logs_in),
    Flow("a game switched off", desk.switch_off, ready=desk.log_in),
    Flow("a game switched on", desk.switch_on, desk.switch_off, desk.log_in),
]


@pytest.fixture(autouse=True)
def _nothing_else_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    """The coach and the advice move no money, and would take seconds; nobody else writes into the log."""

    async def later(*_args: object) -> None:
        raise Unavailable("not in this test")

    make_quick(monkeypatch)
    monkeypatch.setattr("cardroom.web.coach.Coach.judge", later)
    monkeypatch.setattr("cardroom.web.api.tables.prepare", later)
    monkeypatch.setattr("cardroom.web.api.tables.advise", later)
    monkeypatch.setattr("cardroom.web.following._SECONDS_BETWEEN_LOOKS", 1e6)
    numbers = itertools.count(11)
    shoes = "cardroom.table.knockout52.running"  # the same cards in every run, and so as many commits
    monkeypatch.setattr(f"{shoes}.fresh_shoe_id", lambda: f"{next(numbers):024x}")
    monkeypatch.setattr(f"{shoes}.fresh_seed", lambda: repeatable_seed(next(numbers), "a test"))


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
def test_stopped_at_every_point(flow: Flow, database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if flow.cards:
        lay_shoe(monkeypatch, flow.cards)
    count = finished(enumerate_points(flow, database_url, whole=ALL))
    print(f"{flow.name}: {count}")
    line = f"| {flow.name} | {count.commits} | {count.points} |"
    assert line in (DOCS / "web.md").read_text("utf-8"), f"docs/web.md should say {line}"


def test_a_table_and_what_it_does_first_are_one_commit(sqlite_url: str) -> None:
    async def opened() -> list[list[str]]:
        stage = Stage(sqlite_url, HandClock(NOON))
        await stage.open()
        await shoes_are_ready(stage)
        heard: list[list[str]] = []
        before = stage.log_length()

        def listen(point: str) -> None:
            if point == COMMITTED:
                with stage.house.database.read() as connection:
                    heard.append([record.kind for record in records(connection, after=before)])

        stage.house.database.probe = listen
        await tables.open_table(stage)
        stage.house.database.probe = None
        await stage.close()
        return heard

    assert finished(opened())[0] == ["TwentyOneTableOpened", "TableRequestGranted"]


def test_the_documents_name_every_flow_and_add_up() -> None:
    web, security = ((DOCS / name).read_text("utf-8") for name in ("web.md", "security.md"))
    _, _, section = web.partition("\n## Stopped at every point\n")
    table = re.findall(r"^\| (.+) \| (\d+) \| (\d+) \|$", section.partition("\n## ")[0], re.MULTILINE)
    assert [name for name, _, _ in table] == [flow.name for flow in FLOWS]
    commits, points = (sum(int(row[column]) for row in table) for column in (1, 2))
    assert f"\n| **{len(FLOWS)} flows** | **{commits}** | **{points}** |\n" in section
    tried = f"{points} and {2 * commits}"
    line = f"| {len(FLOWS)} flows of money ([the table](web.md#stopped-at-every-point)) | {tried} | {tried} |"
    assert line in security, f"docs/security.md should say {line}"
