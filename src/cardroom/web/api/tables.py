"""Blackjack, Spanish 21, Player's Edge 21: tables, wagers, actions, advice, rounds, shoes."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any

from fastapi import Path, Request, Response, WebSocket
from pydantic import BaseModel, Field

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.engine.twentyone import Round
from cardroom.games import Game
from cardroom.records.tables import TwentyOneShoeEnded
from cardroom.rules import load_rules
from cardroom.rules.explain import nearest
from cardroom.rules.game_ids import GameWhich
from cardroom.rules.variants import variant, variant_names
from cardroom.table.running import Speed, Style
from cardroom.table.twentyone import awaits
from cardroom.table.twentyone.finished import FinishedRound, shoe_name
from cardroom.table.twentyone.requests import End
from cardroom.table.twentyone.running import TwentyOneTable
from cardroom.web.advice import advise, prepare
from cardroom.web.api.designer import BetText, viewed
from cardroom.web.api.parts import (
    Asking,
    Caller,
    Cents,
    HouseHere,
    IdempotencyKey,
    TableId,
    Visitor,
    request_key,
)
from cardroom.web.api.watching import watch
from cardroom.web.coach import verdict
from cardroom.web.computations import Beside
from cardroom.web.errors import NotFound, TooMany
from cardroom.web.house import House
from cardroom.web.live.salts_view import RevealedSalt, SaltHash
from cardroom.web.live.twentyone_view import finished_view, layout_view, table_view
from cardroom.web.routers import ApiRouter
from cardroom.web.threads import reading

router = ApiRouter(prefix="/tables", tags=["tables"])

Spot = Annotated[int, Path(ge=1, le=9)]
ShoeNumber = Annotated[int, Path(ge=1, le=10**9)]


def _has_tables(game: Game) -> bool:
    return game.kind == "cards" and game.table is not None


CardGame = Annotated[str, GameWhich(_has_tables)]


class NewTable(BaseModel):
    """A table of your own: its game, the house options in which it differs, its company and its speed."""

    game: CardGame
    options: dict[Annotated[str, Field(max_length=60)], bool | int | Annotated[str, Field(max_length=40)]] = (
        Field(default_factory=dict, max_length=60)
    )
    variant: str | None = Field(
        default=None,
        max_length=40,
        description="A known variant of the game, whose rules come before the options.",
    )
    bet: BetText | None = Field(default=None, description="A side bet of your own, as the text of its file.")
    computers: int = Field(default=0, ge=0, le=8, description="How many computer players sit there.")
    speed: Speed = Field(default="usual", description="How fast cards come and how long decisions may take.")


class SpotWagers(BaseModel):
    """The wagers of a spot as they are to stand, in cents; all zero takes them back."""

    stake_cents: Cents
    side: dict[Annotated[str, Field(max_length=40)], Cents] = Field(default_factory=dict, max_length=8)
    salt_hash: str = SaltHash


class PlayersCut(BaseModel):
    """Where you cut the shuffled cards: so many cards from an end."""

    cards_deep: int = Field(ge=0, le=1_000)
    end: End = "back"


class Decision(BaseModel):
    """What you say in turn, such as `hit` or `insure 2.50`; `step` is the table's when you decided."""

    spot: int = Field(ge=1, le=9)
    action: str = Field(min_length=2, max_length=40, examples=["hit"])
    step: int = Field(ge=0, le=10**12)


