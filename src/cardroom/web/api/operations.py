"""Operations, for people who have logged in: draws, money, the log, what is open and who may do what."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Final

from fastapi import Depends, Request, Response
from pydantic import AfterValidator, BaseModel, Field

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.fair.entropy import OperatingSystem
from cardroom.fair.sealing import open_secret, seal_secret
from cardroom.games import GAMES
from cardroom.lottery.house import switch_in
from cardroom.records import Record
from cardroom.records.house import (
    DrawVerified,
    LoggedIn,
    LoggedOut,
    LoginRefused,
    OperatorAppointed,
    PasswordChanged,
    SecondFactorSet,
)
from cardroom.records.players import PlayerDisabled, PlayerEnabled
from cardroom.store import lottery as rows
from cardroom.store.ledger import all_balances
from cardroom.store.plan import Entry, Plan
from cardroom.web.api.parts import Asking, HouseHere, house_of
from cardroom.web.errors import Forbidden, NotLoggedIn
from cardroom.web.figures import few_tickets_of
from cardroom.web.house import House
from cardroom.web.live.shown import view_of
from cardroom.web.routers import ApiRouter
from cardroom.web.security.accounts import record_appointment
from cardroom.web.security.operators import Login, hashed, parse_name, parse_role, second_appointer
from cardroom.web.security.totp import SECRET_BYTES, address_of, base32, step_of
from cardroom.web.threads import desk

router = ApiRouter(prefix="/operations", tags=["operations"])

COOKIE: Final = "cardroom_operator"
LEAST_REASON: Final = 3


def said_reason(reason: str) -> str:
    """A reason that says something (R-47)."""
    reason = " ".join(reason.split())
    if len(reason) < LEAST_REASON:
        raise ValueError(f"say why, in at least {LEAST_REASON} letters: the log keeps it")
    return reason


Reason = Annotated[str, Field(max_length=200, examples=["a spilled drink"]), AfterValidator(said_reason)]


Code = Annotated[str, Field(pattern="^[0-9]{6}$", examples=["287082"])]


class Credentials(BaseModel):
    """A name and its password, and a code."""

    name: str = Field(min_length=1, max_length=80)
    password: str = Field(min_length=1, max_length=200)
    code: Code | None = Field(default=None, description="The code of the moment, where one is set up")


class Switch(BaseModel):
    """What is to be closed or opened: `all`, `game:ID`, `table:ID`, `terminal:web` or `player:ID`."""

    what: str = Field(min_length=3, max_length=60, pattern="^[a-z0-9:-]+$", examples=["all"])
    off: bool
    reason: Reason


class Appointment(BaseModel):
    """Somebody who may log in from now on, or their new role and password."""

    name: str = Field(min_length=3, max_length=40)
    role: str = Field(max_length=20, examples=["auditor"])
    password: str = Field(min_length=12, max_length=200)
    second: Credentials | None = Field(
        default=None, description="Another operator, who signs too where it is about an operator"
    )


class SecondFactor(BaseModel):
    """A secret for codes as it was given out, and a code of the moment that shows it has arrived."""

    sealed: str = Field(min_length=32, max_length=400, pattern="^[0-9a-f]+$")
    code: Code


class NewPassword(BaseModel):
    """Your own new password, and the one you have."""

    old: str = Field(min_length=1, max_length=200)
    new: str = Field(min_length=12, max_length=200)


def login_of(request: Request) -> Login | None:
    """Who is logged in, if anybody is."""
    house = house_of(request)
    return house.operators.seen(request.cookies.get(COOKIE), house.now())


def watching(request: Request) -> Login:
    """Whoever is logged in and has a page open that looks again by itself; it keeps no log-in alive."""
    house = house_of(request)
    login = house.operators.seen(request.cookies.get(COOKIE), house.now(), acts=False)
    if login is None or not login.chose_password:
        raise NotLoggedIn("log in first; a log-in ends after a while without any action")
    return login


def logged_in(request: Request) -> Login:
    """Whoever is logged in; refused when nobody is."""
    login = login_of(request)
    if login is None:
        raise NotLoggedIn("log in first; a log-in ends after a while without any action")
    return login


def operating(request: Request) -> Login:
    """Whoever is logged in with a password of their own."""
    login = logged_in(request)
    if not login.chose_password:
        raise Forbidden("choose a password of your own first: somebody else knows this one")
    return login


Entering = Annotated[Login, Depends(logged_in)]
Operating = Annotated[Login, Depends(operating)]
Watching = Annotated[Login, Depends(watching)]


@router.post("/login")
async def log_in(
    credentials: Credentials, response: Response, house: HouseHere, asking: Asking
) -> dict[str, Any]:
    """Log in; after repeated failures a name waits for a while at the address they came from."""
    who = (credentials.name, credentials.password, house.now(), asking.address, credentials.code)
    try:
        login = await house.passwords.do(partial(house.operators.log_in, *who), asking.address)
    except NotLoggedIn:
        await record(house, LoginRefused(name=credentials.name[:80], address=asking.address))
        raise
    await record(house, LoggedIn(name=login.name, role=login.role))
    response.set_cookie(
        COOKIE,
        login.token,
        max_age=house.settings.session_hours * 3600,
        httponly=True,
        samesite="strict",
        secure=house.settings.secure_cookies,
    )
    return {"name": login.name, "role": login.role, "choose_password": not login.chose_password}


@router.post("/logout")
async def log_out(login: Entering, response: Response, house: HouseHere) -> dict[str, Any]:
    """Log out."""
    house.operators.log_out(login)
    await record(house, LoggedOut(name=login.name))
    response.delete_cookie(COOKIE)
    return {}


@router.get("/overview")
async def overview(login: Operating, house: HouseHere) -> dict[str, Any]:
    """The house at a glance: draws, money by where it is, meters, what is closed."""
    login.require("see")
    return await desk.run(overview_of, house)


def overview_of(house: House) -> dict[str, Any]:
    """What the overview shows; money in unfinished games is on its own (R-45)."""
    with house.database.read() as connection:
        balances = all_balances(connection)
        draws = _draws(house, connection)
        head = str(rows.head(connection))
    by_place: dict[str, int] = {}
    for account, cents in balances.items():
        place = account.split(":")[0]
        by_place[place] = by_place.get(place, 0) + cents
    return {
        "now": house.now().isoformat(),
        "draws": draws,
        "money": {
            "sum_cents": sum(balances.values()),
            "players_cents": by_place.get("player", 0),
            "unfinished_cents": by_place.get("play", 0)
            + sum(cents for account, cents in balances.items() if account.endswith(":sales")),
            "waiting_prizes_cents": sum(
                cents for account, cents in balances.items() if account.endswith(":prizes")
            ),
            "house_cents": {
                account.removeprefix("house:"): cents
                for account, cents in balances.items()
                if account.startswith("house:") and not account.startswith("house:draw-")
            },
            "unfinished": {a: c for a, c in balances.items() if a.startswith("play:") and c},
        },
        "meters": {a.removeprefix("meter:"): c for a, c in balances.items() if a.startswith("meter:")},
        "closed": sorted(house.disabled),
        "clock": house.clock_words(),
        "clock_needs_two": house.clock_needs_two(),
        "tables": [
            {
                "table": table.id,
                "game": table.rules.game,
                "kind": GAMES[table.rules.game].kind,
                "players": table.player_count,
                "open": table.enabled,
                "salts_revealed": table.salts_revealed,
                "salts_withheld": table.salts_withheld,
                **view_of(table.rules.game).notices(table),
            }
            for table in house.memory.tables.values()
        ],
        "broken": [
            {
                "table": broken.id,
                "game": broken.game,
                "record": broken.oddity.seq,
                "kind": broken.oddity.kind,
                "why": broken.oddity.why,
                "held_cents": balances.get(broken.place, 0),
            }
            for broken in house.memory.broken.values()
        ],
        "oddities": [str(oddity) for oddity in house.memory.oddities],
        "log_head": head,
        "players": house.memory.guests,
    }


def _draws(house: House, connection: Any) -> list[dict[str, Any]]:
    """The draws on sale and the last ones: sales, liability, and the totals of the seal."""
    if house.lottery is None:
        return []
    shown = [*reversed(house.lottery.window), *house.lottery.recent]
    lines = []
    for draw in shown[:12]:
        count, total = rows.count_and_total(connection, draw.number)
        prizes = rows.prizes_of_draw(connection, draw.number)
        is_void = draw.status == "void"  # its tickets are no sales, and their prices no prizes
        returned = sum(prize.amount_cents for prize in prizes) if is_void else 0
        if is_void:
            count, total, prizes = 0, 0, []
        sealed = (
            is_void or draw.ticket_count is None or (draw.ticket_count, draw.total_cents) == (count, total)
        )
        lines.append(
            {
                "draw": draw.number,
                "draw_at": draw.due_at.isoformat(),
                "status": draw.status,
                "held": draw.held,
                "tickets": count,
                "sales_cents": total,
                "sealed_tickets": draw.ticket_count,
                "sealed_cents": draw.total_cents,
                "agrees": sealed,
                "liability_cents": sum(prize.amount_cents for prize in prizes if prize.outcome is None),
                "paid_cents": sum(prize.amount_cents for prize in prizes if prize.outcome == "paid"),
                "returned_cents": returned,
            }
        )
    return lines


@router.post("/switches")
async def switch(wanted: Switch, login: Operating, house: HouseHere) -> dict[str, Any]:
    """Close or open everything, a game, a table, the terminal or a player (R-46); said who and why (R-47)."""
    login.require("disable")
    kind, _, name = wanted.what.partition(":")
    known = {
        "all": wanted.what == "all",
        "game": name in GAMES,
        "table": name in house.tables,
        "terminal": name == "web",
        "player": house.players.is_known(name),
    }
    if not known.get(kind):
        raise MalformedInput(
            f"{wanted.what!r} is not here to be closed; it is all, game:…, table:…, terminal:web or player:…"
        )
    was_off = house.player(name).disabled if kind == "player" else wanted.what in house.disabled
    if was_off == wanted.off:
        raise Conflict(f"{wanted.what} is {'closed' if was_off else 'open'} already")
    content = {
        "what": wanted.what,
        "by": login.name,
        "before": "closed" if was_off else "open",
        "after": "closed" if wanted.off else "open",
        "reason": wanted.reason,
    }
    if kind == "player":
        seat = PlayerDisabled if wanted.off else PlayerEnabled
        await record(house, seat(player=name, **content))
    else:
        await desk.run(
            lambda: switch_in(
                house.database, wanted.what, off=wanted.off, by=login.name, reason=wanted.reason
            )
        )
    return content


@router.get("/few-tickets")
async def show_few_tickets(login: Operating, house: HouseHere) -> dict[str, Any]:
    """From how many tickets on the house keeps anything of a draw, and what a minimum would change."""
    login.require("see")
    if house.lottery is None:
        raise Conflict("the lottery is opening")
    return await few_tickets_of(house.lottery.lottery.rules)


@router.get("/draws/{number}/verification")
async def verify_draw(number: int, login: Operating, house: HouseHere) -> dict[str, Any]:
    """Re-derive a settled draw from its published record alone."""
    login.require("see")
    if house.lottery is None:
        raise Conflict("the lottery is opening")
    lottery = house.lottery.lottery

    def verify() -> list[str]:
        from cardroom.lottery.record import draw_record
        from cardroom.lottery.verify import verify_draw as check

        return [str(finding) for finding in check(draw_record(lottery, number)).findings]

    findings = await desk.run(verify)
    await record(house, DrawVerified(draw=number, by=login.name, findings=len(findings)))
    return {"draw": number, "findings": findings}


@router.get("/operators")
async def list_operators(login: Operating, house: HouseHere) -> dict[str, Any]:
    """Everybody who may log in."""
    login.require("see")
    return {"operators": [{"name": one.name, "role": one.role} for one in house.operators.names()]}


@router.put("/operators")
async def appoint(wanted: Appointment, login: Operating, house: HouseHere, asking: Asking) -> dict[str, Any]:
    """Let somebody in, or change their role and password; their log-ins end.

    Where the house has another operator, one is made, unmade and given a new password by two of them.
    """
    login.require("appoint")
    since = house.memory.head.seq
    name, role = parse_name(wanted.name), parse_role(wanted.role)
    before = house.operators.role_before(name, role)
    second = None
    if house.operators.takes_two(name, role, login.name):
        if wanted.second is None:
            raise Forbidden("this takes two people: another operator signs too, with their own password")
        work = partial(_second_appointer, house, login.name, wanted.second, asking.address)
        second = await house.passwords.do(work, asking.address)
    password_hash = await house.passwords.do(partial(hashed, wanted.password), asking.address)
    appointed = OperatorAppointed(
        name=name,
        role=role,
        password_hash=password_hash,
        by=login.name,
        before=before,
        after=role,
        second=second,
    )
    await house.journal.write(lambda unit: record_appointment(unit, appointed, since=since))
    return {"name": name, "role": role}


def _second_appointer(house: House, first: str, second: Credentials, address: str) -> str:
    now, hours = house.now(), house.settings.second_person_hours
    operator = house.operators.known_by(second.name, second.password, now, address, second.code)
    return second_appointer(house.operators, first, operator, now, hours)


@router.put("/password")
async def change_password(
    wanted: NewPassword, login: Entering, house: HouseHere, asking: Asking
) -> dict[str, Any]:
    """Change your own password; your log-ins end."""
    if wanted.new == wanted.old:
        raise Conflict("the new password is the old one")
    who = (login.name, wanted.old, house.now(), asking.address)
    await house.passwords.do(partial(house.operators.known_by, *who, with_code=False), asking.address)
    password_hash = await house.passwords.do(partial(hashed, wanted.new), asking.address)
    await record(house, PasswordChanged(name=login.name, password_hash=password_hash))
    return {"name": login.name}


@router.post("/second-factor")
async def begin_second_factor(login: Operating, house: HouseHere) -> dict[str, Any]:
    """A fresh secret for your authenticator; it counts once you have written a code of it."""
    import segno

    secret = OperatingSystem().take(SECRET_BYTES)
    address = address_of(secret, login.name)
    picture = segno.make(address, error="m", micro=False).svg_data_uri(scale=4, border=2)
    return {
        "secret": base32(secret),
        "address": address,
        "picture": picture,
        "sealed": seal_secret(house.settings.key, secret, login.name),
    }


@router.put("/second-factor")
async def set_second_factor(wanted: SecondFactor, login: Operating, house: HouseHere) -> dict[str, Any]:
    """Log in with codes from now on: `sealed` is what the secret came with."""
    secret = open_secret(house.settings.key, wanted.sealed, login.name)
    moments = house.operators.moments_of_codes(house.now())
    if all(step_of(secret, wanted.code, moment.timestamp()) is None for moment in moments):
        raise MalformedInput("that is not the code of this moment; check the clock of your authenticator")
    await record(house, SecondFactorSet(name=login.name, sealed_secret=wanted.sealed))
    return {"name": login.name}


async def record(house: House, done: Record) -> None:
    """Say in the log what was done."""
    await house.journal.perform(lambda: Plan([Entry(done)]))
