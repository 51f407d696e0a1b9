"""Wagers on their way to the first card: chips are put down one by one, and checked together (PROC-9)."""

from __future__ import annotations

from dataclasses import dataclass

from cardroom.core.refusal import Refusal
from cardroom.engine.twentyone.state import SpotWager
from cardroom.engine.twentyone.wagers import why_not_start
from cardroom.rules.bets.bet import LIMITED_BY_PRIMARY
from cardroom.rules.options import Cents
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
            reason = f"spot {wager.spot}: {Cents(cents)} is not in whole chips of {rules.limits.chip}"
            return Refusal(reason, "21-1.14")
    return why_not_start(rules, [_completed(rules, wager)])


def _completed(rules: TwentyOneRules, wager: SpotWager) -> SpotWager:
    """The wager with the fewest chips added that its minimums and its side bets ask for."""
    stake, side = max(wager.stake_cents, int(rules.limits.min)), dict(wager.side)
    for _ in rules.side_bets:  # a bet may lean on another, and that on a third
        for name in tuple(side):
            bet = rules.side_bets[name]
            side[name] = max(side[name], bet.fixed_stake_cents or int(rules.limits.side_min))
            if bet.needs is not None:
                side.setdefault(bet.needs, 0)
            if bet.at_most == LIMITED_BY_PRIMARY:
                stake = max(stake, side[name])
            elif bet.at_most is not None:
                side[bet.at_most] = max(side.get(bet.at_most, 0), side[name])
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
    """A side wager that may not be dealt; where it leans on one that may not, that one comes first."""
    refused = {name: refusal for name in side if (refusal := _why_not(rules, bare, side, name)) is not None}
    if not refused:
        return None
    alone = [name for name in refused if not (_leans_on(rules, name) - {name}) & refused.keys()]
    name = (alone or list(refused))[0]
    return Undealt((name,), side[name], refused[name])


def _why_not(rules: TwentyOneRules, bare: SpotWager, side: dict[str, int], name: str) -> Refusal | None:
    """Why one side wager may not be dealt beside the others that it leans on."""
    leans_on = _leans_on(rules, name)
    beside = {other: cents for other, cents in side.items() if other in leans_on}
    return why_not_start(rules, [SpotWager(bare.spot, bare.player, bare.stake_cents, beside)])


def _leans_on(rules: TwentyOneRules, name: str) -> set[str]:
    """A side bet, and all without which it may not stand."""
    bets: set[str] = set()
    waiting: list[str | None] = [name]
    while waiting:
        one = waiting.pop()
        if one in rules.side_bets and one not in bets:
            bets.add(one)
            waiting += [rules.side_bets[one].needs, rules.side_bets[one].at_most]
    return bets
