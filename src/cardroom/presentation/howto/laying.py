"""Cards laid for a page: taken from a game's own shoe, in an order that makes examples look like examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations, islice, product
from typing import Final, NamedTuple

from cardroom.core.cards import CARDS, Card, Rank, Suit
from cardroom.core.decks import CardCounts
from cardroom.presentation.howto.witnesses import Placed, Witnesses, draws_to
from cardroom.rules.bets import Role, SideBet
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import BLACKJACK_TOTAL, dealer_draws, is_charlie, total_of

_RANKS: Final = (
    Rank.NINE,
    Rank.EIGHT,
    Rank.KING,
    Rank.QUEEN,
    Rank.JACK,
    Rank.SEVEN,
    Rank.TEN,
    Rank.ACE,
    Rank.SIX,
    Rank.FIVE,
    Rank.FOUR,
    Rank.THREE,
    Rank.TWO,
)
_SUITS: Final = (Suit.DIAMONDS, Suit.SPADES, Suit.HEARTS, Suit.CLUBS)
PLAYERS: Final[tuple[Role, ...]] = ("player_1", "player_2")
DEALERS: Final[tuple[Role, ...]] = ("dealer_up", "dealer_hole")
_DRAWN: Final[tuple[Role, ...]] = ("dealer_draw",)
_FEW: Final = 20
"""So many cards are tried in every order first: among them most lines of most bets are found at once."""
_OTHER_RANKS: Final = (Rank.ACE, Rank.KING, Rank.QUEEN, Rank.SEVEN, Rank.THREE)
"""Then these: named cards, low ones, and blackjacks."""
_SOME_DEALS: Final = 60_000
"""Then all others are looked through by the bet's machine."""
_MOST_HANDS: Final = 2_000
_MOST_LOW_CARDS: Final = 7
_STIFF: Final = range(12, 17)
_STANDS: Final = range(17, 21)

Deal = tuple[Card, ...]


def card_of(rank: Rank, suit: Suit) -> Card:
    """The one card of a rank and a suit."""
    return CARDS[13 * suit + rank - 1]


def laid_cards(shoe: CardCounts) -> list[Card]:
    """The different cards of a shoe, in the order in which they are tried."""
    cards = (card_of(rank, suit) for rank in _RANKS for suit in _SUITS)
    return [card for card in cards if shoe[card]]


def can_be_dealt(cards: Iterable[Card], shoe: CardCounts, *, infinite: bool) -> bool:
    """Whether a shoe holds all these cards at once."""
    cards = tuple(cards)
    return all(shoe[card] if infinite else shoe[card] >= cards.count(card) for card in cards)


class Deals(NamedTuple):
    """Cards that make the lines of a bet, and whether all cards were tried: then no others make the rest."""

    of_line: dict[str, Placed]
    all_tried: bool


def deals_of(rules: TwentyOneRules, wager: str) -> Deals:
    """For each line of a side bet, cards that make it, each with where it lies.

    The bet itself decides. Where several deals make a line, one is taken on which the player would stand, so
    that the hand may be shown to its end without a word on how to play it.
    """
    bet, shoe, infinite = rules.side_bets[wager], rules.shoe(), rules.decks == "infinite"
    good: dict[str, Placed] = {}
    possible: dict[str, Placed] = {}
    for deal in _in_order(rules, bet):
        lying = _placed(bet, deal)
        line = bet.line_of(lying)
        if line is None or line in good or not can_be_dealt(deal, shoe, infinite=infinite):
            continue
        possible.setdefault(line, lying)
        if bet.on_players_hand or _is_plain(lying):
            good[line] = lying
            if len(good) == len(bet.paid_lines):
                break
    missing = [line for line in bet.line_ids if line not in possible]
    if missing:
        possible |= Witnesses(rules, bet, laid_cards(shoe), _is_plain).of_lines(missing)
    deals = {line: good.get(line) or possible[line] for line in bet.line_ids if line in possible}
    return Deals(deals, all_tried=not (bet.on_dealers_hand or bet.on_players_hand))


def _placed(bet: SideBet, deal: Deal) -> Placed:
    """The cards of a deal with where they lie; those of a whole hand come last, the player's first two only
    where the dealer's hand is looked at as well.
    """
    if bet.on_players_hand and bet.on_dealers_hand:
        roles = (*PLAYERS, *DEALERS, *_DRAWN * len(deal))
        return tuple(zip(roles, deal, strict=False))
    return tuple(bet.placed(deal))


