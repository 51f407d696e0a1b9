"""The house's procedures around the rounds, clause by clause (PROC-1 to PROC-7, and what the table adds)."""

from __future__ import annotations

from collections import Counter

import pytest

from cardroom.core.cards import format_cards, parse_cards
from cardroom.core.errors import MalformedInput
from cardroom.engine.twentyone import CardDealt, CardsPickedUp, RoundEnded, WagerPlaced, WagersChecked
from cardroom.table.twentyone import (
    CardBurned,
    CardsShuffled,
    CardsWashed,
    ChangeDealer,
    CutCardCameOut,
    CutCardPlaced,
    CutShoe,
    DealerChanged,
    DeckInspected,
    FairDealer,
    FloorCalled,
    Open,
    Phase,
    PilesMade,
    PlaceCutCard,
    PlaceWagers,
    ProcedureDealer,
    ShoeCommitted,
    ShoeCut,
    ShoeEnded,
    StartRound,
    StubPlugged,
    Table,
    TableOpened,
    dealer_cut_range,
    player_cut_range,
)
from cardroom.table.twentyone.procedure import cut, pile_sizes, plug, riffle, shuffle_piles, wash
from cardroom.table.twentyone.sentences import sentence
from tests.tables import GAMES, StackedDealer, all_cards, deck_texts, finish, of, refused, rules_of, table_of


def fresh(game: str = "blackjack") -> Table:
    return Table(rules_of(game), FairDealer(repeatable=1))


@pytest.mark.clause("PROC-1")
@pytest.mark.parametrize(("game", "cards"), [("blackjack", 52), ("spanish-21", 48), ("players-edge-21", 48)])
def test_every_deck_is_inspected_and_counted_then_all_are_washed(game: str, cards: int) -> None:
    events = fresh(game).open()
    assert events[:7] == (*(DeckInspected(deck, cards) for deck in range(1, 7)), CardsWashed(6 * cards))
    assert isinstance(events[-1], TableOpened)


@pytest.mark.clause("PROC-1")
@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda deck: deck.replace("7d", ""), "7d is missing"),
        (lambda deck: deck + "Ks", "Ks is there 2 times"),
        (lambda deck: deck.replace("2h", "3h"), "2h is missing; 3h is there 2 times"),
        (lambda deck: deck + "Th", "Th is no card of a spanish deck"),
        (lambda deck: "", "Ac is missing; 2c is missing; 3c is missing; 4c is missing"),
    ],
)
def test_a_deck_that_is_not_in_order_stays_out_of_play(spoil: object, why: str) -> None:
    table = fresh("spanish-21")
    decks = deck_texts(table.state.rules)
    assert callable(spoil)
    decks[3] = spoil(decks[3])
    events = table.open(decks=tuple(decks))
    (called,) = of(events, FloorCalled)
    assert called.deck == 4
    assert called.why.startswith(why)
    assert not of(events, CardsWashed)
    assert table.state.phase is Phase.CLOSED
    assert refused(table, StartRound()) == "PROC-9"
    decks[3] = decks[0]
    assert of(table.open(decks=tuple(decks)), TableOpened)


@pytest.mark.clause("PROC-1")
def test_decks_are_counted_and_a_table_opens_once() -> None:
    table = fresh()
    with pytest.raises(MalformedInput, match="5 decks were brought; the table is dealt from 6"):
        table.open(decks=tuple(deck_texts(table.state.rules)[:5]))
    table.open()
    assert refused(table, Open()) == "PROC-1"


@pytest.mark.clause("PROC-2")
@pytest.mark.parametrize(
    ("game", "cents", "allowed"),
    [
        ("blackjack", 400, True),
        ("blackjack", 300, False),
        ("blackjack", 500, False),
        ("spanish-21", 400, True),
        ("spanish-21", 800, False),
        ("players-edge-21", 200, False),
        ("players-edge-21", 300, True),
        ("players-edge-21", 50_000, True),
        ("players-edge-21", 50_100, False),
    ],
)
def test_the_limits_of_the_table(game: str, cents: int, allowed: bool) -> None:
    table = table_of(game, {"Ann": [1]})
    request = PlaceWagers("Ann", 1, cents)
    if cents < table.state.rules.limits.min:  # it may still grow, and is checked before the cards
        table.do(request)
        assert refused(table, StartRound()) == "PROC-2"
    elif allowed:
        table.do(request)
        assert of(table.deal(), WagerPlaced) == [WagerPlaced(1, "Ann", "primary", cents)]
    else:
        assert refused(table, request) == "PROC-2"


