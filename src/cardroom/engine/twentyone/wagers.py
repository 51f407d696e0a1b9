"""The wagers before the first card, checked by the dealer (PROC-9)."""

from __future__ import annotations

from collections.abc import Sequence

from cardroom.core.money import format_cents
from cardroom.core.refusal import Refusal
from cardroom.engine.twentyone.state import SpotWager
from cardroom.rules.bets.bet import LIMITED_BY_PRIMARY
from cardroom.rules.twentyone import TwentyOneRules


def why_not_start(rules: TwentyOneRules, wagers: Sequence[SpotWager]) -> Refusal | None:
    """Why no round can start with these wagers, or None when it can."""
    if not wagers:
        return Refusal("a round needs at least one wager", "21-1.3")
    owners: dict[int, str] = {}
    for wager in wagers:
        refusal = _why_not_spot(rules, wager, owners) or _why_not_primary(rules, wager)
        if refusal is None and wager.side:
            refusal = _why_not_side(rules, wager)
        if refusal is not None:
            return refusal
        owners[wager.spot] = wager.player
    return None


def _why_not_spot(rules: TwentyOneRules, wager: SpotWager, owners: dict[int, str]) -> Refusal | None:
    spots = rules.procedure.spots
    if not 1 <= wager.spot <= spots:
        return Refusal(f"there is no spot {wager.spot}; the spots are 1 to {spots}", "PROC-3")
    if not wager.player.strip() or not wager.player.isprintable():
        return Refusal(f"{wager.player!r} is not a player's name; write it in letters on one line", "PROC-3")
    owner = owners.get(wager.spot)
    if owner == wager.player:
        return Refusal(f"spot {wager.spot} is given twice; give all its wagers together", "PROC-9")
    if owner is not None:
        return Refusal(f"spot {wager.spot} is played by {owner}; a spot has one player", "PROC-3")
    return None


def _why_not_primary(rules: TwentyOneRules, wager: SpotWager) -> Refusal | None:
    limits, cents = rules.limits, wager.stake_cents
    if not limits.min <= cents <= limits.max:
        allowed = f"{limits.min} to {limits.max}" if limits.min < limits.max else f"{limits.min} only"
        return Refusal(
            f"spot {wager.spot}: a wager of {_money(cents)} is off the limits: {allowed}", "PROC-2"
        )
    if cents % limits.chip:
        return Refusal(
            f"spot {wager.spot}: a wager of {_money(cents)} is not in whole chips of {limits.chip}", "21-1.14"
        )
    return None


def _why_not_side(rules: TwentyOneRules, wager: SpotWager) -> Refusal | None:
    placed = dict(wager.side)
    for name, cents in wager.side:
        if not rules.offers(name):
            offered = ", ".join(rules.offered_side_bets) or "none"
            return Refusal(
                f"side bet {name!r} is not on offer here; on offer: {offered}", rules.clause("side_bets")
            )
        bet = rules.side_bets[name]
        if bet.needs is not None and bet.needs not in placed:
            needed = rules.side_bets[bet.needs].title
            return Refusal(f"spot {wager.spot}: {bet.title} needs {needed} on the same hand", bet.clause)
        refusal = _why_not_side_stake(rules, wager, name, cents)
        if refusal is not None:
            return refusal
    return None


def _why_not_side_stake(rules: TwentyOneRules, wager: SpotWager, name: str, cents: int) -> Refusal | None:
    bet, limits = rules.side_bets[name], rules.limits
    wager_words = f"spot {wager.spot}: {_money(cents)} on {bet.title}"
    if bet.stake == "fixed":
        if cents != bet.fixed_stake_cents:
            return Refusal(f"{wager_words} is not its stake of {_money(bet.fixed_stake_cents)}", bet.clause)
        return None
    if bet.at_most is not None:
        primary = bet.at_most == LIMITED_BY_PRIMARY
        most = wager.stake_cents if primary else dict(wager.side).get(bet.at_most, 0)
        if cents > most:
            other = "the primary wager" if primary else rules.side_bets[bet.at_most].title
            return Refusal(f"{wager_words} is more than {other} of {_money(most)}", bet.clause)
    if not limits.side_min <= cents <= limits.side_max:
        allowed = f"{limits.side_min} to {limits.side_max}"
        return Refusal(f"{wager_words} is off the limits: {allowed}", rules.clause("side_limits"))
    if cents % limits.chip:
        return Refusal(f"{wager_words} is not in whole chips of {limits.chip}", "21-1.14")
    return None


def _money(cents: int) -> str:
    return format_cents(cents, symbol=True)
