"""Blackjack, Spanish 21 and Player's Edge 21 as one state machine, driven by the house rules.

>>> from cardroom import load_rules
>>> from cardroom.core.cards import parse_cards
>>> from cardroom.engine import twentyone
>>> rules = load_rules("players-edge-21", {"limits.max": "500.00"})
>>> game, events = twentyone.start(rules, [twentyone.SpotWager(1, "Ann", 1000)])
>>> game, events = twentyone.play(game, parse_cards("6d 7c 7d 9h"))
>>> twentyone.awaits(game).options
(<Action.STAND: 'stand'>, <Action.HIT: 'hit'>, <Action.DOUBLE: 'double'>, <Action.SURRENDER: 'surrender'>)
>>> print(twentyone.why_not(game, twentyone.Action.SPLIT))
only two cards of equal value may be split (21-1.6)
>>> game, events = twentyone.play(game, [twentyone.Action.HIT, *parse_cards("8d")])
>>> [event for event in events if isinstance(event, twentyone.WagerPaid)][0].payment_cents
3000
>>> print(twentyone.format_round(game).partition("spot")[2])
 1 "Ann": 10.00
deal: 6d 7c | 7d 9h
spot 1: hit 8d
<BLANKLINE>
"""

from cardroom.engine.contract import CardAwaited, Done
from cardroom.engine.twentyone.actions import (
    ChangeWager,
    DeclineInsurance,
    DoubleFaceDown,
    DoubleFor,
    EvenMoney,
    Input,
    Insure,
    NeverAllowed,
    PlayerAction,
    Request,
    WagerBetweenPlayers,
    parse_action,
)
from cardroom.engine.twentyone.chips import chips_of, paid_in_chips
from cardroom.engine.twentyone.events import (
    ActionTaken,
    BonusPaid,
    CardDealt,
    CardsPickedUp,
    CardTurned,
    DealerLooked,
    DiscardsShuffled,
    Event,
    InsuranceClosed,
    InsuranceOpened,
    JackpotPaid,
    MeterRaised,
    MeterReset,
    RoundEnded,
    RoundVoided,
    ShoeRanOut,
    ThirdCardDealt,
    WagerAdded,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
    WagersChecked,
    WagerTaken,
)
from cardroom.engine.twentyone.hidden import unseen_hole, with_hole
from cardroom.engine.twentyone.money import Balance, Transfer, balance, net_by_wager, transfers
from cardroom.engine.twentyone.notation import RoundRecord, format_round, parse_round, play, replay
from cardroom.engine.twentyone.outcomes import WagerOutcome, wager_outcomes
from cardroom.engine.twentyone.round import awaits, chance, start, step, view, why_not
from cardroom.engine.twentyone.standing import Undealt, dealable, why_not_stand
from cardroom.engine.twentyone.state import Hand, Opening, Phase, Round, Spot, SpotWager, Status, Turn, View
from cardroom.engine.twentyone.wagers import why_not_start
from cardroom.rules.twentyone.law import Action

__all__ = [
    "Action",
    "ActionTaken",
    "Balance",
    "BonusPaid",
    "CardAwaited",
    "CardDealt",
    "CardTurned",
    "CardsPickedUp",
    "ChangeWager",
    "DealerLooked",
    "DeclineInsurance",
    "DiscardsShuffled",
    "Done",
    "DoubleFaceDown",
    "DoubleFor",
    "EvenMoney",
    "Event",
    "Hand",
    "Input",
    "InsuranceClosed",
    "InsuranceOpened",
    "Insure",
    "JackpotPaid",
    "MeterRaised",
    "MeterReset",
    "NeverAllowed",
    "Opening",
    "Phase",
    "PlayerAction",
    "Request",
    "Round",
    "RoundEnded",
    "RoundRecord",
    "RoundVoided",
    "ShoeRanOut",
    "Spot",
    "SpotWager",
    "Status",
    "ThirdCardDealt",
    "Transfer",
    "Turn",
    "Undealt",
    "View",
    "WagerAdded",
    "WagerBetweenPlayers",
    "WagerOutcome",
    "WagerPaid",
    "WagerPlaced",
    "WagerReturned",
    "WagerTaken",
    "WagersChecked",
    "awaits",
    "balance",
    "chance",
    "chips_of",
    "dealable",
    "format_round",
    "net_by_wager",
    "paid_in_chips",
    "parse_action",
    "parse_round",
    "play",
    "replay",
    "start",
    "step",
    "transfers",
    "unseen_hole",
    "view",
    "wager_outcomes",
    "why_not",
    "why_not_stand",
    "why_not_start",
    "with_hole",
]
