"""The life of a shoe: shuffle and commitment, the cuts, the burn, the end (PROC-4 to PROC-7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.fair.salts import Salts
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.cuts import CutRange, dealer_cut_range, player_cut_range
from cardroom.table.twentyone.dealers import Dealer, deck_text
from cardroom.table.twentyone.events import (
    CardBurned,
    CardsShuffled,
    CutCardCameOut,
    CutCardPlaced,
    DealerChanged,
    PilesMade,
    ShoeCommitted,
    ShoeCut,
    ShoeEnded,
    StubPlugged,
    TableEvent,
)
from cardroom.table.twentyone.procedure import pile_sizes
from cardroom.table.twentyone.requests import ChangeDealer, CutShoe, PlaceCutCard, Shuffle
from cardroom.table.twentyone.seating import give_up_spots, require_seated
from cardroom.table.twentyone.state import Committed, Phase, Shoe, TableState, refuse

LONGEST_WORDS: Final = 200

Outcome = tuple[TableState, list[TableEvent]]


def shuffle(state: TableState, request: Shuffle, dealer: Dealer) -> Outcome:
    """Make a shoe of all cards and hold the house to its order (PROC-4, PROC-5)."""
    if state.phase is not Phase.SHUFFLE:
        refuse("the cards are shuffled when the table opens and when a shoe is over", "PROC-4")
    rules = state.rules
    if request.deck != deck_text(rules):
        raise MalformedInput("the dealer committed to another deck than the table's")
    infinite = rules.decks == "infinite"
    number = state.shoes + 1
    committed = Committed(
        request.shoe_id, request.deck, request.commitment, request.sealed_seed, request.origin
    )
    shoe = Shoe(
        number,
        committed,
        cards=None if infinite else len(state.pack),
        before=state.pack if dealer.mode == "procedure" else (),
        left=rules.shoe(),
        washed=state.washed,
        salts=Salts() if request.takes_salts else None,
    )
    dealer.check(rules, shoe)
    events: list[TableEvent] = [ShoeCommitted(number, request.shoe_id, request.commitment)]
    if dealer.mode == "procedure":
        events.append(PilesMade(pile_sizes(len(state.pack))))
    events.append(CardsShuffled(len(state.pack), dealer.mode))
    after = replace(
        state,
        shoe=shoe,
        shoes=number,
        pack=state.pack if infinite else (),
        phase=Phase.WAGERS if infinite else Phase.CUT,
    )
    return after, events


def cut_shoe(state: TableState, request: CutShoe, dealer: Dealer) -> Outcome:
    """A player's cut, or the house's where nobody cut; one too shallow or too deep is refused (PROC-6)."""
    if state.phase is not Phase.CUT or state.shoe is None:
        refuse("the cards are cut once, after the shuffle", "PROC-6")
    if request.player is not None:
        require_seated(state, request.player)
    words = request.words
    require_cut_allowed(state.rules, request.cards_deep, words)
    # In the fair mode the cut goes into the derivation of the order: it comes after the commitment, so
    # the house cannot have chosen its secret to fit it. In the procedure mode the cards are cut as they lie.
    cut_words = f"cut {request.cards_deep} {request.end} {words}".strip().encode()
    shoe = replace(
        state.shoe,
        cut=(request.cards_deep, request.end),
        cut_words=cut_words if dealer.mode == "fair" else b"",
    )
    after = replace(state, shoe=shoe, phase=Phase.CUT_CARD)
    return after, [ShoeCut(request.player, request.cards_deep, request.end)]


def require_cut_allowed(rules: TwentyOneRules, cards_deep: int, words: str) -> None:
    """Refuse a player's cut that is too shallow or too deep, and too many words for the shuffle (PROC-6)."""
    _check_depth(cards_deep, player_cut_range(rules), "a player's cut")
    if len(words) > LONGEST_WORDS or not (words.isprintable() or not words):
        raise MalformedInput(f"words for the shuffle are at most {LONGEST_WORDS} characters on one line")


