"""The price of a ticket is in play from its purchase until its draw is over, and only then lost."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from cardroom.records import AnyRecord
from cardroom.records.lottery import (
    DrawSettled,
    DrawVoided,
    ExpiryCorrected,
    PrizePaid,
    PrizesExpired,
    TicketsSold,
)
from cardroom.records.players import PlayerWelcomed
from cardroom.records.tables import TableRequestGranted
from cardroom.store.ledger import UNCLAIMED, Transfer
from cardroom.web.players.draws import DrawsInPlay
from cardroom.web.players.player import Player
from cardroom.web.players.register import Players
from cardroom.web.players.saved import restored_player, saved_player

NOON = datetime(2026, 6, 14, 12, tzinfo=UTC)
ANN, BOB = "a" * 32, "b" * 32
PRICE = 500
TABLE = "play:blackjack:linden"


class Log:
    """Players as records make them, one after another; with `saves` they are put away and read back."""

    def __init__(self) -> None:
        self.saved: dict[str, str] = {}
        self.players = Players(self._load)
        self.now = NOON
        self.seq = 0
        self.prizes: dict[int, int] = {}

    def _load(self, player: str) -> Player | None:
        return restored_player(player, json.loads(self.saved[player])) if player in self.saved else None

    def reopen(self) -> None:
        """All from what a checkpoint would have, as text."""
        for player, plain in self.players.take_changed().items():
            self.saved[player] = json.dumps(plain)
        draws = json.loads(json.dumps(self.players.draws.saved()))
        self.players = Players(self._load)
        self.players.draws = DrawsInPlay.restored(draws)

    def add(self, record: AnyRecord, *moves: Transfer) -> None:
        self.seq += 1
        self.players.apply(record, moves, self.now, self.seq)

    def wait(self, minutes: float) -> None:
        self.now += timedelta(minutes=minutes)

    def buy(self, player: str, *draws: int, account: str = "") -> None:
        buyer = account or f"player:{player}"
        tickets = [{"id": f"t{self.seq}-{draw}-{index}", "draw": draw} for index, draw in enumerate(draws)]
        sale = TicketsSold(terminal="web", buyer=buyer, state="choosing", key=f"k{self.seq}", tickets=tickets)
        self.add(
            sale, *(Transfer(buyer, f"draw:{draw}:sales", draws.count(draw) * PRICE) for draw in {*draws})
        )
        for draw in draws:
            self.prizes[draw] = self.prizes.get(draw, 0) + PRICE

    def settle(self, draw: int) -> None:
        self.add(
            DrawSettled(draw=draw, account={}, prizes=[]),
            Transfer(f"draw:{draw}:sales", "house:result", self.prizes.pop(draw)),
        )

    def call_off(self, draw: int) -> None:
        record = DrawVoided(draw=draw, by=["ann", "bob"], reason="a test", issued=[], prizes=[])
        self.add(record, Transfer(f"draw:{draw}:sales", f"draw:{draw}:prizes", self.prizes[draw]))

    def pay(self, account: str, draw: int, cents: int = PRICE) -> None:
        paid = PrizePaid(terminal="web", ticket="t", draw=draw, amount_cents=cents, payee=account)
        self.add(paid, Transfer(f"draw:{draw}:prizes", account, cents))

    def stake(self, player: str, cents: int, at: str = TABLE) -> None:
        granted = TableRequestGranted(table="linden", request={}, player=player)
        self.add(granted, Transfer(f"player:{player}", at, cents))

    def seen(self, player: str) -> tuple[int, int]:
        """Result and what is in play, as a page shows them."""
        found = self.players.get(player)
        return found.session_net_cents, found.in_play_cents


def test_a_ticket_is_in_play_until_its_draw_is_settled() -> None:
    log = Log()
    log.buy(ANN, 7, 7, 8)
    assert log.seen(ANN) == (0, 1500)
    log.settle(7)
    assert log.seen(ANN) == (-1000, 500)
    log.settle(8)
    assert log.seen(ANN) == (-1500, 0)
    log.pay(f"player:{ANN}", 7, 4500)
    assert log.seen(ANN) == (3000, 0)


def test_what_limits_on_losses_look_at_stays_as_it_was() -> None:
    log = Log()
    log.buy(ANN, 7)
    assert log.players.get(ANN).lost_cents(NOON - timedelta(days=1)) == PRICE
    log.settle(7)
    assert log.players.get(ANN).lost_cents(NOON - timedelta(days=1)) == PRICE
    log.pay(f"player:{ANN}", 7, 4500)
    assert log.players.get(ANN).lost_cents(NOON - timedelta(days=1)) == PRICE - 4500


def test_a_settlement_touches_no_player() -> None:
    """However many have tickets: what a player sees comes of the draws and of the player's own stakes."""
    log = Log()
    for number in range(50):
        log.buy(f"{number:032x}", 7)
    log.players.take_changed()
    log.settle(7)
    assert log.players.take_changed() == {}
    assert {log.seen(f"{number:032x}") for number in range(50)} == {(-PRICE, 0)}
    assert log.players.take_changed() == {}  # nor does looking


