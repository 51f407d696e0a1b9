"""A table of the blackjack family: wrong input, chips, the log, views, the shoe's end, the record."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import fields

import pytest

from cardroom.core.cards import format_cards, parse_cards
from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.engine import twentyone
from cardroom.engine.twentyone import CardDealt, DiscardsShuffled, Insure, ShoeRanOut
from cardroom.fair import verify_record
from cardroom.fair.tokens import fresh_key
from cardroom.rules import change_rules
from cardroom.table.twentyone import (
    Act,
    ChangeRules,
    ClearWagers,
    Close,
    CloseWagers,
    CutShoe,
    DealCard,
    FairDealer,
    Leave,
    Open,
    Phase,
    PlaceCutCard,
    PlaceWagers,
    ProcedureDealer,
    Request,
    ReturnWagers,
    RulesChanged,
    ShoeEnded,
    Shuffle,
    Sit,
    StartRound,
    Table,
    TableEvent,
    TableLog,
    TakeSpot,
    WagersSet,
    Wait,
    format_request,
    parse_request,
)
from cardroom.table.twentyone.sentences import sentence
from tests.tables import CHIPS, GAMES, StackedDealer, all_cards, finish, of, refused, rules_of, table_of


def playing(cards: str, game: str = "players-edge-21", stake: int = 1000, chips: int = CHIPS) -> Table:
    """Ann on spot 1 and Bob on spot 2 with a wager each, the first cards dealt."""
    table = table_of(game, {"Ann": [1], "Bob": [2]}, cards=cards, chips=chips)
    table.place_wagers("Ann", 1, stake)
    table.place_wagers("Bob", 2, stake)
    table.deal()
    return table


@pytest.mark.clause("PROC-2", "PROC-3", "PROC-9", "SIDE-3", "SIDE-4", "SIDE-5")
@pytest.mark.parametrize(
    ("game", "request_", "clause"),
    [
        ("players-edge-21", PlaceWagers("Ann", 1, 250), "21-1.14"),
        ("players-edge-21", PlaceWagers("Ann", 1, 350), "21-1.14"),
        ("players-edge-21", PlaceWagers("Ann", 1, 0), "PROC-2"),
        ("players-edge-21", PlaceWagers("Ann", 1, -400), "PROC-2"),
        ("players-edge-21", PlaceWagers("Ann", 1, 1000, {"match-up": 50_100}), "PROC-2"),
        ("players-edge-21", PlaceWagers("Ann", 1, 1000, {"match-up": -100}), "SIDE-3"),
        ("players-edge-21", PlaceWagers("Ann", 1, 1000, {"monster-match-1": 500}), "SIDE-4"),
        ("players-edge-21", PlaceWagers("Ann", 1, 1000, {"21+3": 200}), "PE21-11"),
        ("players-edge-21", PlaceWagers("Ann", 1, 1000, {"luck": 200}), "PE21-11"),
        ("players-edge-21", PlaceWagers("Ann", 2, 1000), "PROC-3"),
        ("players-edge-21", PlaceWagers("Bob", 1, 1000), "PROC-3"),
        ("players-edge-21", PlaceWagers("Ann", 3, 1000), "PROC-3"),
        ("players-edge-21", PlaceWagers("Ann", 9, 1000), "PROC-3"),
        ("players-edge-21", PlaceWagers("Eve", 1, 1000), "PROC-3"),
        ("players-edge-21", ClearWagers("Ann", 1), "PROC-9"),
        ("players-edge-21", StartRound(), "21-1.3"),
        ("players-edge-21", DealCard(), "PROC-8"),
        ("players-edge-21", Act("Ann", 1, "hit"), "21-1.5"),
        ("blackjack", PlaceWagers("Ann", 1, 500), "PROC-2"),
        ("blackjack", PlaceWagers("Ann", 1, 400, {"21+3": 150}), "21-1.14"),
        ("blackjack", PlaceWagers("Ann", 1, 400, {"match-the-dealer": 500}), "SIDE-5"),
        ("spanish-21", PlaceWagers("Ann", 1, 400, {"21+3": 200}), "S21-9"),
        ("blackjack", Sit("Ann"), "PROC-3"),
        ("blackjack", Leave("Eve"), "PROC-3"),
        (
            "blackjack",
            ChangeRules("floor", rules_of("blackjack", {"limits.max": "500.00"}).canonical_text()),
            "PROC-9",
        ),
        ("blackjack", Open(), "PROC-1"),
        ("blackjack", Shuffle("x", "x", "x", "x", "x"), "PROC-4"),
    ],
)
def test_wrong_input_is_refused_with_its_clause_and_nothing_moves(
    game: str, request_: Request, clause: str
) -> None:
    table = table_of(game, {"Ann": [1], "Bob": [2]}, cards="")
    assert refused(table, request_) == clause


@pytest.mark.clause("PROC-15", "21-1.5", "21-1.6", "PE21-8.2", "PE21-15", "S21-6")
@pytest.mark.parametrize(
    ("request_", "clause"),
    [
        (Act("Ann", 1, "split"), "21-1.6"),
        (Act("Ann", 1, "rescue"), "PE21-9"),
        (Act("Ann", 1, "double for 5"), "PE21-8.2"),
        (Act("Ann", 1, "double face down"), "S21-6"),
        (Act("Ann", 1, "wager 5 with Bob"), "PE21-15"),
        (Act("Ann", 1, "wager 20"), "PROC-9"),
        (Act("Ann", 1, "insure 5"), "PROC-10"),
        (Act("Bob", 2, "hit"), "21-1.5"),
        (Act("Bob", 1, "hit"), "PROC-3"),
        (Act("Ann", 2, "hit"), "PROC-3"),
        (DealCard(), "21-1.5"),
        (StartRound(), "PROC-9"),
        (Leave("Bob"), "PROC-9"),
        (ClearWagers("Ann", 1), "PROC-9"),
        (Close(), "PROC-9"),
        (CutShoe("Ann", 100), "PROC-6"),
        (PlaceCutCard(100), "PROC-6"),
    ],
)
def test_wrong_input_in_a_round(request_: Request, clause: str) -> None:
    table = playing("Kc 9h 7s 6d Jd Qs")
    assert refused(table, request_) == clause


@pytest.mark.clause("PROC-15")
def test_an_unclear_instruction_is_asked_again() -> None:
    table = playing("Kc 9h 7s 6d Jd Qs")
    before = table.state
    for said in ("", "hmm", "hit me twice", "insure", "stand please"):
        with pytest.raises(MalformedInput) as error:
            table.act("Ann", 1, said)
        assert error.value.clause == "PROC-15"
    assert table.state is before


def test_a_sitting_names_a_person() -> None:
    table = table_of("blackjack", {})
    for name in ("", "  ", "a\nb", "x" * 41):
        with pytest.raises(MalformedInput, match="name"):
            table.sit(name)
    with pytest.raises(MalformedInput, match="more than nothing"):
        table.sit("Ann", -5)


@pytest.mark.requirement("R-43")
def test_nobody_stakes_chips_they_do_not_have() -> None:
    table = table_of("players-edge-21", {"Ann": [1, 2]}, cards="", chips=1500)
    table.place_wagers("Ann", 1, 1000)
    assert table.view("Ann").free_cents == 500
    assert refused(table, PlaceWagers("Ann", 2, 600)) == "PROC-9"
    table.place_wagers("Ann", 1, 900)  # replaces what stood there
    table.place_wagers("Ann", 2, 600)
    assert table.view("Ann").free_cents == 0
    table.do(ClearWagers("Ann", 2))
    assert table.view("Ann").free_cents == 600


@pytest.mark.requirement("R-43")
def test_an_option_is_offered_only_where_the_chips_are_there() -> None:
    table = playing("8c 9h 7s 8d Jd Qs", chips=1400)
    assert [str(option) for option in table.view("Ann").options] == ["stand", "hit", "surrender"]
    assert refused(table, Act("Ann", 1, "double")) == "21-1.6"
    assert refused(table, Act("Ann", 1, "split")) == "21-1.6"
    table.chips.add("Ann", 600)
    assert "split" in [str(option) for option in table.view("Ann").options]
    assert table.view("Bob").options == ()
    table.act("Ann", 1, "split")


@pytest.mark.requirement("R-43")
def test_insurance_up_to_the_chips_one_has() -> None:
    table = playing("8c 9h As 8d Jd 5s", chips=1350)
    assert table.view("Ann").options[1] == Insure(300)
    table.act("Ann", 1, "insure 3")
    table = playing("8c 9h As 8d Jd 5s", chips=1050)
    assert [str(option) for option in table.view("Ann").options] == ["no insurance"]


@pytest.mark.requirement("R-48")
def test_money_by_the_cent_through_a_session() -> None:
    table = table_of("players-edge-21", {"Ann": [1]}, cards="Ac 5d Kd 9h", chips=10_000)
    table.place_wagers("Ann", 1, 1000)
    table.deal()
    assert table.chips.cents("Ann") == 11_500  # a blackjack, 3 to 2
    assert table.state.accounts["house"] == -1500 - 1_000_000 - 5_000_000  # and the seeds of the meters
    events = table.leave("Ann")
    assert [sentence(event) for event in events] == [
        "Ann gives up spot 1: left",
        "Ann leaves",
    ]
    assert table.state.accounts["purses"] == 1500
    assert sum(table.state.accounts.values()) == 0


@pytest.mark.requirement("R-45")
def test_money_in_an_unfinished_round_stands_in_an_account_of_its_own() -> None:
    table = playing("8c 9h 7s 8d Jd Qs")
    assert table.state.accounts["table"] == 2000
    table.act("Ann", 1, "double")
    assert table.state.accounts["table"] == 3000
    finish(table)
    assert table.state.accounts["table"] == 0


def test_a_player_sees_neither_the_hole_card_nor_the_shoe() -> None:
    table = playing("Kc 9h 7s 6d Jd Qs")
    shown = table.view("Ann")
    assert shown.round is not None
    assert shown.round.dealer == (parse_cards("7s")[0], None)
    assert "Qs" not in repr(shown)
    assert repr(table.view()).count("Qs") == 0
    hidden = {field.name for field in fields(table.state)} - {field.name for field in fields(shown)}
    assert {"accounts", "pack", "owners"} <= hidden
    other = playing("Kc 9h 7s 6d Jd 3s")  # another hole card, the same view
    assert other.view("Ann") == shown
    assert (shown.cards_left, shown.discards, shown.cut_card_out) == (288 - 6, 0, False)
    assert shown.players == (("Ann", CHIPS - 1000), ("Bob", CHIPS - 1000))


@pytest.mark.clause("21-1.13")
def test_a_shoe_that_runs_out_goes_on_from_the_discards() -> None:
    # One deck, all but 5 cards burned or played: seven spots draw until it runs out.
    seated = {f"P{spot}": [spot] for spot in range(1, 8)}
    table = Table(rules_of("blackjack", {"decks": 1}), FairDealer(repeatable=5))
    table.open()
    for player, spots in seated.items():
        table.sit(player, CHIPS)
        table.take_spot(player, spots[0])
    whole = Counter(table.state.rules.shoe().cards())
    seen: list[object] = []
    for _ in range(12):
        if table.state.phase is Phase.SHUFFLE:
            table.new_shoe()
        for player, spots in seated.items():
            table.place_wagers(player, spots[0], 400)
        events = finish(table, "hit")
        seen += of(events, DiscardsShuffled)
        assert all_cards(table) == whole
        if of(events, ShoeRanOut):
            assert of(events, ShoeEnded)
            ran_out = [type(event) for event in events].index(DiscardsShuffled)
            after = [event.card for event in events[ran_out:] if isinstance(event, CardDealt)]
            assert after
    assert seen
    assert table.records
    assert all(verify_record(record).holds for record in table.records)


@pytest.mark.clause("21-1.13")
def test_the_reshuffled_cards_are_those_of_the_committed_secret() -> None:
    table = Table(rules_of("blackjack", {"decks": 1}), FairDealer(repeatable=5))
    table.open()
    table.sit("Ann", 10 * CHIPS)
    for spot in range(1, 8):
        table.take_spot("Ann", spot)
    table.new_shoe()
    events: tuple[TableEvent, ...] = ()
    while not table.records:
        for spot in range(1, 8):
            table.place_wagers("Ann", spot, 400)
        events = finish(table, "hit")
    assert of(events, DiscardsShuffled)
    record = json.loads(table.records[0])
    spans = record["rounds"][-1]
    used = twentyone.parse_round(spans, rules_of("blackjack", {"decks": 1})).inputs
    last = next(asked for asked in reversed(used) if str(asked) in record["cards"])
    forged = table.records[0].replace(f" {last}\\n", " 2c\\n" if str(last) != "2c" else " 3c\\n")
    assert forged != table.records[0]
    assert not verify_record(forged).holds


@pytest.mark.clause("21-1.13")
def test_with_stacked_cards_the_round_goes_on_from_the_discards() -> None:
    order = format_cards(rules_of("blackjack", {"decks": 1}).shoe().cards())
    dealer = StackedDealer(order)
    table = Table(rules_of("blackjack", {"decks": 1}), dealer)
    table.open()
    table.sit("Ann", CHIPS)
    table.take_spot("Ann", 1)
    table.new_shoe(burn=False, cut_card=13)
    dealt = 0
    while dealt < 37:
        table.place_wagers("Ann", 1, 400)
        finish(table)
        assert table.state.shoe is not None
        dealt = table.state.shoe.dealt
        dealer.discards = tuple(reversed(table.state.shoe.rack))
    assert dealt <= 52 - 13  # the cut card is still in
    for spot in range(2, 8):
        table.take_spot("Ann", spot)
    for spot in range(1, 8):
        table.place_wagers("Ann", spot, 400)
    events = finish(table, "hit")
    ran_out = events.index(DiscardsShuffled(len(dealer.discards)))
    first = next(event for event in events[ran_out:] if isinstance(event, CardDealt))
    assert first.card in (dealer.discards[0], None)
    assert table.state.phase is Phase.SHUFFLE
    assert len(table.state.pack) == 52


def sessions(table: Table, rounds: int) -> None:
    """Some rounds by Ann, with a bit of everything."""
    said = ["hit", "double", "split", "surrender", "stand", "no insurance"]
    for number in range(rounds):
        if table.state.phase is Phase.SHUFFLE:
            table.new_shoe(player="Ann", words=f"words {number}")
        table.place_wagers("Ann", 2, 400 + 100 * (number % 3) * (table.state.rules.limits.max > 400))
        finish(table, said[number % len(said)])


@pytest.mark.requirement("R-44", "R-15")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("mode", [FairDealer, ProcedureDealer])
def test_the_log_gives_the_same_table_again(game: str, mode: type[FairDealer | ProcedureDealer]) -> None:
    key = fresh_key()
    table = Table(rules_of(game), mode(key), clock=lambda: "2026-01-01T00:00:00Z")
    table.open()
    table.sit("Ann", 10 * CHIPS)
    table.take_spot("Ann", 2)
    sessions(table, 30)
    table.new_shoe() if table.state.phase is Phase.SHUFFLE else None
    table.place_wagers("Ann", 2, 400)
    table.do(StartRound())
    table.deal_card()
    again = Table.restore(rules_of(game), table.log.lines, mode(key))
    again.chips.add("Ann", table.chips.cents("Ann"))
    assert again.state == table.state
    assert again.records == table.records
    assert again.log.head == table.log.head
    # It goes on with the same cards: after every card until the round is over.
    while table.state.in_round:
        awaited = table.view().awaits
        assert again.view().awaits == awaited
        if awaited.kind == "card":
            assert again.deal_card() == table.deal_card()
        else:
            said = str(awaited.options[0])
            assert again.act("Ann", 2, said) == table.act("Ann", 2, said)
    assert again.state == table.state


@pytest.mark.requirement("R-51")
def test_a_changed_log_is_named() -> None:
    table = table_of("blackjack", {"Ann": [1]})
    lines = table.log.lines
    assert TableLog(lines).head == table.log.head
    for changed in (
        [*lines[:2], lines[2].replace("Ann", "Eve"), *lines[3:]],
        [*lines[:2], *lines[3:]],
        [*lines[:2], lines[3], lines[2], *lines[4:]],
        [*lines[:3], "{}", *lines[3:]],
        [lines[0], lines[0], *lines[1:]],
    ):
        with pytest.raises(MalformedInput, match=r"line \d of the log"):
            TableLog(changed)


def test_without_its_key_a_log_deals_nothing() -> None:
    table = Table(rules_of("blackjack"), FairDealer(fresh_key()))
    table.open()
    table.new_shoe()
    with pytest.raises(Conflict, match="does not open"):
        Table.restore(rules_of("blackjack"), table.log.lines, FairDealer(fresh_key()))
    with pytest.raises(Conflict, match="not known here"):
        Table.restore(rules_of("blackjack"), table.log.lines, FairDealer())


@pytest.mark.parametrize(
    "request_",
    [
        Open(("Ac2c", "3c"), {"monster-match-1": 5}),
        ChangeRules("floor", rules_of("blackjack", {"decks": 8}).canonical_text()),
        Sit("Ann"),
        Wait("Ünal"),
        TakeSpot("Ann", 3),
        PlaceWagers("Ann", 3, 400, {"21+3": 200}),
        CutShoe(None, 100, "front", "words"),
        CutShoe("Ann", 100),
        PlaceCutCard(104, burn=False),
        Act("Ann", 3, "insure 2.50"),
        Act("Ann", 3, "stand", by_clock=True),
        Leave("Ann", "gone"),
        ReturnWagers(3, "the rules change", ("21+3",)),
        CloseWagers(holds=True),
        StartRound(),
    ],
)
def test_a_request_has_a_text_that_parses_back(request_: Request) -> None:
    assert parse_request(format_request(request_)) == request_


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"request":"fly"}',
        '{"request":"sit"}',
        '{"request":"sit","player":5}',
        '{"request":"sit","player":"Ann","chips_cents":true}',
        '{"request":"sit","player":"Ann","colour":"red"}',
        '{"request":"cut shoe","player":null,"cards_deep":5,"end":"top"}',
        '{"request":"place wagers","player":"A","spot":1,"stake_cents":4,"side":{"21+3":"2"}}',
        '{"request":"open","decks":[5]}',
        '{"request":"leave","player":"Ann","why":"bored"}',
        '{"request":"return wagers","spot":1,"why":"x","side":"21+3"}',
    ],
)
def test_a_request_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(MalformedInput):
        parse_request(text)


@pytest.mark.parametrize("game", GAMES)
def test_records_of_shoes_verify_and_a_table_that_closes_reveals_its_shoe(game: str) -> None:
    table = table_of(game, {"Ann": [2]}, chips=10 * CHIPS)
    sessions(table, 60)
    table.close()
    assert len(table.records) >= 2
    for record in table.records:
        assert verify_record(record).findings == ()
    played = [text for record in table.records for text in json.loads(record)["rounds"]]
    assert sum(not text.startswith("burn") for text in played) == 60
    assert refused(table, PlaceWagers("Ann", 2, 400)) == "PROC-1"


def test_infinitely_many_decks_have_a_shoe_for_every_round() -> None:
    table = table_of("spanish-21", {"Ann": [2]}, {"decks": "infinite"})
    sessions(table, 5)
    assert len(table.records) == 5
    assert all(verify_record(record).holds for record in table.records)
    with pytest.raises(IllegalAction, match="by hand"):
        ProcedureDealer(repeatable=1).commit(table.state.rules, 1)


@pytest.mark.requirement("R-37", "R-47")
def test_rules_change_between_shoes_and_the_change_is_recorded() -> None:
    table = Table(rules_of("blackjack"), FairDealer(repeatable=1))
    table.open()
    before = table.state.rules.rules_hash
    (event,) = table.change_rules("floor", {"limits.max": "100.00"})
    assert event == RulesChanged("floor", before, table.state.rules.rules_hash)
    assert before != table.state.rules.rules_hash
    eight = change_rules(table.state.rules, {"decks": 8}).canonical_text()
    assert refused(table, ChangeRules("floor", eight)) == "PROC-1"
    with pytest.raises(MalformedInput, match="cannot become"):
        table.do(ChangeRules("floor", rules_of("spanish-21").canonical_text()))
    with pytest.raises(MalformedInput, match="who"):
        table.change_rules(" ", {"limits.max": "50.00"})
    table.sit("Ann", CHIPS)
    table.take_spot("Ann", 1)
    table.new_shoe()
    assert of(table.place_wagers("Ann", 1, 10_000), WagersSet)
    table.close()
    table.change_rules("floor", {"decks": 8})
    table.open()
    assert len(table.state.pack) == 416


def test_every_event_has_words() -> None:
    table = table_of("players-edge-21", {"Ann": [1, 2], "Bob": [3]}, chips=10 * CHIPS)
    said: list[str] = []
    for number in range(60):
        if table.state.phase is Phase.SHUFFLE:
            said += map(sentence, table.new_shoe())
        for player, spot in (("Ann", 1), ("Ann", 2), ("Bob", 3)):
            side = {"match-up": 100, "monster-match-1": 100} if number % 2 else {}
            said += map(sentence, table.place_wagers(player, spot, 500, side))
        said += map(sentence, finish(table, ["hit", "double", "split", "surrender"][number % 4]))
    said += map(sentence, (*table.leave("Ann"), *table.close()))
    assert all(line and not line.startswith("<") for line in said)
    assert "the round is over" in said
    assert sum(line == "the round is over" for line in said) == 60
