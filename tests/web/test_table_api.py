"""Blackjack-family tables through the API: rounds, money, refusals, time-outs, proofs, restarts."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cardroom.engine import twentyone as engine
from cardroom.fair import verify_record
from cardroom.store.ledger import all_balances, ledger_faults
from cardroom.table.twentyone.running import TwentyOneTable
from tests.web.conftest import CardRoom, Guest, quick_settings, start
from tests.web.shoes import is_hard_20_against_6, is_insured_blackjack, is_split_against_ace, number_for

GAMES = {"blackjack": 400, "spanish-21": 400, "players-edge-21": 1000}


class Seat:
    """A guest at a table."""

    def __init__(self, guest: Guest, table: str) -> None:
        self.guest = guest
        self.path = f"/api/v1/tables/{table}"
        self.keys = 0

    @classmethod
    def own(cls, guest: Guest, game: str) -> Seat:
        body = {"game": game}
        answer = guest.post("/api/v1/tables", json=body, headers={"Idempotency-Key": f"own-{game}"})
        assert answer.status_code == 201, answer.text
        return cls(guest, answer.json()["table"])

    def key(self) -> dict[str, str]:
        self.keys += 1
        return {"Idempotency-Key": f"seat-{self.keys:06d}"}

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.guest.get(self.path).json()
        return found

    def wager(self, spot: int, cents: int, side: dict[str, int] | None = None) -> Any:
        body = {"stake_cents": cents, "side": side or {}}
        return self.guest.put(f"{self.path}/spots/{spot}/wagers", json=body, headers=self.key())

    def deal(self) -> None:
        answer = self.guest.post(f"{self.path}/deal")
        assert answer.status_code == 200, answer.text

    def until(self, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            view = self.view()
            if wanted(view):
                return view
            time.sleep(0.005)
        raise AssertionError("the table does not get there")

    def books(self, rounds: int = 1) -> dict[str, Any]:
        """What the coach says of so many rounds; on a busy machine they are judged a little later."""
        deadline = time.monotonic() + 300
        while True:
            found: dict[str, Any] = self.guest.get(f"{self.path}/coach").json()
            if found["rounds"] >= rounds:
                return found
            assert time.monotonic() < deadline, "the rounds are not judged"

    def turn(self) -> dict[str, Any]:
        """Wait for one's own turn, or the end of the round."""
        return self.until(lambda view: view["you"]["options"] or (over(view) and view["deal_at"] is None))

    def act(self, action: str, **changes: Any) -> Any:
        view = self.turn()
        body = {"spot": view["turn"]["spot"], "action": action, "step": view["step"], **changes}
        return self.guest.post(f"{self.path}/actions", json=body, headers=self.key())

    def play_out(self) -> dict[str, Any]:
        """Decline and stand until the round is over."""
        while True:
            view = self.turn()
            if over(view):
                return view
            offered = [option["action"] for option in view["you"]["options"]]
            self.act("stand" if "stand" in offered else "no insurance")


def over(view: dict[str, Any]) -> bool:
    return view["phase"] != "round" and view["round"] is not None and view["round"]["over"]


def options(view: dict[str, Any]) -> list[str]:
    return [option["action"] for option in view["you"]["options"]]


@contextmanager
def rehearsal(folder: Path, number: int | None = 21, **changes: object) -> Iterator[CardRoom]:
    room = start(quick_settings(folder, repeatable=number, **changes))
    try:
        yield room
    finally:
        room.stop()


