"""The terminal and the wall: buy, choose, alter, draw, claim, on a clock set by hand."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser, expect

from cardroom.engine.knockout21 import Draw
from cardroom.fair.merkle import leaf_hash
from cardroom.lottery.reports import check_log
from cardroom.lottery.verify import verify_draw
from cardroom.store.ledger import all_balances
from tests.databases import HandClock
from tests.web.conftest import CardRoom, open_screen, quick_settings, start
from tests.web.lottery_hall import API, PATIENCE_SECONDS, buy, finish, hold_draw, wait_for


@pytest.mark.requirement("R-26", "R-29", "R-30")
def test_a_ticket_from_purchase_to_claim(hall: CardRoom, clock: HandClock) -> None:
    guest = hall.client()
    bought = buy(guest)
    ticket = bought["tickets"][0]
    assert guest.get("/api/v1/session").json()["chips_cents"] == 99_500
    assert [hand["game"] for hand in ticket["hands"]] == [1] * 4 + [2] * 5 + [3] * 6
    other = {"H": "S", "S": "H"}
    first = ticket["hands"][4]
    chosen = guest.post(
        f"{API}/purchases/{bought['purchase']}/choices",
        json={"overrides": {ticket["id"]: {"4": other[first["choice"]]}}},
        headers=guest.key(2),
    ).json()["tickets"][0]
    assert chosen["hands"][4]["choice"] == other[first["choice"]]
    assert chosen["accepted"]
    paper = guest.get(f"{API}/tickets/{ticket['id']}/paper.pdf")
    assert paper.content.startswith(b"%PDF")
    assert guest.get(f"{API}/tickets/{ticket['id']}/paper.png").content.startswith(b"\x89PNG")
    number, code = chosen["control_number"], chosen["code"]

    assert guest.post(f"{API}/check", json={"control_number": number}).json()["verdict"] == "not yet drawn"
    altered = guest.post(
        f"{API}/tickets/{ticket['id']}/alteration",
        json={"overrides": {"4": first["choice"]}},
        headers=guest.key(3),
    ).json()
    assert altered["print"] == 2
    again = guest.post(
        f"{API}/tickets/{ticket['id']}/alteration", json={"overrides": {"5": "H"}}, headers=guest.key(4)
    )
    assert again.json()["error"]["clause"] == "KO21-2.7"

    hold_draw(hall, clock, guest, ticket["draw"])
    shown = guest.get(f"{API}/tickets/{ticket['id']}").json()
    # The only ticket of a draw is never knocked out: whoever loses alone is a Lucky Loser (KO21-4.4).
    assert all(result["in_before"] for result in shown["results"])
    assert all(result["won"] or result["lucky"] for result in shown["results"])
    assert shown["prize"]["cents"] == 1000 + 1500 + 2000
    cards = Draw.parse(guest.get(f"{API}/draws/{ticket['draw']}").json()["cards"])
    assert [str(position.hit) for position in cards.positions] == [one["hit"] for one in shown["results"]]
    assert (
        leaf_hash(shown["proof"]["ticket"]).hex() == shown["proof"]["root"]
    )  # a pool of one is its own root

    void = guest.post(f"{API}/claims", json={"control_number": number, "code": code}, headers=guest.key(5))
    assert void.json()["verdict"] == "void print"  # the altered ticket voids the original print
    claim = {"control_number": number, "code": altered["code"]}
    paid = guest.post(f"{API}/claims", json=claim, headers=guest.key(6)).json()
    assert paid == {"verdict": "prize", "prize_cents": 4500, "draw": ticket["draw"]}
    assert guest.post(f"{API}/claims", json=claim, headers=guest.key(6)).json() == paid
    twice = guest.post(f"{API}/claims", json=claim, headers=guest.key(7)).json()
    assert twice["verdict"] == "paid already"
    assert guest.get("/api/v1/session").json()["chips_cents"] == 99_500 + 4500
    record = guest.get(f"{API}/draws/{ticket['draw']}/record").text
    assert verify_draw(record).findings == ()
    assert hall.house.lottery is not None
    assert check_log(hall.house.lottery.lottery).faults == ()


def test_a_purchase_that_is_refused_takes_no_chips(hall: CardRoom, clock: HandClock) -> None:
    guest = hall.client()
    answer = guest.post(f"{API}/purchases", json={"tickets_per_draw": 9}, headers=guest.key(1))
    assert answer.json()["error"]["clause"] == "KO21-2.2"
    assert guest.get("/api/v1/session").json()["chips_cents"] == 100_000
    clock.moment = datetime(2025, 6, 15, 7, 0, tzinfo=UTC)  # midnight in Vancouver
    answer = guest.post(f"{API}/purchases", json={}, headers=guest.key(2))
    assert answer.json()["error"]["clause"] == "KO21-2.4"
    assert guest.get("/api/v1/session").json()["chips_cents"] == 100_000
    with hall.house.database.read() as connection:
        assert sum(all_balances(connection).values()) == 0


def test_long_keys_are_told_apart(hall: CardRoom) -> None:
    """Keys of the greatest length: of two players, and of one, with the same end or the same beginning."""
    ann, bob = hall.client(), hall.client()
    end, beginning = "k" * 79, "b" * 79
    keys = [
        (ann, f"1{end}"),
        (bob, f"1{end}"),
        (ann, f"2{end}"),
        (ann, f"{beginning}1"),
        (ann, f"{beginning}2"),
    ]
    bought = [
        guest.post(f"{API}/purchases", json={}, headers={"Idempotency-Key": key}).json()
        for guest, key in keys
    ]
    tickets = [one["tickets"][0]["id"] for one in bought]
    assert len(set(tickets)) == len(keys)
    again = ann.post(f"{API}/purchases", json={}, headers={"Idempotency-Key": keys[0][1]})
    assert again.json()["tickets"][0]["id"] == tickets[0]
    assert bob.get(f"{API}/tickets/{tickets[0]}").status_code == 404
    assert ann.get("/api/v1/session").json()["chips_cents"] == 100_000 - 4 * 500
    for number, key in ((3, f"{beginning}1"), (4, f"{beginning}2")):
        first = bought[number]["tickets"][0]
        other = {"H": "S", "S": "H"}[first["hands"][4]["choice"]]
        chosen = ann.post(
            f"{API}/purchases/{bought[number]['purchase']}/choices",
            json={"overrides": {first["id"]: {"4": other}}},
            headers={"Idempotency-Key": key},
        ).json()["tickets"][0]
        assert (chosen["id"], chosen["hands"][4]["choice"]) == (first["id"], other)


def test_nobody_sees_or_changes_another_players_ticket(hall: CardRoom) -> None:
    ann, bob = hall.client(), hall.client()
    bought = buy(ann)
    ticket = bought["tickets"][0]["id"]
    assert bob.get(f"{API}/tickets/{ticket}").status_code == 404
    assert bob.get(f"{API}/tickets/{ticket}/qr.svg").status_code == 404
    assert bob.get(f"/knockout-21/tickets/{ticket}", headers={"Accept": "text/html"}).status_code == 404
    choices = {"overrides": {ticket: {"4": "H"}}}
    answer = bob.post(f"{API}/purchases/{bought['purchase']}/choices", json=choices, headers=bob.key(1))
    assert answer.status_code == 404
    altering = bob.post(
        f"{API}/tickets/{ticket}/alteration", json={"overrides": {"4": "H"}}, headers=bob.key(2)
    )
    assert altering.status_code == 404


def test_the_wall_shows_what_was_drawn_and_resumes_after_a_break(hall: CardRoom, clock: HandClock) -> None:
    guest = hall.client()
    number = buy(guest)["tickets"][0]["draw"]
    hold_draw(hall, clock, guest, number)
    told = read_wall(hall.url, until="settled")
    ids = [one["id"] for one in told]
    hits = [one["data"]["card"] for one in told if one["data"]["kind"] == "hit"]
    cards = Draw.parse(guest.get(f"{API}/draws/{number}").json()["cards"])
    assert hits == [str(position.hit) for position in cards.positions]
    dealt: dict[int, list[str]] = {}
    for event in (one["data"] for one in told):
        if event["kind"] == "hit":
            dealt[event["position"]] = [event["first_card"]] if event["game"] == 2 else []
        elif event["kind"] == "dealer":
            dealt[event["position"]].append(event["card"])
    assert list(dealt.values()) == [[str(card) for card in position.dealer] for position in cards.positions]
    assert ids == [f"{number}.{index}" for index in range(1, len(ids) + 1)]
    rest = read_wall(hall.url, until="settled", last=ids[-4])
    assert [one["id"] for one in rest] == ids[-3:]


def test_a_close_between_two_looks_is_not_missed(
    hall: CardRoom, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window is read when sales have just closed and nothing was done yet: the draw is not forgotten."""
    room = hall.house.lottery
    assert room is not None
    # The draws of the morning come with the first one; after it none waits for which something would be done.
    hold_draw(hall, clock, hall.client(), room.window[0].number)
    wait_for(lambda: {draw.status for draw in room.recent} == {"settled"})
    advance = room._advance
    asked_again = threading.Event()
    monkeypatch.setattr(room, "_advance", asked_again.set)
    draw = room.window[0]
    assert asked_again.wait(PATIENCE_SECONDS)  # what was under way is done
    clock.moment = draw.closes_at
    room.look()
    assert draw.number not in [one.number for one in room.window]
    advance()
    assert [one.number for one in room.recent if one.status == "sealed"][:1] == [draw.number]


