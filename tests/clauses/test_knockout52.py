"""Knockout 52 by hand-made cards, clause by clause."""

from __future__ import annotations

from itertools import combinations

import pytest

from cardroom.core.cards import CARDS, Card, Rank, Suit, parse_card, parse_cards
from cardroom.core.errors import IllegalAction, MalformedInput
from cardroom.engine.contract import CardAwaited, Done
from cardroom.engine.knockout52 import (
    CardDealt,
    GameEnded,
    MarkerMoved,
    PlaceWager,
    Stakes,
    WagerCollected,
    WagerPaid,
    WagerPlaced,
    awaits,
    chance,
    net_cents,
    play,
    start,
    step,
    view,
    why_not,
    why_not_start,
)
from cardroom.rules.knockout52 import WAGERS
from tests.knockout52_tables import (
    EVERY_WAGER,
    card,
    deal,
    house,
    row_without_match,
    rows_without_match,
)

A_WAGER = Stakes("Ann", {"round-1": 100})


@pytest.mark.clause("KO52-1")
@pytest.mark.parametrize("decks", [1, 2, 4, 6, 8])
def test_the_house_picks_the_decks(decks: int) -> None:
    game, _ = start(house(decks=decks), [A_WAGER])
    assert dict(chance(game)) == dict.fromkeys(CARDS, decks)


@pytest.mark.clause("KO52-1")
@pytest.mark.parametrize("decks", [-1, 0, 3, 5, 7, 9, 1.5, "infinite", "one"])
def test_other_numbers_of_decks_are_refused(decks: object) -> None:
    with pytest.raises(MalformedInput, match=r"decks.*1, 2, 4, 6 or 8.*KO52-1"):
        house(decks=decks)
    with pytest.raises(MalformedInput, match=r"decks = true: .*KO52-1"):
        house(decks=True)


@pytest.mark.clause("KO52-1")
def test_a_card_comes_as_often_as_it_is_in_the_decks() -> None:
    for decks in (1, 2):
        game, _ = start(house(decks=decks), [A_WAGER])
        for _ in range(decks):
            game, _ = step(game, parse_card("Kc"))
        with pytest.raises(IllegalAction, match=r"Kc cannot come now.*KO52-1"):
            step(game, parse_card("Kc"))


@pytest.mark.clause("KO52-2")
def test_four_rows_read_ace_to_king() -> None:
    layout = house().layout
    assert layout.spaces == 52
    for row in range(4):
        spaces = range(13 * row, 13 * row + 13)
        assert "".join(Rank(layout.rank_of_space(space)).letter for space in spaces) == "A23456789TJQK"
        assert {layout.row_of_space(space) for space in spaces} == {row + 1}


@pytest.mark.clause("KO52-2")
@pytest.mark.parametrize("suit", list(Suit))
def test_a_space_has_no_suit(suit: Suit) -> None:
    game, events = deal([card(Rank.ACE, suit)], stakes={"round-1": 100})
    assert game.outcome == "round-1"
    assert events[0] == CardDealt(space=0, row=1, card=card(Rank.ACE, suit), match=True)


@pytest.mark.clause("KO52-3")
def test_any_set_of_the_five_wagers_may_be_staked() -> None:
    sets = [wagers for size in range(1, 6) for wagers in combinations(WAGERS, size)]
    assert len(sets) == 31
    for wagers in sets:
        _, events = start(house(), [Stakes("Ann", dict.fromkeys(wagers, 100))])
        assert events == (*(WagerPlaced("Ann", wager, 100) for wager in wagers), MarkerMoved("round-1"))