@pytest.mark.requirement("R-39", "R-42")
@pytest.mark.parametrize(("game", "stake"), GAMES.items())
def test_a_round_with_side_bet_insurance_split_and_double(tmp_path: Path, game: str, stake: int) -> None:
    with rehearsal(tmp_path, number_for(game, is_split_against_ace)) as room:
        seat = Seat.own(room.client(), game)
        wager = "match-up" if game == "players-edge-21" else "match-the-dealer"
        assert seat.wager(3, stake, {wager: 200}).status_code == 200
        seat.deal()
        view = seat.turn()
        assert view["round"]["dealer"][0] == "back"  # to the left of the first (PROC-17)
        assert options(view) == ["no insurance", f"insure {stake // 200}.00"]
        assert seat.act(options(view)[1]).status_code == 200
        view = seat.turn()
        assert view["round"]["spots"][0]["insurance_cents"] in (0, stake // 2)
        assert "split" in options(view)
        assert seat.act("split").status_code == 200
        view = seat.turn()
        assert len(view["round"]["spots"][0]["hands"]) == 2
        assert "double" in options(view)
        assert seat.act("double").status_code == 200
        view = seat.play_out()
        first = view["round"]["spots"][0]["hands"][0]
        assert first["doubles"] == 1
        assert first["sideways"] >= 1
        net = view["last"]["your_net_cents"]
        assert view["you"]["chips_cents"] == 100_000 + net
        assert view["last"]["your_stake_cents"] == 3 * stake + stake // 2 + 200

        shown = seat.guest.get(f"/api/v1/tables/rounds/{view['last']['id']}").json()
        state, events = engine.replay(shown["notation"])
        assert state.phase is engine.Phase.OVER
        balance = engine.balance(events)
        assert balance.players[view["you"]["name"]] == net
        assert shown["steps"][-1]["round"]["over"]
        assert [
            one["balance_cents"] for one in seat.guest.get("/api/v1/session/history").json()["rounds"]
        ] == [100_000 + net]
        with room.house.database.read() as connection:
            assert ledger_faults(connection) == []
            assert sum(all_balances(connection).values()) == 0


def test_insurance_wins_against_a_dealers_blackjack(tmp_path: Path) -> None:
    with rehearsal(tmp_path, number_for("blackjack", is_insured_blackjack)) as room:
        seat = Seat.own(room.client(), "blackjack")
        seat.wager(1, 400)
        seat.deal()
        assert seat.act("insure 2.00").status_code == 200
        view = seat.turn()
        assert over(view)
        assert view["last"]["your_net_cents"] == 0  # 4 lost on the hand, 2 to 1 on 2 won
        assert view["round"]["dealer_total"] == "blackjack"


@pytest.mark.parametrize(("game", "stake"), GAMES.items())
def test_split_and_doubled_hands_are_advised_and_judged(tmp_path: Path, game: str, stake: int) -> None:
    with rehearsal(tmp_path, number_for(game, is_split_against_ace)) as room:
        seat = Seat.own(room.client(), game)
        seat.wager(3, stake)
        seat.deal()
        seat.act("no insurance")
        seat.act("split")
        said = advised(seat)
        assert not said.keys() & {"surrender"}  # not after a split
        verdict = seat.act("double").json()["coach"]
        assert verdict["best"] == max(said, key=lambda action: said[action])
        assert verdict["cost_cents"] == pytest.approx(max(said.values()) - said["double"], abs=0.01)
        while not over(view := seat.turn()):
            said = advised(seat)
            if "rescue" in said:  # the original wager is lost, what was added comes back (PE21-9)
                assert said["rescue"] == -stake
            action = "double" if "rescue" in options(view) and "double" in options(view) else "stand"
            assert seat.act(action).json()["coach"] is not None
        account = seat.books()
        assert account["judged"] == account["decisions"] > 3


def advised(seat: Seat) -> dict[str, float]:
    """The value of every option of the turn, in cents; each has one."""
    view = seat.turn()
    advice = seat.guest.get(f"{seat.path}/advice").json()
    assert advice["ready"]
    values = {line["action"]: line["value_cents"] for line in advice["values"]}
    assert list(values) == sorted(values, key=lambda action: -values[action])
    assert sorted(values) == sorted(options(view))
    return values


def test_what_the_rules_forbid_is_refused_with_its_clause_and_nothing_moves(room: CardRoom) -> None:
    seat = Seat.own(room.client(), "players-edge-21")
    for cents, side, clause in [
        (250, {}, "21-1.14"),
        (50_100, {}, "PROC-2"),
        (1000, {"match-up": 50_100}, "PROC-2"),
        (1000, {"21+3": 500}, None),
    ]:
        answer = seat.wager(1, cents, side)
        assert answer.status_code in (400, 422), (cents, side)
        assert clause is None or answer.json()["error"]["clause"] == clause
    assert seat.wager(9, 1000).json()["error"]["clause"] == "PROC-3"
    assert seat.view()["you"]["chips_cents"] == 100_000


@pytest.mark.clause("PROC-2", "PROC-9")
def test_chips_are_put_down_one_by_one_and_checked_at_the_deal(room: CardRoom) -> None:
    seat = Seat.own(room.client(), "players-edge-21")
    assert seat.wager(1, 200).json() == {"spot": 1, "stake_cents": 200, "side": {}}
    spot = seat.view()["spots"][0]
    assert spot["stake_cents"] == 200
    (short,) = spot["short"]
    assert (short["side"], short["clause"]) == ([], "PROC-2")
    assert short["words"] == "spot 1: a wager of $2.00 is off the limits: $3.00 to $500.00"
    seat.deal()
    view = seat.until(lambda view: view["you"]["notices"])
    assert view["spots"][0]["stake_cents"] == 0
    assert (view["round"], view["you"]["chips_cents"]) == (None, 100_000)
    (notice,) = view["you"]["notices"]
    assert notice["when"] == "after"
    assert notice["words"].startswith(
        "Spot 1: $2.00 came back and is not dealt: spot 1: a wager of $2.00 is off"
    )
    assert seat.wager(1, 300).status_code == 200
    view = seat.view()
    assert (view["spots"][0]["short"], view["you"]["notices"]) == ([], [])


@pytest.mark.clause("PROC-2")
def test_a_table_with_one_size_of_wager_says_why(room: CardRoom) -> None:
    layout = Seat(room.client(), "linden").view()["layout"]
    assert layout["limits"] == {
        "words": "Put $4 on a spot. The house takes no other wager here: its minimum is its maximum, too.",
        "clause": "PROC-2",
    }


@pytest.mark.clause("PROC-6")
def test_a_player_cuts_with_the_cut_card_and_the_log_says_who(room: CardRoom) -> None:
    seat = Seat.own(room.client(), "blackjack")
    allowed = seat.until(lambda view: view["shoe"]["commitment"])["shoe"]["cut_open"]
    assert allowed == {
        "least_cards": 78,  # 1.5 decks of 52
        "most_cards": 156,
        "middle_cards": 117,
        "cards": 312,
        "clause": "PROC-6",
    }
    cut = {"cards_deep": 100, "end": "front"}
    assert seat.guest.post(f"{seat.path}/cut", json=cut).status_code == 409  # nobody sits there yet
    seat.wager(1, 400)
    shallow = seat.guest.post(f"{seat.path}/cut", json={"cards_deep": 77})
    assert (shallow.status_code, shallow.json()["error"]["clause"]) == (422, "PROC-6")
    assert seat.guest.post(f"{seat.path}/cut", json={"cards_deep": 100, "end": "top"}).status_code == 400
    view = seat.guest.post(f"{seat.path}/cut", json=cut).json()
    assert (view["shoe"]["cut"], view["shoe"]["cut_open"]) == (
        f"{seat.guest.name} cuts 100 cards from the front",
        None,
    )
    again = seat.guest.post(f"{seat.path}/cut", json=cut)
    assert (again.status_code, again.json()["error"]["clause"]) == (422, "PROC-6")
    seat.deal()
    seat.play_out()


@pytest.mark.clause("21-1.7")
def test_insurance_for_any_amount_up_to_half_and_its_result_stands_until_the_next_wager(
    tmp_path: Path,
) -> None:
    with rehearsal(tmp_path, number_for("players-edge-21", is_split_against_ace)) as room:
        seat = Seat.own(room.client(), "players-edge-21")
        seat.wager(3, 1000)
        seat.deal()
        offer = seat.turn()["you"]["options"][1]
        assert {
            name: offer[name] for name in ("action", "adds_cents", "least_cents", "chip_cents", "clause")
        } == {
            "action": "insure 5.00",
            "adds_cents": 500,
            "least_cents": 100,
            "chip_cents": 100,
            "clause": "PE21-3",
        }
        too_much = seat.act("insure 6")
        assert (too_much.status_code, too_much.json()["error"]["clause"]) == (422, "PE21-3")
        half_a_chip = seat.act("insure 2.50")
        assert (half_a_chip.status_code, half_a_chip.json()["error"]["clause"]) == (422, "21-1.14")
        assert seat.act("insure 2").status_code == 200
        view = seat.view()
        assert view["you"]["chips_cents"] == 100_000 - 1000 - 200
        assert view["you"]["result"] is None  # a stake in play is no result
        view = seat.play_out()
        result = view["you"]["result"]
        assert {one["title"] for one in result["wagers"]} == {"Insurance", "Hand"}
        insurance = next(one for one in result["wagers"] if one["wager"] == "insurance")
        assert insurance["stake_cents"] == 200
        assert insurance["net_cents"] in (-200, 400, 1000)
        assert result["net_cents"] == sum(one["net_cents"] for one in result["wagers"])
        assert result["net_cents"] == view["last"]["your_net_cents"]
        assert result["words"].startswith(("You won $", "You lost $", "You broke even"))
        spot = view["round"]["spots"][0]
        assert (spot["outcomes"], spot["net_cents"]) == (result["wagers"], result["net_cents"])
        seat.wager(3, 300)
        assert seat.view()["you"]["result"] is None


def test_no_wager_is_taken_after_the_first_card(tmp_path: Path) -> None:
    with rehearsal(tmp_path, number_for("players-edge-21", is_hard_20_against_6)) as room:
        seat = Seat.own(room.client(), "players-edge-21")
        seat.wager(1, 1000)
        seat.deal()
        seat.turn()
        assert seat.wager(2, 1000).json()["error"]["clause"] == "PROC-9"
        assert seat.view()["you"]["chips_cents"] == 99_000


@pytest.mark.requirement("R-41")
def test_another_players_spot_another_turn_and_a_late_answer_are_refused(room: CardRoom) -> None:
    ann = Seat.own(room.client(), "players-edge-21")
    bob = Seat(room.client(), ann.path.rsplit("/", 1)[1])
    ann.wager(1, 1000)
    assert bob.wager(1, 1000).json()["error"]["clause"] == "PROC-3"
    bob.wager(2, 1000)
    ann.deal()
    bob.deal()
    for _ in range(20):
        view = ann.until(lambda view: view["turn"] or over(view))
        if over(view):
            break
        mine = ann if view["you"]["options"] else bob
        other = bob if mine is ann else ann
        told = mine.view()
        action = "stand" if "stand" in options(told) else "no insurance"
        body = {"spot": told["turn"]["spot"], "action": action, "step": told["step"]}
        refused = other.guest.post(f"{other.path}/actions", json=body, headers=other.key())
        assert refused.status_code in (409, 422)
        stale = mine.guest.post(
            f"{mine.path}/actions", json={**body, "step": told["step"] - 1}, headers=mine.key()
        )
        assert stale.status_code == 409
        key = mine.key()
        first = mine.guest.post(f"{mine.path}/actions", json=body, headers=key)
        again = mine.guest.post(f"{mine.path}/actions", json=body, headers=key)
        assert first.status_code == again.status_code == 200
        assert again.json()["step"] >= first.json()["step"]
    else:
        raise AssertionError("the round does not end")
    assert ann.view()["last"]["results"][0]["stake_cents"] == 1000


def test_nothing_hidden_is_told_before_its_time(room: CardRoom) -> None:
    """Every answer of several rounds is searched for the hole card, the secret and the other player's id."""
    ann = Seat.own(room.client(), "blackjack")
    bob = Seat(room.client(), ann.path.rsplit("/", 1)[1])
    table = room.house.tables.find(TwentyOneTable, ann.path.rsplit("/", 1)[1])
    heard: list[str] = []
    for _ in range(6):
        ann.wager(1, 400)
        bob.wager(2, 400)
        number = ann.view()["round_number"]
        ann.deal()
        bob.deal()
        while True:
            answer = ann.guest.get(ann.path)
            view = answer.json()
            if over(view) and view["round_number"] > number:
                break
            heard.append(answer.text)
            game = table.state.round
            if view["phase"] == "round" and view["round"]["dealer"][:-1] == ["back"] and game is not None:
                assert len(view["round"]["dealer"]) == 2
                assert view["round"]["dealer_total"] in ("ace", str(game.dealer[0].value))
            for seat in (ann, bob):
                if seat.view()["you"]["options"]:
                    offered = options(seat.view())
                    seat.act("stand" if "stand" in offered else "no insurance")
    everything = "\n".join(heard)
    assert bob.guest.cookies["cardroom_guest"].partition(".")[0] not in everything
    assert '"sealed' not in everything
    assert ann.guest.post(f"{ann.path}/new-shoe").status_code == 200
    shoe = ann.until(lambda view: view["shoe"]["over"])["shoe"]
    assert shoe["over"] == 1
    proof = ann.guest.get(f"{ann.path}/shoes").json()["shoes"][0]
    assert proof["secret"] not in everything


@pytest.mark.requirement("R-23")
def test_a_shoe_that_is_over_is_proved_from_its_record(room: CardRoom) -> None:
    seat = Seat.own(room.client(), "spanish-21")
    sealed = seat.until(lambda view: view["shoe"]["commitment"])["shoe"]["commitment"]
    for _ in range(2):
        seat.wager(4, 400)
        seat.deal()
        seat.play_out()
    assert seat.guest.post(f"{seat.path}/new-shoe").status_code == 200
    record = seat.guest.get(f"{seat.path}/shoes").json()["shoes"][0]
    assert record["commitment"] == sealed
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert verify_record(text).findings == ()
    assert len([line for line in record["rounds"] if line.startswith("game")]) == 2
    assert seat.guest.get(f"{seat.path}/shoes/1").json() == record
    assert seat.guest.get(f"{seat.path}/shoes/2").status_code == 404  # in play: its secret is nobody's


def test_a_hand_that_is_not_answered_stands(tmp_path: Path) -> None:
    with rehearsal(tmp_path, number_for("blackjack", is_split_against_ace), decision_seconds=0.2) as room:
        seat = Seat.own(room.client(), "blackjack")
        seat.wager(1, 400)
        seat.deal()
        view = seat.until(over)
        assert view["round"]["spots"][0]["insurance_cents"] == 0
        assert len(view["round"]["spots"][0]["hands"]) == 1
        told = [line for line in view["told"] if line.endswith(("no insurance", ": stand"))]
        assert told
        assert all("gave no answer in time; the clock decides" in line for line in told)
        replay = seat.guest.get(f"/api/v1/tables/rounds/{view['last']['id']}").json()
        assert [line for step in replay["steps"] for line in step["events"] if "clock" in line] == told


@pytest.mark.requirement("R-44", "R-45")
def test_a_hand_is_found_again_after_the_server_was_away(tmp_path: Path) -> None:
    number = number_for("players-edge-21", is_split_against_ace)
    with rehearsal(tmp_path, number) as room:
        seat = Seat.own(room.client(), "players-edge-21")
        seat.wager(3, 1000)
        seat.deal()
        seat.act("no insurance")
        seat.act("split")
        before = seat.turn()
        with room.house.database.read() as connection:
            held = all_balances(connection, prefix="play:players-edge-21:")
        assert sum(held.values()) == 2000
    with rehearsal(tmp_path, number) as room:
        seat.guest.base_url = room.url
        after = seat.turn()
        for name in ("round", "turn", "step", "told", "shoe", "spots"):
            assert after[name] == before[name], name
        view = seat.play_out()
        assert view["you"]["chips_cents"] == 100_000 + view["last"]["your_net_cents"]
        with room.house.database.read() as connection:
            assert sum(all_balances(connection, prefix="play:players-edge-21:").values()) == 0
            assert ledger_faults(connection) == []


def test_advice_gives_each_action_its_value_and_the_coach_what_a_mistake_cost(tmp_path: Path) -> None:
    with rehearsal(tmp_path, number_for("players-edge-21", is_hard_20_against_6)) as room:
        seat = Seat.own(room.client(), "players-edge-21")
        assert seat.guest.get(f"{seat.path}/advice").status_code == 409
        seat.wager(1, 1000)
        seat.deal()
        seat.turn()
        advice = seat.guest.get(f"{seat.path}/advice").json()
        values = {line["action"]: line["value"] for line in advice["values"]}
        assert next(iter(values)) == "stand"
        assert values["stand"] > 0.6
        assert values["surrender"] == -0.5
        verdict = seat.act("surrender").json()["coach"]
        assert verdict["best"] == "stand"
        assert verdict["cost_cents"] == pytest.approx(1000 * (values["stand"] + 0.5), abs=0.01)
        seat.until(over)
        account = seat.books()
        assert (account["rounds"], account["mistakes"], account["net_cents"]) == (1, 1, -500)
        parts = account["expected_cents"] - account["mistakes_cents"] + account["luck_cents"]
        assert parts == pytest.approx(-500, abs=0.02)  # edge, mistakes and luck make the result
