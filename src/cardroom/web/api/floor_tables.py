"""The floor: what its people see of the tables and do there, each act with a name and a reason."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Annotated, Any, Final, Literal

from fastapi import Path, Query
from pydantic import BaseModel, Field

from cardroom.core.errors import CardroomError
from cardroom.records import FloorRecord
from cardroom.records.floor import FloorAnswered, FloorCalled, RoundCorrected, TableFrozen, TableReleased
from cardroom.records.house import OverrideRefused
from cardroom.store.plan import Plan
from cardroom.table.correction import MOST_CENTS, correction, net_of
from cardroom.table.happened import Happened
from cardroom.table.running import Finished, RunningTable
from cardroom.table.twentyone import by_hand
from cardroom.table.twentyone.by_hand import BroughtDeck, Signed
from cardroom.table.twentyone.running import TwentyOneTable
from cardroom.table.twentyone.study import Start, shown_shuffle
from cardroom.web.api.floor import second_person
from cardroom.web.api.operations import Credentials, Operating, Reason, Watching, record
from cardroom.web.api.parts import Asking, HouseHere, TableId
from cardroom.web.errors import NotFound
from cardroom.web.house import House
from cardroom.web.live.floor_view import (
    floor_table_view,
    happened_view,
    shuffle_view,
)
from cardroom.web.live.shown import view_of
from cardroom.web.routers import ApiRouter
from cardroom.web.threads import desk

router = ApiRouter(prefix="/operations/floor", tags=["floor"])

Spot = Annotated[int, Path(ge=1, le=9)]
DeckNumber = Annotated[int, Path(ge=1, le=8)]
CardsDeep = Annotated[int, Field(ge=1, le=1000)]
_WATCHED: Final = (
    "table",
    "phase",
    "round",
    "dealer",
    "open",
    "frozen",
    "call",
    "failed",
    "spots",
    "waiting",
)
"""What of a table the floor's pages watch; the pace is not among it."""
CardText = Annotated[str, Field(max_length=800, examples=["Ac 6h"])]


class Act(BaseModel):
    """Why somebody of the floor does something."""

    reason: Reason


class NewDealer(Act):
    """A dealer who takes over a table; without a burn where the floor waives it (PROC-7)."""

    dealer: str = Field(min_length=1, max_length=40, examples=["Max"])
    burn: bool = True


class Deck(BaseModel):
    """A deck as it was found (PROC-1): what is missing and what is too much, or all of its cards."""

    missing: CardText = ""
    extra: CardText = ""
    cards: CardText = ""


class Opening(Act):
    """Decks to be inspected and put in play; none described means new, complete ones."""

    decks: list[Deck] = Field(default_factory=list, max_length=8)


class HouseCut(Act):
    """The house's cut, where no player cuts (PROC-6)."""

    cards_deep: CardsDeep
    end: Literal["front", "back"] = "back"


class CutCard(Act):
    """The dealer's cut, which sets where the shoe ends; without a burn where the floor waives it."""

    cards_deep: CardsDeep
    burn: bool = True


class Correction(Act):
    """What players won or lost by a round as it should have been, and the second person who signs."""

    net_cents: dict[
        Annotated[str, Field(max_length=40)], Annotated[int, Field(ge=-MOST_CENTS, le=MOST_CENTS)]
    ] = Field(min_length=1, max_length=9)
    second: Credentials


@router.get("")
async def see_floor(login: Operating, house: HouseHere) -> dict[str, Any]:
    """Every table: spots, who waits, calls, and the pace of play."""
    login.require("see")
    return {"tables": floor_of(house)}


def floor_of(house: House) -> list[dict[str, Any]]:
    """All tables; those that need somebody come first, then the house's own."""
    seen = [floor_table_view(table, house.now()) for table in house.memory.tables.values()]
    return sorted(seen, key=lambda one: (not (one["call"] or one["frozen"] or one["failed"]), one["private"]))


@router.get("/watch")
async def watch_floor(
    login: Watching, house: HouseHere, table: Annotated[str, Query(max_length=40)] = ""
) -> dict[str, Any]:
    """What matters to the floor of all tables or of one, for a page that looks whether it has changed."""
    login.require("see")
    seen = [one for one in floor_of(house) if table in ("", one["table"])]
    return {"tables": [[one.get(name) for name in _WATCHED] for one in seen]}


@router.get("/tables/{table}")
async def see_table(table: TableId, login: Operating, house: HouseHere) -> dict[str, Any]:
    """One table as the floor sees it, and what happened there since the last round was over."""
    login.require("see")
    live_table = house.tables.get(table)
    return {
        **floor_table_view(live_table, house.now()),
        "people": seats_of(house, view_of(live_table.rules.game).people_at(live_table)),
        "happened": [happened_view(one) for one in await hand_in_play(house, live_table)],
    }


