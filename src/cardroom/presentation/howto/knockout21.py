"""How Knockout 21 and each of its games work: a draw that the engine plays for laid tickets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from cardroom.core.cards import Card
from cardroom.core.errors import MalformedInput
from cardroom.engine import knockout21
from cardroom.engine.knockout21.draw import values_of
from cardroom.presentation.howto.guide import Film, Guide, Row, Scene, Winning, lying
from cardroom.presentation.knockout21.game_1 import game_1_sentence
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted
from cardroom.presentation.wagers import wager_title
from cardroom.rules import change_rules
from cardroom.rules.knockout21 import (
    GAME_OF_POSITION,
    GAMES,
    HANDS_OF_GAME,
    POSITIONS,
    WAGERS,
    Game,
    Knockout21Rules,
)
from cardroom.rules.knockout21.law import Choice, hand_total, is_bust, played_hand

_HANDS: Final = "Th8c 9d2s Ah6d KcQd / 9c4d 8h8d Kh9s 6c5d QdKs / 9s7h 9h6c Jc9d As7c 5h5d KdJs"  # yours
_OTHER: Final = "9c8s 9h8h Kd8h 9s9d / 7c5d 9h2d 8s8c Kc2h Jd8d / Kc4d 8h3c 9c9s Ah2d 7s6d Qc8s"
_DRAW: Final = (
    "Kd7c+9h 9s8d+Kd Jd7c+9h Kh6cTd+5h / 5dTh9d+3h Tc9s+4s 7dTs+6d 6dTs4h+Kh Ah8c+2d / "
    "Kd6hTd+4c Qh9c+5c 9c8s+7h Jc8d+Th 9dTc+Td Kh9h+8d"
)
_WINNING_DRAW: Final = _DRAW.replace("Jd7c+9h", "Jd7c+3c", 1)
"""The same with a hit card that helps, however Game 1 is read: your ticket wins all three games."""
_NOBODY_WINS: Final = "KdQh+9h"
"""A hand that no ticket of the film wins: Lucky Losers."""
_CLAUSES: Final[dict[Game, tuple[str, ...]]] = {
    1: ("KO21-1.4", "KO21-5.1", "KO21-4.6"),
    2: ("KO21-1.4", "KO21-1.5", "KO21-5.2", "KO21-4.6", "KO21-4.7"),
    3: ("KO21-1.4", "KO21-5.3", "KO21-4.6", "KO21-4.7"),
}
_SHARED: Final = ("KO21-4.1", "KO21-4.2", "KO21-4.3", "KO21-4.4", "KO21-4.5")


def bets(_rules: Knockout21Rules) -> tuple[str, ...]:
    """The three games; the ticket as a whole has the page of the game."""
    return WAGERS[:-1]


def guide(rules: Knockout21Rules, bet: str | None = None) -> Guide:
    """How a ticket works, or one of its games."""
    if bet is not None and bet not in bets(rules):
        raise MalformedInput(f"there is no {bet!r}; a ticket plays {', '.join(bets(rules))}")
    if bet is None:
        price, hands = dollars(rules.ticket_price_cents), counted(POSITIONS, "hand")
        return Guide(
            title=rules.title,
            idea=(
                f"A ticket for {price} has {hands} of two cards, in three games, against one dealer.",
                "Beat or tie the dealer to stay in a game. A lost hand puts the ticket out of that game.",
                "Win all hands of a game and win its prize. Each hand takes one hit card at most.",
                "When nobody wins a hand, all who were in it stay in: they are Lucky Losers.",
            ),
            pictures=tuple(_result_rows(rules, 1))[:2],
            films=(_film(rules, 1), _lucky_losers(rules)),
            pays=tuple(_winning(rules, game) for game in GAMES),
            clauses=(*dict.fromkeys((*_CLAUSES[1], *_CLAUSES[2], *_CLAUSES[3], *_SHARED)),),
        )
    game = GAMES[WAGERS.index(bet)]
    hands = counted(len(HANDS_OF_GAME[game]), "hand")
    return Guide(
        title=wager_title(bet),
        idea=(
            f"{wager_title(bet)} has {hands}; win them all and win {_prize(rules, game)}.",
            _asks(rules, game),
        ),
        pictures=tuple(_result_rows(rules, game))[:2],
        films=(_film(rules, game),),
        pays=(_winning(rules, game),),
        clauses=(*_CLAUSES[game], *_SHARED),
    )


def _asks(rules: Knockout21Rules, game: Game) -> str:
    if game == 1:
        return f"It asks nothing of you. {game_1_sentence(rules.game_1_hit)}"
    known = (
        "You see the dealer's first card before you choose."
        if game == 2
        else "You see none of the dealer's cards."
    )
    return f"You choose hit or stand for each hand, or leave it to the chart. {known} A bust loses the hand."


def _prize(rules: Knockout21Rules, game: Game) -> str:
    shared = rules.prizes.shared(game)
    if shared is None:
        return dollars(int(rules.prizes.game_1))
    return f"an equal share of its pool, {dollars(int(shared.min))} to {dollars(int(shared.max))}"


def _winning(rules: Knockout21Rules, game: Game) -> Winning:
    hands = counted(len(HANDS_OF_GAME[game]), "hand")
    rows = tuple(_result_rows(rules, game))
    return Winning(f"all {hands} of Game {game}", _prize(rules, game), rows)


# The draw of a film, played by the engine.


def _played(
    rules: Knockout21Rules, draw: str
) -> list[tuple[knockout21.DrawState, tuple[knockout21.Event, ...]]]:
    """Every state of the film's draw with the events that led to it."""
    positions = [knockout21.Position.parse(word) for word in draw.replace("/", " ").split()]
    first_cards = tuple(positions[place].dealer[0] for place in HANDS_OF_GAME[2])
    tickets = tuple(_ticket(hands, first_cards) for hands in (_HANDS, _OTHER))
    held = change_rules(rules, {"draws.minimum_tickets": 0})
    state, events = knockout21.start(held, knockout21.Pool(tickets, first_cards))
    states = [(state, events)]
    for place, position in enumerate(positions):
        known = position.dealer[1:] if GAME_OF_POSITION[place] == 2 else position.dealer
        for card in (position.hit, *known):
            state, events = knockout21.step(state, card)
            states.append((state, events))
    return states


