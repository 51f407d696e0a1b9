"""A round at the table: its cards from the shoe, its money from chips, its end (PROC-8, PROC-9, PROC-12)."""

from __future__ import annotations

from dataclasses import replace

from cardroom.core.decks import CardCounts
from cardroom.engine import twentyone
from cardroom.engine.twentyone import (
    Action,
    CardAwaited,
    CardsPickedUp,
    Done,
    DoubleFor,
    Insure,
    PlayerAction,
    Round,
    Turn,
)
from cardroom.presentation.money import dollars
from cardroom.rules.round_head import RulesForm
from cardroom.rules.twentyone import law
from cardroom.table.purse import Purses, admits_more
from cardroom.table.twentyone import meters
from cardroom.table.twentyone.dealers import Dealer
from cardroom.table.twentyone.events import ClockDecided, RoundStarted, StakesReleased, TableEvent
from cardroom.table.twentyone.requests import Act
from cardroom.table.twentyone.salting import salts_done
from cardroom.table.twentyone.seating import give_up_spots, require_own_spot
from cardroom.table.twentyone.shoes import burn, end_if_over, took_card
from cardroom.table.twentyone.state import Phase, TableState, refuse
from cardroom.table.twentyone.wagering import require_dealable

Outcome = tuple[TableState, list[TableEvent]]


def start_round(state: TableState, dealer: Dealer, purses: Purses) -> Outcome:
    """Check all wagers and take them from the purses (PROC-9); then the burn, where one is due (PROC-7)."""
    if state.phase is not Phase.WAGERS or state.shoe is None:
        refuse(f"no round can start now: the table awaits {state.phase}", "PROC-9")
    require_dealable(state, purses)
    released = [StakesReleased(player, cents) for player, cents in state.held.items()]
    state, burned = burn(replace(state, shoe=salts_done(state.shoe)), dealer)
    assert state.shoe is not None
    started, events = twentyone.start(
        state.rules,
        tuple(state.circles.values()),
        state.shoe.left,
        discards=CardCounts.of_cards(state.shoe.rack),
        meters=meters.shown(state.meters, state.rules),
    )
    number = state.rounds + 1
    after = replace(
        state,
        phase=Phase.ROUND,
        round=started,
        round_events=events,
        rounds=number,
        circles={},
        held={},
        by_clock=(),
    )
    return after, [RoundStarted(number), *released, *events, *burned]


def deal_card(state: TableState, dealer: Dealer) -> Outcome:
    """Deal the next card of the shoe to where it is awaited."""
    game, shoe = state.round, state.shoe
    if not state.in_round or game is None or shoe is None:
        refuse("no card is dealt between rounds", "PROC-8")
    if not isinstance(twentyone.awaits(game), CardAwaited):
        spot = game.spots[game.turn].number
        refuse(f"no card is dealt before spot {spot} has decided", "21-1.5")
    card = dealer.card(state.rules, shoe, shoe.dealt)
    state, events = took_card(state)
    after, dealt = twentyone.step(game, card)
    return _went_on(state, after, events, dealt, dealer)


def act(state: TableState, request: Act, dealer: Dealer, purses: Purses) -> Outcome:
    """Do what the player in turn says; anything else is refused and nothing moves."""
    require_own_spot(state, request.player, request.spot)
    game = state.round
    if not state.in_round or game is None:
        refuse("no round is in play", "21-1.5")
    action = twentyone.parse_action(request.action)
    awaited = twentyone.awaits(game)
    if isinstance(awaited, Turn) and awaited.seat != request.spot:
        refuse(f"spot {awaited.seat} is to decide, not spot {request.spot}", "21-1.5")
    refusal = twentyone.why_not(game, action)
    if refusal is not None:
        raise refusal.error()
    needs, has = cost_cents(game, action), state.free_cents(request.player, purses)
    if needs > has:
        need, chips = (dollars(cents) for cents in (needs, has))
        refuse(f"{request.player}: to {action} takes {need}, more than the {chips} in chips", "21-1.6")
    if needs:
        purses(request.player).admit_more(needs)
    after, events = twentyone.step(game, action)
    if not request.by_clock:
        return _went_on(state, after, [], events, dealer)
    said: list[TableEvent] = [ClockDecided(request.player, request.spot, str(action))]
    state = replace(state, by_clock=(*state.by_clock, len(game.inputs)))
    state, happened = _went_on(state, after, said, events, dealer)
    return state, [event for event in happened if not isinstance(event, twentyone.ActionTaken)]


def cost_cents(game: Round, action: twentyone.Request) -> int:
    """What a player must add to do this now."""
    spot = game.spots[game.turn]
    match action:
        case Insure(cents):
            return cents
        case DoubleFor(cents):
            return cents
        case Action.SPLIT:
            return spot.stake_cents
        case Action.DOUBLE:
            return law.double_adds(game.rules, spot.stake_cents, spot.hands[game.hand].doubles)
        case _:
            return 0


def affordable(state: TableState, awaited: Turn, purses: Purses) -> tuple[PlayerAction, ...]:
    """The options of the player in turn that their purse allows; insurance up to the chips there."""
    game = state.round
    assert game is not None
    purse, options = purses(awaited.player), list[PlayerAction]()
    has = state.free_cents(awaited.player, purses)
    for option in awaited.options:
        if isinstance(option, Insure) and option.stake_cents > has:
            option = Insure(has - has % game.rules.limits.chip)
            if not option.stake_cents:
                continue
        cost = cost_cents(game, option)
        if not cost or (cost <= has and admits_more(purse, cost)):
            options.append(option)
    return tuple(options)


def _went_on(
    state: TableState,
    game: Round,
    before: list[TableEvent],
    events: tuple[twentyone.Event, ...],
    dealer: Dealer,
) -> Outcome:
    state = replace(state, round=game, round_events=(*state.round_events, *events))
    if not isinstance(twentyone.awaits(game), Done):
        return state, [*before, *events]
    state = _put_away(state, game)
    state = replace(state, phase=Phase.WAGERS)
    state, ended = end_if_over(state, dealer)
    state, releases = give_up_spots(state)
    return state, [*before, *events, *ended, *releases]


def _put_away(state: TableState, game: Round) -> TableState:
    """Cards to the rack in the order of their pick-up (PROC-12), the notation to the shoe's record."""
    shoe = state.shoe
    assert shoe is not None
    rounds = (*shoe.rounds, twentyone.format_round(game, RulesForm.APART))
    if shoe.cards is None:
        return replace(state, shoe=replace(shoe, rounds=rounds))
    picked_up = (event.cards for event in state.round_events if isinstance(event, CardsPickedUp))
    used = tuple(card for cards in picked_up for card in cards)
    ran_out = any(isinstance(event, twentyone.DiscardsShuffled) for event in state.round_events)
    shoe = replace(
        shoe,
        left=game.undealt,
        reshuffled=shoe.rack if ran_out else (),
        rack=used if ran_out else (*shoe.rack, *used),
        rounds=rounds,
    )
    return replace(state, shoe=shoe)
