"""What people often do wrong, and what it costs: habits held against the exact values, hand by hand.

A habit is a way to play that is easy to remember. Each is shown with the hand where it costs most, weighed by
how often that hand comes, and with what it costs in all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any, Final

from cardroom.core.cards import Card, Rank, Suit
from cardroom.model.twentyone.columns import columns_of
from cardroom.presentation.howto.laying import card_of
from cardroom.presentation.money import average, chips
from cardroom.presentation.numbers import percent
from cardroom.presentation.totals import kind_of_total
from cardroom.presentation.wagers import wager_title
from cardroom.rules.knockout21 import WAGERS, Game, Knockout21Rules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.rules.twentyone.law import Action

_DEALER_STANDS: Final = 17
_FIRST_STIFF: Final = 12
_STAKE_CENTS: Final = 10_00
_DEALERS_SUITS: Final = (Suit.SPADES, Suit.DIAMONDS)

Values = Mapping[Action, float]
Habit = Callable[[Sequence[Card], Values], Action | None]
"""What somebody with a habit does with a hand, given the values of what is allowed; None: as one should."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A habit, the hand that shows it best, and its price in words."""

    habit: str
    cards: tuple[str, ...]
    against: tuple[str, ...]
    """The dealer's cards that are seen; empty where there are none."""
    words: str


def _listed(mistakes: Sequence[Mistake]) -> list[dict[str, Any]]:
    return [asdict(mistake) for mistake in mistakes]


# The blackjack family.


def twentyone_mistakes(rules: TwentyOneRules, bet: str | None = None) -> list[dict[str, Any]]:
    """The costliest habits at a table, or with one of its bets; plain values, for a page."""
    if bet is None:
        return _listed(sorted_habits(rules))
    if bet == "insurance":
        return _listed(_insured_hands(rules))
    if bet in rules.side_bets:
        return _listed([_played_always(rules, bet)])
    return _listed(_bonus_given_up(rules)) if bet == "bonus-21" else []


def never_bust(cards: Sequence[Card], values: Values) -> Action | None:
    """Stand on every hard hand that one card could bust."""
    total, soft = law.total_of(cards)
    stiff = not soft and total >= _FIRST_STIFF and Action.STAND in values
    return Action.STAND if stiff else None


def like_the_dealer(cards: Sequence[Card], values: Values) -> Action | None:
    """Hit below 17 and stand from there on; no double, no split."""
    total, _ = law.total_of(cards)
    wanted = Action.HIT if total < _DEALER_STANDS else Action.STAND
    return wanted if wanted in values else None


def without(action: Action) -> Habit:
    """Never take an action: take the best of the others."""

    def habit(_cards: Sequence[Card], values: Values) -> Action | None:
        others = {other: value for other, value in values.items() if other is not action}
        return max(others, key=lambda other: others[other]) if action in values and others else None

    return habit


def every_pair(_cards: Sequence[Card], values: Values) -> Action | None:
    """Split whatever may be split."""
    return Action.SPLIT if Action.SPLIT in values else None


HABITS: Final[Mapping[str, Habit]] = {
    "Playing like the dealer": like_the_dealer,
    "Never risking a bust": never_bust,
    "Never doubling": without(Action.DOUBLE),
    "Never splitting": without(Action.SPLIT),
    "Splitting every pair": every_pair,
    "Never giving up": without(Action.SURRENDER),
}


def sorted_habits(rules: TwentyOneRules) -> list[Mistake]:
    """Every habit that costs something under these rules, the dearest first."""
    from cardroom.lab.advice import option_values, solved

    solution = solved(rules)
    deals = list(_first_hands(rules))
    priced: list[tuple[float, Mistake]] = []
    for name, habit in HABITS.items():
        total, worst, shown = 0.0, 0.0, None
        for chance, cards, up in deals:
            values = option_values(solution, cards, up)
            done = habit(cards, values) if values else None
            if done is None:
                continue
            best = max(values, key=lambda action: values[action])
            cost = values[best] - values[done]
            total += chance * cost
            if chance * cost > worst:
                worst, shown = chance * cost, (cards, up, done, best, cost)
        if shown is not None:
            priced.append((total, _habit(name, *shown, total)))
    return [mistake for _, mistake in sorted(priced, key=lambda entry: -entry[0])]


def _habit(
    name: str,
    cards: Sequence[Card],
    up: Sequence[Card],
    done: Action,
    best: Action,
    cost: float,
    total: float,
) -> Mistake:
    hand = kind_of_total(cards)
    words = (
        f"With {hand} against {_said(up)}, {best} is right: {done} costs {average(cost * _STAKE_CENTS)} of "
        f"{chips(_STAKE_CENTS)} there. As a habit it costs {percent(total, 2)} of all you stake."
    )
    return Mistake(name, tuple(card.text for card in cards), tuple(card.text for card in up), words)


