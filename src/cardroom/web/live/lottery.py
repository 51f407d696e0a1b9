"""Knockout 21 while the server runs: draws that come by themselves, tickets bought with chips, the wall."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from cardroom.core.errors import CardroomError, Conflict
from cardroom.fair.entropy import OperatingSystem, Rehearsal
from cardroom.games import KNOCKOUT_21
from cardroom.lottery.claims import is_ticket, note_unknown
from cardroom.lottery.clock_care import accept_clock
from cardroom.lottery.control import Control
from cardroom.lottery.draws import GRACE, next_uncommitted_day
from cardroom.lottery.house import LONGEST_NAME, Lottery
from cardroom.lottery.readiness import ClockJumped
from cardroom.lottery.sales import BegunPurchase, Order, Sale, offered, sell
from cardroom.lottery.schedule import draw_times
from cardroom.lottery.scheduler import advance
from cardroom.rules import change_rules, load_rules_as
from cardroom.rules.knockout21 import POSITIONS, Knockout21Rules
from cardroom.store import lottery as rows
from cardroom.store.unit import Unit
from cardroom.web import threads
from cardroom.web.live.draw_show import DrawShow, show_of
from cardroom.web.live.vaults import vault_of
from cardroom.web.security.incidents import Counted

if TYPE_CHECKING:
    from cardroom.web.house import House
    from cardroom.web.players.player import Player

logger = logging.getLogger("cardroom.web")

TOPIC: Final = KNOCKOUT_21.id
_GAME: Final = f"game:{KNOCKOUT_21.id}"
TERMINAL: Final = "web"
BEAT_SECONDS: Final = 15.0
"""How often whoever follows the draws hears something, at least."""
CONTROL: Final = "control"
"""The part of the checkpoint that holds what the control has heard."""
_RECORDS_BETWEEN_SAVES: Final = 2_000
DEMO_CHANGES: Final[Mapping[str, object]] = {
    "draws.first": "00:01",
    "draws.last": "23:59",
    "draws.interval_minutes": 2,
    "sales.opens": "00:00",
    "sales.closes": "23:59",
    "sales.close_seconds": 15,
}
"""The demonstration's schedule: a draw every two minutes, all day."""
_SHOWS_KEPT: Final = 8
_LOOKED_AT: Final = 100
_RESULT_STANDS: Final = timedelta(seconds=5)
"""So long a result stands on the wall, at least, before the show of another draw."""
_SHOWN_AGAIN_FOR: Final = timedelta(hours=1)
"""So long a draw's show is there for screens that come late, also after a new start of the server."""
_POLL_SECONDS: Final = 0.5
_LONGEST_PAUSE_SECONDS: Final = 0.1
"""So soon the wall finds out about a show that has just been made."""
_DEMO_BUYERS: Final = 5
"""So many simulated buyers come in a second of the demonstration, at most."""


def lottery_key(kind: str, key: str) -> str:
    """A request's key as the lottery takes it: itself, or a digest of it where it is too long."""
    whole = f"{kind}-{key}"
    if len(whole) <= LONGEST_NAME:
        return whole
    return f"{kind}#{hashlib.sha256(key.encode()).hexdigest()[:48]}"


