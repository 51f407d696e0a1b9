"""A log that tells something that cannot have happened: the house opens, and two people settle it."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path

import pytest

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.games import BLACKJACK
from cardroom.lottery.control import control_of
from cardroom.lottery.replay import state_faults
from cardroom.records import Record
from cardroom.records.house import LoggedOut, OperatorAppointed, PasswordChanged
from cardroom.records.lottery import DrawClosed, TicketAltered
from cardroom.records.players import BreakTaken, LimitSet
from cardroom.records.tables import (
    Knockout52CardDealt,
    Knockout52DealStarted,
    Knockout52GameEnded,
    Knockout52TableOpened,
    TableClosed,
    TableRequestGranted,
    TwentyOneRoundEnded,
    TwentyOneShoeEnded,
)
from cardroom.rules import HouseRules
from cardroom.store.ledger import Transfer, all_balances, ledger_faults
from cardroom.store.log import check_chain
from cardroom.store.lottery import records
from cardroom.store.migrate import open_database
from cardroom.store.plan import Plan
from cardroom.table.evidence import check_evidence
from cardroom.table.knockout52.running import Knockout52Table
from cardroom.table.twentyone.running import TwentyOneTable
from cardroom.web.api.operations import overview_of
from cardroom.web.house import House
from cardroom.web.memory import Memory
from cardroom.web.repairing import Repair
from cardroom.web.security.operators import hashed
from tests.command_line import CommandLine
from tests.databases import HandClock
from tests.web.conftest import quick_settings, start
from tools.golden_evening import ANN, BEGINS, BOB, KEY, Evening, settings_of

BOTH = {"ivy": "operator", "max": "operator"}
"""Two who sign, and who appointed them."""
PASSWORDS = {"ivy": "a password of ivy's", "max": "a password of max's"}


@contextmanager
def evening(url: str, *, later: float = 0) -> Iterator[Evening]:
    """A house that is open, so many hours after the beginning."""
    found = Evening(url)
    found.clock.moment = BEGINS + timedelta(hours=later)
    yield found
    found.house.database.close()


def stake_at_linden(found: Evening, stake_cents: int = 4_00) -> TwentyOneTable:
    """Ann has cards at the blackjack table, and her stake is in play."""
    table = found.house.tables.find(TwentyOneTable, "linden")
    found._deal_out(table)
    found.do(Plan(found.house.players.welcome(found.house.player(ANN))))
    found.do(table.place(found.house.tables.purse(ANN), 1, stake_cents, {}, ""))
    table.ask_for_deal(ANN, found.clock.now())
    while not table.dealing:
        found._step(table)
    assert found.house.player(ANN).in_play_cents == stake_cents
    return table


def stake_at_willow(found: Evening) -> Knockout52Table:
    """Bob's wagers are on the layout, and the first card is dealt; a game that is over with it is followed
    by another."""
    table = found.house.tables.find(Knockout52Table, "willow")
    found.do(Plan(found.house.players.welcome(found.house.player(BOB))))
    while table.game is None or not table.game.cards:
        if not table.seated:
            stakes = {"round-1": 500, "all-the-way": 100}
            found.do(table.place(found.house.tables.purse(BOB), stakes, ""))
            table.ask_for_deal(BOB, found.clock.now())
        found._step(table)
    return table


def chips_of_bob(found: Evening) -> int:
    """What Bob has, his open stakes with it."""
    bob = found.house.player(BOB)
    return bob.balance_cents + bob.in_play_cents


def write_past_the_house(url: str, record: Record, moves: Sequence[Transfer] = ()) -> int:
    """A record that no house of this version would write, as another program or an old fault did."""
    with open_database(url, HandClock(BEGINS)) as database:
        return database.write(lambda unit: unit.record(record, moves).seq)


def appoint_two(found: Evening) -> None:
    for name, password in PASSWORDS.items():
        appointed = OperatorAppointed(name=name, role="operator", password_hash="x", by="operator")
        found.write(appointed, PasswordChanged(name=name, password_hash=hashed(password)))


def faults(house: House) -> list[str]:
    with house.database.read() as connection:
        chain = [str(fault) for fault in check_chain(records(connection))]
        return [*chain, *ledger_faults(connection), *state_faults(connection)]


def card_again(table: Knockout52Table) -> Record:
    """The card that lies there already, dealt a second time: an answer to a COMMIT was lost."""
    assert table.game is not None
    return Knockout52CardDealt(
        table=table.id, game=table.number, space=len(table.game.cards) - 1, card=table.game.cards[-1].text
    )


def test_a_card_that_was_dealt_twice_closes_its_table_and_no_other(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with evening(database_url) as before:
        stake_at_linden(before)
        willow = stake_at_willow(before)
        seq = write_past_the_house(database_url, card_again(willow))
    with caplog.at_level(logging.ERROR), evening(database_url, later=1) as after:
        house = after.house
        assert list(house.memory.broken) == ["willow"]
        assert f"the table willow is closed: record {seq} (Knockout52CardDealt)" in caplog.text
        with pytest.raises(Conflict, match=f"the table willow is closed: record {seq} "):
            house.tables.find(Knockout52Table, "willow")
        (shown,) = overview_of(house)["broken"]
        assert (shown["table"], shown["record"]) == ("willow", seq)
        # The stakes of the game that cannot go on are held, to the cent.
        assert shown["held_cents"] == house.player(BOB).in_play_cents > 0
        assert overview_of(house)["money"]["sum_cents"] == 0
        # The others go on where they were.
        linden = house.tables.find(TwentyOneTable, "linden")
        assert linden.dealing
        while linden.last is None:
            after._step(linden)
        assert faults(house) == []


def test_two_people_clear_a_table_by_a_record(database_url: str) -> None:
    with evening(database_url) as before:
        willow = stake_at_willow(before)
        number, chips = willow.number, chips_of_bob(before)
        commitment = str(willow.commitment)
        appoint_two(before)
        seq = write_past_the_house(database_url, card_again(willow))
    later = HandClock(BEGINS + timedelta(hours=30))
    with open_database(database_url, later) as database:
        repair = Repair(database, settings_of(database_url))
        (trouble,) = repair.troubles()
        assert (trouble.table, trouble.record, trouble.stakes) == ("willow", seq, {BOB: trouble.held_cents})
        repair.clear(["willow"], BOTH, "the card was dealt twice")
        assert repair.troubles() == []
        with database.read() as connection:
            assert all_balances(connection, prefix="play:")["play:knockout-52:willow"] == 0
    with evening(database_url, later=31) as after:
        house = after.house
        assert house.memory.broken == {}
        assert (house.player(BOB).balance_cents, house.player(BOB).in_play_cents) == (chips, 0)
        table = house.tables.find(Knockout52Table, "willow")
        assert table.number == number + 1
        assert str(table.commitment) != commitment
        stake_at_willow(after)
        played = table.number
        while table.number == played:
            after._step(table)
        assert faults(house) == []
        with house.database.read() as connection:
            (cleared,) = [one for one in records(connection) if one.kind == "TableCleared"]
        assert cleared.content["by"] == ["ivy", "max"]
        assert cleared.content["impossible"] == seq
        with house.database.read() as connection:
            assert check_evidence(records(connection)).faults == []
        assert cleared.content["appointed"] == {"ivy": "operator", "max": "operator"}
        again = house.following.checkpoints.last()
        assert again is None
        house.following.checkpoints.save(house.memory.head, house.memory.take_changed())
    with evening(database_url, later=32) as restored:  # from the checkpoint
        assert restored.house.tables.find(Knockout52Table, "willow").number == played + 1


def impossible() -> dict[str, Record]:
    """One of each kind of record that a fold can be asked to take in against what it knows."""
    round_of_nothing = TwentyOneRoundEnded(
        round="linden-7",
        table="linden",
        game="blackjack",
        number=7,
        shoe=1,
        rules_hash="0" * 64,
        notation="",
        players={"Ann": ANN},
        net_cents={"Ann": 5},
        staked_cents={"Ann": 5},
    )
    return {
        "a card without a round": TableRequestGranted(table="linden", request={"request": "deal card"}),
        "no request at all": TableRequestGranted(table="linden", request={"request": "dance"}),
        "an act of nobody": TableRequestGranted(
            table="linden", request={"request": "act", "player": "Eve", "spot": 1, "action": "hit"}
        ),
        "a round that was not played": round_of_nothing,
        "a shoe that was not used": TwentyOneShoeEnded(table="linden", shoe=9, proof="{}"),
        "a game before its wagers": Knockout52CardDealt(table="willow", game=1, space=0, card="Ac"),
        "another game's deal": Knockout52DealStarted(table="willow", game=8, salt=""),
        "a game that was not dealt": Knockout52GameEnded(
            table="willow", game=1, outcome="house", record="{}", players={}
        ),
        "a table that is not there": Knockout52CardDealt(table="nowhere", game=1, space=0, card="Ac"),
        "a table of unknown rules": Knockout52TableOpened(table="new", rules_hash="0" * 64, owner=None),
        "a table that is there": Knockout52TableOpened(table="willow", rules_hash="0" * 64, owner=None),
        "a table closed that is not there": TableClosed(table="nowhere"),
        "a limit of another kind": LimitSet(player=ANN, limit="luck", period="day", value=1),
        "a break until never": BreakTaken(player=ANN, until="never"),
        "a role that there is not": OperatorAppointed(name="eve", role="king", password_hash="x", by="eve"),
        "a password of nobody": PasswordChanged(name="nobody", password_hash="x"),
    }


@pytest.mark.parametrize("what", list(impossible()))
def test_a_house_that_was_ever_open_can_be_opened_again(sqlite_url: str, what: str) -> None:
    """Whatever record got into the log: it is named, nothing else changes, and it can be repaired."""
    with evening(sqlite_url) as before:
        before.do(Plan(before.house.players.welcome(before.house.player(ANN))))
        appoint_two(before)
        tables = set(before.house.memory.tables)
    seq = write_past_the_house(sqlite_url, impossible()[what])
    with evening(sqlite_url, later=1) as after:
        memory = after.house.memory
        named = [table.oddity for table in memory.broken.values()] + memory.oddities
        assert [oddity.seq for oddity in named] == [seq]
        assert set(memory.tables) == tables - set(memory.broken)
        assert after.house.player(ANN).balance_cents == 1_000_00
        assert faults(after.house) == []
        after.write(LoggedOut(name="ivy"))
        after.house.following.checkpoints.save(memory.head, memory.take_changed())
    with evening(sqlite_url, later=2) as again:  # from a checkpoint that knows of it
        assert set(again.house.memory.broken) == set(memory.broken)
        assert again.house.memory.oddities == memory.oddities
    with open_database(sqlite_url, HandClock(BEGINS + timedelta(hours=30))) as database:
        repair = Repair(database, settings_of(sqlite_url))
        closed = [trouble.table for trouble in repair.troubles()]
        if closed:
            repair.clear(closed, BOTH, "a test")
    with evening(sqlite_url, later=31) as cleared:
        assert cleared.house.memory.broken == {}
        assert set(cleared.house.memory.tables) >= tables
        assert faults(cleared.house) == []


@pytest.mark.parametrize("error", [MalformedInput("not by today's rules"), RecursionError("too deep")])
def test_a_table_whose_rules_cannot_be_read_closes_itself_alone(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Its game and owner are known from the record, so that the stakes there go back to their players."""
    with evening(sqlite_url) as before:
        appoint_two(before)
        rules = TwentyOneTable.private_rules(BLACKJACK.id, {"decks": 2})
        before.do(Plan([TwentyOneTable.opening("own", rules, ANN)]))
        table = before.house.tables.find(TwentyOneTable, "own")
        first = table.first_plan()
        assert first is not None
        before.do(first)
        before.do(Plan(before.house.players.welcome(before.house.player(ANN))))
        before._deal_out(table)
        before.do(table.place(before.house.tables.purse(ANN), 1, 4_00, {}, ""))
        table.ask_for_deal(ANN, before.clock.now())
        while not table.dealing:
            before._step(table)
        tables = set(before.house.memory.tables)
    find = Memory._find_rules

    def find_others(memory: Memory, rules_hash: str) -> HouseRules:
        if rules_hash == rules.rules_hash:
            raise error
        return find(memory, rules_hash)

    monkeypatch.setattr(Memory, "_find_rules", find_others)
    with evening(sqlite_url, later=1) as after:
        memory = after.house.memory
        assert set(memory.tables) == tables - {"own"}
        assert (memory.broken["own"].game, memory.broken["own"].owner) == (BLACKJACK.id, ANN)
        assert after.house.player(ANN).in_play_cents == 4_00
        after.house.following.checkpoints.save(memory.head, memory.take_changed())
    with open_database(sqlite_url, HandClock(BEGINS + timedelta(hours=30))) as database:
        repair = Repair(database, settings_of(sqlite_url))
        assert [(one.table, one.held_cents, one.stakes) for one in repair.troubles()] == [
            ("own", 4_00, {ANN: 4_00})
        ]
        repair.clear(["own"], BOTH, "nobody can read its rules")
    with evening(sqlite_url, later=31) as cleared:
        assert cleared.house.memory.broken == {}
        assert set(cleared.house.memory.tables) == tables - {"own"}
        ann = cleared.house.player(ANN)
        assert (ann.balance_cents, ann.in_play_cents) == (1_000_00, 0)
        assert faults(cleared.house) == []


