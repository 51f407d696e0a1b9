"""Rules by their hash: every record names the rules it was made under, and they are kept once."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeVar

from sqlalchemy import select

from cardroom.core.errors import Conflict
from cardroom.rules import HouseRules, parse_rules
from cardroom.store import schema

if TYPE_CHECKING:
    from cardroom.store.database import Database

_AT_HAND: Final = 200

Rules = TypeVar("Rules", bound=HouseRules)


@lru_cache(maxsize=_AT_HAND)
def _parsed(text: str, _model: type[HouseRules]) -> HouseRules:
    """Rules never change: a house that is opened again in the same process need not read them again."""
    return parse_rules(text)


class RulesBook:
    """The rules that a database keeps; those asked for lately are at hand."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._at_hand: OrderedDict[str, HouseRules] = OrderedDict()

    def keep(self, rules: HouseRules) -> None:
        """Have rules at hand."""
        self._at_hand[rules.rules_hash] = rules
        self._at_hand.move_to_end(rules.rules_hash)
        while len(self._at_hand) > _AT_HAND:
            self._at_hand.popitem(last=False)

    def find(self, model: type[Rules], rules_hash: str) -> Rules:
        """The rules of a hash, of one family of games."""
        rules = self._at_hand.get(rules_hash)
        if rules is None:
            with self._database.read() as connection:
                statement = select(schema.rules.c.text).where(schema.rules.c.hash == rules_hash)
                text = connection.execute(statement).scalar()
            if text is None:
                raise Conflict(f"the rules {rules_hash[:12]}… are not in this database")
            rules = _parsed(text, model)
        if not isinstance(rules, model):
            raise Conflict(f"the rules {rules_hash[:12]}… are of {rules.game}")
        self.keep(rules)
        return rules
