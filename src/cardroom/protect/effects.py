"""Effects of removal: how the value of a wager changes when one card is missing from the shoe.

Every effect says whose it is: of which wager, with which strategy (the same as for the full shoe, or the best
for the shoe without the card), and for one card of how many. Side bets and insurance are fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Final

from cardroom.core.cards import CARDS, Card, Rank
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput, UnknownName
from cardroom.exact.figures import Number
from cardroom.exact.removals import Removals
from cardroom.exact.sidebets import insurance_figures, not_figured, side_bet_figures
from cardroom.exact.twentyone import solve
from cardroom.model.twentyone.strategy import Strategy
from cardroom.presentation import wager_title
from cardroom.rules.twentyone import TwentyOneRules

PRIMARY: Final = "primary"
INSURANCE: Final = "insurance"
RE_OPTIMISED: Final = "composition"
"""The best strategy for each shoe; every other is kept as it is for the full one."""
_STRATEGIES: Final = {RE_OPTIMISED: ", best play for each shoe", "basic": ", basic strategy kept"}
_DIGITS: Final = 10
"""Of values in double precision; what comes after may be rounding."""

Worth = Callable[[CardCounts], Number]
"""A shoe → what the wager is worth, for each unit staked."""
SecondOrder = dict[tuple[str, str], Fraction]
"""By the letters of two ranks, the lower first: what both missing cards do beyond what each does alone."""


@dataclass(frozen=True, slots=True)
class Effects:
    """The effects of removal on one wager."""

    wager: str
    strategy: str | None
    """None where nothing is decided."""
    of: int
    """How many cards the full shoe has; one of them is removed."""
    decks: int
    full_value: Number
    """What the wager is worth from the full shoe."""
    by_card: Mapping[Card, Number]
    """The change when this card is missing; only cards that are in the shoe."""
    wager_title: str = ""
    """How the rules call the wager; by its id where they are not at hand."""

    @property
    def title(self) -> str:
        """The wager, and how it is played, to read."""
        return (self.wager_title or wager_title(self.wager)) + _STRATEGIES.get(self.strategy or "", "")

    @property
    def suits_matter(self) -> bool:
        """Whether cards of one rank have different effects."""
        return any(len({self.by_card[card] for card in some}) > 1 for some in self._ranks().values())

    def _ranks(self) -> dict[Rank, list[Card]]:
        ranks: dict[Rank, list[Card]] = {}
        for card in self.by_card:
            ranks.setdefault(card.rank, []).append(card)
        return ranks

    @property
    def by_rank(self) -> dict[Rank, Number]:
        """The change when a card of this rank is missing, each of its suits as likely."""
        return {rank: _mean([self.by_card[card] for card in some]) for rank, some in self._ranks().items()}

    @property
    def by_value(self) -> dict[str, Number]:
        """By the letter of a rank, ten-valued cards together as `T`: what a count of values can use."""
        values: dict[str, list[Number]] = {}
        for rank, effect in self.by_rank.items():
            values.setdefault("T" if rank >= Rank.TEN else rank.letter, []).append(effect)
        return {letter: _mean(some) for letter, some in values.items()}

    @property
    def tens_in_a_deck(self) -> int:
        """How many of the ranks are worth ten: four, three in a Spanish deck."""
        return sum(rank >= Rank.TEN for rank in self._ranks())

    def named(self) -> dict[str, Number]:
        """By card where suits matter (`7d`), by value where not."""
        if self.suits_matter:
            return {str(card): effect for card, effect in self.by_card.items()}
        return self.by_value

    def grouped(self) -> list[tuple[str, Number]]:
        """Cards with one effect together: `7` where its suits are alike, else `7c 7h 7s` and `7d`.

        Effects that are computed in double precision are one where they differ by its rounding only.
        """
        groups: dict[str, dict[Number, list[Card]]] = {}
        for card, effect in self.by_card.items():
            letter = "T" if card.rank >= Rank.TEN else card.rank.letter
            known = round(effect, _DIGITS) if isinstance(effect, float) else effect
            groups.setdefault(letter, {}).setdefault(known, []).append(card)
        return [
            (letter if len(some) == 1 else " ".join(map(str, cards)), effect)
            for letter, some in groups.items()
            for effect, cards in some.items()
        ]

    def to_json(self) -> dict[str, Any]:
        """The shape of one wager in `protect --effects --json`."""
        named = self.named()
        fractions = {name: str(effect) for name, effect in named.items() if isinstance(effect, Fraction)}
        return {
            "wager": self.wager,
            "strategy": self.strategy,
            "removed": 1,
            "of": self.of,
            "full_value": float(self.full_value),
            "per_card": {name: float(effect) for name, effect in named.items()},
            "per_deck": {name: float(self.decks * effect) for name, effect in named.items()},
            **({"fractions": fractions} if fractions else {}),
        }


def effects_of(
    rules: TwentyOneRules,
    wager: str = PRIMARY,
    strategy: str | Strategy = RE_OPTIMISED,
    *,
    shoe: CardCounts | None = None,
) -> Effects:
    """The effects of removal on one wager of a game, paid in full; `shoe` in place of the rules' decks."""
    full = shoe or _full(rules)
    worth, name = value_of(rules, wager, strategy, shoe=shoe)
    decks = rules.decks if shoe is None and isinstance(rules.decks, int) else 1
    bet = rules.side_bets[wager] if wager in rules.offered_side_bets else None
    if bet is not None and not (bet.on_dealers_hand or bet.on_players_hand):
        removals = Removals(rules, wager, full)
        changes = {card: removals.without(card) - removals.full for card in CARDS if full[card]}
        return Effects(wager, name, full.total, decks, removals.full, changes, wager_title(wager, rules))
    base = worth(full)
    groups = _alike(rules, wager, full)
    with ThreadPoolExecutor() as threads:  # the solver is compiled code, which lets other threads run
        values = list(threads.map(lambda some: worth(full.without([some[0]])), groups))
    by_card = {card: value - base for some, value in zip(groups, values, strict=True) for card in some}
    ordered = {card: by_card[card] for card in CARDS if card in by_card}
    return Effects(wager, name, full.total, decks, base, ordered, wager_title(wager, rules))


