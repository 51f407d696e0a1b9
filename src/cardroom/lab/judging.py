"""A finished round judged: what each decision cost against the best, and luck and skill apart.

A round is judged from its notation alone. Values are those of a fresh shoe, as advice has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import Any, Final

from cardroom.engine import twentyone as engine
from cardroom.engine.playing import steps
from cardroom.rules import parse_rules
from cardroom.rules.twentyone import TwentyOneRules

_PLAYED_OUT: Final = ("primary", "insurance")
"""The wagers that decisions are about."""


@dataclass(frozen=True, slots=True)
class Books:
    """A player's play: decisions, mistakes, and what the wagers that decisions are about brought."""

    rounds: int = 0
    decisions: int = 0
    judged: int = 0
    mistakes: int = 0
    mistakes_cents: float = 0.0
    expected_cents: float = 0.0
    """What the same wagers bring on average with the best play."""
    net_cents: int = 0

    @classmethod
    def of(cls, plain: Mapping[str, float]) -> Books:
        """The books of a record."""
        return cls(
            rounds=int(plain["rounds"]),
            decisions=int(plain["decisions"]),
            judged=int(plain["judged"]),
            mistakes=int(plain["mistakes"]),
            mistakes_cents=plain["mistakes_cents"],
            expected_cents=plain["expected_cents"],
            net_cents=int(plain["net_cents"]),
        )

    def __add__(self, other: Books) -> Books:
        return Books(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    @property
    def luck_cents(self) -> float:
        """What is left of the result when the house's edge and the mistakes are taken out."""
        return self.net_cents - (self.expected_cents - self.mistakes_cents)

    def to_json(self) -> dict[str, Any]:
        body = {**asdict(self), "luck_cents": self.luck_cents}
        return {name: round(value, 2) if isinstance(value, float) else value for name, value in body.items()}


def judged_round(notation: str, rules_text: str) -> dict[str, Books]:
    """One finished round in the books of each of its players, by their names at the table."""
    from cardroom.lab.advice import advice, solved

    record = engine.parse_round(notation, _rules(rules_text))
    opening = record.opening
    state, started = engine.start(
        opening.rules, opening.wagers, opening.shoe, discards=opening.discards, meters=dict(opening.meters)
    )
    books = {wager.player: Books(rounds=1) for wager in opening.wagers}
    for wager in opening.wagers:
        value = solved(opening.rules, wager.stake_cents).expected_value
        books[wager.player] += Books(expected_cents=value * wager.stake_cents)
    events_so_far = list(started)
    for before, chosen, _, events in steps(engine.step, state, record.inputs):
        if before.options and isinstance(chosen, engine.PlayerAction):
            best, name = advice(before), before.spots[before.turn].player
            books[name] += _decided(best.cost_cents(chosen) if best is not None else None)
        events_so_far += events
    for name, cents in _net(events_so_far, _PLAYED_OUT).items():
        books[name] += Books(net_cents=cents)
    return books


def judged_with_side_wagers(notation: str, rules_text: str) -> dict[str, Books]:
    """The same with side wagers and the Super Bonus: nothing is decided about them, so they are luck alone
    beside what they bring on average.
    """
    rules = _rules(rules_text)
    record = engine.parse_round(notation, rules)
    opening = record.opening
    books = judged_round(notation, rules_text)
    _, events = engine.replay(notation, rules)
    net = _net(events)
    played_out = _net(events, _PLAYED_OUT)
    meters = {event.wager: event.meter_cents for event in events if isinstance(event, engine.MeterRaised)}
    for wager in opening.wagers:
        expected = _super_bonus_cents(rules_text, wager.stake_cents)
        for name, cents in wager.side:
            expected += _side_value(rules_text, name, cents, meters.get(name)) * cents
        books[wager.player] += Books(expected_cents=expected)
    for player in books:
        books[player] += Books(net_cents=net.get(player, 0) - played_out.get(player, 0))
    return books


def _rules(text: str) -> TwentyOneRules:
    rules = parse_rules(text)
    assert isinstance(rules, TwentyOneRules)
    return rules


@lru_cache(maxsize=256)
def _side_value(rules_text: str, wager: str, cents: int, meter_cents: int | None) -> float:
    from cardroom.exact.sidebets import side_bet_figures

    figures = side_bet_figures(_rules(rules_text), wager, stake_cents=cents, meter_cents=meter_cents)
    return float(figures.expected_value)


@lru_cache(maxsize=64)
def _super_bonus_cents(rules_text: str, stake_cents: int) -> float:
    from cardroom.exact.sidebets import super_bonus_figures

    rules = _rules(rules_text)
    if not rules.super_bonus.offered:
        return 0.0
    return float(super_bonus_figures(rules, stake_cents).expected_value) * stake_cents


def _decided(cost_cents: float | None) -> Books:
    if cost_cents is None:
        return Books(decisions=1)
    mistake = cost_cents > 0
    return Books(decisions=1, judged=1, mistakes=int(mistake), mistakes_cents=max(cost_cents, 0.0))


def _net(events: Iterable[engine.Event], wagers: tuple[str, ...] | None = None) -> dict[str, int]:
    """What each player won or lost, on some wagers or on all."""
    net: dict[str, int] = {}
    for (player, wager), cents in engine.net_by_wager(events).items():
        if wagers is None or wager in wagers:
            net[player] = net.get(player, 0) + cents
    return net
