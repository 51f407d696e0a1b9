"""The record of a shoe after its last card: all that a stranger needs to deal it again.

A record is one line of canonical JSON (sorted keys, no spaces), so a file of several is JSON Lines. Every
field has a seal, the hash of its value, so that a byte changed anywhere is named by `cardroom.fair.verify`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cardroom.core.cards import Card, format_cards
from cardroom.fair.commitment import Commitment, commit
from cardroom.fair.deals import Binding, deal
from cardroom.fair.encoding import encode
from cardroom.fair.salts import Salts
from cardroom.fair.seeds import Seed, repeatable_seed
from cardroom.rules import HouseRules

FORMAT: Final = "cardroom shoe 1"
SALTED_FORMAT: Final = "cardroom shoe 2"
"""A record with the players' salts, as the house's tables write it."""
FRESH: Final = "operating system"
_REPEATABLE: Final = "repeatable seed "
_SEAL_LABEL: Final = "cardroom/seal/1"


@dataclass(frozen=True, slots=True)
class CommittedShoe:
    """A shoe before its cards are known: the house holds the seed, everybody sees the commitment."""

    rules: HouseRules
    binding: Binding
    seed: Seed
    origin: str

    @classmethod
    def of(
        cls, rules: HouseRules, *, shoe_id: str, deck: str, seed: Seed, repeatable: int | None = None
    ) -> CommittedShoe:
        """Bind a seed to the rules, a shoe and a deck; `repeatable` is the number a seed was made from."""
        origin = FRESH if repeatable is None else f"{_REPEATABLE}{repeatable}"
        return cls(rules, Binding(rules.game, rules.rules_hash, shoe_id, deck), seed, origin)

    @property
    def commitment(self) -> Commitment:
        return commit(self.seed, self.binding)

    def cards(self, *, salt: bytes = b"", count: int | None = None) -> tuple[Card, ...]:
        """The cards in dealing order, once the player's salt is known."""
        return deal(self.seed, self.binding, salt=salt, count=count).cards

    def record(
        self,
        *,
        cards: tuple[Card, ...],
        rounds: tuple[str, ...],
        salt: bytes = b"",
        salts: Salts | None = None,
    ) -> str:
        """The line of the record: the secret revealed, the cards, and the notation of every round.

        With the players' `salts`, `salt` is the cut alone, and the deal's salt is made of all of them.
        """
        fields: dict[str, Any] = {
            "cards": format_cards(cards),
            "commitment": str(self.commitment),
            "deck": self.binding.deck,
            "format": FORMAT,
            "game": self.binding.game,
            "origin": self.origin,
            "rounds": list(rounds),
            "rules": json.loads(self.rules.canonical_text()),
            "rules_hash": self.binding.rules_hash,
            "salt": salt.hex(),
            "secret": str(self.seed),
            "shoe_id": self.binding.shoe_id,
        }
        if salts is not None:
            fields |= {
                "cut": salt.hex(),
                "format": SALTED_FORMAT,
                "salt": salts.joint(salt).hex(),
                "salts": salts.shown(),
            }
        return canonical({**fields, "seals": {name: seal(name, value) for name, value in fields.items()}})


FIELDS: Final[Mapping[str, type]] = {
    "cards": str,
    "commitment": str,
    "deck": str,
    "format": str,
    "game": str,
    "origin": str,
    "rounds": list,
    "rules": dict,
    "rules_hash": str,
    "salt": str,
    "seals": dict,
    "secret": str,
    "shoe_id": str,
}
"""What stands in a record, and as what."""
SALTED_FIELDS: Final[Mapping[str, type]] = {**FIELDS, "cut": str, "salts": list}
"""The same with the players' salts."""


def fields_of(format_name: object) -> Mapping[str, type]:
    """What stands in a record of a format, and as what."""
    return SALTED_FIELDS if format_name == SALTED_FORMAT else FIELDS


def canonical(value: Any) -> str:
    """The one JSON text of a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def seal(name: str, value: Any) -> str:
    """The hash that a field carries, to tell a field that was changed from one that never fitted."""
    return hashlib.sha256(encode(_SEAL_LABEL, name, canonical(value))).hexdigest()


def seed_by_origin(origin: str, shoe_id: str) -> Seed | None:
    """The seed that the origin says the shoe had; None for a fresh one, which nobody could know before."""
    if origin == FRESH:
        return None
    number = origin.removeprefix(_REPEATABLE)
    if number == origin or not (number.isascii() and number.isdecimal() and len(number) <= 20):
        raise ValueError(origin)
    return repeatable_seed(int(number), shoe_id)