@pytest.mark.clause("PROC-4")
def test_four_equal_piles() -> None:
    assert pile_sizes(312) == (78, 78, 78, 78)
    assert pile_sizes(10) == (3, 3, 2, 2)
    table = Table(rules_of("players-edge-21"), ProcedureDealer(repeatable=1))
    table.open()
    events = table.new_shoe()
    kinds = [ShoeCommitted, PilesMade, CardsShuffled, ShoeCut, CutCardPlaced]
    assert [type(event) for event in events] == kinds
    assert of(events, PilesMade) == [PilesMade((72, 72, 72, 72))]


@pytest.mark.clause("PROC-4")
def test_the_stub_is_plugged_into_the_discards() -> None:
    # Pieces of 2 cards each go into the discards at the places 0, 8, 3 and 0.
    places = iter([0, 8, 3, 0])
    plugged = plug(list("abcdefgh"), list("STUVWX"), lambda _: next(places))
    assert "".join(plugged) == "ghabSefTUVWXcd"
    assert plug([], [1, 2], lambda n: n - 1) == [1, 2]


@pytest.mark.clause("PROC-4", "PROC-6")
@pytest.mark.parametrize("game", GAMES)
def test_after_a_shoe_all_cards_are_there_again(game: str) -> None:
    table = Table(rules_of(game), ProcedureDealer(repeatable=3))
    table.open()
    table.sit("Ann", 1_000_000)
    table.take_spot("Ann", 1)
    whole = Counter(table.state.rules.shoe().cards())
    for _ in range(2):
        table.new_shoe(player="Ann")
        assert all_cards(table) == whole
        events: tuple[object, ...] = ()
        while table.state.phase is not Phase.SHUFFLE:
            table.place_wagers("Ann", 1, 400)
            events = finish(table, "hit")
            assert all_cards(table) == whole
        plugged = next(event for event in events if isinstance(event, StubPlugged))
        assert plugged.stub + plugged.discards == sum(whole.values())


@pytest.mark.clause("PROC-5")
def test_handfuls_from_opposite_corners_go_onto_the_middle() -> None:
    # Eight cards, four piles of two, decks of two cards: with `below` always 0 a handful is one card, and the
    # card of the left hand falls first. Corners 1 and 3, then 2 and 4, in turn; later ones lie on top.
    found = shuffle_piles("abcdefgh", 2, lambda _: 0)
    assert "".join(found) == "dh" + "bf" + "cg" + "ae"


@pytest.mark.clause("PROC-5")
def test_a_riffle_keeps_the_order_of_both_hands() -> None:
    # Hands of 3 and 2 cards: 4 of 5 is right; 3 and 1: 2 of 4 is left; 2 and 1: 2 of 3 is right.
    chances = iter([4, 2, 2, 0, 0])
    assert "".join(riffle("abc", "XY", lambda _: next(chances))) == "XaYbc"
    assert "".join(riffle("abc", "", lambda _: 0)) == "abc"


@pytest.mark.clause("PROC-5")
def test_about_half_a_deck_at_a_time_until_one_pile_is_left() -> None:
    taken: list[int] = []

    def below(bound: int) -> int:
        taken.append(bound)
        return bound // 2

    assert sorted(shuffle_piles(range(312), 52, below)) == list(range(312))
    # 78 cards in a corner: 26, 26 and 26, so that 12 handfuls are taken.
    assert taken.count(9) >= 12


@pytest.mark.clause("PROC-1")
def test_a_wash_carries_cards_no_further_than_its_reach() -> None:
    state = 12345

    def below(bound: int) -> int:
        nonlocal state
        state = (1103515245 * state + 12345) % 2**31
        return state % bound

    washed = wash(range(104), below)
    assert sorted(washed) == list(range(104))
    assert washed != list(range(104))
    assert max(abs(now - before) for now, before in enumerate(washed)) <= 52


@pytest.mark.clause("PROC-6")
def test_cuts_out_of_range_are_refused() -> None:
    table = fresh()
    table.open()
    table.sit("Ann")
    assert refused(table, CutShoe("Ann", 100)) == "PROC-6"  # not shuffled yet
    table.do(table.dealer.commit(table.state.rules, 1))
    for deep in (0, 77, 157, 312, -80):
        assert refused(table, CutShoe("Ann", deep)) == "PROC-6"
        assert refused(table, CutShoe("Ann", deep, "front")) == "PROC-6"
    assert refused(table, PlaceCutCard(104)) == "PROC-6"  # the player cuts first
    assert refused(table, CutShoe("Bob", 100)) == "PROC-3"
    assert table.do(CutShoe("Ann", 156, "front")) == (ShoeCut("Ann", 156, "front"),)
    assert refused(table, CutShoe("Ann", 156)) == "PROC-6"
    for deep in (77, 131):
        assert refused(table, PlaceCutCard(deep)) == "PROC-6"
    assert refused(table, StartRound()) == "PROC-9"
    assert table.do(PlaceCutCard(78)) == (CutCardPlaced(78),)


