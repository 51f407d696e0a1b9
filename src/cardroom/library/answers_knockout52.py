"""How the library answers for Knockout 52: nothing is decided, and each of the five wagers may be named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cardroom.core.cards import Card
from cardroom.engine import knockout52
from cardroom.engine.contract import CardAwaited
from cardroom.library.answers import Answers, Progress, Seat, wager_cents
from cardroom.library.arguments import refuse_others, seed_of
from cardroom.library.rounds import PLAYER, stake_of
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.round_head import RulesForm

if TYPE_CHECKING:
    from cardroom.library.policy import StrategySource
    from cardroom.sim.result import SimulationResult


class Knockout52Answers(Answers):
    """A layout of cards."""

    @property
    def rules(self) -> Knockout52Rules:
        """The rules as those of Knockout 52."""
        assert isinstance(self.game_rules, Knockout52Rules)
        return self.game_rules

    def simulate(
        self,
        rounds: int,
        strategy: StrategySource | None,
        *,
        seed: int,
        workers: int | None,
        backend: str,
        side_bets: bool,
        wager: object,
        cut_cards: int | None,
        progress: Progress | None,
    ) -> SimulationResult:
        """Deals with every wager laid."""
        from cardroom.library.playing import spread_of
        from cardroom.sim.knockout52 import Knockout52Job
        from cardroom.sim.run import Run

        cents = wager_cents(self.rules, wager)
        refuse_others(self.title, {"strategy": strategy, "cut_cards": cut_cards})
        spread = spread_of(backend, workers, self.rules)
        job = Knockout52Job(self.rules, seed_of(seed), cents or int(self.rules.limits.min))
        return job.report(Run(rounds, spread, progress=progress).of(job))

    def seat(self, bot: StrategySource | None, wager: Mapping[str, object] | object) -> Seat:
        """A player with a wager on Round 1, or on the wagers that are named."""
        refuse_others(self.title, {"bot": bot})
        rules = self.rules
        wagers = wager if isinstance(wager, Mapping) else {"round-1": wager}
        stakes = {name: stake_of(amount, int(rules.limits.min)) for name, amount in wagers.items()}

        def play(cards: Sequence[Card]) -> tuple[str, int]:
            state, _ = knockout52.start(rules, [knockout52.Stakes(PLAYER, stakes)])
            coming = iter(cards)
            while isinstance(knockout52.awaits(state), CardAwaited):
                state, _ = knockout52.step(state, next(coming))
            return knockout52.format_game(state, RulesForm.WHOLE), knockout52.net_cents(state)[PLAYER]

        return play
