"""A draw settled as a whole: who is in after every hand, who wins, and where every cent goes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from cardroom.core.errors import Conflict
from cardroom.engine.knockout21.draw import Draw, Position, values_of
from cardroom.engine.knockout21.ticket import Ticket
from cardroom.rules.knockout21 import GAME_OF_POSITION, GAMES, HANDS_OF_GAME, Game, Knockout21Rules
from cardroom.rules.knockout21.accounts import DrawAccount, draw_account
from cardroom.rules.knockout21.law import played_hand, wins_hand


@dataclass(frozen=True, slots=True)
class HandResult:
    """What one hand of the draw did: the tickets (by index) that were in before it and after it."""

    position: int
    active: tuple[int, ...]
    staying: tuple[int, ...]
    lucky_losers: bool
    """Nobody active won or tied, so all who were active are deemed to have won (KO21-4.4)."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a draw came to: the prize of every ticket, the winners of every game, the money to the cent."""

    prizes_cents: tuple[int, ...]
    winners: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    """The winning tickets of each game, by index."""
    lucky_loser_positions: tuple[int, ...]
    account: DrawAccount

    def games_won(self, ticket: int) -> tuple[Game, ...]:
        """The games a ticket won."""
        return tuple(game for game in GAMES if ticket in self.winners[game - 1])


def ticket_wins_hand(rules: Knockout21Rules, ticket: Ticket, position: int, cards: Position) -> bool:
    """Whether a ticket beats or ties the dealer in one position, Lucky Losers aside."""
    player = played_hand(
        rules.game_1_hit,
        GAME_OF_POSITION[position],
        values_of(ticket.hands[position]),
        ticket.choices[position],
        cards.hit.value,
    )
    return wins_hand(player, values_of(cards.dealer))


def play_hand(
    rules: Knockout21Rules,
    tickets: Sequence[Ticket],
    active: Collection[int],
    position: int,
    cards: Position,
) -> HandResult:
    """Play one hand for the tickets still in its game (KO21-4.1 to KO21-4.4)."""
    winning = tuple(index for index in active if ticket_wins_hand(rules, tickets[index], position, cards))
    lucky = not winning and len(active) > 0
    return HandResult(position, tuple(active), tuple(active) if lucky else winning, lucky)


def settle(
    rules: Knockout21Rules, tickets: Sequence[Ticket], draw: Draw, *, reserve_cents: int = 0
) -> Settlement:
    """Settle a draw: a pure function of the rules, the tickets of the pool and the cards."""
    if len(tickets) < rules.draws.minimum_tickets:
        raise Conflict(
            f"a draw takes at least {rules.draws.fewest_words} and this one has {len(tickets)}",
            clause="KO21-3.2",
        )
    hands: list[HandResult] = []
    for game in GAMES:
        active: tuple[int, ...] = tuple(range(len(tickets)))  # all tickets play all games (KO21-4.5)
        for position in HANDS_OF_GAME[game]:
            hands.append(play_hand(rules, tickets, active, position, draw.positions[position]))
            active = hands[-1].staying
    return settlement_of(rules, len(tickets), hands, reserve_cents=reserve_cents)


def settlement_of(
    rules: Knockout21Rules, tickets: int, hands: Sequence[HandResult], *, reserve_cents: int = 0
) -> Settlement:
    """The settlement that fifteen played hands come to."""
    one, two, three = (hands[HANDS_OF_GAME[game][-1]].staying for game in GAMES)
    account = draw_account(
        rules, tickets, {1: len(one), 2: len(two), 3: len(three)}, reserve_cents=reserve_cents
    )
    prizes = [0] * tickets
    for winners, game in zip((one, two, three), account.games, strict=True):
        for index in winners:
            prizes[index] += game.prize_cents
    return Settlement(
        tuple(prizes),
        (one, two, three),
        tuple(hand.position for hand in hands if hand.lucky_losers),
        account,
    )
