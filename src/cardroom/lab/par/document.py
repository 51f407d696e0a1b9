"""A PAR sheet as a sequence of blocks, in the order in which a laboratory reads it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from cardroom import __version__
from cardroom.lab.par.blocks import Block, ChartBlock, Facts, Grid, Heading, Paragraph, Picture
from cardroom.lab.par.in_force import sentences_in_force
from cardroom.lab.par.sheet import Line, ParSheet, Table, WagerSheet
from cardroom.lab.sessions import BANDS, BEYOND, LOSS_LEVELS
from cardroom.presentation import line_title
from cardroom.presentation.changes import change_lines
from cardroom.presentation.numbers import (
    bound,
    chance,
    one_in,
    percent,
    power_of_ten,
    round_percent,
    short_fraction,
    signed,
    some_percent,
    true_minus,
)


def document(sheet: ParSheet) -> list[Block]:
    """All blocks of a sheet; headings are numbered."""
    blocks: list[Block] = []
    number = 0
    for block in _parts(sheet):
        if isinstance(block, Heading) and block.level == 1:
            number += 1
            block = Heading(f"{number}  {block.text}")
        blocks.append(block)
    return blocks


def title(sheet: ParSheet) -> str:
    return f"{sheet.rules.title}: PAR sheet"


def _parts(sheet: ParSheet) -> Iterator[Block]:
    yield from _identity(sheet)
    yield from _overview(sheet)
    yield Heading("Wagers and their outcomes")
    for wager in sheet.wagers:
        yield from _wager(wager)
    yield from (Picture(plot) for plot in sheet.plots if plot.key == "distribution")
    for table in sheet.wager_tables:
        yield from _table(sheet, table)
    if sheet.strategy is not None:
        yield Heading("Strategy")
        yield from _edges(sheet)
        yield ChartBlock(sheet.strategy)
    if sheet.sensitivity:
        yield from _sensitivity(sheet)
    if sheet.progressives:
        yield Heading("Progressive meters")
        for name, facts, _ in sheet.progressives:
            yield Heading(name, 2)
            yield Facts(facts)
    if sheet.correlations:
        yield from _correlations(sheet)
    yield from _sessions(sheet)
    for table in sheet.tables:
        yield from _table(sheet, table)
    if sheet.findings:
        yield Heading("Findings")
        yield from (Paragraph(true_minus(finding)) for finding in sheet.findings)
    yield from _verification(sheet)
    yield from _rules(sheet)


def _table(sheet: ParSheet, table: Table) -> Iterator[Block]:
    yield Heading(table.title)
    if table.note:  # before the table: after one at the foot of a page it would stand alone
        yield Paragraph(table.note)
    yield Grid(table.columns, table.rows, table.text_columns, has_total=table.has_total)
    yield from (Picture(plot) for plot in sheet.plots if plot.key == table.key)


def _identity(sheet: ParSheet) -> Iterator[Block]:
    rules = sheet.rules
    yield Paragraph(sheet.summary)
    yield Heading("Identity")
    words = "; ".join(change_lines(rules))
    yield Facts(
        (
            ("Game", f"{rules.title} ({rules.game})"),
            ("House rules, SHA-256", rules.rules_hash),
            ("Changed options", words or "none: the game's own rules"),
            ("Computed by", f"cardroom {__version__}"),
        )
    )
    yield Heading("Equipment, wagers and limits")
    yield Facts(sheet.facts)


def _overview(sheet: ParSheet) -> Iterator[Block]:
    adds = any(wager.total_wager != 1 for wager in sheet.wagers)
    yield Heading("All wagers at a glance")
    yield Paragraph(
        "House edge and RTP, the return to the player: of the initial wager"
        + (", and the edge of all that is wagered, with what is added in the round" if adds else "")
        + ". Hit frequency: the chance to win anything. Volatility: 1.645 standard deviations, within which "
        "90 % of single results of a normal law would lie."
    )
    rows = [
        (
            wager.title,
            "" if wager.house_edge is None else percent(wager.house_edge),
            percent(wager.return_to_player),
            "" if wager.element_of_risk is None else percent(wager.element_of_risk),
            some_percent(wager.hit_frequency, 3),
            signed(wager.standard_deviation, 4),
            signed(wager.volatility_index, 3),
            _largest_win(wager),
        )
        for wager in sheet.wagers
    ]
    columns = (
        "Wager",
        "House edge",
        "RTP",
        "Edge of all wagered",
        "Hit frequency",
        "Std deviation",
        "Volatility",
        "Largest win",
    )
    shown = [at for at in range(len(columns)) if adds or at != _OF_ALL_WAGERED]
    yield Grid(tuple(columns[at] for at in shown), tuple(tuple(row[at] for at in shown) for row in rows))


_OF_ALL_WAGERED: Final = 3


def _largest_win(wager: WagerSheet) -> str:
    line = wager.largest
    return (
        f"{line.pays} · 1 in {one_in(line.probability, wager.probability_error)}" if line.net > 0 else "none"
    )


def _wager(wager: WagerSheet) -> Iterator[Block]:
    yield Heading(wager.title, 2)
    lines, others = _most_likely(wager.lines)
    error = wager.probability_error
    rows: list[tuple[str, ...]] = [
        (
            line_title(line.outcome),
            true_minus(line.pays),
            chance(line.probability, error),
            short_fraction(line.probability),
            one_in(line.probability, error),
            signed(float(line.returns), 9),
            percent(float(line.returns) + float(line.probability)),
        )
        for line in lines
    ]
    if others:
        rows.append(_together(others, error))
    whole = sum(float(line.probability) for line in wager.lines)
    exact = wager.expected_value
    returned = percent(wager.return_to_player)
    rows.append(("Total", "", f"{whole:.9f}", "", "", signed(float(exact), 9), returned))
    columns = ("Outcome", "Pays", "Probability", "as a fraction", "1 in", "Return", "RTP")
    # What comes back of a stake is plain where nothing is added to it in the round.
    has_rtp = not wager.is_part and min(line.net for line in wager.lines) >= -1
    left_out = {3} if not any(row[3] for row in rows) else set()
    left_out |= set() if has_rtp else {6}
    shown = [at for at in range(len(columns)) if at not in left_out]
    yield Grid(
        tuple(columns[at] for at in shown),
        tuple(tuple(row[at] for at in shown) for row in rows),
        text_columns=frozenset({0, 1}),
        has_total=True,
    )
    value = f"{short_fraction(exact)} = " if short_fraction(exact) else ""
    how = f"{wager.method}, strategy {wager.strategy}" if wager.strategy else wager.method
    mean = "Returns on average" if wager.is_part else "Expected value"
    staked = f", average total wager {signed(wager.total_wager, 6)}" if wager.total_wager != 1 else ""
    yield Paragraph(
        f"{mean} {value}{signed(float(exact), 9)} ({how}). Variance {signed(wager.variance, 6)}, skewness "
        f"{signed(wager.skewness, 4)}{staked}." + (f" {wager.note}" if wager.note else "") + _rarer_win(wager)
    )


def _rarer_win(wager: WagerSheet) -> str:
    line = wager.rarer_win
    if line is None:
        return ""
    seldom = power_of_ten(math.floor(-math.log10(wager.probability_error)))
    return f" The largest win, {line.pays}, comes less often than 1 in {seldom}."


_MOST_LINES: Final = 36
"""Lines of a wager's outcomes on paper; the rest of a longer table is one line. Programs get them all."""


