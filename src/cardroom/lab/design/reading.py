"""A designer's file: side bets alone, or the rules of a house; all that is wrong with it, each at its place.

A file with `game` or `extends` holds house rules. One with `[side_bets.NAME]` alone holds side bets, and so
does one that is a bet itself, as the files of the shelf are: its name is then that of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as File
from typing import Any, Final

from pydantic import ValidationError

from cardroom.core.decks import DeckKind
from cardroom.core.errors import MalformedInput
from cardroom.core.toml_text import NotToml, read_toml
from cardroom.games import BLACKJACK
from cardroom.rules import HouseRules, known_game, rules_model
from cardroom.rules.bets import SideBet
from cardroom.rules.bets.bet import LIMITED_BY_PRIMARY
from cardroom.rules.bets.checks import lines_never_won
from cardroom.rules.explain import Misplaced, Path, findings, nearest
from cardroom.rules.loader import rules_text, rules_tree, with_changes
from cardroom.rules.places import line_at, places_of
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.side_bets import limited_by_itself, line_names, side_bet_tree

_BETS: Final = "side_bets"
_OF_A_SHELF: Final = ("about", "source", "published")
"""What a file of the shelf says about its bet besides the bet."""
_AT_LINE: Final = re.compile(r"(.*) \(at line (\d+), column \d+\)")
_KEY: Final = re.compile(r"[a-z][a-z0-9_+-]*(?:\.[a-z0-9_+-]+)*")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: its line and its key in the file, and what it is."""

    line: int
    path: Path
    words: str

    @property
    def key(self) -> str:
        """The key with lines counted as people count: `side_bets.own.lines.2.pays`."""
        return ".".join(str(part + 1) if isinstance(part, int) else part for part in self.path)

    def said(self, file: str) -> str:
        words = " ".join(self.words.split())
        return f"{file}:{self.line}: {self.key}: {words}" if self.path else f"{file}:{self.line}: {words}"


class WrongFile(MalformedInput):
    """A file with faults, in the order of its lines."""

    def __init__(self, file: str, faults: list[Fault]) -> None:
        self.faults = tuple(sorted(faults, key=lambda fault: fault.line))
        self.lines = tuple(fault.said(file) for fault in self.faults)
        super().__init__("; ".join(self.lines))


@dataclass(frozen=True, slots=True)
class Design:
    """What a file holds: rules, and which of their side bets are looked at."""

    rules: HouseRules
    wagers: tuple[str, ...]
    is_rules: bool
    """Whether the file holds the rules of a house, and not side bets alone."""


def read_file(file: File, game: str | None = None, changes: Mapping[str, object] | None = None) -> Design:
    """Read a designer's file; side bets alone are put on a game, Blackjack unless told."""
    text = rules_text(file)
    tree = _parsed(text, file.name)
    key = next((key for key in ("extends", "game") if key in tree), None)
    if key is not None:
        try:
            base = rules_tree(file)
            of_game = known_game(str(base.get("game")))
        except MalformedInput as error:
            fault = Fault(line_at(places_of(text), (key,)), (key,), error.message)
            raise WrongFile(file.name, [fault]) from None
        if game is not None and of_game != known_game(game):
            raise MalformedInput(f"{file.name} holds house rules of {of_game}, not of {game}")
        return _Reading(file.name, text, tree, base, changes).design(is_rules=True)
    return read_bets(text, file.name, game, changes)


def read_bets(
    text: str, name: str, game: str | None = None, changes: Mapping[str, object] | None = None
) -> Design:
    """Read the text of a file of side bets alone, and put them on a game."""
    base = rules_tree(known_game(game or BLACKJACK.id))
    if not issubclass(rules_model(base["game"]), TwentyOneRules):
        raise MalformedInput(f"{base['game']} has no side bets; those of the blackjack family have")
    return _Reading(name, text, _parsed(text, name), base, changes).design(is_rules=False)


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        return read_toml(text)
    except NotToml as error:
        match = _AT_LINE.fullmatch(error.message)
        words, line = (match[1], int(match[2])) if match else (error.message, text.count("\n") + 1)
        words = words.removesuffix(" (at end of document)")
        raise WrongFile(name, [Fault(line, (), f"this is not valid TOML: {words.lower()}")]) from None