def test_stakes_at_tables_stand_beside_tickets() -> None:
    log = Log()
    log.stake(ANN, 400)
    log.buy(ANN, 7)
    assert log.seen(ANN) == (0, 900)
    log.settle(7)
    assert log.seen(ANN) == (-PRICE, 400)


def test_tables_that_are_cleared_give_no_prices_of_tickets_back() -> None:
    log = Log()
    log.stake(ANN, 400)
    log.buy(ANN, 7)
    log.buy(BOB, 7)
    saved = [(BOB, saved_player(log.players.get(BOB)))]
    assert log.players.open_wagers(saved) == {TABLE: {ANN: 400}}


def test_a_new_session_counts_no_draw_that_was_over_before_it_and_every_one_after() -> None:
    log = Log()
    log.buy(ANN, 7, 8)
    log.settle(7)
    log.wait(60)
    assert log.seen(ANN) == (-PRICE, PRICE)  # of the session that is shown until another begins
    log.stake(ANN, 400)
    assert log.seen(ANN) == (0, PRICE + 400)
    log.settle(8)
    assert log.seen(ANN) == (-PRICE, 400)


def test_within_a_session_a_draw_that_is_over_stays_lost() -> None:
    log = Log()
    log.buy(ANN, 7)
    log.settle(7)
    log.wait(5)
    log.buy(ANN, 8)
    assert log.seen(ANN) == (-PRICE, PRICE)
    assert list(log.players.get(ANN).in_play) == ["draw:8:sales"]


def test_a_prize_of_a_new_session_is_a_gain_of_it() -> None:
    log = Log()
    log.buy(ANN, 7)
    log.settle(7)
    log.wait(60)
    log.pay(f"player:{ANN}", 7, 4500)
    assert log.seen(ANN) == (4500, 0)


def test_a_draw_called_off_is_in_play_until_it_is_paid_back_and_no_loss() -> None:
    log = Log()
    log.buy(ANN, 7, 7)
    log.call_off(7)
    assert log.seen(ANN) == (0, 1000)
    log.pay(f"player:{ANN}", 7)
    assert log.seen(ANN) == (0, 500)
    log.wait(60)
    log.pay(f"player:{ANN}", 7)
    assert log.seen(ANN) == (0, 0)
    assert log.players.get(ANN).in_play == {}
    assert not log.players.draws


def test_who_brings_anothers_ticket_of_a_draw_called_off_gains_its_price() -> None:
    log = Log()
    log.buy(ANN, 7, 7)
    log.call_off(7)
    log.pay(f"player:{BOB}", 7)
    assert (log.seen(ANN), log.seen(BOB)) == ((0, 1000), (PRICE, 0))
    log.pay(f"player:{ANN}", 7)  # the last one: what Ann has in play has gone to Bob
    assert (log.seen(ANN), log.seen(BOB)) == ((-PRICE, 0), (PRICE, 0))


def test_prices_that_are_paid_in_cash_or_expire_are_lost_to_the_player() -> None:
    log = Log()
    log.buy(ANN, 7)
    log.buy(BOB, 7, account="outside:players")
    log.call_off(7)
    log.pay("outside:players", 7)
    assert log.seen(ANN) == (0, PRICE)
    log.add(PrizesExpired(draw=7, tickets=["t"]), Transfer("draw:7:prizes", UNCLAIMED, PRICE))
    assert log.seen(ANN) == (-PRICE, 0)
    again = ExpiryCorrected(draw=7, tickets=["t"], by=["ann", "bob"], reason="a test")
    log.add(again, Transfer(UNCLAIMED, "draw:7:prizes", PRICE))
    assert log.seen(ANN) == (-PRICE, 0)  # a draw that is over stays over
    log.pay(f"player:{ANN}", 7)
    assert log.seen(ANN) == (0, 0)


