"""For the house: every wager of a game with what the best conceivable counter could win, and what helps."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cardroom.core.errors import MalformedInput
from cardroom.presentation import wager_title
from cardroom.protect.effects import INSURANCE, PRIMARY
from cardroom.protect.exposure import (
    AtCut,
    Countermeasure,
    Mark,
    Stakes,
    Thresholds,
    at_cut,
    countermeasures,
)
from cardroom.protect.paths import Paths, deal_paths
from cardroom.protect.worth import (
    Progress,
    Worth,
    countable_sides,
    insurance_worth,
    primary_worth,
    side_worth,
)
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.cuts import dealer_cut_range

DECKS_CUT_OFF: Final = (1.0, 1.5, 2.0, 2.5)
LEAST_SHOES: Final = 20
LEAST_SOLVED: Final = 8


@dataclass(frozen=True, slots=True)
class WagerReport:
    """One wager of the house report."""

    wager: str
    largest_stake_cents: int
    cuts: tuple[AtCut, ...]
    own: AtCut
    """At the deepest cut that the house's rules allow."""
    mark: Mark
    mark_without_maximum: Mark
    safe_stake_cents: int | None
    """The largest stake with which the wager is safe at that cut; None where every stake is."""
    countermeasures: tuple[Countermeasure, ...]
    named: str = ""
    """How the rules call the wager; by its id where they are not at hand."""

    @property
    def title(self) -> str:
        return self.named or wager_title(self.wager)

    def to_json(self) -> dict[str, Any]:
        return {
            "wager": self.wager,
            "title": self.title,
            "largest_stake_cents": self.largest_stake_cents,
            "mark": self.mark,
            "mark_without_a_maximum": self.mark_without_maximum,
            "largest_safe_stake_cents": self.safe_stake_cents,
            "deepest_cut_of_the_house": self.own.to_json(),
            "by_cut": [cut.to_json() for cut in self.cuts],
            "countermeasures": [one.to_json() for one in self.countermeasures],
        }


@dataclass(frozen=True, slots=True)
class HouseReport:
    """All wagers of a game, and what was found of them in sentences."""

    game: str
    title: str
    rules_hash: str
    method: str
    thresholds: Thresholds
    wagers: tuple[WagerReport, ...]
    findings: tuple[str, ...]
    not_valued: tuple[str, ...] = ()
    """Side bets that are not counted here: those on the dealer's whole hand."""
    marked: Mark | None = None
    """The mark of a game that is not marked by its wagers."""
    interrupted: bool = False
    not_reached: tuple[str, ...] = ()
    """Side bets that were still to be counted when somebody interrupted."""

    @property
    def mark(self) -> Mark:
        """The worst of its wagers', unless the game has one of its own."""
        marks = [self.marked, *(one.mark for one in self.wagers)]
        return "exposed" if "exposed" in marks else "watch" if "watch" in marks else "safe"

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "rules_hash": self.rules_hash,
            "method": self.method,
            "mark": self.mark,
            "thresholds_dollars_per_100_rounds": {
                "watch": self.thresholds.watch_cents / 100,
                "exposed": self.thresholds.exposed_cents / 100,
            },
            "wagers": [one.to_json() for one in self.wagers],
            "findings": list(self.findings),
            "not_valued": list(self.not_valued),
            "interrupted": self.interrupted,
            "not_reached": list(self.not_reached),
        }

    def to_csv(self) -> str:
        """A line for each wager and cut; for a wager of a game without a cut card, one line."""
        if not self.wagers:
            raise MalformedInput(f"the report of {self.title} has no wagers by cut for a CSV; leave it out")
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        rows = [
            {"game": self.game, "wager": one.wager, "mark": one.mark, **cut.to_json()}
            for one in self.wagers
            for cut in one.cuts or (one.own,)
        ]
        writer.writerow(rows[0])
        writer.writerows(row.values() for row in rows)
        return out.getvalue()


