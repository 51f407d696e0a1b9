"""The PAR sheet of Blackjack, Spanish 21 and Player's Edge 21."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from cardroom.core.cards import Rank
from cardroom.exact.sidebets import not_figured, progressive_figures, side_bet_figures
from cardroom.exact.twentyone import Solution, effect_of_removal, sensitivity, solve
from cardroom.exact.twentyone.studies import with_option
from cardroom.lab import plots
from cardroom.lab.correlation import correlations
from cardroom.lab.findings import family_findings
from cardroom.lab.par.protection import exposure_tables, protection_tables
from cardroom.lab.par.sheet import ParSheet, Plot, Table, Variation, Verification, Verified, WagerSheet
from cardroom.lab.par.sizes import size_fact, size_plots, size_tables
from cardroom.lab.par.twentyone_tables import award_table, finals_table, shoe_tables, total_table
from cardroom.lab.progress import Steps
from cardroom.lab.sessions import many_sessions, sessions
from cardroom.lab.simple_strategies import mimic_the_dealer, never_bust
from cardroom.lab.sizes_twentyone import twentyone_by_size
from cardroom.lab.strategies import chart_of
from cardroom.lab.twentyone import beside_figures, plays_for_super_bonus
from cardroom.model.twentyone.strategy import Strategy
from cardroom.presentation import wager_title
from cardroom.presentation.felt import insurance_pays
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import bound, counted, one_in, percent, signed
from cardroom.presentation.wagers import SUPER_BONUS_PLAYER
from cardroom.rules.bets import SideBet
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.sizes import smallest_side_cents
from cardroom.sim.twentyone.sides import not_simulated, without_bets

_METHOD: Final = (
    "Exact: all that a hand can be is enumerated, by composition; the dealer's chances are exact for the "
    "cards that are left; the value of a split counts the cards that go to the other hands, resplits "
    "included. Double precision, to about twelve digits. The same solver run in fractions agrees with "
    "complete enumeration by the game's engine on small shoes, digit for digit. Basic strategy is the best "
    "of all charts of its kind, by branch and bound: all were bounded by what hands are worth that choose "
    "for themselves."
)
_SIDE_METHOD: Final = " Side bets are counted in fractions."
_DEALER_METHOD: Final = (
    " How bets on the dealer's whole hand, the player's or the third card go with other side bets is not "
    "figured; with the primary wager it is simulated."
)
_DISTRIBUTION_ERRORS: Final = ((6, 1e-13), (4, 1e-12), (2, 1e-11), (1, 1e-9))
"""By the least number of decks: the most that `exact/twentyone/joint.py` moves a probability by."""
_SIZES, _DISTRIBUTION, _VARIATIONS, _VERIFICATION, _TABLES = 3.0, 2.0, 6.0, 2.0, 6.0
_STEPS: Final = 1.0 + _SIZES + _DISTRIBUTION + _VARIATIONS + _VERIFICATION + _TABLES
"""How long the steps of a sheet take, beside that of the basic strategy."""
CORRELATION_ROUNDS: Final = 10**6
_NOTHING: Final = 1e-12
"""In wagers: values no further apart are equal but for rounding."""


def twentyone_sheet(
    rules: TwentyOneRules,
    *,
    rounds: int,
    seed: int,
    wager_cents: int | None = None,
    side_cents: int | None = None,
) -> ParSheet:
    """All figures of a game of the family under these rules, its primary wager by basic strategy."""
    steps = Steps(_STEPS)
    steps.begin("the edge by the size of the wager", _SIZES)
    sizes = twentyone_by_size(rules, "basic", wager_cents=wager_cents, side_cents=side_cents, with_curve=True)
    wager = sizes.wager_cents
    side = side_cents or smallest_side_cents(rules)
    steps.begin("the basic strategy")
    basic = solve(rules, "basic", wager_cents=wager)
    best = solve(rules, "composition", wager_cents=wager)
    steps.begin("the distribution of results", _DISTRIBUTION)
    wagers = tuple(_wagers(rules, basic, wager, side))
    titles = {sheet.wager: sheet.title for sheet in wagers}
    held = sessions(basic.distribution)
    steps.begin("what each rule is worth", _VARIATIONS)
    variations = tuple(_variations(rules, wager))
    steps.begin("the simulation that verifies the figures", _VERIFICATION)
    verification = _verification(
        rules, basic, wagers, rounds=rounds, seed=seed, wager_cents=wager, side_cents=side
    )
    steps.begin("tables and findings", _TABLES)
    nets = [float(net) for net, _ in basic.distribution]
    chances = [chance for _, chance in basic.distribution]
    return ParSheet(
        rules=rules,
        summary=(
            f"{rules.title} from a fresh shoe, one player, played by the basic strategy below: the best that "
            + (
                "looks at the total, the up card and, where bonuses make it matter, the number of cards and "
                "the bonus in view."
                if rules.bonus_21.rates
                else "looks at the total and the up card."
            )
        ),
        facts=(*_facts(rules), size_fact(sizes)),
        wagers=wagers,
        session_wager="the primary wager in every round",
        sessions=held,
        verification=verification,
        strategy=chart_of(basic),
        edges_by_strategy=tuple(_edges(rules, basic, best, wager)),
        sensitivity_wager="the primary wager, by the best strategy for each composition,",
        sensitivity=variations,
        correlations=correlations(
            basic,
            basic.standard_deviation,
            rounds=min(rounds, CORRELATION_ROUNDS),
            seed=seed,
            wager_cents=wager,
            side_cents=side,
        ),
        progressives=tuple(_progressives(rules)),
        wager_tables=tuple(_wager_tables(rules, basic, wager)),
        tables=(
            *size_tables(sizes, titles),
            *_tables(rules, basic, wager),
            *shoe_tables(basic, rounds=rounds, seed=seed, wager_cents=wager),
            *protection_tables(rules),
            *exposure_tables(rules, rounds=rounds, seed=seed),
        ),
        findings=tuple(family_findings(rules, wager)),
        plots=(
            *size_plots(sizes, titles),
            Plot(
                "distribution",
                "The result of a round on the primary wager, in initial wagers, on a scale of powers of ten.",
                lambda: plots.result_bars(nets, chances),
            ),
            Plot(
                "sessions",
                "The house's hold on the primary wager.",
                lambda: plots.session_bands(many_sessions(basic.distribution)),
            ),
            Plot(
                "sensitivity",
                "Change of the house edge with one rule changed, in percent of the initial wager.",
                lambda: plots.change_bars(
                    [(each.rule, 100 * each.change) for each in variations],
                    across="change of the house edge, %",
                ),
            ),
        ),
        data={
            "size": sizes.to_json(),
            "by_first_two": [
                {"cards": part.name, "probability": part.chance, "expected_value": part.expected_value}
                for part in basic.by_first_two
            ],
        },
    )


def _facts(rules: TwentyOneRules) -> Iterator[tuple[str, str]]:
    shoe, limits = rules.shoe(), rules.limits
    cards = f"{shoe.total} cards" if rules.decks != "infinite" else "every card from a full deck"
    decks = f"{rules.decks} deck{'' if rules.decks == 1 else 's'}"
    yield "Cards", f"{decks}, {'Spanish, without tens' if rules.deck == 'spanish' else 'standard'}; {cards}"
    procedure = rules.procedure
    parts = [counted(procedure.spots, "spot")]
    equipment = ["a device to look at the hole card (PROC-16)"] if rules.hole_card == "dealt" else []
    if rules.decks != "infinite":  # from which every card is drawn anew: there is no shoe
        equipment = ["shoe", "cut card", "discard rack", *equipment]
        least, most = procedure.dealer_cut_min_decks, procedure.dealer_cut_max_decks
        parts += [f"{counted(procedure.burn_cards, 'card')} burned", f"{least:g} to {most:g} decks cut off"]
    if equipment:
        yield "Equipment", ", ".join(equipment)
    yield "Procedure", "; ".join(parts)
    allowed = f"{limits.min} to {limits.max}" if limits.min < limits.max else f"{limits.min} only"
    yield "Primary wager", f"{allowed}, in chips of {limits.chip}"
    sides = [rules.side_bets[wager].title for wager in rules.offered_side_bets]
    yield "Side wagers", f"{', '.join(sides) or 'none'}; {limits.side_min} to {limits.side_max}"
    for wager, words in not_figured(rules).items():
        title = rules.side_bets[wager].title
        yield title, words.removeprefix(f"{title}: ")
    for wager, words in not_simulated(rules).items():
        yield rules.side_bets[wager].title, words
    yield "Insurance", _insurance_words(rules)
    if rules.super_bonus.offered:
        bonus = rules.super_bonus
        sums = f"{bonus.small_pays}, or {bonus.large_pays} on wagers from {bonus.large_from}"
        yield "Super Bonus", f"{bonus.said}: {sums}; envy {bonus.envy}"


def _insurance_words(rules: TwentyOneRules) -> str:
    insurance = rules.insurance
    if not insurance.offered:
        return "not offered"
    pays = ", ".join(f"{odds} {name}".rstrip() for name, odds in insurance_pays(rules))
    return f"up to half the wager, pays {pays}"


def distribution_error(rules: TwentyOneRules) -> float:
    """The most by which a probability of the primary wager's distribution may be off."""
    decks = math.inf if rules.decks == "infinite" else rules.decks
    return next(error for least, error in _DISTRIBUTION_ERRORS if decks >= least)


