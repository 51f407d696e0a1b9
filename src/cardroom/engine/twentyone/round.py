"""The contract of the engine for the blackjack family: one machine, driven by the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cardroom.core.cards import CARDS, Card
from cardroom.core.decks import DECKS, CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.core.refusal import Refusal
from cardroom.engine.contract import CardAwaited, Done
from cardroom.engine.twentyone.actions import (
    ChangeWager,
    DoubleFaceDown,
    Input,
    NeverAllowed,
    Request,
    WagerBetweenPlayers,
)
from cardroom.engine.twentyone.deal import (
    after_deal,
    answer_insurance,
    await_insurance,
    deal_first_cards,
    deal_order,
    why_not_insurance,
)
from cardroom.engine.twentyone.events import PRIMARY, Event, WagerPlaced, WagersChecked
from cardroom.engine.twentyone.settlement import void
from cardroom.engine.twentyone.sidebets import deal_beside, raise_meters
from cardroom.engine.twentyone.state import (
    BESIDE,
    Hand,
    Opening,
    Phase,
    Place,
    Round,
    Spot,
    SpotWager,
    Turn,
    View,
)
from cardroom.engine.twentyone.turns import (
    act,
    await_play,
    deal_to_dealer,
    deal_to_hand,
    play_dealer,
    why_not_play,
)
from cardroom.engine.twentyone.wagers import why_not_start
from cardroom.engine.twentyone.working import NO_CARDS, Working
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import Action

_FOREIGN: Final = {kind: tuple(card for card in CARDS if card not in deck) for kind, deck in DECKS.items()}


def start(
    rules: TwentyOneRules,
    wagers: Sequence[SpotWager],
    shoe: CardCounts | None = None,
    *,
    discards: CardCounts | None = None,
    meters: Mapping[str, int] | None = None,
) -> tuple[Round, tuple[Event, ...]]:
    """Check the wagers and put them on the table, before the first card.

    `shoe` counts the undealt cards (a full shoe when not given), `discards` those of earlier rounds, and
    `meters` says in cents what each progressive meter shows (its seed when not given).
    """
    refusal = why_not_start(rules, wagers)
    for cards in (shoe, discards):
        if refusal is None and cards is not None:
            refusal = _why_not_cards(rules, cards)
    if refusal is not None:
        raise refusal.error()
    opening = Opening(
        rules,
        tuple(sorted(wagers, key=lambda wager: wager.spot)),
        rules.shoe() if shoe is None else shoe,
        NO_CARDS if discards is None else discards,
        _meters(rules, meters or {}),
    )
    return begin(opening)


def _why_not_cards(rules: TwentyOneRules, cards: CardCounts) -> Refusal | None:
    """Only cards of the game's own deck are dealt (BJ-1, S21-1, PE21-1)."""
    foreign = [card for card in _FOREIGN[rules.deck] if cards[card]]
    if foreign:
        return Refusal(f"{foreign[0]} is no card of a {rules.deck} deck", rules.clause("decks"))
    return None