def _said(cards: Sequence[Card]) -> str:
    names = {Rank.ACE: "an ace", Rank.EIGHT: "an 8"}
    return " and ".join(
        names.get(card.rank) or (f"a {card.value}" if card.value < 10 else "a ten") for card in cards
    )


def _first_hands(rules: TwentyOneRules) -> Iterator[tuple[float, tuple[Card, Card], tuple[Card, ...]]]:
    """Two cards and those seen of the dealer's, of each value, with the chance that they come to be played.

    A player's blackjack is never played, and nothing is against a dealer's.
    """
    seen = columns_of(rules).cards
    ranks = [Rank(value) for value in range(1, 10)] + [Rank.KING]
    by_rank = rules.shoe().by_rank()
    counts = [sum(by_rank[9:]) if rank is Rank.KING else by_rank[rank - 1] for rank in ranks]
    total = sum(counts)
    fresh = rules.decks == "infinite"
    for one, two in combinations_with_replacement(range(len(ranks)), 2):
        cards = card_of(ranks[one], Suit.HEARTS), card_of(ranks[two], Suit.CLUBS)
        if law.is_blackjack(cards):
            continue
        for others in product(range(len(ranks)), repeat=seen):
            ways, left = 1.0, [*counts]
            for place, rank in enumerate((one, two, *others)):
                ways *= left[rank] / (total - (0 if fresh else place))
                left[rank] -= 0 if fresh else 1
            dealer = tuple(
                card_of(ranks[rank], suit) for rank, suit in zip(others, _DEALERS_SUITS, strict=False)
            )
            if law.is_blackjack(dealer):
                continue
            if seen == 1 and rules.played_without_blackjack and law.dealer_looks(dealer[0]):
                other = 0 if dealer[0].value == 10 else len(ranks) - 1
                ways *= 1 - left[other] / sum(left)
            if ways > 0:
                yield (2 if one != two else 1) * ways, cards, dealer


def _insured_hands(rules: TwentyOneRules) -> list[Mistake]:
    """Insurance on hands that people like to protect: what it is worth with those cards known."""
    up = card_of(Rank.ACE, Suit.SPADES)
    shoe = rules.shoe()
    mistakes = []
    for name, ranks in (
        ("Insuring a good hand", (Rank.KING, Rank.QUEEN)),
        ("Insuring a bad hand", (Rank.NINE, Rank.SEVEN)),
    ):
        cards = card_of(ranks[0], Suit.HEARTS), card_of(ranks[1], Suit.CLUBS)
        left = shoe if rules.decks == "infinite" else shoe.without([*cards, up])
        tens = [card for card in left.cards() if card.value == 10]
        won = sum((law.insurance_net(rules, None, up, card) for card in tens), Fraction(0))
        value = (won - (left.total - len(tens))) / left.total
        if value < 0:
            words = (
                f"With {kind_of_total(cards)} it loses {percent(float(-value), 2)} of what you put on it, on "
                f"average: {len(tens)} of {left.total} unseen cards are tens."
            )
            mistakes.append(Mistake(name, tuple(card.text for card in cards), (up.text,), words))
    return mistakes


def _played_always(rules: TwentyOneRules, bet: str) -> Mistake:
    """A side bet beside every hand, against what the hand itself costs."""
    from cardroom.lab.advice import solved
    from cardroom.lab.twentyone import beside_figures

    figures = next(line for line in beside_figures(rules) if line.wager == bet)
    edge, main = -float(figures.expected_value), -float(solved(rules).expected_value)
    cost = f"{chips(_STAKE_CENTS)} on it costs {average(edge * _STAKE_CENTS)} a round on average"
    times = f", {edge / main:.0f} times what the primary wager costs" if main > 0 and edge > 2 * main else ""
    return Mistake(f"{wager_title(bet, rules)} every round", (), (), f"{cost}{times}.")


def _bonus_given_up(rules: TwentyOneRules) -> list[Mistake]:
    """Hands of four cards that are played otherwise than two cards of their total, since a fifth may pay."""
    from cardroom.lab.advice import option_values, solved

    solution = solved(rules)
    priced: list[tuple[float, Mistake]] = []
    some = [rank for rank in Rank if rules.shoe().of_rank(rank)]
    dealers = [
        tuple(card_of(rank, suit) for rank, suit in zip(ranks, _DEALERS_SUITS, strict=False))
        for ranks in combinations_with_replacement(some, columns_of(rules).cards)
    ]
    suits = list(Suit)
    for ranks in combinations_with_replacement([Rank(value) for value in range(2, 10)], 4):
        cards = [card_of(rank, suits[place]) for place, rank in enumerate(ranks)]
        total, soft = law.total_of(cards)
        if soft or total not in range(_FIRST_STIFF, 20) or len(set(ranks)) < len(ranks):
            continue
        two = card_of(Rank.KING, Suit.HEARTS), card_of(Rank(total - 10), Suit.CLUBS)
        for up in (dealer for dealer in dealers if not law.is_blackjack(dealer)):
            usual, values = option_values(solution, two, up), option_values(solution, cards, up)
            plain = {action: usual[action] for action in (Action.HIT, Action.STAND) if action in usual}
            done = max(plain, key=lambda action: plain[action], default=None)
            if done is None or done not in values:
                continue
            best = max(values, key=lambda action: values[action])
            cost = values[best] - values[done]
            if best is not done and cost > 0:
                words = (
                    f"Two cards of {total} {done} against {_said(up)}. These four cards {best}: to {done} "
                    f"costs {average(cost * _STAKE_CENTS)} of {chips(_STAKE_CENTS)}."
                )
                seen = tuple(card.text for card in up)
                shown = Mistake(
                    "Forgetting what a fifth card pays", tuple(card.text for card in cards), seen, words
                )
                priced.append((cost, shown))
    return [mistake for _, mistake in sorted(priced, key=lambda entry: -entry[0])[:1]]