@pytest.mark.clause("PROC-6")
def test_a_cut_that_nobody_made_is_the_houses() -> None:
    table = table_of("blackjack", {"Ann": [1]})
    (asked,) = (request for request in table.log.requests() if isinstance(request, CutShoe))
    assert asked.player is None
    assert sentence(ShoeCut(None, 117, "back")) == "nobody cut: the house cuts 117 cards from the back"
    assert sentence(ShoeCut("Ann", 117, "back")) == "Ann cuts 117 cards from the back"


@pytest.mark.clause("PROC-6")
def test_the_ranges_are_of_decks() -> None:
    six, spanish = rules_of("blackjack"), rules_of("spanish-21")
    assert (player_cut_range(six).least, player_cut_range(six).most) == (78, 156)
    assert (dealer_cut_range(six).least, dealer_cut_range(six).most) == (78, 130)
    assert (player_cut_range(spanish).least, player_cut_range(spanish).most) == (72, 144)
    # A single deck cannot be cut 1.5 decks deep: the depths are in proportion to the six decks.
    single = rules_of("blackjack", {"decks": 1})
    assert (player_cut_range(single).least, player_cut_range(single).most) == (13, 26)
    assert (dealer_cut_range(single).least, dealer_cut_range(single).most) == (13, 22)


@pytest.mark.clause("PROC-6")
def test_a_cut_moves_the_part_above_it_below() -> None:
    assert "".join(cut("abcdefgh", 3, "front")) == "defghabc"
    assert "".join(cut("abcdefgh", 3, "back")) == "fghabcde"


@pytest.mark.clause("PROC-6")
def test_the_cut_card_comes_out_before_the_first_card_behind_it() -> None:
    def play_to(cut_card: int, rounds: int) -> list[int]:
        """The cards dealt before the cut card in each round, or after the shoe is over nothing more."""
        table = Table(rules_of("blackjack", {"decks": 1}), StackedDealer())
        table.open()
        table.sit("Ann", 100_000)
        table.take_spot("Ann", 1)
        table.new_shoe(burn=False, cut_card=cut_card)
        dealt: list[int] = []
        while table.state.phase is Phase.WAGERS and len(dealt) < rounds:
            table.place_wagers("Ann", 1, 400)
            finish(table)
            assert table.state.shoe is not None
            dealt.append(table.state.shoe.dealt)
        return dealt

    dealt = play_to(13, 52)
    number, cards = next((n, cards) for n, cards in enumerate(dealt, 1) if 31 <= cards <= 38)
    assert len(play_to(52 - cards, 52)) == number + 1  # it lies right behind the round's last card
    assert len(play_to(52 - cards + 1, 52)) == number  # the round's last card lies behind it


@pytest.mark.clause("PROC-6")
def test_the_shoe_is_over_after_the_round_in_which_the_cut_card_comes_out() -> None:
    table = table_of("blackjack", {"Ann": [1]}, {"decks": 1}, cards="")
    ends_at = 52 - dealer_cut_range(table.state.rules).middle
    while table.state.phase is Phase.WAGERS:
        assert table.state.shoe is not None
        before = table.state.shoe.dealt
        table.place_wagers("Ann", 1, 400)
        events = finish(table)
        after = table.state.shoe.dealt
        came_out = bool(of(events, CutCardCameOut))
        assert came_out == (before <= ends_at < after)
        assert bool(of(events, ShoeEnded)) == came_out
        kinds = [type(event) for event in events]
        if came_out:
            assert kinds.index(CutCardCameOut) < kinds.index(RoundEnded) < kinds.index(ShoeEnded)
    assert table.state.phase is Phase.SHUFFLE
    assert refused(table, StartRound()) == "PROC-9"


def rack_of(table: Table) -> str:
    assert table.state.shoe is not None
    return format_cards(table.state.shoe.rack)