def test_stakes_that_the_house_has_collected_go_back_too(sqlite_url: str) -> None:
    """The round cannot be played to its end, so it counts for nothing."""
    with evening(sqlite_url) as before:
        table = stake_at_willow(before)
        chips = chips_of_bob(before)
        before.write(
            TableRequestGranted(table="linden", request={"request": "deal card"}),  # another table's trouble
        )
        place, house_account = f"play:knockout-52:{table.id}", "house:knockout-52"
        write_past_the_house(sqlite_url, card_again(table), [Transfer(place, house_account, 100)])
    with evening(sqlite_url, later=1) as after:
        appoint_two(after)
        assert after.house.player(BOB).in_play_cents == 600
    with open_database(sqlite_url, HandClock(BEGINS + timedelta(hours=30))) as database:
        repair = Repair(database, settings_of(sqlite_url))
        assert {one.table: one.held_cents for one in repair.troubles()} == {"linden": 0, "willow": 500}
        repair.clear(["willow"], BOTH, "a test")
        with database.read() as connection:
            found = all_balances(connection)
    assert (found[place], found[f"player:{BOB}"]) == (0, chips)
    assert found[house_account] == 1_000_00 - chips


def test_rounds_after_the_impossible_record_still_count(sqlite_url: str) -> None:
    """A server that did not know of the record went on: its rounds are over, nothing of them comes back."""
    with evening(sqlite_url) as before:
        linden = stake_at_linden(before)
        while linden.last is None:
            before._step(linden)
        number = linden.last.number
        won = linden.last.net_cents
        log = Path(sqlite_url.removeprefix("sqlite:///"))
        shutil.copy(log, log.with_suffix(".before"))
    with open_database(sqlite_url, HandClock(BEGINS)) as database, database.read() as connection:
        told = [record for record in records(connection) if record.kind == "TwentyOneRoundEnded"]
    bogus = TableRequestGranted(table="linden", request={"request": "deal card"})
    write_past_the_house(sqlite_url, bogus)
    ended, _ = told[-1].read()
    assert isinstance(ended, TwentyOneRoundEnded)
    later = {**ended.content(), "round": f"linden-{number + 1}", "number": number + 1}
    write_past_the_house(sqlite_url, TwentyOneRoundEnded.read(later))
    with evening(sqlite_url, later=1) as after:
        broken = after.house.memory.broken["linden"]
        assert broken.rounds == number + 1
        player = after.house.player(ANN)
        assert player.in_play_cents == 0
        assert player.balance_cents == 1_000_00 + sum(won.values())
        assert [line.id for line in player.history] == [f"linden-{number}", f"linden-{number + 1}"]