class LotteryRoom:
    """The lottery behind the terminal and the wall."""

    def __init__(self, house: House) -> None:
        self._house = house
        settings = house.settings
        own = load_rules_as(Knockout21Rules, KNOCKOUT_21.id)
        rules = change_rules(own, DEMO_CHANGES) if settings.demo else own
        vault = vault_of(settings)
        self.lottery = Lottery(
            house.database, vault, rules, OperatingSystem(), self._control(), skips_past=settings.demo
        )
        self._saved_seq = self.lottery.control.last_seq
        self.shows: OrderedDict[int, DrawShow] = OrderedDict()
        self._looked_at: deque[int] = deque(maxlen=_LOOKED_AT)
        """The draws of which it is known whether they are to be shown."""
        self.window: list[rows.DrawRow] = []
        self._to_close: list[rows.DrawRow] = []
        """The draws whose sales were opened and not closed: those on sale, and one whose time has come."""
        self.recent: list[rows.DrawRow] = []
        self.sold: dict[int, int] = {}
        self.announcement = ""
        """What every screen is told of the house, as JSON; made once for all of them."""
        self._news = ("", b"")
        self.waits_for = ""
        """What keeps the lottery from going on, such as a clock that two people are to look at."""
        self.waits_for_clock = False
        """Whether it is the clock: then two people go on with it."""
        self._unknown = Counted()
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = False
        self._buyers = Rehearsal(int(house.now().timestamp())) if settings.demo else None

    def _control(self) -> Control:
        """The control with what it had heard, where that is of this log; else it hears all again."""
        try:
            plain = self._house.checkpoints.part(CONTROL)
        except CardroomError as error:
            logger.warning("the control hears the log anew: %s", error)
            return Control()
        if plain is None or "rows" not in plain:  # one of before: it is heard again
            return Control()
        with self._house.database.read() as connection:
            logged = rows.record_at(connection, plain["seq"])
        return Control.restored(plain) if logged is not None and logged.hash == plain["hash"] else Control()

    def _save_control(self) -> None:
        """Keep what the control has heard, so that a start does not read the whole log for it."""
        control = self.lottery.control
        if control.last_seq - self._saved_seq >= _RECORDS_BETWEEN_SAVES:
            self._house.checkpoints.save_part(CONTROL, control.saved())
            self._saved_seq = control.last_seq

    # Running by itself.

    def open(self) -> None:
        self._tasks = [asyncio.create_task(self._operate()), asyncio.create_task(self._tick())]
        if self._buyers is not None:
            self._tasks.append(asyncio.create_task(self._demo_buyers(self._buyers)))

    async def close(self) -> None:
        self._closing = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _operate(self) -> None:
        """Do what is due, then wait for the next second in which something can be."""
        while True:
            before = self.announcement
            try:
                await threads.lottery.run(self._advance)
            except CardroomError as error:
                self.waits_for_clock = isinstance(error, ClockJumped)
                if not self._closing and error.message != self.waits_for:
                    self.waits_for = error.message
                    logger.error("the lottery waits: %s", error.message)
            except Exception:  # a locked database or a full disk must not end the draws for good
                if not self._closing:
                    logger.exception("the lottery waits, and will try again")
            else:
                self.waits_for, self.waits_for_clock = "", False
            if self.announcement != before:
                self._house.hub.publish(TOPIC)
            await asyncio.sleep(_POLL_SECONDS)

    def _advance(self) -> None:
        with self.lottery.database.read() as connection:
            # The control hears the log as it grows, so that a draw does not hold the writer up for it.
            self.lottery.control.catch_up(connection)
        self.lottery.look_at_rules()
        self._save_control()
        now = self._house.now()
        due = [draw for draw in self._to_close if now >= draw.closes_at] or not self.window
        waiting = [draw for draw in self.recent if draw.status not in ("settled", "void")]
        if (due or waiting) and not self._house.clock_watch.is_in_doubt:
            if not self.window:
                self._make_secrets()
            advance(self.lottery)
        self.look()
        self.announcement = house_text(self, self._house.now())

    def _make_secrets(self) -> None:
        """Make the secrets of the next day's draws before it is committed, while nobody waits for the log."""
        with self.lottery.database.read() as connection:
            last = rows.last_draw_number(connection)
            day = next_uncommitted_day(self.lottery, connection, self._house.now())
            rules = self.lottery.rules_on(connection, day)
        for number, _ in enumerate(draw_times(rules, day), last + 1):
            if self._closing:
                raise Conflict("the house is closing")
            self.lottery.vault.secret(number)
            self.lottery.vault.opening(number)

    def look(self) -> None:
        """Read the draws on sale, the latest ones, and start the show of a draw that was just drawn."""
        now = self._house.now()
        with self.lottery.database.read() as connection:
            size = 1 + self.lottery.rules.sales.advance_draws
            on_sale = rows.draws_with_status(connection, "open")
            window = rows.draws_still_to_close(connection, now, "open", limit=size)
            first = min((draw.number for draw in on_sale), default=rows.last_draw_number(connection) + 1)
            recent = [
                draw
                for draw in reversed(rows.draws_between(connection, first - 8, first + size - 1))
                if draw.status not in ("committed", "open")
            ]
            sold = {draw.number: rows.count_and_total(connection, draw.number)[0] for draw in window}
            drawn = [
                (at, draw)
                for draw in reversed(recent)
                if draw.cards is not None
                and draw.number not in self._looked_at
                and (at := rows.drawn_at(connection, draw.number)) is not None
            ]
        for at, draw in sorted(drawn, key=lambda one: one[0]):
            if now < at + _SHOWN_AGAIN_FOR and not _nobody_waits_for(draw, at):
                self.shows[draw.number] = self._show(draw.number, at)
            self._looked_at.append(draw.number)
        while len(self.shows) > _SHOWS_KEPT and next(iter(self.shows.values())).ends_at < now:
            self.shows.popitem(last=False)
        # After the shows: at no moment is a draw known to be over and not known to be on the wall.
        self.window, self._to_close, self.recent, self.sold = window, on_sale, recent, sold

    def _show(self, number: int, drawn_at: datetime) -> DrawShow:
        """It begins at the moment of the draw, which a new start of the server does not move, or after the
        show before it: draws that were drawn together are shown in turn."""
        before = next(reversed(self.shows.values()), None)
        begins = drawn_at if before is None else max(drawn_at, before.ends_at + _RESULT_STANDS)
        return show_of(self.lottery, number, begins, pace=self._house.settings.show_pace)

    async def _tick(self) -> None:
        """Wake the screens whenever a show has something new, at its very moment."""
        announced: dict[int, int] = {}
        while True:
            now, pause = self._house.now(), _LONGEST_PAUSE_SECONDS
            shows = list(self.shows.values())
            shown = {show.draw: show.shown(now) for show in shows}
            if shown != announced:
                announced = shown
                self._house.hub.publish(TOPIC)
            for show in shows:
                for moment in show.moments[shown[show.draw] :][:1]:
                    pause = min(pause, (moment - now).total_seconds())
            await asyncio.sleep(pause)

    async def _demo_buyers(self, chance: Rehearsal) -> None:
        """Simulated buyers, so that a demonstration has company."""
        number = 0
        while True:
            await asyncio.sleep(1.5)
            if not self.window:
                continue
            for _ in range(chance.below(_DEMO_BUYERS)):
                number += 1
                order = Order(f"demo-{1 + chance.below(9)}", tickets_per_draw=1 + chance.below(3))
                key = f"demo-{self._house.now().isoformat()}-{number}"
                try:
                    await threads.money.run(sell, self.lottery, order, key=key)
                except CardroomError as error:
                    logger.info("a simulated buyer leaves: %s", error.message)
                except Exception:  # others will come
                    logger.exception("a simulated buyer leaves")

    def news(self) -> tuple[str, bytes]:
        """What every screen is told of the house, and its event, made once for all of them."""
        if self._news[0] is not self.announcement:
            self._news = (self.announcement, house_event(self.announcement, self._house.now()))
        return self._news

    def current_show(self, now: datetime) -> DrawShow | None:
        """The show that is running, or the last one."""
        shows = list(self.shows.values())
        return next(
            (show for show in shows if show.started_at <= now < show.ends_at + _RESULT_STANDS),
            shows[-1] if shows else None,
        )

    def next_draw(self, now: datetime) -> rows.DrawRow | None:
        """The draw that comes next, also when its sales have closed; none that waits for people."""
        waiting = [
            draw
            for draw in (*self.window, *self._to_close, *self.recent)
            if draw.cards is None and draw.status != "void" and draw.due_at > now - GRACE
        ]
        return min(waiting, key=lambda draw: draw.due_at, default=None)

    def is_on_show(self, draw: int, now: datetime) -> bool:
        """Whether the wall has not yet shown all of a draw."""
        show = self.shows.get(draw)
        if show is None:  # drawn since the last look, or not at all: nothing of it may be told
            known = (*self.window, *self.recent)
            return any(one.number == draw and one.cards is None and one.status != "void" for one in known)
        return now < show.ends_at

    def hands_shown(self, draw: rows.DrawRow, now: datetime) -> int:
        """How many hands of a draw the wall has decided; nothing more of it may be told to anybody."""
        show = self.shows.get(draw.number)
        if show is not None:
            return show.hands_shown(now)
        return 0 if draw.cards is None or self.is_on_show(draw.number, now) else POSITIONS

    def accept_clock(self, people: Sequence[str], reason: str) -> None:
        """Two people say that the clock is right: the lottery goes on after an outage (R-25)."""
        with suppress(Conflict):  # it shows a time that was expected
            accept_clock(self.lottery, operators=people, reason=reason)

    def sells_here(self) -> bool:
        """Whether the house lets this terminal sell."""
        scopes = {"all", _GAME, f"terminal:{TERMINAL}"}
        return not scopes & self._house.disabled and not self._house.clock_watch.is_in_doubt

    def offered(self, now: datetime) -> list[rows.DrawRow]:
        """The draws for which a ticket may be bought here at a moment."""
        if not self.sells_here():
            return []
        window = [draw for draw in self.window if now < draw.closes_at]
        offer = offered(self.lottery.rules, window, now)
        return [draw for draw in offer if f"draw:{draw.number}" not in self._house.disabled]

    async def is_ticket(self, control_number: str) -> bool:
        """Whether a number is that of a ticket; numbers of none are noted once a minute, by their count."""
        if await threads.money.run(is_ticket, self.lottery, control_number):
            return True
        if times := self._unknown.another("number", now=asyncio.get_running_loop().time()):
            await threads.money.run(note_unknown, self.lottery, terminal=TERMINAL, times=times)
        return False

    # Tickets for chips.

    async def buy(self, player: Player, order: Order, key: str) -> BegunPurchase:
        """Sell tickets for chips: chips, sale, tickets and log in one commit."""
        house = self._house
        # The chips of a player are looked at and changed by one request at a time.
        async with house.lock(player.account):
            funds = PlayerFunds(house, house.player(player.id))
            sale = Sale(self.lottery, order, lottery_key("sale", f"web:{player.id}:{key}"), payer=funds)
            written = await house.journal.write(sale.run, key=sale.key)
        if isinstance(written, int):  # sold before: it is read from the database
            return BegunPurchase(*await threads.reading.run(sale.tickets, written))
        return BegunPurchase(*sale.tickets(written))


