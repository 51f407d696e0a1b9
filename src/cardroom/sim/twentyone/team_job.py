"""Several counters at one table as data, or one with more than one count: a batch, and what it adds up."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.core.errors import MalformedInput
from cardroom.model.twentyone.automaton import compile_hands
from cardroom.model.twentyone.columns import columns_of
from cardroom.rules.twentyone.schema import TwentyOneRules
from cardroom.sim.batches import ROUNDS_PER_BATCH, Tally
from cardroom.sim.twentyone.counter import BINS, HIGHEST, LOWEST, SUMS, TRACE
from cardroom.sim.twentyone.counter_job import (
    NEVER,
    ROUNDINGS,
    CounterJob,
    CounterSums,
    PreparedCounter,
    Reckoning,
    SideStake,
)
from cardroom.sim.twentyone.counter_tables import CountTables, compile_count
from cardroom.sim.twentyone.dealing import Dealing, new_marks
from cardroom.sim.twentyone.job import STREAMS_PER_BATCH, rounds_per_stream
from cardroom.sim.twentyone.kernel import MOST_SPOTS, Room
from cardroom.sim.twentyone.sides import MOST_LINES, side_tables, simulated_sides
from cardroom.sim.twentyone.stream import seed_key, stream_states
from cardroom.sim.twentyone.team import play_team
from cardroom.sim.twentyone.team_tables import SUITS, TEAM_TOTALS, TEAM_TRACE, OtherTeamGame, Seats, TeamGame

MOST_COUNTERS: Final = MOST_SPOTS
_SUM_OF = {name: TEAM_TRACE.index(name) for name in TRACE}


@dataclass(frozen=True, slots=True)
class TableCount:
    """A count that is kept at the table: of tags, or of suits."""

    reckoning: Reckoning
    suits: bool = False
    """How far the longest suit of what is left is ahead of the shortest; tags are not looked at."""


@dataclass(frozen=True, slots=True)
class Member:
    """A counter at the table; where no other count is named, the one of the wagers decides."""

    job: CounterJob
    """As if all others played by basic strategy: `others` are all spots but the counter's."""
    play: TableCount | None = None
    insurance: TableCount | None = None
    sides: TableCount | None = None

    @property
    def counts(self) -> tuple[TableCount, ...]:
        """By which it wagers, plays, insures and makes side bets."""
        wagers = TableCount(self.job.reckoning)
        return wagers, self.play or wagers, self.insurance or wagers, self.sides or wagers


@dataclass(frozen=True, slots=True)
class TeamJob:
    """Counters at one table, in the order of their spots, after others; calling it plays one batch."""

    members: tuple[Member, ...]
    others: int = 0
    """Spots by basic strategy, before those of the counters."""

    def __post_init__(self) -> None:
        if not self.members:
            raise MalformedInput("a team has one counter or more")
        table = {(one.job.rules_text, one.job.dealing, one.job.seed) for one in self.members}
        if len(table) > 1:
            raise MalformedInput("counters at one table have the same rules, the same shoe and the same seed")
        if not self.others and all(one.job.enter > LOWEST for one in self.members):
            raise MalformedInput(
                "counters who all wait for a count need somebody to be dealt to meanwhile: others 1 or more"
            )

    @property
    def _table(self) -> CounterJob:
        return self.members[0].job

    @property
    def rules(self) -> TwentyOneRules:
        return self._table.rules

    @property
    def seed(self) -> int:
        return self._table.seed

    @property
    def identity(self) -> str:
        """A digest that two jobs share if and only if they play the same rounds."""
        return hashlib.sha256(repr(self).encode()).hexdigest()

    @property
    def rounds_per_batch(self) -> int:
        return ROUNDS_PER_BATCH

    @property
    def prepared(self) -> PreparedTeam:
        return _prepared(self)

    def sums(self, tally: Tally) -> TeamSums:
        """The parts of a tally."""
        counters, bets = len(self.members), len(self.prepared.bets)
        sizes = [counters * BINS * SUMS, counters * bets * MOST_LINES]
        bins, lines, totals = np.split(tally, np.cumsum(sizes))
        return TeamSums(bins.reshape(counters, BINS, SUMS), lines.reshape(counters, bets, MOST_LINES), totals)

    def precision(self, tally: Tally) -> tuple[float, float]:
        """Units won by all counters in a round seen, and the standard error."""
        sums, parts = self.sums(tally), self.prepared.parts
        rounds = int(sums.bins[0, :, 0].sum())
        mean = int(sums.totals[2]) / rounds / parts
        square = int(sums.totals[3]) / rounds / parts**2
        return mean, float(np.sqrt(max(square - mean**2, 0.0) / rounds))

    def __call__(self, batch: int, rounds: int) -> Tally:
        """Play one batch: its own streams, the last perhaps with fewer rounds."""
        per_stream = rounds_per_stream(rounds)
        lanes = len(per_stream)
        states = stream_states(seed_key(self.seed), batch * STREAMS_PER_BATCH, lanes).reshape(-1)
        tally = self.empty()
        self.play(per_stream, states, np.tile(self.prepared.cards, lanes), tally)
        return tally

    def empty(self) -> Tally:
        """A tally of nothing."""
        counters, bets = len(self.members), len(self.prepared.bets)
        return np.zeros(counters * (BINS * SUMS + bets * MOST_LINES) + TEAM_TOTALS, np.int64)

    def play(
        self,
        rounds: NDArray[np.int64],
        states: NDArray[np.uint32],
        shoes: NDArray[np.uint8],
        tally: Tally,
        trace: NDArray[np.int64] | None = None,
    ) -> None:
        """Play `rounds[lane]` rounds of each lane from its stream and its shoe."""
        sums, game = self.sums(tally), self.prepared.game
        counters = len(self.members)
        play_team(
            rounds,
            self.others,
            game,
            states,
            shoes,
            new_marks(len(rounds)),
            Room.of(1),
            Seats.of(
                totals=len(game.starts),
                counters=counters,
                spots=MOST_SPOTS,
                machines=len(game.machine_start),
                bets=len(self.prepared.bets),
                lines=MOST_LINES,
            ),
            sums.bins,
            sums.side_lines,
            sums.totals,
            np.zeros((0, counters, len(TEAM_TRACE)), np.int64) if trace is None else trace,
        )

    def rounds_of_all(self, rounds: int) -> NDArray[np.int64]:
        """[round, counter, what of `TEAM_TRACE`]: the first stream's rounds."""
        trace = np.zeros((rounds, len(self.members), len(TEAM_TRACE)), np.int64)
        states = stream_states(seed_key(self.seed), 0, 1).reshape(-1)
        self.play(np.array([rounds], np.int64), states, self.prepared.cards.copy(), self.empty(), trace)
        return trace

    def traced(self, rounds: int) -> NDArray[np.int64]:
        """[round, what of `TRACE`]: wagers and money of all counters together."""
        trace = self.rounds_of_all(rounds)
        result = trace[:, 0, list(_SUM_OF.values())].copy()
        for name in ("wager", "money"):
            result[:, TRACE.index(name)] = trace[:, :, _SUM_OF[name]].sum(axis=1)
        return result


