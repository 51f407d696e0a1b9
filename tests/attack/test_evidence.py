"""Findings 7, 8, 10 and 11, over HTTP: cards that nobody steers, people who are two, clocks that jump."""

from __future__ import annotations

import json
from functools import partial
from http import HTTPStatus
from typing import Any

from cardroom.fair import verify_record
from cardroom.fair.commitment import Commitment
from cardroom.fair.salts import salt_hash
from tests.attack.machine import FIRST, OPERATIONS, PASSWORD, SECOND_PERSON_SECONDS, Machine, committed, until
from tests.web.conftest import Guest

WILLOW = "/api/v1/knockout-52/tables/willow"
LOTTERY = "/api/v1/knockout-21"
TABLES = ("/api/v1/tables/linden", "/api/v1/tables/alder", "/api/v1/tables/rowan")
SALT = "5a" * 32


def commitment(guest: Guest) -> str:
    """What the house has committed to for its next game of Knockout 52."""

    def of_open_game() -> str | None:
        view = guest.get(WILLOW).json()
        return view["commitment"] if view["phase"] == "open" else None

    shown: str = until(of_open_game)
    return shown


def shown(guest: Guest) -> set[str]:
    """Every commitment that the house shows before the next card."""
    shoes = {until(partial(committed, guest, table)) for table in TABLES}
    return shoes | {commitment(guest)}


def game_of(guest: Guest, key: int, *, hashed: str = "", salt: str = "") -> dict[str, Any]:
    """A whole game of Knockout 52, and its proof; a salt is revealed when it is asked for."""
    until(lambda: guest.get(WILLOW).json()["phase"] == "open")
    known = {line["id"] for line in guest.get("/api/v1/session/history").json()["rounds"]}
    body = {"stakes": {"round-1": 500}, "salt_hash": hashed}
    assert guest.put(f"{WILLOW}/wagers", json=body, headers=guest.key(key)).status_code == HTTPStatus.OK
    assert guest.post(f"{WILLOW}/deal").status_code == HTTPStatus.OK
    if salt:
        until(lambda: guest.post(f"{WILLOW}/salts", json={"salt": salt}).status_code == HTTPStatus.OK)

    def ended() -> str | None:
        lines = guest.get("/api/v1/session/history").json()["rounds"]
        return next((line["id"] for line in lines if line["id"] not in known), None)

    proof = guest.get(f"/api/v1/knockout-52/games/{until(ended)}/proof")
    assert verify_record(proof.text).findings == ()
    told: dict[str, Any] = json.loads(proof.text)
    return told


def test_7_a_players_salt_is_bound_to_the_commitment_and_is_in_the_cards(machine: Machine) -> None:
    guest = machine.guest()
    committed = commitment(guest)
    hashed = salt_hash(Commitment.parse(committed), bytes.fromhex(SALT))
    early = guest.post(f"{WILLOW}/salts", json={"salt": SALT})
    assert early.status_code == HTTPStatus.CONFLICT  # the house hears no salt before its hash, and none early
    proof = game_of(guest, 1, hashed=hashed, salt=SALT)
    assert proof["commitment"] == committed
    assert proof["salts"] == [{"hash": hashed, "salt": SALT}]
    moved = {**proof, "salts": [{"hash": hashed, "salt": "00" * 32}]}
    assert verify_record(json.dumps(moved)).findings != ()


def test_7_who_does_not_reveal_is_left_out_and_the_record_says_so(machine: Machine) -> None:
    guest = machine.guest()
    hashed = salt_hash(Commitment.parse(commitment(guest)), bytes.fromhex(SALT))
    assert game_of(guest, 1, hashed=hashed)["salts"] == [{"hash": hashed, "salt": ""}]
    assert game_of(guest, 2)["salts"] == []  # nobody's word is in it, and the proof does not claim one


def test_8_secrets_that_were_told_are_not_dealt_again_from_an_older_state(machine: Machine) -> None:
    guest = machine.guest()
    with machine.put_back():
        before = shown(guest)
        told = game_of(guest, 1)
        assert told["commitment"] in before
    assert not shown(guest) & before
    again = game_of(guest, 2)
    assert again["secret"] != told["secret"]
    assert again["cards"] != told["cards"]


