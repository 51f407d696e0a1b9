"""What the page Protection shows when somebody asks: known cards, indices, playing efficiency."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import solve
from cardroom.lab.progress import tell_of
from cardroom.lab.protection import Table
from cardroom.presentation.numbers import percent, signed
from cardroom.protect.counts import find_count, systems
from cardroom.protect.efficiency import playing_efficiency
from cardroom.protect.hole_card import hole_card_known, hole_card_worth
from cardroom.protect.indices import find_indices
from cardroom.protect.known import knowledge_of, next_ace
from cardroom.rules import HouseRules
from cardroom.rules.twentyone import TwentyOneRules

INDEX_SHOES: Final = 30
EFFICIENCY_SHOES: Final = 200
"""As the command line has it, so that both say the same."""
_INDICES_SHOWN: Final = 25


def family_rules(rules: HouseRules) -> TwentyOneRules:
    """Refuse a game whose cards nobody can count."""
    if not isinstance(rules, TwentyOneRules):
        raise MalformedInput(f"{rules.title} has no cards to count")
    if rules.decks == "infinite":
        raise MalformedInput("infinitely many decks cannot be counted; set decks to 1 … 8")
    return rules


def known_tables(rules: HouseRules) -> list[Table]:
    """What it is worth to know a card, exact."""
    return list(_known_tables(family_rules(rules)))


def _known_tables(rules: TwentyOneRules) -> Iterator[Table]:
    solution = solve(rules)
    known = knowledge_of(solution)
    seen = rules.hole_card == "dealt"
    if seen:
        known.append(hole_card_known(rules))
    for one in known:
        yield {
            "title": f"The {one.what} known before the wager",
            "head": ["Card", "Chance", "A unit is worth"],
            "rows": [
                [card.name, percent(card.chance, 2), percent(card.expected_value, 3, plus=True)]
                for card in one.cards
            ],
            "note": (
                f"Wagering only where that pays, in {percent(one.share_wagered, 1)} of the rounds: "
                f"{signed(100 * one.worth, 3, plus=True)} units for 100 rounds seen."
            ),
        }
    ace = next_ace(solution)
    rows = [
        ["an ace that comes next, on the player's hand", percent(ace.on_own_hand, 3, plus=True)],
        ["an ace that comes next, as the dealer's up card", percent(ace.as_up_card, 3, plus=True)],
    ]
    if seen:
        hole = hole_card_worth(rules, solution)
        insurance, insurance_on_ten = float(hole.insurance or 0), float(hole.insurance_told or 0)
        rows += [
            ["nothing of the hole card", percent(hole.unknown, 3, plus=True)],
            ["whether the hole card is a ten", percent(hole.ten_told + insurance_on_ten, 3, plus=True)],
            ["the hole card itself", percent(hole.seen + insurance, 3, plus=True)],
        ]
    yield {
        "title": "An ace followed, the hole card seen",
        "head": ["What is known", "A unit is worth"],
        "rows": rows,
        "note": (
            f"Where the dealer gets all aces that miss the player's hand, {percent(ace.break_even, 1)} must "
            "come to it for nothing lost. The hole card: a unit in every round, for insurance and play."
        ),
    }


def _solved(shoes: int) -> Callable[[int, int], None]:
    tell = tell_of(f"of {shoes} shoes solved")
    tell(0, shoes)
    return tell


def index_tables(rules: HouseRules, count: str = "hi-lo", shoes: int = INDEX_SHOES) -> list[Table]:
    """At which true count each deviation from basic strategy pays, what gains most first."""
    family = family_rules(rules)
    counted = find_count(count)
    indices = find_indices(family, counted, shoes=shoes, seed=1, progress=_solved(shoes))
    return [
        {
            "title": f"Indices of {counted.title}",
            "head": ["Deviation", "Crossing", "± (error)", "Linear rule", "Gain for 100 rounds"],
            "rows": [
                [
                    str(one),
                    signed(one.crossing, 2, plus=True),
                    signed(one.error, 2),
                    signed(one.linear, 2, plus=True),
                    signed(one.gain, 4),
                ]
                for one in indices[:_INDICES_SHOWN]
            ],
            "note": (
                f"True count, rounded down; from the exact values of {shoes} shoes, seed 1. Gain: in units, "
                "one wagered in every round, basic strategy otherwise, dealt to the house's cut."
            ),
        }
    ]


def efficiency_tables(
    rules: HouseRules, counts: Sequence[str] = (), shoes: int = EFFICIENCY_SHOES
) -> list[Table]:
    """Which share of the gain of perfect play the deviations of each count reach; of all unless told."""
    family = family_rules(rules)
    followed = [find_count(name) for name in counts] or list(systems().values())
    efficiencies = playing_efficiency(family, followed, shoes=shoes, seed=1, progress=_solved(shoes))
    return [
        {
            "title": "Playing efficiency",
            "head": ["Count", "Efficiency", "± (error)", "With insurance", "Gain for 100 rounds"],
            "rows": [
                [
                    one.count.title.partition(":")[0],
                    signed(one.share, 3),
                    signed(one.standard_error, 3),
                    "-" if one.share_with_insurance is None else signed(one.share_with_insurance, 3),
                    signed(one.gain, 4),
                ]
                for one in efficiencies
            ],
            "note": (
                "The share of perfect play's gain that a count's deviations reach, at a fixed wager. Perfect "
                f"play gains {signed(efficiencies[0].perfect_gain, 4)} units for 100 rounds of one unit "
                f"each, over basic strategy, by the exact values of {shoes} shoes dealt to the house's cut, "
                "seed 1. All counts meet the same shoes: they differ from each other by less than the errors "
                "say. Levels depend on rules and cut; compare the order."
            ),
        }
    ]