def all_effects(rules: TwentyOneRules) -> list[Effects]:
    """Of every wager with figures: the primary one re-optimised and by basic strategy, and all beside it."""
    result = [effects_of(rules, PRIMARY, RE_OPTIMISED), effects_of(rules, PRIMARY, "basic")]
    if rules.insurance.offered:
        result.append(effects_of(rules, INSURANCE))
    unknown = not_figured(rules)
    return result + [effects_of(rules, bet) for bet in rules.offered_side_bets if bet not in unknown]


def second_order(rules: TwentyOneRules, wager: str) -> SecondOrder:
    """How the effects of two cards differ from the sum of their own, by rank of both: of a side bet.

    Where every rank has the same effect (a pair of any rank wins alike) no linear count exists, and this is
    all that watching ranks can be worth. Suits are as likely as each other.
    """
    if wager not in rules.offered_side_bets:
        here = ", ".join(rules.offered_side_bets) or "none"
        raise MalformedInput(f"effects of two cards are for side bets; on offer here: {here}")
    full = _full(rules)
    removals = Removals(rules, wager, full)
    ranks = [rank for rank in Rank if full.of_rank(rank)]
    effects = effects_of(rules, wager).by_rank
    return {
        (one.letter, other.letter): removals.without_two(one, other)
        - removals.full
        - Fraction(effects[one])
        - Fraction(effects[other])
        for at, one in enumerate(ranks)
        for other in ranks[at:]
    }


def _mean(values: list[Number]) -> Number:
    return (
        sum(values) / Fraction(len(values)) if isinstance(values[0], Fraction) else sum(values) / len(values)
    )


def _full(rules: TwentyOneRules) -> CardCounts:
    if rules.decks == "infinite":
        raise MalformedInput("no card can be missing from infinitely many decks; set decks to 1 … 8")
    return rules.shoe()


def value_of(
    rules: TwentyOneRules, wager: str, strategy: str | Strategy, *, shoe: CardCounts | None = None
) -> tuple[Worth, str | None]:
    """The function that values a shoe, and the name of the strategy where one decides.

    A strategy that is kept is the one for the full shoe, the rules' own unless another is given.
    """
    if wager == PRIMARY:
        by: str | Strategy = strategy
        if strategy != RE_OPTIMISED:
            by = solve(rules, strategy, shoe=shoe).strategy
        name = strategy if isinstance(strategy, str) else strategy.name
        return lambda shoe: solve(rules, by, shoe=shoe).expected_value, name
    if wager == INSURANCE:
        if not rules.insurance.offered:
            raise UnknownName("this table offers no insurance")
        return lambda shoe: insurance_figures(rules, shoe=shoe).expected_value, None
    if wager not in rules.offered_side_bets:
        here = ", ".join(
            [PRIMARY, *([INSURANCE] if rules.insurance.offered else []), *rules.offered_side_bets]
        )
        raise UnknownName(f"there is no wager {wager!r} at this table; the wagers are {here}")
    return partial(_side_worth, rules, wager), None


def _side_worth(rules: TwentyOneRules, wager: str, shoe: CardCounts) -> Number:
    return side_bet_figures(rules, wager, shoe=shoe).expected_value


def _alike(rules: TwentyOneRules, wager: str, full: CardCounts) -> list[list[Card]]:
    """Cards that the wager cannot tell apart, so that one of them is enough."""
    if wager != PRIMARY:
        return [[card] for card in CARDS if full[card]]
    from cardroom.model.twentyone.automaton import compile_hands

    classes = compile_hands(rules).classes.of_card
    groups: dict[tuple[int, int], list[Card]] = {}
    for card in CARDS:
        if full[card]:
            # Pairs of ten-valued cards are told apart by rank at most; one rank is like another.
            groups.setdefault((classes[card.index] if card.value < 10 else -1, card.value), []).append(card)
    return list(groups.values())
