"""The lab's page Protection: counters and teams by a form, second counts, questions that can be stopped."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cardroom.web import figures
from tests.web.conftest import CardRoom, Guest, Screen
from tests.web.fitting import fits

LAB = "/api/v1/lab"
REPORT = {"mark": "safe", "method": "none", "findings": [], "tables": [], "plots": []}
ONE_DECK = {"game": "blackjack", "options": {"decks": 1}}
PATIENCE_SECONDS = 300


def events(guest: Guest, question: str, body: dict[str, Any]) -> list[tuple[str, Any]]:
    """All events of a question, by name."""
    answer = guest.post(f"{LAB}/protection/{question}/events", json=body)
    assert answer.headers["content-type"].startswith("text/event-stream")
    found = []
    for part in answer.text.strip().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in part.splitlines())
        found.append((lines.get("event", "message"), json.loads(lines["data"])))
    return found


def open_page(page: Page, address: str = "/lab/protection?game=blackjack&set=decks=1") -> None:
    """The report for the house, which takes long, is answered by the test."""
    page.route(f"**{LAB}/protection", lambda route: route.fulfill(json=REPORT))
    page.goto(address)
    expect(page.locator("#p-counted h2").first).to_have_text("A counter: Hi-Lo")


def test_protection_of_a_game_without_cards_to_count(room: CardRoom) -> None:
    answer = room.client().post(f"{LAB}/protection", json={"game": "knockout-52"}).json()
    assert (answer["mark"], answer["plots"]) == ("safe", [])
    assert [row[1] for row in answer["tables"][0]["rows"]] == ["safe"] * 5
    page = room.client().get("/lab/protection?game=knockout-52&set=decks=8", headers={"Accept": "text/html"})
    assert "With decks = 8" in page.text
    assert "p-counter" not in page.text


def test_a_counter_known_cards_and_indices_are_asked_for(room: CardRoom) -> None:
    """Each by its own request, for the count, ramp and cut that somebody chose; what is wrong is refused."""
    client = room.client()
    chosen = {**ONE_DECK, "count": "ko", "ramp": "1:3", "cut_cards": 20}
    counter = client.post(f"{LAB}/protection/counter", json=chosen).json()
    assert counter["tables"][0]["title"] == "A counter: Knock-Out"
    assert "20 cards behind the cut card" in counter["tables"][0]["note"]
    known = client.post(f"{LAB}/protection/known", json=ONE_DECK).json()
    assert known["tables"][0]["title"] == "The first card known before the wager"
    refused = client.post(f"{LAB}/protection/counter", json={**ONE_DECK, "ramp": "1:0"})
    assert refused.status_code == 400
    assert "falls below the table's minimum" in refused.text
    unknown = client.post(f"{LAB}/protection/indices", json={**ONE_DECK, "count": "high-low"})
    assert "there is no count" in unknown.text
    page = client.get("/lab/protection?game=blackjack", headers={"Accept": "text/html"}).text
    assert "Knock-Out" in page


def test_a_team_is_asked_for(room: CardRoom) -> None:
    """Each counter with habits of its own; too many, or one that says nothing of its count, are refused."""
    client = room.client()
    zen = {"count": "zen", "ramp": "1:4,2:12", "enter": 2, "insurance_from": 4, "insurance_count": "tens"}
    body = {**ONE_DECK, "counters": [{"ramp": ""}, zen], "others": 1}
    answer = client.post(f"{LAB}/protection/team", json=body).json()
    who = [row[0] for row in answer["tables"][1]["rows"]]
    assert who[0] == "1. Hi-Lo: 1 unit"
    assert "insurance from +4, by tens against all others" in who[1]
    for counters, words in (
        ([], "counters"),
        ([{}] * 8, "counters"),
        ([{"count": "high-low"}], "there is no count 'high-low'"),
        ([{"spots": 7}, {"spots": 2}], "7 spots of the counter and 2 of others are not allowed"),
        ([{"side_count": "suits"}], "a count for side bets"),
        ([{"count": "1,0"}], "'1,0' has 2 tags"),
        ([{"decks_known": "roughly"}], "decks_known"),
        ([{"rounding": "up"}], "rounding"),
        ([{"cover": 1}], "cover"),
        ([{"running": True, "decks_known": "half"}], "a running count is not divided by decks"),
        ([{"sides": [{"wager": "no-such-bet", "from_count": 1}]}], "no-such-bet"),
    ):
        refused = client.post(f"{LAB}/protection/team", json={**ONE_DECK, "counters": counters})
        assert refused.status_code == 400, refused.text
        message = refused.json()["error"]["message"]
        assert words in message
        assert "\n" not in message


def test_events_tell_how_far_it_is_and_then_the_answer(room: CardRoom) -> None:
    """The last event has what the plain request answers; a fault is one event with one line."""
    client = room.client()
    body = {"game": "blackjack", "options": {"decks": 2}, "counters": [{}, {"count": "ko", "spots": 2}]}
    *shares, (last, answer) = events(client, "team", body)
    assert last == "done"
    assert {name for name, _ in shares} <= {"message"}
    assert [one["share"] for _, one in shares] == sorted(one["share"] for _, one in shares)
    assert answer == client.post(f"{LAB}/protection/team", json=body).json()
    (name, said) = events(client, "counter", {**ONE_DECK, "ramp": "1:0"})[-1]
    assert name == "refused"
    assert "falls below the table's minimum" in said["message"]
    assert client.post(f"{LAB}/protection/efficiency/events", json={"game": "no-game"}).status_code == 400


def test_a_counter_by_the_form(screen: Screen) -> None:
    page = screen.page
    open_page(page)
    note = page.locator("#p-counted p").first
    expect(note).to_contain_text("1 unit, 2 from +1, 4 from +2, 6 from +3, 8 from +4")
    page.select_option("#p-counter [name=count]", "ko")
    steps = page.locator(".p-step")
    for place in range(1, 4):
        for field in steps.nth(place).locator("input").all():
            field.fill("")
    steps.nth(0).locator("[name=from_count]").fill("2")
    steps.nth(0).locator("[name=units]").fill("5")
    page.fill("#p-counter [name=cut_cards]", "20")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#p-counted h2").first).to_have_text("A counter: Knock-Out")
    expect(note).to_contain_text("Knock-Out: 1 unit, 5 from +2. ")
    expect(note).to_contain_text("20 cards behind the cut card")
    steps.nth(0).locator("[name=units]").fill("")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#p-asked")).to_have_text(
        "Not computed: each step of the wagers needs both, a count and units"
    )
    steps.nth(0).locator("[name=units]").fill("0")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#p-asked")).to_contain_text("falls below the table's minimum")
    page.get_by_role("button", name="What known cards are worth").click()
    expect(page.locator("#p-more h2").first).to_have_text("The first card known before the wager")
    expect(page.locator("#p-asked")).to_have_text("")


def test_tags_of_ones_own_and_how_the_count_is_read(screen: Screen) -> None:
    page = screen.page
    open_page(page)
    player = page.locator(".p-player").first
    tags = player.locator("[data-tags-of=count] input")
    expect(tags.first).to_be_hidden()
    player.locator("[name=count]").select_option("own")
    expect(tags.first).to_be_visible()
    tags.nth(1).fill("0.5")
    tags.nth(6).fill("")
    page.get_by_role("button", name="Play it").click()
    missing = "Not computed: the tag of 7 is missing; a count has ten, ace to ten"
    expect(page.locator("#p-asked")).to_have_text(missing)
    page.get_by_role("button", name="Indices of this count").click()
    expect(page.locator("#p-asked")).to_have_text(missing)
    tags.nth(6).fill("0.5")
    player.locator("summary").click()
    for name, choice in (("decks_known", "half"), ("rounding", "nearest")):
        player.locator(f"[name={name}]").select_option(choice)
    player.locator("[name=cover]").fill("1")
    player.locator("summary").click()
    page.get_by_role("button", name="Play it").click()
    expect(player.locator("[name=cover]")).to_be_visible()  # what cannot be is shown, and nothing is asked
    player.locator("[name=cover]").fill("2")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#p-counted h2").first).to_have_text("A counter: Tags −1 0.5 1 1 1 1 0.5 0 0 −1")
    expect(page.locator("#p-counted p").first).to_contain_text(
        "decks left known to the nearest half deck; count rounded to the nearest; "
        "no wager above 2 times the last one, nor below 1/2 of it"
    )
    player.locator("[name=running]").select_option("yes")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#p-asked")).to_contain_text("a running count is not divided by decks")


def test_a_team_by_the_form(screen: Screen) -> None:
    """One more counter sits down, with second counts of its own; when it leaves, one is left."""
    page = screen.page
    open_page(page)
    page.get_by_role("button", name="One more counter").click()
    second = page.locator(".p-player").nth(1)
    expect(second.locator("legend")).to_have_text("Counter 2")
    second.locator("[name=count]").select_option("zen")
    second.locator("summary").click()
    second.locator("[name=enter]").fill("2")
    second.locator("[name=insurance_from]").fill("4")
    second.locator("[name=insurance_count]").select_option("tens")
    second.locator("[name=deviations]").select_option("illustrious")
    second.locator("[name=play_count]").select_option("hi-opt-1")
    second.locator(".p-side[data-wager='21+3'] [name=from_count]").fill("5")
    second.locator("[name=side_count]").select_option("suits")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#p-counted h2")).to_have_text(
        ["2 counters at one table", "Who sits there", "Side bets of the counters"]
    )
    who = page.locator("#p-counted section").nth(1)
    for words in (
        "2. Zen: 1 unit, 2 from +1",
        "sits down at +2",
        "deviations, by Hi-Opt I",
        "insurance from +4, by tens against all others",
        "21+3 from +5, 1 unit, by the longest suit against the shortest",
    ):
        expect(who).to_contain_text(words)
    expect(page.locator("#p-drawn h2").first).to_have_text("Counter 1: edge against true count")
    page.locator(".p-player").nth(0).get_by_role("button", name="This counter leaves").click()
    expect(page.locator(".p-player legend")).to_have_text("Counter 1")
    expect(page.locator(".p-leave")).to_be_hidden()
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#p-asked")).to_contain_text("somebody to be dealt to meanwhile")
    page.fill("#p-counter [name=others]", "2")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#p-counted h2").first).to_have_text("A counter: Zen")


def test_a_table_has_only_so_many_spots(screen: Screen, room: CardRoom) -> None:
    page = screen.page
    open_page(page)
    more = page.get_by_role("button", name="One more counter")
    spots = int(page.get_attribute("#protection", "data-most") or "")
    for _ in range(spots - 1):
        more.click()
    expect(page.locator(".p-player")).to_have_count(spots)
    expect(more).to_be_disabled()


def test_a_question_is_stopped_at_the_server_too(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred shoes would take long: a bar shows how many are solved, and who stops it ends the work."""
    ended = threading.Event()
    worker = figures.sheets._worker
    break_off = worker.break_off

    def noted() -> None:
        ended.set()
        break_off()

    monkeypatch.setattr(worker, "break_off", noted)
    page = screen.page
    open_page(page, "/lab/protection?game=blackjack&set=decks=3")
    page.get_by_role("button", name="Playing efficiency of all counts").click()
    expect(page.locator("#p-words")).to_contain_text("of 200 shoes solved")
    expect(page.locator("#p-bar")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#p-asked")).to_have_text("Stopped.")
    expect(page.locator("#p-work")).to_be_hidden()
    assert ended.wait(PATIENCE_SECONDS), "the server goes on computing what nobody waits for"
    expect(page.locator("#p-more")).to_be_empty()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_form_fits_and_everybody_can_use_it(screen: Screen, width: int, scheme: Any) -> None:
    """With all habits of two counters open, their answer below."""
    page = screen.page
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})
    open_page(page)
    page.get_by_role("button", name="One more counter").click()
    for summary in page.locator("#p-players summary").all():
        summary.click()
    for choice in page.locator("#p-players select[name$=count]").all():
        choice.select_option("own")
    for field in page.locator("#p-players [name=insurance_from], #p-players .p-side [name=from_count]").all():
        field.fill("3")
    page.locator("#p-players [name=deviations]").first.select_option("illustrious")
    page.locator("#p-players [name=deviations]").last.select_option("illustrious")
    page.get_by_role("button", name="Play it").click()
    expect(page.locator("#p-counted h2").first).to_have_text("2 counters at one table")
    expect(page.locator("#p-exact section").first).to_be_visible()
    fits(page, f"lab-protection-{scheme}")


