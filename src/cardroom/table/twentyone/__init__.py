"""A table of the blackjack family: what outlives a round, as a state machine over the engine's.

>>> from cardroom.rules import load_rules_as
>>> from cardroom.rules.twentyone import TwentyOneRules
>>> from cardroom.table.twentyone import FairDealer, Table
>>> table = Table(load_rules_as(TwentyOneRules, "blackjack"), FairDealer(repeatable=7))
>>> events = table.open()
>>> events = table.sit("Ann", chips_cents=10_000)
>>> events = table.take_spot("Ann", 3)
>>> events = table.new_shoe(player="Ann")
>>> events = table.place_wagers("Ann", 3, 400)
>>> events = table.deal()
>>> table.view("Ann").awaits.kind
'decision'
"""

from cardroom.rules.twentyone.cuts import CutRange, dealer_cut_range, player_cut_range
from cardroom.table.twentyone.accounts import PURSES, transfers
from cardroom.table.twentyone.dealers import Dealer, FairDealer, ProcedureDealer
from cardroom.table.twentyone.events import (
    CardBurned,
    CardsShuffled,
    CardsWashed,
    CutCardCameOut,
    CutCardPlaced,
    DealerChanged,
    DeckInspected,
    FloorCalled,
    MeterOpened,
    OwnEvent,
    PilesMade,
    PlayerLeft,
    PlayerSat,
    PlayerWaited,
    RoundStarted,
    RulesChanged,
    ShoeCommitted,
    ShoeCut,
    ShoeEnded,
    SpotGivenUp,
    SpotTaken,
    StubPlugged,
    TableClosed,
    TableEvent,
    TableOpened,
    WagersCleared,
    WagersSet,
)
from cardroom.table.twentyone.live import Table
from cardroom.table.twentyone.log import TableLog
from cardroom.table.twentyone.machine import awaits, empty_table, options, step, why_not
from cardroom.table.twentyone.meters import Meter
from cardroom.table.twentyone.requests import (
    Act,
    ChangeDealer,
    ChangeRules,
    ClearWagers,
    Close,
    CutShoe,
    DealCard,
    Leave,
    Open,
    PlaceCutCard,
    PlaceWagers,
    ReleaseSpot,
    Request,
    Shuffle,
    Sit,
    StartRound,
    TakeSpot,
    Wait,
    format_request,
    parse_request,
)
from cardroom.table.twentyone.state import Awaited, Committed, Phase, Shoe, TableState
from cardroom.table.twentyone.view import SpotView, TableView, view

__all__ = [
    "PURSES",
    "Act",
    "Awaited",
    "CardBurned",
    "CardsShuffled",
    "CardsWashed",
    "ChangeDealer",
    "ChangeRules",
    "ClearWagers",
    "Close",
    "Committed",
    "CutCardCameOut",
    "CutCardPlaced",
    "CutRange",
    "CutShoe",
    "DealCard",
    "Dealer",
    "DealerChanged",
    "DeckInspected",
    "FairDealer",
    "FloorCalled",
    "Leave",
    "Meter",
    "MeterOpened",
    "Open",
    "OwnEvent",
    "Phase",
    "PilesMade",
    "PlaceCutCard",
    "PlaceWagers",
    "PlayerLeft",
    "PlayerSat",
    "PlayerWaited",
    "ProcedureDealer",
    "ReleaseSpot",
    "Request",
    "RoundStarted",
    "RulesChanged",
    "Shoe",
    "ShoeCommitted",
    "ShoeCut",
    "ShoeEnded",
    "Shuffle",
    "Sit",
    "SpotGivenUp",
    "SpotTaken",
    "SpotView",
    "StartRound",
    "StubPlugged",
    "Table",
    "TableClosed",
    "TableEvent",
    "TableLog",
    "TableOpened",
    "TableState",
    "TableView",
    "TakeSpot",
    "WagersCleared",
    "WagersSet",
    "Wait",
    "awaits",
    "dealer_cut_range",
    "empty_table",
    "format_request",
    "options",
    "parse_request",
    "player_cut_range",
    "step",
    "transfers",
    "view",
    "why_not",
]