def test_draws_drawn_together_are_shown_in_turn(
    tmp_path_factory: pytest.TempPathFactory, clock: HandClock
) -> None:
    """A draw that missed its time comes with the next (KO21-3.2); no screen loses an end or sees too much."""
    hall = start(quick_settings(tmp_path_factory.mktemp("late"), show_pace=1.0, lottery=True), clock)
    try:
        guest = hall.client()
        wait_for(lambda: bool(guest.get(f"{API}/draws").json().get("on_sale")))
        late, later, in_time = (ticket["draw"] for ticket in buy(guest, draws=3)["tickets"])
        on_sale = {draw["draw"]: draw for draw in guest.get(f"{API}/draws").json()["on_sale"]}
        clock.moment = datetime.fromisoformat(on_sale[later]["draw_at"]) + timedelta(minutes=2)
        room = hall.house.lottery
        assert room is not None
        wait_for(lambda: any(draw.number == later and draw.status == "sealed" for draw in room.recent))
        assert room.shows == {}
        clock.moment = datetime.fromisoformat(on_sale[in_time]["draw_at"]) + timedelta(seconds=1)
        wait_for(lambda: in_time in room.shows)
        # Not the draws of the morning, when the house was closed.
        assert list(room.shows) == [late, later, in_time]
        first, second, third = room.shows.values()
        assert first.started_at == clock.moment
        assert second.started_at == first.ends_at + timedelta(seconds=5)
        assert third.started_at == second.ends_at + timedelta(seconds=5)

        forged = read_wall(hall.url, until="started", last=f"{in_time}.0")
        assert [one["id"] for one in forged] == [f"{late}.1"]
        wall = walled(hall.url)
        for index in range(10):  # a screen is woken for each, though two other shows wait
            clock.moment = first.moments[index]
            assert next(wall)["id"] == f"{late}.{index + 1}"
        wall.close()
        clock.moment = second.moments[2]
        told = read_wall(hall.url, until="hit", last=f"{late}.10", draw=later)
        rest = [f"{late}.{index}" for index in range(11, len(first.moments) + 1)]
        assert [one["id"] for one in told] == [*rest, f"{later}.1", f"{later}.2"]
        assert guest.get(f"{API}/draws/{late}").status_code == 200
        assert guest.get(f"{API}/draws/{later}").status_code == 404
        assert guest.get(f"{API}/draws/{in_time}").status_code == 404
    finally:
        hall.stop()