def _wagers(
    rules: TwentyOneRules, basic: Solution, wager_cents: int, side_cents: int
) -> Iterator[WagerSheet]:
    error = distribution_error(rules)
    yield WagerSheet.of(
        basic.figures(),
        "Primary wager",
        total_wager=basic.average_final_wager,
        note=(
            "The distribution is exact, with the hands of a split taken together; no probability is off by "
            f"more than {bound(error)}."
        ),
        probability_error=error,
    )
    notes = {
        "insurance": "Given an ace up and nothing else known.",
        "super-bonus": (
            f"For each unit of a wager of {dollars(wager_cents)}, {SUPER_BONUS_PLAYER}; it "
            "costs nothing. The envy of other players is left out here."
        ),
    }
    for figures in beside_figures(rules, wager_cents=wager_cents, side_cents=side_cents):
        bet = rules.side_bets.get(figures.wager)
        note = notes.get(figures.wager, "")
        if bet is not None and bet.progressive_line:
            note = "With the meter at its seed."
        sheet = WagerSheet.of(figures, wager_title(figures.wager, rules), note=note)
        yield replace(sheet, is_part=figures.wager == "super-bonus")


def _edges(
    rules: TwentyOneRules, basic: Solution, best: Solution, wager_cents: int
) -> Iterator[tuple[str, float]]:
    def by_chart(strategy: Strategy) -> float:
        return -solve(rules, strategy, wager_cents=wager_cents).expected_value

    yield "composition: the best for each composition of the hand", -best.expected_value
    yield "basic: the chart below", -basic.expected_value
    yield "mimic the dealer, no doubles, no splits", by_chart(mimic_the_dealer(rules))
    yield "never bust, no doubles, no splits", by_chart(never_bust(rules))