def seats_of(house: House, people: Iterable[tuple[str, str]]) -> list[dict[str, Any]]:
    """Players by id and name, and whether the house has closed their seats (R-46)."""
    return [
        {"player": player, "name": name, "closed": house.player(player).disabled} for player, name in people
    ]


async def hand_in_play(house: House, table: RunningTable) -> list[Happened]:
    """What the log says of a table since its last round was over."""
    records = await house.past.records_since(table.id, None if table.last is None else table.last.id)
    return view_of(table.rules.game).hand_in_play(table, records)


# Acts.


async def _say(house: House, table_id: str, said: FloorRecord) -> dict[str, Any]:
    live_table = house.tables.get(table_id)
    return dict(
        await house.tables.ask(live_table, lambda: live_table.floor.plan(said, house.now()), by_floor=True)
    )


async def _do(house: House, table_id: str, plan: Callable[[TwentyOneTable], Plan]) -> dict[str, Any]:
    live_table = house.tables.find(TwentyOneTable, table_id)
    await house.tables.ask(live_table, lambda: plan(live_table), by_floor=True)
    return floor_table_view(live_table, house.now())


@router.post("/tables/{table}/call")
async def call_floor(table: TableId, act: Act, login: Operating, house: HouseHere) -> dict[str, Any]:
    """Call the floor to a table, and say why."""
    login.require("floor")
    return await _say(house, table, FloorCalled(table=table, by=login.name, reason=act.reason))


@router.post("/tables/{table}/answer")
async def answer_call(table: TableId, act: Act, login: Operating, house: HouseHere) -> dict[str, Any]:
    """Answer a call: say what was decided."""
    login.require("floor")
    return await _say(house, table, FloorAnswered(table=table, by=login.name, reason=act.reason))


@router.post("/tables/{table}/freeze")
async def freeze(table: TableId, act: Act, login: Operating, house: HouseHere) -> dict[str, Any]:
    """Freeze a table in a dispute: nothing happens there until it is released, and every stake stays."""
    login.require("floor")
    return await _say(house, table, TableFrozen(table=table, by=login.name, reason=act.reason))


@router.post("/tables/{table}/release")
async def release(table: TableId, act: Act, login: Operating, house: HouseHere) -> dict[str, Any]:
    """Release a frozen table: it goes on where it was, and everybody has their whole time again."""
    login.require("floor")
    return await _say(house, table, TableReleased(table=table, by=login.name, reason=act.reason))


@router.post("/tables/{table}/dealer")
async def put_dealer(table: TableId, act: NewDealer, login: Operating, house: HouseHere) -> dict[str, Any]:
    """Put a dealer on a table between rounds, with the burn or without (PROC-7)."""
    login.require("floor")
    signed = Signed(login.name, act.reason)
    return await _do(
        house, table, lambda running: by_hand.put_dealer(running, act.dealer, signed, burn=act.burn)
    )


@router.post("/tables/{table}/close")
async def close_table(table: TableId, act: Act, login: Operating, house: HouseHere) -> dict[str, Any]:
    """Take the cards off a table between rounds; it opens again with decks that are in order (PROC-1)."""
    login.require("floor")
    return await _do(house, table, lambda running: by_hand.close(running, Signed(login.name, act.reason)))


@router.post("/tables/{table}/open")
async def open_table(table: TableId, act: Opening, login: Operating, house: HouseHere) -> dict[str, Any]:
    """Inspect the decks that are brought and open the table; a deck not in order keeps it closed (PROC-1)."""
    login.require("floor")
    decks = [BroughtDeck(**deck.model_dump()) for deck in act.decks]
    signed = Signed(login.name, act.reason)
    return await _do(house, table, lambda running: by_hand.open_with(running, decks, signed))


@router.post("/tables/{table}/decks/{number}")
async def replace_deck(
    table: TableId, number: DeckNumber, act: Act, login: Operating, house: HouseHere
) -> dict[str, Any]:
    """Replace a deck that failed its inspection with a new one; all are inspected again (PROC-1)."""
    login.require("floor")
    signed = Signed(login.name, act.reason)
    return await _do(house, table, lambda running: by_hand.replace_deck(running, number, signed))


@router.post("/tables/{table}/shuffle")
async def shuffle(table: TableId, act: Act, login: Operating, house: HouseHere) -> dict[str, Any]:
    """Shuffle by hand at a frozen table, and leave the cuts to people (PROC-5)."""
    login.require("floor")
    return await _do(house, table, lambda running: by_hand.shuffle(running, Signed(login.name, act.reason)))


@router.post("/tables/{table}/cut")
async def cut(table: TableId, act: HouseCut, login: Operating, house: HouseHere) -> dict[str, Any]:
    """Cut for the house where no player does; a cut out of range is refused (PROC-6)."""
    login.require("floor")
    signed = Signed(login.name, act.reason)
    return await _do(house, table, lambda running: by_hand.cut(running, act.cards_deep, act.end, signed))