def house_report(
    rules: TwentyOneRules,
    *,
    shoes: int = 200,
    solved: int = 60,
    seed: int = 1,
    thresholds: Thresholds | None = None,
    progress: Progress | None = None,
) -> HouseReport:
    """The report of a game of the blackjack family, from shoes that are dealt and rounds that are solved.

    With `progress` somebody looks on: Ctrl-C then ends it early, with what was reached until then.
    """
    from cardroom.protect.findings import findings

    if rules.decks == "infinite":
        raise MalformedInput("infinitely many decks are never dealt down; set decks to 1 … 8")
    if shoes < LEAST_SHOES or solved < LEAST_SOLVED:
        raise MalformedInput(
            f"{shoes} shoes and {solved} rounds solved are too few for a report; it takes {LEAST_SHOES} "
            f"and {LEAST_SOLVED}"
        )
    bounds = thresholds or Thresholds()
    cuts = cuts_of(rules)
    own = dealer_cut_range(rules).least
    paths = deal_paths(rules, shoes, min(own, *(cards for _, cards in cuts)), seed)
    sides = countable_sides(rules)
    reached = 0

    def step(done: int, _of: int) -> None:
        nonlocal reached
        reached = done
        if progress is not None:
            progress(done, solved + len(sides))

    worths = [primary_worth(paths, solved, seed, None if progress is None else step)]
    interrupted = progress is not None and reached < solved
    if rules.insurance.offered:
        worths.append(insurance_worth(paths))
    for wager in sides if not interrupted else ():
        try:
            worths.append(side_worth(paths, wager, stake_cents=largest_side_stake(rules, wager)))
            step(reached + 1, 0)
        except KeyboardInterrupt:
            if progress is None:
                raise
            interrupted = True
            break
    by_wager = {worth.wager: worth for worth in worths}
    return HouseReport(
        rules.game,
        rules.title,
        rules.rules_hash,
        f"exact values before each round of {shoes} shoes dealt at random (seed {seed}); the primary wager "
        f"solved in {len(worths[0].solved)} of {len(paths.place):,} rounds, by its effects of removal in the "
        "others",
        bounds,
        tuple(
            _wager(rules, paths, worth, stakes_of(rules, worth.wager, by_wager), cuts, own, bounds)
            for worth in worths
        ),
        tuple(findings(paths, by_wager)),
        tuple(wager for wager in rules.offered_side_bets if wager not in sides),
        interrupted=interrupted,
        not_reached=tuple(wager for wager in sides if wager not in by_wager),
    )


def cuts_of(rules: TwentyOneRules) -> list[tuple[float, int]]:
    """The cuts of a report: decks cut off and cards; of a small shoe a quarter and a half."""
    assert rules.decks != "infinite"
    per_deck = rules.shoe().total // rules.decks
    decks = [decks for decks in DECKS_CUT_OFF if decks < rules.decks] or [rules.decks / 4, rules.decks / 2]
    return [(each, round(each * per_deck)) for each in decks]


def largest_side_stake(rules: TwentyOneRules, wager: str) -> int:
    """In cents, by the limits of the table."""
    bet = rules.side_bets[wager]
    largest = bet.fixed_stake_cents or int(rules.limits.side_max)
    return min(largest, int(rules.limits.max)) if bet.at_most == PRIMARY else largest


def stakes_of(rules: TwentyOneRules, wager: str, worths: dict[str, Worth]) -> Stakes:
    """The largest stake of a wager, and what must stand beside it (SIDE-3)."""
    primary = worths[PRIMARY].value
    least = int(rules.limits.min)
    waiting = least * np.minimum(primary, 0)
    if wager == PRIMARY:
        return Stakes(int(rules.limits.max), np.zeros(len(primary)), waiting)
    if wager == INSURANCE:
        insurance = worths[INSURANCE]
        largest = int(rules.limits.max) // 2
        beside = 2 * largest * np.minimum(primary, 0)
        before = np.zeros(len(primary)) if insurance.before is None else insurance.before
        waiting = waiting + least // 2 * np.maximum(insurance.value, 0)
        return Stakes(largest, beside, waiting, (primary > 0) | (largest * before + beside > 0))
    bet = rules.side_bets[wager]
    largest = largest_side_stake(rules, wager)
    needed = (max(least, largest) if bet.at_most == PRIMARY else least) * primary
    without = np.maximum(needed, 0)
    if bet.needs is not None and bet.needs in worths:
        other = rules.side_bets[bet.needs]
        stake = other.fixed_stake_cents or int(rules.limits.side_min)
        needed = needed + stake * worths[bet.needs].value
        without = np.maximum(without, needed)
    return Stakes(largest, needed - without, waiting)


def _wager(
    rules: TwentyOneRules,
    paths: Paths,
    worth: Worth,
    stakes: Stakes,
    cuts: Sequence[tuple[float, int]],
    own_cards: int,
    thresholds: Thresholds,
) -> WagerReport:
    assert rules.decks != "infinite"
    per_deck = rules.shoe().total // rules.decks
    own = at_cut(paths, worth, stakes, own_cards, own_cards / per_deck)
    further_cards = min(own_cards + per_deck // 2, rules.shoe().total - rules.procedure.burn_cards - 1)
    further = at_cut(paths, worth, stakes, further_cards, further_cards / per_deck)
    safe: int | None = None
    if own.units > 0:
        # What must stand beside it is left aside here: with it the stake could be larger.
        safe = int(thresholds.watch_cents / own.units) // 100 * 100
    return WagerReport(
        worth.wager,
        stakes.largest,
        tuple(at_cut(paths, worth, stakes, cards, decks) for decks, cards in cuts),
        own,
        thresholds.mark(own.at_maximum_cents),
        thresholds.mark(own.without_maximum_cents),
        safe,
        tuple(countermeasures(paths, worth, stakes, own, further)),
        wager_title(worth.wager, rules),
    )
