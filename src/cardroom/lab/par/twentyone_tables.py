"""Tables of the blackjack family's PAR sheet: awards, the total with the Super Bonus, dealer, shoes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from cardroom.exact.twentyone import Solution
from cardroom.exact.twentyone.awards import Award, awards
from cardroom.exact.twentyone.total import Changed, Total, total_of
from cardroom.lab.dealer import FINALS, dealer_finals, dealer_finals_by_up_card
from cardroom.lab.par.sheet import Table
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import one_in, percent, signed
from cardroom.rules.bets.super_bonus import with_article
from cardroom.rules.twentyone import TwentyOneRules

ROUNDS_PER_SHOE: Final = 40
"""About how many a shoe of six decks serves; the cut card gets as many rounds as the check does."""
SPOT_ROUNDS: Final = 2_000_000
_DOUBLED: Final = ("", ", doubled", ", doubled twice", ", doubled three times")
_ENDINGS: Final = {
    "five_cards": "21 with five cards",
    "six_cards": "21 with six cards",
    "seven_cards": "21 with seven or more cards",
    "six_seven_eight_mixed": "6-7-8 of mixed suits",
    "six_seven_eight_suited": "6-7-8 of one suit",
    "six_seven_eight_named": "6-7-8 of {}",
    "three_sevens_mixed": "7-7-7 of mixed suits",
    "three_sevens_suited": "7-7-7 of one suit",
    "three_sevens_named": "7-7-7 of {}",
}


def award_table(solution: Solution) -> Table:
    """Every way a hand of the primary wager ends."""
    lines = awards(solution)
    value = solution.expected_value
    rows = [
        (
            _ending(each, solution.rules),
            signed(float(each.net), 2),
            f"{each.hands:.9f}",
            one_in(each.hands),
            signed(each.returns, 9),
            percent(each.returns, 5),
        )
        for each in lines
    ]
    hands = sum(each.hands for each in lines)
    rows.append(("Total", "", f"{hands:.9f}", "", signed(value, 9), percent(value, 5)))
    splits = "; a round has more hands than one where pairs are split" if hands > 1 else ""
    return Table(
        "awards",
        "Where the return of the primary wager comes from",
        ("How a hand ends", "Pays", "Hands a round", "1 in", "Return", "in percent"),
        tuple(rows),
        [each.to_json() for each in lines],
        (
            f"All ways a hand can end, by strategy {solution.strategy_name}: what it wins or loses in "
            f"initial wagers, how many hands of a round end so on average{splits}, and what that adds to the "
            "expected value. Exact; the lines add up to it."
        ),
        has_total=True,
    )


def _ending(award: Award, rules: TwentyOneRules) -> str:
    names = [_ENDINGS.get(name, name) for name in award.ending.split(" or ")]
    return " or ".join(names).format(rules.bonus_21.named_suit) + _DOUBLED[award.doubles]


def total_table(solution: Solution, wager_cents: int) -> Table:
    """The primary wager and the Super Bonus together, by the number of players."""
    total = total_of(solution, wager_cents, solution.strategy_name)
    return Table(
        "total",
        "The primary wager with the Super Bonus",
        ("Players", "Primary wager", "Super Bonus", "Envy", "Expected value", "House edge", "RTP"),
        tuple(
            (
                str(players),
                signed(total.primary_value, 7),
                signed(total.super_bonus_value, 7),
                signed(total.envy_value(players), 7),
                signed(total.value(players), 7),
                percent(-total.value(players)),
                percent(1 + total.value(players)),
            )
            for players in range(1, solution.rules.procedure.spots + 1)
        ),
        total.to_json(),
        _total_words(total),
    )


def _total_words(total: Total) -> str:
    wager = dollars(total.wager_cents)
    pays = dollars(total.pays_cents)
    envy = total.rules.super_bonus.envy
    if not total.chance:
        return (
            f"At a wager of {wager}, where the Super Bonus pays {pays}: it is not worth playing for. The "
            "hands that may win it are played as for the primary wager alone, and it is never won."
        )
    changed = ", and ".join(
        f"{' and '.join(_apart(hand) for hand in hands)} against {with_article(up)}"
        for up, hands in total.changed_by_up_card().items()
    )
    instead = " or ".join(dict.fromkeys(hand.instead_of.value for hand in total.changed))
    how = f"hits {changed}, where the chart says {instead}" if changed else "is that of the chart"
    return (
        f"One strategy for both at a wager of {wager}, where the Super Bonus pays {pays}: it {how}. The "
        f"Super Bonus then comes 1 in {one_in(total.chance)} rounds. Envy is {envy} for the Super Bonus of "
        "each other player, all of whom play alike. Values are for each unit of the wager."
    )


def _apart(hand: Changed) -> str:
    """`7-7 suited`: the ranks of its two cards apart."""
    ranks, _, suits = hand.cards.partition(" ")
    return f"{'-'.join(ranks)} {suits}".rstrip()


def finals_table(rules: TwentyOneRules) -> Table:
    """How the dealer's hand ends, by the up card."""
    by_up = dealer_finals_by_up_card(rules)
    named = {
        **{"10" if up == "T" else up: finals for up, finals in by_up.items()},
        "any": dealer_finals(rules),
    }
    return Table(
        "dealer_finals",
        "How the dealer's hand ends",
        ("Up card", *FINALS),
        tuple(
            (up, *(percent(finals.get(final, 0.0), 3) for final in FINALS)) for up, finals in named.items()
        ),
        {**by_up, "any": named["any"]},
        "From a full shoe, before the dealer has looked, and if the hand is played out. Exact.",
        has_total=True,
    )


