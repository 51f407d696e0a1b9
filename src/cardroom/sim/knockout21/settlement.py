"""Knockout 21 settled at size, and draws simulated by the million.

A ticket is 32 bytes, and a draw makes of it 15 bits: the hands it wins by itself. How many tickets have which
bits in a game is all that Lucky Losers depend on: one pass over the tickets counts, a few counts decide which
hands a winner needs, and a ticket has won a game when it has the bits of those hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.rules.knockout21 import GAME_OF_POSITION, GAMES, HANDS_OF_GAME, POSITIONS, Knockout21Rules
from cardroom.rules.knockout21.accounts import DrawAccount, draw_account
from cardroom.rules.knockout21.law import CARD_BYTES, TICKET_BYTES, dealer_result
from cardroom.sim.compiled import njit
from cardroom.sim.knockout21.tables import VALUE_OF_CARD, chart_table, dealer_table, win_table
from cardroom.sim.random import multiply_wide, next_word, stream

PoolArray = NDArray[np.uint8]
"""A pool of tickets: a row of 32 bytes for each, as the engine's `Ticket.to_bytes` writes them."""
DrawnValues = Sequence[tuple[Sequence[int], int]]
"""A draw by its values: for each position the dealer's hand and the hit card."""

Counts = NDArray[np.int64]
"""How many tickets win which hands of a game by themselves: [game − 1, bits of its hands]."""

TICKETS_PER_CHUNK: Final = 1 << 16
_MOST_PATTERNS: Final = 1 << max(len(hands) for hands in HANDS_OF_GAME.values())
_CARDS_PER_WORD: Final = 10
_REFUSED_WORD_BELOW: Final = np.uint64(2**64 % 52**_CARDS_PER_WORD)  # so that no card is favoured
_REFUSED_CARD_BELOW: Final = np.uint64(2**64 % 52)


@dataclass(frozen=True, slots=True)
class PoolSettlement:
    """A settled pool: the games won by every ticket as bits (1, 2, 4), and the draw's account."""

    won: NDArray[np.uint8]
    prize_of_won_cents: NDArray[np.int64]
    """What a ticket with these bits wins altogether."""
    lucky_loser_positions: tuple[int, ...]
    account: DrawAccount

    @property
    def prizes_cents(self) -> NDArray[np.int64]:
        """The prize of every ticket."""
        return self.prize_of_won_cents[self.won]


def pool_of(tickets: Iterable[bytes]) -> PoolArray:
    """A pool from the compact forms of its tickets."""
    return check_pool(np.frombuffer(b"".join(tickets), dtype=np.uint8).reshape(-1, TICKET_BYTES))


def check_pool(pool: PoolArray) -> PoolArray:
    """Refuse what cannot be tickets."""
    if pool.ndim != 2 or pool.shape[1] != TICKET_BYTES or pool.dtype != np.uint8:
        raise MalformedInput(f"a pool is rows of {TICKET_BYTES} bytes, one for each ticket")
    if pool.size and int(pool[:, :CARD_BYTES].max()) >= len(VALUE_OF_CARD):
        raise MalformedInput("a card on a ticket is a number below 52")
    return pool