@pytest.mark.parametrize("width", [1280, 1920])
def test_a_broad_table_has_the_whole_width_of_a_desktop(screen: Screen, width: int) -> None:
    """The counts of Player's Edge 21 lost their last column beside another table."""
    table = {
        "title": "Counts",
        "head": ["Count", "Tags, ace to ten", "Best play for each shoe", "Basic strategy kept", "Insurance"],
        "rows": [
            ["Halves", "−1 0.5 1 1 1.5 1 0.5 0 −0.5 −1", "0.956", "0.959", "0.726"],
            [
                "Red Seven: the red sevens count, the black ones do not",
                "−1 1 1 1 1 1 0.5 0 0 −1",
                "0",
                "0",
                "0",
            ],
        ],
        "note": "",
    }
    narrow = {**table, "title": "Effects", "head": table["head"][:2], "rows": [["A", "−0.15 %"]]}
    page = screen.page
    page.set_viewport_size({"width": width, "height": 900})
    exact = {"tables": [narrow, narrow, narrow, table]}
    page.route(f"**{LAB}/protection/exact", lambda route: route.fulfill(json=exact))
    page.route(f"**{LAB}/protection", lambda route: route.fulfill(json=REPORT))
    page.route(f"**{LAB}/protection/counter/events", lambda route: route.abort())
    page.goto("/lab/protection?game=players-edge-21")
    frames = page.locator("#p-exact .scroll")
    expect(frames).to_have_count(4)
    sizes = frames.evaluate_all("all => all.map((frame) => [frame.scrollWidth, frame.clientWidth])")
    assert [wanted for wanted, there in sizes if wanted > there] == []
    tops = page.locator("#p-exact section").evaluate_all("all => all.map((one) => one.offsetTop)")
    assert tops[0] == tops[1] < tops[2] < tops[3], "what is narrow stands in two columns"
    screen.troubles.clear()  # the counters that the test broke off