class _Reading:
    """One file as it is read: its bets first, each for itself, then what they ask of each other, then all."""

    def __init__(
        self,
        name: str,
        text: str,
        tree: dict[str, Any],
        base: dict[str, Any],
        changes: Mapping[str, object] | None,
    ) -> None:
        self.name = name
        self.base = base
        self.changes = changes or {}
        self.places = places_of(text)
        self.alone: str | None = None
        """The name of the bet where the file is that bet itself."""
        if tree.keys() & {"lines", "looks_at", "like"}:
            self.alone = re.sub(r"[^a-z0-9+-]+", "-", File(name).stem.lower()).strip("-")[:40] or "own"
            bet = {key: value for key, value in tree.items() if key not in _OF_A_SHELF}
            tree = {_BETS: {self.alone: bet}}
        self.tree = tree

    def design(self, *, is_rules: bool) -> Design:
        written = self._written(is_rules=is_rules)
        known = self.base.get(_BETS, {})
        bets = written if is_rules else {**known, **written}
        checked = {wager: self._checked(wager, bets) for wager in bets}
        faults = [fault for _, own in checked.values() for fault in own]
        sound = {wager: bet for wager, (bet, _) in checked.items() if bet is not None}
        if not faults:
            faults = list(self._together(sound))
        if not faults:
            faults = [fault for wager in written for fault in self._lost_lines(wager, sound[wager])]
        self._refuse(faults)
        rules = self._rules({**self.base, _BETS: bets} if bets else self.base)
        offered = rules.offered_side_bets if isinstance(rules, TwentyOneRules) else ()
        return Design(rules, tuple(name for name in offered if is_rules or name in written), is_rules)

    def _written(self, *, is_rules: bool) -> dict[str, object]:
        """The bets of the file; for rules those of all files that they extend."""
        tree = self.base if is_rules else self.tree
        if not is_rules:
            others = [key for key in tree if key != _BETS]
            if others or _BETS not in tree:
                about = f"{others[0]!r} is no bet{nearest(others[0], [_BETS])}" if others else "it is empty"
                words = (
                    f"{about}; a file of side bets has [side_bets.NAME] for each, or the keys of one bet "
                    '(title, looks_at, lines, or like); house rules say game = "…" or extends = "…"'
                )
                self._refuse([self._fault((others[0],) if others else (), words)])
        bets = tree.get(_BETS, {})
        if not isinstance(bets, Mapping):
            self._refuse([self._fault((_BETS,), "side_bets is a group with a side bet for each name")])
        return dict(bets)

    def _fault(self, path: Path, words: str) -> Fault:
        shown = path
        if self.alone is not None and path[:2] == (_BETS, self.alone):
            shown = path[2:]
        return Fault(line_at(self.places, shown), shown, words)

    def _refuse(self, faults: list[Fault]) -> None:
        if faults:
            raise WrongFile(self.name, faults)

    def _checked(self, wager: str, bets: Mapping[str, object]) -> tuple[SideBet | None, list[Fault]]:
        """A bet by itself, or all that is wrong with it."""
        try:
            tree = side_bet_tree(wager, bets)
        except Misplaced as error:
            return None, [self._fault((_BETS, *error.path), error.words)]
        except MalformedInput as error:
            return None, [self._fault((_BETS, wager), error.message)]
        try:
            return SideBet.model_validate(tree), []
        except ValidationError as errors:
            faults = findings(errors, SideBet, "", more_options=line_names(wager, tree))
            return None, [self._fault((_BETS, wager, *one.path), one.words) for one in faults]

    def _together(self, bets: Mapping[str, SideBet]) -> Iterator[Fault]:
        """What bets ask of each other: none in a circle, and each of one that is there."""
        for wager, bet in bets.items():
            chain = [wager]
            while (needed := bets[chain[-1]].needs) in bets and needed not in chain:
                chain.append(str(needed))
            if needed == wager:
                circle = " → ".join([*chain, wager])
                words = f"side bets need each other in a circle: {circle}"
                yield self._fault((_BETS, wager, "needs"), words)
            if bet.at_most == wager:
                yield self._fault((_BETS, wager, "at_most"), limited_by_itself(wager))
            for key, other in (("needs", bet.needs), ("at_most", bet.at_most)):
                there = other in (None, LIMITED_BY_PRIMARY) or (other in bets and bets[str(other)].offered)
                if bet.offered and not there:
                    yield self._fault((_BETS, wager, key), f"there is no side bet {other!r} on offer here")

    def _lost_lines(self, wager: str, bet: SideBet) -> Iterator[Fault]:
        deck: DeckKind = "spanish" if self.base.get("deck") == "spanish" else "standard"
        for place, words in lines_never_won(bet, deck) if bet.offered else ():
            at: Path = (_BETS, wager, "lines") if place is None else (_BETS, wager, "lines", place)
            name = "" if place is None else f"{bet.lines[place].name}: "
            yield self._fault(at, f"{name}{words}")

    def _rules(self, tree: dict[str, Any]) -> HouseRules:
        model = rules_model(known_game(str(tree.get("game"))))
        try:
            return model.model_validate(with_changes(tree, self.changes))
        except ValidationError as errors:
            faults = [self._placed(one.path, one.words) for one in findings(errors, model, tree["game"])]
            raise WrongFile(self.name, faults) from None

    def _placed(self, path: Path, words: str) -> Fault:
        """What is wrong with the rules as a whole stands where the first key is that the words name."""
        if not path:
            named = (tuple(name.split(".")) for name in _KEY.findall(words))
            path = next((key for key in named if key in self.places), ())
        return self._fault(path, words)
