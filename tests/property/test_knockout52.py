"""Knockout 52 for whatever cards and wagers: money, replay, notation, options, live chances."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.core.errors import CardroomError, IllegalAction, MalformedInput
from cardroom.engine.knockout52 import (
    Event,
    Game,
    GameEnded,
    GameRecord,
    Stakes,
    WagerCollected,
    WagerPaid,
    WagerPlaced,
    chance,
    format_game,
    net_cents,
    parse_game,
    play,
    replay,
    start,
    step,
    view,
)
from cardroom.exact.knockout52 import live_chances
from cardroom.rules.knockout52 import WAGERS
from tests.knockout52_tables import house

NAMES = st.text(min_size=1, max_size=12).filter(lambda name: bool(name.strip()) and name.isprintable())
STAKES = st.dictionaries(
    st.sampled_from(WAGERS), st.integers(1, 500).map(lambda dollars: 100 * dollars), min_size=1
)
RULES = st.builds(
    lambda decks, rounding, pays: house(decks=decks, rounding=rounding, pays__round_2=pays),
    st.sampled_from([1, 2, 4, 6, 8]),
    st.sampled_from(["cents", "chip"]),
    st.sampled_from(["3:1", "7:2", "4 to 3"]),
)


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    """The inputs of a game with some players, dealt to its end or to any card before."""
    rules = draw(RULES)
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    wagers = tuple(Stakes(name, draw(STAKES)) for name in names)
    shuffled = draw(st.randoms(use_true_random=False))
    # A match is put off with some luck, so that long games are as common as short ones.
    patience = draw(st.integers(0, 3))
    game, _ = start(rules, wagers)
    for space in range(draw(st.integers(0, 52))):
        if game.outcome is not None:
            break
        cards, weights = zip(*chance(game), strict=True)
        drawn = shuffled.choices(cards, weights, k=patience + 1)
        rank = rules.layout.rank_of_space(space)
        game, _ = step(game, next((card for card in drawn if card.rank != rank), drawn[-1]))
    return GameRecord.of(game)


def money_moved(events: tuple[Event, ...]) -> dict[str, dict[str, int]]:
    """By player: cents staked, collected by the house, returned, and paid by the house."""
    moved: dict[str, dict[str, int]] = {}

    def add(player: str, way: str, cents: int) -> None:
        ways = moved.setdefault(player, dict.fromkeys(("staked", "collected", "returned", "paid"), 0))
        ways[way] += cents

    for event in events:
        match event:
            case WagerPlaced():
                add(event.player, "staked", event.stake_cents)
            case WagerCollected():
                add(event.player, "collected", event.stake_cents)
            case WagerPaid():
                add(event.player, "returned", event.stake_cents)
                add(event.player, "paid", event.payment_cents)
    return moved


@pytest.mark.slow
@given(records())
def test_money_is_conserved(record: GameRecord) -> None:
    game, events = replay(record)
    net = net_cents(game)
    for player, cents in money_moved(events).items():
        assert net[player] == cents["paid"] - cents["collected"]
        still_on_the_table = cents["staked"] - cents["collected"] - cents["returned"]
        assert still_on_the_table == 0 if game.outcome else still_on_the_table >= 0


@pytest.mark.slow
@given(records())
def test_every_wager_is_settled_once_and_at_the_end_all_are(record: GameRecord) -> None:
    game, events = replay(record)
    placed = [(e.player, e.wager) for e in events if isinstance(e, WagerPlaced)]
    settled = [(e.player, e.wager) for e in events if isinstance(e, WagerCollected | WagerPaid)]
    assert len(set(settled)) == len(settled)
    assert set(settled) <= set(placed)
    if game.outcome is not None:
        assert set(settled) == set(placed)
        assert events[-1] == GameEnded(game.outcome)


@pytest.mark.slow
@given(records())
def test_a_replay_is_the_same_game_to_the_bit(record: GameRecord) -> None:
    game, events = play(record.rules, record.wagers, record.cards)
    text = format_game(game)
    assert parse_game(text) == record
    assert replay(text) == (game, events)
    assert str(parse_game(text)) == text
    assert hash(replay(text)[0]) == hash(game)


@given(records(), st.integers(0, 3))
def test_a_view_holds_nothing_but_the_open_table(record: GameRecord, seat: int) -> None:
    game, _ = replay(record)
    seat %= len(game.wagers)
    seen = view(game, seat)
    assert seen.own == game.wagers[seat]
    rebuilt, _ = play(game.rules, seen.wagers, seen.cards)
    assert rebuilt == game


@pytest.mark.slow
@given(records())
def test_live_chances_are_the_mean_of_what_they_become(record: GameRecord) -> None:
    """Exactly: the chance now is the chance after each card, weighed with the cards that are left."""
    game, _ = replay(record)
    now = live(game)
    assert sum(now.values()) == 1
    assert all(0 <= chance <= 1 for chance in now.values())
    if game.outcome is not None:
        assert now[game.outcome] == 1
        return
    cards = chance(game)
    total = sum(weight for _, weight in cards)
    by_rank = {card.rank: step(game, card)[0] for card, _ in cards}
    after = {rank: live(dealt) for rank, dealt in by_rank.items()}
    for wager, now_chance in now.items():
        mean = sum((weight * after[card.rank][wager] for card, weight in cards), Fraction(0)) / total
        assert mean == now_chance


def live(game: Game) -> dict[str, Fraction]:
    return live_chances(game.rules.layout, game.rules.cards_per_rank, game.cards)


@given(records())
def test_wagers_that_lost_have_no_chance_left(record: GameRecord) -> None:
    game, events = replay(record)
    chances = live(game)
    for event in events:
        if isinstance(event, WagerCollected):
            assert chances[event.wager] == 0
        if isinstance(event, WagerPaid):
            assert chances[event.wager] == 1


@pytest.mark.slow
@given(records(), st.data())
def test_a_damaged_text_is_refused_or_reads_as_some_game(record: GameRecord, data: st.DataObject) -> None:
    """Whatever is done to a text, the answer is a game or one line that says what is wrong."""
    text = str(record)
    place = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:place] + data.draw(st.text(max_size=3)) + text[place + data.draw(st.integers(0, 3)) :]
    said = ""
    try:
        replay(damaged)
    except CardroomError as error:
        said = str(error)
    assert "\n" not in said


GAME = """game knockout-52
rules {hash}
player "Ann": round-1 5.00, all-the-way 1.00
player "Bob \\"B\\"": round-2 10.00
row 1: 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac
row 2: 2d 2h
""".replace("{hash}", house().rules_hash)


def test_the_text_of_a_game_is_readable() -> None:
    game, events = replay(GAME)
    assert format_game(game) == GAME
    assert game.outcome == "round-2"
    assert net_cents(game) == {"Ann": -600, 'Bob "B"': 3_000}
    assert events[-1] == GameEnded("round-2")


def test_options_that_differ_stand_in_the_text() -> None:
    rules = house(decks=8, pays__round_2="7:2", title="Knockout “52”")
    text = str(GameRecord(rules, (Stakes("Ann", {"round-1": 100}),), ()))
    assert text.splitlines()[2:] == [
        "set decks = 8",
        'set pays.round_2 = "7:2"',
        'set title = "Knockout “52”"',
        'player "Ann": round-1 1.00',
    ]
    assert parse_game(text).rules == rules


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("game knockout-52", "game blackjack", "not one of the games asked for here"),
        ("rules ", "rulers ", "is not a line of a game here"),
        ("player", "set decks = 2\nplayer", "the options written here make rules"),
        ("player", "set decks = 3\nplayer", "decks = 3 is not allowed"),
        ("player", "set decks : 3\nplayer", "is not an option; write it like: set decks = 8"),
        ('"Ann"', "Ann", 'is not a player; write it like: player "Ann": round-1 5.00'),
        ("all-the-way 1.00", "round-1 1.00", "Ann stakes round-1 twice"),
        ("5.00", "five", "'five' is not an amount of money"),
        ("5.00", "-5.00", r"a stake of -\$5.00 is not from"),
        ("row 2", "row 3", "is out of place; here comes: row 2"),
        (" Kc Ac", " Kc", "row 1 has 12 cards; a row holds 13"),
        ("2d 2h", "2d 2c", "2c cannot come now"),
        ("2d 2h", "2d 2x", "'2x' is not a card"),
        ("2d 2h", "Ad 2h", "no card is dealt after the match in Round 2"),
    ],
)
def test_what_is_wrong_with_a_text_is_said(old: str, new: str, said: str) -> None:
    with pytest.raises((MalformedInput, IllegalAction), match=said):
        replay(GAME.replace(old, new, 1))