def _meters(rules: TwentyOneRules, shown: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """What each meter of the table shows: as given, or its seed."""
    seeds = {
        wager: int(seed)
        for wager in rules.offered_side_bets
        if (seed := rules.side_bets[wager].meter_seed) is not None
    }
    for wager, cents in shown.items():
        if wager not in seeds or cents < 0:
            known = ", ".join(seeds) or "none"
            raise MalformedInput(f"{wager!r} at {cents} cents is no meter of this table; its meters: {known}")
    return tuple((wager, shown.get(wager, seed)) for wager, seed in seeds.items())


def begin(opening: Opening) -> tuple[Round, tuple[Event, ...]]:
    """Put the checked wagers of an opening on the table."""
    sides = [wager.in_order(opening.rules) for wager in opening.wagers]
    spots = tuple(
        Spot(wager.spot, wager.player, wager.stake_cents, side, (Hand((), wager.stake_cents),))
        for wager, side in zip(opening.wagers, sides, strict=True)
    )
    working = Working(
        Round(
            opening,
            inputs=(),
            stretches=((0, "deal"),),
            phase=Phase.DEAL,
            spots=spots,
            dealer=(),
            turned=0,
            looked=False,
            to_deal=deal_order(opening.rules, len(spots)),
            turn=0,
            hand=0,
            options=(),
            source=opening.shoe,
            dealt=(),
            left=opening.shoe.total,
            discards=opening.discards,
            meters=opening.meters,
        )
    )
    for wager, side in zip(opening.wagers, sides, strict=True):
        for name, cents in ((PRIMARY, wager.stake_cents), *side):
            working.events.append(WagerPlaced(wager.spot, wager.player, name, cents))
    raise_meters(working)
    working.events.append(WagersChecked(sum(wager.total_cents for wager in opening.wagers)))
    _advance(working)
    return working.frozen(), tuple(working.events)


def awaits(state: Round) -> CardAwaited | Turn | Done:
    """What the round waits for: a card, a player's decision, or nothing more."""
    if state.phase is Phase.OVER:
        return Done()
    if state.to_deal:
        return CardAwaited(place_words(state, state.to_deal[0]))
    spot = state.spots[state.turn]
    return Turn(spot.number, state.options, spot.player, state.hand + 1)


def place_words(state: Round, place: Place) -> str:
    """Where a card goes, in words: `spot 3`, `spot 3 hand 2` once it is split, `dealer`."""
    if place is None:
        return "dealer"
    spot = state.spots[place[0]]
    if place[1] == BESIDE:
        return f"spot {spot.number}, for a side wager"
    return f"spot {spot.number}" if len(spot.hands) == 1 else f"spot {spot.number} hand {place[1] + 1}"


def chance(state: Round) -> tuple[tuple[Card, int], ...]:
    """Every card that can come now, with its integer weight; nothing while no card is awaited."""
    if not state.to_deal:
        return ()
    counts = state.undealt.counts
    return tuple((card, counts[card.index]) for card in CARDS if counts[card.index])


def view(state: Round, seat: int) -> View:
    """What a seat, by the number of its spot, may know; a card that lies face down is None."""
    spots = state.rules.procedure.spots
    if not 1 <= seat <= spots:
        raise MalformedInput(f"there is no seat {seat} at this table; its spots are 1 to {spots}")
    face_down = len(state.dealer) - state.turned
    turn = state.spots[state.turn].number if state.options else None
    return View(
        seat=seat,
        spots=state.spots,
        dealer=(*state.dealer[: state.turned], *[None] * face_down),
        phase=state.phase,
        looked=state.looked,
        turn=turn,
        hand=state.hand + 1 if state.options else None,
        options=state.options if turn == seat else (),
        cards_left=state.left,
        meters=state.meters,
    )


def why_not(state: Round, action: Input) -> Refusal | None:
    """Why something cannot be dealt or done now, with its clause; None when it can."""
    if isinstance(action, Card):
        return _why_not_card(state, action)
    if isinstance(action, NeverAllowed):
        return _never_allowed(action)
    if state.phase is Phase.OVER:
        return Refusal("the round is over", "21-1.10")
    if state.to_deal:
        return Refusal(f"the next card comes first, to {place_words(state, state.to_deal[0])}", "21-1.5")
    spot = state.spots[state.turn]
    if state.phase is Phase.INSURANCE:
        return why_not_insurance(state.rules, spot, action)
    if isinstance(action, Action) and action in state.options:
        return None
    return why_not_play(state.rules, spot, state.hand, state.dealer[0], action)


def _never_allowed(request: NeverAllowed) -> Refusal:
    match request:
        case WagerBetweenPlayers():
            return Refusal("wagers are with the house only, never between players", "PE21-15")
        case ChangeWager():
            return Refusal("the wagers have been checked, and none changes during the round", "PROC-9")
        case DoubleFaceDown():
            return Refusal("every double card is dealt face up", "S21-6")


def _why_not_card(state: Round, card: Card) -> Refusal | None:
    if state.phase is Phase.OVER:
        return Refusal("no card is dealt when the round is over", "21-1.10")
    if not state.to_deal:
        spot = state.spots[state.turn].number
        return Refusal(f"no card is dealt before spot {spot} has decided", "21-1.5")
    held = state.source.counts[card.index]
    if held == 0 or (state.rules.decks != "infinite" and state.dealt.count(card) >= held):
        return Refusal(f"{card} cannot come now: none of it is left in the shoe", state.rules.clause("decks"))
    return None


def step(state: Round, action: Input) -> tuple[Round, tuple[Event, ...]]:
    """Deal the card that is awaited, or do what the player in turn decided, and all that follows from it."""
    refusal = why_not(state, action)
    if refusal is not None:
        raise refusal.error()
    working = Working(state)
    working.inputs = (*state.inputs, action)
    working.stretches = _stretches(state, action)
    if isinstance(action, Card):
        _deal(working, action)
    else:
        _decide(working, action)
    _advance(working)
    return working.frozen(), tuple(working.events)


def _stretches(state: Round, action: Input) -> tuple[tuple[int, str], ...]:
    """The stretches of play, with a new one where an input begins it."""
    if state.phase is Phase.DEALER:
        place = "dealer"
    elif state.phase is Phase.DEAL or isinstance(action, Card):
        return state.stretches  # a card belongs to the decision that asked for it
    else:
        place = place_words(state, (state.turn, state.hand))
    if place == state.stretches[-1][1]:
        return state.stretches
    return (*state.stretches, (len(state.inputs), place))


def _deal(working: Working, card: Card) -> None:
    place, *_ = working.to_deal
    working.to_deal = working.to_deal[1:]
    if working.rules.decks != "infinite":
        working.dealt = (*working.dealt, card)
        working.left -= 1
    if working.phase is Phase.DEAL:
        deal_first_cards(working, place, card)
    elif place is None:
        deal_to_dealer(working, card)
    elif place[1] == BESIDE:
        deal_beside(working, place[0], card)
    else:
        deal_to_hand(working, *place, card)


def _decide(working: Working, request: Request) -> None:
    assert not isinstance(request, NeverAllowed)
    if working.phase is Phase.INSURANCE:
        answer_insurance(working, request)
    else:
        act(working, request)


def _advance(working: Working) -> None:
    """Go on until a card or a decision is awaited, or the round is over."""
    while working.phase is not Phase.OVER:
        if working.to_deal:
            if working.left or working.shoe_ran_out():
                return
            void(working)
        elif working.phase is Phase.DEAL:
            after_deal(working)
        elif working.phase is Phase.INSURANCE:
            if await_insurance(working):
                return
        elif working.phase is Phase.PLAY:
            if await_play(working):
                return
        else:
            play_dealer(working)
