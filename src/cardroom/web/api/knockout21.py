"""Knockout 21: draws, tickets, choices, alteration, claims, and the wall."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
from fastapi import Depends, Header, Path, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, Field

from cardroom.core.errors import Conflict
from cardroom.games import KNOCKOUT_21
from cardroom.lottery.alteration import alter, alteration_open_until
from cardroom.lottery.choices import make_choices, purchase_so_far, save_choices
from cardroom.lottery.claims import check_ticket, pay_prize
from cardroom.lottery.house import Lottery, draw_or_refuse, ticket_or_refuse
from cardroom.lottery.record import draw_record, proof_of_ticket
from cardroom.lottery.sales import BegunPurchase, Order, reprint, ticket_as_it_stands
from cardroom.lottery.tickets import PrintedTicket, SoldTicket
from cardroom.rules.knockout21.law import Choice
from cardroom.store import lottery as rows
from cardroom.web.api.parts import (
    Asking,
    HouseHere,
    IdempotencyKey,
    Visitor,
    body_of,
    described,
    house_of,
    key_of,
    visitor_of,
)
from cardroom.web.errors import NotFound
from cardroom.web.figures import drawn
from cardroom.web.house import House
from cardroom.web.live.lottery import (
    BEAT_SECONDS,
    TERMINAL,
    TOPIC,
    LotteryRoom,
    PlayerFunds,
    house_event,
    lottery_key,
)
from cardroom.web.live.lottery_view import (
    draw_summary,
    draws_view,
    prize_view,
    purchase_view,
    ticket_lines,
    ticket_results,
    ticket_view,
)
from cardroom.web.players.player import Player
from cardroom.web.rendering import asset
from cardroom.web.routers import ApiRouter
from cardroom.web.threads import money, reading, whole_draws

router = ApiRouter(prefix=KNOCKOUT_21.address, tags=["knockout 21"])
counter = ApiRouter(prefix=KNOCKOUT_21.address, tags=["knockout 21"])
"""The sale of tickets; it stands first among all addresses, since most that is asked is asked there."""

TicketId = Annotated[str, Path(pattern="^[0-9a-f]{32}$")]
DrawNumber = Annotated[int, Path(ge=1, le=10**12)]
PurchaseNumber = Annotated[int, Path(ge=1, le=10**12)]
Overrides = dict[Annotated[str, Field(pattern="^(1[0-4]|[4-9])$")], Literal["H", "S"]]


class NewTickets(BaseModel):
    """Tickets to buy: so many for each of some consecutive draws."""

    tickets_per_draw: int = Field(default=1, ge=1, le=9)
    draws: int = Field(default=1, ge=1, le=9)
    first_draw: int | None = Field(default=None, ge=1, le=10**12)


class Choices(BaseModel):
    """Choices that differ from the charts', for each ticket: position (4 to 14) to H or S."""

    overrides: dict[Annotated[str, Field(pattern="^[0-9a-f]{32}$")], Overrides] = Field(default_factory=dict)


class Alteration(BaseModel):
    """Choices to change, once and only once."""

    overrides: Overrides


class Claim(BaseModel):
    """A ticket's control number, and the code of its valid print to be paid."""

    control_number: str = Field(min_length=1, max_length=60)
    code: str = Field(default="", max_length=40)


_NO_TICKET: Final = {"verdict": "not found", "prize_cents": 0, "draw": 0}


def lottery_of(house: House) -> LotteryRoom:
    """The lottery, once it has opened."""
    if house.lottery is None:
        raise Conflict("the lottery is opening; try again in a moment")
    return house.lottery


def _require_own(house: House, visitor: Player, ticket_id: str) -> None:
    """A ticket of somebody else is as if it were not there."""
    if not any(ticket == ticket_id for ticket, _ in visitor.tickets):
        raise NotFound("you have no such ticket")


def own_ticket(house: House, visitor: Player, ticket_id: str) -> SoldTicket:
    """A ticket of the visitor's own, printed or not."""
    _require_own(house, visitor, ticket_id)
    lottery = lottery_of(house).lottery
    with lottery.database.read() as connection:
        return ticket_as_it_stands(lottery, connection, ticket_or_refuse(connection, ticket_id))