def shoe_tables(
    solution: Solution, *, rounds: int, seed: int, wager_cents: int | None = None
) -> Iterator[Table]:
    """The cut card and the second spot, both simulated as the house deals; `rounds` are the most."""
    from cardroom.sim.twentyone.cut_card import LEAST_SHOES, cut_card_effect
    from cardroom.sim.twentyone.spots import LEAST_ROUNDS, two_spots

    rules, actions, value = solution.rules, solution.strategy.action, solution.expected_value
    if rules.decks != "infinite":
        effect = cut_card_effect(
            rules,
            actions,
            value,
            max(rounds // ROUNDS_PER_SHOE, LEAST_SHOES),
            seed=seed,
            wager_cents=wager_cents,
            workers=os.cpu_count() or 1,
        )
        yield Table(
            "cut_card",
            "The effect of the cut card",
            ("Dealt", "House edge", "± (σ)"),
            (
                ("a fresh shoe every round, exact", percent(-value), ""),
                ("shoes to the cut card", percent(-value - effect.effect), percent(effect.standard_error)),
                ("the difference", percent(-effect.effect, plus=True), percent(effect.standard_error)),
            ),
            effect.to_json(),
            (
                f"The house's own shoe: {effect.cut_cards} cards behind the cut card, the middle of what the "
                f"dealer may cut off; a shoe serves a player alone {effect.rounds_per_shoe:.1f} rounds on "
                "average. A shoe whose low cards come early ends sooner, so that the player sees fewer of "
                f"the good rounds. Simulated: {effect.shoes:,} shoes from seed {seed}."
            ),
            has_total=True,
        )
    spots = two_spots(
        rules,
        actions,
        min(max(rounds, LEAST_ROUNDS), SPOT_ROUNDS),
        seed=seed,
        wager_cents=wager_cents,
    )
    yield Table(
        "two_spots",
        "Two spots of one round",
        ("In squared wagers", "Value", "± (σ)"),
        tuple(
            (name, signed(moment.value, 4), signed(moment.standard_error, 4))
            for name, moment in (
                ("variance of one spot", spots.variance),
                ("covariance of two spots", spots.covariance),
            )
        ),
        {
            "method": "simulated",
            "rounds": spots.rounds,
            "seed": spots.seed,
            "variance": spots.variance.value,
            "variance_standard_error": spots.variance.standard_error,
            "covariance": spots.covariance.value,
            "covariance_standard_error": spots.covariance.standard_error,
            "correlation": spots.correlation,
        },
        (
            "A unit on each of two spots, dealt as the house deals: their correlation is "
            f"{signed(spots.correlation, 3)}, since both face the same dealer. Simulated: {spots.rounds:,} "
            f"rounds from seed {spots.seed}."
        ),
    )
