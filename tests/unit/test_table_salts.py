"""Salts at running tables: hashes with the first wagers, reveals when wagers are closed, then the cards."""

from __future__ import annotations

from datetime import timedelta

import pytest

from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.fair import verify_record
from cardroom.fair.commitment import Commitment
from cardroom.fair.salts import Salts, salt_hash
from cardroom.records.tables import Knockout52DealStarted, Knockout52WagersPlaced, TableRequestGranted
from cardroom.rules import load_rules
from cardroom.store.plan import Plan
from cardroom.table.knockout52.running import Knockout52Table
from cardroom.table.twentyone import CloseWagers, Phase, Sit, TakeSpot
from cardroom.table.twentyone.running import TwentyOneTable
from tests.table_house import BROUGHT_CENTS, Conduct, Evening

SALTS = [f"{number:02x}" * 32 for number in range(1, 8)]
PLAY = "play:blackjack:own"
SEVEN = [f"player{number}" for number in range(1, 8)]


class Shoe(Evening[TwentyOneTable]):
    """An evening at a table of the blackjack family whose shoes take salts."""

    @property
    def salts(self) -> Salts:
        shoe = self.table.state.shoe
        assert shoe is not None
        assert shoe.salts is not None
        return shoe.salts

    def hash_of(self, salt: str) -> str:
        shoe = self.table.state.shoe
        assert shoe is not None
        return salt_hash(Commitment.parse(shoe.committed.commitment), bytes.fromhex(salt))

    def place(self, player: str, spot: int, salt: str | None = None) -> Plan:
        hashed = "" if salt is None else self.hash_of(salt)
        return self.do(self.table.place(self.purse(player), spot, 4_00, {}, hashed))

    def ask(self, *players: str) -> None:
        for player in players:
            self.table.ask_for_deal(player, self.now)

    def play_round(self) -> None:
        while self.table.state.in_round:
            self.step()  # hands stand by themselves

    def requests(self, plan: Plan) -> list[str]:
        return [
            entry.record.request["request"]
            for entry in plan.entries
            if isinstance(entry.record, TableRequestGranted)
        ]

    def end_shoe(self) -> str:
        """Close the table; the record of its shoe."""
        self.do(self.table.closing())
        return self.table.shoes[-1]


def shoe_of(**changes: object) -> Shoe:
    evening = Shoe(TwentyOneTable.opened("own", load_rules("blackjack", changes), "ann", Conduct()))
    evening.step()  # the shuffle
    return evening


@pytest.mark.clause("PROC-6")
@pytest.mark.parametrize("decks", [1, 6, "infinite"])
def test_seven_browsers_salt_a_shoe(decks: object) -> None:
    evening = shoe_of(decks=decks)
    for spot, player in enumerate(SEVEN, 1):
        assert evening.requests(evening.place(player, spot, SALTS[spot - 1]))[-1] == "commit salt"
        # a second wager of the same shoe brings the same hash, which is not written again
        assert evening.requests(evening.place(player, spot, SALTS[spot - 1])) == ["place wagers"]
    evening.ask(*SEVEN)
    cut = [] if decks == "infinite" else ["cut shoe", "place cut card"]
    assert evening.requests(evening.step()) == [*cut, "close wagers"]
    assert evening.table.state.phase is Phase.SALTS
    assert evening.table.due_at() == evening.now + timedelta(seconds=3)
    for salt in reversed(SALTS):  # in any order
        evening.do(evening.table.reveal(salt))
    assert evening.table.reveal(SALTS[0]).entries == []  # again: nothing is written
    assert evening.table.due_at() == evening.now
    assert evening.requests(evening.step()) == ["close salts", "start round"]
    assert [one.salt for one in evening.salts.entries] == SALTS
    with pytest.raises(Conflict, match="the salts of these cards are closed"):
        evening.salts.committed("late", "00" * 32)
    evening.play_round()
    record = evening.table.shoes[-1] if decks == "infinite" else evening.end_shoe()
    verdict = verify_record(record)
    assert (verdict.findings, verdict.remarks) == ((), ())
    assert [one["salt"] for one in verdict.fields["salts"]] == SALTS
    assert (evening.table.salts_revealed, evening.table.salts_withheld) == (7, 0)