def test_repair_on_the_command_line_takes_two_people(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], sqlite_url: str, tmp_path: Path
) -> None:
    cardroom = CommandLine(monkeypatch, capsys)
    Path(sqlite_url.removeprefix("sqlite:///")).with_name("cardroom.key").write_text(KEY.hex(), "ascii")
    with evening(sqlite_url) as before:
        appoint_two(before)
        willow = stake_at_willow(before)
        assert cardroom("repair", sqlite_url).out == "every record fits what came before it\n"
        seq = write_past_the_house(sqlite_url, card_again(willow))
    shown = cardroom("repair", sqlite_url)
    assert shown.code == 1
    assert f"record {seq} (Knockout52CardDealt) cannot have happened" in shown.out
    assert "held on its account: $6" in shown.out
    assert cardroom("repair", sqlite_url, "--json").json["tables"][0]["stakes"] == {BOB: 600}
    files = {}
    for name, password in (*PASSWORDS.items(), ("wrong", "not a password")):
        files[name] = tmp_path / name
        files[name].write_text(f"{password}\n", "utf-8")
    ivy = ("--by", "ivy", "--password-file", files["ivy"])
    both = (*ivy, "--by", "max", "--password-file", files["max"], "--reason", "dealt twice")
    refused = cardroom.refused("repair", sqlite_url, "--close", "willow", *ivy)
    assert "clearing a table takes two people" in refused
    wrong = (*ivy, "--by", "max", "--password-file", files["wrong"])
    assert "'max' did not sign" in cardroom.refused("repair", sqlite_url, "--close", "willow", *wrong)
    assert "closed are: willow" in cardroom.refused("repair", sqlite_url, "--close", "linden", *both)
    assert "say why" in cardroom.refused("repair", sqlite_url, "--close", "willow", *both[:-2])
    done = cardroom("repair", sqlite_url, "--close", "willow", *both)
    assert (done.code, "table willow is cleared" in done.out) == (0, True), done
    assert cardroom("repair", sqlite_url).code == 0


