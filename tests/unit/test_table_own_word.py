"""The log says that a person did something only where they did: cuts, time-outs, ends of stays."""

from __future__ import annotations

from datetime import timedelta

import pytest

from cardroom.core.errors import Conflict, IllegalAction
from cardroom.fair import verify_record
from cardroom.records.tables import TableRequestGranted, TwentyOneRoundEnded
from cardroom.rules import load_rules
from cardroom.store.plan import Plan
from cardroom.table.twentyone import Phase, awaits, player_cut_range
from cardroom.table.twentyone.by_hand import Signed, release_spot
from cardroom.table.twentyone.notices import coming
from cardroom.table.twentyone.running import AWAY, TwentyOneTable
from tests.table_house import NOON, Conduct
from tests.unit.test_table_purse import Shoe


def shoe_of(owner: str | None = None, **changes: object) -> Shoe:
    """A table of Blackjack, its first shoe shuffled and not cut."""
    options = {name.replace("__", "."): value for name, value in changes.items()}
    evening = Shoe(TwentyOneTable.opened("linden", load_rules("blackjack", options), owner, Conduct()))
    evening.step()
    return evening


def deal(evening: Shoe, *players: str) -> Plan:
    for player in players:
        evening.table.ask_for_deal(player, evening.now)
    return evening.step()


# The cut.


@pytest.mark.clause("PROC-6")
def test_a_player_cuts_where_they_like() -> None:
    evening = shoe_of()
    with pytest.raises(Conflict, match="place a wager first"):
        evening.table.cut_by("ann", 100, "back")
    evening.place("ann", 1, 4_00)
    allowed = player_cut_range(evening.table.rules)
    with pytest.raises(IllegalAction, match=f"{allowed.least} to {allowed.most} are allowed"):
        evening.table.cut_by("ann", allowed.least - 1, "back")
    plan = evening.do(evening.table.cut_by("ann", allowed.most, "front"))
    assert plan.entries[0].record.content() == {
        "table": "linden",
        "player": "ann",
        "request": {
            "request": "cut shoe",
            "player": "Ann",
            "cards_deep": allowed.most,
            "end": "front",
        },
    }
    assert evening.table.cut == f"Ann cuts {allowed.most} cards from the front"
    assert evening.table.state.phase is Phase.WAGERS
    with pytest.raises(IllegalAction, match="cut once"):
        evening.table.cut_by("ann", allowed.least, "back")
    deal(evening, "ann")
    assert evening.table.state.in_round


@pytest.mark.clause("PROC-6")
def test_where_nobody_cuts_before_the_cards_the_house_does_in_its_own_name() -> None:
    evening = shoe_of()
    evening.place("ann", 1, 4_00)
    evening.table.ask_for_deal("ann", NOON)
    cut = evening.step().entries[0].record.content()
    middle = player_cut_range(evening.table.rules).middle
    assert cut == {
        "table": "linden",
        "request": {"request": "cut shoe", "player": None, "cards_deep": middle},
    }
    assert evening.table.cut.startswith("nobody cut: the house cuts")


@pytest.mark.clause("PROC-6")
def test_a_shoe_that_nobody_cut_tells_its_secret_when_the_table_closes() -> None:
    evening = shoe_of("ann")
    assert evening.table.state.phase is Phase.CUT
    evening.do(evening.table.closing())
    assert verify_record(evening.table.shoes[-1]).findings == ()


# Answers.


@pytest.mark.clause("21-1.5")
def test_who_does_not_answer_in_time_has_not_decided() -> None:
    evening = shoe_of(decks=1)
    evening.place("ann", 1, 4_00)
    plan = deal(evening, "ann")
    while evening.table.dealing:
        awaited = awaits(evening.table.state)
        plan = evening.step()
        record = plan.entries[0].record
        assert isinstance(record, TableRequestGranted)
        if awaited.kind == "decision":
            assert (record.player, record.request["by_clock"]) == (None, True)
            assert "Ann gave no answer in time; the clock decides" in " ".join(evening.table.sentences)
            assert not any(line.endswith("Ann: stand") for line in evening.table.sentences)
    ended = next(entry.record for entry in plan.entries if isinstance(entry.record, TwentyOneRoundEnded))
    decided = [place for place, one in enumerate(ended.notation.split()) if one in ("stand", "insurance")]
    assert len(ended.by_clock) == len(decided)


def test_a_players_own_answer_is_not_the_clocks() -> None:
    evening = shoe_of(decks=1)
    evening.place("ann", 1, 4_00)
    plan = deal(evening, "ann")
    while evening.table.dealing:
        awaited = awaits(evening.table.state)
        if awaited.kind == "decision":
            words = "stand" if "stand" in map(str, awaited.options) else "no insurance"
            plan = evening.do(evening.table.act(evening.purse("ann"), 1, words, evening.table.steps))
            assert plan.entries[0].record.content()["player"] == "ann"
        else:
            plan = evening.step()
    ended = next(entry.record for entry in plan.entries if isinstance(entry.record, TwentyOneRoundEnded))
    assert ended.by_clock == []
    assert "by_clock" not in ended.content()


# Stays that end.


