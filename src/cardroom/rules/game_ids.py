"""The id of a game as a field of data that come from outside: checked, and listed in JSON Schemas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from cardroom.core.errors import CardroomError
from cardroom.games import GAMES, Game


def _every(_game: Game) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class GameWhich:
    """Of a text that it is the id of a game which fits; asked of the registry each time."""

    fits: Callable[[Game], bool] = _every

    def ids(self) -> list[str]:
        return [game.id for game in GAMES.values() if self.fits(game)]

    def _checked(self, text: str) -> str:
        try:
            game = GAMES.find(text)
        except CardroomError as error:
            raise ValueError(str(error)) from None
        if not self.fits(game):
            raise ValueError(f"{text} is not one of the games here: {', '.join(self.ids())}")
        return text

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._checked, handler(str))

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {"type": "string", "enum": self.ids()}


KnownGame = Annotated[str, GameWhich()]
"""The id of any game."""