@pytest.mark.clause("KO52-3")
@pytest.mark.parametrize(
    ("wagers", "said"),
    [
        ([], "a game needs a player with at least one wager"),
        ([A_WAGER, Stakes("Bob", {})], "Bob has no wager and is not in the game; stake any of round-1, "),
        ([A_WAGER, A_WAGER], "Ann is at the table twice"),
        ([Stakes(" ", {"round-1": 100})], "' ' is not a player's name"),
        ([Stakes("A\nB", {"round-1": 100})], "is not a player's name"),
        ([Stakes("Ann", {"round-5": 100})], "there is no wager 'round-5'; the wagers are round-1, round-2"),
        ([Stakes("Ann", {"round-1": -500})], "Round 1: a stake of -$5.00 is not from $1.00 to $500.00"),
        ([Stakes("Ann", {"round-1": 0})], "Round 1: a stake of $0.00 is not from $1.00 to $500.00"),
        ([Stakes("Ann", {"round-1": 50100})], "Round 1: a stake of $501.00 is not from $1.00 to $500.00"),
    ],
)
def test_a_game_that_cannot_start(wagers: list[Stakes], said: str) -> None:
    refusal = why_not_start(house(), wagers)
    assert refusal is not None
    assert said in refusal.reason
    assert refusal.clause == "KO52-3"
    with pytest.raises(IllegalAction, match="KO52-3") as raised:
        start(house(), wagers)
    assert raised.value.message == refusal.reason
    assert "\n" not in str(raised.value)


@pytest.mark.clause("KO52-3")
def test_a_wager_after_the_first_card_is_refused() -> None:
    late = PlaceWager("Bob", "round-4", 100)
    game, _ = start(house(), [A_WAGER])
    for when, cards in [("once the game has started", ""), ("after the first card", "2c"), ("after", "As")]:
        state = game
        for dealt in parse_cards(cards):
            state, _ = step(state, dealt)
        refusal = why_not(state, late)
        assert refusal is not None
        assert refusal.clause == "KO52-3"
        assert when in refusal.reason
        with pytest.raises(IllegalAction, match=r"no wager is placed .*\(KO52-3\)"):
            step(state, late)


def match_in(row: int, rank: Rank) -> list[Card]:
    """Cards of two decks whose first match is this rank in this row."""
    before = row_without_match(Suit(row - 1))[: rank - 1]
    return [*rows_without_match(row - 1), *before, card(rank, Suit.SPADES)]


@pytest.mark.clause("KO52-4")
@pytest.mark.parametrize("row", [1, 2, 3, 4])
@pytest.mark.parametrize("rank", [Rank.ACE, Rank.SEVEN, Rank.KING])
def test_a_round_wins_when_the_first_match_is_in_its_row(row: int, rank: Rank) -> None:
    game, events = deal(match_in(row, rank), house(decks=2), stakes=EVERY_WAGER)
    assert 13 * row - 12 <= len(game.cards) <= 13 * row
    assert game.outcome == f"round-{row}"
    paid = [event for event in events if isinstance(event, WagerPaid)]
    assert [event.wager for event in paid] == [f"round-{row}"]


@pytest.mark.clause("KO52-4")
def test_all_the_way_wins_when_52_cards_do_not_match() -> None:
    cards = rows_without_match(4)
    game, _ = deal(cards[:51], stakes=EVERY_WAGER)
    assert game.outcome is None
    game, events = deal(cards, stakes=EVERY_WAGER)
    assert game.outcome == "all-the-way"
    assert len(set(game.cards)) == 52
    paid = [event.wager for event in events if isinstance(event, WagerPaid)]
    assert paid == ["all-the-way"]


@pytest.mark.clause("KO52-5")
@pytest.mark.parametrize(
    ("wager", "cards", "payment_cents"),
    [
        ("round-1", match_in(1, Rank.TWO), 500),
        ("round-2", match_in(2, Rank.TWO), 3_000),
        ("round-3", match_in(3, Rank.TWO), 10_000),
        ("round-4", match_in(4, Rank.TWO), 30_000),
        ("all-the-way", rows_without_match(4), 50_000),
    ],
)
def test_what_ten_dollars_are_paid(wager: str, cards: list[Card], payment_cents: int) -> None:
    game, events = deal(cards, house(decks=2), stakes={wager: 1_000})
    assert WagerPaid("Ann", wager, stake_cents=1_000, payment_cents=payment_cents) in events
    assert net_cents(game) == {"Ann": payment_cents}


