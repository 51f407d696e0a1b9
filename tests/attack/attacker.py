"""An attacker who knows only the HTTP interface, and has accidents on their side.

Requests are repeated with their keys, keys are used for something else, tickets are claimed twice and by
others, wagers placed before a break; the machine stops at any point, answers to commits are lost, the clock
jumps. After every step what the house shows is compared with a simple model of who owns what.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from cardroom.core.errors import CardroomError, Unavailable
from cardroom.core.jumps import MOST_AHEAD, MOST_BEHIND
from cardroom.fair.commitment import Commitment
from cardroom.fair.salts import salt_hash
from cardroom.web.clock import HouseClock
from tests.attack.asking import (
    CREDENTIALS,
    KNOCKOUT_52,
    LOTTERY,
    OPERATORS,
    PLAYERS,
    TABLES,
    Asked,
    appoint_operators,
    chips_of,
    salt_of,
)
from tests.attack.hands import Hands
from tests.attack.owners import Owner
from tests.web.stage import NOON, Answer, MachineStopsError, Stage
from tests.web.write_points import losing_commit, stopping_at

_MOST_REPEATS, _MOST_HANDS, _UNAVAILABLE, _MOST_LOOKS = 12, 100, 503, 30


@dataclass
class Attacker:
    """Somebody with several browsers, at a house whose machine may stop."""

    url: str
    hands: Hands = field(default_factory=lambda: Hands(NOON))
    owners: dict[str, Owner] = field(default_factory=lambda: {player: Owner() for player in PLAYERS})
    done: list[Asked] = field(default_factory=list)
    own: list[str] = field(default_factory=list)
    """Tables of players' own."""
    steps: int = 0
    stops: int = 0
    lost_commits: int = 0
    trusted_behind: bool = False
    """Whether people have said that a clock is right that is behind the house's time."""
    _keys: int = 0
    _stage: Stage | None = None
    _losing: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _logged_in: Stage | None = None

    @property
    def stage(self) -> Stage:
        assert self._stage is not None
        return self._stage

    @property
    def is_open(self) -> bool:
        return self._stage is not None

    # The house, and what happens to it.

    async def open(self) -> None:
        """Open the house: one that was ever open can always be opened again."""
        clock = HouseClock(self.hands, self.hands.steady)
        stage = Stage(self.url, self.hands, salted=True, reveal_seconds=0.05, house_clock=clock)
        self._stage, self._logged_in = stage, None
        await stage.open()
        await self._lottery_goes_on()

    async def close(self) -> None:
        """Close the house and look whether its own books hold."""
        self._losing.close()
        self.stage.house.database.probe = None
        await self._revived()
        await self._rounds_end()
        await self.see_all()
        assert self.stage.faults() == []
        await self.stage.close()

    async def restart(self) -> None:
        """Stop the house in good order and open it again, wherever its rounds are."""
        self._losing.close()
        self.stage.house.database.probe = None
        await self._revived()
        await self.stage.close()
        await self.open()
        await self.see_all()

    async def _rounds_end(self) -> None:
        """Let all hands stand, so that every round is over and every result told."""
        for _ in range(_MOST_HANDS):
            if not any([await self._is_in_round(player) for player in PLAYERS]):
                return
            self.hands.advance(seconds=601)
            await self.wait(10)
        raise AssertionError("a round does not end")

    def stop_within(self, points: int) -> None:
        """The machine will stop at one of the next points of writing."""
        self._losing.close()
        stopping_at(self.stage, points).__enter__()

    def lose_commit(self, number: int, *, done: bool) -> None:
        """The answer to one of the next commits will be lost."""
        self._losing.close()
        self._losing.enter_context(losing_commit(self.stage.house.database, number, done=done))
        self.lost_commits += 1

    async def _revived(self) -> bool:
        """Open the house again if its machine has stopped."""
        if not self.stage.stopped:
            return False
        self.stops += 1
        self._losing.close()
        await self.stage.die()
        await self.open()
        return True

    async def _attempt(self, work: Callable[[], Awaitable[Answer]]) -> Answer:
        """Do something as often as it takes until the house has answered."""
        for _ in range(_MOST_REPEATS):
            try:
                answer = await work()
            except (MachineStopsError, Unavailable):
                answer = Answer(_UNAVAILABLE, None)
            if await self._revived() or answer.status == _UNAVAILABLE:
                continue
            return answer
        raise AssertionError("the house does not answer any more")

    async def ask(self, player: str, method: str, path: str, body: object = None, *, key: str = "") -> Answer:
        """Ask for something as a player, and again until there is an answer."""
        answer = await self._attempt(lambda: self.stage.ask(method, path, body, key=key, visitor=player))
        assert answer.status < 500, (method, path, body, answer)
        return answer

    async def change(self, player: str, method: str, path: str, body: object = None) -> Any:
        """Ask for a change under a new key; what was done, or None where it was refused."""
        self._keys += 1
        key = f"key-{self._keys:08d}"
        answer = await self.ask(player, method, path, body, key=key)
        if not answer.is_done:
            return None
        if answer.body.get("verdict", "prize") == "prize":  # a claim that is not paid may be brought again
            self.done.append(Asked(player, method, path, body, key, answer.body))
        return answer.body

    async def see(self, player: str, *, whole: bool = False) -> None:
        """Compare what a player sees with what must be so.

        Results are asked for where the chips are not as those that are known say; `whole`: in any case.
        """
        owner = self.owners[player]
        session = await self.ask(player, "GET", "/api/v1/session")
        owner.settled = self.stage.settled_draws()
        while whole or not owner.has_expected(session.body):
            history = await self.ask(player, "GET", "/api/v1/session/history")
            owner.hear(history.body["rounds"])
            before, session = session, await self.ask(player, "GET", "/api/v1/session")
            owner.settled = self.stage.settled_draws()
            if chips_of(session) == chips_of(before):  # nothing was dealt in between
                break
        now = self.stage.house.now()
        in_round = not owner.has_expected(session.body) and await self._is_in_round(player)
        owner.see(session.body, now, in_round=in_round)

    async def _is_in_round(self, player: str) -> bool:
        """Whether a round with wagers of the player is not over."""
        for table in (*TABLES, *self.own):
            view = (await self.ask(player, "GET", f"/api/v1/tables/{table}")).body
            if view.get("phase") == "round" and any(spot["you"] for spot in view["round"]["spots"]):
                return True
        return bool((await self.ask(player, "GET", KNOCKOUT_52)).body["phase"] == "dealing")

    async def see_all(self) -> None:
        """Everything that every player sees, with the results of all rounds so far."""
        for player in PLAYERS:
            await self.see(player, whole=True)

    # Time.

    async def wait(self, hops: int) -> None:
        """Let the dealers deal for a while, a card each at every hop."""
        for _ in range(hops):
            self.hands.advance(milliseconds=20)
            if not await self._dealers_deal():
                break
        await self._revived()

    async def _dealers_deal(self) -> bool:
        """Wake the dealers at whose tables something is due by the clock set by hand; whether any was."""
        house = self.stage.house

        def due() -> dict[str, datetime]:
            moments = {table.id: table.due_at() for table in house.memory.tables.values()}
            return {name: at for name, at in moments.items() if at is not None and at <= house.now()}

        waiting = due()
        for name in waiting:
            house.tables.wake(house.tables.get(name))
        for _ in range(_MOST_LOOKS):
            if self.stage.stopped or not waiting.items() & due().items():
                break
            await asyncio.sleep(0.001)
        return bool(waiting)

    async def jump(self, seconds: float) -> None:
        """The time of day of the machine jumps, ahead or back: the house's own time does not."""
        stops, before = self.stops, self.stage.house.now()
        self.hands.jump(seconds)
        assert abs(self.stage.house.now() - before) < timedelta(seconds=1), "the house's time has jumped"
        ahead = self.hands.now() - before
        await self._attempt(self._clock_is_looked_at)
        await self._lottery_goes_on()
        if self.stops != stops:  # a house that was stopped in between takes the time that it finds
            return
        if ahead >= MOST_AHEAD or (ahead <= -MOST_BEHIND and not self.trusted_behind):
            assert await self._clock_words(), f"nobody is told that the clock is {ahead} ahead"
            for player in PLAYERS:
                sold = await self.ask(player, "POST", f"{LOTTERY}/purchases", {"tickets_per_draw": 1})
                assert not sold.is_done, f"a ticket is sold although the clock is {ahead} ahead"

    async def _clock_is_looked_at(self) -> Answer:
        """What the house does twice a second."""
        await asyncio.to_thread(self.stage.house.clock_watch.look)
        return Answer(200, None)

    async def trust_clock(self) -> None:
        """Operators say that the time of day is right: two of them, where one is not enough."""
        if not await self._clock_words():
            return
        path, body = "/api/v1/operations/clock", {"reason": "a test"}
        needs_two = (await self._asked_by_operator("GET", "/api/v1/operations/overview"))["clock_needs_two"]
        behind, stops = self.hands.now() < self.stage.house.now(), self.stops
        for signed in ({}, {"second": {**CREDENTIALS, "name": OPERATORS[1]}})[: 1 + needs_two]:
            answer = await self.ask(PLAYERS[0], "POST", path, {**body, **signed})
            if self.stops != stops:  # a house that was stopped in between has answered nobody
                return
            is_enough = bool(signed) or not needs_two
            assert answer.is_done == is_enough or (signed and not await self._clock_words()), answer
        self.trusted_behind = behind
        await self._attempt(self._clock_is_looked_at)
        assert await self._clock_words() is None
        await self._lottery_goes_on()

    async def _clock_words(self) -> str | None:
        """What operators are told of the clock, if there is anything to be told."""
        words: str | None = (await self._asked_by_operator("GET", "/api/v1/operations/overview"))["clock"]
        return words

    async def next_draw(self) -> None:
        """The time of the draw on sale comes: sales close, cards are drawn, the wall shows them."""
        for moment in ("closes_at", "due_at"):
            window = self.stage.room.window
            if not window:
                break
            due = getattr(window[0], moment)
            while (left := (due - self.stage.house.now()).total_seconds()) > 0:
                self.hands.advance(seconds=left)  # the house's time may run a little slower
            await self._lottery_goes_on()

    async def draw(self) -> None:
        """The next draw, or a ticket for it where nobody has one: draws of no tickets are of little use."""
        window = self.stage.room.window
        if window and not any(window[0].number in owner.tickets.values() for owner in self.owners.values()):
            await self.buy(PLAYERS[0], 1, 1, None)
        else:
            await self.next_draw()

    async def _lottery_goes_on(self) -> None:
        async def work() -> Answer:
            try:
                await asyncio.to_thread(self.stage.room._advance)
            except Unavailable:
                raise
            except CardroomError:  # it says so, and tries again later
                return Answer(409, None)
            return Answer(200, None)

        await self._attempt(work)

    # The lottery.

    async def buy(self, player: str, tickets: int, draws: int, ahead: int | None) -> None:
        """Buy tickets; with `ahead` from a draw so many after the next one, perhaps beyond the window."""
        window = self.stage.room.window
        body: dict[str, Any] = {"tickets_per_draw": tickets, "draws": draws}
        if ahead is not None and window:
            body["first_draw"] = window[0].number + ahead
        bought = await self.change(player, "POST", f"{LOTTERY}/purchases", body)
        if bought is None:  # the same request, once it may be: the very hole that gave tickets for nothing
            key = f"key-{self._keys:08d}"
            if body.get("first_draw", 0) > max((draw.number for draw in window), default=0):
                await self.next_draw()
            answer = await self.ask(player, "POST", f"{LOTTERY}/purchases", body, key=key)
            if not answer.is_done:
                return
            self.done.append(Asked(player, "POST", f"{LOTTERY}/purchases", body, key, answer.body))
            bought = answer.body
        for ticket in bought["tickets"]:
            assert ticket["id"] not in self.owners[player].tickets
            self.owners[player].tickets[ticket["id"]] = ticket["draw"]

    async def choose(self, place: int) -> None:
        """Make the choices of a purchase, which prints its tickets."""
        bought = [asked for asked in self.done if asked.path == f"{LOTTERY}/purchases"]
        if bought:
            asked = bought[place % len(bought)]
            path = f"{LOTTERY}/purchases/{asked.answer['purchase']}/choices"
            body = {"overrides": {asked.answer["tickets"][0]["id"]: {"4": "S"}}}
            await self.change(asked.player, "POST", path, body)

    async def alter(self, place: int) -> None:
        """Alter a ticket, which may be done once and before its sales close."""
        if (found := self._ticket(place)) is not None:
            player, ticket = found
            await self.change(
                player, "POST", f"{LOTTERY}/tickets/{ticket}/alteration", {"overrides": {"4": "H"}}
            )

    async def claim(self, place: int, claimant: str) -> None:
        """Bring a ticket to be paid: one's own, or one that was found."""
        if (found := self._ticket(place)) is None:
            return
        owner, ticket = found
        seen = await self.ask(owner, "GET", f"{LOTTERY}/tickets/{ticket}")
        if not seen.is_done or not seen.body.get("code"):
            return
        body = {"control_number": seen.body["control_number"], "code": seen.body["code"]}
        paid = await self.change(claimant, "POST", f"{LOTTERY}/claims", body)
        if paid is None:
            return
        before = [owner.prizes[ticket] for owner in self.owners.values() if ticket in owner.prizes]
        if paid["verdict"] == "prize":
            assert not before, f"ticket {ticket} is paid a second time"
            assert paid["prize_cents"] == seen.body["prize"]["cents"]
            self.owners[claimant].prizes[ticket] = paid["prize_cents"]
        else:
            assert (paid["verdict"] == "paid already") == bool(before), f"{paid} for {before}"

    def _ticket(self, place: int) -> tuple[str, str] | None:
        known = [(player, ticket) for player, owner in self.owners.items() for ticket in owner.tickets]
        return known[place % len(known)] if known else None

    # The tables.

    async def wager(self, player: str, table: str, spot: int, cents: int) -> None:
        """Wagers on a spot, with the hash of a salt where the shoe takes one."""
        view = (await self.ask(player, "GET", f"/api/v1/tables/{table}")).body
        body: dict[str, Any] = {"stake_cents": cents}
        shoe = view.get("shoe", {})
        if shoe.get("salts") and shoe["salts"]["stage"] == "open" and shoe["commitment"]:
            salt = salt_of(player, shoe["commitment"])
            body["salt_hash"] = salt_hash(Commitment.parse(shoe["commitment"]), bytes.fromhex(salt))
        await self.change(player, "PUT", f"/api/v1/tables/{table}/spots/{spot}/wagers", body)

    async def reveal(self, player: str, table: str) -> None:
        """Reveal one's salt, asked for or not."""
        view = (await self.ask(player, "GET", f"/api/v1/tables/{table}")).body
        if view["shoe"]["commitment"]:
            salt = {"salt": salt_of(player, view["shoe"]["commitment"])}
            await self.ask(player, "POST", f"/api/v1/tables/{table}/salts", salt)

    async def stake(self, player: str, stakes: dict[str, int]) -> None:
        """Wagers on a game of Knockout 52."""
        await self.change(player, "PUT", f"{KNOCKOUT_52}/wagers", {"stakes": stakes})

    async def deal(self, player: str, table: str) -> None:
        """Ask for the cards, at one table or at both at the same moment, and let the dealers deal some."""
        for name in TABLES if table == "both" else (table,):
            path = KNOCKOUT_52 if name == "willow" else f"/api/v1/tables/{name}"
            await self.ask(player, "POST", f"{path}/deal")
        await self.wait(4)

    async def act(self, player: str, table: str, choice: int) -> None:
        """Say something in one's turn, or out of it."""
        view = (await self.ask(player, "GET", f"/api/v1/tables/{table}")).body
        options = view["you"]["options"]
        action = options[choice % len(options)]["action"] if options else "stand"
        if action.startswith("insure") and choice % 2:
            action = "insure 1"  # a part of what is offered
        spot = next((spot["number"] for spot in view["spots"] if spot["you"]), 1)
        turn = [
            spot["number"]
            for spot in (view["round"] or {}).get("spots", ())
            if spot["you"] and any(hand["turn"] for hand in spot["hands"])
        ]
        body = {"spot": (turn or [spot])[0], "action": action, "step": view["step"]}
        await self.change(player, "POST", f"/api/v1/tables/{table}/actions", body)
        await self.wait(3)

    async def cut(self, player: str, table: str, cards: int) -> None:
        """Cut a shoe: one's own place at the table or none, in the range or out of it, once or again."""
        await self.ask(player, "POST", f"/api/v1/tables/{table}/cut", {"cards_deep": cards})

    async def release(self, player: str, table: str, spot: int) -> None:
        """Give up a spot, one's own or another's."""
        await self.ask(player, "DELETE", f"/api/v1/tables/{table}/spots/{spot}")

    async def leave(self, player: str, table: str) -> None:
        await self.ask(player, "POST", f"/api/v1/tables/{table}/leave")

    # Chips, limits, and keys.

    async def take_chips(self, player: str, cents: int) -> None:
        if await self.change(player, "POST", "/api/v1/session/chips", {"cents": cents}) is not None:
            self.owners[player].take(cents)

    async def limit(self, player: str, cents: int | None) -> None:
        """Set a limit on losses; money that is on its way just then is seen before it holds."""
        await self.ask(
            player, "PUT", "/api/v1/session/limits", {"kind": "loss", "period": "day", "value": cents}
        )

    async def pause(self, player: str, table: str, spot: int) -> None:
        """Place a wager and take a break of an hour: nothing may be staked in it, not even that wager."""
        await self.wager(player, table, spot, 1_000)
        await self.ask(player, "POST", "/api/v1/session/break", {"hours": 1})

    async def read_on(self, player: str) -> None:
        """Say that one has read how long one has played."""
        await self.ask(player, "POST", "/api/v1/session/reality-check")

    async def repeat(self, place: int) -> None:
        """Send a request again that was done: it is answered alike and changes nothing."""
        if self.done:
            asked = self.done[place % len(self.done)]
            answer = await self.ask(asked.player, asked.method, asked.path, asked.body, key=asked.key)
            assert answer.is_done, (asked, answer)
            for name in ("purchase", "verdict", "prize_cents", "table"):
                if isinstance(asked.answer, dict) and name in asked.answer:
                    assert answer.body[name] == asked.answer[name], (asked, answer)

    async def reuse(self, place: int) -> None:
        """Use a key again for something else: refused, and nothing changes."""
        if self.done:
            asked = self.done[place % len(self.done)]
            for method, path, body in (
                ("POST", "/api/v1/session/chips", {"cents": 77_700}),
                ("POST", f"{LOTTERY}/purchases", {"tickets_per_draw": 7}),
            ):
                if path != asked.path:
                    continue
                answer = await self.ask(asked.player, method, path, body, key=asked.key)
                assert not answer.is_done, (asked, answer)

    async def switch(self, game: str, *, off: bool) -> None:
        """The floor closes a game, or opens it."""
        await self._log_in()
        body = {"what": f"game:{game}", "off": off, "reason": "a test"}
        await self.ask(PLAYERS[0], "POST", "/api/v1/operations/switches", body)

    async def open_table(self, player: str, game: str, named: str | None, computers: int) -> None:
        """Open a table of one's own, also by naming another game among its options; play there in company."""
        options = {} if named is None else {"game": named}
        body = {"game": game, "options": options, "computers": computers, "speed": "fast"}
        closed = self.stage.house.disabled
        if opened := await self.change(player, "POST", "/api/v1/tables", body):
            view = (await self.ask(player, "GET", f"/api/v1/tables/{opened['table']}")).body
            assert f"game:{view['game']}" not in closed, f"a table of a closed game: {view['game']}"
            self.own.append(opened["table"])
            await self.wager(player, opened["table"], 1, 1_000)
            await self.deal(player, opened["table"])

    # Those who run the house.

    async def appoint(self) -> None:
        """Two operators besides the first one, each with a password of their own."""
        await appoint_operators(self._done, self.stage.house.first_password)

    async def _done(self, method: str, path: str, body: object = None) -> Any:
        answer = await self.ask(PLAYERS[0], method, path, body)
        assert answer.is_done, (method, path, answer)
        return answer.body

    async def _asked_by_operator(self, method: str, path: str) -> Any:
        """Ask as an operator, who logs in where a log-in has ended."""
        for _ in range(_MOST_REPEATS):
            await self._log_in()
            answer = await self.ask(PLAYERS[0], method, path)
            if answer.is_done:
                return answer.body
            self._logged_in = None
        raise AssertionError("an operator cannot ask any more")

    async def _log_in(self) -> None:
        if self._logged_in is not self.stage:
            await self.ask(PLAYERS[0], "POST", "/api/v1/operations/login", CREDENTIALS)
            self._logged_in = self.stage
