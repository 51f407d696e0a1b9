"""Every wager of a game in figures, and its edge by the size of the wager."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from cardroom.games import GAMES
from cardroom.rules import HouseRules
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules

if TYPE_CHECKING:
    from cardroom.exact.figures import WagerFigures
    from cardroom.exact.knockout21.figures import PrizeFigures

TICKETS: Final = 1000
"""A ticket's edge is given for a draw with so many tickets; it depends on their number."""

Figures = Sequence["WagerFigures | PrizeFigures"]
PlainFigures = list[dict[str, Any]]
"""In the shape of `odds --json`."""


def plain_figures(rules: HouseRules, wager_cents: int | None = None) -> PlainFigures:
    """Every wager of any game, as its entry in the registry computes it."""
    return in_plain(GAMES[rules.game].follow("figures"), rules, wager_cents)


def in_plain(
    figures: Callable[[Any, int | None], Figures], rules: HouseRules, wager_cents: int | None
) -> PlainFigures:
    """What an entry's `figures` computes, also where another process knows other entries."""
    return [wager.to_json() for wager in figures(rules, wager_cents)]


def twentyone_figures(rules: TwentyOneRules, wager_cents: int | None) -> Figures:
    """The primary wager by its best strategy, and everything that is wagered beside it."""
    from cardroom.exact.sidebets import not_figured
    from cardroom.lab.advice import solved
    from cardroom.lab.twentyone import beside_figures

    # The solution is the one that advice at the tables uses, so that it is computed once.
    primary = solved(rules, wager_cents).figures()
    beside = beside_figures(rules, wager_cents=wager_cents)
    note = " ".join([primary.note, *not_figured(rules).values()]).strip()
    return (replace(primary, note=note), *beside)


def twentyone_beside(rules: TwentyOneRules, wager_cents: int | None) -> PlainFigures:
    """Everything that is wagered beside the primary wager: quicker than all figures."""
    from cardroom.lab.twentyone import beside_figures

    return [wager.to_json() for wager in beside_figures(rules, wager_cents=wager_cents)]


def twentyone_sizes(rules: TwentyOneRules, wager_cents: int | None) -> dict[str, Any]:
    """The edge of the blackjack family by the size of the wager."""
    from cardroom.lab.sizes_twentyone import twentyone_by_size

    return twentyone_by_size(rules, "composition", wager_cents=wager_cents, with_curve=True).to_json()


def knockout_21_figures(rules: Knockout21Rules, _wager_cents: int | None) -> Figures:
    """The prizes of a ticket, whose price is its only wager."""
    from cardroom.exact.knockout21.draw_figures import picture
    from cardroom.exact.knockout21.figures import odds_of

    tickets = max(TICKETS, rules.draws.minimum_tickets)
    return odds_of(rules, picture(rules, tickets=tickets))


def knockout_21_sizes(rules: Knockout21Rules, _wager_cents: int | None) -> dict[str, Any]:
    """That a ticket has one price."""
    from cardroom.lab.sizes_knockouts import knockout_21_by_size

    return knockout_21_by_size(rules).to_json()


def knockout_52_figures(rules: Knockout52Rules, wager_cents: int | None) -> Figures:
    """The five wagers, each of that size."""
    from cardroom.exact.knockout52 import wager_figures

    return wager_figures(rules, wager_cents or int(rules.limits.min))


def knockout_52_sizes(rules: Knockout52Rules, wager_cents: int | None) -> dict[str, Any]:
    """The edges of the five wagers by their size."""
    from cardroom.lab.sizes_knockouts import knockout_52_by_size

    return knockout_52_by_size(rules, wager_cents, with_curve=True).to_json()