def test_10_one_operator_does_not_make_the_two_who_sign(machine: Machine) -> None:
    machine.clocks.pass_by(SECOND_PERSON_SECONDS)
    operator = machine.operator()

    def appointed(name: str, role: str = "operator", **more: object) -> int:
        body = {"name": name, "role": role, "password": FIRST, **more}
        return operator.put(f"{OPERATIONS}/operators", json=body).status_code

    assert appointed("ann") == HTTPStatus.OK
    assert appointed("bob") == HTTPStatus.FORBIDDEN  # nobody is there yet who could sign beside
    ann = {"name": "ann", "password": FIRST}
    assert appointed("bob", second=ann) == HTTPStatus.FORBIDDEN  # somebody else knows her password
    machine.operator("ann")
    ann["password"] = PASSWORD
    assert appointed("bob", second=ann) == HTTPStatus.FORBIDDEN  # she came a moment ago
    assert appointed("ann", "auditor") == HTTPStatus.FORBIDDEN
    machine.clocks.pass_by(SECOND_PERSON_SECONDS)
    draw = until(lambda: operator.get(f"{LOTTERY}/draws").json().get("on_sale"))[0]["draw"]
    override = {"what": "hold", "reason": "a test", "second": ann}
    alone = operator.post(f"{OPERATIONS}/draws/{draw}/override", json=override)
    assert alone.status_code == HTTPStatus.FORBIDDEN  # whoever appointed her does not sign beside her
    assert appointed("bob", second=ann) == HTTPStatus.OK
    assert machine.operator("bob").get(f"{OPERATIONS}/overview").status_code == HTTPStatus.OK
    records = operator.get(f"{OPERATIONS}/log", params={"search": "OperatorAppointed"}).json()["records"]
    assert [(one["content"]["by"], one["content"].get("second")) for one in records[:2]] == [
        ("operator", "ann"),
        ("operator", None),
    ]


def test_11_a_day_ahead_for_a_moment_closes_sales_and_freezes_nothing(machine: Machine) -> None:
    guest, operator = machine.guest(), machine.operator()

    def sells() -> bool:
        return not guest.get(f"{LOTTERY}/draws").json()["sales"]["switched_off"]

    def three() -> Any:
        """The draws on sale, once all of them are open."""
        draws = guest.get(f"{LOTTERY}/draws").json().get("on_sale") or []
        return draws if len(draws) == 3 else None

    before = until(three)
    for number, (there, back) in enumerate(
        [({"days": 1}, {"days": -1}), ({"seconds": -40}, {"seconds": 40})]
    ):
        machine.clocks.jump(**there)
        until(lambda: not sells())
        assert operator.get(f"{OPERATIONS}/overview").json()["clock"]
        bought = guest.post(f"{LOTTERY}/purchases", json={}, headers=guest.key(number))
        assert bought.status_code == HTTPStatus.CONFLICT
        game_of(guest, 100 + number)  # tables go on by the house's own time
        machine.clocks.jump(**back)
        until(sells)
    after = guest.get(f"{LOTTERY}/draws").json()["on_sale"]
    assert [draw["draw"] for draw in after] == [draw["draw"] for draw in before]  # none was passed over


def test_11_whoever_moves_the_clock_ahead_needs_two_people_to_go_on(machine: Machine) -> None:
    guest = machine.guest()
    machine.two_people()
    machine.clocks.jump(seconds=600)
    until(lambda: guest.get(f"{LOTTERY}/draws").json()["sales"]["switched_off"])
    ann, body = machine.operator("ann"), {"reason": "the clock is right"}
    assert ann.post(f"{OPERATIONS}/clock", json=body).status_code == HTTPStatus.FORBIDDEN
    until(lambda: "clock" in ann.get(f"{OPERATIONS}/overview").json()["closed"])  # it is on record
    machine.restart()  # a new start does not make it right
    assert guest.get(f"{LOTTERY}/draws").json()["sales"]["switched_off"]
    machine.clocks.pass_by(SECOND_PERSON_SECONDS)
    second = {"name": "bob", "password": PASSWORD}
    trusted = machine.operator("ann").post(f"{OPERATIONS}/clock", json={**body, "second": second})
    assert trusted.status_code == HTTPStatus.OK, trusted.text
    until(lambda: not guest.get(f"{LOTTERY}/draws").json()["sales"]["switched_off"])
