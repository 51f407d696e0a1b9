"""A Knockout 21 draw card by card: Games 1, 2, 3; in each hand the hit card, then the dealer (KO21-3.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from cardroom.core.cards import CARDS, Card
from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.engine.contract import CardAwaited, Done, Refusal
from cardroom.engine.knockout21.draw import Draw, Position, values_of
from cardroom.engine.knockout21.settlement import play_hand, settlement_of
from cardroom.engine.knockout21.state import (
    Choose,
    DealerCardDealt,
    DrawSettled,
    DrawStarted,
    DrawState,
    DrawView,
    Event,
    GameWon,
    HandPlayed,
    HitCardShown,
    Pool,
)
from cardroom.engine.knockout21.ticket import name_of, why_not_choose
from cardroom.engine.playing import played
from cardroom.rules.knockout21 import GAME_OF_POSITION, GAMES, HANDS_OF_GAME, POSITIONS, Knockout21Rules
from cardroom.rules.knockout21.accounts import game_account
from cardroom.rules.knockout21.law import dealer_draws, hand_total


def start(rules: Knockout21Rules, wagers: Pool) -> tuple[DrawState, tuple[Event, ...]]:
    """Begin the draw of a pool; its tickets were paid for when they were sold."""
    if len(wagers.tickets) < rules.draws.minimum_tickets:
        raise Conflict(
            f"a draw takes at least {rules.draws.fewest_words} and this one has {len(wagers.tickets)}",
            clause="KO21-3.2",
        )
    state = DrawState(rules, wagers, finished=(), hit=None, dealer=(), hands=(), settlement=None)
    return state, (DrawStarted(len(wagers.tickets), wagers.first_cards),)


def awaits(state: DrawState) -> CardAwaited | Done:
    """The next card of the draw: a hit card or one of the dealer's; nobody decides anything any more."""
    if state.position == POSITIONS:
        return Done()
    whose = "hit card" if state.hit is None else "dealer's card"
    return CardAwaited(f"{whose}, {name_of(state.position)}")


def chance(state: DrawState) -> tuple[tuple[Card, int], ...]:
    """Each of the 52 cards is equally likely every time (KO21-1.1); nothing once the draw is over."""
    return () if state.position == POSITIONS else tuple((card, 1) for card in CARDS)


def view(state: DrawState, seat: int) -> DrawView:
    """What the holder of a ticket, counted from 0, may know."""
    if not 0 <= seat < len(state.pool.tickets):
        raise MalformedInput(f"there is no ticket {seat}; the pool has {len(state.pool.tickets)}")
    active = state.active
    return DrawView(
        seat,
        state.pool.tickets[seat],
        state.pool.first_cards,
        state.finished,
        state.hit,
        state.dealer,
        still_in=seat in active,
        tickets_in=len(active),
        games_won=tuple(
            game
            for game in GAMES
            if state.position > HANDS_OF_GAME[game][-1]
            and seat in state.hands[HANDS_OF_GAME[game][-1]].staying
        ),
    )


def why_not(state: DrawState, action: Card | Choose) -> Refusal | None:
    """Why a card cannot come or a choice cannot change now, with its clause; None when it can."""
    match action:
        case Choose():
            return why_not_choose(action.position) or Refusal(
                "no choice changes once sales of the draw have closed", "KO21-2.7"
            )
        case Card():
            if state.position == POSITIONS:
                return Refusal("no card is drawn after the last hand of Game 3", "KO21-3.3")
            return None
        case _:
            assert_never(action)


def step(state: DrawState, action: Card | Choose) -> tuple[DrawState, tuple[Event, ...]]:
    """Draw one card; a hand, a game and the draw are decided by the card that completes them."""
    refusal = why_not(state, action)
    if refusal is not None or not isinstance(action, Card):
        assert refusal is not None
        raise IllegalAction(refusal.reason, clause=refusal.clause)
    position = state.position
    if state.hit is None:
        return replace(state, hit=action), (HitCardShown(position, action),)
    dealer = (*state.dealer, action)
    dealt = DealerCardDealt(position, action, hand_total(values_of(dealer)))
    if dealer_draws(values_of(dealer)):
        return replace(state, dealer=dealer), (dealt,)
    return _hand_ended(state, Position(dealer, state.hit), dealt)


def _hand_ended(
    state: DrawState, cards: Position, dealt: DealerCardDealt
) -> tuple[DrawState, tuple[Event, ...]]:
    position, pool = state.position, state.pool
    hand = play_hand(state.rules, pool.tickets, state.active, position, cards)
    events: list[Event] = [
        dealt,
        HandPlayed(
            position, cards.dealer_total, cards.dealer_busts, hand.lucky_losers, staying=len(hand.staying)
        ),
    ]
    state = replace(
        state,
        finished=(*state.finished, cards),
        hit=None,
        dealer=_first_card(pool, position + 1),
        hands=(*state.hands, hand),
    )
    game = GAME_OF_POSITION[position]
    if position == HANDS_OF_GAME[game][-1]:
        account = game_account(state.rules, game, len(pool.tickets), len(hand.staying))
        events.append(GameWon(game, account.winners, account.prize_cents))
    if state.position == POSITIONS:
        settlement = settlement_of(
            state.rules, len(pool.tickets), state.hands, reserve_cents=pool.reserve_cents
        )
        state = replace(state, settlement=settlement)
        events.append(DrawSettled(settlement.account))
    return state, tuple(events)


def _first_card(pool: Pool, position: int) -> tuple[Card, ...]:
    """What lies in front of the dealer when a position begins: in Game 2 the first card (KO21-1.5)."""
    game_2 = HANDS_OF_GAME[2]
    return (pool.first_cards[game_2.index(position)],) if position in game_2 else ()


def cards_in_order(draw: Draw) -> Iterator[Card]:
    """The cards of a draw as they come out (KO21-3.3); Game 2's first cards came before and are left out."""
    for position, cards in enumerate(draw.positions):
        yield cards.hit
        yield from cards.dealer[1:] if position in HANDS_OF_GAME[2] else cards.dealer


def play(rules: Knockout21Rules, pool: Pool, cards: Iterable[Card]) -> tuple[DrawState, tuple[Event, ...]]:
    """Start a draw and draw these cards: the same log gives the same state."""
    return played(step, start(rules, pool), cards)