def _ticket(hands: str, first_cards: Sequence[Card]) -> knockout21.Ticket:
    pairs = [knockout21.ticket.parse_hand(word)[0] for word in hands.replace("/", " ").split()]
    return knockout21.Ticket.basic(pairs, first_cards)


def _film(rules: Knockout21Rules, game: Game) -> Film:
    scenes = [
        scene
        for (before, _), (state, events) in _steps(rules, _DRAW)
        if before.position in HANDS_OF_GAME[game]
        for scene in _scenes(before, state, events)
    ]
    return Film(f"Game {game}, hand by hand", tuple(scenes))


def _lucky_losers(rules: Knockout21Rules) -> Film:
    first, _, rest = _DRAW.partition(" ")
    assert first
    scenes = [
        scene
        for (before, _), (state, events) in _steps(rules, f"{_NOBODY_WINS} {rest}")
        if before.position == 0
        for scene in _scenes(before, state, events)
    ]
    return Film("Lucky Losers", tuple(scenes))


_Played = tuple[knockout21.DrawState, tuple[knockout21.Event, ...]]


def _steps(rules: Knockout21Rules, draw: str) -> Iterator[tuple[_Played, _Played]]:
    states = _played(rules, draw)
    yield from pairwise(states)


def _scenes(
    before: knockout21.DrawState, state: knockout21.DrawState, events: Sequence[knockout21.Event]
) -> Iterator[Scene]:
    """The hit card has a scene; so has the end of the hand. The dealer's cards between them are one."""
    position = before.position
    name = knockout21.name_of(position)
    for event in events:
        match event:
            case knockout21.HitCardShown():
                taken = _taken_words(before, position, event.card)
                yield Scene(
                    f"{name[:1].upper()}{name[1:]}: the hit card is the {event.card.pretty}. {taken}",
                    _rows(state, position),
                )
            case knockout21.HandPlayed():
                yield Scene(_end(before, state, event), _finished_rows(state, position))
            case knockout21.GameWon(game=game, winners=winners, prize_cents=cents):
                words = f"Game {game} is over: {counted(winners, 'winner')}, {dollars(cents)} each."
                yield Scene(words, _finished_rows(state, position))
            case _:
                pass


