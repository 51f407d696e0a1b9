"""Game protection in the lab: what a player could gain under any house rules who watches the cards."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from pydantic import Field

from cardroom.rules import HouseRules
from cardroom.web.api.lab import HouseOptions
from cardroom.web.api.parts import Asking
from cardroom.web.figures import computed, sheets
from cardroom.web.routers import ApiRouter

router = ApiRouter(prefix="/lab", tags=["lab"])


@router.post("/protection/exact")
async def exact_protection(wanted: HouseOptions, asking: Asking) -> dict[str, Any]:
    """Effects of removal and counts, as tables: soon there."""
    rules = wanted.rules()
    compute = partial(_exact, rules)
    return await computed.get(("protection, exact", rules.rules_hash), compute, asking)


def _exact(rules: HouseRules) -> dict[str, Any]:
    from cardroom.lab.protection import exact_tables

    return {"rules_hash": rules.rules_hash, "tables": exact_tables(rules)}


class CounterWanted(HouseOptions):
    """House options, and how somebody counts and wagers."""

    count: Annotated[str, Field(max_length=80)] = Field(
        default="hi-lo", description="A known count, or ten tags from ace to ten"
    )
    ramp: Annotated[str, Field(max_length=120)] = Field(
        default="1:2,2:4,3:6,4:8", description="Units from each true count on", examples=["1:2,3:8"]
    )
    cut_cards: Annotated[int, Field(ge=0, le=416)] | None = Field(
        default=None, description="Cards behind the cut card; where the house cuts unless told"
    )


class IndicesWanted(HouseOptions):
    """House options, and a count."""

    count: Annotated[str, Field(max_length=80)] = Field(
        default="hi-lo", description="A known count, or ten tags from ace to ten"
    )


@router.post("/protection/counter")
async def counted_protection(wanted: CounterWanted, asking: Asking) -> dict[str, Any]:
    """A player who counts, simulated: a table by true count, and plots."""
    rules = wanted.rules()
    habits = (wanted.count, wanted.ramp, wanted.cut_cards)
    compute = partial(_counter, rules, *habits)
    return await computed.get(("protection, counter", rules.rules_hash, *habits), compute, asking)


def _counter(rules: HouseRules, count: str, ramp: str, cut_cards: int | None) -> dict[str, Any]:
    from cardroom.lab.protection_asked import counter_view

    return counter_view(rules, count, ramp, cut_cards)


@router.post("/protection/known")
async def known_cards(wanted: HouseOptions, asking: Asking) -> dict[str, Any]:
    """What it is worth to know a card, exact, as tables."""
    rules = wanted.rules()
    return await computed.get(("protection, known", rules.rules_hash), partial(_known, rules), asking)


def _known(rules: HouseRules) -> dict[str, Any]:
    from cardroom.lab.protection_asked import known_tables

    return {"rules_hash": rules.rules_hash, "tables": known_tables(rules)}


@router.post("/protection/indices")
async def indices(wanted: IndicesWanted, asking: Asking) -> dict[str, Any]:
    """At which true count each deviation from basic strategy pays, as a table: shoes are solved."""
    rules = wanted.rules()
    compute = partial(_indices, rules, wanted.count)
    return await computed.get(("protection, indices", rules.rules_hash, wanted.count), compute, asking)


def _indices(rules: HouseRules, count: str) -> dict[str, Any]:
    from cardroom.lab.protection_asked import index_tables

    return {"rules_hash": rules.rules_hash, "tables": index_tables(rules, count)}


@router.post("/protection")
async def protection(wanted: HouseOptions, asking: Asking) -> dict[str, Any]:
    """The report for the house, as tables and plots: shoes are dealt and solved."""
    from cardroom.lab.protection import protection_view

    rules = wanted.rules()
    return await sheets.get(("protection", rules.rules_hash), partial(protection_view, rules), asking)
