"""Knockout 52: tables, wagers, the deal, finished games and their proofs."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import Request, Response, WebSocket
from pydantic import BaseModel, Field

from cardroom.games import KNOCKOUT_52
from cardroom.table.knockout52.finished import FinishedGame
from cardroom.table.knockout52.running import Knockout52Table
from cardroom.web.api.parts import Cents, HouseHere, IdempotencyKey, TableId, Visitor, request_key
from cardroom.web.api.watching import watch
from cardroom.web.live.knockout52_view import finished_view, table_view
from cardroom.web.live.salts_view import RevealedSalt, SaltHash
from cardroom.web.routers import ApiRouter

router = ApiRouter(prefix=KNOCKOUT_52.address, tags=["knockout 52"])


class NewTable(BaseModel):
    """The house options of a table of your own."""

    decks: Literal[1, 2, 4, 6, 8] = 1


class Wagers(BaseModel):
    """Your wagers as they are to stand, in cents; a wager that is left out is not placed."""

    stakes: dict[Literal["round-1", "round-2", "round-3", "round-4", "all-the-way"], Cents] = Field(
        examples=[{"round-1": 500, "all-the-way": 100}]
    )
    salt_hash: str = SaltHash


@router.get("/tables")
async def list_tables(house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """The open tables, and your own."""
    return {
        "tables": [
            {
                "table": table.id,
                "decks": table.rules.decks,
                "players": len(table.seated),
                "watching": house.hub.count(table.topic),
                "dealing": table.dealing,
                "open": table.enabled,
                "yours": table.owner == visitor.id,
            }
            for table in house.tables.listed(Knockout52Table, visitor.id)
        ]
    }


@router.post("/tables", status_code=201)
async def open_table(
    request: Request, options: NewTable, house: HouseHere, visitor: Visitor, idempotency_key: IdempotencyKey
) -> dict[str, Any]:
    """Open a table of your own; whoever has its address may join."""
    key = request_key(request, visitor, idempotency_key, options.model_dump())
    return {"table": await house.tables.open_private(visitor, KNOCKOUT_52.id, options.model_dump(), key)}


@router.get("/tables/{table}")
async def get_table(table: TableId, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """The table as you may see it: cards on the layout, wagers, and the exact chance of each."""
    return table_view(house.tables.find(Knockout52Table, table), visitor, house.now())


@router.put("/tables/{table}/wagers")
async def place_wagers(
    request: Request,
    table: TableId,
    wagers: Wagers,
    house: HouseHere,
    visitor: Visitor,
    idempotency_key: IdempotencyKey,
) -> dict[str, Any]:
    """Place, change or take back your wagers before the first card (KO52-3)."""
    stakes: dict[str, int] = {wager: cents for wager, cents in wagers.stakes.items() if cents}
    key = request_key(request, visitor, idempotency_key, {"stakes": stakes, "salt_hash": wagers.salt_hash})
    live_table = house.tables.find(Knockout52Table, table)
    answer = await house.tables.stake(
        live_table, visitor, lambda purse: live_table.place(purse, stakes, wagers.salt_hash), key
    )
    return dict(answer)


@router.post("/tables/{table}/salts")
async def reveal_salt(
    table: TableId, revealed: RevealedSalt, house: HouseHere, visitor: Visitor
) -> dict[str, Any]:
    """Reveal a salt when wagers are closed; who is late is left out."""
    live_table = house.tables.find(Knockout52Table, table)
    await house.tables.ask(live_table, lambda: live_table.reveal(revealed.salt))
    return table_view(live_table, house.player(visitor.id), house.now())


@router.post("/tables/{table}/deal")
async def ask_for_deal(table: TableId, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """Ask for the deal; during it, a player alone at the table gets the next card at once."""
    live_table = house.tables.find(Knockout52Table, table)
    await house.tables.hurry(live_table, lambda: live_table.ask_for_deal(visitor.id, house.now()))
    return table_view(live_table, house.player(visitor.id), house.now())


@router.get("/games/{game}")
async def get_game(game: TableId, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """A finished game: cards, payments, chances after every card, and the proof of its shoe."""
    return finished_view(await house.past.find_of(FinishedGame, game, called="game"), visitor)


@router.get("/games/{game}/proof", response_model=dict[str, Any])
async def get_proof(game: TableId, house: HouseHere) -> Response:
    """The proof of a finished game, as `cardroom verify` reads it."""
    return Response(
        (await house.past.find_of(FinishedGame, game, called="game")).record, media_type="application/json"
    )


@router.websocket("/tables/{table}/live")
async def watch_table(socket: WebSocket, table: str) -> None:
    """Every change of a table, as the visitor may see it."""
    await watch(socket, lambda house: house.tables.find(Knockout52Table, table), table_view)
