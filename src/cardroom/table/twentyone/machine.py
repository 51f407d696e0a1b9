"""The table's own contract, the engine's again: a request in, a new state and events out; all pure."""

from __future__ import annotations

from dataclasses import replace

from cardroom.core.errors import IllegalAction, MalformedInput
from cardroom.core.refusal import Refusal
from cardroom.engine import twentyone
from cardroom.engine.twentyone import PlayerAction, Turn
from cardroom.rules import parse_rules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.purse import Purses, granted
from cardroom.table.twentyone import (
    accounts,
    inspection,
    meters,
    requests,
    rounds,
    salting,
    seating,
    shoes,
    wagering,
)
from cardroom.table.twentyone.dealers import Dealer
from cardroom.table.twentyone.events import RulesChanged, TableEvent
from cardroom.table.twentyone.requests import Request
from cardroom.table.twentyone.state import Awaited, Phase, TableState, refuse

Outcome = tuple[TableState, list[TableEvent]]


def empty_table(rules: TwentyOneRules) -> TableState:
    """A table before it opens."""
    return TableState(rules)


def step(
    state: TableState, request: Request, dealer: Dealer, purses: Purses
) -> tuple[TableState, tuple[TableEvent, ...]]:
    """Do what is asked, and book all money that moves; or refuse it with its clause, and nothing moves.

    `purses` are found by the names of players. They decide whether something is refused, and nothing else.
    """
    after, events = _done(state, request, dealer, purses)
    after = replace(
        after,
        accounts=accounts.booked(state.accounts, events),
        meters=meters.booked(state.meters, events),
    )
    return after, tuple(events)


def _done(state: TableState, request: Request, dealer: Dealer, purses: Purses) -> Outcome:
    match request:
        case requests.Open():
            return inspection.open_table(state, request)
        case requests.Close():
            return inspection.close_table(state)
        case requests.ChangeRules():
            return _change_rules(state, request)
        case requests.Sit():
            return seating.sit(state, request)
        case requests.Wait():
            return seating.wait(state, request)
        case requests.Leave():
            return seating.leave(state, request)
        case requests.TakeSpot():
            return seating.take_spot(state, request)
        case requests.ReleaseSpot():
            return seating.release_spot(state, request)
        case requests.PlaceWagers():
            return wagering.place_wagers(state, request, purses)
        case requests.ClearWagers():
            return wagering.clear_wagers(state, request)
        case requests.ReturnWagers():
            return wagering.return_wagers(state, request)
        case requests.Shuffle():
            return shoes.shuffle(state, request, dealer)
        case requests.CutShoe():
            return shoes.cut_shoe(state, request, dealer)
        case requests.PlaceCutCard():
            return shoes.place_cut_card(state, request)
        case requests.ChangeDealer():
            return shoes.change_dealer(state, request)
        case requests.CommitSalt():
            return salting.commit_salt(state, request)
        case requests.CloseWagers():
            return salting.close_wagers(state, request, purses)
        case requests.RevealSalt():
            return salting.reveal_salt(state, request)
        case requests.CloseSalts():
            return salting.close_salts(state)
        case requests.StartRound():
            return rounds.start_round(state, dealer, purses)
        case requests.DealCard():
            return rounds.deal_card(state, dealer)
        case requests.Act():
            return rounds.act(state, request, dealer, purses)


def why_not(state: TableState, request: Request, dealer: Dealer, purses: Purses) -> Refusal | None:
    """Why something may not be done now, with its clause; None when it may."""
    try:
        step(state, request, dealer, purses)
    except IllegalAction as error:
        return Refusal(error.message, error.clause or "")
    return None


def awaits(state: TableState, purses: Purses = granted) -> Awaited:
    """What the table waits for; a decision with the options that purses allow, or with all."""
    match state.phase:
        case Phase.CLOSED:
            return Awaited("open")
        case Phase.SHUFFLE:
            return Awaited("shuffle")
        case Phase.CUT:
            return Awaited("cut")
        case Phase.CUT_CARD:
            return Awaited("cut card")
        case Phase.WAGERS:
            return Awaited("wagers")
        case Phase.SALTS:
            return Awaited("salts")
        case Phase.ROUND:
            return _awaited_in_round(state, purses)


def _awaited_in_round(state: TableState, purses: Purses) -> Awaited:
    assert state.round is not None
    awaited = twentyone.awaits(state.round)
    if isinstance(awaited, Turn):
        return Awaited(
            "decision", awaited.player, awaited.seat, awaited.hand, rounds.affordable(state, awaited, purses)
        )
    return Awaited("card")


def options(state: TableState, player: str, purses: Purses) -> tuple[PlayerAction, ...]:
    """What a player may do now, as a decision of theirs is awaited; else nothing."""
    awaited = awaits(state, purses)
    return awaited.options if awaited.player == player else ()


def _change_rules(state: TableState, request: requests.ChangeRules) -> Outcome:
    """Change the house rules between shoes; a meter's new seed waits for its next win (R-49)."""
    if state.phase not in (Phase.CLOSED, Phase.SHUFFLE):
        refuse("the rules of a shoe hold until it is over", "PROC-9")
    before = state.rules
    after = parse_rules(request.rules)
    if not isinstance(after, TwentyOneRules) or after.game != before.game:
        raise MalformedInput(f"a table of {before.game} cannot become one of {after.game}")
    if state.phase is Phase.SHUFFLE and after.shoe() != before.shoe():
        refuse("other decks are put in play when the table opens, after their inspection", "PROC-1")
    if not request.who.strip():
        raise MalformedInput("a change of the rules names who makes it")
    events: list[TableEvent] = [RulesChanged(request.who, before.rules_hash, after.rules_hash)]
    if state.phase is Phase.SHUFFLE:
        events += meters.opened(after, state.meters, {})
    return replace(state, rules=after), events
