"""The PAR sheet of Knockout 21: a draw with a thousand tickets, and curves over their number."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import Final, get_args

import numpy as np

from cardroom.core.cards import RANK_LETTERS
from cardroom.core.money import format_cents
from cardroom.exact.knockout21.chain import winners
from cardroom.exact.knockout21.chances import chances
from cardroom.exact.knockout21.draw_figures import Picture, picture, prizes_by_winners
from cardroom.lab import plots
from cardroom.lab.few_tickets import few_tickets
from cardroom.lab.knockout21 import curve, findings
from cardroom.lab.par.sheet import (
    Correlation,
    Line,
    Moments,
    ParSheet,
    Plot,
    Table,
    Variation,
    Verification,
    Verified,
    WagerSheet,
)
from cardroom.lab.par.sizes import size_fact
from cardroom.lab.progress import Steps
from cardroom.lab.sessions import Law, many_sessions, sessions
from cardroom.lab.sizes_knockouts import knockout_21_by_size
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted, one_in, percent, round_percent, signed
from cardroom.rules.knockout21 import GAMES, Game, Game1Hit, Knockout21Rules
from cardroom.rules.knockout21.law import GAME_2_CHART, GAME_3_CHART

TICKETS: Final = 1000
"""How many tickets are in the draw that the sheet is about."""
_DRAWS: Final = (1, 10, 100, 1000, 10_000)
"""Sessions of 10³ … 10⁷ tickets."""
_BRACKETS: Final = (0, 10, 15, 20, 30, 50, 75, 100, 150, 250, 500, 1000, 10_000, math.inf)
"""Bounds of the prizes, in dollars, that share a line on paper."""

Prizes = dict[int, float]
"""Cents won by one ticket, with their chances."""


def knockout_21_sheet(
    rules: Knockout21Rules,
    *,
    rounds: int,
    seed: int,
    wager_cents: int | None = None,
    side_cents: int | None = None,
) -> ParSheet:
    """All figures of Knockout 21 under these rules, for a ticket of its one price."""
    del wager_cents, side_cents
    tickets = max(TICKETS, rules.draws.minimum_tickets)
    minutes = counted(rules.draws.interval_minutes, "minute")
    steps = Steps(3)
    steps.begin("the figures of every wager")
    whole = picture(rules, tickets=tickets)
    steps.begin("what each rule is worth")
    variations = tuple(_variations(rules, tickets, whole))
    steps.begin("the simulation that verifies the figures, and tables")
    law = _law_of_draw(whole)
    held = sessions(law, _DRAWS)
    points = curve(rules)
    by_game = {game: _prizes(rules, game, tickets) for game in GAMES}
    sizes = knockout_21_by_size(rules)
    return ParSheet(
        data={"size": sizes.to_json()},
        rules=rules,
        summary=(
            "A lottery on the dealer's hands of blackjack: a ticket holds fifteen starting hands for three "
            f"games, all tickets of a draw face the same cards. This sheet is about a draw with {tickets:,} "
            "tickets that follow the printed charts; how the figures move with the number of tickets is "
            "shown below."
        ),
        facts=(
            ("Cards", "every card drawn from a full deck of 52: a random generator, no shoe"),
            ("Price", f"{rules.sales.ticket_price} {rules.currency} a ticket and draw"),
            ("Draws", f"{rules.draws.first} to {rules.draws.last}, every {minutes}"),
            ("Prizes", _prize_words(rules)),
            ("A transaction", _transaction_words(rules)),
            ("Decisions", "hit or stand for each hand of Games 2 and 3, made when the ticket is bought"),
            size_fact(sizes),
        ),
        wagers=tuple(_wagers(rules, whole, by_game)),
        session_wager=f"draws with {tickets:,} tickets: a round is a draw, a unit is its sales",
        sessions=held,
        verification=_verification(rules, whole, draws=max(rounds // tickets, 100), seed=seed),
        sensitivity_wager=f"a ticket among {tickets:,}",
        sensitivity=variations,
        correlations=tuple(
            Correlation(f"Game {one}", f"Game {other}", 0.0, "exact: the games of a ticket share no card")
            for one, other in ((1, 2), (1, 3), (2, 3))
        ),
        tables=(
            _curve_table(points),
            _few_table(rules),
            _liability_table(whole),
            _game_2_chart(),
            _game_3_chart(),
        ),
        findings=tuple(findings(rules)),
        plots=(
            Plot(
                "sensitivity",
                f"Change of the house edge with {tickets:,} tickets, in percent of the price.",
                lambda: plots.change_bars(
                    [(each.rule, 100 * each.change) for each in variations],
                    across="change of the house edge, %",
                ),
            ),
            Plot(
                "sessions",
                (
                    "The house's hold over draws; all tickets of a draw face the same dealer, so it varies "
                    "widely."
                ),
                lambda: plots.session_bands(many_sessions(law, _DRAWS[0], _DRAWS[-1])),
            ),
            Plot(
                "curve",
                "Return to the player by the number of tickets in the draw.",
                lambda: plots.curves(
                    [each.tickets for each in points if each.tickets > 1],
                    [
                        (
                            "return to player",
                            [100 * each.return_to_player for each in points if each.tickets > 1],
                        )
                    ],
                    name="tickets in the draw",
                    up="return, % of the price",
                ),
            ),
        ),
    )


def _prize_words(rules: Knockout21Rules) -> str:
    two, three = rules.prizes.game_2, rules.prizes.game_3
    return (
        f"Game 1 {rules.prizes.game_1}; Game 2 {two.pool_percent} % of sales shared, {two.min} to {two.max} "
        f"each; Game 3 {three.pool_percent} % of sales shared, {three.min} to {three.max} each"
    )


def _transaction_words(rules: Knockout21Rules) -> str:
    sales = rules.sales
    return (
        f"at most {counted(sales.tickets_per_draw, 'ticket')} a draw, "
        f"{counted(sales.draws_per_transaction, 'draw')}, {counted(sales.advance_draws, 'draw')} in advance"
    )


def _prizes(rules: Knockout21Rules, game: Game, tickets: int) -> Prizes:
    """What one ticket wins in a game, with its chances."""
    chance_of = winners(rules, game, tickets).probabilities
    amounts = prizes_by_winners(rules, game, tickets)
    result: Prizes = {}
    for number, (chance, amount) in enumerate(zip(chance_of.tolist(), amounts.tolist(), strict=True)):
        won = chance * number / tickets
        if won:
            result[amount] = result.get(amount, 0.0) + won
    result[0] = 1 - math.fsum(result.values())
    return result


def _sum(one: Prizes, other: Prizes) -> Prizes:
    result: Prizes = {}
    for first, chance in one.items():
        for second, more in other.items():
            result[first + second] = result.get(first + second, 0.0) + chance * more
    return result


def _wagers(rules: Knockout21Rules, whole: Picture, by_game: dict[Game, Prizes]) -> Iterator[WagerSheet]:
    among_many = chances(rules)
    for game in GAMES:
        many = f"Among many tickets the game is won 1 in {one_in(among_many[f'game-{game}'])} times."
        picture_of = whole.games[game - 1]
        note = (
            f"{many} Winners of a draw {signed(picture_of.expected_winners, 2)} on average, Lucky Losers in "
            f"{percent(picture_of.lucky_losers, 3)} of draws."
        )
        yield _wager(rules, f"game-{game}", f"Game {game}", by_game[game], note, share=True)
    ticket = reduce(_sum, by_game.values())
    note = f"Return to the player {percent(whole.return_to_player)} of the price."
    yield _wager(rules, "any-prize", "Whole ticket", ticket, note, share=False)


def _wager(
    rules: Knockout21Rules, wager: str, title: str, prizes: Prizes, note: str, *, share: bool
) -> WagerSheet:
    """A ticket's prizes of one game are a part of what comes back; of the whole ticket the price is taken."""
    price = rules.ticket_price_cents
    cost = 0 if share else price
    nets = np.array([(amount - cost) / price for amount in prizes])
    weights = np.array(list(prizes.values()))
    mean = float(nets @ weights)
    variance = float(weights @ (nets - mean) ** 2)
    skewness = float(weights @ (nets - mean) ** 3) / variance**1.5
    return WagerSheet(
        wager,
        title,
        tuple(_bracketed(prizes, cost, price)),
        strategy="charts",
        note=note,
        moments=Moments(variance, skewness),
        is_part=share,
    )