@pytest.mark.clause("PROC-6")
def test_who_does_not_reveal_in_time_is_left_out_and_the_record_says_so() -> None:
    evening = shoe_of(decks=1)
    evening.place("ann", 1, SALTS[0])
    evening.place("bob", 2, SALTS[1])
    evening.ask("ann", "bob")
    evening.step()
    evening.do(evening.table.reveal(SALTS[0]))
    assert evening.table.due_at() == evening.now + timedelta(seconds=3)  # one reveal gives no more time
    evening.now += timedelta(seconds=3)
    assert evening.requests(evening.step()) == ["close salts", "start round"]
    evening.play_round()
    withheld = evening.salts.entries[1].hash
    verdict = verify_record(evening.end_shoe())
    assert verdict.findings == ()
    assert verdict.remarks == (f"1 salt was not revealed in time and left out: hash {withheld}",)
    assert (evening.table.salts_revealed, evening.table.salts_withheld) == (1, 1)


@pytest.mark.clause("PROC-6")
def test_a_table_without_browsers_simply_deals_and_the_record_says_so() -> None:
    evening = shoe_of(decks=1)
    evening.place("ann", 1)
    evening.ask("ann")
    assert evening.requests(evening.step()) == ["cut shoe", "place cut card", "start round"]
    evening.play_round()
    with pytest.raises(Conflict, match="the salts of these cards are closed"):
        evening.place("ann", 1, SALTS[0])  # the order of the shoe stands
    verdict = verify_record(evening.end_shoe())
    assert verdict.findings == ()
    assert verdict.remarks == (
        "no player's word is in these cards: they follow from the house's secret alone",
    )


@pytest.mark.clause("PROC-6")
def test_every_shoe_has_salts_of_its_own() -> None:
    evening = shoe_of(decks=1)
    first = evening.hash_of(SALTS[0])
    evening.place("ann", 1, SALTS[0])
    evening.do(evening.table.renew("ann"))
    assert evening.table.state.phase is Phase.SHUFFLE
    evening.step()
    assert evening.salts == Salts()
    assert evening.hash_of(SALTS[0]) != first
    evening.place("ann", 1, SALTS[1])
    assert evening.salts.of("Ann") is not None


@pytest.mark.clause("PROC-6", "PROC-9")
def test_nothing_changes_while_salts_are_revealed() -> None:
    evening = shoe_of(decks=1)
    evening.place("ann", 1, SALTS[0])
    evening.place("bob", 2)
    evening.ask("ann", "bob")
    evening.step()
    with pytest.raises(IllegalAction, match="no more wagers"):
        evening.place("bob", 2)
    with pytest.raises(IllegalAction, match="wagers in play"):
        evening.table.leave("ann")
    with pytest.raises(IllegalAction, match="in play"):
        evening.table.release("bob", 2)
    with pytest.raises(IllegalAction, match="wagers in play"):
        evening.table.closing()
    with pytest.raises(Conflict, match="a round is in play"):
        evening.ask("bob")
    with pytest.raises(Conflict, match="no hash of this salt"):
        evening.table.reveal(SALTS[3])
    with pytest.raises(MalformedInput):
        evening.table.reveal("ab")
    due = evening.table.due_at()
    evening.now += timedelta(seconds=1)
    evening.do(evening.table._plan([(Sit("Cem"), "cem"), (TakeSpot("Cem", 3), None)]))
    assert evening.table.due_at() == due  # who comes now does not put the cards off


def test_who_leaves_before_wagers_close_takes_the_hash_along() -> None:
    evening = shoe_of(decks=1)
    evening.place("ann", 1, SALTS[0])
    evening.place("bob", 2, SALTS[1])
    evening.do(evening.table.leave("ann"))
    assert [one.player for one in evening.salts.entries] == ["Bob"]
    evening.place("ann", 1, SALTS[2])
    assert [one.player for one in evening.salts.entries] == ["Bob", "Ann"]


