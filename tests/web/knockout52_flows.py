"""What people and the house do at a table of Knockout 52, each as one flow that may be stopped."""

from __future__ import annotations

from typing import Any

from cardroom.fair.commitment import Commitment
from cardroom.fair.salts import salt_hash
from cardroom.store.lottery import records
from cardroom.table.evidence import check_evidence
from cardroom.table.knockout52.running import Knockout52Table
from tests.web.stage import ANN, Stage
from tests.web.table_flows import SALT, keyed, unkeyed

KNOCKOUT_52 = "/api/v1/knockout-52/tables"
WILLOW = f"{KNOCKOUT_52}/willow"
STAKES = {"round-1": 500, "all-the-way": 100}


async def stake(stage: Stage) -> Any:
    return await keyed(stage, "PUT", f"{WILLOW}/wagers", {"stakes": STAKES})


async def staked(stage: Stage) -> None:
    await keyed(stage, "PUT", f"{WILLOW}/wagers", {"stakes": STAKES}, key="staked-before")


async def unstake(stage: Stage) -> Any:
    return await keyed(stage, "PUT", f"{WILLOW}/wagers", {"stakes": {}})


async def deal_game(stage: Stage) -> None:
    """A game from the first card to the last payment."""

    async def is_over() -> bool:
        view = await stage.done("GET", WILLOW)
        return view["last"] is not None and view["phase"] == "open"

    if not await is_over() and (await stage.done("GET", WILLOW))["phase"] == "open":
        await unkeyed(stage, "POST", f"{WILLOW}/deal")
    await stage.until(is_over)


async def salted(stage: Stage) -> None:
    """Wagers with the hash of a salt, which is revealed when wagers are closed."""
    commitment = Commitment.parse((await stage.done("GET", WILLOW))["commitment"])
    body = {"stakes": {"round-1": 500}, "salt_hash": salt_hash(commitment, bytes.fromhex(SALT))}
    await keyed(stage, "PUT", f"{WILLOW}/wagers", body, key="salted-before")


async def reveal_and_deal(stage: Stage) -> None:
    """A game from the closing of its wagers on: the salt, whenever it is asked for, and all cards."""

    async def is_over() -> bool:
        view = await stage.done("GET", WILLOW)
        if view["salts"]["stage"] == "asked" and not all(view["salts"]["revealed"]):
            await unkeyed(stage, "POST", f"{WILLOW}/salts", {"salt": SALT})
        return view["last"] is not None and view["phase"] == "open"

    if not await is_over() and (await stage.done("GET", WILLOW))["phase"] == "open":
        await unkeyed(stage, "POST", f"{WILLOW}/deal")
    await stage.until(is_over)
    with stage.house.database.read() as connection:
        evidence = check_evidence(records(connection))
    assert (evidence.faults, evidence.revealed, evidence.withheld) == ([], 1, [])


async def open_knockout52(stage: Stage) -> Any:
    return await keyed(stage, "POST", KNOCKOUT_52, {"decks": 2})


async def staked_at_own(stage: Stage) -> None:
    """Wagers at a table of one's own."""
    table = (await open_knockout52(stage))["table"]
    await keyed(stage, "PUT", f"{KNOCKOUT_52}/{table}/wagers", {"stakes": STAKES}, key="staked-before")


async def give_back_to_absent(stage: Stage) -> None:
    """Nobody has the page open: the house gives the wagers back."""

    async def is_back() -> bool:
        return ANN not in stage.house.tables.find(Knockout52Table, "willow").seated

    await stage.until(is_back)
