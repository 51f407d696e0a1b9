"""The figures behind a game, computed once for each version of the rules by the rooms below, and kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from cardroom.games import GAMES
from cardroom.lab.wager_figures import PlainFigures, in_plain, plain_figures
from cardroom.rules import HouseRules
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.web.computations import Asker, Bounds, Computations
from cardroom.web.worker import Worker

Figures = PlainFigures

computed: Final = Computations(Worker("figures"))
"""Figures, charts and comparisons: seconds."""
sheets: Final = Computations(Worker("sheets"), Bounds(in_all=24, per_address=8, per_visitor=3))
"""PAR sheets and simulations, which may take a minute."""
advised: Final = Computations(Worker("advice"))
"""What the tables ask for: it does not wait for figures."""
drawn: Final = Computations(Worker("papers"), Bounds(in_all=64, per_address=16, per_visitor=6))
"""Tickets on paper and pages of how a game works: a fraction of a second each."""


async def figures_of(
    rules: HouseRules, wager_cents: int | None = None, asker: Asker | None = None
) -> Figures:
    """Every wager of the rules in the shape of `odds --json`, the primary one first.

    They are for a wager of that size, the table's minimum unless told.
    """
    game = GAMES[rules.game]
    compute = partial(in_plain, game.follow("figures"), rules, wager_cents)
    if game.figures_at_once:
        return compute()
    return await computed.get(("figures", rules.rules_hash, wager_cents), compute, asker)


def known_figures(rules: HouseRules) -> Figures | None:
    """The figures if they are at hand."""
    if GAMES[rules.game].figures_at_once:
        return plain_figures(rules)
    known: Figures | None = computed.known(("figures", rules.rules_hash, None))
    return known


async def few_tickets_of(rules: Knockout21Rules) -> dict[str, Any]:
    """What draws with few tickets bring the house, and what a minimum would change."""
    return await computed.get(("few tickets", rules.rules_hash), partial(_few_tickets, rules))


def _few_tickets(rules: Knockout21Rules) -> dict[str, Any]:
    from cardroom.lab.few_tickets import few_tickets

    return few_tickets(rules).to_json()


async def draw_so_far_of(rules: Knockout21Rules, tickets: int) -> dict[str, Any]:
    """What a draw is expected to bring at the tickets sold so far."""
    return await computed.get(("draw so far", rules.rules_hash, tickets), partial(_so_far, rules, tickets))


def _so_far(rules: Knockout21Rules, tickets: int) -> dict[str, Any]:
    from cardroom.lab.few_tickets import draw_so_far

    return draw_so_far(rules, tickets).to_json()


def stop() -> None:
    """Let go of what nobody waits for any more, when the process ends."""
    for computations in (computed, sheets, advised, drawn):
        computations.stop()


def sizes_of(rules: HouseRules, wager_cents: int | None) -> Callable[[], dict[str, Any]]:
    """What computes the edge by the size of the wager, as `odds --json` has it."""
    return partial(GAMES[rules.game].follow("sizes"), rules, wager_cents)
