"""What people and the house do at a table of the blackjack family, each as one flow that may be stopped."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from cardroom.fair.commitment import Commitment
from cardroom.fair.salts import salt_hash
from cardroom.store.lottery import records
from cardroom.table.evidence import check_evidence
from tests.web.stage import Answer, Stage
from tests.web.write_points import Step

TABLES = "/api/v1/tables"
LINDEN = f"{TABLES}/linden"
SALT = "5a" * 32


async def keyed(stage: Stage, method: str, path: str, body: object, *, key: str = "the-one-key") -> Any:
    """A request that is sent again with its key until it is answered; the body of the answer."""
    answer = await stage.ask(method, path, body, key=key)
    if answer.status == HTTPStatus.SERVICE_UNAVAILABLE:
        answer = await stage.ask(method, path, body, key=key)
    assert answer.is_done, answer
    return answer.body


async def unkeyed(stage: Stage, method: str, path: str, body: object = None) -> Answer:
    """A request without a key: done, or refused because it is done already."""
    answer = await stage.ask(method, path, body)
    if answer.status == HTTPStatus.SERVICE_UNAVAILABLE:
        answer = await stage.ask(method, path, body)
    assert answer.is_done or answer.status == HTTPStatus.CONFLICT, answer
    return answer


async def unkeyed_or_done(stage: Stage, method: str, path: str, body: object) -> None:
    """The same for what the rules refuse a second time."""
    answer = await stage.ask(method, path, body)
    if answer.status == HTTPStatus.SERVICE_UNAVAILABLE:
        answer = await stage.ask(method, path, body)
    assert answer.is_done or answer.status == HTTPStatus.UNPROCESSABLE_ENTITY, answer


async def table_view(stage: Stage) -> dict[str, Any]:
    found: dict[str, Any] = await stage.done("GET", LINDEN)
    return found


async def wager(stage: Stage) -> Any:
    return await keyed(stage, "PUT", f"{LINDEN}/spots/1/wagers", {"stake_cents": 400})


async def wagered(stage: Stage) -> None:
    await keyed(stage, "PUT", f"{LINDEN}/spots/1/wagers", {"stake_cents": 400}, key="wagered-before")


async def wager_more(stage: Stage) -> Any:
    return await keyed(stage, "PUT", f"{LINDEN}/spots/2/wagers", {"stake_cents": 400})


async def take_back(stage: Stage) -> Any:
    return await keyed(stage, "PUT", f"{LINDEN}/spots/1/wagers", {"stake_cents": 0})


async def leave(stage: Stage) -> None:
    await unkeyed(stage, "POST", f"{LINDEN}/leave")


async def deal(stage: Stage) -> None:
    """The stakes of a round are taken, and its cards dealt up to the first question."""

    async def is_asked() -> bool:
        return bool((await table_view(stage))["you"]["options"])

    if (await table_view(stage))["phase"] != "round":
        await unkeyed(stage, "POST", f"{LINDEN}/deal")
    await stage.until(is_asked)


async def dealt(stage: Stage) -> None:
    await wagered(stage)
    await deal(stage)


async def decide(stage: Stage, action: str) -> None:
    """A player says the last word of a round, and the dealer settles it."""

    async def is_over() -> bool:
        view = await table_view(stage)
        return view["phase"] != "round" and view["round"]["over"] and view["deal_at"] is None

    view = await table_view(stage)
    if view["phase"] == "round" and view["you"]["options"]:
        body = {"spot": 1, "action": action, "step": view["step"]}
        await keyed(stage, "POST", f"{LINDEN}/actions", body, key=f"step-{view['step']:06d}")
    await stage.until(is_over)


async def stand(stage: Stage) -> None:
    await decide(stage, "stand")


async def double(stage: Stage) -> None:
    await decide(stage, "double")


def dealt_at(table: str) -> Step:
    """A wager at a table, and cards up to the first question."""
    path = f"{TABLES}/{table}"

    async def deal_there(stage: Stage) -> None:
        async def is_asked() -> bool:
            return bool((await stage.done("GET", path))["you"]["options"])

        await keyed(stage, "PUT", f"{path}/spots/1/wagers", {"stake_cents": 400}, key="wagered-before")
        await unkeyed(stage, "POST", f"{path}/deal")
        await stage.until(is_asked)

    return deal_there


def play(table: str, *preferred: str) -> Step:
    """A player says the first of these words that is offered, until the dealer has settled the round."""
    path = f"{TABLES}/{table}"

    async def answer_all(stage: Stage) -> None:
        async def is_over() -> bool:
            view = await stage.done("GET", path)
            offered = [option["action"] for option in view["you"]["options"]]
            if offered:
                word = next(word for word in preferred if word in offered)
                body = {"spot": 1, "action": word, "step": view["step"]}
                await keyed(stage, "POST", f"{path}/actions", body, key=f"step-{view['step']:06d}")
            return view["phase"] != "round" and view["round"]["over"] and view["deal_at"] is None

        await stage.until(is_over)

    return answer_all


async def salted_wager(stage: Stage) -> None:
    """A wager on a fresh shoe, with the hash of a salt."""
    commitment = Commitment.parse((await table_view(stage))["shoe"]["commitment"])
    body = {"stake_cents": 400, "salt_hash": salt_hash(commitment, bytes.fromhex(SALT))}
    await keyed(stage, "PUT", f"{LINDEN}/spots/1/wagers", body, key="salted-wager")


async def hold_and_deal(stage: Stage) -> None:
    """A round from the closing of its wagers on: the stake is held, the salt revealed, the hand played."""

    async def is_over() -> bool:
        view = await table_view(stage)
        salts = view["shoe"]["salts"]
        if salts["stage"] == "asked":
            assert view["you"]["in_play_cents"] == 400  # held, whatever happens elsewhere
            if not all(salts["revealed"]):
                await unkeyed(stage, "POST", f"{LINDEN}/salts", {"salt": SALT})
        offered = [option["action"] for option in view["you"]["options"]]
        if offered:
            words = "stand" if "stand" in offered else "no insurance"
            body = {"spot": 1, "action": words, "step": view["step"]}
            await keyed(stage, "POST", f"{LINDEN}/actions", body, key=f"step-{view['step']:06d}")
        return view["last"] is not None and view["phase"] == "wagers"

    if not await is_over() and (await table_view(stage))["phase"] == "wagers":
        await unkeyed(stage, "POST", f"{LINDEN}/deal")
    await stage.until(is_over)
    with stage.house.database.read() as connection:
        evidence = check_evidence(records(connection))
    assert (evidence.faults, evidence.withheld, evidence.given_up) == ([], [], [])


async def cut(stage: Stage) -> None:
    await unkeyed_or_done(stage, "POST", f"{LINDEN}/cut", {"cards_deep": 100})


async def too_small(stage: Stage) -> None:
    """A wager below the minimum, which comes back at the deal."""
    await keyed(stage, "PUT", f"{LINDEN}/spots/1/wagers", {"stake_cents": 300}, key="too-small")


async def give_back(stage: Stage) -> None:
    """The house gives a wager back that it does not deal."""

    async def is_back() -> bool:
        return bool((await table_view(stage))["you"]["notices"])

    if not await is_back():
        await unkeyed(stage, "POST", f"{LINDEN}/deal")
    await stage.until(is_back)


async def open_table(stage: Stage) -> Any:
    """The table and its opening are one commit; then its dealer makes the first shoe ready."""
    opened = await keyed(stage, "POST", TABLES, {"game": "spanish-21"})

    async def is_ready() -> Any:
        return (await stage.done("GET", f"{TABLES}/{opened['table']}"))["shoe"]["commitment"]

    await stage.until(is_ready)
    return opened


async def wagered_at_own(stage: Stage) -> None:
    """A wager at a table of one's own."""
    path = f"{TABLES}/{(await open_table(stage))['table']}/spots/1/wagers"
    await keyed(stage, "PUT", path, {"stake_cents": 400}, key="wagered-before")


async def close_forsaken(stage: Stage) -> None:
    """Nobody has been at a table of a player's own for long: the house closes it."""

    async def is_closed() -> bool:
        stage.clock.advance(seconds=30)
        await stage.house.tables.close_forsaken()
        return all(table.owner is None for table in stage.house.memory.tables.values())

    await stage.until(is_closed)


async def take_chips(stage: Stage) -> None:
    await keyed(stage, "POST", "/api/v1/session/chips", {"cents": 5_000})