def test_a_correction_of_a_part_of_what_expired_is_waited_for() -> None:
    log = Log()
    log.buy(ANN, 7, 7)
    log.call_off(7)
    log.add(PrizesExpired(draw=7, tickets=["t"]), Transfer("draw:7:prizes", UNCLAIMED, PRICE))
    again = ExpiryCorrected(draw=7, tickets=["t"], by=["ann", "bob"], reason="a test")
    log.add(again, Transfer(UNCLAIMED, "draw:7:prizes", PRICE))
    log.pay(f"player:{ANN}", 7)
    assert log.seen(ANN) == (0, PRICE)
    log.pay(f"player:{ANN}", 7)
    assert log.seen(ANN) == (0, 0)


def test_draws_without_players_are_not_kept() -> None:
    log = Log()
    log.buy("", 7, account="outside:players")
    assert not log.players.draws
    log.call_off(7)
    assert log.players.draws.saved() == DrawsInPlay().saved()


def test_nothing_is_left_of_draws_that_are_over() -> None:
    log = Log()
    for draw in range(1, 301):
        log.wait(2)
        log.buy(ANN, draw, draw + 1)
        if draw % 10:
            log.settle(draw)
        else:
            log.call_off(draw)
            while log.prizes[draw]:
                log.pay(f"player:{ANN}", draw)
                log.prizes[draw] -= PRICE
    assert list(log.players.get(ANN).in_play) == ["draw:301:sales"]
    assert log.players.draws.saved() == {"open": {"draw:301:sales": 0}, "paying": {}}


def evening(
    seed: int, *, reopened: bool = False, pauses: bool = True
) -> tuple[list[Sequence[int]], dict[str, object]]:
    """Purchases, stakes, draws, prizes and pauses at random; what two players saw, and what is kept."""
    chance, log, seen = random.Random(seed), Log(), list[Sequence[int]]()
    for player in (ANN, BOB):
        log.add(PlayerWelcomed(player=player))
    chances = random.Random(seed + 1)
    waiting, off, over = list[int](), list[int](), set[int]()
    for step in range(120):
        log.wait(chance.choice([1, 1, 1, 8, 30]) if pauses else 0.1)
        what = chance.choice(["buy", "buy", "stake", "settle", "off", "pay", "prize"])
        player = chance.choice([ANN, BOB])
        if what == "buy":
            draws = [one for one in chance.choices(range(step, step + 4), k=2) if one not in over]
            log.buy(player, *draws)
            waiting += [draw for draw in dict.fromkeys(draws) if draw not in waiting]
        elif what == "stake":
            log.stake(player, 100)
        elif what == "settle" and waiting:
            draw = waiting.pop(0)
            over.add(draw)
            log.settle(draw)
        elif what == "off" and waiting:
            off.append(waiting.pop(0))
            over.add(off[-1])
            log.call_off(off[-1])
        elif what == "pay" and off:
            draw = chance.choice(off)
            log.pay(f"player:{player}", draw)
            log.prizes[draw] -= PRICE
            if not log.prizes[draw]:
                off.remove(draw)
        elif what == "prize" and over.difference(off):
            log.pay(f"player:{player}", chance.choice(sorted(over.difference(off))), 1_500)
        if reopened and chances.random() < 0.3:
            log.reopen()
        if reopened or chances.random() < 0.3:  # looking changes nothing
            seen.append((step, *log.seen(ANN), *log.seen(BOB)))
            if not pauses:
                for shown in map(log.players.get, (ANN, BOB)):
                    assert shown.session_net_cents == shown.balance_cents + shown.in_play_cents
    kept: dict[str, object] = {"draws": log.players.draws.saved()}
    for player in (ANN, BOB):
        found = log.players.find(player)
        assert found is not None
        kept[player] = saved_player(found)
    return seen, kept


def test_a_checkpoint_at_any_moment_makes_the_same_players() -> None:
    shown = set[Sequence[int]]()
    for seed in range(5):
        often, kept = evening(seed, reopened=True)
        seldom, same = evening(seed)
        assert kept == same
        assert set(seldom) <= set(often)
        shown |= {tuple(line[1:3]) for line in often}
    assert len(shown) > 100


def test_what_is_neither_at_hand_nor_in_play_was_lost() -> None:
    """In one session of whoever began it with nothing."""
    for seed in range(5):
        evening(seed, pauses=False)