def _your_hand(state: knockout21.DrawState, position: int, hit: Card) -> tuple[Card, ...]:
    ticket = state.pool.tickets[0]
    start = ticket.hands[position]
    values = values_of(start)
    played = played_hand(
        state.rules.game_1_hit, GAME_OF_POSITION[position], values, ticket.choices[position], hit.value
    )
    return (*start, hit) if len(played) > len(start) else start


def _taken_words(state: knockout21.DrawState, position: int, hit: Card) -> str:
    hand = _your_hand(state, position, hit)
    choice = state.pool.tickets[0].choices[position]
    if len(hand) == len(state.pool.tickets[0].hands[position]):
        return "You chose to stand." if choice is Choice.STAND else "It is not added to your hand."
    return f"Your hand takes it: {_total(hand)}."


def _total(cards: Sequence[Card]) -> str:
    values = values_of(cards)
    return f"{hand_total(values)}{', bust' if is_bust(values) else ''}"


def _rows(state: knockout21.DrawState, position: int) -> tuple[Row, ...]:
    assert state.hit is not None
    hand = _your_hand(state, position, state.hit)
    dealer = state.dealer or (
        (state.pool.first_cards[position - HANDS_OF_GAME[2][0]],) if GAME_OF_POSITION[position] == 2 else ()
    )
    return (
        Row("Dealer", lying(dealer), _total(dealer) if dealer else ""),
        Row("You", lying(hand), _total(hand)),
        Row("Hit card", lying([state.hit])),
    )


def _finished_rows(state: knockout21.DrawState, position: int) -> tuple[Row, ...]:
    cards = state.finished[position]
    hand = _your_hand(state, position, cards.hit)
    return (
        Row("Dealer", lying(cards.dealer), _total(cards.dealer)),
        Row("You", lying(hand), _total(hand)),
        Row("Hit card", lying([cards.hit])),
    )


def _end(before: knockout21.DrawState, state: knockout21.DrawState, event: knockout21.HandPlayed) -> str:
    dealer = "busts" if event.dealer_busted else f"has {event.dealer_total}"
    still_in = counted(event.staying, "ticket")
    if event.lucky_losers:
        return f"The dealer {dealer}. Nobody wins this hand: all who were in it are Lucky Losers and stay in."
    if 0 not in before.active:
        return f"The dealer {dealer}. You were out already; {still_in} in."
    yours = "You stay in" if 0 in state.hands[event.position].staying else "You are out of this game"
    return f"The dealer {dealer}. {yours}; {still_in} in."


def _result_rows(rules: Knockout21Rules, game: Game) -> Iterator[Row]:
    """Your hands of a game that you win, each with what the dealer had."""
    state, _ = _played(rules, _WINNING_DRAW)[-1]
    assert state.settlement is not None
    assert game in state.settlement.games_won(0)
    for number, position in enumerate(HANDS_OF_GAME[game], 1):
        cards = state.finished[position]
        hand = _your_hand(state, position, cards.hit)
        dealer = "a bust" if cards.dealer_busts else str(cards.dealer_total)
        yield Row(f"Hand {number}", lying(hand), f"{_total(hand)} against {dealer}")