def _in_order(rules: TwentyOneRules, bet: SideBet) -> Iterator[Deal]:
    cards = laid_cards(rules.shoe())
    if bet.on_dealers_hand or bet.on_players_hand:
        a_suit = cards[:: len(_SUITS)]
        hands = _dealers_hands(rules, cards) if bet.on_dealers_hand else _players_hands(rules, cards)
        beside = 2 if bet.on_dealers_hand and bet.on_players_hand else len(bet.looks_at) - 1
        deals = ((*deal, *hand) for hand in hands for deal in product(a_suit, repeat=beside))
        yield from islice(deals, _SOME_DEALS)
        return
    others = [card for card in cards if card.rank in _OTHER_RANKS]
    for some in (cards[:_FEW], others):
        yield from islice(product(some, repeat=len(bet.looks_at)), _SOME_DEALS)


def _dealers_hands(rules: TwentyOneRules, cards: list[Card]) -> Iterator[Deal]:
    short = islice(_short_hands(rules, cards), _MOST_HANDS)
    return chain(_long_hands(rules, cards), short, _hands_of_a_rank(rules, cards))


def _players_hands(rules: TwentyOneRules, cards: list[Card]) -> Iterator[Deal]:
    """Hands that a player may end with, the short ones first: all of two cards, then some of each number."""
    yield from product(cards, repeat=2)
    low = sorted(cards, key=lambda card: (card.value, card.suit))
    for number in range(1, _MOST_LOW_CARDS):
        for held in chain(combinations(cards[:_FEW], number), [tuple(low[:number])]):
            if total_of(held)[0] <= BLACKJACK_TOTAL:
                yield from islice(
                    ((*held, *last) for last in product(cards, repeat=2) if _ends(rules, held, last)),
                    _MOST_HANDS,
                )


def _ends(rules: TwentyOneRules, held: Deal, last: Deal) -> bool:
    """Whether a player may well have drawn these last two cards one after the other."""
    return all(
        draws_to(own) and not is_charlie(rules, total_of(own)[0], len(own), doubles=0)
        for own in (held, (*held, last[0]))
        if len(own) >= len(PLAYERS)
    )


def _long_hands(rules: TwentyOneRules, cards: list[Card]) -> Iterator[Deal]:
    """Hands of the dealer's that low cards make long, one card more each time, with all that may end them."""
    low = sorted((card for card in cards if card.rank is not Rank.ACE), key=lambda card: card.value)
    for number in range(_MOST_LOW_CARDS):
        held: Deal = tuple(low[:number])
        next_card = next((card for card in cards if total_of((*held, card))[0] in _STIFF), None)
        if next_card is not None:
            held = (*held, next_card)
            yield from (
                (*held, last)
                for last in cards
                if not dealer_draws(rules, total_of((*held, last))[0], soft=total_of((*held, last))[1])
            )


def _hands_of_a_rank(rules: TwentyOneRules, cards: list[Card]) -> Iterator[Deal]:
    """Three cards of one rank, in all suits, with which the dealer ends."""
    for rank in Rank:
        for deal in product([card for card in cards if card.rank is rank], repeat=3):
            (two, soft_two), (three, soft_three) = total_of(deal[:2]), total_of(deal)
            draws = dealer_draws(rules, two, soft=soft_two)
            if draws and not dealer_draws(rules, three, soft=soft_three):
                yield deal


def _short_hands(rules: TwentyOneRules, cards: list[Card]) -> Iterator[Deal]:
    """Hands that the dealer ends with, the short ones first; a card of each rank, in changing suits."""
    hands: list[Deal] = [()]
    while hands:
        longer: list[Deal] = []
        for hand in hands:
            suit = len(hand) % len(_SUITS)
            for card in cards[suit :: len(_SUITS)]:
                held = (*hand, card)
                total, soft = total_of(held)
                if len(held) > 1 and not dealer_draws(rules, total, soft=soft):
                    yield held
                else:
                    longer.append(held)
        hands = longer


def _is_plain(lying: Placed) -> bool:
    """Whether a player stands on these two cards, and the dealer shows nothing that changes the round."""
    cards = dict(lying)
    own = [cards[role] for role in PLAYERS if role in cards]
    total, soft = total_of(own)
    stands = len(own) < len(PLAYERS) or (total in _STANDS and not soft)
    return stands and all(cards[role].rank is not Rank.ACE for role in DEALERS if role in cards)


def first_of(shoe: CardCounts, wanted: Callable[[Card], bool], taken: Iterable[Card] = ()) -> Card:
    """The first card of a shoe that is as wanted, when some are taken; another where there is none."""
    used = list(taken)
    left = [card for card in laid_cards(shoe) if shoe[card] > used.count(card)]
    return next((card for card in left if wanted(card)), left[0])