@pytest.mark.clause("PROC-6", "PROC-9")
def test_a_wager_that_stands_when_salts_are_asked_for_is_dealt_whatever_happens_elsewhere() -> None:
    """Else whoever knows the salts could put away a shoe that they do not like, by spending the chips."""
    evening = shoe_of(decks=1)
    evening.place("ann", 1, SALTS[0])
    evening.ask("ann")
    evening.step()
    assert evening.books == {"player:ann": -4_00, PLAY: 4_00}  # held from now on
    assert evening.purse("ann").chips_cents == BROUGHT_CENTS - 4_00
    evening.do(evening.table.reveal(SALTS[0]))
    evening.books["player:ann"] = -BROUGHT_CENTS  # everything else is spent at another table
    evening.barred.add("ann")  # and a break is taken
    assert evening.requests(evening.step()) == ["close salts", "start round"]
    assert evening.books == {"player:ann": -BROUGHT_CENTS, PLAY: 4_00}
    assert evening.table.state.in_round
    evening.play_round()
    assert evening.books[PLAY] == 0


def test_a_wager_whose_chips_are_gone_when_wagers_close_is_not_held_and_not_dealt() -> None:
    evening = shoe_of(decks=1)
    evening.place("ann", 1, SALTS[0])
    evening.place("bob", 2, SALTS[1])
    evening.ask("ann", "bob")
    evening.books["player:ann"] = -BROUGHT_CENTS
    assert evening.requests(evening.step()) == ["return wagers", "cut shoe", "place cut card", "close wagers"]
    assert evening.books == {"player:ann": -BROUGHT_CENTS, "player:bob": -4_00, PLAY: 4_00}


def test_stakes_of_a_log_from_before_they_were_held_leave_the_purse_with_the_round() -> None:
    evening = shoe_of(decks=1)
    evening.place("ann", 1, SALTS[0])
    evening.do(evening.table.cut_by("ann", 19, "back"))
    evening.do(evening.table._plan([(CloseWagers(), None)]))  # as an older program wrote it
    assert evening.books == {}
    assert evening.requests(evening.step()) == ["close salts", "start round"]
    assert evening.books == {"player:ann": -4_00, PLAY: 4_00}


@pytest.mark.requirement("R-44")
def test_a_table_between_hash_and_card_comes_back_from_its_checkpoint() -> None:
    evening = shoe_of(decks=1)
    evening.place("ann", 1, SALTS[0])
    evening.place("bob", 2, SALTS[1])
    evening.ask("ann", "bob")
    evening.step()
    evening.do(evening.table.reveal(SALTS[1]))
    plain = evening.table.saved()
    anew = TwentyOneTable.opened("own", evening.table.rules, "ann", Conduct())
    anew.restore(plain, lambda _hash: evening.table.rules, lambda _round: None)
    assert anew.saved() == plain
    anew.resume(evening.now)
    assert anew.due_at() == evening.now + timedelta(seconds=3)  # asked again, with the whole time
    again: Shoe = Shoe.__new__(Shoe)
    again.table, again.now, again.books, again.finished, again.barred = anew, evening.now, {}, [], set()
    again.do(anew.reveal(SALTS[0]))
    assert anew.due_at() == evening.now
    again.step()
    evening.do(evening.table.reveal(SALTS[0]))
    evening.step()
    assert anew.saved()["state"] == evening.table.saved()["state"]


class Game(Evening[Knockout52Table]):
    """An evening at Knockout 52."""

    def hash_of(self, salt: str) -> str:
        assert self.table.commitment is not None
        return salt_hash(self.table.commitment, bytes.fromhex(salt))

    def place(self, player: str, salt: str | None = None, cents: int = 5_00) -> Plan:
        hashed = "" if salt is None else self.hash_of(salt)
        return self.do(self.table.place(self.purse(player), {"round-1": cents} if cents else {}, hashed))

    def ask(self, *players: str) -> None:
        for player in players:
            self.table.ask_for_deal(player, self.now)

    def kinds(self, plan: Plan) -> list[str]:
        return [entry.record.kind for entry in plan.entries]


