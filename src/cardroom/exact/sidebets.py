"""Side bets, insurance and the Super Bonus in exact fractions, for any shoe and any posted table."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, permutations
from math import comb, factorial, prod

from cardroom.core.cards import CARDS, Card, Rank, Suit
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.dealers_hand import dealers_hand_chances
from cardroom.exact.figures import NotFigured, Outcome, WagerFigures
from cardroom.rules.bets import Machine, SideBet
from cardroom.rules.twentyone import TwentyOneRules, law

LOSES = "lose"
_MOST_ROLES = 4


@dataclass(frozen=True, slots=True)
class ProgressiveFigures:
    """A progressive wager: its worth with the meter at the seed, and the meter from which on it is fair."""

    at_seed: WagerFigures
    jackpot_chance: Fraction
    break_even_meter_cents: Fraction

    def at_meter(self, meter_cents: int, stake_cents: int) -> Fraction:
        """The expected value for each unit staked with the meter at an amount."""
        rest = sum((line.net * Fraction(line.probability) for line in self.at_seed.outcomes[1:]), Fraction(0))
        return rest + self.jackpot_chance * Fraction(meter_cents, stake_cents)


def side_bet_figures(
    rules: TwentyOneRules,
    wager: str,
    *,
    shoe: CardCounts | None = None,
    meter_cents: int | None = None,
    stake_cents: int | None = None,
) -> WagerFigures:
    """A side bet for each unit staked; a progressive one with its meter at the seed unless it is given.

    With `stake_cents` lines are paid as the house rounds them on a stake of that size, else in full; a bet
    with a fixed stake has that stake.
    """
    if not rules.offers(wager):
        offered = ", ".join(rules.offered_side_bets) or "none"
        raise MalformedInput(f"{wager!r} is not on offer at this table; side bets here: {offered}")
    bet = rules.side_bets[wager]
    infinite = rules.decks == "infinite" and shoe is None
    chances = line_chances(rules, bet, shoe or rules.shoe(), infinite=infinite)
    outcomes = [
        Outcome(
            line,
            rules.line_net(wager, line, stake_cents=stake_cents, meter_cents=meter_cents),
            chances.get(line, Fraction(0)),
        )
        for line in bet.line_ids
        if line in chances or line == bet.progressive_line
    ]
    outcomes.append(Outcome(LOSES, Fraction(-1), chances.get(LOSES, Fraction(0))))
    return WagerFigures(wager, tuple(outcomes), note=note_of(bet))


def not_figured(rules: TwentyOneRules, *, shoe: CardCounts | None = None) -> dict[str, str]:
    """The side bets on offer that have no exact figures, each with the sentence that says why."""
    reasons = {}
    for wager in rules.offered_side_bets:
        try:
            side_bet_figures(rules, wager, shoe=shoe)
        except NotFigured as error:
            reasons[wager] = f"{rules.side_bets[wager].title}: {error}."
    return reasons


def note_of(bet: SideBet) -> str:
    """What must be said beside the figures of a bet."""
    notes = [bet.note]
    if bet.on_players_hand:
        notes.append(f"{bet.title} is figured for a player who keeps to the basic strategy.")
    if bet.envy:
        notes.append(f"Envy of {bet.title} is not in its figures: it depends on who else has the wager.")
    return " ".join(note for note in notes if note)


def progressive_figures(
    rules: TwentyOneRules, wager: str, *, shoe: CardCounts | None = None
) -> ProgressiveFigures:
    """A progressive side bet at its seed, and the meter at which it is fair."""
    bet = rules.side_bets.get(wager)
    if bet is None or bet.progressive_line is None:
        raise MalformedInput(f"{wager} has no meter")
    figures = side_bet_figures(rules, wager, shoe=shoe)
    jackpot, *others = figures.outcomes
    chance = Fraction(jackpot.probability)
    if chance == 0:
        raise MalformedInput(f"{wager}: the jackpot cannot come from this shoe")
    rest = sum((line.net * Fraction(line.probability) for line in others), Fraction(0))
    return ProgressiveFigures(figures, chance, -rest / chance * bet.fixed_stake_cents)


def insurance_figures(
    rules: TwentyOneRules, *, shoe: CardCounts | None = None, stake_cents: int | None = None
) -> WagerFigures:
    """Insurance for each unit staked, given an ace up and nothing else known.

    With `stake_cents` it is paid as the house rounds it on a stake of that size, else in full.
    """
    if not rules.insurance.offered:
        raise MalformedInput("this table offers no insurance")
    counts = shoe or rules.shoe()
    infinite = rules.decks == "infinite" and shoe is None
    ups = [card for card in CARDS if card.rank is Rank.ACE and counts[card]]
    aces = sum(counts[up] for up in ups)
    if not aces:
        raise MalformedInput("there is no ace in the shoe to be insured against")
    left = counts.total - (0 if infinite else 1)
    chances: defaultdict[str, Fraction] = defaultdict(Fraction)
    for up in ups:
        for hole in CARDS:
            if counts[hole] and (line := rules.insurance.line(up, hole)) is not None:
                chance = Fraction(counts[up], aces) * Fraction(counts[hole], left)
                chances[rules.insurance.line_in_figures(line).name] += chance
    outcomes = [
        Outcome(line.name, rules.pays_on(stake_cents, line.pays), chances[line.name])
        for line in rules.insurance.told_apart
        if line.name in chances
    ]
    outcomes.append(Outcome(LOSES, Fraction(-1), 1 - sum(chances.values(), Fraction(0))))
    return WagerFigures("insurance", tuple(outcomes))


def super_bonus_figures(
    rules: TwentyOneRules, wager_cents: int, *, shoe: CardCounts | None = None
) -> WagerFigures:
    """The Super Bonus for each unit of a wager of that size, for a player who always hits for it (PE21-13).

    The chance is that of the cards: three of the player's that win, and an up card that they win against.
    """
    if not rules.super_bonus.offered:
        raise MalformedInput("this table has no Super Bonus")
    counts = shoe or rules.shoe()
    infinite = rules.decks == "infinite" and shoe is None
    chance = sum(
        (
            len(law.drawn_orders(held)) * _chance_of((*held, up), counts, infinite=infinite)
            for held, ranks in law.super_bonus_hands(rules).items()
            for up in CARDS
            if up.rank in ranks
        ),
        Fraction(0),
    )
    won = Outcome("super bonus", Fraction(rules.super_bonus.pays_on(wager_cents), wager_cents), chance)
    return WagerFigures("super-bonus", (won, Outcome("none", Fraction(0), 1 - chance)))


def _chance_of(cards: tuple[Card, ...], counts: CardCounts, *, infinite: bool) -> Fraction:
    """The chance that the next cards are these, in this order."""
    if infinite:
        return prod((Fraction(counts[card], counts.total) for card in cards), start=Fraction(1))
    ways = prod(
        counts[card] - cards[:place].count(card) if counts[card] > cards[:place].count(card) else 0
        for place, card in enumerate(cards)
    )
    orders = prod(range(counts.total - len(cards) + 1, counts.total + 1))
    return Fraction(ways, orders) if orders > 0 else Fraction(0)


def line_chances(
    rules: TwentyOneRules, bet: SideBet, counts: CardCounts, *, infinite: bool
) -> dict[str, Fraction]:
    """The chance of each line of a side bet, and of losing; lines that cannot come are left out."""
    if bet.on_players_hand:
        from cardroom.exact.players_hand import players_hand_chances

        by_place = players_hand_chances(rules, bet.machine, counts, infinite=infinite)
    elif bet.on_dealers_hand:
        by_place = dealers_hand_chances(
            bet.machine, counts, infinite=infinite, hits_soft_17=rules.dealer_hits_soft_17
        )
    else:
        by_place = _chances(
            bet.machine, counts, infinite=infinite, any_order=bet.any_order, any_suits=bet.any_suits
        )
    lines = bet.line_ids
    return {LOSES if place is None else lines[place]: chance for place, chance in by_place.items()}


@lru_cache(maxsize=64)
def _chances(
    machine: Machine, counts: CardCounts, *, infinite: bool, any_order: bool, any_suits: bool
) -> dict[int | None, Fraction]:
    """The chance of each line of a bet on given cards, by its place, and of none."""
    roles = len(machine.roles)
    if not infinite and counts.total < roles:
        raise MalformedInput(f"the side bet looks at {roles} cards; the shoe has {counts.total}")
    ways: Counter[int | None] = Counter()

    def add(place: int | None, _cards: tuple[Card, ...], times: int) -> None:
        ways[place] += times

    tell_draws(machine, counts, add, infinite=infinite, any_order=any_order, any_suits=any_suits)
    total = counts.total**roles if infinite else prod(range(counts.total - roles + 1, counts.total + 1))
    assert sum(ways.values()) == total
    return {place: Fraction(times, total) for place, times in ways.items()}


Tell = Callable[[int | None, tuple[Card, ...], int], None]
"""`(place of the line, or None; the cards that decide it; in how many ordered draws they do)`."""


def suits_are_alike(counts: CardCounts) -> bool:
    """Whether there are as many cards of each suit, rank by rank."""
    return all(len({counts[CARDS[13 * suit + rank]] for suit in Suit}) == 1 for rank in range(13))


def tell_draws(
    machine: Machine, counts: CardCounts, tell: Tell, *, infinite: bool, any_order: bool, any_suits: bool
) -> None:
    """Tell every way in which a bet on given cards is decided.

    If the bet names no suits and the suits are alike, a draw stands for all that come of it by exchanging
    suits.
    """
    alike = any_suits and suits_are_alike(counts)
    roles = len(machine.roles)
    if any_order and roles == _MOST_ROLES:
        for cards, times in _multisets(counts, roles, alike=alike, infinite=infinite):
            tell(machine.line(machine.state_of(zip(machine.roles, cards, strict=True))), cards, times)
    else:
        _Draws(machine, counts, infinite=infinite, alike=alike, tell=tell).count(0, (), 1, 0)


class _Draws:
    """Every ordered draw, as far as it takes to decide the line.

    If the bet names no suits and all suits of a rank are equally many (`alike`), one draw stands for all that
    come of it by exchanging suits.
    """

    def __init__(
        self, machine: Machine, counts: CardCounts, *, infinite: bool, alike: bool, tell: Tell
    ) -> None:
        self.machine, self.counts, self.infinite, self.alike = machine, counts, infinite, alike
        self.tell = tell
        self.present = [(card, counts[card]) for card in CARDS if counts[card]]
        places = range(len(machine.roles) + 1)
        self.open_roles = [machine.roles[dealt:] for dealt in places]
        self.orders = [self._orders(dealt) for dealt in places]

    def count(self, state: int, hand: tuple[Card, ...], ways: int, suits: int) -> None:
        roles = self.open_roles[len(hand)]
        if (decided := self.machine.decided(state, roles)) is not None:
            self.tell(decided[0], hand, ways * self.orders[len(hand)])
            return
        for card, number in self.present:
            left = number if self.infinite else number - hand.count(card)
            if left <= 0 or (self.alike and card.suit > suits):
                continue
            # A suit not seen yet stands for all that are not: suits come in the order of their numbers.
            new = self.alike and card.suit == suits
            after = self.machine.after(state, roles[0], card)
            self.count(after, (*hand, card), ways * left * (4 - suits if new else 1), suits + new)

    def _orders(self, dealt: int) -> int:
        """In how many ways the cards come that are still to be dealt."""
        roles, total = len(self.machine.roles), self.counts.total
        if self.infinite:
            return int(total ** (roles - dealt))
        return int(prod(range(total - roles + 1, total - dealt + 1)))


def _multisets(
    counts: CardCounts, cards: int, *, alike: bool, infinite: bool
) -> Iterator[tuple[tuple[Card, ...], int]]:
    def ways(hand: tuple[Card, ...]) -> int:
        held = Counter(hand)
        if infinite:
            drawn: int = prod(counts[card] ** n for card, n in held.items())
            return drawn * (factorial(cards) // prod(map(factorial, held.values())))
        chosen: int = prod(comb(counts[card], n) for card, n in held.items())
        return factorial(cards) * chosen

    if not alike:
        present = [card for card in CARDS if counts[card]]
        for hand in combinations_with_replacement(present, cards):
            if times := ways(hand):
                yield hand, times
        return
    ranks = [rank for rank in range(13) if counts[CARDS[rank]]]
    for sizes in ((4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1)):
        for parts in _parts(ranks, sizes):
            hand = tuple(CARDS[13 * suit + rank] for suit, part in enumerate(parts) for rank in part)
            four_parts = (*parts, *[()] * (4 - len(parts)))
            if times := ways(hand):
                yield hand, times * len(set(permutations(four_parts)))


def _parts(ranks: list[int], sizes: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Ranks for each suit, suits with equally many cards in one order only."""
    if not sizes:
        yield ()
        return
    for rest in _parts(ranks, sizes[1:]):
        for part in combinations_with_replacement(ranks, sizes[0]):
            if len(sizes) == 1 or sizes[0] != sizes[1] or part <= rest[0]:
                yield (part, *rest)
