"""A shoe in play as it is written down, so that nothing is lost when the process dies in the middle of it.

The first line says what was committed; every further line holds a round as far as it has come, and a later
line of the same place takes the place of an earlier one. When the shoe is over, its record takes their place.
A shoe that was broken off is finished by the rule of the table: whoever is gone stands.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from cardroom.core.cards import Card
from cardroom.core.errors import CardroomError, MalformedInput
from cardroom.fair.commitment import Commitment
from cardroom.fair.deals import Binding, deal, reshuffled_discards
from cardroom.fair.record import CommittedShoe, canonical, seal, seed_by_origin
from cardroom.fair.replay import replay_of
from cardroom.fair.seeds import Seed, parse_hex
from cardroom.rules import HouseRules, rules_model

OPEN_FORMAT: Final = "cardroom open shoe 1"
ROUND_FORMAT: Final = "cardroom open round 1"
_MOST_CARDS_OF_A_ROUND: Final = 1_000


def opening_line(shoe: CommittedShoe, *, salt: bytes) -> str:
    """What is known of a shoe before its first card; the secret is not in it."""
    return _sealed(
        {
            "commitment": str(shoe.commitment),
            "deck": shoe.binding.deck,
            "format": OPEN_FORMAT,
            "game": shoe.binding.game,
            "origin": shoe.origin,
            "rules": json.loads(shoe.rules.canonical_text()),
            "rules_hash": shoe.binding.rules_hash,
            "salt": salt.hex(),
            "shoe_id": shoe.binding.shoe_id,
        }
    )


def round_line(shoe_id: str, place: int, notation: str) -> str:
    """A burned card or a round, finished or not, and its place in the shoe, counted from 0."""
    return _sealed({"format": ROUND_FORMAT, "place": place, "round": notation, "shoe_id": shoe_id})


def _sealed(fields: dict[str, Any]) -> str:
    return canonical({**fields, "seal": seal("line", fields)})


@dataclass(frozen=True, slots=True)
class OpenShoe:
    """A shoe that was not over when its last line was written."""

    rules: HouseRules
    binding: Binding
    commitment: Commitment
    origin: str
    salt: bytes
    rounds: tuple[str, ...] = ()

    @property
    def own_seed(self) -> Seed | None:
        """The secret of a repeatable shoe, which is no secret."""
        return seed_by_origin(self.origin, self.binding.shoe_id)

    @property
    def last_is_over(self) -> bool:
        """Whether the last round, too, was played to its end."""
        return not self.rounds or replay_of(self.rules).is_over(self.rules, self.rounds[-1])

    def cards_of_last(self) -> tuple[Card, ...]:
        """The cards that were dealt in the last round."""
        return replay_of(self.rules).dealt(self.rules, self.rounds[-1])

    def finished(self, seed: Seed) -> str:
        """The record of the shoe, its last round played to its end by hands that stand."""
        if not self.commitment.opens_to(seed, self.binding):
            raise MalformedInput(f"this is not the secret of shoe {self.binding.shoe_id}")
        endless = self.binding.deck.startswith("infinite")
        count = _MOST_CARDS_OF_A_ROUND if endless else None
        cards = deal(seed, self.binding, salt=self.salt, count=count).cards
        replay = replay_of(self.rules)
        before = [card for notation in self.rounds[:-1] for card in replay.dealt(self.rules, notation)]
        rounds = self.rounds
        if not self.last_is_over:
            coming = cards[len(before) :]
            if before and not endless:  # a shoe that runs out goes on with its discards (21-1.13)
                coming += reshuffled_discards(seed, self.binding, cards[: len(before)], salt=self.salt)
            rounds = (*self.rounds[:-1], replay.stood_out(self.rules, self.rounds[-1], coming))
        if endless:
            cards = cards[: sum(len(replay.dealt(self.rules, notation)) for notation in rounds)]
        shoe = CommittedShoe(self.rules, self.binding, seed, self.origin)
        return shoe.record(cards=cards, rounds=rounds, salt=self.salt)


def is_open_line(line: str) -> bool:
    """Whether a line of a file belongs to a shoe in play."""
    fields = _fields(line)
    return fields is not None and fields.get("format") in (OPEN_FORMAT, ROUND_FORMAT)


def parse_open_shoe(lines: Iterable[str]) -> OpenShoe:
    """Read the lines of one shoe; the last may be torn, since that is when the process died."""
    shoe: OpenShoe | None = None
    for line in lines:
        fields = _fields(line)
        if fields is None:
            continue
        sealed = fields.pop("seal", None)
        if sealed != seal("line", fields):
            raise MalformedInput("a line of the shoe in play does not fit its seal")
        try:
            shoe = _opened(fields) if shoe is None else _with_round(shoe, fields)
        except (KeyError, TypeError, ValueError) as error:
            raise MalformedInput(f"a line of the shoe in play cannot be read: {error}") from None
    if shoe is None:
        raise MalformedInput("there is no line that opens the shoe in play")
    return shoe


def _fields(line: str) -> dict[str, Any] | None:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def _opened(fields: dict[str, Any]) -> OpenShoe:
    if fields["format"] != OPEN_FORMAT:
        raise MalformedInput("the lines of a shoe in play begin with the one that opens it")
    rules = rules_model(fields["game"]).model_validate(fields["rules"])
    if rules.rules_hash != fields["rules_hash"]:
        raise MalformedInput(f"the rules of the shoe in play have the hash {rules.rules_hash}")
    binding = Binding(fields["game"], fields["rules_hash"], fields["shoe_id"], fields["deck"])
    salt = parse_hex(fields["salt"], "a salt")
    return OpenShoe(rules, binding, Commitment.parse(fields["commitment"]), fields["origin"], salt)


def _with_round(shoe: OpenShoe, fields: dict[str, Any]) -> OpenShoe:
    place, notation = fields["place"], fields["round"]
    if fields["format"] != ROUND_FORMAT or fields["shoe_id"] != shoe.binding.shoe_id:
        raise MalformedInput("a line of another shoe stands among those of the shoe in play")
    if not isinstance(notation, str) or place not in (len(shoe.rounds) - 1, len(shoe.rounds)):
        raise MalformedInput("a round of the shoe in play is not in its place")
    return replace(shoe, rounds=(*shoe.rounds[:place], notation))


def seed_in_envelope(text: str | None, shoe: OpenShoe) -> Seed | None:
    """The secret of a shoe in play: its own if it is repeatable, else what the envelope holds for it."""
    try:
        seed = shoe.own_seed or (None if text is None else Seed.parse(text.strip()))
    except (CardroomError, ValueError):
        return None
    return seed if seed is not None and shoe.commitment.opens_to(seed, shoe.binding) else None