@dataclass(frozen=True, slots=True)
class PlayerFunds:
    """A player's chips: they buy tickets where the house and the player's own limits allow it."""

    house: House
    player: Player

    @property
    def account(self) -> str:
        return self.player.account

    def admit(self, unit: Unit, cents: int) -> None:
        """Refuse what may not be paid; who comes for the first time is given the first chips."""
        if cents:
            self.house.require_enabled(_GAME, f"terminal:{TERMINAL}")
            self.house.clock_watch.require_certainty()
            self.player.require_play(cents, self.house.now())
        for entry in self.house.players.welcome(self.player):
            unit.record(entry.record, entry.moves, entry.about)


def _nobody_waits_for(draw: rows.DrawRow, drawn_at: datetime) -> bool:
    """Whether a draw missed its time and has no tickets, as while the house was closed: it is not shown."""
    return not draw.ticket_count and drawn_at > draw.due_at + GRACE


def house_event(text: str, now: datetime) -> bytes:
    """What the wall shows of the house as a server-sent event, with the time."""
    return f'event: house\ndata: {{"now":"{now.isoformat()}",{text[1:]}\n\n'.encode()


def house_text(room: LotteryRoom, now: datetime) -> str:
    """What the wall shows of the house, as JSON without the time."""
    from cardroom.web.live.lottery_view import draws_view

    view = draws_view(room, now)
    news = {name: view[name] for name in ("next", "on_sale", "last", "sales")}
    return json.dumps(news, separators=(",", ":"))
