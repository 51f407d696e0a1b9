"""How the wagers of one round of the blackjack family go together.

Side bets among themselves: counted over all deals of four cards, in whole numbers. The primary wager with a
side bet on the player's cards and the up card: exact, too, from its expected value for each of these deals.
With a side bet that looks at the hole card: simulated.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.exact.twentyone import Solution
from cardroom.exact.twentyone.measure import WHOLE
from cardroom.lab.par.sheet import Correlation
from cardroom.model.twentyone.automaton import START
from cardroom.rules.bets import Machine, Role, SideBet
from cardroom.rules.twentyone import TwentyOneRules

Ints = NDArray[np.int64]
_ROLES: tuple[Role, ...] = ("player_1", "player_2", "dealer_up", "dealer_hole")


def correlations(
    solution: Solution,
    standard_deviation: float,
    *,
    rounds: int,
    seed: int,
    wager_cents: int | None = None,
    side_cents: int | None = None,
) -> tuple[Correlation, ...]:
    """All pairs of wagers, each with the way it was computed; `standard_deviation` is the primary wager's.

    `wager_cents` is the size that the solution is for; side bets are paid as on stakes of `side_cents`.
    """
    rules = solution.rules
    bets = rules.offered_side_bets
    if not bets:
        return ()
    deals = Deals(rules, side_cents)
    return (
        *_with_primary(
            solution, standard_deviation, deals, bets, rounds=rounds, seed=seed, wager_cents=wager_cents
        ),
        *_among(deals, bets),
    )


class Deals:
    """All deals of the player's first two cards, the up card and the hole card, with their ways."""

    def __init__(self, rules: TwentyOneRules, side_cents: int | None = None) -> None:
        self.rules = rules
        self.side_cents = side_cents
        shoe = rules.shoe()
        self.cards = [card for card in CARDS if shoe[card]]
        self.step = 0 if rules.decks == "infinite" else 1
        self.counts = np.array([shoe[card] for card in self.cards], np.int64)
        self.size = len(self.cards)
        self._lines: dict[Machine, NDArray[np.int8]] = {}

    def ways(self, roles: int) -> Ints:
        """[first, second, …]: in how many ways these cards are dealt to the first so many roles."""
        same = self.step * np.eye(self.size, dtype=np.int64)
        result = np.ones((self.size,) * roles, np.int64)
        for role in range(roles):
            left = self._along(self.counts, role, roles)
            for earlier in range(role):
                shape = [self.size if place in (role, earlier) else 1 for place in range(roles)]
                left = left - same.reshape(shape)
            result *= left
        return result

    def _along(self, values: Ints, role: int, roles: int) -> Ints:
        return values.reshape([self.size if place == role else 1 for place in range(roles)])

    def results(self, wager: str) -> tuple[Ints, int]:
        """[first, second, up, hole]: what a bet wins, times a number that makes it whole; that number."""
        bet = self.rules.side_bets[wager]
        pays = [
            Fraction(-1),
            *(self.rules.line_net(wager, line, stake_cents=self.side_cents) for line in bet.line_ids),
        ]
        scale = math.lcm(*(pay.denominator for pay in pays))
        if bet.machine not in self._lines:
            together = bet.any_order and bet.roles == _ROLES
            self._lines[bet.machine] = self._of_four(bet) if together else self._of(bet)
        return np.array([int(pay * scale) for pay in pays])[self._lines[bet.machine]], scale

    def _of(self, bet: SideBet) -> NDArray[np.int8]:
        """[first, second, up, hole]: the lines of a bet, one place wide where it does not look."""
        from cardroom.sim.twentyone.side_cards import lines_of_deals

        numbers = [card.index for card in self.cards]
        lines = lines_of_deals(bet.machine)[np.ix_(*[numbers] * len(bet.roles))].astype(np.int8)
        return lines.reshape([self.size if role in bet.roles else 1 for role in _ROLES])

    def _of_four(self, bet: SideBet) -> NDArray[np.int8]:
        """Where the order of four cards does not matter, each set of them is looked up."""
        from cardroom.sim.twentyone.sides import lines_of_four, place_of_four_in_order

        numbers = np.array([card.index for card in self.cards], np.int32)
        cards = np.sort(numbers[np.indices((self.size,) * 4, np.int8).reshape(4, -1)], axis=0)
        table = lines_of_four(bet.machine, any_suits=bet.any_suits)
        lines: NDArray[np.int8] = table[place_of_four_in_order(*cards)].astype(np.int8)
        return lines.reshape((self.size,) * 4)


def _among(deals: Deals, offered: Sequence[str]) -> Iterator[Correlation]:
    """Side bets among themselves, but for those on whole hands and the player's third card."""
    known = deals.rules.side_bets
    bets = [one for one in offered if known[one].on_first_cards]
    if len(bets) < 2:
        return
    four = any("dealer_hole" in deals.rules.side_bets[wager].roles for wager in bets)
    ways = deals.ways(4 if four else 3)
    whole = int(ways.sum())

    def mean(values: Ints) -> Fraction:
        return Fraction(int((ways * values.reshape(values.shape[: ways.ndim])).sum()), whole)

    results = {wager: deals.results(wager)[0] for wager in bets}
    means = {wager: mean(values) for wager, values in results.items()}
    variances = {wager: mean(values**2) - means[wager] ** 2 for wager, values in results.items()}
    for place, one in enumerate(bets):
        for other in bets[place + 1 :]:
            covariance = mean(results[one] * results[other]) - means[one] * means[other]
            spread = math.sqrt(variances[one] * variances[other])
            yield Correlation(one, other, float(covariance) / spread)