@pytest.mark.clause("PROC-3")
def test_who_is_gone_for_the_stated_time_gives_the_spot_up_at_that_moment_though_nobody_deals() -> None:
    evening = shoe_of()
    evening.place("ann", 1, 4_00)
    gone = NOON + timedelta(seconds=120)
    assert evening.table.due_at() == gone
    evening.now = gone
    plan = evening.step()
    assert plan.entries[0].record.content()["request"] == {
        "request": "leave",
        "player": "Ann",
        "why": "gone",
    }
    assert evening.table.state.owners == {}
    (notice,) = evening.table.notices.of("ann")
    assert "closed the table's page" in notice[0]


@pytest.mark.clause("PROC-3")
def test_who_does_nothing_for_the_stated_time_gives_the_spot_up_at_that_moment() -> None:
    evening = shoe_of()
    evening.table.presence.came("ann")  # the page is open all the time
    evening.place("ann", 1, 4_00)
    assert evening.table.due_at() is None  # a wager that stands is a wish to play
    evening.place("ann", 1, 0)
    assert evening.table.due_at() == evening.table.idle_at("Ann") == NOON + AWAY
    evening.now = NOON + AWAY
    assert evening.step().entries[0].record.content()["request"]["why"] == "idle"
    assert evening.table.state.owners == {}


@pytest.mark.clause("PROC-3")
def test_who_has_gone_leaves_also_while_others_play() -> None:
    evening = shoe_of(decks=1)
    evening.place("bob", 2, 4_00)
    evening.place("bob", 2, 0)
    evening.place("ann", 1, 4_00)
    deal(evening, "ann")
    due = evening.table.due
    evening.now = NOON + timedelta(seconds=120)
    assert evening.requests(evening.step()) == ["leave"]
    assert evening.table.people == ["Ann"]  # whose hand is in play
    assert evening.table.due == due  # who leaves gives nobody more time


@pytest.mark.clause("PROC-3")
def test_a_spot_without_a_wager_in_play_is_released_whatever_the_others_do() -> None:
    evening = shoe_of(decks=1)
    for spot in (2, 3):
        evening.place("bob", spot, 4_00)
        evening.place("bob", spot, 0)
    evening.place("ann", 1, 4_00)
    deal(evening, "ann")
    evening.do(evening.table.release("bob", 3))
    assert evening.table.state.owners == {1: "Ann", 2: "Bob"}
    with pytest.raises(IllegalAction, match="until the round is over"):
        evening.table.release("ann", 1)
    evening.do(evening.table.leave("bob"))
    assert evening.table.people == ["Ann"]


@pytest.mark.clause("PROC-3")
def test_a_spot_that_the_floor_takes_is_not_given_up_by_its_player() -> None:
    evening = shoe_of()
    for spot in (1, 2):
        evening.place("ann", spot, 4_00)
    signed = Signed("flo", "a dispute")
    evening.do(release_spot(evening.table, 2, signed))
    evening.do(release_spot(evening.table, 1, signed))
    told = " ".join(evening.table.sentences)
    assert "the floor takes spot 2 from Ann" in told
    assert "the floor takes the spots from Ann" in told
    assert "Ann leaves" not in told
    assert [words.partition(" took ")[0] for words, _ in evening.table.notices.of("ann")] == ["The floor"] * 2


@pytest.mark.clause("PROC-3")
def test_a_long_round_is_no_idleness() -> None:
    evening = shoe_of(decks=1)
    evening.table.presence.came("ann")
    evening.place("ann", 1, 4_00)
    deal(evening, "ann")
    evening.now = NOON + AWAY + timedelta(minutes=1)
    while evening.table.dealing:
        evening.step()
    assert evening.table.people == ["Ann"]
    assert evening.table.idle_at("Ann") == evening.now + AWAY


def test_a_checkpoint_keeps_who_is_told_what() -> None:
    evening = shoe_of()
    evening.place("ann", 1, 2_00)
    deal(evening, "ann")
    plain = evening.table.saved()
    anew = TwentyOneTable.opened("linden", evening.table.rules, None, Conduct())
    anew.restore(plain, lambda _hash: evening.table.rules, lambda _round: None)
    assert anew.notices.of("ann") == evening.table.notices.of("ann") != []
    assert anew.saved() == plain


# Spots that go to who waits.


@pytest.mark.clause("PROC-3")
def test_who_loses_spots_to_a_waiting_player_is_told_before_and_after() -> None:
    evening = shoe_of(procedure__spots=3)
    for spot in (1, 2, 3):
        evening.place("ann", spot, 4_00)
    deal(evening, "ann")
    evening.do(evening.table.wait(evening.purse("bob")))
    assert coming(evening.table.state, "Ann") == [
        ("Somebody waits for a spot: after this round you give up spot 3.", "PROC-3")
    ]
    evening.do(evening.table.wait(evening.purse("cem")))
    assert [words for words, _ in coming(evening.table.state, "Ann")] == [
        "Somebody waits for a spot: after this round you give up spot 3.",
        "Somebody waits for a spot: when this shoe is over you give up spot 2.",
    ]
    evening.play_out()
    assert evening.table.state.owners == {1: "Ann", 2: "Ann", 3: "Bob"}
    assert [words for words, _ in evening.table.notices.of("ann")] == [
        "You gave up spot 3: somebody waited for it. What stood there came back."
    ]
    assert [words for words, _ in coming(evening.table.state, "Ann")] == [
        "Somebody waits for a spot: when this shoe is over you give up spot 2."
    ]
    assert coming(evening.table.state, "Bob") == []
