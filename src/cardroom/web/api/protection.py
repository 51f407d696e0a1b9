"""Game protection in the lab: what a player could gain under any house rules who watches the cards.

What takes long is asked for in two ways, with the same body: by its address, and the answer comes when it is
there; or by its address and `/events`, and events tell how far it is, the last of them with the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Final, Literal

from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from cardroom.rules import HouseRules
from cardroom.web.api.as_computed import as_computed
from cardroom.web.api.lab import HouseOptions
from cardroom.web.api.parts import Asking, Caller
from cardroom.web.computations import Computations
from cardroom.web.figures import computed, sheets
from cardroom.web.routers import ApiRouter
from cardroom.web.security.limits import StreamLimit

router = ApiRouter(prefix="/lab", tags=["lab"])

QUESTIONS: Final = StreamLimit(24, 6, "questions of game protection")
MOST_AT_A_TABLE: Final = 7
RAMP: Final = "1:2,2:4,3:6,4:8"
CountName = Annotated[str, Field(max_length=80)]
ACount = Annotated[int, Field(ge=-30, le=30)]
Answer = dict[str, Any]

_COUNT: Final = "A known count, or ten tags from ace to ten such as `-1,1,1,1,1,1,0,0,0,-1`"
_SECOND: Final = "decided by this count beside the first one; by the first one unless told"


class SideBetWanted(BaseModel):
    """A side bet of a counter's, on the first spot."""

    wager: Annotated[str, Field(max_length=60)] = Field(examples=["21+3"])
    from_count: ACount = Field(description="Made from this count on")
    units: Annotated[int, Field(ge=1, le=1000)] = 1


class CounterHabits(BaseModel):
    """How somebody counts, wagers and plays; what is left out is as careless as can be."""

    count: CountName = Field(default="hi-lo", description=_COUNT)
    ramp: Annotated[str, Field(max_length=120)] = Field(
        default="1:2,2:4,3:6,4:8",
        description="Units from each true count on; empty: one unit at every count",
        examples=["1:2,3:8"],
    )
    spots: Annotated[int, Field(ge=1, le=MOST_AT_A_TABLE)] = 1
    enter: ACount | None = Field(default=None, description="Sits down at this count; always unless told")
    leave: ACount | None = Field(default=None, description="Gets up below this count")
    deviations: Annotated[str, Field(max_length=2000)] | None = Field(
        default=None,
        description="Deviations from basic strategy, by the name of a list or in words",
        examples=["illustrious", "16 v T stand from 0, 13 v 2 hit below -1"],
    )
    insurance_from: ACount | None = Field(default=None, description="Takes insurance from this count on")
    sides: Annotated[list[SideBetWanted], Field(max_length=12)] = Field(
        default_factory=list, description="Side bets"
    )
    play_count: CountName | None = Field(default=None, description=f"Deviations are {_SECOND}")
    insurance_count: CountName | None = Field(default=None, description=f"Insurance is {_SECOND}")
    side_count: CountName | None = Field(default=None, description=f"Side bets are {_SECOND}")
    decks_known: Literal["exact", "quarter", "half", "whole"] = Field(
        default="exact", description="The decks left are known exactly, or to the nearest such part of one"
    )
    rounding: Literal["floor", "nearest", "truncate"] = Field(
        default="floor", description="Of the count: down, to the nearest whole number, or towards 0"
    )
    running: bool = Field(
        default=False, description="Decides by the running count, as unbalanced counts are meant"
    )
    cover: Annotated[int, Field(ge=2, le=1000)] | None = Field(
        default=None,
        description="No wager above so many times the last one in the shoe, nor below that part of it",
    )

    def habits(self) -> Answer:
        """Plain values, for the process that computes."""
        return self.model_dump(include=set(CounterHabits.model_fields))


class TableWanted(HouseOptions):
    """House options, and what all counters of a table share."""

    others: Annotated[int, Field(ge=0, le=MOST_AT_A_TABLE)] = Field(
        default=0, description="Spots of others, who sit before the counters"
    )
    cut_cards: Annotated[int, Field(ge=0, le=416)] | None = Field(
        default=None, description="Cards behind the cut card; where the house cuts unless told"
    )

    def table(self) -> Answer:
        return {"others": self.others, "cut_cards": self.cut_cards}


class CounterWanted(CounterHabits, TableWanted):
    """House options, and a counter."""


class TeamWanted(TableWanted):
    """House options, and the counters of one table, in the order of their spots."""

    counters: Annotated[list[CounterHabits], Field(min_length=1, max_length=MOST_AT_A_TABLE)]


class IndicesWanted(HouseOptions):
    """House options, and a count."""

    count: CountName = Field(default="hi-lo", description=_COUNT)