def settle_pool(
    rules: Knockout21Rules, pool: PoolArray, draw: DrawnValues, *, reserve_cents: int = 0, workers: int = 1
) -> PoolSettlement:
    """Settle a draw for all its tickets at once; equal to the engine's `settle`, ticket for ticket."""
    check_pool(pool)
    tickets = len(pool)
    if tickets < rules.draws.minimum_tickets:
        raise Conflict(
            f"a draw takes at least {rules.draws.fewest_words} and this one has {tickets}",
            clause="KO21-3.2",
        )
    wins = _wins_of_draw(rules, draw)
    masks = np.empty(tickets, dtype=np.uint16)

    def chunk(first: int) -> Counts:
        counts = np.zeros((len(GAMES), _MOST_PATTERNS), dtype=np.int64)
        part = slice(first, first + TICKETS_PER_CHUNK)
        hand_masks(pool[part], VALUE_OF_CARD, wins, masks[part], counts)
        return counts

    with ThreadPoolExecutor(workers) as threads:
        counts = sum(
            threads.map(chunk, range(0, tickets, TICKETS_PER_CHUNK)),
            np.zeros((len(GAMES), _MOST_PATTERNS), dtype=np.int64),
        )
    needed, lucky, winners = knock_out(counts)
    account = draw_account(
        rules, tickets, dict(zip(GAMES, winners, strict=True)), reserve_cents=reserve_cents
    )
    by_mask = np.arange(1 << POSITIONS, dtype=np.uint16)
    won_by_mask = np.zeros(1 << POSITIONS, dtype=np.uint8)
    prizes = np.zeros(1 << len(GAMES), dtype=np.int64)
    for bit, game in enumerate(account.games):
        bits = np.uint16(needed[bit])
        won_by_mask |= ((by_mask & bits) == bits).astype(np.uint8) << np.uint8(bit)
        prizes[np.arange(1 << len(GAMES)) >> bit & 1 == 1] += game.prize_cents
    return PoolSettlement(won_by_mask[masks], prizes, lucky, account)


def _wins_of_draw(rules: Knockout21Rules, draw: DrawnValues) -> NDArray[np.uint16]:
    """The bit of every position where a hand wins: [position, choice, first card, second card]."""
    if len(draw) != POSITIONS:
        raise MalformedInput(f"a draw has {POSITIONS} positions, not {len(draw)}", clause="KO21-1.5")
    table = win_table(rules.game_1_hit)
    return np.stack(
        [
            table[GAME_OF_POSITION[p] - 1, hit - 1, dealer_result(dealer)].astype(np.uint16) << np.uint16(p)
            for p, (dealer, hit) in enumerate(draw)
        ]
    )


def knock_out(counts: Counts) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """From how many tickets win which hands by themselves: the bits that a winner of each game needs, the
    positions of Lucky Losers, and how many win each game (KO21-4.1, KO21-4.4)."""
    needed: list[int] = []
    winners: list[int] = []
    for game in GAMES:
        bits, won = knock_out_game(counts[game - 1], len(HANDS_OF_GAME[game]))
        needed.append(int(bits) << HANDS_OF_GAME[game][0])
        winners.append(int(won))
    # A hand that winners need not have won knocked nobody out: all who were in it were Lucky Losers.
    lucky = tuple(p for p in range(POSITIONS) if counts.any() and not sum(needed) >> p & 1)
    return tuple(needed), lucky, tuple(winners)


@njit(cache=True, nogil=True)
def knock_out_game(counts: Any, hands: Any) -> Any:
    """The bits of the hands of one game that knocked somebody or nobody out, Lucky Losers' left out, and
    how many tickets have them all."""
    needed = 0
    winners = counts.sum()
    for hand in range(hands):
        tried = needed | 1 << hand
        staying = 0
        for own in range(1 << hands):
            if own & tried == tried:
                staying += counts[own]
        if staying > 0:
            needed, winners = tried, staying
    return needed, winners


@njit(cache=True, nogil=True)
def hand_masks(pool: Any, values: Any, wins: Any, masks: Any, counts: Any) -> None:
    """For every ticket the bits of the hands it wins by itself, and how many tickets have which in a game."""
    for ticket in range(pool.shape[0]):
        row = pool[ticket]
        hits = np.int64(row[30]) | np.int64(row[31]) << 8
        mask = np.uint16(0)
        for p in range(15):
            mask |= wins[p, hits >> p & 1, values[row[2 * p]], values[row[2 * p + 1]]]
        masks[ticket] = mask
        counts[0, mask & 15] += 1
        counts[1, mask >> 4 & 31] += 1
        counts[2, mask >> 9] += 1