@pytest.mark.clause("KO52-6")
def test_cards_go_left_to_right_row_by_row_until_all_spaces_are_filled() -> None:
    cards = rows_without_match(4)
    _, events = deal(cards, stakes={"all-the-way": 100})
    dealt = [event for event in events if isinstance(event, CardDealt)]
    assert [event.card for event in dealt] == cards
    assert [(event.space, event.row) for event in dealt] == [(space, space // 13 + 1) for space in range(52)]
    assert not any(event.match for event in dealt)


@pytest.mark.clause("KO52-6")
def test_the_table_waits_for_one_card_after_another_until_it_is_done() -> None:
    game, _ = start(house(), [A_WAGER])
    assert awaits(game) == CardAwaited("row 1, space A")
    for dealt in row_without_match(Suit.CLUBS):
        game, _ = step(game, dealt)
    assert awaits(game) == CardAwaited("row 2, space A")
    game, _ = step(game, parse_card("Kd"))
    assert awaits(game) == CardAwaited("row 2, space 2")
    game, _ = step(game, parse_card("2h"))
    assert awaits(game) == Done()
    assert chance(game) == ()


@pytest.mark.clause("KO52-6")
def test_no_card_is_dealt_on_a_full_layout() -> None:
    game, _ = deal(rows_without_match(4), house(decks=2), stakes={"all-the-way": 100})
    assert awaits(game) == Done()
    with pytest.raises(IllegalAction, match=r"all spaces are filled \(KO52-6\)"):
        step(game, parse_card("Ac"))


@pytest.mark.clause("KO52-7")
@pytest.mark.parametrize("row", [1, 2, 3, 4])
def test_a_match_pays_its_round_and_loses_all_later_wagers(row: int) -> None:
    game, events = deal(match_in(row, Rank.FIVE), house(decks=2), stakes=EVERY_WAGER)
    stakes = dict(zip(WAGERS, (100, 200, 300, 400, 500), strict=True))
    won = WAGERS[row - 1]
    odds = {"round-1": 0.5, "round-2": 3, "round-3": 10, "round-4": 30}[won]
    assert events[events.index(CardDealt(13 * row - 9, row, parse_card("5s"), match=True)) + 1 :] == [
        WagerPaid("Ann", won, stakes[won], int(stakes[won] * odds)),
        *(WagerCollected("Ann", wager, stakes[wager]) for wager in WAGERS[row:]),
        GameEnded(won),
    ]
    lost = sum(stakes.values()) - stakes[won]
    assert net_cents(game) == {"Ann": int(stakes[won] * odds) - lost}


@pytest.mark.clause("KO52-7")
def test_a_match_ends_the_game() -> None:
    game, _ = deal([parse_card("As")], stakes={"round-1": 100})
    assert awaits(game) == Done()
    refusal = why_not(game, parse_card("3d"))
    assert refusal is not None
    assert refusal.clause == "KO52-7"
    with pytest.raises(IllegalAction, match=r"no card is dealt after the match in Round 1 \(KO52-7\)"):
        step(game, parse_card("3d"))


@pytest.mark.clause("KO52-8")
@pytest.mark.parametrize("row", [1, 2, 3])
def test_a_row_without_a_match_loses_its_wager_at_once_and_the_game_goes_on(row: int) -> None:
    cards = rows_without_match(row)
    before, _ = deal(cards[:-1], stakes=EVERY_WAGER)
    after, events = step(before, cards[-1])
    assert events == (
        CardDealt(13 * row - 1, row, cards[-1], match=False),
        WagerCollected("Ann", f"round-{row}", 100 * row),
        MarkerMoved(f"round-{row + 1}"),
    )
    assert net_cents(before)["Ann"] - net_cents(after)["Ann"] == 100 * row
    assert after.outcome is None
    assert isinstance(awaits(after), CardAwaited)


@pytest.mark.clause("KO52-8", "KO52-9")
def test_the_last_row_loses_round_4_before_all_the_way_is_paid() -> None:
    cards = rows_without_match(4)
    before, _ = deal(cards[:-1], stakes={"round-4": 400, "all-the-way": 500})
    after, events = step(before, cards[-1])
    assert events == (
        CardDealt(51, 4, parse_card("As"), match=False),
        WagerCollected("Ann", "round-4", 400),
        MarkerMoved("all-the-way"),
        WagerPaid("Ann", "all-the-way", 500, 25_000),
        GameEnded("all-the-way"),
    )
    assert net_cents(after) == {"Ann": 24_600}


@pytest.mark.clause("KO52-9")
def test_the_marker_stands_in_the_round_in_play() -> None:
    game, events = start(house(), [A_WAGER])
    assert events[-1] == MarkerMoved("round-1")
    markers = [game.marker]
    for dealt in rows_without_match(4):
        game, _ = step(game, dealt)
        markers.append(game.marker)
    circles = [wager for wager in WAGERS[:4] for _ in range(13)]
    assert markers == [*circles, "all-the-way"]


@pytest.mark.clause("KO52-9")
def test_the_marker_stays_where_the_match_is() -> None:
    game, _ = deal(match_in(3, Rank.QUEEN), stakes={"round-1": 100})
    assert game.marker == "round-3"


@pytest.mark.clause("KO52-10")
def test_the_record_shows_every_collection_and_payment_at_its_place() -> None:
    ann, bob = Stakes("Ann", {"all-the-way": 100, "round-1": 500}), Stakes("Bob", {"round-1": 200})
    cid = Stakes("Cid", {"round-2": 1_000, "round-3": 300})
    first_row, match = row_without_match(Suit.CLUBS), parse_card("Ad")
    game, events = play(house(), [bob, ann, cid], [*first_row, match])
    assert events == (
        WagerPlaced("Bob", "round-1", 200),
        WagerPlaced("Ann", "round-1", 500),
        WagerPlaced("Ann", "all-the-way", 100),
        WagerPlaced("Cid", "round-2", 1_000),
        WagerPlaced("Cid", "round-3", 300),
        MarkerMoved("round-1"),
        *(CardDealt(space, 1, dealt, match=False) for space, dealt in enumerate(first_row)),
        WagerCollected("Bob", "round-1", 200),
        WagerCollected("Ann", "round-1", 500),
        MarkerMoved("round-2"),
        CardDealt(13, 2, match, match=True),
        WagerCollected("Ann", "all-the-way", 100),
        WagerPaid("Cid", "round-2", 1_000, 3_000),
        WagerCollected("Cid", "round-3", 300),
        GameEnded("round-2"),
    )
    assert net_cents(game) == {"Bob": -200, "Ann": -600, "Cid": 2_700}


@pytest.mark.clause("KO52-11")
@pytest.mark.parametrize(
    ("rounding", "stake_cents", "payment_cents"),
    [("cents", 500, 250), ("cents", 400, 200), ("chip", 500, 200), ("chip", 400, 200), ("chip", 100, 0)],
)
def test_half_of_an_odd_number_of_chips(rounding: str, stake_cents: int, payment_cents: int) -> None:
    game, events = deal([parse_card("Ac")], house(rounding=rounding), stakes={"round-1": stake_cents})
    assert events[1] == WagerPaid("Ann", "round-1", stake_cents, payment_cents)
    assert net_cents(game) == {"Ann": payment_cents}


@pytest.mark.clause("KO52-11")
def test_wagers_are_whole_chips() -> None:
    rules = house(limits__chip="2.50", limits__min="5.00", limits__max="100.00")
    assert why_not_start(rules, [Stakes("Ann", {"round-1": 750})]) is None
    refusal = why_not_start(rules, [Stakes("Ann", {"round-1": 600})])
    assert refusal is not None
    assert str(refusal) == "Round 1: a stake of $6.00 is not in whole chips of $2.50 (KO52-11)"


@pytest.mark.clause("KO52-6")
def test_every_seat_sees_the_open_table() -> None:
    bob = Stakes("Bob", {"round-2": 200})
    game, _ = play(house(), [A_WAGER, bob], parse_cards("2c 3c"))
    seen = view(game, 1)
    assert (seen.own, seen.wagers, seen.cards) == (bob, (A_WAGER, bob), parse_cards("2c3c"))
    assert (seen.marker, seen.outcome, seen.cards_left) == ("round-1", None, 50)
    with pytest.raises(MalformedInput, match="there is no seat 2; the seats are 0 to 1"):
        view(game, 2)