def test_the_lottery_names_a_record_that_cannot_have_happened(sqlite_url: str) -> None:
    """Its control complains; neither it nor the check of the rows breaks on them."""
    seq = write_past_the_house(sqlite_url, DrawClosed(draw=999, count=1, total_cents=500, issued=[]))
    other = write_past_the_house(sqlite_url, TicketAltered(id="NOBODY", before="", after=""))
    with evening(sqlite_url) as found, found.house.database.read() as connection:
        complaint, altered = control_of(connection).complaints
        assert altered.startswith(f"record {other}: ")
        assert complaint.startswith(f"record {seq}: DrawClosed cannot have happened")
        assert state_faults(connection) == []  # no row came of it


def test_pages_name_a_closed_table(sqlite_url: str, tmp_path: Path) -> None:
    with evening(sqlite_url):
        pass
    seq = write_past_the_house(sqlite_url, impossible()["a card without a round"])
    room = start(quick_settings(tmp_path, database=sqlite_url, key=KEY))
    guest = room.client()
    for page in ("/tables/linden", "/api/v1/tables/linden"):
        answer = guest.get(page)
        assert answer.status_code == HTTPStatus.CONFLICT
        assert f"the table linden is closed: record {seq}" in answer.text.replace("&#39;", "'")
    assert "closed: its records do not fit together" in guest.get("/").text
    assert guest.get("/knockout-52/willow").status_code == HTTPStatus.OK
    room.stop()