@pytest.mark.parametrize("width", [360, 1280])
def test_names_of_lines_that_end_together_lie_apart(screen: Screen, width: int) -> None:
    """The risk of ruin by a formula and by simulation; one's name was written over the other's."""
    lines = [
        {"name": name, "points": [[0, 50.0, 0], [1, end, 0]]}
        for name, end in (("simulated", 1.0), ("formula", 0.5), ("95 of 100", 0.0))
    ]
    plot = {
        "kind": "lines",
        "title": "Risk",
        "label": "Risk of ruin",
        "points": [point for line in lines for point in line["points"]],
        "series": lines,
        "x_ticks": [[0, "378 units"], [1, "2,131 units"]],
        "y_ticks": [[0, "0 %"], [50, "50 %"]],
    }
    page = screen.page
    page.set_viewport_size({"width": width, "height": 900})
    page.route(f"**{LAB}/protection/exact", lambda route: route.fulfill(json={"tables": []}))
    page.route(f"**{LAB}/protection", lambda route: route.fulfill(json={**REPORT, "plots": [plot]}))
    page.route(f"**{LAB}/protection/counter/events", lambda route: route.abort())
    page.goto("/lab/protection?game=players-edge-21")
    words = page.locator("#p-plots text")
    expect(words).to_have_count(7)
    boxes = [box for box in (one.bounding_box() for one in words.all()) if box]
    frame = page.locator("#p-plots svg").bounding_box()
    assert frame
    for place, box in enumerate(boxes):
        assert box["x"] >= frame["x"]
        assert box["x"] + box["width"] <= frame["x"] + frame["width"]
        for other in boxes[place + 1 :]:
            aside = box["x"] + box["width"] <= other["x"] or other["x"] + other["width"] <= box["x"]
            letters = 10.0  # of a line's height, which reaches a little further
            assert aside or abs(box["y"] - other["y"]) > letters
    screen.troubles.clear()  # the counters that the test broke off