def game_of() -> Game:
    return Game(Knockout52Table.opened("willow", load_rules("knockout-52"), None, Conduct()))


@pytest.mark.clause("KO52-3")
def test_seven_browsers_salt_a_game_and_the_next_anew() -> None:
    evening = game_of()
    for number in (1, 2):
        for player, salt in zip(SEVEN, SALTS, strict=True):
            evening.place(player, salt)
            evening.place(player, cents=6_00)  # a change of the wager keeps the hash
        evening.ask(*SEVEN)
        assert evening.kinds(evening.step()) == ["Knockout52WagersClosed"]
        with pytest.raises(IllegalAction, match="no more wagers"):
            evening.place("player1", SALTS[0])
        for salt in reversed(SALTS):
            evening.do(evening.table.reveal(salt))
        assert evening.table.reveal(SALTS[3]).entries == []
        assert evening.table.due_at() == evening.now
        assert evening.kinds(evening.step()) == ["Knockout52DealStarted"]
        evening.play_out()
        assert evening.table.last is not None
        verdict = verify_record(evening.table.last.record)
        assert (verdict.findings, verdict.remarks) == ((), ())
        assert [one["salt"] for one in verdict.fields["salts"]] == SALTS
        assert evening.table.salts_revealed == 7 * number


@pytest.mark.clause("KO52-3")
def test_a_game_leaves_out_who_does_not_reveal() -> None:
    evening = game_of()
    evening.place("ann")
    evening.place("bob", SALTS[1])
    evening.place("ann", SALTS[0])  # the hash comes with a later wager, after Bob's
    evening.place("cem", SALTS[2])
    evening.place("cem", cents=0)  # and goes with the wager
    hashes = [evening.hash_of(salt) for salt in (SALTS[1], SALTS[0])]
    evening.ask("ann", "bob")
    evening.step()
    evening.do(evening.table.reveal(SALTS[0]))
    evening.now += timedelta(seconds=3)
    evening.step()
    evening.play_out()
    assert evening.table.last is not None
    verdict = verify_record(evening.table.last.record)
    assert verdict.findings == ()
    assert verdict.fields["salts"] == [{"hash": hashes[0], "salt": ""}, {"hash": hashes[1], "salt": SALTS[0]}]
    assert evening.table.salts_withheld == 1


def test_a_game_of_the_time_before_hashes_is_dealt_to_its_end() -> None:
    """Wagers that were recorded with a salt in the clear, and a deal that began with what was made of it."""
    evening = game_of()
    table = evening.table
    old = {
        "table": "willow",
        "game": 1,
        "player": "ann",
        "name": "Ann",
        "stakes": {"round-1": 500},
        "salt": "ab" * 8,
        "rules_hash": table.rules.rules_hash,
    }
    table.apply(Knockout52WagersPlaced.read(old), evening.now)
    table.apply(Knockout52DealStarted(table="willow", game=1, salt="cd" * 32), evening.now)
    evening.play_out()
    assert table.last is not None
    verdict = verify_record(table.last.record)
    assert (verdict.findings, verdict.fields["format"]) == ((), "cardroom shoe 1")
    assert verdict.fields["salt"] == "cd" * 32


@pytest.mark.requirement("R-44")
def test_a_game_between_hash_and_card_comes_back_from_its_checkpoint() -> None:
    evening = game_of()
    evening.place("ann", SALTS[0])
    evening.ask("ann")
    evening.step()
    plain = evening.table.saved()
    anew = Knockout52Table.opened("willow", evening.table.rules, None, Conduct())
    anew.restore(plain, lambda _hash: evening.table.rules, lambda _round: None)
    assert anew.saved() == plain
    anew.resume(evening.now)
    assert anew.due_at() == evening.now + timedelta(seconds=3)
    for entry in anew.reveal(SALTS[0]).entries:
        anew.apply(entry.record, evening.now)  # type: ignore[arg-type]
    assert anew.due_at() == evening.now
