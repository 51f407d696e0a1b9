"""What every game's house rules share: identity, canonical text, hash, plain words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Self

from cardroom.core.money import Currency
from cardroom.rules.game_ids import KnownGame
from cardroom.rules.options import Options, OptionWords, Title


class HouseRules(Options):
    """The house rules of one game. Everything else in the project is a use of such a record."""

    game: KnownGame
    title: Title
    currency: Currency

    def canonical_text(self) -> str:
        """The one text of these rules: JSON with sorted keys and no spaces; equal rules, equal text.

        An option at the value that its absence means is left out (see `option`), so that a new option changes
        no text, and no hash, of rules that do not use it.
        """
        return self._text

    @cached_property
    def _text(self) -> str:
        return json.dumps(self.canonical(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    @cached_property
    def rules_hash(self) -> str:
        """SHA-256 of the canonical text, in hexadecimal; stored with every round and figure."""
        return hashlib.sha256(self.canonical_text().encode()).hexdigest()

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Changed rules have a text and a hash of their own."""
        copied = super().model_copy(update=update, deep=deep)
        for worked_out in ("_text", "rules_hash"):
            copied.__dict__.pop(worked_out, None)
        return copied

    def flat(self) -> dict[str, Any]:
        """Every option by its dotted key, as it stands in a rules file."""
        return dict(_flat(self.option_tree()))

    def sentences(self) -> list[tuple[str, str, str]]:
        """The rules in plain words: (dotted key, sentence, clause id), in the order of the schema."""
        return [
            (key, about + words.say(value), words.clause_for(self.game))
            for key, about, value, words in _declared(self)
        ]

    def idle_options(self) -> set[str]:
        """The options that do nothing given the others, as their fields say, by their keys."""
        return {key for key, _, _, words in _declared(self) if words.idle is not None and words.idle(self)}

    def differences(self, other: HouseRules) -> dict[str, tuple[Any, Any]]:
        """The options in which these rules differ from others: key → (here, there)."""
        if self.rules_hash == other.rules_hash:
            return {}
        here, there = self.flat(), other.flat()
        keys = [*here, *(key for key in there if key not in here)]
        return {key: (here.get(key), there.get(key)) for key in keys if here.get(key) != there.get(key)}


def _flat(tree: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _declared(
    group: Options, prefix: str = "", about: str = ""
) -> Iterator[tuple[str, str, Any, OptionWords]]:
    """Every option: its key, what its words are about (the side bet or the titled group that it belongs to),
    value and words."""
    for name, value, words in group.worded():
        if isinstance(value, Options):
            field = type(group).model_fields.get(name)
            title = f"{field.title}: " if field is not None and field.title else about
            yield from _declared(value, f"{prefix}{name}.", title)
        elif isinstance(value, Mapping):
            titles = {key: getattr(inner, "title", None) or key for key, inner in value.items()}
            for key, inner in value.items():
                for option, said_of, said, its in _declared(
                    inner, f"{prefix}{name}.{key}.", f"{titles[key]}: "
                ):
                    another = titles.get(said) if isinstance(said, str) else None
                    yield option, said_of, another or said, its
        if words is not None:
            yield prefix + name, about, value, words