# Knockout 21: choices that no chart advises.


def knockout_21_mistakes(rules: Knockout21Rules, bet: str | None = None) -> list[dict[str, Any]]:
    """What easy rules of thumb lose against the charts, in chances to win the hand."""
    games: tuple[Game, ...] = (2, 3)
    if bet is not None:
        games = tuple(game for game in games if WAGERS[game - 1] == bet)
    return _listed([mistake for game in games for mistake in _against_the_chart(game)])


def _against_the_chart(game: Game) -> Iterator[Mistake]:
    from cardroom.exact.knockout21.chances import ChartCell, chart_cells, value_chance
    from cardroom.rules.knockout21.law import Choice, hand_total

    def weight(cell: ChartCell) -> Fraction:
        one, two = cell.start
        pair = value_chance(one) * value_chance(two) * (1 if one == two else 2)
        return pair * (value_chance(cell.dealer_first) if cell.dealer_first else 1)

    thumbs: dict[str, Callable[[int], Choice]] = {
        "Never risking a bust": lambda total: Choice.STAND if total >= _FIRST_STIFF else Choice.HIT,
        "Playing like the dealer": lambda total: Choice.STAND if total >= _DEALER_STANDS else Choice.HIT,
    }
    for name, thumb in thumbs.items():
        lost = [
            (weight(cell) * abs(cell.hit - cell.stand), cell)
            for cell in chart_cells(game)
            if thumb(hand_total(cell.start)) is not cell.advice and cell.hit != cell.stand
        ]
        if not lost:
            continue
        _, cell = max(lost, key=lambda entry: entry[0])
        right, wrong = (cell.hit, cell.stand) if cell.advice is Choice.HIT else (cell.stand, cell.hit)
        against = card_of(Rank(cell.dealer_first), Suit.SPADES) if cell.dealer_first else None
        cards = [
            card_of(Rank(value), suit)
            for value, suit in zip(cell.start, (Suit.HEARTS, Suit.CLUBS), strict=True)
        ]
        words = (
            f"In Game {game} the chart says {cell.advice.name.lower()} here: it wins "
            f"{percent(float(right), 2)} of such hands, the other choice {percent(float(wrong), 2)}. As a "
            f"habit it costs {percent(float(sum(entry[0] for entry in lost)), 2)} of the hands."
        )
        yield Mistake(name, tuple(card.text for card in cards), (against.text,) if against else (), words)


# Knockout 52: wagers that do not cover one another.


def knockout_52_mistakes(rules: Knockout52Rules, bet: str | None = None) -> list[dict[str, Any]]:
    """What all five wagers together come to, and what a wager costs beside the cheapest."""
    from cardroom.exact.knockout52 import wager_figures

    figures = {line.wager: line for line in wager_figures(rules, _stake(rules))}
    wagers = rules.layout.wagers
    stake = _stake(rules)
    mistakes = []
    if bet is None:
        likeliest = max(wagers, key=lambda wager: figures[wager].hit_frequency)
        paid, lost = rules.payment(likeliest, stake), (len(wagers) - 1) * stake
        often = percent(float(figures[likeliest].hit_frequency), 2)
        words = (
            f"With {chips(stake)} on each, {often} of games end with {wager_title(likeliest)}: "
            f"{chips(paid)} won, {chips(lost)} lost."
        )
        mistakes.append(Mistake("Covering everything", (), (), words))
    cheapest = min(wagers, key=lambda wager: -figures[wager].expected_value)
    for wager in wagers if bet is None else (bet,):
        edge, least = -figures[wager].expected_value, -figures[cheapest].expected_value
        if edge > 2 * least > 0:
            words = (
                f"{chips(stake)} on it costs {average(float(edge * stake))} a game on average, "
                f"{float(edge / least):.1f} times as much as on {wager_title(cheapest)}."
            )
            mistakes.append(Mistake(f"{wager_title(wager)} for its pay", (), (), words))
    return _listed(mistakes)


def _stake(rules: Knockout52Rules) -> int:
    return max(int(rules.limits.min), min(int(rules.limits.max), _STAKE_CENTS))