class TeamSums(NamedTuple):
    """What was added up."""

    bins: NDArray[np.int64]
    """[counter, count − LOWEST, what]"""
    side_lines: NDArray[np.int64]
    """[counter, side bet, line]: rounds, of those in which the bet was made."""
    totals: NDArray[np.int64]
    """Shoes, dead rounds, money of all counters together in a round, its square."""


@dataclass(frozen=True, slots=True)
class SeatJob:
    """One counter of a team, read from the team's tally as `CounterJob` is from its own."""

    team: TeamJob
    place: int

    @property
    def member(self) -> CounterJob:
        return self.team.members[self.place].job

    @property
    def others(self) -> int:
        """Spots that nobody counts at."""
        return self.team.others

    @property
    def rules(self) -> TwentyOneRules:
        return self.member.rules

    @property
    def seed(self) -> int:
        return self.member.seed

    @property
    def dealing(self) -> Dealing:
        return self.member.dealing

    @property
    def reckoning(self) -> Reckoning:
        return self.member.reckoning

    @property
    def ramp(self) -> tuple[int, ...]:
        return self.member.ramp

    @property
    def spots(self) -> int:
        return self.member.spots

    @property
    def sides(self) -> tuple[SideStake, ...]:
        return self.member.sides

    @property
    def identity(self) -> str:
        return self.team.identity

    @property
    def rounds_per_batch(self) -> int:
        return self.team.rounds_per_batch

    def precision(self, tally: Tally) -> tuple[float, float]:
        return self.team.precision(tally)

    def __call__(self, batch: int, rounds: int) -> Tally:
        """The whole table is played."""
        return self.team(batch, rounds)

    @property
    def prepared(self) -> PreparedCounter:
        """Money in the team's parts, counts in their own."""
        prepared, own = self.team.prepared, self.member.prepared
        return replace(own, parts=prepared.parts)

    def sums(self, tally: Tally) -> CounterSums:
        """Of this counter."""
        sums = self.team.sums(tally)
        bets = self.team.prepared.bets
        own = [
            place for place, name in enumerate(bets) if name in {stake.wager for stake in self.member.sides}
        ]
        return CounterSums(sums.bins[self.place], sums.side_lines[self.place][own], sums.totals[:2])

    def traced(self, rounds: int) -> NDArray[np.int64]:
        """[round, what of `TRACE`]"""
        return self.team.rounds_of_all(rounds)[:, self.place, list(_SUM_OF.values())]