def _check_depth(cards: int, allowed: CutRange, what: str) -> None:
    if cards not in allowed:
        refuse(f"{what} of {cards} cards is refused: {allowed.least} to {allowed.most} are allowed", "PROC-6")


def place_cut_card(state: TableState, request: PlaceCutCard) -> Outcome:
    """The dealer's cut, which sets where the shoe ends (PROC-6)."""
    if state.phase is not Phase.CUT_CARD or state.shoe is None or state.shoe.cards is None:
        refuse("the cut card is placed after the player's cut", "PROC-6")
    _check_depth(request.cards_deep, dealer_cut_range(state.rules), "the dealer's cut")
    shoe = replace(
        state.shoe,
        ends_at=state.shoe.cards - request.cards_deep,
        to_burn="new shoe" if request.burn else state.shoe.to_burn,
    )
    return replace(state, shoe=shoe, phase=Phase.WAGERS), [CutCardPlaced(request.cards_deep, request.burn)]


def change_dealer(state: TableState, request: ChangeDealer) -> Outcome:
    """A dealer takes over between rounds, and is to burn; a shoe that is new at that burns once (PROC-7)."""
    if state.in_round:
        refuse("a dealer takes over between rounds", "PROC-7")
    shoe = state.shoe
    if request.burn and state.takes_wagers and shoe is not None and shoe.cards is not None:
        shoe = replace(shoe, to_burn=shoe.to_burn or "new dealer")
    return replace(state, dealer=request.dealer, shoe=shoe), [DealerChanged(request.dealer, request.burn)]


def burn(state: TableState, dealer: Dealer) -> Outcome:
    """Burn what is to be burned, after the wagers were checked and before the first card (PROC-7)."""
    shoe = state.shoe
    assert shoe is not None
    why, events = shoe.to_burn, list[TableEvent]()
    state = replace(state, shoe=replace(shoe, to_burn=None))
    if why is None:
        return state, events
    for _ in range(min(state.rules.procedure.burn_cards, shoe.left.total)):
        assert state.shoe is not None
        card = dealer.card(state.rules, state.shoe, state.shoe.dealt)
        state, out = took_card(state)
        shoe = state.shoe
        assert shoe is not None
        shoe = replace(
            shoe,
            left=shoe.left.without((card,)),
            rack=(*shoe.rack, card),
            rounds=(*shoe.rounds, f"burn {card}\n"),
        )
        state = replace(state, shoe=shoe)
        events += [*out, CardBurned(why)]
    return state, events


def took_card(state: TableState) -> Outcome:
    """Count a card that left the shoe; the cut card comes out before the first card behind it (PROC-6)."""
    shoe = state.shoe
    assert shoe is not None
    events: list[TableEvent] = []
    if shoe.dealt == shoe.ends_at and not shoe.cut_card_out:
        events.append(CutCardCameOut())
        shoe = replace(shoe, cut_card_out=True)
    return replace(state, shoe=replace(shoe, dealt=shoe.dealt + 1)), events


def end_if_over(state: TableState, dealer: Dealer) -> Outcome:
    """After a round: the shoe is over when its cut card is out, or when there was none to wait for."""
    shoe = state.shoe
    assert shoe is not None
    if not (shoe.cut_card_out or shoe.cards is None or shoe.dealt >= shoe.cards):
        return state, []
    events: list[TableEvent] = [ShoeEnded(shoe.number, shoe.dealt, shoe.left.total)]
    if shoe.cards is None:
        state, releases = give_up_spots(replace(state, phase=Phase.SHUFFLE), shoe_over=True)
        return state, [ShoeEnded(shoe.number, shoe.dealt, 0), *releases]
    stub = dealer.stub(state.rules, shoe)
    events.append(StubPlugged(len(stub), len(shoe.rack)))
    pack = dealer.plugged(state.rules, shoe, stub)
    if len(pack) != shoe.cards:
        raise Conflict(f"{len(pack)} cards came back from a shoe of {shoe.cards}")
    state = replace(state, phase=Phase.SHUFFLE, pack=pack, washed=False)
    state, releases = give_up_spots(state, shoe_over=True)
    return state, events + releases
