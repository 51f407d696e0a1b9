"""Knockout 21, the game: each clause of cards, hands, draws and winning by hand-made cards."""

from __future__ import annotations

from collections import Counter

import pytest

from cardroom.core.cards import CARDS, parse_cards
from cardroom.core.errors import IllegalAction, MalformedInput
from cardroom.engine.contract import CardAwaited, Done
from cardroom.engine.knockout21 import (
    Choose,
    DealerCardDealt,
    DrawSettled,
    DrawStarted,
    GameWon,
    HandPlayed,
    HitCardShown,
    Pool,
    Position,
    Ticket,
    awaits,
    basic_choices,
    cards_in_order,
    chance,
    play,
    settle,
    start,
    step,
    view,
    why_not,
    why_not_choose,
)
from cardroom.rules.knockout21 import GAME_OF_POSITION, HANDS_OF_GAME
from cardroom.rules.knockout21.law import (
    GAME_2_CHART,
    GAME_3_CHART,
    Choice,
    added_in_game_1,
    basic_choice,
    dealer_draws,
    hand_total,
    is_bust,
)
from tests.knockout21_cards import GAME_1, GAME_2, GAME_3, draw, house, stays, ticket

FIRST_CARDS = parse_cards("Th Th Th Th Th")
H, S = Choice.HIT, Choice.STAND


# 1 Cards and hands


@pytest.mark.clause("KO21-1.1")
def test_every_card_is_equally_likely_every_time() -> None:
    state, _ = start(house(), Pool((ticket(),), FIRST_CARDS))
    for card in parse_cards("Ah Ah Ah Ah Ah"):  # the same card five times: nothing runs out
        assert chance(state) == tuple((each, 1) for each in CARDS)
        assert why_not(state, card) is None
        state, _ = step(state, card)


@pytest.mark.clause("KO21-1.2")
@pytest.mark.parametrize(
    ("cards", "total"),
    [
        ("2c9d", 11),
        ("TcJd", 20),
        ("QcKd", 20),
        ("Ac6d", 17),
        ("Ac6d5h", 12),
        ("AcAd", 12),
        ("AcAdAh", 13),
        ("AcKd", 21),
        ("AcKdAh", 12),
        ("9cAd", 20),
        ("5c6dAh", 12),
        ("Ac9dAh", 21),
    ],
)
def test_values_of_cards(cards: str, total: int) -> None:
    assert hand_total([card.value for card in parse_cards(cards)]) == total


@pytest.mark.clause("KO21-1.3")
def test_22_is_a_bust_and_21_is_not() -> None:
    assert is_bust((10, 2, 10))
    assert not is_bust((10, 1, 10))
    assert not stays(GAME_2, "Tc2d:H", "9h8s+Kh")  # 22 against 17
    assert stays(GAME_2, "Tc2d:H", "9h8s+9c")  # 21


@pytest.mark.clause("KO21-1.4")
def test_a_ticket_has_fifteen_hands_of_two_cards() -> None:
    assert [len(hands) for hands in HANDS_OF_GAME.values()] == [4, 5, 6]
    assert Counter(GAME_OF_POSITION) == {1: 4, 2: 5, 3: 6}
    full = ticket()
    with pytest.raises(MalformedInput, match=r"15 hands and as many choices, not 14 and 15 \(KO21-1.4\)"):
        Ticket(full.hands[1:], full.choices)
    with pytest.raises(MalformedInput, match="'AcKdQh' is not a hand"):
        Ticket.parse("AcKdQh")


@pytest.mark.clause("KO21-1.5")
def test_dealer_and_hit_card_are_common_to_all_tickets() -> None:
    same = ticket({GAME_1: "Tc9d"})
    other = ticket({GAME_1: "Tc6d"})
    cards = draw({GAME_1: "Th9s+2c"})
    assert settle(house(), [same, other, same], cards).winners[0] == (0, 2)


@pytest.mark.clause("KO21-1.5")
def test_only_the_first_cards_of_game_2_are_known_before_the_draw() -> None:
    first = parse_cards("7h 2c Kd As 9d")
    state, events = start(house(), Pool((ticket(),), first))
    assert events == (DrawStarted(1, first),)
    seen = view(state, 0)
    assert seen.first_cards == first
    assert (seen.finished, seen.hit, seen.dealer) == ((), None, ())
    for card in cards_in_order(draw(dict.fromkeys(range(4), "ThTs+2h"))):
        if state.position == GAME_2:
            break
        state, _ = step(state, card)
    assert view(state, 0).dealer == first[:1]  # lies there before the hit card is shown
    with pytest.raises(MalformedInput, match=r"5 dealer's first cards, not 4 \(KO21-1.5\)"):
        Pool((), first[:4])