class EfficiencyWanted(HouseOptions):
    """House options, and counts."""

    counts: Annotated[list[CountName], Field(max_length=12)] = Field(
        default_factory=list, description="Counts to compare; all known ones unless told"
    )


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: who computes it, under which name it is kept, and how."""

    name: str
    rules: HouseRules
    work: Callable[[], Answer]
    question: str = ""
    by: Computations = computed

    @property
    def key(self) -> tuple[object, ...]:
        return f"protection, {self.name}", self.rules.rules_hash, self.question

    async def answer(self, asking: Caller) -> Answer:
        return await self.by.get(self.key, self.work, asking)

    def events(self, asking: Caller) -> StreamingResponse:
        return as_computed(self.by, self.key, self.work, asking, QUESTIONS, lambda answer: answer)


@router.post("/protection/exact")
async def exact_protection(wanted: HouseOptions, asking: Asking) -> Answer:
    """Effects of removal and counts, as tables: soon there."""
    rules = wanted.rules()
    return await Question("exact", rules, partial(_exact, rules)).answer(asking)


def _exact(rules: HouseRules) -> Answer:
    from cardroom.lab.protection import exact_tables

    return {"rules_hash": rules.rules_hash, "tables": exact_tables(rules)}


def _counter_question(wanted: CounterWanted) -> Question:
    rules, habits, table = wanted.rules(), wanted.habits(), wanted.table()
    return Question("counter", rules, partial(_counter, rules, habits, table), f"{habits} {table}")


def _counter(rules: HouseRules, habits: Answer, table: Answer) -> Answer:
    from cardroom.lab.protection_counters import counter_view

    return counter_view(rules, habits, **table)


@router.post("/protection/counter")
async def counted_protection(wanted: CounterWanted, asking: Asking) -> Answer:
    """A player who counts, simulated: a table by true count, and plots."""
    return await _counter_question(wanted).answer(asking)


@router.post("/protection/counter/events", response_class=StreamingResponse)
async def counter_events(wanted: CounterWanted, asking: Asking) -> StreamingResponse:
    """A player who counts, simulated: events tell how far it is, the last one has the answer."""
    return _counter_question(wanted).events(asking)


def _team_question(wanted: TeamWanted) -> Question:
    rules, table = wanted.rules(), wanted.table()
    counters = [one.habits() for one in wanted.counters]
    return Question("team", rules, partial(_team, rules, counters, table), f"{counters} {table}")


def _team(rules: HouseRules, counters: list[Answer], table: Answer) -> Answer:
    from cardroom.lab.protection_counters import team_view

    return team_view(rules, counters, **table)


@router.post("/protection/team")
async def team(wanted: TeamWanted, asking: Asking) -> Answer:
    """Several counters at one table, simulated: what each wins and all together, and plots."""
    return await _team_question(wanted).answer(asking)


@router.post("/protection/team/events", response_class=StreamingResponse)
async def team_events(wanted: TeamWanted, asking: Asking) -> StreamingResponse:
    """Several counters at one table, simulated: events tell how far it is, the last one has the answer."""
    return _team_question(wanted).events(asking)


def _known_question(wanted: HouseOptions) -> Question:
    rules = wanted.rules()
    return Question("known", rules, partial(_known, rules))


def _known(rules: HouseRules) -> Answer:
    from cardroom.lab.protection_tables import known_tables

    return {"rules_hash": rules.rules_hash, "tables": known_tables(rules)}


@router.post("/protection/known")
async def known_cards(wanted: HouseOptions, asking: Asking) -> Answer:
    """What it is worth to know a card, exact, as tables."""
    return await _known_question(wanted).answer(asking)


@router.post("/protection/known/events", response_class=StreamingResponse)
async def known_cards_events(wanted: HouseOptions, asking: Asking) -> StreamingResponse:
    """What it is worth to know a card, exact: events tell when it begins, the last one has the answer."""
    return _known_question(wanted).events(asking)


def _indices_question(wanted: IndicesWanted) -> Question:
    rules = wanted.rules()
    return Question("indices", rules, partial(_indices, rules, wanted.count), wanted.count)


def _indices(rules: HouseRules, count: str) -> Answer:
    from cardroom.lab.protection_tables import index_tables

    return {"rules_hash": rules.rules_hash, "tables": index_tables(rules, count)}


@router.post("/protection/indices")
async def indices(wanted: IndicesWanted, asking: Asking) -> Answer:
    """At which true count each deviation from basic strategy pays, as a table: shoes are solved."""
    return await _indices_question(wanted).answer(asking)


@router.post("/protection/indices/events", response_class=StreamingResponse)
async def indices_events(wanted: IndicesWanted, asking: Asking) -> StreamingResponse:
    """At which true count each deviation pays: events tell how far it is, the last one has the answer."""
    return _indices_question(wanted).events(asking)


def _efficiency_question(wanted: EfficiencyWanted) -> Question:
    rules = wanted.rules()
    work = partial(_efficiency, rules, wanted.counts)
    return Question("efficiency", rules, work, " ".join(wanted.counts), by=sheets)


def _efficiency(rules: HouseRules, counts: list[str]) -> Answer:
    from cardroom.lab.protection_tables import efficiency_tables

    return {"rules_hash": rules.rules_hash, "tables": efficiency_tables(rules, counts)}


@router.post("/protection/efficiency")
async def efficiency(wanted: EfficiencyWanted, asking: Asking) -> Answer:
    """Which share of perfect play's gain each count reaches, as a table: 200 shoes are solved."""
    return await _efficiency_question(wanted).answer(asking)


@router.post("/protection/efficiency/events", response_class=StreamingResponse)
async def efficiency_events(wanted: EfficiencyWanted, asking: Asking) -> StreamingResponse:
    """Which share of perfect play's gain each count reaches: events tell how far, the last has the answer."""
    return _efficiency_question(wanted).events(asking)


@router.post("/protection")
async def protection(wanted: HouseOptions, asking: Asking) -> Answer:
    """The report for the house, as tables and plots: shoes are dealt and solved."""
    from cardroom.lab.protection import protection_view

    rules = wanted.rules()
    return await sheets.get(("protection", rules.rules_hash), partial(protection_view, rules), asking)
