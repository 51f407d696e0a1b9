"""The page of the house reports: what a manager must know, then the report of every game.

    python -m tools.protection
    python -m tools.protection --shoes 400 --solved 100

Writes docs/house-reports.md. It deals and solves for some minutes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from cardroom.games import GAMES
from cardroom.presentation.money import chips, dollars
from cardroom.presentation.numbers import percent, round_percent
from cardroom.protect.house import HouseReport, WagerReport
from cardroom.rules import load_rules

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "house-reports.md"
_LEAST_SHOWN: Final = 0.005
OTHERS: Final = {"knockout-52": {"decks": 8}}
"""Options in which a report differs from the game's own rules: one deck serves one game."""
_HEAD: Final = """# House reports

Written by `python -m tools.protection`; `cardroom protect GAME --house` makes one report, with
`--json` and `--csv`.

## For the manager

Somebody who watches the cards can know that the next round is a good one. These pages say how much
the best conceivable player could make of that: one who forgets no card, computes the worth of every
wager before every round, wagers only when it pays, and is never asked to leave. No real player
comes near. If even this player wins little, the wager is safe.

A wager is **safe** when that player wins less than {watch} in 100 rounds (an hour or two at a
table) with the largest stake that the table allows, to be **watched** from {watch} on, and
**exposed** from {exposed} on. The marks hold for the deepest cut that the house's rules allow the
dealer.

| game | mark | what to know |
|---|---|---|
"""
_DO: Final = """
What the house can do, in the order in which it costs least:

1. **Keep the largest stake low.** What is won grows with it in proportion. The column *safe up to*
   says which stake keeps a wager safe.
2. **Cut more cards off.** The good rounds lie at the end of the shoe; half a deck more behind the
   cut card takes a good part of them away. It costs time: the cards are shuffled more often.
3. **Let nobody sit down or sit out in the middle of a shoe.** Then the waiting costs money, too.
4. **Shuffle when somebody raises.** A player who may raise once in a shoe wins little. It costs
   time, and honest players do not like it.

What to look for at the table: a player who wagers the least for half a shoe and the most towards
its end; one who makes a side bet in the last rounds of a shoe alone; one who stands behind the
table and sits down late; two who seem to know each other, of whom one plays the least all day and
the other comes only for the last rounds, with the most: neither of them is seen to raise.

## How to read the reports

*Won in 100 rounds* is in dollars: what the wager adds, with the largest stake wherever it pays, to
the best that the same player could do without it. A side bet and insurance stand beside a primary
wager. Where that one pays by itself it is made anyway, and what it wins is its own; where it is made
for the side bet alone, what it loses is taken off (so is Match Up for Match Down). Two side bets
made together share that cost. *With $10,000, any stake* is what the same player wins who has no
more than that to lose, at a table without a largest stake, with stakes that risk 13.5 % of losing it
all; what must stand beside the wager is left aside there, and in *safe up to*. The number in
brackets is the standard error. A share says in how many of the rounds the wager pays at all.
"""


def page(reports: Sequence[HouseReport]) -> str:
    """The page, from the reports of all games."""
    bounds = reports[0].thresholds
    head = _HEAD.replace("{watch}", chips(bounds.watch_cents)).replace(
        "{exposed}", chips(bounds.exposed_cents)
    )
    summary = "".join(
        f"| [{report.title}](#{report.game}) | **{report.mark}** | {_in_short(report)} |\n"
        for report in reports
    )
    return head + summary + _DO + "".join("".join(_report(report)) for report in reports)


def _in_short(report: HouseReport) -> str:
    if not report.wagers:
        return report.findings[-1]
    if all(not one.cuts for one in report.wagers):
        return report.findings[0]
    worst = max(report.wagers, key=lambda one: one.own.at_maximum_cents)
    free = max(report.wagers, key=lambda one: one.own.without_maximum_cents)
    return (
        f"{worst.title} is worth most to a watcher: {dollars(worst.own.at_maximum_cents)} in 100 rounds with "
        f"{chips(worst.largest_stake_cents)} staked. With $10,000 at a table without a maximum, "
        f"{free.title}: {dollars(free.own.without_maximum_cents)}."
    )


def _report(report: HouseReport) -> Iterator[str]:
    yield f"\n## {report.title}\n\nMark: **{report.mark}**. How: {report.method}.\n"
    if report.wagers:
        yield "\n| wager | mark | largest stake | won in 100 rounds | with $10,000, any stake |"
        yield " safe up to |\n"
        yield "|---|---|--:|--:|--:|--:|\n"
        for one in report.wagers:
            safe = "any stake" if one.safe_stake_cents is None else chips(one.safe_stake_cents)
            yield (
                f"| {one.title} | {one.mark} | {chips(one.largest_stake_cents)} | "
                f"{dollars(one.own.at_maximum_cents)} ({dollars(one.own.at_maximum_error)}) | "
                f"{dollars(one.own.without_maximum_cents)} ({one.mark_without_maximum}) | {safe} |\n"
            )
    yield from _by_cut(report.wagers)
    yield from _measures(report.wagers)
    yield "\n" + "".join(f"- {finding}\n" for finding in report.findings)


def _by_cut(wagers: Sequence[WagerReport]) -> Iterator[str]:
    if not any(one.cuts for one in wagers):
        return
    yield "\nWon in 100 rounds with the largest stake, and the share of rounds that pay, by "
    yield "the decks cut off:\n\n"
    yield "| wager |" + "".join(f" {cut.decks:g} |" for cut in wagers[0].cuts) + "\n"
    yield "|---|" + "--:|" * len(wagers[0].cuts) + "\n"
    for one in wagers:
        cells = (
            f" {dollars(cut.at_maximum_cents)} ({dollars(cut.at_maximum_error)}), {percent(cut.share, 1)} |"
            for cut in one.cuts
        )
        yield f"| {one.title} |{''.join(cells)}\n"


def _measures(wagers: Sequence[WagerReport]) -> Iterator[str]:
    shown = [one for one in wagers if one.countermeasures and one.own.at_maximum_cents > 1]
    if not shown:
        return
    yield "\nWhat each countermeasure leaves of it:\n\n"
    yield "| wager | won in 100 rounds | half a deck more cut off | half the largest stake |"
    yield " no entry in mid-shoe | shuffle after a raise |\n|---|--:|--:|--:|--:|--:|\n"
    for one in shown:
        base = one.own.at_maximum_cents
        cells = (
            f" {dollars(measure.left_cents)} ({_less(1 - measure.left_cents / base)}) |"
            for measure in one.countermeasures
        )
        yield f"| {one.title} | {dollars(base)} |{''.join(cells)}\n"


def _less(share: float) -> str:
    """How much is taken away."""
    return f"{round_percent(-round(share, 2))}".replace("-", "−") if share >= _LEAST_SHOWN else "the same"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--shoes", type=int, default=300)
    parser.add_argument("--solved", type=int, default=80)
    given = parser.parse_args()
    dealt = {"shoes": given.shoes, "solved": given.solved}
    reports = [
        game.follow("house_report")(
            load_rules(game.id, OTHERS.get(game.id, {})), seed=1, **(dealt if game.kind == "cards" else {})
        )
        for game in GAMES.values()
    ]
    PAGE.write_text(page(reports), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
