"""Wagers on their way to the first card: chips are put down one by one, and checked together (PROC-9)."""

from __future__ import annotations

from dataclasses import dataclass

from cardroom.core.money import format_cents
from cardroom.core.refusal import Refusal
from cardroom.engine.twentyone.state import SpotWager
from cardroom.engine.twentyone.wagers import why_not_start
from cardroom.rules.sidebets import SIDE_BETS
from cardroom.rules.twentyone import TwentyOneRules


@dataclass(frozen=True, slots=True)
class Undealt:
    """Wagers of a spot that may not be dealt: all of them, or the side wagers named."""

    side: tuple[str, ...]
    cents: int
    refusal: Refusal


def why_not_stand(rules: TwentyOneRules, wager: SpotWager) -> Refusal | None:
    """Why wagers may not even stand in their circles: because no further chips could make them dealable."""
    refusal = why_not_start(rules, [wager])
    if refusal is None:
        return None
    amounts = (wager.stake_cents, *(cents for _, cents in wager.side))
    known = all(rules.offers(name) and cents > 0 for name, cents in wager.side)
    if not known or wager.stake_cents < 0 or not any(amounts):
        return refusal
    for cents in amounts:
        if cents % rules.limits.chip:
            amount = format_cents(cents, symbol=True)
            reason = f"spot {wager.spot}: {amount} is not in whole chips of {rules.limits.chip}"
            return Refusal(reason, "21-1.14")
    return why_not_start(rules, [_completed(rules, wager)])


def _completed(rules: TwentyOneRules, wager: SpotWager) -> SpotWager:
    """The wager with the fewest chips added that its minimums and its side bets ask for."""
    side = dict(wager.side)
    for name in tuple(side):
        needed = SIDE_BETS[name].needs
        if needed is not None:
            side.setdefault(needed, 0)
    for name, cents in side.items():
        side[name] = max(cents, SIDE_BETS[name].fixed_stake_cents or int(rules.limits.side_min))
    within = [cents for name, cents in side.items() if SIDE_BETS[name].stake == "at_most_primary"]
    stake = max(wager.stake_cents, int(rules.limits.min), *within)
    return SpotWager(wager.spot, wager.player, stake, side)


def dealable(rules: TwentyOneRules, wager: SpotWager) -> tuple[SpotWager | None, tuple[Undealt, ...]]:
    """What of a spot's wagers may be dealt, and what may not, each with its reason.

    Where the primary wager may not be dealt, nothing on the spot is; a side wager goes back alone.
    """
    bare = SpotWager(wager.spot, wager.player, wager.stake_cents)
    refusal = why_not_start(rules, [bare])
    if refusal is not None:
        return None, (Undealt((), wager.total_cents, refusal),)
    undealt: list[Undealt] = []
    side = dict(wager.side)
    while refused := _first_refused(rules, bare, side):
        undealt.append(refused)
        side = {name: cents for name, cents in side.items() if name not in refused.side}
    return SpotWager(wager.spot, wager.player, wager.stake_cents, side), tuple(undealt)


def _first_refused(rules: TwentyOneRules, bare: SpotWager, side: dict[str, int]) -> Undealt | None:
    """The first side wager, in the order of the circles, that may not be dealt with the one it needs."""
    for name, cents in side.items():
        needed = SIDE_BETS[name].needs
        beside = {other: staked for other, staked in side.items() if other in (name, needed)}
        refusal = why_not_start(rules, [SpotWager(bare.spot, bare.player, bare.stake_cents, beside)])
        if refusal is not None:
            return Undealt((name,), cents, refusal)
    return None
