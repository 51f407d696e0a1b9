"""Findings 1 to 6 and the lottery's years, over HTTP: money is neither lost nor had for nothing.

Each was seen in an earlier version, from outside; `docs/security.md` has what holds them.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any

import pytest

from cardroom.core.errors import Conflict
from tests.attack.machine import OPERATIONS, Machine, committed, until
from tests.web.conftest import Guest

LOTTERY = "/api/v1/knockout-21"
WELCOME_CENTS = 100_000
TICKET_CENTS = 500
LINDEN, ROWAN = "/api/v1/tables/linden", "/api/v1/tables/rowan"


def chips(guest: Guest) -> int:
    cents: int = guest.get("/api/v1/session").json()["chips_cents"]
    return cents


def owned(guest: Guest) -> int:
    """Chips, and what lies in rounds that are not over."""
    session = guest.get("/api/v1/session").json()
    return int(session["chips_cents"] + session["in_play_cents"])


def on_sale(guest: Guest) -> list[dict[str, Any]]:
    draws: list[dict[str, Any]] = until(lambda: guest.get(f"{LOTTERY}/draws").json().get("on_sale"))
    return draws


def buy(guest: Guest, key: int, **body: int) -> Any:
    return guest.post(f"{LOTTERY}/purchases", json=body, headers=guest.key(key))


def time_comes(machine: Machine, guest: Guest, draw: dict[str, Any], which: str) -> None:
    """Time passes until a moment of a draw."""
    moment = datetime.fromisoformat(draw[which])
    now = datetime.fromisoformat(guest.get(f"{LOTTERY}/draws").json()["now"])
    machine.clocks.pass_by(max(0.0, (moment - now).total_seconds()) + 1)


def drawn(machine: Machine, guest: Guest, draw: dict[str, Any]) -> None:
    """The draw takes place, and the wall has shown it."""
    time_comes(machine, guest, draw, "closes_at")
    time_comes(machine, guest, draw, "draw_at")
    until(lambda: guest.get(f"{LOTTERY}/draws/{draw['draw']}").status_code == 200)


def test_1_a_purchase_that_was_refused_is_paid_for_when_it_is_done(machine: Machine) -> None:
    guest = machine.guest()
    window = on_sale(guest)
    beyond = window[-1]["draw"] + 1
    assert buy(guest, 1, tickets_per_draw=3, first_draw=beyond).status_code == 409
    assert chips(guest) == WELCOME_CENTS
    time_comes(machine, guest, window[0], "closes_at")
    until(lambda: on_sale(guest)[-1]["draw"] == beyond)
    bought = buy(guest, 1, tickets_per_draw=3, first_draw=beyond)
    tickets = bought.json()["tickets"] if bought.status_code == 201 else []
    for _ in range(2):  # once more changes nothing, whatever it came to
        assert chips(guest) == WELCOME_CENTS - TICKET_CENTS * len(tickets)
        assert len(guest.get(f"{LOTTERY}/tickets").json()["tickets"]) == len(tickets)
        again = buy(guest, 1, tickets_per_draw=3, first_draw=beyond)
        assert again.status_code == bought.status_code
        assert again.json().get("tickets", []) == tickets


def test_1_a_key_has_one_outcome_also_when_the_game_was_closed_since(machine: Machine) -> None:
    guest, floor = machine.guest(), machine.operator()
    body = {"game": "blackjack", "options": {}}
    opened = guest.post("/api/v1/tables", json=body, headers=guest.key(2))
    assert opened.status_code == 201
    closing = {"what": "game:blackjack", "off": True, "reason": "a test"}
    assert floor.post(f"{OPERATIONS}/switches", json=closing).status_code == 200
    again = guest.post("/api/v1/tables", json=body, headers=guest.key(2))
    other = guest.post("/api/v1/tables", json=body, headers=guest.key(3))
    assert floor.post(f"{OPERATIONS}/switches", json={**closing, "off": False}).status_code == 200
    assert (again.status_code, again.json()) == (201, opened.json())
    assert other.status_code == 409


@pytest.mark.parametrize("done", [True, False])
def test_2_an_answer_to_a_commit_that_was_lost_loses_no_money_and_closes_no_table(
    machine: Machine, *, done: bool
) -> None:
    guest = machine.guest()
    body = {"stakes": {"round-1": 500}}
    willow = "/api/v1/knockout-52/tables/willow"
    until(lambda: guest.get(willow).json()["phase"] == "open")
    with machine.answer_lost(done=done):
        placed = guest.put(f"{willow}/wagers", json=body, headers=guest.key(4))
    if placed.status_code != 200:
        placed = guest.put(f"{willow}/wagers", json=body, headers=guest.key(4))
    assert placed.status_code == 200
    with machine.answer_lost(done=done):  # the dealer's own commits, of cards
        assert guest.post(f"{willow}/deal").status_code == 200
        history = until(lambda: guest.get("/api/v1/session/history").json()["rounds"])
    before = owned(guest)
    assert before == WELCOME_CENTS + sum(line["net_cents"] for line in history)
    machine.kill()
    machine.start()
    assert owned(guest) == before
    overview = machine.operator().get(f"{OPERATIONS}/overview").json()
    assert (overview["broken"], overview["oddities"], overview["money"]["sum_cents"]) == ([], [], 0)


def test_3_a_prize_is_paid_once_although_the_machine_stops_in_the_middle(machine: Machine) -> None:
    guest = machine.guest()
    winners: list[dict[str, Any]] = []
    key = 10
    while len(winners) < 2:
        draw = on_sale(guest)[0]
        for _ in range(4):
            key += 1
            assert buy(guest, key, tickets_per_draw=3, first_draw=draw["draw"]).status_code == 201
        drawn(machine, guest, draw)
        lines = guest.get(f"{LOTTERY}/tickets").json()["tickets"]
        whole = [guest.get(f"{LOTTERY}/tickets/{line['id']}").json() for line in lines]
        winners = [ticket for ticket in whole if (ticket["prize"] or {}).get("cents")]
    for ticket, point in zip(winners, ("commit", "committed"), strict=False):
        before, prize = chips(guest), ticket["prize"]["cents"]
        claim = {"control_number": ticket["control_number"], "code": ticket["code"]}
        key += 1
        with machine.plug_pulled_at(point):
            guest.post(f"{LOTTERY}/claims", json=claim, headers=guest.key(key))
        paid = guest.post(f"{LOTTERY}/claims", json=claim, headers=guest.key(key))
        assert (paid.json()["verdict"], paid.json()["prize_cents"]) == ("prize", prize)
        assert chips(guest) == before + prize
        thief = machine.guest()
        twice = thief.post(f"{LOTTERY}/claims", json=claim, headers=thief.key(1))
        assert (twice.json()["verdict"], chips(thief)) == ("paid already", WELCOME_CENTS)


def test_5_a_limit_on_losses_counts_wagers_on_all_tables_at_once(machine: Machine) -> None:
    guest = machine.guest()
    limit = {"kind": "loss", "period": "day", "value": 400}
    assert guest.put("/api/v1/session/limits", json=limit).status_code == 200
    for number, table in enumerate((LINDEN, ROWAN)):
        until(partial(committed, guest, table))
        guest.put(f"{table}/spots/{number + 1}/wagers", json={"stake_cents": 400}, headers=guest.key(number))
    for table in (LINDEN, ROWAN):
        guest.post(f"{table}/deal")
    until(lambda: _nothing_stands(guest, LINDEN) or _nothing_stands(guest, ROWAN))
    assert chips(guest) >= WELCOME_CENTS - 400
    assert guest.post(f"{LOTTERY}/purchases", json={}, headers=guest.key(9)).status_code == 409
    for table in (LINDEN, ROWAN):
        _stand(guest, table)


def _nothing_stands(guest: Guest, table: str) -> bool:
    return not any(spot["you"] and spot["stake_cents"] for spot in guest.get(table).json()["spots"])


def _stand(guest: Guest, table: str) -> None:
    """Play what was dealt to its end."""

    def is_over() -> bool:
        view = guest.get(table).json()
        if view["phase"] == "round" and view["you"]["options"]:
            action = "no insurance" if view["round"]["phase"] == "insurance" else "stand"
            spot = next(spot["number"] for spot in view["spots"] if spot["you"])
            body = {"spot": spot, "action": action, "step": view["step"]}
            guest.post(f"{table}/actions", json=body, headers=guest.key(1_000 + view["step"]))
        return bool(view["phase"] == "wagers" and _nothing_stands(guest, table))

    until(is_over)


def test_5_a_wager_placed_before_a_break_is_returned(machine: Machine) -> None:
    guest = machine.guest()
    until(lambda: guest.get(LINDEN).json()["phase"] == "wagers")
    placed = guest.put(f"{LINDEN}/spots/3/wagers", json={"stake_cents": 400}, headers=guest.key(1))
    assert placed.status_code == 200, placed.text
    assert guest.post("/api/v1/session/break", json={"hours": 1}).status_code == 200
    guest.post(f"{LINDEN}/deal")
    until(lambda: _nothing_stands(guest, LINDEN))
    assert owned(guest) == chips(guest) == WELCOME_CENTS
    assert guest.get("/api/v1/session/history").json()["rounds"] == []
    again = guest.put(f"{LINDEN}/spots/3/wagers", json={"stake_cents": 400}, headers=guest.key(2))
    assert again.status_code == 409


def test_5_a_closed_game_is_not_opened_by_naming_another(machine: Machine) -> None:
    guest, floor = machine.guest(), machine.operator()
    closing = {"what": "game:spanish-21", "off": True, "reason": "a test"}
    assert floor.post(f"{OPERATIONS}/switches", json=closing).status_code == 200
    bodies: list[dict[str, Any]] = [
        {"game": "blackjack", "options": {"game": "spanish-21"}},
        {"game": "blackjack", "options": {"title": "Spanish 21", "game": "spanish-21"}},
        {"game": "spanish-21", "options": {}},
        {"game": "spanish-21", "options": {"game": "blackjack"}},
    ]
    for number, body in enumerate(bodies):
        answer = guest.post("/api/v1/tables", json=body, headers=guest.key(number))
        assert 400 <= answer.status_code < 500, (body, answer.text)
    assert not any(table["yours"] for table in guest.get("/api/v1/tables").json()["tables"])
    assert floor.post(f"{OPERATIONS}/switches", json={**closing, "off": False}).status_code == 200


def test_6_a_house_is_not_opened_as_a_demonstration(machine: Machine) -> None:
    machine.stop()
    try:
        with pytest.raises(Conflict, match="this database belongs to a house that plays for real"):
            machine.start(demo=True)
    finally:
        machine.start()


def test_years_a_clock_a_year_ahead_for_a_moment_ruins_nothing(machine: Machine) -> None:
    guest = machine.guest()
    draw = on_sale(guest)[0]
    assert buy(guest, 1, tickets_per_draw=1, first_draw=draw["draw"]).status_code == 201
    machine.clocks.jump(days=365)
    until(lambda: guest.get(f"{LOTTERY}/draws").json()["sales"]["switched_off"])
    nonsense = {"control_number": "0000-0000-0000-0000", "code": "0000"}
    assert guest.post(f"{LOTTERY}/check", json=nonsense).status_code in (200, 400)
    assert buy(guest, 2).status_code == 409
    machine.clocks.jump(days=-365)
    until(lambda: not guest.get(f"{LOTTERY}/draws").json()["sales"]["switched_off"])
    assert on_sale(guest)[0]["draw"] == draw["draw"]
    assert buy(guest, 3).status_code == 201
    drawn(machine, guest, draw)
    (first, *_) = guest.get(f"{LOTTERY}/tickets").json()["tickets"][::-1]
    assert guest.get(f"{LOTTERY}/tickets/{first['id']}").json()["over"]


def test_years_a_draw_that_was_called_off_blocks_no_sales_and_is_paid_back(machine: Machine) -> None:
    guest = machine.guest()
    ann, bob = machine.two_people()
    window = on_sale(guest)
    called_off = window[1]["draw"]
    assert buy(guest, 1, tickets_per_draw=1, first_draw=called_off).status_code == 201
    body = {"what": "void", "reason": "no power", "second": bob}
    voided = ann.post(f"{OPERATIONS}/draws/{called_off}/override", json=body)
    assert voided.status_code == 200, voided.text
    until(lambda: called_off not in [draw["draw"] for draw in on_sale(guest)])
    assert buy(guest, 2, tickets_per_draw=1, draws=3).status_code == 201
    (ticket,) = [
        one for one in guest.get(f"{LOTTERY}/tickets").json()["tickets"] if one["draw"] == called_off
    ]
    whole = guest.get(f"{LOTTERY}/tickets/{ticket['id']}").json()
    assert (whole["called_off"], whole["prize"]["cents"]) == (True, TICKET_CENTS)


def test_after_all_of_it_the_books_hold(machine: Machine) -> None:
    report = machine.operator().post(f"{OPERATIONS}/log/check")
    assert report.status_code == 200, report.text
    assert report.json()["faults"] == []