def walled(url: str, last: str | None = None) -> Generator[dict[str, Any]]:
    """The draws' events as the wall gets them."""
    headers = {"Last-Event-ID": last} if last else {}
    with httpx.stream("GET", f"{url}{API}/monitor", headers=headers, timeout=300) as stream:
        current: dict[str, str] = {}
        deadline = time.monotonic() + PATIENCE_SECONDS
        for line in stream.iter_lines():
            assert time.monotonic() < deadline, "nothing is shown"
            if line:
                name, _, value = line.partition(": ")
                current[name] = value
                continue
            if current.get("event") == "draw":
                yield {"id": current["id"], "data": json.loads(current["data"])}
                deadline = time.monotonic() + PATIENCE_SECONDS
            current = {}
    raise AssertionError("the wall went dark")


def read_wall(
    url: str, *, until: str, last: str | None = None, draw: int | None = None
) -> list[dict[str, Any]]:
    """The events from the wall, up to one of a kind, of a certain draw if one is given."""
    told = []
    for event in walled(url, last):
        told.append(event)
        if event["data"]["kind"] == until and draw in (None, event["data"]["draw"]):
            break
    return told


def test_no_card_of_a_draw_is_told_before_it_is_shown(
    tmp_path_factory: pytest.TempPathFactory, clock: HandClock
) -> None:
    """With a slow wall, neither the draw, its record, the ticket nor a check tells what is coming."""
    hall = start(quick_settings(tmp_path_factory.mktemp("slow"), show_pace=50.0, lottery=True), clock)
    try:
        guest = hall.client()
        wait_for(lambda: bool(guest.get(f"{API}/draws").json().get("on_sale")))
        ticket = finish(guest, buy(guest))["tickets"][0]
        draw = guest.get(f"{API}/draws").json()["on_sale"][0]
        clock.moment = datetime.fromisoformat(draw["draw_at"]).replace(second=1)
        assert hall.house.lottery is not None
        shows = hall.house.lottery.shows
        wait_for(lambda: ticket["draw"] in shows)
        assert guest.get(f"{API}/draws/{ticket['draw']}").status_code == 404
        assert guest.get(f"{API}/draws/{ticket['draw']}/record").status_code == 404
        assert guest.get(f"{API}/tickets/{ticket['id']}").json()["results"] is None
        number = {"control_number": ticket["control_number"]}
        assert guest.post(f"{API}/check", json=number).json()["verdict"] == "not yet drawn"
        claim = guest.post(f"{API}/claims", json={**number, "code": ticket["code"]}, headers=guest.key(9))
        assert claim.json()["verdict"] == "not yet drawn"
    finally:
        hall.stop()