def _variations(rules: TwentyOneRules, wager_cents: int) -> Iterator[Variation]:
    for change in sensitivity(rules, wager_cents=wager_cents):
        if abs(change.difference) < _NOTHING:
            continue  # the option does nothing here
        sentences = {key: words for key, words, _ in with_option(rules, change.key, change.value).sentences()}
        value = str(change.value).lower() if isinstance(change.value, bool) else change.value
        yield Variation(
            f"{change.key} = {value}", sentences[change.key], -change.expected_value, -change.difference
        )


def _side_method(rules: TwentyOneRules) -> str:
    bets = [rules.side_bets[wager] for wager in rules.offered_side_bets]
    on_dealer = len(bets) > 1 and not all(bet.on_first_cards for bet in bets)
    return (_SIDE_METHOD if bets else "") + (_DEALER_METHOD if on_dealer else "")


def _progressives(rules: TwentyOneRules) -> Iterator[tuple[str, tuple[tuple[str, str], ...], dict[str, Any]]]:
    unknown = not_figured(rules)
    for wager in rules.offered_side_bets:
        bet = rules.side_bets[wager]
        if bet.meter_seed is None or wager in unknown:
            continue
        figures = side_bet_figures(rules, wager)
        at_seed = float(figures.expected_value)
        chance = Fraction(figures.outcomes[0].probability)
        meter = float(progressive_figures(rules, wager).break_even_meter_cents) if chance else None
        yield (
            bet.title,
            (
                ("Wager", dollars(bet.fixed_stake_cents)),
                ("Meter starts at", str(bet.meter_seed)),
                ("Added of every wager", f"{bet.meter_increment_percent} %"),
                ("House edge at reset", percent(-at_seed)),
                *_jackpot_facts(bet, at_seed, chance, meter),
            ),
            {
                "wager": wager,
                "meter_seed_cents": int(bet.meter_seed),
                "meter_increment_percent": bet.meter_increment_percent,
                "jackpot_probability": str(chance),
                "expected_value_at_seed": at_seed,
                "break_even_meter_cents": meter,
            },
        )


