"""A round as it happened, from the log: who asked for what and when, with every event of the procedure.

The records between two rounds of a table tell the hand again: seats, shuffle, cut, burn, wagers, cards,
decisions, and whatever the floor did meanwhile. Cards and decisions are played again by the engine.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from cardroom.core.cards import parse_cards
from cardroom.engine import twentyone as engine
from cardroom.engine.playing import steps as steps_of
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted
from cardroom.records import FloorRecord, tables
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.store.log import LogRecord
from cardroom.table.happened import Happened, floor_words
from cardroom.table.twentyone import requests
from cardroom.table.twentyone.finished import FinishedRound
from cardroom.table.twentyone.inspection import what_is_wrong
from cardroom.table.twentyone.meters import Meter, booked
from cardroom.table.twentyone.requests import Request, parse_request
from cardroom.table.twentyone.sentences import round_sentences, sentence


class _Retelling:
    """Goes through the records of a table with the round beside them."""

    def __init__(
        self, rules: TwentyOneRules, finished: FinishedRound | None, dealer: str, computers: Container[str]
    ) -> None:
        self._rules = rules
        self._dealer = dealer
        self._computers = computers
        self._steps: Iterator[tuple[tuple[str, ...], engine.Round]] = iter(())
        self._started: tuple[tuple[str, ...], engine.Round] | None = None
        if finished is not None:
            self._play_again(finished)
        self._to_burn = ""

    def _play_again(self, finished: FinishedRound) -> None:
        record = engine.parse_round(finished.notation, finished.rules)
        opening = record.opening
        state, events = engine.start(
            opening.rules,
            opening.wagers,
            opening.shoe,
            discards=opening.discards,
            meters=dict(opening.meters),
        )
        self._computers = {spot.player for spot in state.spots} - set(finished.players)
        self._started = (tuple(sentence(event, opening.rules) for event in events), state)
        self._steps = (
            (
                tuple(round_sentences(taken.events, opening.rules, by_clock=number in finished.by_clock)),
                taken.after,
            )
            for number, taken in enumerate(steps_of(engine.step, state, record.inputs))
        )

    def tell(self, logged: LogRecord) -> Happened | None:
        """What a record says of the table; None for one that tells nothing of it."""
        record, _ = logged.read()
        if isinstance(record, FloorRecord):
            return Happened(logged.seq, logged.at, record.by, floor_words(record), reason=record.reason)
        match record:
            case tables.TableRequestGranted():
                return self._granted(logged, record)
            case tables.TableRulesAnnounced():
                return Happened(logged.seq, logged.at, record.by, "announces rules", reason=record.reason)
            case _:
                return None

    def _granted(self, logged: LogRecord, record: tables.TableRequestGranted) -> Happened:
        request = parse_request(record.request)
        events, after = self._events_of(request)
        who = record.by or self._who(request, said=record.player is not None)
        what = request_words(request)
        return Happened(logged.seq, logged.at, who, what, events, record.reason, after)

    def _events_of(self, request: Request) -> tuple[tuple[str, ...], engine.Round | None]:
        match request:
            case requests.Open() if request.decks:
                return tuple(inspected(self._rules, request.decks)), None
            case requests.Shuffle():
                self._to_burn = ""
            case requests.PlaceCutCard():
                self._to_burn = "new shoe" if request.burn else ""
            case requests.ChangeDealer():
                self._dealer = request.dealer
                if request.burn:
                    self._to_burn = self._to_burn or "new dealer"
            case requests.StartRound():
                burned = (f"a card is burned: {self._to_burn}",) if self._to_burn else ()
                events, after = self._started or ((), None)
                return (*burned, *events), after
            case requests.DealCard() | requests.Act():
                return next(self._steps, ((), None))
            case _:
                pass
        return (), None

    def _who(self, request: Request, *, said: bool) -> str:
        match request:
            case requests.Act(player=player) if not said and (
                request.by_clock or player not in self._computers
            ):
                return "the clock, since no answer came in time"
            case requests.Act(player=player) if player in self._computers:
                return f"{player}, a computer player"
            case requests.Leave() if request.why != "said so":
                return "the house"
            case requests.CutShoe():
                return request.player or "the house, since nobody cut"
            case (
                requests.Sit()
                | requests.Wait()
                | requests.Leave()
                | requests.TakeSpot()
                | requests.ReleaseSpot()
                | requests.PlaceWagers()
                | requests.ClearWagers()
                | requests.CommitSalt()
                | requests.Act()
            ):
                return request.player
            case requests.RevealSalt():
                return "a player"
            case requests.ReturnWagers():
                return "the house"
            case requests.Open() | requests.Close() | requests.ChangeRules() | requests.ChangeDealer():
                return "the house"
            case _:
                return f"dealer {self._dealer}" if self._dealer else "the dealer"


def retold(
    records: Iterable[LogRecord],
    rules: TwentyOneRules,
    finished: FinishedRound | None = None,
    *,
    dealer: str,
    computers: Container[str] = (),
) -> list[Happened]:
    """The records of one table, from the end of the round before to the end of this one.

    `dealer` is who dealt at their beginning: nobody is said to have done what the dealer before them did.
    `computers` are the names of computer players, who decide for themselves; a finished round knows its own.
    """
    retelling = _Retelling(rules, finished, dealer, computers)
    happenings = (retelling.tell(record) for record in records)
    return [one for one in happenings if one is not None]


def meters_of(finished: FinishedRound) -> list[Meter]:
    """What a round put into meters and took from them, for each meter that it moved (SIDE-4)."""
    record = engine.parse_round(finished.notation, finished.rules)
    opening = record.opening
    known = dict(opening.meters)
    state, events = engine.start(
        opening.rules, opening.wagers, opening.shoe, discards=opening.discards, meters=known
    )
    moved = booked({wager: Meter(wager) for wager in known}, events)
    for taken in steps_of(engine.step, state, record.inputs):
        moved = booked(moved, taken.events)
    return [meter for meter in moved.values() if meter.contributed_cents or meter.paid_cents]


def inspected(rules: TwentyOneRules, decks: Iterable[str]) -> Iterator[str]:
    """What the inspection of brought decks has found, deck by deck (PROC-1)."""
    for number, deck in enumerate(decks, 1):
        why = what_is_wrong(rules.deck, parse_cards(deck))
        yield f"deck {number} is in order" if why is None else f"deck {number} is out of play: {why}"


def request_words(request: Request) -> str:
    """What a request asks for, as words that follow a name.

    >>> request_words(requests.PlaceWagers("Ann", 3, 400))
    'stakes $4.00 on spot 3'
    """
    match request:
        case requests.Open():
            return (
                "brings decks to be inspected (PROC-1)" if request.decks else "opens with new decks (PROC-1)"
            )
        case requests.Close():
            return "takes the cards off the table"
        case requests.ChangeRules():
            return "puts announced rules into force"
        case requests.Shuffle():
            return "shuffles and commits to the shoe (PROC-4, PROC-5)"
        case requests.CutShoe():
            return f"cuts {counted(request.cards_deep, 'card')} from the {request.end} (PROC-6)"
        case requests.PlaceCutCard():
            waived = "" if request.burn else ", and no card is burned (PROC-7)"
            return f"places the cut card {counted(request.cards_deep, 'card')} deep (PROC-6){waived}"
        case requests.ChangeDealer():
            burns = "with the burn" if request.burn else "without a burn"
            return f"puts {request.dealer} on the table, {burns} (PROC-7)"
        case requests.CommitSalt() | requests.RevealSalt():
            return "adds a salt" if isinstance(request, requests.CommitSalt) else "reveals a salt"
        case requests.CloseWagers() | requests.CloseSalts():
            return "closes the wagers" if isinstance(request, requests.CloseWagers) else "takes the salts in"
        case requests.StartRound():
            return "checks the wagers and begins (PROC-9)"
        case requests.DealCard():
            return "deals a card (PROC-8)"
        case requests.Act():
            return f"on spot {request.spot}: {request.action}"
        case _:
            return _seat_words(request)


def _seat_words(
    request: requests.Sit
    | requests.Wait
    | requests.Leave
    | requests.TakeSpot
    | requests.ReleaseSpot
    | requests.PlaceWagers
    | requests.ClearWagers
    | requests.ReturnWagers,
) -> str:
    match request:
        case requests.Sit():
            return "comes to the table"
        case requests.Wait():
            return "waits for a spot (PROC-3)"
        case requests.Leave():
            if request.why == "said so":
                return f"leaves the table: {request.player}"
            return f"ends the stay of {request.player}: {request.why} (PROC-3)"
        case requests.TakeSpot():
            return f"takes spot {request.spot}"
        case requests.ReleaseSpot():
            return f"gives up spot {request.spot} of {request.player} (PROC-3)"
        case requests.PlaceWagers():
            cents = request.stake_cents + sum(request.side.values())
            return f"stakes {dollars(cents)} on spot {request.spot}"
        case requests.ClearWagers():
            return f"takes the wagers of spot {request.spot} back"
        case requests.ReturnWagers():
            return f"gives wagers of spot {request.spot} back: {request.why}"
