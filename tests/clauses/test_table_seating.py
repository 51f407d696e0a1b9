"""Who sits where and who waits, clause by clause (PROC-3)."""

from __future__ import annotations

import pytest

from cardroom.table.twentyone import (
    Phase,
    PlayerWaited,
    ReleaseSpot,
    ShoeEnded,
    SpotGivenUp,
    SpotTaken,
    StartRound,
    TakeSpot,
    Wait,
)
from tests.tables import finish, refused, table_of


@pytest.mark.clause("PROC-3")
def test_a_player_may_play_several_spots_and_a_spot_has_one_player() -> None:
    table = table_of("blackjack", {"Ann": [1, 2, 5], "Bob": [3]})
    assert table.view("Ann").own_spots == (1, 2, 5)
    assert refused(table, TakeSpot("Bob", 2)) == "PROC-3"
    assert refused(table, TakeSpot("Ann", 2)) == "PROC-3"
    assert refused(table, TakeSpot("Ann", 8)) == "PROC-3"
    assert refused(table, TakeSpot("Eve", 4)) == "PROC-3"
    assert refused(table, ReleaseSpot("Bob", 1)) == "PROC-3"
    assert refused(table, Wait("Bob")) == "PROC-3"


@pytest.mark.clause("PROC-3")
def test_more_than_two_spots_are_given_up_at_once() -> None:
    table = table_of("blackjack", {"Ann": [1, 2, 3, 4], "Bob": [5, 6, 7]})
    table.sit("Cid")
    events = table.wait("Cid")
    assert events == (
        PlayerWaited("Cid", 1),
        SpotGivenUp("Ann", 4, "somebody waits"),
        SpotGivenUp("Ann", 3, "somebody waits"),
        SpotGivenUp("Bob", 7, "somebody waits"),
        SpotTaken("Cid", 3),
    )
    assert table.state.waiting == ()
    assert [table.state.owners.get(spot) for spot in range(1, 8)] == [
        "Ann",
        "Ann",
        "Cid",
        None,
        "Bob",
        "Bob",
        None,
    ]


@pytest.mark.clause("PROC-3")
def test_in_a_round_at_once_means_after_the_round() -> None:
    table = table_of("blackjack", {"Ann": [1, 2, 3], "Bob": [4, 5], "Cid": [6, 7]}, cards="")
    table.sit("Dan")
    for spot in (1, 2):
        table.place_wagers("Ann", spot, 400)
    table.do(StartRound())
    # spot 3 is not in play, so it is given up during the round
    assert table.wait("Dan")[1:] == (SpotGivenUp("Ann", 3, "somebody waits"), SpotTaken("Dan", 3))
    table = table_of("blackjack", {"Ann": [1, 2, 3], "Bob": [4, 5], "Cid": [6, 7]}, cards="")
    table.sit("Dan")
    for spot in (1, 2, 3):
        table.place_wagers("Ann", spot, 400)
    table.do(StartRound())
    assert table.wait("Dan") == (PlayerWaited("Dan", 1),)
    assert refused(table, ReleaseSpot("Ann", 3)) == "PROC-9"
    assert finish(table)[-2:] == (SpotGivenUp("Ann", 3, "somebody waits"), SpotTaken("Dan", 3))


@pytest.mark.clause("PROC-3")
def test_a_player_on_two_gives_one_up_after_the_shoe() -> None:
    seated = {"Eve": [7], "Ann": [1, 2], "Bob": [3, 4], "Cid": [5], "Dan": [6]}
    table = table_of("blackjack", seated)
    table.place_wagers("Ann", 1, 400)
    finish(table)
    table.sit("Fay")
    assert table.wait("Fay") == (PlayerWaited("Fay", 1),)
    events: tuple[object, ...] = ()
    while table.state.phase is not Phase.SHUFFLE:
        assert table.state.owners[2] == "Ann"
        table.place_wagers("Ann", 1, 400)
        events = finish(table)
    ended = [type(event) for event in events].index(ShoeEnded)
    assert events[ended + 2 :] == (SpotGivenUp("Ann", 2, "somebody waits"), SpotTaken("Fay", 2))
    assert table.state.spots_of("Bob") == (3, 4)  # nobody waits any more
    assert table.state.spots_of("Eve") == (7,)  # who has one spot keeps it


@pytest.mark.clause("PROC-3")
def test_who_comes_between_two_shoes_does_not_wait_for_the_next_one_to_end() -> None:
    """A shoe begins with its first round: before it, a player on two gives one up at once."""
    seated = {"Ann": [1, 2], "Bob": [3], "Cid": [4], "Dan": [5], "Eve": [6], "Fay": [7]}
    seat_of_gus = (SpotGivenUp("Ann", 2, "somebody waits"), SpotTaken("Gus", 2))
    table = table_of("blackjack", seated)
    while table.state.phase is not Phase.SHUFFLE:
        table.place_wagers("Bob", 3, 400)
        finish(table)
    table.sit("Gus")
    assert table.wait("Gus")[1:] == seat_of_gus  # the old shoe is over, the cards are being shuffled
    table = table_of("blackjack", seated)
    table.sit("Gus")
    assert table.wait("Gus")[1:] == seat_of_gus  # the new shoe stands ready, nothing was dealt from it
    table = table_of("blackjack", seated)
    table.place_wagers("Bob", 3, 400)
    table.do(StartRound())
    table.sit("Gus")
    assert table.wait("Gus")[1:] == ()  # its first round is in play: the current shoe is finished first


@pytest.mark.clause("PROC-3")
def test_with_infinitely_many_decks_a_player_on_two_gives_one_up_after_the_round() -> None:
    """Such a shoe is over after each round (PROC-6), so that nobody keeps two spots for ever."""
    seated = {"Ann": [1, 2], "Bob": [3], "Cid": [4], "Dan": [5], "Eve": [6], "Fay": [7]}
    table = table_of("blackjack", seated, {"decks": "infinite"})
    for spot in (1, 2):
        table.place_wagers("Ann", spot, 400)
    table.do(StartRound())
    table.sit("Gus")
    assert table.wait("Gus") == (PlayerWaited("Gus", 1),)
    assert finish(table)[-2:] == (SpotGivenUp("Ann", 2, "somebody waits"), SpotTaken("Gus", 2))
    table = table_of("blackjack", seated, {"decks": "infinite"})
    table.sit("Gus")
    assert table.wait("Gus")[1:] == (SpotGivenUp("Ann", 2, "somebody waits"), SpotTaken("Gus", 2))


@pytest.mark.clause("PROC-3")
def test_new_players_have_priority_in_the_order_in_which_they_came() -> None:
    table = table_of("blackjack", {"Ann": [1, 2], "Bob": [3], "Cid": [4], "Dan": [5], "Eve": [6], "Fay": [7]})
    table.place_wagers("Bob", 3, 400)
    finish(table)
    for player in ("Gus", "Hal"):
        table.sit(player)
        table.wait(player)
    assert table.release_spot("Bob", 3) == (SpotGivenUp("Bob", 3, "released"), SpotTaken("Gus", 3))
    assert refused(table, Wait("Hal")) == "PROC-3"
    assert table.leave("Dan")[-1] == SpotTaken("Hal", 5)
    table = table_of("blackjack", {"Ann": [1]})
    assert refused(table, Wait("Ann")) == "PROC-3"
    table.sit("Bob")
    assert refused(table, Wait("Bob")) == "PROC-3"  # there is a free spot
