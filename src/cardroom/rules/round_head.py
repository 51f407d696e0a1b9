"""The rules at the head of a written round: their game and hash, and what it takes to read them back.

    game players-edge-21
    rules 3c5b…
    set decks = 8
    house {"bonus_21":{…},…}

The short form names the options that differ from the game's own rules, as those are today. The whole form
adds the canonical text of all rules, so that the round can be read when the game's own rules have changed.
Where the rules are stored beside the round, the head is its game and hash alone.
"""

from __future__ import annotations

import json
from enum import Enum
from typing import Final, TypeVar

from cardroom.core.errors import MalformedInput
from cardroom.rules.base import HouseRules
from cardroom.rules.loader import load_rules, load_rules_as, parse_rules

Rules = TypeVar("Rules", bound=HouseRules)
_WORDS: Final = ("game", "rules", "set", "house")


class RulesForm(Enum):
    """How much of the rules a written round carries."""

    SHORT = "short"
    """The options that differ from today's own rules of the game."""
    WHOLE = "whole"
    """Those, and the canonical text of all rules: a text that stands on its own for ever."""
    APART = "apart"
    """The hash alone; the rules are kept beside the round."""


def rules_lines(rules: HouseRules, form: RulesForm) -> list[str]:
    """The head of a written round."""
    lines = [f"game {rules.game}", f"rules {rules.rules_hash}"]
    if form is not RulesForm.APART:
        differences = rules.differences(load_rules(rules.game))
        lines += [
            f"set {key} = {json.dumps(value, ensure_ascii=False)}"
            for key, (value, _) in sorted(differences.items())
        ]
    if form is RulesForm.WHOLE:
        lines.append(f"house {rules.canonical_text()}")
    return lines


def shown(text: str) -> str:
    """A written round without the text of all its rules, for people to look at."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("house "))


class RulesHead:
    """The head of a round as it is read, line by line."""

    def __init__(self) -> None:
        self._once: dict[str, str] = {}
        self._set: dict[str, object] = {}

    def takes(self, line: str) -> bool:
        """Take a line of the head; False for any other line."""
        word, _, rest = line.partition(" ")
        if word not in _WORDS or (word != "set" and word in self._once):
            return False
        if word == "set":
            key, value = _parse_set(line, rest)
            self._set[key] = value
        else:
            self._once[word] = rest.strip()
        return True

    def rules(self, model: type[Rules], beside: Rules | None = None) -> Rules:
        """The rules of the round: those kept beside it, those written in it, or today's with changes."""
        if "game" not in self._once or "rules" not in self._once:
            raise MalformedInput("the text of a round begins with its 'game' and the hash of its 'rules'")
        game, rules_hash = self._once["game"], self._once["rules"]
        if beside is not None:
            rules = beside
        elif "house" in self._once:
            written = parse_rules(self._once["house"])
            if not isinstance(written, model):
                raise MalformedInput(f"{written.game} is not the game of such a text")
            rules = written
        else:
            rules = load_rules_as(model, game, self._set)
        if rules.game != game:
            raise MalformedInput(f"the rules are of {rules.game}, and the text says {game[:40]}")
        if beside is not None and rules.rules_hash != rules_hash:
            raise MalformedInput(
                f"the round was played by other rules, {rules_hash[:12]}…, than those kept beside it"
            )
        if rules.rules_hash != rules_hash:
            lasting = (
                ""
                if "house" in self._once
                else f"; {game}'s own rules have changed since, or the text has: "
                "the whole text, with its 'house' line, can be read at any time"
            )
            raise MalformedInput(
                f"the options written here make rules {rules.rules_hash[:12]}…, not {rules_hash[:12]}…"
                + lasting
            )
        options = rules.flat()
        for key, value in self._set.items():
            if key not in options or options[key] != value:
                raise MalformedInput(f"the rules of this round do not say {key} = {json.dumps(value)}")
        return rules


def is_head(line: str) -> bool:
    """Whether a line belongs to the head."""
    return line.partition(" ")[0] in _WORDS


def _parse_set(line: str, rest: str) -> tuple[str, object]:
    key, equals, value = rest.partition(" = ")
    try:
        if equals:
            return key.strip(), json.loads(value)
    except json.JSONDecodeError:
        pass
    raise MalformedInput(f"{line[:60]!r} is not an option; write it like: set decks = 8")
