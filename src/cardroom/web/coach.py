"""The coach: what each decision cost against the best, and luck and skill apart at the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cardroom.engine import twentyone as engine
from cardroom.web.live.twentyone import FinishedRound


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision beside the best one; the cost is what the difference is worth on average, in cents."""

    chosen: str
    best: str
    cost_cents: float

    def to_json(self) -> dict[str, Any]:
        return {"chosen": self.chosen, "best": self.best, "cost_cents": round(self.cost_cents, 2)}


@dataclass(slots=True)
class Account:
    """A player's play at one table since the server started, on primary wagers."""

    rounds: int = 0
    decisions: int = 0
    judged: int = 0
    mistakes: int = 0
    mistakes_cents: float = 0.0
    expected_cents: float = 0.0
    """What the same wagers bring on average with the best play."""
    net_cents: int = 0

    def to_json(self) -> dict[str, Any]:
        """Luck is what is left of the result when the house's edge and the mistakes are taken out."""
        skill = self.expected_cents - self.mistakes_cents
        return {
            "rounds": self.rounds,
            "decisions": self.decisions,
            "judged": self.judged,
            "mistakes": self.mistakes,
            "mistakes_cents": round(self.mistakes_cents, 2),
            "expected_cents": round(self.expected_cents, 2),
            "net_cents": self.net_cents,
            "luck_cents": round(self.net_cents - skill, 2),
        }


@dataclass(slots=True)
class Coach:
    """The accounts of everybody, by player and table."""

    accounts: dict[tuple[str, str], Account] = field(default_factory=dict)

    def account(self, player: str, table: str) -> Account:
        return self.accounts.setdefault((player, table), Account())

    def judge(
        self, player: str, table: str, stake_cents: int, chosen: str, values: dict[str, float]
    ) -> Verdict | None:
        """Set a decision beside the best; None where the values are not known."""
        account = self.account(player, table)
        account.decisions += 1
        if chosen not in values:
            return None
        best = max(values, key=lambda action: values[action])
        cost = (values[best] - values[chosen]) * stake_cents
        account.judged += 1
        if cost > 0:
            account.mistakes += 1
            account.mistakes_cents += cost
        return Verdict(chosen, best, cost)

    def settle(self, finished: FinishedRound, expected_value: float) -> None:
        """Book a finished round: what it brought, and what its wagers bring on average."""
        _, events = engine.replay(engine.RoundRecord.of(finished.round))
        by_wager = primary_net(events)
        for spot in finished.round.spots:
            account = self.account(finished.players[spot.player], finished.table)
            account.expected_cents += expected_value * spot.stake_cents
        for name, player in finished.players.items():
            account = self.account(player, finished.table)
            account.rounds += 1
            account.net_cents += by_wager.get(name, 0)


def primary_net(events: tuple[engine.Event, ...]) -> dict[str, int]:
    """What each player won or lost on primary wagers."""
    net: dict[str, int] = {}
    for event in events:
        match event:
            case engine.WagerTaken(player=player, wager="primary", stake_cents=cents):
                net[player] = net.get(player, 0) - cents
            case engine.WagerPaid(player=player, wager="primary", payment_cents=cents):
                net[player] = net.get(player, 0) + cents
            case _:
                pass
    return net
