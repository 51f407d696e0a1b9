"""The lab's page: a rule set in its address, so that a link shares it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Request
from fastapi.responses import HTMLResponse, Response

from cardroom.games import GAMES, Game
from cardroom.lab.wager_sizes import RulesWithLimits
from cardroom.presentation import wager_title
from cardroom.presentation.levers import lever_words, ranks_to_tap, suits_to_tap, tried_words
from cardroom.rules import HouseRules, load_rules, parse_changes
from cardroom.rules.game_ids import KnownGame
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.variants import variant, variant_names
from cardroom.web.addresses import lab_address
from cardroom.web.api.lab import Changes, WagerText, checked_wager, rules_view
from cardroom.web.rendering import page
from cardroom.web.routers import PageRouter

router = PageRouter()


def _about(game: Game, rules: HouseRules) -> dict[str, Any]:
    """What the lab has to show of a game, and in which words."""
    has_chart, main = isinstance(rules, TwentyOneRules), wager_title(game.main_wager)
    if has_chart:
        edge_words = "on the primary wager, exact for the best play of each composition"
    elif game.kind == "lottery":
        edge_words = f"of a ticket in a {game.figures_note}, exact"
    else:
        edge_words = f"on {main}, exact"
    return {
        "game": game.id,
        "levers": [
            {
                "option": lever.option,
                "values": lever.values,
                "values_words": tried_words(game.id, lever),
                "favours": lever.favours,
                "words": lever_words(lever),
            }
            for lever in game.levers
        ],
        "main_wager": game.main_wager,
        "ranks": ranks_to_tap(rules.shoe()) if isinstance(rules, TwentyOneRules) else [],
        "suits": suits_to_tap(),
        "has_chart": has_chart,
        "has_sizes": game.sizes is not None,
        "takes_wagers": isinstance(rules, RulesWithLimits),
        "has_simulation": game.sample is not None,
        "has_sheet": game.par_sheet is not None,
        "edge_words": edge_words,
    }


def _variants(game: Game) -> list[tuple[str, str, str]]:
    """The known variants of a game: title, what they are about, and the lab's address with their rules."""
    known = [variant(name) for name in variant_names()]
    return [(one.title, one.about, lab_address(load_rules(one.name))) for one in known if one.game == game.id]


@router.get("/lab", response_class=HTMLResponse)
async def show_lab(
    request: Request,
    game: KnownGame | None = None,
    changes: Changes = None,
    wager: WagerText | None = None,
    which: Annotated[str, Query(max_length=60)] = "",
) -> Response:
    """House rules to change, and what comes of it."""
    shown = GAMES[game or next(iter(GAMES))]
    rules = load_rules(shown.id, parse_changes(changes or []))
    checked_wager(wager, rules)
    return page(
        request,
        "lab.html",
        rules=rules,
        has_howto=shown.howto is not None,
        state=rules_view(rules),
        about=_about(shown, rules),
        titles={other.id: other.title for other in GAMES.values()},
        variants=_variants(shown),
        wager=wager,
        which=which,
    )