@router.post("/tables/{table}/cut-card")
async def place_cut_card(table: TableId, act: CutCard, login: Operating, house: HouseHere) -> dict[str, Any]:
    """Place the cut card, with the burn of a new shoe or without (PROC-6, PROC-7)."""
    login.require("floor")
    signed = Signed(login.name, act.reason)
    return await _do(
        house, table, lambda running: by_hand.place_cut_card(running, act.cards_deep, signed, burn=act.burn)
    )


@router.post("/tables/{table}/spots/{spot}/release")
async def release_spot(
    table: TableId, spot: Spot, act: Act, login: Operating, house: HouseHere
) -> dict[str, Any]:
    """Take a spot from its player between rounds; who loses the last one leaves (PROC-3)."""
    login.require("floor")
    signed = Signed(login.name, act.reason)
    return await _do(house, table, lambda running: by_hand.release_spot(running, spot, signed))


@router.get("/tables/{table}/shuffle")
async def show_shuffle(
    table: TableId,
    login: Operating,
    house: HouseHere,
    start: Annotated[Start, Query()] = "new game",
    seed: Annotated[int, Query(ge=0, le=10**9)] = 1,
) -> dict[str, Any]:
    """The house's shuffle of a table's decks by PROC-4 to PROC-6, pile by pile; for study, not for money."""
    login.require("see")
    rules = house.tables.find(TwentyOneTable, table).rules
    return shuffle_view(await desk.run(shown_shuffle, rules, start, seed=seed))


# Rounds that are over.


@router.get("/rounds/{number}")
async def see_round(number: TableId, login: Operating, house: HouseHere) -> dict[str, Any]:
    """A finished round as it happened: every procedure with who did it, and what it came to."""
    login.require("see")
    return await round_of(house, number)


async def round_of(house: House, number: str) -> dict[str, Any]:
    """A finished round or game for the floor."""
    finished = await _finished(house, number)
    last = await house.past.correction(finished.id)
    records = await house.past.records_of(finished)
    before = await house.past.find(f"{finished.table}-{finished.number - 1}")
    view = view_of(finished.game_id)
    happenings = view.retold(finished, records, before)
    called = view.names(finished)
    names = {
        result.player: called.get(result.player) or house.player(result.player).name
        for result in finished.results()
    }
    net = net_of(finished, last)
    return {
        "round": finished.id,
        "table": finished.table,
        "game": finished.game_id,
        "ended_at": finished.ended_at.isoformat(),
        "happened": [happened_view(one) for one in happenings],
        "results": [
            {
                "player": result.player,
                "name": names[result.player],
                "stake_cents": result.stake_cents,
                "net_cents": result.net_cents,
                "corrected_cents": net[result.player],
            }
            for result in finished.results()
        ],
        "correction": correction_view(last),
        "meters": view.meter_notes(finished),
        "people": seats_of(house, names.items()),
    }


def correction_view(last: RoundCorrected | None) -> dict[str, Any] | None:
    """What was last put right of a round."""
    return None if last is None else {"by": last.by, "reason": last.reason, "after": last.after}


async def _finished(house: House, number: str) -> Finished:
    finished = await house.past.find(number)
    if finished is None:
        raise NotFound(f"there is no finished round {number[:40]!r}")
    return finished


@router.post("/rounds/{number}/correction")
async def correct_round(
    number: TableId, wanted: Correction, login: Operating, house: HouseHere, asking: Asking
) -> dict[str, Any]:
    """Put the result of a round right by two people: the difference moves, and nothing is deleted (R-25)."""
    login.require("floor")
    finished = await _finished(house, number)
    try:
        work = partial(second_person, house, login.name, wanted.second, asking.address)
        second = await house.passwords.do(work, asking.address)
    except CardroomError as error:
        refused = OverrideRefused(
            what=f"correct round {number}",
            reason=wanted.reason,
            by=login.name,
            second=wanted.second.name,
            why=error.message,
        )
        await record(house, refused)
        raise
    appointed = {name: house.operators.named(name).appointed_by for name in (login.name, second)}
    return await _corrected(house, finished, wanted.net_cents, appointed, wanted.reason)


async def _corrected(
    house: House,
    finished: Finished,
    net_cents: Mapping[str, int],
    appointed: Mapping[str, str],
    reason: str,
) -> dict[str, Any]:
    """Look, plan and write while nobody else corrects the round or moves a purse of its players."""
    async with contextlib.AsyncExitStack() as held:
        await held.enter_async_context(house.lock(f"correction:{finished.id}"))
        for player in sorted(net_cents):
            await held.enter_async_context(house.lock(house.player(player).account))
        last = await house.past.correction(finished.id)

        def plan() -> Plan:
            entry = correction(
                finished,
                last,
                net_cents,
                lambda player: house.player(player).balance_cents,
                appointed=appointed,
                reason=reason,
            )
            assert isinstance(entry.record, RoundCorrected)
            return Plan([entry], entry.record.content())

        return dict(await house.journal.perform(plan))
