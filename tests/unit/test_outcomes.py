"""What became of every wager of a round, by cards laid by hand: name, line, money."""

from __future__ import annotations

import pytest

from cardroom.core.cards import parse_cards
from cardroom.engine import twentyone
from cardroom.engine.twentyone import Event, Input, SpotWager, wager_outcomes
from cardroom.presentation.outcomes import outcome_words, result_words
from tests.tables import rules_of


def dealt(game: str, wagers: list[SpotWager], *said: str, **options: object) -> list[Event]:
    """The events of a round: cards such as `6d 7c`, and what players say."""
    rules = rules_of(game, {name.replace("__", "."): value for name, value in options.items()})
    meters = {"monster-match-1": 10_000_00, "monster-match-5": 50_000_00}
    shown = {wager: cents for wager, cents in meters.items() if rules.offers(wager)}
    state, events = twentyone.start(rules, wagers, meters=shown)
    inputs: list[Input] = []
    for words in said:
        if words[0] in "23456789TJQKA":
            inputs += parse_cards(words)
        else:
            inputs.append(twentyone.parse_action(words))
    _, more = twentyone.play(state, inputs)
    return [*events, *more]


def said(events: list[Event], player: str = "Ann") -> list[str]:
    return [outcome_words(one) for one in wager_outcomes(events) if one.player == player]


def net(events: list[Event], player: str = "Ann") -> int:
    return sum(one.net_cents for one in wager_outcomes(events) if one.player == player)


@pytest.mark.clause("SIDE-3", "SIDE-6")
def test_a_side_bet_is_told_by_its_line_while_the_hand_is_still_in_play() -> None:
    wager = SpotWager(1, "Ann", 10_00, {"match-up": 5_00})
    events = dealt("players-edge-21", [wager], "7d 7c 8d 9h")
    assert said(events) == ["Match Up, one unsuited, +$20"]
    assert [one.stake_cents for one in wager_outcomes(events)] == [5_00]  # the hand's stake is in none


@pytest.mark.clause("21-1.10", "SIDE-3")
def test_every_wager_of_a_round_has_its_outcome() -> None:
    wager = SpotWager(1, "Ann", 10_00, {"match-up": 5_00})
    events = dealt("players-edge-21", [wager], "7d 8c 8d 9h", "hit", "5s", "stand")
    # 7-8-5 is 20, the dealer has 8-9 and stands: 17
    assert said(events) == ["Match Up, one unsuited, +$20", "Hand, higher total, +$10"]
    assert (net(events), result_words(net(events))) == (30_00, "You won $30")
    assert twentyone.balance(events).players == {"Ann": 30_00}


@pytest.mark.clause("21-1.10")
def test_lost_and_pushed_and_bust() -> None:
    wagers = [SpotWager(1, "Ann", 4_00), SpotWager(2, "Bob", 4_00), SpotWager(3, "Cem", 4_00)]
    events = dealt(
        "blackjack",
        wagers,
        "Th 9h Tc 8d 8h Ts 7c Td",  # Ann 18, Bob 19, Cem 17; the dealer 8 and ten: 18
        *("stand", "stand", "hit", "Kd"),
    )
    assert said(events, "Ann") == ["Hand, push, wager back"]
    assert said(events, "Bob") == ["Hand, higher total, +$4"]
    assert said(events, "Cem") == ["Hand, bust, −$4"]
    assert [result_words(net(events, name)) for name in ("Ann", "Bob", "Cem")] == [
        "You broke even",
        "You won $4",
        "You lost $4",
    ]


@pytest.mark.clause("21-1.6", "BJ-3")
def test_split_hands_and_a_doubled_one_are_told_apart() -> None:
    wager = SpotWager(1, "Ann", 4_00)
    events = dealt(
        "blackjack",
        [wager],
        "8h 6d 8c Ts",
        *("split", "3d", "3s", "double", "Th", "stand", "5c"),  # 8-3-T is 21; 8-3 is 11; the dealer 21
    )
    outcomes = {one.hand: one for one in wager_outcomes(events)}
    assert [outcome_words(outcomes[hand]) for hand in (1, 2)] == [
        "Hand 1, doubled, push, wager back",
        "Hand 2, lower total, −$4",
    ]
    assert (outcomes[1].stake_cents, outcomes[1].added_cents) == (8_00, (4_00,))
    assert net(events) == -4_00


@pytest.mark.clause("21-1.7")
def test_part_of_an_insurance_is_a_wager_of_its_own() -> None:
    events = dealt("blackjack", [SpotWager(1, "Ann", 4_00)], "Th Ad 9c Ks", "insure 1")
    assert said(events) == ["Hand, dealer's blackjack, −$4", "Insurance, blackjack, +$2"]
    assert result_words(net(events)) == "You lost $2"


@pytest.mark.clause("PE21-10", "PE21-9")
def test_a_hand_that_is_given_up_is_one_outcome() -> None:
    events = dealt("players-edge-21", [SpotWager(1, "Ann", 10_00)], "Jh 9d 6c 8s", "surrender")
    assert said(events) == ["Hand, surrender, −$5"]
    assert wager_outcomes(events)[0].stake_cents == 10_00
    rescued = dealt("players-edge-21", [SpotWager(1, "Ann", 10_00)], "6h 9d 5c 8s", "double", "2c", "rescue")
    assert said(rescued) == ["Hand, doubled, rescue, −$10"]


@pytest.mark.clause("PE21-13", "PE21-13.1", "PE21-14")
def test_bonuses_have_their_names_and_envy_goes_to_the_others() -> None:
    wagers = [SpotWager(1, "Ann", 10_00), SpotWager(2, "Bob", 10_00)]
    events = dealt("players-edge-21", wagers, "7d Jh 7c 7d 9h 9s", "hit", "7d", "stand", "5c")
    assert said(events, "Ann") == ["Hand, 7-7-7 of the named suit, +$30", "Super Bonus, +$1,000"]
    assert said(events, "Bob")[0] == "Envy, +$50"
    assert net(events, "Ann") == twentyone.balance(events).players["Ann"]


@pytest.mark.clause("SIDE-4")
def test_a_jackpot_has_its_name() -> None:
    paid = twentyone.JackpotPaid(1, "Ann", "monster-match-1", 1_00, 10_000_00)
    assert [outcome_words(one) for one in wager_outcomes([paid])] == ["Monster Match $1, jackpot, +$10,000"]
