"""A busy day of a whole house, the same for the same seed: tables with browsers that salt, and the lottery.

    python -m tests.busy_day FOLDER [ROUNDS] [BUYERS] [SEED]

leaves the day's database and its exported log, and has the log checked by the stranger of tests/independent.
Some browsers are too late with their salts, some players have none, some leave before the cards.
"""

from __future__ import annotations

import random
import sys
import time
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from cardroom.fair.commitment import Commitment
from cardroom.fair.salts import salt_hash
from cardroom.lottery.simulate import SimulatedDay
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store.log_text import log_lines
from cardroom.store.migrate import open_database
from cardroom.store.plan import Plan
from cardroom.store.unit import read_log
from cardroom.table.knockout52.running import Knockout52Table
from cardroom.table.running import RunningTable, table_class
from cardroom.table.twentyone import Phase, player_cut_range
from cardroom.table.twentyone.running import TwentyOneTable
from cardroom.web.house import House
from cardroom.web.settings import Settings
from tests import chance
from tests.databases import HandClock
from tests.independent.log_verifier import Report, verify_log

DAY = date(2025, 6, 14)
MORNING = datetime(2025, 6, 14, 4, tzinfo=UTC)
"""Before the lottery's day, so that the times of the log go on."""
SHORT_CENTS, MORE_CENTS = 20_000, 100_000
PEOPLE = [f"{number:02x}" * 16 for number in range(1, 13)]
OWN_TABLES: tuple[tuple[str, dict[str, object]], ...] = (
    ("blackjack", {"decks": 1}),
    ("spanish-21", {"decks": "infinite"}),
    ("players-edge-21", {"decks": 2}),
)
GIVES_HASH, REVEALS, LEAVES, CUTS = 0.8, 0.9, 0.05, 0.5
"""How often a player's browser salts, is in time, and goes again before the cards."""