def _most_likely(lines: tuple[Line, ...]) -> tuple[list[Line], list[Line]]:
    if len(lines) <= _MOST_LINES:
        return list(lines), []
    likely = sorted(lines, key=lambda line: -float(line.probability))[:_MOST_LINES]
    return [line for line in lines if line in likely], [line for line in lines if line not in likely]


def _together(lines: list[Line], error: float) -> tuple[str, ...]:
    whole = sum(float(line.probability) for line in lines)
    returned = sum(float(line.returns) for line in lines)
    least, most = min(line.net for line in lines), max(line.net for line in lines)
    pays = true_minus(f"{float(least):g} … {float(most):g}")
    rtp = percent(returned + whole)
    return (
        f"{len(lines)} others",
        pays,
        chance(whole, error),
        "",
        one_in(whole, error),
        signed(returned, 9),
        rtp,
    )


def _edges(sheet: ParSheet) -> Iterator[Block]:
    if not sheet.edges_by_strategy:
        return
    best = min(edge for _, edge in sheet.edges_by_strategy)
    yield Grid(
        ("Strategy", "House edge", "Cost against the best"),
        tuple((name, percent(edge, 6), percent(edge - best, 6)) for name, edge in sheet.edges_by_strategy),
    )


def _sensitivity(sheet: ParSheet) -> Iterator[Block]:
    yield Heading("What each rule is worth")
    yield Paragraph(
        f"The house edge of {sheet.sensitivity_wager} with one rule changed"
        + (", each under its own best strategy" if sheet.strategy is not None else "")
        + "; above zero is dearer for the player."
    )
    yield Grid(
        ("Rule", "In words", "House edge", "Change"),
        tuple(
            (
                variation.rule,
                variation.words,
                percent(variation.edge),
                percent(variation.change, plus=True),
            )
            for variation in sheet.sensitivity
        ),
        text_columns=frozenset({0, 1}),
        wide=frozenset({1}),
    )
    yield from (Picture(plot) for plot in sheet.plots if plot.key == "sensitivity")