def _bracketed(prizes: Prizes, cost: int, price: int) -> Iterator[Line]:
    """Prizes by ranges; the net of a line is that of its mean prize."""
    yield Line("no prize", str(-cost // price), Fraction(-cost, price), prizes[0])
    for low, high in pairwise(_BRACKETS):
        some = {amount: chance for amount, chance in prizes.items() if 100 * low < amount <= 100 * high}
        chance = math.fsum(some.values())
        if not chance:
            continue
        mean = math.fsum(amount * part for amount, part in some.items()) / chance
        least, most = dollars(min(some)), dollars(max(some))
        words = least if least == most else f"{least} to {most}"
        yield Line(words, f"{mean / price:.4g} for 1", (mean - cost) / price, chance)


def _law_of_draw(whole: Picture) -> Law:
    """What the players of a draw win, in parts of its sales, told apart in steps of a ticket's price."""
    liability, price = whole.liability, whole.price_cents
    amounts = np.arange(len(liability.probabilities)) * liability.step_cents
    steps, part = np.divmod(amounts, price)
    upper = part / price  # an amount between two steps is split over both, so that the mean stays what it is
    size = int(steps[-1]) + 2
    lower_part = np.bincount(steps, liability.probabilities * (1 - upper), size)
    law = lower_part + np.bincount(steps + 1, liability.probabilities * upper, size)
    law = law / law.sum()
    return [
        (Fraction(step * price - whole.sales_cents, whole.sales_cents), chance)
        for step, chance in enumerate(law.tolist())
        if chance > 0
    ]


def _variations(rules: Knockout21Rules, tickets: int, whole: Picture) -> Iterator[Variation]:
    from cardroom.rules.loader import load_rules_as

    tree = rules.flat()

    def varied(key: str, value: object, words: str) -> Variation:
        changed = load_rules_as(Knockout21Rules, rules.game, {**tree, key: value})
        edge = 1 - picture(changed, tickets=tickets).return_to_player
        return Variation(f"{key} = {value}", words, edge, edge - (1 - whole.return_to_player))

    for reading in get_args(Game1Hit):
        if reading != rules.game_1_hit:
            yield varied("game_1_hit", reading, "the other reading of Game 1")
    yield varied("prizes.game_1", format_cents(int(rules.prizes.game_1) + 100), "a dollar more for Game 1")
    for game in (2, 3):
        shared = rules.prizes.game_2 if game == 2 else rules.prizes.game_3
        for change in (-5, 5):
            value = shared.pool_percent + change
            if 0 <= value <= 100:
                yield varied(
                    f"prizes.game_{game}.pool_percent",
                    int(value) if value == int(value) else float(value),
                    f"a pool of {value} % for Game {game}",
                )
        yield varied(
            f"prizes.game_{game}.min",
            format_cents(int(shared.min) // 2),
            f"half the least share of Game {game}",
        )


def _verification(rules: Knockout21Rules, whole: Picture, *, draws: int, seed: int) -> Verification:
    from cardroom.sim.knockout21.settlement import simulate_winners

    won = simulate_winners(rules, whole.tickets, draws, seed=seed)
    paid = np.zeros(draws)
    lines = []
    for game in GAMES:
        counts = won[:, game - 1]
        paid += counts * prizes_by_winners(rules, game, whole.tickets)[counts]
        lines.append(
            _verified(f"Winners of Game {game} in a draw", whole.games[game - 1].expected_winners, counts)
        )
    lines.append(_verified("Return to the player", whole.return_to_player, paid / whole.sales_cents))
    return Verification(
        (
            (
                "A hand's chance is a fraction, summed over all cards of ticket, hit card and dealer. The "
                "number of winners of a game among N tickets is exact, too: given the common cards, tickets "
                "still in are independent, so hand by hand their number is a Markov chain, in which a hand "
                "that nobody wins keeps everybody in (Lucky Losers)."
            ),
            "The simulation deals every card of every ticket and of the dealer, and settles by the rules.",
        ),
        draws * whole.tickets,
        seed,
        tuple(lines),
        of="tickets",
    )


def _verified(quantity: str, exact: float, sample: Sequence[float] | np.ndarray) -> Verified:
    values = np.asarray(sample, dtype=float)
    return Verified(quantity, exact, float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values)))


def _curve_table(points: Sequence[Picture]) -> Table:
    return Table(
        "curve",
        "By the number of tickets in the draw",
        (
            "Tickets",
            "Return",
            "Any prize, 1 in",
            "Game 1, 1 in",
            "Game 2, 1 in",
            "Game 3, 1 in",
            "House loses",
        ),
        tuple(
            (
                f"{each.tickets:,}",
                percent(each.return_to_player, 2),
                one_in(each.any_prize),
                *(one_in(game.win_chance) for game in each.games),
                percent(each.liability.chance_above(each.sales_cents), 2),
            )
            for each in points
        ),
        [each.to_json() for each in points],
        "House loses: the share of draws that pay more than was sold.",
    )


def _few_table(rules: Knockout21Rules) -> Table:
    few = few_tickets(rules)
    return Table(
        "few_tickets",
        "Draws with few tickets",
        ("Tickets", "Return", "House keeps", "House loses"),
        tuple(
            (
                f"{draw.tickets:,}",
                percent(draw.return_to_player, 2),
                dollars(draw.house_cents),
                percent(draw.loses_chance, 2),
            )
            for draw in few.draws
        ),
        few.to_json(),
        " ".join(few.sentences),
    )


def _liability_table(whole: Picture) -> Table:
    liability = whole.liability
    levels = (0.5, 0.9, 0.99, 0.999)
    return Table(
        "liability",
        "What a draw pays",
        ("Sales", "Mean", "Std deviation", *(round_percent(share) for share in levels), "Most"),
        (
            (
                dollars(whole.sales_cents),
                dollars(liability.expected_cents),
                dollars(liability.standard_deviation_cents),
                *(dollars(liability.quantile_cents(share)) for share in levels),
                dollars(liability.most_cents),
            ),
        ),
        liability.to_json(),
        (
            f"All prizes of a draw with {whole.tickets:,} tickets; amounts that are not exceeded with the "
            "chance at the head."
        ),
    )


def _game_2_chart() -> Table:
    first = [RANK_LETTERS[value - 1] for value in (*range(2, 11), 1)]
    rows = tuple(
        (row, *(cells[value - 1] for value in (*range(2, 11), 1))) for row, cells in GAME_2_CHART.items()
    )
    return Table(
        "game_2_chart",
        "Chart of Game 2",
        ("Starting hand", *("10" if letter == "T" else letter for letter in first)),
        rows,
        {row: list(cells) for row, *cells in rows},
        "By the dealer's first card: S stand, H hit. No cell can be played better.",
    )


def _game_3_chart() -> Table:
    return Table(
        "game_3_chart",
        "Chart of Game 3",
        ("Starting hand", "Advice"),
        tuple(GAME_3_CHART.items()),
        dict(GAME_3_CHART),
        "No cell can be played better.",
    )
