"""Sums of many rounds: against the binomial law, against plain convolution, with a jackpot far out."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from cardroom.core.errors import MalformedInput
from cardroom.lab.sessions import BEYOND, many_sessions, sessions, sum_of_rounds

HALF = [(Fraction(-1), Fraction(7, 20)), (Fraction(1, 2), Fraction(13, 20))]


@pytest.mark.parametrize("rounds", [1, 2, 7, 1000, 30_000])
def test_two_outcomes_are_a_binomial_law(rounds: int) -> None:
    session = sum_of_rounds(HALF, rounds)
    for quantile in (0.001, 0.05, 0.5, 0.95, 0.999):
        cumulative, wins = 0.0, -1
        while cumulative < quantile:
            wins += 1
            logarithm = (
                math.lgamma(rounds + 1)
                - math.lgamma(wins + 1)
                - math.lgamma(rounds - wins + 1)
                + wins * math.log(0.65)
                + (rounds - wins) * math.log(0.35)
            )
            cumulative += math.exp(logarithm)
        assert session.quantile(quantile) == wins * Fraction(3, 2) - rounds
    assert session.mean == rounds * Fraction(-1, 40)
    assert session.standard_deviation == pytest.approx(1.5 * math.sqrt(0.65 * 0.35 * rounds))


def test_several_outcomes_are_a_plain_convolution() -> None:
    law = [
        (Fraction(-2), 0.1),
        (Fraction(-1), 0.4),
        (Fraction(0), 0.1),
        (Fraction(1), 0.3),
        (Fraction(9), 0.1),
    ]
    one = np.zeros(12)
    for net, chance in law:
        one[int(net) + 2] = chance
    plain = np.array([1.0])
    for _ in range(40):
        plain = np.convolve(plain, one)
    session = sum_of_rounds(law, 40)
    results = session.lowest + np.arange(len(session.probabilities))
    for place, chance in enumerate(plain):
        found = session.probabilities[results == place - 80]
        assert len(found) == 1 or chance < BEYOND  # beyond the ring there is next to nothing
        assert found.sum() == pytest.approx(chance, abs=1e-12)
    assert session.house_behind == pytest.approx(plain[81:].sum(), abs=1e-12)


def test_a_jackpot_far_out_is_not_folded_back() -> None:
    law = [(Fraction(-1), 1 - 1e-5), (Fraction(20_000), 1e-5)]
    session = sum_of_rounds(law, 1000)
    none = (1 - 1e-5) ** 1000
    assert session.quantile(none - 1e-9) == -1000
    assert session.quantile(none + 1e-9) == -1000 + 20_001
    assert session.house_behind == pytest.approx(1 - none, abs=1e-11)


def test_bands_hold_what_they_say() -> None:
    for session in sessions(HALF, (10**3, 10**5, 10**7)):
        low, high = session.hold_band(0.9)
        assert low < session.hold < high
        results = (session.lowest + np.arange(len(session.probabilities))) * float(session.step)
        inside = (results <= -low * session.rounds + 1e-6) & (results >= -high * session.rounds - 1e-6)
        assert 0.9 <= session.probabilities[inside].sum() < 0.9 + 0.06
        assert session.error < BEYOND + 1e-8
        assert session.loss_quantile(0.5) == pytest.approx(float(-session.mean), abs=2)


def test_what_rounding_left_of_the_whole_does_not_grow() -> None:
    law = [(Fraction(-1), 0.5 - 1e-12), (Fraction(1), 0.5)]
    assert sum_of_rounds(law, 10**7).error < 1e-8


def test_a_pay_beyond_all_bounds_is_refused() -> None:
    law = [(Fraction(-1), 0.999), (Fraction(10**9), 0.001)]
    with pytest.raises(MalformedInput, match="the largest pay is too large"):
        sum_of_rounds(law, 1000)


def test_the_curve_goes_through_the_sessions_of_the_sheet() -> None:
    law = [(Fraction(-1), 0.6), (Fraction(1), 0.4)]
    curve, sheet = many_sessions(law), sessions(law)
    assert len(curve) > 30
    by_length = {session.rounds: session for session in curve}
    for session in sheet:
        assert by_length[session.rounds].hold_band(0.9) == session.hold_band(0.9)
