"""What the shoes of a house report say of the bets, in sentences with their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.exact.sidebets import progressive_figures
from cardroom.presentation import wager_title
from cardroom.presentation.money import chips, dollars
from cardroom.presentation.numbers import percent
from cardroom.protect.effects import INSURANCE
from cardroom.protect.paths import Paths
from cardroom.protect.worth import Worth, break_even_meters, super_bonus_worth
from cardroom.rules.twentyone.cuts import dealer_cut_range
from cardroom.sim.twentyone.insurance import insurance_nets

_BEST_SHARE: Final = 0.01
Rounds = NDArray[np.bool_]


def findings(paths: Paths, worths: Mapping[str, Worth]) -> Iterator[str]:
    """Of one game, at the deepest cut that its rules allow."""
    rules = paths.rules
    rounds = paths.before(dealer_cut_range(rules).least)
    for wager, worth in worths.items():
        if wager in rules.offered_side_bets:
            yield _side(paths, wager, worth, rounds)
            if rules.side_bets[wager].progressive_line is not None:
                yield _meter(paths, wager, rounds)
    if INSURANCE in worths:
        yield _insurance(paths, worths[INSURANCE], rounds)
    if rules.super_bonus.offered:
        yield _super_bonus(paths, rounds)


def _side(paths: Paths, wager: str, worth: Worth, rounds: Rounds) -> str:
    value = worth.value[rounds]
    title = wager_title(wager, paths.rules)
    alike = ""
    bet = paths.rules.side_bets[wager]
    from cardroom.protect.effects import effects_of

    if bet.any_suits and len(set(effects_of(paths.rules, wager).by_card.values())) == 1:
        alike = " It pays every rank alike, so that no count of cards follows it, only the whole shoe would."
    good = int((value > 0).sum())
    if not good:
        return (
            f"{title}: in none of {len(value):,} rounds was it worth more than nothing before the deal; "
            f"the best stood at {percent(float(value.max()), 2)}.{alike}"
        )
    return (
        f"{title}: worth more than nothing in {good:,} of {len(value):,} rounds "
        f"({percent(good / len(value), 2)}), then {percent(float(value[value > 0].mean()), 2, plus=True)} on "
        f"average and {percent(float(value.max()), 2, plus=True)} at the best.{alike}"
    )


def _meter(paths: Paths, wager: str, rounds: Rounds) -> str:
    fair = progressive_figures(paths.rules, wager).break_even_meter_cents
    meters = np.sort(break_even_meters(paths, wager)[rounds])
    best = float(meters[int(_BEST_SHARE * len(meters))])
    lowest = float(meters[0])
    at_best = f"at {dollars(lowest)}" if lowest > 0 else "whatever the meter shows"
    return (
        f"{wager_title(wager, paths.rules)} and its meter: from a full shoe the wager turns at a meter of "
        f"{dollars(float(fair))}. No count of ranks or suits moves it; in the best of 100 rounds it turns at "
        f"{dollars(best)}, in the best round of all that were dealt {at_best}."
    )


def _insurance(paths: Paths, worth: Worth, rounds: Rounds) -> str:
    rules = paths.rules
    wagers = rounds & (worth.variance > 0)
    value = worth.value[wagers]
    shoe = rules.shoe()
    under = [card for card in CARDS if card.value == 10 and shoe[card]]
    tens = sum(shoe[card] for card in under) / shoe.total
    # What a ten-valued card under an ace wins on average, all suits as many as in a full shoe.
    won_by_ten = float(
        sum((net[card.index] for net in insurance_nets(rules) for card in under), Fraction(0))
        / 4
        / len(under)
    )
    paid = value > 0
    won = float(value[paid].mean()) if paid.any() else 0.0
    turns = (
        f"turns where more than {percent(1 / (1 + won_by_ten), 1)} of the cards that are not seen "
        "are worth ten"
        if won_by_ten > 0
        else "loses on average even where a ten-valued card lies under the ace"
    )
    start = f"Insurance {turns}; in a full shoe {percent(tens, 1)} are. With an ace up it paid in "
    if not paid.any():
        return f"{start}none of {len(value):,} rounds."
    return (
        f"{start}{percent(float(paid.mean()), 1)} of the rounds, then {percent(won, 1, plus=True)} of the "
        "insurance."
    )


def _super_bonus(paths: Paths, rounds: Rounds) -> str:
    rules = paths.rules
    bonus = rules.super_bonus
    cents = int(bonus.large_from)
    worth = super_bonus_worth(paths, cents)[rounds]
    chance = worth * cents / int(bonus.large_pays)
    others = rules.procedure.spots - 1
    envy = chance * others * int(bonus.envy) / cents
    return (
        f"Super Bonus: on a wager of {chips(cents)} it adds {percent(float(worth[0]), 4)} from a full shoe, "
        f"and {percent(float(worth.max()), 3)} in the best round that was dealt. With "
        f"{rules.procedure.spots} spots taken by {rules.procedure.spots} players, envy adds "
        f"{percent(float(envy[0]), 4)} for each of them from a full shoe, and "
        f"{percent(float(envy.max()), 3)} at the best."
    )