@pytest.mark.clause("PROC-7", "PROC-9")
def test_a_new_shoe_burns_one_card_when_the_wagers_have_been_checked() -> None:
    table = table_of("blackjack", {"Ann": [1]}, cards="As 9c 8c 7d 6d", burn=True)
    assert rack_of(table) == ""
    table.place_wagers("Ann", 1, 400)
    events = table.deal()
    burned = events.index(CardBurned("new shoe"))
    assert [type(event) for event in events[burned - 1 : burned + 2]] == [
        WagersChecked,
        CardBurned,
        CardDealt,
    ]
    assert rack_of(table) == "As"
    assert table.state.round is not None
    assert table.state.round.spots[0].first_two == parse_cards("9c 7d")
    finish(table)
    table.place_wagers("Ann", 1, 400)
    assert not of(table.deal(), CardBurned)


@pytest.mark.clause("PROC-7")
def test_a_dealer_who_takes_over_burns_one_card() -> None:
    table = table_of("blackjack", {"Ann": [1]}, cards="9c 8c 7d Td As 6c 5d 7h Th", burn=False)
    table.place_wagers("Ann", 1, 400)
    assert not of(table.deal(), CardBurned)
    assert refused(table, ChangeDealer("Dora")) == "PROC-7"
    finish(table)
    dealt = rack_of(table)
    assert table.do(ChangeDealer("Dora")) == (DealerChanged("Dora"),)
    table.place_wagers("Ann", 1, 400)
    assert of(table.deal(), CardBurned) == [CardBurned("new dealer")]
    assert rack_of(table) == f"{dealt}As"
    finish(table)
    table.do(ChangeDealer("Emil", burn=False))
    table.place_wagers("Ann", 1, 400)
    assert not of(table.deal(), CardBurned)


@pytest.mark.clause("PROC-7")
@pytest.mark.parametrize(
    ("shoe", "dealer", "burned"),
    [
        (True, True, [CardBurned("new shoe")]),
        (False, True, [CardBurned("new dealer")]),
        (True, False, [CardBurned("new shoe")]),
        (False, False, []),
    ],
)
def test_the_floor_may_say_otherwise(shoe: bool, dealer: bool, burned: list[CardBurned]) -> None:
    table = table_of("blackjack", {"Ann": [1]}, cards="As", burn=shoe)
    table.do(ChangeDealer("Dora", burn=dealer))
    table.place_wagers("Ann", 1, 400)
    assert of(table.deal(), CardBurned) == burned


@pytest.mark.clause("PROC-7")
def test_a_burned_card_is_seen_by_nobody() -> None:
    table = table_of("blackjack", {"Ann": [1]}, cards="As 9c 8c 7d 6d", burn=True)
    table.place_wagers("Ann", 1, 400)
    events = table.deal()
    assert "As" not in repr(table.view("Ann"))
    assert "As" not in repr(events)
    assert table.view("Ann").discards == 1


@pytest.mark.clause("PROC-9")
def test_wagers_are_checked_before_the_first_card_and_none_changes_after() -> None:
    table = table_of("players-edge-21", {"Ann": [1, 2]}, cards="")
    table.place_wagers("Ann", 1, 1000)
    table.place_wagers("Ann", 1, 500)  # until the round begins it may change
    table.do(StartRound())
    assert refused(table, PlaceWagers("Ann", 1, 1000)) == "PROC-9"
    assert refused(table, PlaceWagers("Ann", 2, 1000)) == "PROC-9"
    assert table.state.accounts["table"] == 500


@pytest.mark.clause("PROC-12", "PROC-16")
def test_used_cards_go_to_the_rack_in_the_order_of_their_pick_up() -> None:
    # Ann busts and is picked up at once; then the dealer's own cards, then Bob's.
    table = table_of("blackjack", {"Ann": [1], "Bob": [2]}, cards="Kc 9h 7s 6d Td Ts Jh")
    for player, spot in (("Ann", 1), ("Bob", 2)):
        table.place_wagers(player, spot, 400)
    events = table.deal() + table.act("Ann", 1, "hit") + table.deal() + table.act("Bob", 2, "stand")
    picked = [event.cards for event in of(events, CardsPickedUp)]
    assert [format_cards(cards) for cards in picked] == ["Kc6dJh", "7sTs", "9hTd"]
    assert table.state.shoe is not None
    assert format_cards(table.state.shoe.rack) == "Kc6dJh7sTs9hTd"


def test_the_stacked_dealer_deals_what_it_is_given() -> None:
    rules = rules_of("blackjack")
    dealer = StackedDealer("As Kd")
    assert format_cards(dealer.order(rules)[:2]) == "AsKd"
    assert Counter(dealer.order(rules)) == Counter(rules.shoe().cards())