def random_pool(tickets: int, first_values: Sequence[int], *, seed: int, number: int = 0) -> PoolArray:
    """Tickets of random hands with the choices of the charts, for simulations and measurements."""
    pool = np.empty((tickets, TICKET_BYTES), dtype=np.uint8)
    _deal_pool(pool, _chart_of_draw(first_values), VALUE_OF_CARD, stream(seed, number))
    return pool


def _chart_of_draw(first_values: Sequence[int]) -> NDArray[np.uint16]:
    """The bit of a hit by the charts: [position, first card, second card]."""
    ups = dict(zip(HANDS_OF_GAME[2], first_values, strict=True))
    table = chart_table()
    return np.stack([table[p, ups.get(p, 1) - 1] for p in range(POSITIONS)])


@njit(cache=True, nogil=True)
def _deal_pool(pool: Any, chart: Any, values: Any, state: Any) -> None:
    a, b, c, d = state
    for ticket in range(pool.shape[0]):
        row = pool[ticket]
        for first in range(0, 30, _CARDS_PER_WORD):
            while True:
                word, a, b, c, d = next_word(a, b, c, d)
                for card in range(first, first + _CARDS_PER_WORD):
                    index, word = multiply_wide(word, np.uint64(52))
                    row[card] = index
                if word >= _REFUSED_WORD_BELOW:
                    break
        hits = np.uint16(0)
        for p in range(15):
            hits |= chart[p, values[row[2 * p]], values[row[2 * p + 1]]]
        row[30] = hits & 255
        row[31] = hits >> 8
    state[0], state[1], state[2], state[3] = a, b, c, d


def simulate_winners(
    rules: Knockout21Rules, tickets: int, draws: int, *, seed: int, number: int = 0
) -> NDArray[np.int64]:
    """How many of `tickets` random tickets won each game in each of some random draws: [draw, game − 1]."""
    if tickets < 1 or draws < 1:
        raise MalformedInput("a simulation needs at least one ticket and one draw")
    dealer = dealer_table()
    winners = np.empty((draws, len(GAMES)), dtype=np.int64)
    _play_draws(
        winners,
        np.empty((tickets, TICKET_BYTES), dtype=np.uint8),
        win_table(rules.game_1_hit),
        chart_table(),
        dealer.following,
        dealer.result,
        VALUE_OF_CARD,
        stream(seed, number),
    )
    return winners


@njit(cache=True, nogil=True)
def _play_draws(
    winners: Any, pool: Any, table: Any, charts: Any, following: Any, result: Any, values: Any, state: Any
) -> None:
    masks = np.empty(pool.shape[0], np.uint16)
    chart = np.empty((15, 10, 10), np.uint16)
    wins = np.empty((15, 2, 10, 10), np.uint16)
    for draw in range(winners.shape[0]):
        for p in range(15):
            game = 0 if p < 4 else 1 if p < 9 else 2
            hit = values[_next_card(state)]
            first = values[_next_card(state)]
            dealer = following[0, first]
            while result[dealer] < 0:
                dealer = following[dealer, values[_next_card(state)]]
            chart[p] = charts[p, first]
            wins[p] = table[game, hit, result[dealer]] * np.uint16(1 << p)
        _deal_pool(pool, chart, values, state)
        counts = np.zeros((3, 64), np.int64)
        hand_masks(pool, values, wins, masks, counts)
        for game in range(3):
            winners[draw, game] = knock_out_game(counts[game], 4 + game)[1]


@njit(cache=True, nogil=True)
def _next_card(state: Any) -> Any:
    """One of the 52 cards, each as likely as any other."""
    while True:
        word, state[0], state[1], state[2], state[3] = next_word(state[0], state[1], state[2], state[3])
        card, rest = multiply_wide(word, np.uint64(52))
        if rest >= _REFUSED_CARD_BELOW:
            return card
