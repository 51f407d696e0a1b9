"""The floor acts at a table: each procedure that a person performs, with who did it in the record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from cardroom.store.ledger import all_balances, ledger_faults
from cardroom.table.evidence import check_evidence
from tests.web.conftest import CardRoom, Guest, open_screen
from tests.web.fitting import fits
from tests.web.shoes import is_hard_20_against_6, number_for
from tests.web.test_operations import API, PASSWORD, appoint, enter
from tests.web.test_table_api import Seat, over, rehearsal

FLOOR = f"{API}/floor"


def staff(room: CardRoom) -> tuple[Guest, Guest]:
    """Somebody of the floor, and an operator whom the first operator appointed as well; both logged in."""
    floor, chief = room.client(), room.client()
    if all(one.name != "chief" for one in room.house.operators.names()):
        first = room.client()
        assert enter(first, room.house).status_code == 200
        appoint(first, "floor")
        appoint(first, "operator", "chief")
    assert enter(floor, room.house, "the-floor", PASSWORD).status_code == 200
    assert enter(chief, room.house, "chief", PASSWORD).status_code == 200
    return floor, chief


def act(guest: Guest, what: str, table: str = "linden", **wanted: Any) -> Any:
    """Do something at a table, for a reason."""
    return guest.post(f"{FLOOR}/tables/{table}/{what}", json={"reason": "a test of the floor", **wanted})


def done(guest: Guest, what: str, table: str = "linden", **wanted: Any) -> dict[str, Any]:
    answer = act(guest, what, table, **wanted)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def requests_of(room: CardRoom, request: str) -> list[dict[str, Any]]:
    """What the log has of one kind of request at the table Linden."""
    granted = [one.content for one in room.log() if one.kind == "TableRequestGranted"]
    return [one for one in granted if one["request"]["request"] == request and one["table"] == "linden"]


def seated(room: CardRoom, cents: int = 400) -> Seat:
    seat = Seat(room.client(), "linden")
    seat.until(lambda view: view["shoe"]["commitment"])
    assert seat.wager(1, cents).status_code == 200
    return seat


def emptied(floor: Guest) -> None:
    """Linden frozen, and its cards taken off."""
    done(floor, "freeze")
    assert done(floor, "close")["phase"] == "closed"


def holds(room: CardRoom) -> None:
    """The books balance, and the log is evidence of every card."""
    with room.house.database.read() as connection:
        assert ledger_faults(connection) == []
        assert sum(all_balances(connection).values()) == 0
    assert check_evidence(room.log()).faults == []


def test_only_the_floor_and_operators_act(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        guest = room.client()
        assert guest.get(FLOOR).status_code == 401
        assert act(guest, "freeze").status_code == 401
        floor, chief = staff(room)
        first = room.client()
        enter(first, room.house)
        appoint(first, "auditor")
        auditor = room.client()
        enter(auditor, room.house, "the-auditor", PASSWORD)
        assert auditor.get(FLOOR).status_code == 200
        assert act(auditor, "freeze").status_code == 403
        assert act(floor, "freeze", reason="").status_code == 400
        assert act(floor, "freeze", table="nowhere").status_code == 404
        done(floor, "freeze")
        assert act(chief, "freeze").status_code == 409
        done(chief, "release")
        assert act(floor, "release").status_code == 409
        willow = done(floor, "freeze", table="willow")  # a table of Knockout 52, too
        assert willow == {"table": "willow", "by": "the-floor", "reason": "a test of the floor"}
        refused = guest.put(
            "/api/v1/knockout-52/tables/willow/wagers",
            json={"stakes": {"round-1": 500}},
            headers=guest.key(1),
        )
        assert (refused.status_code, "frozen" in refused.json()["error"]["message"]) == (409, True)


@pytest.mark.clause("PROC-1")
def test_decks_are_inspected_and_one_that_fails_is_replaced(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        floor, _ = staff(room)
        Seat(room.client(), "linden").until(lambda view: view["shoe"]["commitment"])
        emptied(floor)
        good: dict[str, str] = {}
        decks = [good, {"missing": "Ac", "extra": "6c"}, good, good, good, {"extra": "Kd"}]
        found = done(floor, "open", decks=decks)
        assert found["phase"] == "closed"
        assert found["failed"] == [
            {"deck": 2, "why": "Ac is missing; 6c is there 2 times"},
            {"deck": 6, "why": "Kd is there 2 times"},
        ]
        assert act(floor, "open", decks=[{"missing": "Ac Ac"}]).status_code == 400  # a deck has one of it
        assert act(floor, "open", decks=[good]).status_code == 400  # six decks are dealt here
        assert act(floor, "decks/7").status_code == 400
        assert done(floor, "decks/2")["failed"] == [{"deck": 6, "why": "Kd is there 2 times"}]
    with rehearsal(tmp_path) as room:  # a new start forgets nothing of it
        floor = room.client()
        enter(floor, room.house, "the-floor", PASSWORD)
        assert [one["deck"] for one in floor.get(f"{FLOOR}/tables/linden").json()["failed"]] == [6]
        assert done(floor, "decks/6")["phase"] == "shuffle"
        assert act(floor, "decks/6").status_code == 409
        opened = requests_of(room, "open")
        assert [one.get("by", "") for one in opened] == ["", *["the-floor"] * 3]
        assert opened[-1]["reason"] == "a test of the floor"
        done(floor, "release")
        Seat(room.client(), "linden").until(lambda view: view["shoe"]["commitment"])
        holds(room)


@pytest.mark.clause("PROC-4", "PROC-5", "PROC-6", "PROC-7")
def test_the_shuffle_and_both_cuts_by_hand(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        floor, _ = staff(room)
        Seat(room.client(), "linden").until(lambda view: view["shoe"]["commitment"])
        emptied(floor)
        assert done(floor, "open")["phase"] == "shuffle"
        assert act(floor, "cut-card", cards_deep=104).json()["error"]["clause"] == "PROC-6"  # not shuffled
        assert done(floor, "shuffle")["phase"] == "cut"
        assert act(floor, "shuffle").json()["error"]["clause"] == "PROC-4"
        for depth in (77, 157):  # 1.5 to 3 decks of 52
            assert act(floor, "cut", cards_deep=depth).json()["error"]["clause"] == "PROC-6"
        assert done(floor, "cut", cards_deep=78, end="front")["phase"] == "cut card"
        for depth in (77, 131):  # 1.5 to 2.5 decks
            assert act(floor, "cut-card", cards_deep=depth).json()["error"]["clause"] == "PROC-6"
        view = done(floor, "cut-card", cards_deep=130, burn=False)
        assert (view["phase"], view["to_burn"]) == ("wagers", None)
        placed = requests_of(room, "place cut card")[-1]
        assert (placed["by"], placed["request"]["burn"], placed["request"]["cards_deep"]) == (
            "the-floor",
            False,
            130,
        )
        assert requests_of(room, "cut shoe")[-1]["by"] == "the-floor"
        assert requests_of(room, "shuffle")[-1]["by"] == "the-floor"
        done(floor, "release")
        seat = seated(room)
        seat.deal()
        view = seat.play_out()
        assert not any("burned" in told for told in view["told"])
        holds(room)


@pytest.mark.clause("PROC-7")
@pytest.mark.parametrize(("burn", "burned"), [(True, 1), (False, 0)])
def test_a_dealer_takes_over_with_the_burn_or_with_the_burn_waived(
    tmp_path: Path,
    burn: bool,
    burned: int,
) -> None:
    with rehearsal(tmp_path) as room:
        floor, _ = staff(room)
        seat = seated(room)
        seat.deal()
        assert act(floor, "dealer", dealer="Max").json()["error"]["clause"] == "PROC-7"  # in a round
        before = seat.play_out()["shoe"]["cards_left"]
        assert act(floor, "dealer", dealer="  ").status_code == 400
        assert done(floor, "dealer", dealer="Max", burn=burn)["dealer"] == "Max"
        changed = requests_of(room, "change dealer")[-1]
        assert (changed["by"], changed["reason"]) == ("the-floor", "a test of the floor")
        assert changed["request"] == {"request": "change dealer", "dealer": "Max"} | (
            {} if burn else {"burn": False}
        )
        seat.wager(1, 400)
        seat.deal()
        after = seat.play_out()
        cards = sum(len(hand["cards"]) for spot in after["round"]["spots"] for hand in spot["hands"])
        cards += len(after["round"]["dealer"])
        assert before - after["shoe"]["cards_left"] == cards + burned
        told = floor.get(f"{FLOOR}/rounds/{after['last']['id']}").json()
        who = {one["who"] for one in told["happened"] if one["what"] == "deals a card (PROC-8)"}
        assert who == {"dealer Max"}
        assert [e for one in told["happened"] for e in one["events"] if "burned" in e] == [
            "a card is burned: new dealer"
        ][:burned]
        assert room.logged("TwentyOneRoundEnded").content["dealer"] == "Max"
        holds(room)


@pytest.mark.clause("PROC-7")
def test_nobody_is_said_to_have_shuffled_before_they_came(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        floor, _ = staff(room)
        seat = seated(room)
        done(floor, "dealer", dealer="Max")
        told = floor.get(f"{FLOOR}/tables/linden").json()["happened"]
        shuffled = [one["who"] for one in told if one["what"].startswith("shuffles")]
        assert shuffled == ["the dealer"]
        seat.deal()
        first = seat.play_out()["last"]["id"]
        done(floor, "dealer", dealer="Moritz")
        told = floor.get(f"{FLOOR}/rounds/{first}").json()["happened"]
        assert [one["who"] for one in told if one["what"].startswith("shuffles")] == ["the dealer"]
        assert {one["who"] for one in told if one["what"].startswith("deals")} == {"dealer Max"}
        told = floor.get(f"{FLOOR}/tables/linden").json()["happened"]
        assert [(one["who"], one["what"]) for one in told] == [
            ("the-floor", "puts Moritz on the table, with the burn (PROC-7)")
        ]


@pytest.mark.requirement("R-46", "R-47")
def test_a_seat_is_closed_and_opened_on_the_page(tmp_path: Path, browser: Browser) -> None:
    with rehearsal(tmp_path) as room:
        staff(room)
        seat = seated(room)
        name = seat.guest.name
        seat.deal()
        last = seat.play_out()["last"]["id"]
        screen = open_screen(browser, room, width=360, height=740)
        page = screen.page
        come_in(page, "the-floor", "/operations/floor")
        page.get_by_role("link", name="Linden").click()
        seats = page.locator(".o-seats")
        expect(seats).to_contain_text(f"{name}: may play")
        seats.locator("summary").click()
        submit(page, "f-seat-1", f"Close the seat of {name}")
        expect(seats).to_contain_text("the house has closed this seat")
        refused = seat.wager(2, 400).json()["error"]["message"]
        assert refused == "the house has closed this seat; ask the floor"
        told = room.logged("PlayerDisabled").content
        assert (told["by"], told["reason"]) == ("the-floor", "a test of the page")
        page.goto(f"/operations/floor/rounds/{last}")  # also who has left the table since
        seats.locator("summary").click()
        fits(page, "floor-round-seats")
        submit(page, "f-seat-1", f"Open the seat of {name}")
        expect(seats).to_contain_text("may play")
        assert seat.wager(2, 400).status_code == 200
        assert screen.troubles == []
        page.context.close()


@pytest.mark.clause("PROC-3")
def test_the_floor_releases_a_spot(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        floor, _ = staff(room)
        seat = seated(room)
        seat.wager(2, 400)
        assert act(floor, "spots/7/release").status_code == 409  # nobody's
        done(floor, "spots/2/release")
        assert seat.view()["you"]["spots"] == [1]
        seat.deal()
        assert act(floor, "spots/1/release").json()["error"]["clause"] == "PROC-9"  # in play
        seat.play_out()
        view = done(floor, "spots/1/release")
        assert view["players"] == 0
        assert requests_of(room, "release spot")[-1]["by"] == "the-floor"
        assert requests_of(room, "leave")[-1]["by"] == "the-floor"
        holds(room)


def test_a_frozen_table_stands_still_in_the_middle_of_a_round(tmp_path: Path) -> None:
    with rehearsal(tmp_path, number_for("blackjack", is_hard_20_against_6)) as room:
        floor, _ = staff(room)
        seat = seated(room)
        seat.deal()
        seat.turn()
        done(floor, "freeze", reason="two players claim spot 1")
        before = seat.view()
        assert before["frozen"] == {"reason": "two players claim spot 1"}
        assert before["you"]["options"] == []  # what is offered is accepted, and nothing is
        stand = {"spot": 1, "action": "stand", "step": before["step"]}
        for answer in (
            seat.guest.post(f"{seat.path}/actions", json=stand, headers=seat.key()),
            seat.wager(2, 400),
            seat.guest.post(f"{seat.path}/leave"),
            seat.guest.post(f"{seat.path}/deal"),
        ):
            assert answer.status_code == 409
            assert "two players claim spot 1" in answer.json()["error"]["message"]
        shown = floor.get(f"{FLOOR}/tables/linden").json()
        assert shown["happened"][-1]["what"] == "freezes the table"
        assert "deals a card (PROC-8)" in [one["what"] for one in shown["happened"]]
    number = number_for("blackjack", is_hard_20_against_6)
    with rehearsal(tmp_path, number, decision_seconds=0.01) as room:  # nor does a new start make it go on
        seat.guest.base_url = room.url
        floor = room.client()
        enter(floor, room.house, "the-floor", PASSWORD)
        assert seat.view()["step"] == before["step"]
        done(floor, "release", reason="it is Ann's")
        view = seat.until(over)  # the clock runs again, and the house stands for who does not answer
        told = floor.get(f"{FLOOR}/rounds/{view['last']['id']}").json()["happened"]
        said = [(one["who"], one["what"], one["reason"]) for one in told]
        assert ("the-floor", "freezes the table", "two players claim spot 1") in said
        assert ("the-floor", "releases the table", "it is Ann's") in said
        assert any(who == "the clock, since no answer came in time" for who, _, _ in said)
        holds(room)


@pytest.mark.clause("PROC-15")
def test_an_unclear_instruction_is_asked_again_and_never_guessed(tmp_path: Path) -> None:
    with rehearsal(tmp_path, number_for("blackjack", is_hard_20_against_6)) as room:
        seat = seated(room)
        seat.deal()
        before = seat.turn()
        answer = seat.act("hti")
        assert answer.status_code == 400
        after = seat.view()
        assert (after["step"], after["you"]["options"]) == (before["step"], before["you"]["options"])


def test_a_floor_call_stands_until_somebody_answers(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        floor, chief = staff(room)
        done(floor, "call", reason="a card is marked")
        assert act(chief, "call").status_code == 409
        tables = chief.get(FLOOR).json()["tables"]
        assert tables[0]["table"] == "linden"  # who needs somebody comes first
        assert (tables[0]["call"]["by"], tables[0]["call"]["reason"]) == ("the-floor", "a card is marked")
        done(chief, "answer", reason="the deck is replaced tonight")
        assert act(chief, "answer").status_code == 409
        assert room.logged("FloorAnswered").content["by"] == "chief"


def test_the_floor_sees_the_pace_of_play(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        floor, _ = staff(room)
        seat = seated(room)
        before = floor.get(f"{FLOOR}/tables/linden").json()
        assert (before["rounds_per_hour"], before["seconds_per_decision"]) == (None, None)
        for _ in range(2):
            seat.wager(1, 400)
            seat.deal()
            seat.play_out()
        after = floor.get(f"{FLOOR}/tables/linden").json()
        assert after["rounds_per_hour"] > 0
        assert after["spots"][0]["player"] == seat.guest.name


@pytest.mark.clause("PROC-4", "PROC-5", "PROC-6")
def test_the_shuffle_is_shown_pile_by_pile(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        floor, _ = staff(room)
        path = f"{FLOOR}/tables/linden/shuffle"
        steps = floor.get(path, params={"start": "after a shoe", "seed": 7}).json()["steps"]
        assert steps[0]["piles"] == [78, 78, 78, 78, 0]
        assert all(sum(step["piles"]) == 312 for step in steps)
        assert steps[-1]["piles"] == [0, 0, 0, 0, 312]
        for number, step in enumerate(steps[1:-2]):  # opposite corners in turn
            one, other = ((1, 3), (2, 4))[number % 2]
            assert f"from corner {one} and" in step["words"]
            assert f"from corner {other}," in step["words"]
        assert floor.get(path, params={"start": "after a shoe", "seed": 7}).json()["steps"] == steps
        assert floor.get(path, params={"start": "nonsense"}).status_code == 400


def come_in(page: Page, name: str, path: str) -> None:
    page.goto(path)
    page.fill("#o-name", name)
    page.fill("#o-password", PASSWORD)
    page.keyboard.press("Enter")


def submit(page: Page, reason: str, button: str) -> None:
    """Say why, press the button, and wait until the page is made anew."""
    page.fill(f"#{reason}", "a test of the page")
    with page.expect_navigation():
        page.get_by_role("button", name=button, exact=True).click()


def test_a_walk_through_the_floor_page(tmp_path: Path, browser: Browser) -> None:
    """A dispute from the call to the compensating entry, by mouse and keyboard, on a phone."""
    with rehearsal(tmp_path) as room:
        staff(room)
        seat = seated(room)
        seat.deal()
        seat.play_out()
        screen = open_screen(browser, room, width=360, height=740)
        page = screen.page
        come_in(page, "the-floor", "/operations/floor")
        expect(page.locator("[data-table=linden]")).to_contain_text("rounds an hour")
        page.get_by_role("link", name="Linden").click()
        submit(page, "f-call-reason", "Call the floor")
        expect(page.locator("#f-call")).to_contain_text("a test of the page")
        submit(page, "f-freeze-reason", "Freeze table Linden")
        expect(page.locator("#f-frozen")).to_contain_text("Frozen by the-floor")
        page.fill("#f-dealer-name", "Max")
        page.select_option("#f-burn", "no")
        submit(page, "f-dealer-reason", "Put on the table")
        expect(page.locator("#f-dealer")).to_have_text("Max")
        submit(page, "f-close-reason", "Take the cards off table Linden")
        page.fill("#f-missing-3", "Ac")
        submit(page, "f-open-reason", "Inspect, wash and open table Linden")
        expect(page.locator(".f-failed")).to_contain_text("Deck 3 is out of play: Ac is missing")
        fits(page, "floor-table-closed")
        submit(page, "f-deck-reason-3", "Replace deck 3")
        submit(page, "f-shuffle-reason", "Shuffle")
        page.fill("#f-cut", "100")
        submit(page, "f-cut-reason", "Cut for the house")
        page.fill("#f-cut-card", "104")
        submit(page, "f-cut-card-reason", "Place the cut card")
        expect(page.locator("#f-phase")).to_have_text("wagers are open")
        page.select_option("#f-spot", "1")
        submit(page, "f-spot-reason", "Release the spot")
        submit(page, "f-release-reason", "Release table Linden")
        submit(page, "f-answer-reason", "Answer the call")
        expect(page.locator("#f-happened")).to_contain_text("places the cut card 104 cards deep (PROC-6)")
        expect(page.locator("#f-happened")).to_contain_text("deck 3 is out of play: Ac is missing")
        page.click("#f-show-shuffle button")
        expect(page.locator("#f-step")).to_contain_text("1 of")
        page.click("#f-next")
        expect(page.locator("#f-step")).to_contain_text("Riffle 1")
        fits(page, "floor-table")
        page.click("#f-last")
        expect(page.locator("#f-happened")).to_contain_text("a card is burned: new shoe")
        page.fill("#f-net-1", "5")
        page.fill("#f-second-name", "chief")
        page.fill("#f-second-password", PASSWORD)
        submit(page, "f-correct-reason", "Correct round linden-1")
        expect(page.locator("#f-corrected")).to_contain_text("chief and the-floor")
        fits(page, "floor-round")
        assert room.logged("RoundCorrected").content["by"] == ["chief", "the-floor"]
        page.goto("/operations/floor")
        fits(page, "floor")
        for width in (390, 1280, 1920):
            page.set_viewport_size({"width": width, "height": 900})
            for path in ("", "/tables/linden", "/tables/willow", "/rounds/linden-1"):
                page.goto(f"/operations/floor{path}")
                fits(page, f"floor{path.replace('/', '-')}")
        assert screen.troubles == []
        page.context.close()
        holds(room)


def test_signs_of_counting_are_a_hint(room: CardRoom) -> None:
    """A table without rounds shows none, and says what a sign is worth."""
    floor, _ = staff(room)
    page = floor.get("/operations/floor/tables/linden", headers={"Accept": "text/html"}).text
    assert "Look at the rounds of this table" in page
    looked = floor.get("/operations/floor/tables/linden?signs=true", headers={"Accept": "text/html"}).text
    assert "A hint, no verdict" in looked