def _jackpot_facts(
    bet: SideBet, at_seed: float, chance: Fraction, meter: float | None
) -> Iterator[tuple[str, str]]:
    if meter is None:
        yield "Jackpot", "never: this shoe has too few cards that are alike"
        yield "Break-even meter", "none"
        return
    per_cycle = float(1 / chance) * bet.fixed_stake_cents * bet.meter_increment_percent / 100
    yield "Jackpot", f"1 in {one_in(chance)} wagers"
    yield "Break-even meter", dollars(meter)
    yield "Edge over a cycle", percent(-at_seed - bet.meter_increment_percent / 100)
    yield "Paid above the seed", f"{dollars(per_cycle)} a jackpot on average"


def _wager_tables(rules: TwentyOneRules, basic: Solution, wager_cents: int) -> Iterator[Table]:
    yield award_table(basic)
    if rules.super_bonus.offered:
        yield total_table(basic, wager_cents)


def _tables(rules: TwentyOneRules, basic: Solution, wager_cents: int) -> Iterator[Table]:
    yield Table(
        "by_up_card",
        "By the dealer's up card",
        ("Up card", "Probability", "Expected value", "Share of the result"),
        tuple(
            (
                "10" if part.name == "T" else part.name,
                percent(part.chance, 3),
                signed(part.expected_value, 6),
                signed(part.chance * part.expected_value, 6),
            )
            for part in basic.by_up_card
        ),
        [
            {"up_card": part.name, "probability": part.chance, "expected_value": part.expected_value}
            for part in basic.by_up_card
        ],
        "Dealer's blackjacks included.",
    )
    yield finals_table(rules)
    if rules.decks == "infinite":
        return
    effects: dict[str, float] = {}
    for rank, effect in effect_of_removal(rules, basic.strategy, wager_cents).items():
        effects.setdefault("10" if rank >= Rank.TEN else rank.letter, effect)
    yield Table(
        "effect_of_removal_percent",
        "The effect of removing one card",
        tuple(effects),
        (tuple(signed(100 * effect, 4) for effect in effects.values()),),
        {rank: 100 * effect for rank, effect in effects.items()},
        (
            "Change of the player's expected value in percent when one card of the value is taken from the "
            "full shoe and the strategy is kept."
        ),
    )


def _verification(
    rules: TwentyOneRules,
    basic: Solution,
    wagers: Sequence[WagerSheet],
    *,
    rounds: int,
    seed: int,
    wager_cents: int,
    side_cents: int,
) -> Verification:
    from cardroom.sim.batches import threads
    from cardroom.sim.twentyone import simulate

    result = simulate(
        without_bets(rules, not_simulated(rules)),
        basic.strategy.action,
        rounds,
        seed=seed,
        strategy="basic",
        wager_cents=wager_cents,
        side_cents=side_cents,
        spread=threads(os.cpu_count() or 1),
    )
    exact = {wager.wager: wager for wager in wagers}
    method = [
        _METHOD + _side_method(rules),
        (
            "Simulated: every card of every round is dealt from a fresh shoe by a program of its own, "
            "which plays the same chart."
        ),
    ]
    if "super-bonus" in exact and not plays_for_super_bonus(basic):
        del exact["super-bonus"]
        method.append(
            "The Super Bonus is not compared: its exact figures are for a player who always plays for it, "
            "and the chart does not hit whatever may win it."
        )
    lines = []
    for each in result.estimates:
        if each.wager not in exact:
            continue
        wager = exact[each.wager]
        # The exact deviation: a sample in which a rare prize happened not to come would understate its own.
        error = wager.standard_deviation / each.rounds**0.5
        value, mean = float(wager.expected_value), float(each.mean)
        lines.append(Verified(f"Expected value: {wager.title}", value, mean, error))
    primary = result.estimate("primary")
    hits = basic.hit_frequency
    lines.append(
        Verified(
            "Hit frequency: Primary wager",
            hits,
            primary.hit_frequency,
            (hits * (1 - hits) / result.rounds) ** 0.5,
        )
    )
    return Verification(
        tuple(method),
        result.rounds,
        seed,
        tuple(lines),
    )
