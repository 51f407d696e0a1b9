"""The rules of a table that the house runs."""

from __future__ import annotations

from collections.abc import Mapping

from cardroom.core.errors import MalformedInput
from cardroom.games import GAMES
from cardroom.rules import load_rules_as, rules_model
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.twentyone.meters import seeds as meter_seeds


def rules_of(game: str, options: Mapping[str, object]) -> TwentyOneRules:
    """The rules of a table; an option that is not allowed is refused."""
    played = [one.id for one in GAMES.values() if rules_model(one.id) is TwentyOneRules]
    if game not in played:
        raise MalformedInput(
            f"{game[:40]!r} is not played at these tables; the games are {', '.join(played)}"
        )
    return load_rules_as(TwentyOneRules, game, options)


def without_meters(rules: TwentyOneRules, options: Mapping[str, object]) -> dict[str, object]:
    """The options by which a private table has no meter but those that its owner asks for by name."""
    keys = (f"side_bets.{wager}.offered" for wager in meter_seeds(rules))
    return {key: False for key in keys if not options.get(key)}