def _with_primary(
    solution: Solution,
    standard_deviation: float,
    deals: Deals,
    bets: Sequence[str],
    *,
    rounds: int,
    seed: int,
    wager_cents: int | None,
) -> Iterator[Correlation]:
    """`deals` are of the rules with the bets; the solution may be of the same rules without them."""
    rules = deals.rules
    on_three = [wager for wager in bets if _is_on_three(rules.side_bets[wager])]
    if on_three:
        yield from _exact_with_primary(solution, standard_deviation, deals, on_three)
    if len(on_three) < len(bets):
        from cardroom.sim.twentyone.joint import correlations as simulated
        from cardroom.sim.twentyone.sides import not_simulated, without_bets

        left_out = not_simulated(rules)
        if all(wager in on_three or wager in left_out for wager in bets):
            return
        estimates = simulated(
            without_bets(rules, left_out),
            solution.strategy.action,
            rounds,
            seed=seed,
            wager_cents=wager_cents,
            side_cents=deals.side_cents,
        )
        for each in estimates:
            if each.wager in bets and each.wager not in on_three:
                yield Correlation(
                    "primary", each.wager, each.correlation, "simulated", each.standard_error, seed
                )


def _is_on_three(bet: SideBet) -> bool:
    """Whether it looks at none but the player's first two cards and the up card."""
    return bet.on_first_cards and "dealer_hole" not in bet.roles


def left_out_with_primary(rules: TwentyOneRules) -> dict[str, str]:
    """The side bets of which no simulation says how they go with the primary wager, each with the reason."""
    from cardroom.sim.twentyone.sides import not_simulated

    known = rules.side_bets
    return {wager: words for wager, words in not_simulated(rules).items() if not _is_on_three(known[wager])}


def with_primary(
    solution: Solution,
    standard_deviation: float,
    rules: TwentyOneRules,
    bets: Sequence[str],
    *,
    rounds: int,
    seed: int = 1,
) -> tuple[Correlation, ...]:
    """How the primary wager goes together with side bets that its solution need not know."""
    deals = Deals(rules)
    correlations = _with_primary(
        solution, standard_deviation, deals, bets, rounds=rounds, seed=seed, wager_cents=None
    )
    return tuple(correlations)


def _exact_with_primary(
    solution: Solution, standard_deviation: float, deals: Deals, bets: Sequence[str]
) -> Iterator[Correlation]:
    """From the primary wager's expected value given the player's cards and the up card.

    Of the up card only the rank is known to the solver: where a bonus asks for suits, the up card's own suit
    changes the chance of the bonus by less than one card in the shoe does.
    """
    ways = deals.ways(3).astype(np.float64)
    ways /= ways.sum()
    primary = _primary(solution, deals)
    suits_matter = bool(solution.rules.bonus_21.rates)
    method = "exact, but for the up card's suit" if suits_matter else "exact"
    mean = float((ways * primary).sum())
    for wager in bets:
        whole, scale = deals.results(wager)
        side = whole[..., 0] / scale
        side_mean = float((ways * side).sum())
        side_variance = float((ways * side**2).sum()) - side_mean**2
        covariance = float((ways * side * (primary - mean)).sum())
        value = covariance / (standard_deviation * math.sqrt(side_variance))
        yield Correlation("primary", wager, value, method)


def _primary(solution: Solution, deals: Deals) -> NDArray[np.float64]:
    """[first, second, up]: the expected value of the primary wager, dealer's blackjacks included."""
    solver = solution.solver
    nodes, of_card = solver.nodes, solver.automaton.classes.of_card
    start = int(nodes.at[0, START])
    classes = [of_card[card.index] for card in deals.cards]
    pairs = np.array([[nodes.next[nodes.next[start, one], two] for two in classes] for one in classes])
    ranks = np.array([solver.shoe.rank_of(card) for card in deals.cards])
    blackjack_pay = solver.states.blackjack_pay[nodes.state[pairs]]
    result, chances = np.zeros((deals.size,) * 3), np.zeros((deals.size,) * 3)
    for up in solution.up_cards:
        left, total, step = up.draw.left[ranks], up.draw.total, up.draw.step
        second = left[None, :] - step * (ranks[:, None] == ranks[None, :])
        chance = left[:, None] / total * second / (total - step)
        looked = up.played.weights[nodes.composition[pairs], WHOLE]
        value = up.played.value[pairs] + blackjack_pay * (chance - looked)
        # With one card seen the whole value is by the up card; of two, each is the up card half of the time.
        share = up.chance if len(up.seen.ranks) > 1 else 1.0
        for rank in up.seen.ranks:
            result[:, :, ranks == rank] += share * value[:, :, None]
            chances[:, :, ranks == rank] += share * chance[:, :, None]
    with np.errstate(invalid="ignore"):
        return np.where(chances > 0, result / chances, 0.0)
