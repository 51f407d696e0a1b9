"""What happens in a film of the blackjack family, told to the player: one caption for each step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cardroom.core.cards import Card
from cardroom.engine import twentyone
from cardroom.engine.twentyone.events import INSURANCE, PRIMARY
from cardroom.presentation.money import chips
from cardroom.presentation.outcomes import outcome_sentence
from cardroom.presentation.wagers import wager_title
from cardroom.rules.twentyone import TwentyOneRules


def caption(
    events: Sequence[twentyone.Event],
    names: Mapping[str, str] | None = None,
    rules: TwentyOneRules | None = None,
    before: Sequence[twentyone.Event] = (),
) -> str:
    """The events of a step as sentences; those that only the floor cares for are left out.

    `names` has what people call the bonuses that the engine names, `rules` the titles of side bets, `before`
    what happened earlier in the round: once a pair is split, every hand is named.

    >>> from cardroom.core.cards import parse_card
    >>> caption([twentyone.CardDealt(1, 1, 3, parse_card("8d")), twentyone.InsuranceClosed()])
    'You get the 8♦.'
    """
    several = any(isinstance(event, twentyone.WagerAdded) and event.hand > 1 for event in (*before, *events))
    decided = _decided(events, names or {}, rules, before)
    return " ".join(
        words
        for place, event in enumerate(events)
        for words in (*_cards(event, several=several), *_added(event, rules), *decided.get(place, ()))
    )


def _cards(event: twentyone.Event, *, several: bool) -> Iterator[str]:
    match event:
        case twentyone.CardDealt(spot=None, card=None):
            yield "The dealer takes a card face down."
        case twentyone.CardDealt(spot=None, card=Card() as card):
            yield f"The dealer draws the {card.pretty}."
        case twentyone.CardDealt(card=Card() as card):
            yield f"{f'Hand {event.hand} gets' if several else 'You get'} the {card.pretty}."
        case twentyone.ThirdCardDealt():
            yield f"For the side bet alone you get the {event.card.pretty}."
        case twentyone.CardTurned():
            yield f"The dealer shows the {event.card.pretty}."
        case twentyone.InsuranceOpened():
            yield "An ace: the dealer offers insurance."
        case twentyone.DealerLooked():
            result = "a blackjack" if event.blackjack else "no blackjack"
            yield f"The dealer looks at the hidden card: {result}."
        case twentyone.ActionTaken():
            words = _action(event)
            is_named = several and event.action is not twentyone.Action.SPLIT
            yield f"Hand {event.hand}: you {words}." if is_named else f"You {words}."
        case _:
            return


def _action(event: twentyone.ActionTaken) -> str:
    match event.action:
        case twentyone.Insure(cents):
            return f"insure for {chips(cents)}"
        case twentyone.DeclineInsurance():
            return "take no insurance"
        case twentyone.Action.RESCUE:
            return "rescue the double"
        case action:
            return str(action)


def _added(event: twentyone.Event, rules: TwentyOneRules | None) -> Iterator[str]:
    match event:
        case twentyone.WagerPlaced(wager=wager) if wager == PRIMARY:
            yield f"You wager {chips(event.stake_cents)}."
        case twentyone.WagerPlaced(wager=wager) if wager != INSURANCE:
            yield f"You put {chips(event.stake_cents)} on {wager_title(event.wager, rules)}."
        case twentyone.WagerAdded():
            yield f"You add {chips(event.added_cents)}."
        case _:
            return


def _decided(
    events: Sequence[twentyone.Event],
    names: Mapping[str, str],
    rules: TwentyOneRules | None,
    before: Sequence[twentyone.Event],
) -> dict[int, list[str]]:
    """One sentence for each wager that a step decides, by the place of the last event about it."""
    places: dict[tuple[str, int], int] = {}
    odds: dict[tuple[str, int], str] = {}
    for place, event in enumerate(events):
        match event:
            case twentyone.WagerPaid():
                places[event.wager, event.hand] = place
                odds[event.wager, event.hand] = event.odds.words
            case twentyone.WagerTaken() | twentyone.WagerReturned():
                places[event.wager, event.hand] = place
            case twentyone.JackpotPaid():
                places[event.wager, 1] = place
            case twentyone.BonusPaid():
                places[event.bonus, 1] = place
            case _:
                pass
    captions: dict[int, list[str]] = {}
    for outcome in twentyone.wager_outcomes((*before, *events)):
        wager = (outcome.wager, outcome.hand)
        if wager in places:
            words = outcome_sentence(outcome, odds.get(wager, ""), names, rules)
            captions.setdefault(places[wager], []).append(words)
    return captions
