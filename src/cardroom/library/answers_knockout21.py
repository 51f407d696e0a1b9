"""How the library answers for Knockout 21: by the tickets in a draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from cardroom.core.errors import MalformedInput
from cardroom.library.answers import Answers, wager_cents
from cardroom.library.arguments import refuse_others, whole
from cardroom.rules.knockout21 import Knockout21Rules

if TYPE_CHECKING:
    from cardroom.library.numbers import Odds
    from cardroom.library.policy import StrategySource


class Knockout21Answers(Answers):
    """A ticket among as many as there are in a draw."""

    def odds(
        self,
        strategy: StrategySource | None = None,
        *,
        wager: object = None,
        side_wager: object = None,
        shoe: str | None = None,
        tickets: int | None = None,
    ) -> Odds:
        """A ticket in a draw of so many, as many as the lobby speaks of unless told."""
        from cardroom.exact.knockout21.draw_figures import picture
        from cardroom.exact.knockout21.figures import odds_of
        from cardroom.lab.wager_figures import TICKETS
        from cardroom.library.numbers import Odds

        refuse_others(self.title, {"strategy": strategy, "side_wager": side_wager, "shoe": shoe})
        rules = self.game_rules
        assert isinstance(rules, Knockout21Rules)
        wager_cents(rules, wager)  # refused where it is not the price
        usual = max(TICKETS, rules.draws.minimum_tickets)
        number = whole(usual if tickets is None else tickets, "tickets", least=1)
        return Odds(self.title, odds_of(rules, picture(rules, tickets=number)))

    def simulate(self, rounds: int, strategy: StrategySource | None, **named: Any) -> NoReturn:
        """Draws of a lottery are not simulated here."""
        wager_cents(self.game_rules, named["wager"])
        refuse_others(self.title, {"strategy": strategy, "cut_cards": named["cut_cards"]})
        raise MalformedInput(
            f"draws of {self.title} are simulated by `cardroom simulate {self.game.id}`; "
            "here `returns` has them exactly"
        )