@dataclass(frozen=True, eq=False)
class PreparedTeam:
    """A job made ready to play on this machine."""

    tables: CountTables
    game: TeamGame
    cards: NDArray[np.uint8]
    parts: int
    """Parts of money in a unit wagered."""
    bets: tuple[str, ...]
    """Side bets that somebody makes, in the kernel's order."""


@lru_cache(maxsize=16)
def _prepared(job: TeamJob) -> PreparedTeam:
    members = [member.job for member in job.members]
    prepared = [member.prepared for member in members]  # refuses what no counter may do
    rules, cards, automaton = job.rules, prepared[0].cards, compile_hands(job.rules)
    assert rules.decks != "infinite"
    actions = [
        np.frombuffer(one.actions, np.int8).reshape(-1, len(automaton.may), len(columns_of(rules)))
        for one in members
    ]
    rows = np.cumsum([1, *(len(some) - 1 for some in actions)])
    tables = compile_count(automaton, np.concatenate([actions[0][:1], *(some[1:] for some in actions)]))
    places = np.arange(LOWEST, HIGHEST + 1)
    made = {stake.wager for one in members for stake in one.sides}
    bets = {name: bet for name, bet in simulated_sides(rules).items() if name in made}
    parts = lcm(*(one.parts for one in prepared))
    side_from = np.full((len(members), len(bets)), NEVER, np.int64)
    side_nets = np.zeros((len(members), len(bets), MOST_LINES), np.int64)
    for counter, one in enumerate(members):
        stakes = {stake.wager: stake for stake in one.sides}
        for bet, name in enumerate(bets):
            if name in stakes:
                side_from[counter, bet] = stakes[name].from_count
                staked = stakes[name].units_staked(rules)
                nets = [int(net * staked * parts) for net in stakes[name].nets(rules)]
                side_nets[counter, bet, : len(nets)] = nets
    scale = parts // prepared[0].parts
    kind = TeamGame if rules.hole_card == "dealt" else OtherTeamGame
    game = kind.of(
        tables,
        side_tables(bets.values(), hits_soft_17=rules.dealer_hits_soft_17),
        cards=np.uint64(len(cards)),
        plan=job.members[0].job.dealing.plan(len(cards)),
        **_counts(job, len(cards), len(cards) // rules.decks),
        row_of=np.stack(
            [
                first + np.searchsorted(one.bands, places, side="right")
                for first, one in zip(rows, members, strict=False)
            ]
        ).astype(np.int64),
        ramp=np.array([one.ramp for one in members], np.int64),
        spots=np.array([one.spots for one in members], np.int64),
        enter=np.array([one.enter for one in members], np.int64),
        leave=np.array([one.leave for one in members], np.int64),
        insure_from=np.array([one.insure_from for one in members], np.int64),
        cover=np.array([one.cover or 0 for one in members], np.int64),
        parts=parts // tables.unit,
        insurable=prepared[0].game.insurable,
        insurance=prepared[0].game.insurance * scale,
        side_from=side_from,
        side_nets=side_nets,
    )
    return PreparedTeam(tables, game, cards, parts, tuple(bets))


def _counts(job: TeamJob, shoe_size: int, deck_size: int) -> dict[str, Any]:
    """The different counts of the table, and by which of them each counter decides."""
    counts = list(dict.fromkeys(count for member in job.members for count in member.counts))
    columns: list[list[int]] = []
    starts: list[int] = []
    total_of = []
    for count in counts:
        parts = count.reckoning.parts(deck_size)
        total_of.append(len(columns))
        if count.suits:
            columns += [[parts * (card.index // 13 == suit) for card in CARDS] for suit in range(SUITS)]
            starts += [0] * SUITS
        else:
            columns.append([int(tag * parts) for tag in count.reckoning.tags])
            starts.append(int(count.reckoning.start * parts))
    by = np.array([[counts.index(count) for count in member.counts] for member in job.members], np.int64)
    return {
        "tags": np.ascontiguousarray(np.array(columns, np.int64).T),
        "starts": np.array(starts, np.int64),
        "total_of": np.array(total_of, np.int64),
        "of_suits": np.array([count.suits for count in counts], np.bool_),
        "inverse": np.stack([count.reckoning.inverse(shoe_size, deck_size) for count in counts]),
        "rounding": np.array([ROUNDINGS[count.reckoning.rounding] for count in counts], np.int64),
        **{
            name: np.ascontiguousarray(by[:, place])
            for place, name in enumerate(("wager_by", "play_by", "insure_by", "side_by"))
        },
    }


def suits_reckoning(*, by_deck: bool = True, step_cards: int = 1, rounding: str = "floor") -> TableCount:
    """A count of suits: every card is one of its suit."""
    tags = (Fraction(1),) * len(CARDS)
    reckoning = Reckoning(tags, by_deck=by_deck, step_cards=step_cards, rounding=rounding)
    return TableCount(reckoning, suits=True)