@pytest.mark.clause("KO21-1.6")
@pytest.mark.parametrize(
    ("dealer", "draws"),
    [
        ("Ah", True),
        ("Th6s", True),
        ("Th7s", False),
        ("Ah6s", False),  # soft 17 stands
        ("Ah5s", True),
        ("Ah5sTd", True),  # soft 16 became hard 16
        ("2h2s2d2c2h2s4d", True),
        ("2h2s2d2c2h2s4dAh", False),
    ],
)
def test_the_dealer_draws_to_17_and_stands_on_soft_17(dealer: str, draws: bool) -> None:
    assert dealer_draws([card.value for card in parse_cards(dealer)]) is draws


@pytest.mark.clause("KO21-1.6")
@pytest.mark.parametrize("cards", ["Th6s+2c", "Ah6s2d+2c", "Th7s5d+2c", "Ah+2c"])
def test_a_dealer_who_stops_early_or_late_is_refused(cards: str) -> None:
    with pytest.raises(MalformedInput, match=r"draws until at least 17 and no further \(KO21-1.6\)"):
        Position.parse(cards)


@pytest.mark.clause("KO21-1.7")
def test_a_player_takes_one_hit_card_at_most() -> None:
    assert not stays(GAME_3, "2c2d:H", "9h8s+2h")  # 6, and no second card
    assert stays(GAME_3, "2c5d:H", "9h8s+Kh")  # 17


# 2.6 The choices a purchase starts from


@pytest.mark.clause("KO21-2.6")
def test_a_purchase_starts_from_the_charts_and_any_choice_may_be_overridden() -> None:
    hands = ticket({4: "Tc6d:S", 5: "Ac6d:S", 9: "Tc6d:S", 10: "7c8d:S"}).hands
    first = parse_cards("6h 7h Th Th Th")
    basic = Ticket.basic(hands, first)
    assert basic.choices[4:6] == (S, S)
    assert basic.choices[9:11] == (S, H)
    assert basic.overrides(first) == ()
    changed = basic.choose(4, H).choose(10, S)
    assert changed.overrides(first) == (4, 10)
    assert changed.choose(4, S).choose(10, H) == basic
    everything = basic
    for position in range(GAME_2, 15):
        everything = everything.choose(position, S if basic.choices[position] is H else H)
    assert everything.overrides(first) == tuple(range(GAME_2, 15))


@pytest.mark.clause("KO21-2.6", "KO21-5.1")
def test_game_1_has_no_choice_to_make() -> None:
    with pytest.raises(IllegalAction, match=r"hand 1 of Game 1 asks nothing of the player.*\(KO21-5.1\)"):
        ticket().choose(GAME_1, H)
    assert str(why_not_choose(3)) == (
        "hand 4 of Game 1 asks nothing of the player; choose in Games 2 and 3 (KO21-5.1)"
    )
    assert why_not_choose(15) is not None
    assert why_not_choose(4) is None
    with pytest.raises(MalformedInput, match="hand 1 of Game 2 needs a choice"):
        Ticket(ticket().hands, (None,) * 15)


@pytest.mark.clause("KO21-2.6")
def test_no_choice_changes_during_the_draw() -> None:
    state, _ = start(house(), Pool((ticket(),), FIRST_CARDS))
    refusal = why_not(state, Choose(0, GAME_2, H))
    assert refusal is not None
    assert refusal.clause == "KO21-2.7"
    with pytest.raises(IllegalAction, match="sales of the draw have closed"):
        step(state, Choose(0, GAME_2, H))


# 3.3 Draw order


