"""Pages from templates, and the files they use: stylesheets, modules, the cards."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.types import Scope

import cardroom
from cardroom.core.ids import table_title
from cardroom.games import GAMES
from cardroom.presentation import KEYS, key_of, wager_title
from cardroom.presentation.card_names import card_name
from cardroom.presentation.conditions import ADVICE
from cardroom.presentation.floor import decision_time, pace, phase_words
from cardroom.presentation.howto import Lying
from cardroom.presentation.money import average, chips
from cardroom.presentation.numbers import counted, in_percent, one_in, signed
from cardroom.presentation.wagers import plain_title
from cardroom.rules import HouseRules
from cardroom.web.account_names import account_name
from cardroom.web.addresses import how_address, how_links
from cardroom.web.cards_svg import deck_svg
from cardroom.web.clause_links import clause_html, code_pattern, with_clause_links
from cardroom.web.errors import Fault
from cardroom.web.security.doors import is_open_here

_FOLDER: Final = Path(str(resources.files("cardroom.web")))
_YEAR: Final = 365 * 24 * 3600
_FOREVER: Final = f"public, max-age={_YEAR}, immutable"


class _Assets(StaticFiles):
    """Files whose address changes with their content, so that a browser may keep them for good."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = _FOREVER
        return response


@cache
def assets_version() -> str:
    """A digest of all static files; it is part of their address."""
    digest = hashlib.sha256(deck_svg().encode())
    for path in sorted((_FOLDER / "static").rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(_FOLDER).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def asset(path: str) -> str:
    """The address of a static file."""
    return f"/static/{assets_version()}/{path}"


def table_name(table: Any) -> str:
    """What a table is called: the house's tables have names, a player's own is private."""
    return "private table" if table.owner else table_title(table.id)


def card_svg(text: str, label: str | None = None) -> Markup:
    """A card of the deck, to be put into a page."""
    said = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    return Markup('<svg class="card" viewBox="0 0 100 140" {}><use href="{}#{}"/></svg>').format(
        said, asset("cards.svg"), text
    )


def key_cap(action: str) -> Markup:
    """The key of an action, as a cap to be put into a page."""
    key = key_of(action)
    return Markup("<kbd>{}</kbd>").format("Space" if key == " " else key.upper())


def games_with_pages() -> list[tuple[str, str]]:
    """Address and title of each game that has a page of its own, layouts before lotteries."""
    return [
        (game.address, game.title)
        for kind in ("layout", "lottery")
        for game in GAMES.values()
        if game.kind == kind and game.address
    ]


def game_title(game_id: str) -> str:
    """The title of a game; of one that the house has no more, its id."""
    return GAMES[game_id].title if game_id in GAMES else game_id


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    keys = {entry.action: entry.key for entry in KEYS}
    environment.globals.update(
        asset=asset,
        card=card_svg,
        games_with_pages=games_with_pages,
        version=cardroom.__version__,
        keys=keys,
        page_keys=[entry for entry in KEYS if entry.on_pages],
        key=key_cap,
        clause_codes=code_pattern,
        how=how_address,
        how_links=how_links,
        advice_note=ADVICE,
    )
    environment.filters["account_name"] = account_name
    environment.filters["average_cents"] = average
    environment.filters["card_name"] = card_name
    environment.filters["chips"] = chips
    environment.filters["clause_html"] = clause_html
    environment.filters["counted"] = counted
    environment.filters["game_title"] = game_title
    environment.filters["in_percent"] = in_percent
    environment.filters["lying"] = lambda cards: [Lying(text) for text in cards]
    environment.filters["one_in"] = one_in
    environment.filters["pace"] = pace
    environment.filters["phase_words"] = phase_words
    environment.filters["decision_time"] = decision_time
    environment.filters["signed"] = signed
    environment.filters["table_name"] = table_name
    environment.filters["table_title"] = table_title
    environment.filters["wager_title"] = wager_title
    environment.filters["plain_title"] = plain_title
    return environment


def page(request: Request, template: str, *, status: int = 200, **content: Any) -> HTMLResponse:
    """A page of the card room for the visitor who asked."""
    house = request.app.state.house
    player = house.player(request.state.visitor)
    text = (
        _templates()
        .get_template(template)
        .render(
            **content,
            csrf=request.state.csrf,
            player=player,
            now=house.now(),
            path=request.url.path,
            operations_here=is_open_here(house.settings.operations, request.scope),
        )
    )
    rules = content.get("rules")
    here = GAMES.get(rules.game) if isinstance(rules, HouseRules) else None
    return HTMLResponse(with_clause_links(text, here), status)


async def error_page(request: Request, fault: Fault, message: str, clause: str | None) -> Response:
    """The page of an error."""
    return page(request, "error.html", status=int(fault.status), fault=fault, message=message, clause=clause)


def install(app: FastAPI) -> None:
    """Serve the static files."""

    @app.get(f"/static/{assets_version()}/cards.svg", include_in_schema=False)
    async def _cards() -> Response:
        return Response(deck_svg(), media_type="image/svg+xml", headers={"Cache-Control": _FOREVER})

    app.mount(f"/static/{assets_version()}", _Assets(directory=_FOLDER / "static"), name="static")