def own_print(house: House, visitor: Player, ticket_id: str) -> PrintedTicket:
    """The print of a ticket of the visitor's own; refused while its choices are not final."""
    _require_own(house, visitor, ticket_id)
    return reprint(lottery_of(house).lottery, ticket_id)


def own_purchase(house: House, visitor: Player, purchase: int) -> None:
    """A purchase of somebody else is as if it were not there."""
    if purchase not in visitor.purchases:
        raise NotFound("you have no such purchase")


def purchase_under_way(house: House, visitor: Player) -> BegunPurchase | None:
    """The visitor's oldest purchase whose choices are not final."""
    lottery = lottery_of(house).lottery
    with lottery.database.read() as connection:
        waiting = rows.tickets_being_chosen(connection, list(visitor.purchases))
    return purchase_so_far(lottery, waiting[0].purchase) if waiting else None


def _choices(overrides: Overrides) -> dict[int, Choice]:
    return {int(position): Choice(choice) for position, choice in overrides.items()}


@router.get("/draws")
async def list_draws(house: HouseHere) -> dict[str, Any]:
    """The draws on sale and the last ones, with the server's time."""
    return draws_view(lottery_of(house), house.now())


@router.get("/draws/{number}")
async def get_draw(number: DrawNumber, house: HouseHere) -> dict[str, Any]:
    """A settled draw: winners, prizes, cards; once the wall has shown it."""
    draw = _settled(house, number)
    return {**draw_summary(draw), "cards": draw.cards, "commitment": draw.commitment, "root": draw.root}


@router.get("/draws/{number}/record")
async def get_record(number: DrawNumber, house: HouseHere) -> Response:
    """The published record of a draw, settled or called off, from which a stranger works out all of it."""
    _over(house, number)
    text = await whole_draws.run(draw_record, lottery_of(house).lottery, number)
    name = f'attachment; filename="{KNOCKOUT_21.id}-draw-{number}.json"'
    return Response(text, media_type="application/json", headers={"Content-Disposition": name})


def _settled(house: House, number: int) -> rows.DrawRow:
    draw = _over(house, number)
    if draw.status == "void":
        raise NotFound(f"draw {number} was called off")
    return draw


def _over(house: House, number: int) -> rows.DrawRow:
    room = lottery_of(house)
    with room.lottery.database.read() as connection:
        draw = rows.find_draw(connection, number)
    if draw is None or draw.status not in ("settled", "void") or room.is_on_show(number, house.now()):
        raise NotFound(f"draw {number} is not over")
    return draw


@counter.post("/purchases", status_code=201, openapi_extra=described(NewTickets))
async def buy(request: Request) -> Response:
    """Buy tickets: paid for and in the draw at once, with the charts' choices; a print comes with yours."""
    house = house_of(request)
    room = lottery_of(house)
    key = key_of(request)
    wanted = await body_of(request, NewTickets)
    order = Order(TERMINAL, wanted.tickets_per_draw, wanted.draws, wanted.first_draw)
    purchase = await room.buy(visitor_of(request), order, key)
    return Response(msgspec.json.encode(purchase_view(purchase)), 201, media_type="application/json")