@pytest.mark.clause("KO21-3.3")
def test_hit_card_then_dealer_hand_by_hand_game_by_game() -> None:
    cards = draw({0: "7h9dTc+5s", 1: "Ah6s+2d", 4: "Th3d9c+8s"})
    state, events = play(house(), Pool((ticket(),) * 2, cards.first_cards), cards_in_order(cards))
    assert events[:10] == (
        DrawStarted(2, cards.first_cards),
        HitCardShown(0, parse_cards("5s")[0]),
        DealerCardDealt(0, parse_cards("7h")[0], 7),
        DealerCardDealt(0, parse_cards("9d")[0], 16),
        DealerCardDealt(0, parse_cards("Tc")[0], 26),
        HandPlayed(0, 26, dealer_busted=True, lucky_losers=False, staying=2),
        HitCardShown(1, parse_cards("2d")[0]),
        DealerCardDealt(1, parse_cards("Ah")[0], 11),
        DealerCardDealt(1, parse_cards("6s")[0], 17),
        HandPlayed(1, 17, dealer_busted=False, lucky_losers=False, staying=2),
    )
    in_game_2 = [event for event in events if getattr(event, "position", None) == 4]
    assert in_game_2 == [  # the first card is not drawn again
        HitCardShown(4, parse_cards("8s")[0]),
        DealerCardDealt(4, parse_cards("3d")[0], 13),
        DealerCardDealt(4, parse_cards("9c")[0], 22),
        HandPlayed(4, 22, dealer_busted=True, lucky_losers=False, staying=2),
    ]
    assert [event.position for event in events if isinstance(event, HandPlayed)] == list(range(15))
    order = [event for event in events if isinstance(event, HandPlayed | GameWon | DrawSettled)]
    assert [type(event).__name__ for event in order].count("DrawSettled") == 1
    assert [place for place, event in enumerate(order) if isinstance(event, GameWon)] == [4, 10, 17]
    assert isinstance(order[-1], DrawSettled)
    assert isinstance(awaits(state), Done)
    assert state.draw == cards
    assert state.settlement == settle(house(), state.pool.tickets, cards)


@pytest.mark.clause("KO21-3.3")
def test_what_is_awaited_and_what_comes_after_the_end() -> None:
    state, _ = start(house(), Pool((), FIRST_CARDS))
    assert awaits(state) == CardAwaited("hit card, hand 1 of Game 1")
    state, _ = step(state, CARDS[0])
    assert awaits(state) == CardAwaited("dealer's card, hand 1 of Game 1")
    state, _ = play(house(), Pool((), FIRST_CARDS), cards_in_order(draw()))
    assert chance(state) == ()
    with pytest.raises(IllegalAction, match=r"after the last hand of Game 3 \(KO21-3.3\)"):
        step(state, CARDS[0])


# 4 Winning


@pytest.mark.clause("KO21-4.1")
@pytest.mark.parametrize(
    ("hand", "stays_in"), [("Tc9d:S", True), ("Tc8d:S", True), ("Tc7d:S", False), ("Tc7d:H", False)]
)
def test_beating_or_tying_stays_and_losing_or_busting_goes(hand: str, stays_in: bool) -> None:
    assert stays(GAME_2, hand, "Th8s+5c") is stays_in  # the dealer has 18; a hit on 17 makes 22


@pytest.mark.clause("KO21-4.1", "KO21-4.5")
def test_out_of_a_game_is_out_even_with_better_hands_later() -> None:
    loser = ticket({GAME_3 + 1: "Tc7d:S", GAME_3 + 2: "AcKd:S"})
    settled = settle(house(), [loser, ticket()], draw({GAME_3 + 1: "Th8s+5c"}))
    assert settled.winners == ((0, 1), (0, 1), (1,))


@pytest.mark.clause("KO21-4.2")
@pytest.mark.parametrize(
    ("hand", "cards", "stays_in"),
    [
        ("7c7d:H", "AhKs+7h", False),  # three cards against two
        ("AcKd:S", "AhKs+7h", True),  # two against two
        ("AcKd:S", "7h7s7d+2c", True),  # two against three
        ("7c7d:H", "7h7s7d+7h", True),  # three against three
        ("9c2d:H", "2h3s6dTs+Th", True),  # three against four
        ("TcTd:S", "AhKs+7h", False),
    ],
)
def test_the_one_tie_that_loses(hand: str, cards: str, stays_in: bool) -> None:
    assert stays(GAME_2, hand, cards) is stays_in
    assert stays(GAME_3, hand, cards) is stays_in


@pytest.mark.clause("KO21-4.2")
def test_the_one_tie_that_loses_in_game_1_too() -> None:
    assert not stays(GAME_1, "7c7d", "AhKs+7h")


