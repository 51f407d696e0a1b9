"""The event log for those who may read it: searched, read record by record, and checked as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from fastapi import Path, Query

from cardroom.records.house import LogChecked
from cardroom.store import lottery as rows
from cardroom.store.archives import sealed_head
from cardroom.store.log import LogRecord
from cardroom.web.api.operations import Operating, Watching, record
from cardroom.web.api.parts import Asking, HouseHere
from cardroom.web.errors import NotFound
from cardroom.web.house import House
from cardroom.web.log_check import check_in_worker
from cardroom.web.record_lines import shown_lines
from cardroom.web.record_words import kind_words
from cardroom.web.routers import ApiRouter
from cardroom.web.threads import desk

router = ApiRouter(prefix="/operations/log", tags=["operations"])

PAGE: Final = 50
_SECRET_FIELDS: Final = ("password_hash", "sealed_seed", "sealed_secret")
"""What nobody reads in the log, whatever their role."""
RecordNumber = Annotated[int, Path(ge=1, le=10**15)]


@router.get("")
async def read_log(
    login: Operating,
    house: HouseHere,
    search: Annotated[str, Query(max_length=80)] = "",
    before: Annotated[int | None, Query(ge=1, le=10**15)] = None,
) -> dict[str, Any]:
    """The live event log, the newest first; `search` looks in kinds and contents, not in archives."""
    login.require("see-log")
    return {"records": await desk.run(records_found, house, search, before)}


def records_found(house: House, search: str, before: int | None) -> list[dict[str, Any]]:
    """A page of the live log that has a text in it, the newest first."""
    matching: list[LogRecord] = []
    wanted = search.casefold()
    with house.database.read() as connection:
        for logged in rows.records(connection, after=sealed_head(connection).seq):
            if before is not None and logged.seq >= before:
                break
            if wanted in f"{logged.kind} {kind_words(logged.kind)} {logged.body}".casefold():
                matching.append(logged)
    return [shown_record(logged) for logged in reversed(matching[-PAGE:])]


def shown_record(logged: LogRecord) -> dict[str, Any]:
    """A record without what nobody may read."""
    content = {name: _without_secrets(value, name) for name, value in logged.content.items()}
    return {
        "seq": logged.seq,
        "at": logged.at,
        "kind": logged.kind,
        "title": kind_words(logged.kind),
        "content": content,
        "lines": shown_lines(content),
        "hash": logged.hash,
    }


def _without_secrets(value: Any, name: str) -> Any:
    if name in _SECRET_FIELDS:
        return "not shown"
    if isinstance(value, Mapping):
        return {key: _without_secrets(inner, key) for key, inner in value.items()}
    return value


@router.get("/check")
async def log_check_progress(login: Watching, house: HouseHere) -> dict[str, Any]:
    """How far the check of the log has come, where one is under way."""
    login.require("see-log")
    return {"check": house.log_check.progress()}


@router.post("/check")
async def check_log(login: Operating, house: HouseHere, asking: Asking) -> dict[str, Any]:
    """Check the chain of the log, the books, the lottery's control, and the cards of every shoe and game."""
    login.require("see-log")
    report = await check_in_worker(house, asking)
    await record(house, LogChecked(by=login.name, head=report["head"], faults=len(report["faults"])))
    return report


@router.get("/{number}")
async def read_record(number: RecordNumber, login: Operating, house: HouseHere) -> dict[str, Any]:
    """One record of the log by its number."""
    login.require("see-log")
    return await record_of(house, number)


async def record_of(house: House, number: int) -> dict[str, Any]:
    """One record of the log, without what nobody may read; refused where it is in an archive or not there."""

    def find() -> LogRecord | None:
        with house.database.read() as connection:
            return rows.record_at(connection, number)

    logged = await desk.run(find)
    if logged is None or not logged.kind:
        raise NotFound(f"the live log has no record {number}; older ones are in archives: cardroom log")
    return shown_record(logged)
