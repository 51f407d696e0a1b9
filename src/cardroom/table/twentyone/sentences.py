"""Every event of a table as a sentence, for screens and replays; those of a round are presentation's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cardroom.engine import twentyone
from cardroom.presentation import wager_title
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted
from cardroom.presentation.sentences import twentyone_sentence
from cardroom.rules.base import HouseRules
from cardroom.table.twentyone import events as table
from cardroom.table.twentyone.events import OwnEvent, TableEvent

_LEFT: Final = {
    "said so": "{} leaves",
    "gone": "{} is gone: the house gives the spots up",
    "idle": "{} has done nothing for long: the house gives the spots up",
    "offer lapsed": "{} did not use the spot that was kept: the house gives it up",
    "table closes": "the table closes: {} leaves",
    "floor": "the floor takes the spots from {}",
}


def round_sentences(
    events: Iterable[twentyone.Event], rules: HouseRules | None = None, *, by_clock: bool
) -> list[str]:
    """The events of one step of a round in words; where the clock decided, no person is said to have."""
    said = []
    for event in events:
        if by_clock and isinstance(event, twentyone.ActionTaken):
            said.append(sentence(table.ClockDecided(event.player, event.spot, str(event.action))))
        else:
            said.append(sentence(event, rules))
    return said


def sentence(event: TableEvent, rules: HouseRules | None = None) -> str:
    """What happened, as a sentence of the floor; a wager is called as the rules call it.

    >>> sentence(table.SpotTaken("Ann", 2))
    'Ann takes spot 2'
    """
    return _own(event, rules) if isinstance(event, OwnEvent) else twentyone_sentence(event, rules)


def _own(event: OwnEvent, rules: HouseRules | None) -> str:
    match event:
        case table.DeckInspected():
            return f"deck {event.deck} inspected: {event.cards} cards"
        case table.FloorCalled():
            return f"the floor is called: deck {event.deck} is out of play: {event.why}"
        case table.CardsWashed():
            return f"{event.cards} cards washed face down"
        case table.TableOpened():
            return f"the table opens: {event.game}, rules {event.rules_hash[:12]}"
        case table.TableClosed():
            return "the table closes"
        case table.MeterOpened():
            return f"meter of {wager_title(event.wager, rules)} opens at {dollars(event.seed_cents)}"
        case table.RulesChanged():
            return f"{event.who} changes the rules from {event.before[:12]} to {event.after[:12]}"
        case table.StubPlugged():
            return f"the stub of {event.stub} cards is plugged into {event.discards} discards"
        case table.PilesMade():
            return f"four piles: {', '.join(map(str, event.cards))} cards"
        case table.ShoeCommitted():
            return f"shoe {event.shoe}: commitment {event.commitment}"
        case table.CardsShuffled():
            return f"{event.cards} cards shuffled ({event.mode})"
        case table.ShoeCut():
            who = event.player or "nobody cut: the house"
            return f"{who} cuts {event.cards_deep} cards from the {event.end}"
        case table.CutCardPlaced():
            waived = "" if event.burn else "; no card is burned"
            return f"the cut card goes in {event.cards_deep} cards from the back{waived}"
        case table.CardBurned():
            return f"a card is burned: {event.why}"
        case table.RoundStarted():
            return f"round {event.round}"
        case table.CutCardCameOut():
            return "the cut card is out: the last round of this shoe"
        case table.ShoeEnded():
            return f"shoe {event.shoe} is over: {event.dealt} cards dealt, {event.left} left"
        case table.StakesHeld():
            return f"the {dollars(event.held_cents)} that {event.player} staked are held for the round"
        case table.StakesReleased():
            return f"the {dollars(event.held_cents)} held of {event.player} go into the circles"
        case table.ClockDecided():
            return (
                f"spot {event.spot}: {event.player} gave no answer in time; the clock decides: {event.action}"
            )
        case table.DealerChanged():
            return f"{event.dealer} takes over the table{'' if event.burn else '; no card is burned'}"
        case table.SaltCommitted():
            return f"{event.player} adds a salt: hash {event.salt_hash[:12]}"
        case table.SaltsAsked():
            return f"no more wagers: the salts of {counted(event.salts, 'player')} are asked for"
        case table.SaltRevealed():
            return f"{event.player} reveals the salt {event.salt[:12]}"
        case table.SaltsTaken():
            left_out = f"; {event.left_out} not revealed in time and left out" if event.left_out else ""
            return f"{counted(event.revealed, 'salt')} in the shoe{left_out}"
        case _:
            return _people(event)


def _people(
    event: table.PlayerSat
    | table.PlayerWaited
    | table.PlayerLeft
    | table.SpotTaken
    | table.SpotGivenUp
    | table.WagersSet
    | table.WagersCleared
    | table.WagersReturned,
) -> str:
    match event:
        case table.PlayerSat():
            return f"{event.player} comes to the table"
        case table.PlayerWaited():
            return f"{event.player} waits for a spot, place {event.place}"
        case table.PlayerLeft():
            return _LEFT[event.why].format(event.player)
        case table.SpotTaken():
            return f"{event.player} takes spot {event.spot}"
        case table.SpotGivenUp():
            if event.why == "taken by the floor":
                return f"the floor takes spot {event.spot} from {event.player}"
            return f"{event.player} gives up spot {event.spot}: {event.why}"
        case table.WagersSet():
            side = "".join(f", {wager_title(name)} {dollars(cents)}" for name, cents in event.side)
            return f"{event.player} sets {dollars(event.stake_cents)} on spot {event.spot}{side}"
        case table.WagersCleared():
            return f"{event.player} takes the wagers of spot {event.spot} back"
        case table.WagersReturned():
            on = ", ".join(wager_title(name) for name in event.side)
            what = f"{dollars(event.returned_cents)}{' on ' + on if on else ''} of {event.player}"
            return f"the house returns {what} on spot {event.spot}: {event.why}"