@pytest.mark.clause("KO21-4.3")
def test_a_dealer_bust_wins_for_all_but_the_busted() -> None:
    assert stays(GAME_2, "2c2d:S", "Th6sTd+Kc")
    assert not stays(GAME_2, "Tc6d:H", "Th6sTd+Kc")


@pytest.mark.clause("KO21-4.3", "KO21-4.4")
def test_a_dealer_bust_when_everybody_busted_makes_lucky_losers() -> None:
    busted = ticket({GAME_2: "Tc6d:H"})
    settled = settle(house(), [busted, busted], draw({GAME_2: "Th6sTd+Kc"}))
    assert settled.winners[1] == (0, 1)
    assert settled.lucky_loser_positions == (GAME_2,)


@pytest.mark.clause("KO21-4.4")
def test_lucky_losers_are_all_who_were_in_the_hand_and_nobody_else() -> None:
    early = ticket({GAME_2: "Tc5d:S"})  # loses hand 1
    loser = ticket({GAME_2 + 1: "Tc5d:S"})  # loses hand 2
    busted = ticket({GAME_2 + 1: "Tc5d:H"})  # busts in hand 2
    cards = draw({GAME_2 + 1: "Th9s+Kc"})
    settled = settle(house(), [early, loser, busted], cards)
    assert settled.winners[1] == (1, 2)
    assert settled.lucky_loser_positions == (GAME_2 + 1,)
    # A fourth ticket, out since hand 1, does not spoil it; one in the hand that wins it does.
    assert settle(house(), [early, loser, busted, early], cards).winners[1] == (1, 2)
    assert settle(house(), [early, loser, busted, ticket()], cards).winners[1] == (3,)


@pytest.mark.clause("KO21-4.4")
def test_one_tie_is_enough_against_lucky_losers() -> None:
    tied = ticket({GAME_3: "Tc9d:S"})
    loser = ticket({GAME_3: "Tc8d:S"})
    settled = settle(house(), [loser, tied], draw({GAME_3: "Th9s+Kc"}))
    assert settled.winners[2] == (1,)
    assert settled.lucky_loser_positions == ()


@pytest.mark.clause("KO21-4.4")
@pytest.mark.parametrize(("game", "last"), [(1, 3), (2, 8), (3, 14)])
def test_lucky_losers_of_the_last_hand_win_the_game(game: int, last: int) -> None:
    loser = ticket({last: "Tc8d:S"})
    out = ticket({last - 1: "Tc7d:S", last: "Tc8d:S"})
    settled = settle(house(), [loser, out, loser], draw({last: "Th9s+Kc"}))
    assert settled.winners[game - 1] == (0, 2)
    assert settled.lucky_loser_positions == (last,)
    assert settled.prizes_cents[0] > settled.prizes_cents[1]


@pytest.mark.clause("KO21-4.4")
def test_a_lone_ticket_wins_everything_whatever_it_holds() -> None:
    worst = ticket(rest="Tc6d:H")
    settled = settle(house(), [worst], draw(rest="AhKs+Kc"))
    assert settled.lucky_loser_positions == tuple(range(15))
    assert settled.games_won(0) == (1, 2, 3)
    assert settled.prizes_cents == (45_00,)


@pytest.mark.clause("KO21-4.5")
def test_a_game_is_won_by_winning_every_hand_and_games_are_separate() -> None:
    for position in range(15):
        loser = ticket({position: "Tc5d:S"})
        settled = settle(house(), [loser, ticket()], draw({position: "Th9s+9c"}))
        lost = GAME_OF_POSITION[position]
        assert settled.games_won(0) == tuple(game for game in (1, 2, 3) if game != lost), position
        assert settled.games_won(1) == (1, 2, 3)


# 5 Hit and stand


@pytest.mark.clause("KO21-5.1")
@pytest.mark.parametrize(
    ("start_cards", "hit", "added", "added_literally"),
    [
        ("Tc6d", "5h", True, True),
        ("Tc6d", "6h", False, False),
        ("Tc6d", "Ah", True, True),
        ("Ac9d", "5h", False, True),  # a soft 20 would become 15
        ("Ac9d", "Ah", True, True),
        ("Ac7d", "3h", True, True),
        ("Ac7d", "4h", False, True),
        ("AcKd", "Ah", False, True),
        ("AcAd", "9h", True, True),
        ("AcAd", "Th", False, True),
        ("9c2d", "Ah", True, True),  # 12: an ace as hit card counts what serves the hand
    ],
)
def test_game_1_adds_a_hit_card_that_does_not_bust(
    start_cards: str, hit: str, added: bool, added_literally: bool
) -> None:
    values = [card.value for card in parse_cards(start_cards)]
    (card,) = parse_cards(hit)
    assert added_in_game_1("ace-keeps-value", values, card.value) is added
    assert added_in_game_1("literal", values, card.value) is added_literally