@dataclass
class BusyDay:
    """Tables of a house, and people whose browsers salt what is dealt there."""

    url: str
    seed: int
    salts: dict[str, str] = field(default_factory=dict)
    """Hash → salt, of hashes that wait to be asked for."""

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.clock = HandClock(MORNING)
        settings = Settings(database=self.url, key=bytes(range(32)), lottery=False, card_seconds=0.01)
        self.house = House(settings, clock=self.clock)
        for person in PEOPLE:
            self.do(Plan(self.house.players.welcome(self.house.player(person))))

    def do(self, plan: Plan) -> None:
        if plan.entries:
            self.house.journal.record_now(*plan.entries)

    def step(self, table: RunningTable) -> None:
        due = table.due_at()
        assert due is not None
        self.clock.moment = max(self.clock.moment, due)
        self.do(table.step(self.house.tables.purse, self.clock.now()))

    def new_hash(self, commitment: Commitment) -> str:
        """The hash of a fresh salt, of a browser that gives one."""
        if self.random.random() > GIVES_HASH:
            return ""
        salt = self.random.randbytes(32).hex()
        hashed = salt_hash(commitment, bytes.fromhex(salt))
        self.salts[hashed] = salt
        return hashed

    def reveal(self, table: TwentyOneTable | Knockout52Table, hashes: list[str]) -> None:
        for hashed in self.random.sample(hashes, len(hashes)):
            salt = self.salts.pop(hashed)
            if self.random.random() < REVEALS:
                self.do(table.reveal(salt))

    # Rounds.

    def play_round(self, table: TwentyOneTable) -> None:
        """A round with some people, who play by chance."""
        while not table.state.takes_wagers:
            self.step(table)
        shoe = table.state.shoe
        assert shoe is not None
        assert shoe.salts is not None
        seats = table.rules.procedure.spots
        people = self.random.sample(PEOPLE, self.random.randint(1, seats))
        self.fill(people)
        for name in table.state.players:
            self.do(table.leave(table.names[name]))
        new = not shoe.rounds
        for spot, person in enumerate(people, 1):
            hashed = self.new_hash(Commitment.parse(shoe.committed.commitment)) if new else ""
            purse = self.house.tables.purse(person)
            self.do(table.place(purse, spot, int(table.rules.limits.min), {}, hashed))
        for person in people[1:]:
            if self.random.random() < LEAVES:
                self.do(table.leave(person))
        if table.state.phase is Phase.CUT and self.random.random() < CUTS:
            allowed = player_cut_range(table.rules)
            deep = self.random.randint(allowed.least, allowed.most)
            self.do(table.cut_by(people[0], deep, self.random.choice(("front", "back"))))
        before = table.state.rounds
        for wager in list(table.state.circles.values()):
            table.ask_for_deal(table.names[wager.player], self.clock.now())
        while table.state.rounds == before or table.state.in_round:
            self._go_on(table)

    def _go_on(self, table: TwentyOneTable) -> None:
        game = table.state.round
        if table.state.phase is Phase.SALTS and table.state.shoe and table.state.shoe.salts:
            waiting = [one.hash for one in table.state.shoe.salts.entries if one.hash in self.salts]
            self.reveal(table, waiting)
        if table.state.in_round and game is not None and game.options:
            offered = [str(option) for option in game.options if not str(option).startswith("insure")]
            said = self.random.choice(offered)
            in_turn = game.spots[game.turn]
            purse = self.house.tables.purse(table.names[in_turn.player])
            self.do(table.act(purse, in_turn.number, said, table.steps))
        else:
            self.step(table)

    def fill(self, people: list[str]) -> None:
        """Whoever is short of chips takes some more."""
        for person in people:
            player = self.house.players.get(person)
            if player.chips_cents < SHORT_CENTS:
                self.do(self.house.players.take_chips(player, MORE_CENTS, self.clock.now()))

    def play_game(self, table: Knockout52Table) -> None:
        """A game of Knockout 52 with some people."""
        assert table.commitment is not None
        number = table.number
        people = self.random.sample(PEOPLE, self.random.randint(1, 7))
        self.fill(people)
        for person in people:
            stakes = {"round-1": 500, "all-the-way": self.random.choice((100, 200))}
            purse = self.house.tables.purse(person)
            self.do(table.place(purse, stakes, self.new_hash(table.commitment)))
        for person in people[1:]:
            if self.random.random() < LEAVES:
                self.do(table.place(self.house.tables.purse(person), {}))
        for person in list(table.seated):
            table.ask_for_deal(person, self.clock.now())
        while table.number == number:
            if table.revealing:
                self.reveal(table, [one.hash for one in table.salts.entries if one.hash in self.salts])
            self.step(table)

    def tables(self, rounds: int) -> None:
        """So many rounds, in turn at all tables; then those of players' own are closed, their shoes told."""
        own: list[TwentyOneTable] = []
        for number, (game, options) in enumerate(OWN_TABLES):
            kind = table_class(game)
            opening = kind.opening(f"own{number}", kind.private_rules(game, options), PEOPLE[0])
            self.house.journal.record_now(opening)
            table = self.house.tables.find(TwentyOneTable, f"own{number}")
            first = table.first_plan()
            assert first is not None
            self.do(first)
            own.append(table)
        shoes = [*self.house.tables.all(TwentyOneTable)]
        games = self.house.tables.all(Knockout52Table)
        places: list[TwentyOneTable | Knockout52Table] = [*shoes, *games]
        for number in range(rounds):
            table_here = places[number % len(places)]
            if isinstance(table_here, Knockout52Table):
                self.play_game(table_here)
            else:
                self.play_round(table_here)
        for table in own:
            self.do(table.closing())
        self.house.journal.close()
        self.house.database.close()

    def lottery(self, buyers: int) -> None:
        """The lottery's day, on the same log."""
        changes = {"draws.interval_minutes": 120}
        rules = load_rules_as(Knockout21Rules, "knockout-21", changes)
        SimulatedDay(
            self.url, rules, seed=self.seed, day=DAY, buyers=buyers, faults=False, check_every=10**9
        ).run()


def export(url: str) -> str:
    """The whole log as `cardroom log` prints it."""
    clock = HandClock(MORNING + timedelta(days=2))
    with open_database(url, clock) as database, database.read() as connection:
        return "\n".join(log_lines(read_log(connection))) + "\n"


def live_through(url: str, *, rounds: int, buyers: int, seed: int = 21) -> str:
    """The log of a busy day."""
    day = BusyDay(url, seed)
    day.tables(rounds)
    day.lottery(buyers)
    return export(url)


def main(folder: str, rounds: str = "1500", buyers: str = "600", seed: str = "21") -> Report:
    where = Path(folder)
    where.mkdir(parents=True, exist_ok=True)
    database, file = where / "day.sqlite3", where / "log.jsonl"
    database.unlink(missing_ok=True)
    chance.take_over()
    chance.begin(f"a busy day of seed {seed}")
    begun = time.monotonic()
    text = live_through(f"sqlite:///{database}", rounds=int(rounds), buyers=int(buyers), seed=int(seed))
    file.write_text(text, "utf-8")
    lived = time.monotonic()
    report = verify_log(text)
    print(f"lived in {lived - begun:.0f} s, checked from {file} alone in {time.monotonic() - lived:.0f} s")
    return report


if __name__ == "__main__":
    found = main(*sys.argv[1:])
    for fault in found.faults:
        print(fault)
    print(
        f"{found.records:,} records: {found.shoes} shoes, {found.games} games, {found.draws} draws with "
        f"{found.tickets:,} tickets; {found.revealed} salts in the cards, {len(found.withheld)} not "
        f"revealed, {len(found.without_word)} shoes and games without any; {len(found.faults)} faults"
    )
    raise SystemExit(1 if found.faults else 0)
