"""The PAR sheet of Knockout 52."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, get_args

from cardroom.core.odds import Odds
from cardroom.exact.knockout52 import chances, joint, no_match_chance, wager_figures
from cardroom.lab import plots
from cardroom.lab.par.sheet import (
    Correlation,
    ParSheet,
    Plot,
    Table,
    Variation,
    Verification,
    Verified,
    WagerSheet,
)
from cardroom.lab.par.sizes import size_fact, size_plots, size_tables
from cardroom.lab.progress import Steps
from cardroom.lab.sessions import many_sessions, sessions
from cardroom.lab.sizes_knockouts import knockout_52_by_size
from cardroom.presentation import wager_title
from cardroom.presentation.numbers import percent, signed
from cardroom.rules.knockout52 import WAGERS, Knockout52Rules

_TITLES: Final = {wager: wager_title(wager) for wager in WAGERS}
_MAIN: Final = "round-1"


def knockout_52_sheet(
    rules: Knockout52Rules,
    *,
    rounds: int,
    seed: int,
    wager_cents: int | None = None,
    side_cents: int | None = None,
) -> ParSheet:
    """All figures of Knockout 52 under these rules, which know no side bets."""
    del side_cents
    steps = Steps(3)
    steps.begin("the figures of every wager")
    sizes = knockout_52_by_size(rules, wager_cents, with_curve=True)
    stake = sizes.wager_cents
    figures = wager_figures(rules, stake)
    wagers = tuple(WagerSheet.of(each, _TITLES[each.wager]) for each in figures)
    main = next(each for each in figures if each.wager == _MAIN)
    law = [(outcome.net, outcome.probability) for outcome in main.outcomes]
    held = sessions(law)
    steps.begin("what each rule is worth")
    variations = tuple(_variations(rules, stake))
    steps.begin("the simulation that verifies the figures, and tables")
    won = chances(rules)
    ends = _ends(rules)
    return ParSheet(
        rules=rules,
        summary=(
            "One card at a time is dealt onto 52 spaces that read ace to king in four rows; the first card "
            "whose rank is that of its space ends the game. Five wagers: that it ends in one of the four "
            "rows, or never."
        ),
        facts=(
            ("Cards", f"{rules.decks} deck{'s' * (rules.decks > 1)} of 52, {rules.shoe.total} cards"),
            ("Layout", f"{rules.layout.rows} rows of {rules.layout.ranks} spaces"),
            ("Wagers", ", ".join(f"{_TITLES[each.wager]} {rules.odds_of(each.wager)}" for each in figures)),
            ("Limits", f"{rules.limits.min} to {rules.limits.max} a wager, in chips of {rules.limits.chip}"),
            ("Decisions", "none after the wagers: there is no strategy"),
            size_fact(sizes),
        ),
        wagers=wagers,
        session_wager=f"{_TITLES[_MAIN]} in every game",
        sessions=held,
        verification=_verification(rules, stake, rounds=rounds, seed=seed),
        sensitivity_wager="each wager",
        sensitivity=variations,
        correlations=tuple(_correlations(rules, stake)),
        tables=(
            *size_tables(sizes, _TITLES),
            _by_decks(rules, stake),
            Table(
                "ends",
                "Where the game ends",
                ("Row", *"A23456789TJQK"),
                tuple(
                    (_TITLES[f"round-{row + 1}"], *(percent(float(chance), 2) for chance in ends[row]))
                    for row in range(rules.layout.rows)
                ),
                [[float(chance) for chance in row] for row in ends],
                "The exact chance that the first match falls on each space.",
            ),
        ),
        plots=(
            *size_plots(sizes, _TITLES),
            Plot(
                "distribution",
                "The chance of each of the five wagers.",
                lambda: plots.bars(
                    [_TITLES[wager] for wager in won],
                    [float(chance) for chance in won.values()],
                    across="how the game ends",
                    up="probability",
                ),
            ),
            Plot(
                "sessions",
                f"The house's hold on {_TITLES[_MAIN]}.",
                lambda: plots.session_bands(many_sessions(law)),
            ),
            Plot(
                "sensitivity",
                "Change of the house edge, in percent of the wager.",
                lambda: plots.change_bars(
                    [(each.rule, 100 * each.change) for each in variations],
                    across="change of the house edge, %",
                ),
            ),
        ),
        data={"size": sizes.to_json()},
    )


def _ends(rules: Knockout52Rules) -> list[list[float]]:
    """The chance that the first match falls on each space, row by row."""
    layout = rules.layout
    left = [rules.cards_per_rank] * layout.ranks
    alive = [no_match_chance(layout, left, 0, end) for end in range(layout.spaces + 1)]
    return [
        [
            float(alive[space] - alive[space + 1])
            for space in range(row * layout.ranks, (row + 1) * layout.ranks)
        ]
        for row in range(layout.rows)
    ]


def _variations(rules: Knockout52Rules, stake_cents: int) -> Iterator[Variation]:
    """Every wager with its pay a step up: one more, or half of one where it pays less than a stake."""
    for wager, probability in chances(rules).items():
        odds = rules.odds_of(wager)
        more = Odds(odds.pays + 1) if odds.stake == 1 else Odds(2 * odds.pays + 1, 2 * odds.stake)
        changed = rules.model_copy(
            update={"pays": rules.pays.model_copy(update={wager.replace("-", "_"): more})}
        )
        edge = 1 - float(probability * (1 + changed.pays_on(wager, stake_cents)))
        yield Variation(
            f"pays.{wager.replace('-', '_')} = {more}",
            f"{_TITLES[wager]} pays {more.words}",
            edge,
            edge - (1 - float(probability * (1 + rules.pays_on(wager, stake_cents)))),
        )


def _by_decks(rules: Knockout52Rules, stake_cents: int) -> Table:
    edges = {
        decks: [
            each.house_edge_percent
            for each in wager_figures(rules.model_copy(update={"decks": decks}), stake_cents)
        ]
        for decks in get_args(Knockout52Rules.model_fields["decks"].annotation)
    }
    return Table(
        "house_edge_percent_by_decks",
        "House edge by the number of decks",
        ("Decks", *_TITLES.values()),
        tuple((str(decks), *(f"{signed(edge, 4)} %" for edge in row)) for decks, row in edges.items()),
        {str(decks): dict(zip(_TITLES, row, strict=True)) for decks, row in edges.items()},
    )


def _correlations(rules: Knockout52Rules, stake_cents: int) -> Iterator[Correlation]:
    """Exact: of any two wagers at most one wins."""
    figures = joint(rules, dict.fromkeys(_TITLES, stake_cents))
    wagers = [wager for wager, _ in figures.stakes]
    for one, first in enumerate(wagers):
        for other in range(one + 1, len(wagers)):
            spread = math.sqrt(figures.covariance[one][one] * figures.covariance[other][other])
            yield Correlation(
                _TITLES[first], _TITLES[wagers[other]], float(figures.covariance[one][other]) / spread
            )


def _verification(rules: Knockout52Rules, stake_cents: int, *, rounds: int, seed: int) -> Verification:
    from cardroom.sim.knockout52 import simulate

    result = simulate(rules, rounds, seed=seed, stake_cents=stake_cents)
    exact = {each.wager: float(each.expected_value) for each in wager_figures(rules, stake_cents)}
    return Verification(
        (
            (
                "Every probability is a fraction, by rook polynomials: for a rank with m cards to come and k "
                "spaces to fill, j of its cards lie on j of its spaces in C(m,j)·C(k,j)·j! ways; multiplied "
                "over the ranks these count placements of matching cards, and inclusion and exclusion counts "
                "the arrangements without a match."
            ),
            (
                "The same figures come out of a complete walk of the game's tree on smaller layouts, of a "
                "second count by recursion, and of the simulation below, which deals every card."
            ),
        ),
        rounds,
        seed,
        tuple(
            Verified(
                f"Expected value of {_TITLES[each.wager]}",
                exact[each.wager],
                float(each.mean),
                each.standard_error,
            )
            for each in result.estimates
        ),
    )