@pytest.mark.clause("KO21-5.1")
def test_the_two_readings_of_game_1_end_differently() -> None:
    cards = "Th9s+5h"  # the dealer has 19
    assert stays(GAME_1, "Ac9d", cards, house())
    tickets = [ticket({GAME_1: "Ac9d"}), ticket({GAME_1: "Tc4d"})]
    literal = settle(house(game_1_hit="literal"), tickets, draw({GAME_1: cards}))
    assert literal.winners[0] == (1,)  # 15 loses, 19 ties


@pytest.mark.clause("KO21-5.1")
def test_no_player_busts_in_game_1() -> None:
    for reading in ("ace-keeps-value", "literal"):
        rules = house(game_1_hit=reading)
        for hit in CARDS[:13]:
            for one in CARDS[:13]:
                for two in CARDS[:13]:
                    values = [one.value, two.value]
                    if added_in_game_1(rules.game_1_hit, values, hit.value):
                        assert not is_bust([*values, hit.value])


@pytest.mark.clause("KO21-5.2", "KO21-5.3")
@pytest.mark.parametrize("position", [GAME_2, GAME_3])
def test_hit_adds_even_what_busts_and_stand_never_adds(position: int) -> None:
    assert not stays(position, "Tc9d:H", "Th8s+5h")  # 24
    assert stays(position, "Tc9d:S", "Th8s+5h")
    assert stays(position, "Tc4d:H", "Th8s+5h")
    assert not stays(position, "Tc4d:S", "Th8s+5h")  # 19 was there to be had
    assert not stays(position, "Ac9d:H", "Th8s+5h")  # a soft 20 becomes 15, as chosen


@pytest.mark.clause("KO21-5.2")
def test_the_game_2_chart_cell_by_cell() -> None:
    columns = "A23456789T"
    stand_against = {
        **dict.fromkeys(["4", "5", "6", "7", "8", "9", "10", "11", "12"], ""),
        **dict.fromkeys(["A/A", "A/2", "A/3", "A/4", "A/5"], ""),
        "A/6": "7",
        "A/7": "A2345678T",
        **dict.fromkeys(["A/8", "A/9", "17", "18", "19", "20", "21"], columns),
        "13": "456",
        **dict.fromkeys(["14", "15", "16"], "23456"),
    }
    assert set(GAME_2_CHART) == set(stand_against)
    for row, stands in stand_against.items():
        for column, advice in zip(columns, GAME_2_CHART[row], strict=True):
            assert advice == ("S" if column in stands else "H"), (row, column)


@pytest.mark.clause("KO21-5.3")
def test_the_game_3_chart_row_by_row() -> None:
    hits = {*map(str, range(4, 16)), "A/A", "A/2", "A/3", "A/4", "A/5", "A/6"}
    stands = {*map(str, range(16, 22)), "A/7", "A/8", "A/9"}
    assert {row for row, advice in GAME_3_CHART.items() if advice == "H"} == hits
    assert {row for row, advice in GAME_3_CHART.items() if advice == "S"} == stands


@pytest.mark.clause("KO21-5.2", "KO21-5.3")
def test_hands_find_their_row() -> None:
    assert basic_choice(1, (10, 6)) is None
    assert basic_choice(3, (8, 8)) is S  # 16
    assert basic_choice(3, (1, 10)) is S  # 21
    assert basic_choice(3, (1, 1)) is H
    assert basic_choice(2, (7, 1), 9) is H  # the ace may be the second card
    assert basic_choice(2, (7, 1), 10) is S
    with pytest.raises(ValueError, match="needs the dealer's first card"):
        basic_choice(2, (7, 1))
    first = parse_cards("9h Kh 7h 4h 3h")
    hands = ticket({4: "7cAd", 5: "7cAd", 6: "6cAd", 7: "9c4d", 8: "9c4d", 9: "9c7d"}).hands
    assert basic_choices(hands, first)[4:10] == (H, S, S, S, H, S)
