"""Records of the blackjack family: what a forger changes is named, even with every seal made again."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from cardroom.core.cards import Card, parse_cards
from cardroom.core.decks import CardCounts
from cardroom.engine import twentyone
from cardroom.engine.twentyone import SpotWager
from cardroom.fair import Binding, Seed, verify_record
from cardroom.fair.deals import reshuffled_discards
from cardroom.fair.record import canonical, seal
from cardroom.rules.round_head import RulesForm
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.twentyone import Phase, Table
from tests.tables import CHIPS, finish, of, table_of


@cache
def recorded(decks: int) -> str:
    """The record of a whole shoe, a few players hitting as often as they may; one deck runs out."""
    seated = {f"P{spot}": [spot] for spot in range(1, 8)}
    table: Table = table_of("spanish-21", seated, {"decks": decks}, chips=10 * CHIPS, burn=True)
    while table.state.phase is not Phase.SHUFFLE:
        for player, (spot,) in seated.items():
            table.place_wagers(player, spot, 400)
        events = finish(table, "hit")
        assert bool(of(events, twentyone.DiscardsShuffled)) == (decks == 1 and bool(table.records))
    return table.records[0]


def rules_of(fields: dict[str, Any]) -> TwentyOneRules:
    """The rules of a record."""
    return TwentyOneRules.model_validate(fields["rules"])


def forged(record: str, change: Callable[[dict[str, Any]], None]) -> str:
    """The record changed, with all its seals made again."""
    fields = json.loads(record)
    del fields["seals"]
    change(fields)
    return canonical({**fields, "seals": {name: seal(name, value) for name, value in fields.items()}})


def findings(record: str) -> list[str]:
    return [str(finding) for finding in verify_record(record).findings]


@pytest.mark.parametrize("decks", [1, 2, 6])
def test_a_whole_shoe_holds(decks: int) -> None:
    assert findings(recorded(decks)) == []
    assert findings(forged(recorded(decks), lambda _: None)) == []


@pytest.mark.requirement("R-11", "R-12")
@pytest.mark.parametrize("decks", [1, 6])
def test_no_round_is_left_out_put_in_or_moved(decks: int) -> None:
    def without(place: int) -> Callable[[dict[str, Any]], None]:
        return lambda fields: fields["rounds"].pop(place)

    def twice(fields: dict[str, Any]) -> None:
        fields["rounds"].insert(2, fields["rounds"][1])

    def moved(fields: dict[str, Any]) -> None:
        fields["rounds"][1:3] = fields["rounds"][2:0:-1]

    for change in (without(0), without(1), twice, moved):
        assert findings(forged(recorded(decks), change)), change
    assert findings(forged(recorded(decks), without(-1))) == []  # a shoe may end early


@pytest.mark.clause("21-1.13")
def test_the_reshuffled_discards_are_those_of_the_secret() -> None:
    """The same round, played again with the discards in any other order, does not pass."""
    record = recorded(1)
    fields = json.loads(record)
    game, _ = twentyone.replay(fields["rounds"][-1], rules_of(fields))
    from_shoe = game.opening.shoe.total
    cards = [asked for asked in game.inputs if isinstance(asked, Card)]
    assert len(cards) > from_shoe + 1
    swapped = [*cards[:from_shoe], cards[from_shoe + 1], cards[from_shoe], *cards[from_shoe + 2 :]]
    assert swapped != cards
    other = _played_on(game, swapped)

    def change(fields: dict[str, Any]) -> None:
        fields["rounds"][-1] = twentyone.format_round(other, RulesForm.APART)

    (finding,) = findings(forged(record, change))
    assert f"card {from_shoe + 1} is {swapped[from_shoe]}, but the shoe holds {cards[from_shoe]}" in finding


def _played_on(game: twentyone.Round, cards: list[Card]) -> twentyone.Round:
    """A round from the same opening with other cards, everybody hitting, then whatever card is left."""
    state, _ = twentyone.start(
        game.rules, game.opening.wagers, game.opening.shoe, discards=game.opening.discards
    )
    coming = iter(cards)
    while not isinstance(awaited := twentyone.awaits(state), twentyone.Done):
        if isinstance(awaited, twentyone.Turn):
            hit = twentyone.Action.HIT
            state, _ = twentyone.step(state, hit if hit in awaited.options else awaited.options[0])
        else:
            card = next(coming, None)
            if card is None or twentyone.why_not(state, card) is not None:
                card = twentyone.chance(state)[0][0]
            state, _ = twentyone.step(state, card)
    return state


def test_a_shoe_cut_short_does_not_hide_that_the_round_went_on() -> None:
    """Cards left out of the record are not taken for a shoe that ran out."""

    def change(fields: dict[str, Any]) -> None:
        fields["cards"] = fields["cards"][: 2 * 40]

    assert any("but the shoe holds None there" in line for line in findings(forged(recorded(2), change)))


@pytest.mark.parametrize(
    ("notation", "said"),
    [
        ("burn", "is not a line of a round"),
        ("burn Kx\n", "not a card"),
        ("burn kc", "a burned card is written like: burn Kh"),
        (5, "is not text"),
    ],
)
def test_what_is_no_burn(notation: object, said: str) -> None:
    def change(fields: dict[str, Any]) -> None:
        fields["rounds"][0] = notation

    assert any(said in line for line in findings(forged(recorded(6), change)))


def test_a_round_of_other_rules_or_unfinished_is_named() -> None:
    record = recorded(6)
    other = table_of("spanish-21", {"Ann": [1]}, {"decks": 8}).state.rules
    shoe = json.loads(record)["cards"]

    def with_round(game: twentyone.Round) -> list[str]:
        def change(fields: dict[str, Any]) -> None:
            fields["rounds"] = [fields["rounds"][0], twentyone.format_round(game, RulesForm.APART)]

        return findings(forged(record, change))

    started, _ = twentyone.start(other, [SpotWager(1, "Ann", 400)])
    assert any("other rules" in line for line in with_round(started))
    own, _ = twentyone.replay(json.loads(record)["rounds"][1])
    unfinished, _ = twentyone.start(
        own.rules, own.opening.wagers, own.opening.shoe, discards=own.opening.discards
    )
    assert any("not over" in line for line in with_round(unfinished))
    fresh, _ = twentyone.start(own.rules, own.opening.wagers)
    fresh, _ = twentyone.play(fresh, parse_cards(shoe)[1:17])
    if not isinstance(twentyone.awaits(fresh), twentyone.Done):
        fresh = _played_on(fresh, list(parse_cards(shoe)[1:]))
    assert any("another shoe" in line for line in with_round(fresh))


def test_a_round_with_other_discards_is_named() -> None:
    record = recorded(6)
    own, _ = twentyone.replay(json.loads(record)["rounds"][1])
    other, _ = twentyone.start(own.rules, own.opening.wagers, own.opening.shoe)
    other, _ = twentyone.play(other, own.inputs)

    def change(fields: dict[str, Any]) -> None:
        fields["rounds"][1] = twentyone.format_round(other, RulesForm.APART)

    (finding,) = findings(forged(record, change))
    # The burned card stands before it in the record and is no round: this is what the player saw as round 1.
    assert finding == "round 1: the round began with other discards than the cards before it"


@pytest.mark.clause("21-1.13")
def test_a_shoe_that_ran_out_is_over() -> None:
    """Another round after it, dealt from all cards shuffled again by the same secret, is named."""
    record = recorded(1)
    fields = json.loads(record)
    rules = rules_of(fields)
    whole = rules.shoe()
    binding = Binding("spanish-21", fields["rules_hash"], fields["shoe_id"], fields["deck"])
    cards = reshuffled_discards(
        Seed.parse(fields["secret"]), binding, whole.cards(), salt=bytes.fromhex(fields["salt"])
    )
    opening, _ = twentyone.start(rules, [SpotWager(1, "P1", 400)], CardCounts.of_cards(()), discards=whole)
    extra = _played_on(opening, list(cards))

    def change(fields: dict[str, Any]) -> None:
        fields["rounds"].append(twentyone.format_round(extra, RulesForm.APART))

    (finding,) = findings(forged(record, change))
    assert "but the shoe holds None there" in finding