def test_buying_in_two_taps_choosing_altering_drawing_claiming(
    hall: CardRoom, clock: HandClock, browser: Browser
) -> None:
    screen = open_screen(browser, hall)
    page = screen.page
    page.goto("/knockout-21")
    page.click("#t-buy")
    page.click("#t-final")
    page.wait_for_url("**/tickets/**")
    expect(page.locator("[data-purse=chips]")).to_have_text("$995")
    expect(page.locator("img[alt^='QR code']")).to_be_visible()
    page.locator(".t-hand[data-position='14'] button[aria-pressed='false']").click()
    page.click("#k-alter")
    expect(page.locator(".note")).to_contain_text("Altered")
    draw = int(page.inner_text("h1 .soft").rpartition(" ")[2])
    wall = open_screen(browser, hall)
    wall.page.goto("/knockout-21/wall")
    guest = hall.client()
    hold_draw(hall, clock, guest, draw)
    expect(wall.page.locator("#w-say")).to_contain_text(f"Draw {draw} is over")
    expect(wall.page.locator(".w-tile.done")).to_have_count(15)
    page.reload()
    expect(page.locator(".ticket-prize")).to_contain_text("A prize of $45")
    page.click("#k-claim")
    expect(page.locator(".ticket-prize h2")).to_have_text("Paid: $45")
    expect(page.locator("[data-purse=chips]")).to_have_text("$1,040")
    for one in (screen, wall):
        assert one.troubles == []
        one.page.context.close()
