"""Which options of the house rules do anything, given the others."""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.rules.base import HouseRules
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.twentyone import TwentyOneRules


def sentences_in_force(rules: HouseRules) -> list[tuple[str, str, str]]:
    """(option, sentence, clause) of every rule that does something."""
    idle: set[str] = set()
    if isinstance(rules, TwentyOneRules):
        idle.update(_idle_options(rules))
    if isinstance(rules, Knockout21Rules) and not rules.draws.minimum_tickets:
        idle.add("draws.minimum_tickets")
    return [sentence for sentence in rules.sentences() if sentence[0] not in idle]


def _idle_options(rules: TwentyOneRules) -> Iterator[str]:
    """Options of what is not offered, and such as others leave nothing to say."""
    flat = rules.flat()
    insurance, bonus = rules.insurance, rules.bonus_21

    def group(prefix: str, *but: str) -> Iterator[str]:
        yield from (key for key in flat if key.startswith(prefix) and key not in but)

    if rules.split.max_hands == 1:
        yield from group("split.", "split.max_hands")
        yield "double.after_split"
    if rules.double.max_doubles == 0:
        yield from group("double.", "double.max_doubles")
    if rules.double.rescue == "none":
        yield "double.rescue"
    if not insurance.offered:
        yield from group("insurance.", "insurance.offered")
    if insurance.suited_pays == insurance.pays:
        yield "insurance.suited_pays"
    # A blackjack is paid before insurance is offered, or only after the look.
    yield "insurance.even_money" if rules.blackjack_always_wins else "insurance.on_paid_blackjack"
    yield from (key for key in group("bonus_21.") if flat[key] == "none")
    if not any(flat[key] != "none" for key in group("bonus_21.") if key.endswith("_named")):
        yield "bonus_21.named_suit"
    if not bonus.rates or rules.split.max_hands == 1:
        yield "bonus_21.on_split_hands"
    if not bonus.rates or rules.player_21_always_wins:
        yield "bonus_21.win_at_once"
    if rules.hole_card in ("dealt", "shown"):
        yield "dealer_blackjack_takes"  # it is known before anything is added
    yield from (f"split.{key}" for key in ("never", "once") if not getattr(rules.split, key))
    if rules.surrender == "none":
        yield "surrender_on"
    if not rules.super_bonus.offered:
        yield from group("super_bonus.")
    for wager in rules.side_bets:
        if not rules.offers(wager):
            yield from group(f"side_bets.{wager}.")
    if not rules.offered_side_bets:
        yield from group("limits.side_")
    if rules.decks == "infinite":
        yield from group("procedure.", "procedure.spots")