@router.get("/purchases/{purchase}")
async def get_purchase(purchase: PurchaseNumber, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """A purchase of yours, with the choices made so far; a ticket caught by the close is printed."""
    own_purchase(house, visitor, purchase)
    return purchase_view(await reading.run(purchase_so_far, lottery_of(house).lottery, purchase))


class OwnChoices(NamedTuple):
    """Choices for the tickets of a purchase that is the visitor's own."""

    lottery: Lottery
    purchase: int
    overrides: dict[str, dict[int, Choice]]
    key: str


async def own_choices(
    purchase: PurchaseNumber,
    choices: Choices,
    house: HouseHere,
    visitor: Visitor,
    idempotency_key: IdempotencyKey,
) -> OwnChoices:
    own_purchase(house, visitor, purchase)
    overrides = {ticket: _choices(own) for ticket, own in choices.overrides.items()}
    return OwnChoices(lottery_of(house).lottery, purchase, overrides, f"{visitor.id}-{idempotency_key}")


ChoicesHere = Annotated[OwnChoices, Depends(own_choices)]


@router.put("/purchases/{purchase}/choices")
async def keep_choices(own: ChoicesHere) -> dict[str, Any]:
    """Keep the choices made so far, without a print: for each ticket named, all that are not the charts'."""
    lottery, purchase, overrides, key = own
    kept = lottery_key("keep", key)
    return purchase_view(await money.run(save_choices, lottery, purchase, overrides, key=kept))


@router.post("/purchases/{purchase}/choices")
async def choose(own: ChoicesHere) -> dict[str, Any]:
    """Finish a purchase and print it, with the choices kept so far and these; none counts after the close."""
    lottery, purchase, overrides, key = own
    chosen = await money.run(make_choices, lottery, purchase, overrides, key=lottery_key("choose", key))
    return {
        "tickets": [{**ticket_view(one.ticket), "accepted": one.accepted} for one in chosen],
    }


@router.get("/tickets")
async def list_tickets(house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """Your tickets with how each stands, its prize and what can be done: prizes to claim, draws to come, the
    others."""
    return {"tickets": await reading.run(own_tickets, house, visitor)}


def own_tickets(house: House, visitor: Player) -> list[dict[str, Any]]:
    """The visitor's tickets, a line each."""
    ids = [ticket for ticket, _ in visitor.tickets]
    return ticket_lines(lottery_of(house), ids, house.now())


@router.get("/tickets/{ticket}")
async def get_ticket(ticket: TicketId, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """A ticket of yours, and how its hands went, each as soon as the wall has shown it."""
    return await reading.run(ticket_with_results, house, visitor, ticket)


def ticket_with_results(house: House, visitor: Player, ticket_id: str) -> dict[str, Any]:
    """A ticket with its results, its prize and its proof, as far as they are known."""
    room = lottery_of(house)
    ticket = own_ticket(house, visitor, ticket_id)
    now = house.now()
    with room.lottery.database.read() as connection:
        draw = draw_or_refuse(connection, ticket.draw)
        rules = room.lottery.rules_of(connection, draw.rules_hash)
        prize = rows.find_prize(connection, ticket.id)
        until = alteration_open_until(room.lottery, connection, ticket.id, now)
        row = ticket_or_refuse(connection, ticket.id)
    over = draw.status == "settled" and not room.is_on_show(ticket.draw, now)
    called_off = draw.status == "void"
    # A hand's result is told once the wall has shown it, the prize and the proof once it has shown them all.
    hands = room.hands_shown(draw, now) if draw.settlement else 0
    return {
        **ticket_view(ticket),
        "over": over,
        "results": ticket_results(rules, ticket, draw, hands=hands) if hands else None,
        "prize": prize_view(prize) if prize is not None and (over or called_off) else None,
        "proof": proof_of_ticket(room.lottery, ticket.id) if over else None,
        "stopped": row.stopped is not None,
        "approval": row.approval,
        "called_off": called_off,
        "alterable": until is not None,
        "alterable_until": until.isoformat() if until else None,
    }


@router.post("/tickets/{ticket}/alteration")
async def alter_ticket(
    ticket: TicketId,
    alteration: Alteration,
    house: HouseHere,
    visitor: Visitor,
    idempotency_key: IdempotencyKey,
) -> dict[str, Any]:
    """Alter a ticket's choices, once and only once, before its sales close (KO21-2.7)."""
    room = lottery_of(house)
    number = own_print(house, visitor, ticket).control_number
    key = lottery_key("alter", f"{visitor.id}-{idempotency_key}")
    changed = await money.run(alter, room.lottery, number, _choices(alteration.overrides), key=key)
    return ticket_view(changed)


@router.get("/tickets/{ticket}/qr.svg", response_class=Response)
async def ticket_code(ticket: TicketId, house: HouseHere, visitor: Visitor, asking: Asking) -> Response:
    """The ticket's QR code: its control number and the code of this print."""
    own = await reading.run(own_print, house, visitor, ticket)
    text = f"cardroom:{own.control_number}:{own.code}"
    body = await drawn.get(("code", text), partial(_code_of, text), asking)
    return Response(body, media_type="image/svg+xml")


def _code_of(text: str) -> bytes:
    """A text as a QR code."""
    import segno

    out = io.BytesIO()
    segno.make(text, error="m").save(out, kind="svg", xmldecl=False, border=2, scale=4)
    return out.getvalue()


@router.get("/tickets/{ticket}/paper.{form}", response_class=Response)
async def ticket_on_paper(
    ticket: TicketId, form: Literal["pdf", "png"], house: HouseHere, visitor: Visitor, asking: Asking
) -> Response:
    """The ticket on paper, as it is printed at a terminal."""
    from cardroom.lottery.ticket_print import ticket_pdf, ticket_png

    own = await reading.run(own_print, house, visitor, ticket)
    rules = lottery_of(house).lottery.rules
    paper = partial(ticket_pdf if form == "pdf" else ticket_png, own, rules)
    body = await drawn.get(
        ("paper", form, own.id, own.print_number, own.code, rules.rules_hash), paper, asking
    )
    media = "application/pdf" if form == "pdf" else "image/png"
    name = f'inline; filename="{KNOCKOUT_21.id}-{own.draw}-{own.id[:8]}.{form}"'
    return Response(body, media_type=media, headers={"Content-Disposition": name})


@router.post("/check")
async def check(claim: Claim, house: HouseHere) -> dict[str, Any]:
    """What a ticket is worth, in plain words; anybody who has its number may ask."""
    room = lottery_of(house)
    if not await room.is_ticket(claim.control_number):
        return _NO_TICKET
    answer = await money.run(
        lambda: check_ticket(
            room.lottery,
            claim.control_number,
            terminal=TERMINAL,
            code=claim.code or None,
            withheld=lambda draw: room.is_on_show(draw, house.now()),
        )
    )
    return {"verdict": answer.verdict, "prize_cents": answer.prize_cents, "draw": answer.draw}


@router.post("/claims")
async def claim_prize(
    claim: Claim, house: HouseHere, visitor: Visitor, idempotency_key: IdempotencyKey
) -> dict[str, Any]:
    """Be paid for a winning ticket, once, in chips; it takes the number and the code of the valid print."""
    room = lottery_of(house)
    if not await room.is_ticket(claim.control_number):
        return _NO_TICKET
    key = lottery_key("claim", f"{visitor.id}-{idempotency_key}")
    async with house.lock(visitor.account):
        funds = PlayerFunds(house, house.player(visitor.id))
        answer = await money.run(
            lambda: pay_prize(
                room.lottery,
                claim.control_number,
                claim.code,
                terminal=TERMINAL,
                key=key,
                payee=funds,
                withheld=lambda draw: room.is_on_show(draw, house.now()),
            )
        )
    return {"verdict": answer.verdict, "prize_cents": answer.prize_cents, "draw": answer.draw}


@router.get("/monitor", response_class=StreamingResponse)
async def monitor(
    house: HouseHere, last_event_id: Annotated[str | None, Header(max_length=40)] = None
) -> StreamingResponse:
    """The wall as server-sent events: every card when it is shown; a broken line resumes where it was.

    The first one names the files that the pages of this server use, so that a screen that was made by another
    version loads itself anew; a beat comes while there is nothing else to tell.
    """
    return StreamingResponse(
        _wall(house, lottery_of(house), last_event_id),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )


async def _wall(house: House, room: LotteryRoom, last_event_id: str | None) -> AsyncIterator[bytes]:
    draw, sent = _resumed(last_event_id)
    state = ""
    with house.hub.watching(TOPIC) as watcher:
        yield f"retry: 2000\n\nevent: assets\ndata: {asset('')}\n\n".encode()
        async for changed in watcher.changes(heartbeat_seconds=BEAT_SECONDS):
            if not changed:
                yield b"event: beat\ndata: still here\n\n"
                continue
            now = house.now()
            show = room.current_show(now)
            if show is not None:
                if show.draw != draw:
                    if (before := room.shows.get(draw)) is not None:  # its end, to a screen that was late
                        yield b"".join(before.messages[sent : before.shown(now)])
                    draw, sent = show.draw, 0
                shown = show.shown(now)
                if shown > sent:
                    yield b"".join(show.messages[sent:shown])
                    sent = shown
            news, event = room.news()
            if news and news != state:
                # A screen that comes later than the news sets its clock by the time of its own coming.
                yield event if state else house_event(news, now)
                state = news


def _resumed(last_event_id: str | None) -> tuple[int, int]:
    """The draw and the number of its events that a screen has seen."""
    draw, dot, sent = (last_event_id or "").partition(".")
    return (int(draw), int(sent)) if dot and draw.isdecimal() and sent.isdecimal() else (0, 0)