def _correlations(sheet: ParSheet) -> Iterator[Block]:
    yield Heading("Correlation of wagers of the same round")
    titles = {wager.wager: wager.title for wager in sheet.wagers}
    yield Grid(
        ("Wager", "and", "Correlation", "How"),
        tuple(
            (
                titles.get(each.one, each.one),
                titles.get(each.other, each.other),
                signed(each.value, 6 if each.standard_error is None else 4),
                each.method
                if each.standard_error is None
                else f"{each.method}, ± {each.standard_error:.4f} (σ), seed {each.seed}",
            )
            for each in sheet.correlations
        ),
        text_columns=frozenset({0, 1, 3}),
    )


def _sessions(sheet: ParSheet) -> Iterator[Block]:
    yield Heading("Hold and losses over many rounds")
    yield Paragraph(
        f"A unit on {sheet.session_wager}. The law of the sum is exact, by Fourier transform: what is left "
        f"out (below {bound(BEYOND)}) and rounding, which grows with the rounds, move no probability by more "
        f"than {bound(max(session.error for session in sheet.sessions))}."
    )
    yield Grid(
        (
            "Rounds",
            "Hold",
            *(f"{round_percent(share)} band of hold" for share in BANDS),
            "Std deviation, units",
            "House behind",
        ),
        tuple(
            (
                f"{session.rounds:,}",
                percent(session.hold, 3),
                *(
                    f"{percent(session.hold_band(share)[0], 3)} … {percent(session.hold_band(share)[1], 3)}"
                    for share in BANDS
                ),
                signed(session.standard_deviation, 1),
                some_percent(session.house_behind, 3),
            )
            for session in sheet.sessions
        ),
    )
    yield Paragraph(
        "The player's loss, in units, that is not exceeded with the chance at the head of the column:"
    )
    yield Grid(
        ("Rounds", *(round_percent(share) for share in LOSS_LEVELS)),
        tuple(
            (
                f"{session.rounds:,}",
                *(_units(session.loss_quantile(share)) for share in LOSS_LEVELS),
            )
            for session in sheet.sessions
        ),
    )
    yield from (Picture(plot) for plot in sheet.plots if plot.key == "sessions")


def _units(loss: Fraction) -> str:
    return signed(float(loss), 0 if loss.denominator == 1 else 1)


def _verification(sheet: ParSheet) -> Iterator[Block]:
    yield Heading("Method and verification")
    check = sheet.verification
    yield from (Paragraph(words) for words in check.method)
    yield Paragraph(
        f"Simulated with {check.rounds:,} {check.of} from seed {check.seed}; the same seed gives the same "
        "figures on any machine."
    )
    yield Grid(
        ("Quantity", "Exact", "Simulated", "σ of the simulation", "Off by"),
        tuple(
            (
                line.quantity,
                signed(line.exact, 7),
                signed(line.simulated, 7),
                signed(line.standard_error, 7),
                f"{signed(line.sigmas, 2, plus=True)} σ",
            )
            for line in check.lines
        ),
    )


def _rules(sheet: ParSheet) -> Iterator[Block]:
    yield Heading("The house rules in force")
    yield Grid(
        ("Clause", "Rule", "Option"),
        tuple((clause, words, key) for key, words, clause in sentences_in_force(sheet.rules)),
        text_columns=frozenset({0, 1, 2}),
        wide=frozenset({1}),
    )
    longest = [
        (wager.title, str(line.probability))
        for wager in sheet.wagers
        for line in wager.lines
        if isinstance(line.probability, Fraction) and line.net > 0 and not short_fraction(line.probability)
    ]
    if longest:
        yield Heading("Exact probabilities")
        yield from (Paragraph(f"{name}: {fraction}") for name, fraction in longest)