@router.get("")
async def list_tables(house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """The open tables, and your own."""
    return {
        "tables": [
            {
                "table": table.id,
                "game": table.game,
                "players": table.player_count,
                "free_spots": table.rules.procedure.spots - len(table.state.owners),
                "watching": house.hub.count(table.topic),
                "dealing": table.dealing,
                "open": table.enabled,
                "yours": table.owner == visitor.id,
            }
            for table in house.tables.listed(TwentyOneTable, visitor.id)
        ]
    }


@router.post("", status_code=201)
async def open_table(
    request: Request,
    wanted: NewTable,
    house: HouseHere,
    visitor: Visitor,
    asking: Asking,
    idempotency_key: IdempotencyKey,
) -> dict[str, Any]:
    """Open a table of your own; whoever has its address may join."""
    key = request_key(request, visitor, idempotency_key, wanted.model_dump())
    style = Style(wanted.computers, wanted.speed)
    options = {**_of_variant(wanted), **wanted.options}
    if wanted.bet is not None:
        options |= await _own_bet(wanted.bet, wanted.game, asking)
    return {"table": await house.tables.open_private(visitor, wanted.game, options, key, style)}


def _of_variant(wanted: NewTable) -> dict[str, Any]:
    """The options in which a known variant differs from the game's own rules."""
    if wanted.variant is None:
        return {}
    known = [name for name in variant_names() if variant(name).game == wanted.game]
    if wanted.variant not in known:
        words = f"{wanted.game} has no variant {wanted.variant!r}{nearest(wanted.variant, known)}"
        raise MalformedInput(f"{words}; it has {', '.join(known) or 'none'}")
    changed = load_rules(wanted.variant).differences(load_rules(wanted.game))
    return {key: here for key, (here, _) in changed.items()}


async def _own_bet(text: str, game: str, asking: Caller) -> dict[str, Any]:
    """A player's own side bet as an option of the table; one that is wrong is refused with its first fault.

    It is checked where it holds nobody up, before it comes to a table.
    """
    from cardroom.lab.design.form import bet_tree

    for fault in (await viewed(text, game, asking))["faults"]:
        raise MalformedInput(f"line {fault['line']}: {fault['key']}: {fault['words']}")
    wager, bet = await reading.run(bet_tree, text, game)
    return {f"side_bets.{wager}": bet}


@router.get("/{table}")
async def get_table(table: TableId, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """The table as you may see it, and what stands printed on it."""
    live_table = house.tables.find(TwentyOneTable, table)
    return {**table_view(live_table, visitor, house.now()), "layout": layout_view(live_table.rules)}


@router.put("/{table}/spots/{spot}/wagers")
async def place_wagers(
    request: Request,
    table: TableId,
    spot: Spot,
    wagers: SpotWagers,
    house: HouseHere,
    visitor: Visitor,
    asking: Asking,
    idempotency_key: IdempotencyKey,
) -> dict[str, Any]:
    """Place, change or take back the wagers of a spot before the cards; who is new sits down (PROC-9).

    Chips may be put down one by one: a wager below the minimum stands until the deal, where it is checked.
    """
    live_table = house.tables.find(TwentyOneTable, table)
    key = request_key(request, visitor, idempotency_key, wagers.model_dump())
    answer = await house.tables.stake(
        live_table,
        visitor,
        lambda purse: live_table.place(purse, spot, wagers.stake_cents, wagers.side, wagers.salt_hash),
        key,
    )
    # So that advice is at hand when the cards lie.
    house.in_background(prepare(live_table.rules, Beside(asking.visitor, asking.address)))
    return dict(answer)


@router.post("/{table}/cut")
async def cut_shoe(table: TableId, wish: PlayersCut, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """Cut a fresh shoe before its first round; where nobody does, the house cuts in its own name (PROC-6)."""
    live_table = house.tables.find(TwentyOneTable, table)
    await house.tables.ask(live_table, lambda: live_table.cut_by(visitor.id, wish.cards_deep, wish.end))
    return table_view(live_table, house.player(visitor.id), house.now())


@router.post("/{table}/salts")
async def reveal_salt(
    table: TableId, revealed: RevealedSalt, house: HouseHere, visitor: Visitor
) -> dict[str, Any]:
    """Reveal a salt when wagers on a shoe's first round are closed; who is late is left out (PROC-6)."""
    live_table = house.tables.find(TwentyOneTable, table)
    await house.tables.ask(live_table, lambda: live_table.reveal(revealed.salt))
    return table_view(live_table, house.player(visitor.id), house.now())


@router.post("/{table}/deal")
async def ask_for_deal(table: TableId, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """Ask for the cards; they come when everybody who staked does, or a little later."""
    live_table = house.tables.find(TwentyOneTable, table)
    await house.tables.hurry(live_table, lambda: live_table.ask_for_deal(visitor.id, house.now()))
    return table_view(live_table, house.player(visitor.id), house.now())


@router.post("/{table}/actions")
async def act(
    request: Request,
    table: TableId,
    decision: Decision,
    house: HouseHere,
    visitor: Visitor,
    asking: Asking,
    idempotency_key: IdempotencyKey,
) -> dict[str, Any]:
    """Say what you do with the hand in turn."""
    live_table = house.tables.find(TwentyOneTable, table)
    key = request_key(request, visitor, idempotency_key, decision.model_dump())
    round_before = live_table.state.round if live_table.steps == decision.step else None
    await house.tables.ask(
        live_table,
        lambda: live_table.act(house.tables.purse(visitor.id), decision.spot, decision.action, decision.step),
        key,
        player=visitor,
    )
    said = await _verdict(house, round_before, decision.action, asking) if round_before is not None else None
    return {**table_view(live_table, house.player(visitor.id), house.now()), "coach": said}


async def _verdict(house: House, game: Round, chosen: str, asking: Caller) -> dict[str, Any] | None:
    """The coach's verdict, if it is quick; the answer does not wait for a later one."""
    judging = house.in_background(_judged(game, chosen, Beside(asking.visitor, asking.address)))
    await asyncio.wait({judging}, timeout=house.settings.verdict_seconds)
    done = judging.done() and not judging.cancelled() and judging.exception() is None
    return judging.result() if done else None


async def _judged(game: Round, chosen: str, asker: Beside) -> dict[str, Any] | None:
    """What a decision cost against the best, on average; nothing is said where too much is asked for."""
    try:
        advice = await advise(game, asker)
    except TooMany:
        return None
    judgement = verdict({line["action"]: line["value_cents"] for line in advice["values"]}, chosen)
    return judgement.to_json() if judgement else None


@router.get("/{table}/coach")
async def get_coach(table: TableId, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """Luck and skill apart: your result on hands and insurance at this table, and what your mistakes cost."""
    return (await house.judging.books(visitor.id, house.tables.find(TwentyOneTable, table).id)).to_json()


@router.get("/{table}/advice")
async def get_advice(table: TableId, house: HouseHere, visitor: Visitor, asking: Asking) -> dict[str, Any]:
    """What each action is worth to the hand in turn, when the turn is yours."""
    live_table = house.tables.find(TwentyOneTable, table)
    awaited = awaits(live_table.state)
    if awaited.kind != "decision" or live_table.names.get(awaited.player or "") != visitor.id:
        raise Conflict("advice is given in your turn")
    assert live_table.state.round is not None
    return {"step": live_table.steps, **await advise(live_table.state.round, asking)}


@router.post("/{table}/waiting")
async def wait(table: TableId, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """Wait for a spot at a full table; one that falls to you is kept for a while (PROC-3)."""
    live_table = house.tables.find(TwentyOneTable, table)
    await house.tables.ask(live_table, lambda: live_table.wait(house.tables.purse(visitor.id)))
    return table_view(live_table, house.player(visitor.id), house.now())


@router.delete("/{table}/spots/{spot}")
async def release_spot(table: TableId, spot: Spot, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """Give up a spot of yours, with what stands on it taken back; who gives the last one up leaves."""
    live_table = house.tables.find(TwentyOneTable, table)
    await house.tables.ask(live_table, lambda: live_table.release(visitor.id, spot))
    return table_view(live_table, house.player(visitor.id), house.now())


@router.post("/{table}/leave")
async def leave(table: TableId, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """Leave the table or its waiting list, and give up your spots."""
    live_table = house.tables.find(TwentyOneTable, table)
    await house.tables.ask(live_table, lambda: live_table.leave(visitor.id))
    return table_view(live_table, house.player(visitor.id), house.now())


@router.post("/{table}/new-shoe")
async def new_shoe(table: TableId, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """End the shoe of a table of your own, so that its secret is revealed, and begin another."""
    live_table = house.tables.find(TwentyOneTable, table)
    await house.tables.ask(live_table, lambda: live_table.renew(visitor.id))
    return table_view(live_table, house.player(visitor.id), house.now())


@router.get("/{table}/shoes")
async def list_shoes(table: TableId, house: HouseHere) -> dict[str, Any]:
    """The records of the table's last finished shoes, secrets revealed, the newest first."""
    live_table = house.tables.find(TwentyOneTable, table)
    return {"shoes": [json.loads(record) for record in reversed(live_table.shoes)]}


@router.get("/{table}/shoes/{number}", response_model=dict[str, Any])
async def get_shoe(table: TableId, number: ShoeNumber, house: HouseHere) -> Response:
    """The record of a finished shoe, however old, its secret revealed, as `cardroom verify` reads it."""
    ended = await house.past.newest_of(TwentyOneShoeEnded, shoe_name(table, number))
    if ended is None:
        raise NotFound(f"there is no finished shoe {number} of table {table[:40]!r}")
    return Response(ended.proof, media_type="application/json")


@router.get("/rounds/{number}", name="get_round")
async def get_round(number: TableId, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """A finished round, step by step."""
    return finished_view(await house.past.find_of(FinishedRound, number, called="round"), visitor)


@router.websocket("/{table}/live")
async def watch_table(socket: WebSocket, table: str) -> None:
    """Every change of a table, as the visitor may see it."""
    await watch(socket, lambda house: house.tables.find(TwentyOneTable, table), table_view)
