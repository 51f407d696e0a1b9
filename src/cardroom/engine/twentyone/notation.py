"""A whole round as one text that people read and `replay` turns back into the same state and events.

It holds the rules' hash, the options that differ from the game's own rules, the shoe, the discards and the
meters where they are not those of a fresh table, the wagers, and then every card and decision in order:

    game players-edge-21
    rules 3c5b…
    set decks = 8
    spot 1 "Ann": 10.00, match-up 5.00
    spot 3 "Bob": 25.00
    deal: 8h Kc 6d | 8s 7c Ah
    spot 1: no insurance
    spot 1: split 3c Kd
    spot 1 hand 1: double Kh
    spot 1 hand 2: stand
    spot 3: hit 4c
    dealer: 5d
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from cardroom.core.cards import Card, parse_card
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.core.money import format_cents, parse_cents
from cardroom.engine.playing import played
from cardroom.engine.twentyone.actions import Input, parse_action
from cardroom.engine.twentyone.events import Event
from cardroom.engine.twentyone.round import begin, start, step
from cardroom.engine.twentyone.state import Opening, Round, SpotWager
from cardroom.rules.round_head import RulesForm, RulesHead, is_head, rules_lines
from cardroom.rules.twentyone import TwentyOneRules

_LINES: Final = (
    "game, rules, set, house, shoe, discards, meter, spot with its wagers, deal, spot in its turn, dealer"
)
_NO_CARDS: Final = "empty"
_WAGERS: Final = re.compile(r'spot (\d{1,3}) (".*"): (.+)')
_MOVES: Final = re.compile(r"(deal|dealer|spot \d{1,3}(?: hand \d)?): (.+)")
_CARD: Final = re.compile(r"(?:10|[2-9ATJQK])[cdhs]")


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """The inputs of a round, finished or not, from which everything else about it follows."""

    opening: Opening
    inputs: tuple[Input, ...]

    @classmethod
    def of(cls, state: Round) -> RoundRecord:
        return cls(state.opening, state.inputs)

    def __str__(self) -> str:
        return format_round(self)


def replay(record: RoundRecord | str, rules: TwentyOneRules | None = None) -> tuple[Round, tuple[Event, ...]]:
    """The state and all events of a recorded round, to the bit; `rules` are those kept beside a text."""
    if isinstance(record, str):
        record = parse_round(record, rules)
    return played(step, begin(record.opening), record.inputs)


def play(state: Round, inputs: Iterable[Input]) -> tuple[Round, tuple[Event, ...]]:
    """Give a round several inputs one after another: its new state, and all their events in order."""
    return played(step, (state, ()), inputs)


def format_round(record: Round | RoundRecord, form: RulesForm = RulesForm.SHORT) -> str:
    """Write a round so that `parse_round` reads it back; `form` says how much of the rules it carries."""
    opening = record.opening
    lines = [*rules_lines(opening.rules, form), *_round_lines(record)]
    return "\n".join(lines) + "\n"


def _round_lines(record: Round | RoundRecord) -> Iterator[str]:
    yield from _opening_lines(record.opening)
    yield from _move_lines(record if isinstance(record, Round) else replay(record)[0])


def _opening_lines(opening: Opening) -> Iterator[str]:
    rules = opening.rules
    if opening.shoe != rules.shoe():
        yield f"shoe {opening.shoe if opening.shoe.total else _NO_CARDS}"
    if opening.discards.total:
        yield f"discards {opening.discards}"
    for name, cents in opening.meters:
        if cents != rules.side_bets[name].meter_seed:
            yield f"meter {name} {format_cents(cents)}"
    for wager in opening.wagers:
        player = json.dumps(wager.player, ensure_ascii=False)
        side = "".join(f", {name} {format_cents(cents)}" for name, cents in wager.side)
        yield f"spot {wager.spot} {player}: {format_cents(wager.stake_cents)}{side}"


def _move_lines(state: Round) -> Iterator[str]:
    """Cards and decisions, a line for every stretch in one place; commas stand before decisions."""
    for (first, place), (end, _) in pairwise((*state.stretches, (len(state.inputs), ""))):
        words = ""
        for number in range(first, end):
            move = state.inputs[number]
            if not words:
                words = str(move)
            elif isinstance(move, Card):
                starts_again = place == "deal" and number == len(state.opening.wagers) + 1
                words += f" | {move}" if starts_again else f" {move}"
            else:
                words += f", {move}"
        if words:
            yield f"{place}: {words}"


def parse_round(text: str, rules: TwentyOneRules | None = None) -> RoundRecord:
    """Read the text of a round; its rules must be those of its hash, and every line must be in its place.

    `rules` are those kept beside the text; without them the text must carry its own.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    rules_head = RulesHead()
    head: dict[str, str] = {}
    meters: dict[str, int] = {}
    wagers: list[SpotWager] = []
    moves: list[Input] = []
    for line in lines:
        word, _, rest = line.partition(" ")
        if rules_head.takes(line):
            continue
        if word in ("shoe", "discards") and word not in head:
            head[word] = rest
        elif word == "meter":
            name, _, amount = rest.partition(" ")
            meters[name] = parse_cents(amount)
        elif match := _WAGERS.fullmatch(line):
            wagers.append(_parse_wagers(line, match))
        elif match := _MOVES.fullmatch(line):
            moves += _parse_moves(match[2])
        else:
            raise MalformedInput(f"{line[:60]!r} is not a line of a round; the lines are {_LINES}")
    rules = rules_head.rules(TwentyOneRules, rules)
    state, _ = start(
        rules,
        wagers,
        CardCounts.parse(head["shoe"].removeprefix(_NO_CARDS)) if "shoe" in head else None,
        discards=CardCounts.parse(head.get("discards", "")),
        meters=meters,
    )
    record = RoundRecord(state.opening, tuple(moves))
    length = next((at for at, line in enumerate(lines) if not is_head(line)), len(lines))
    _check_places(lines[length:], list(_round_lines(record)))
    return record


def _check_places(places: list[str], written: list[str]) -> None:
    for line, expected in zip(places, written, strict=False):
        if line != expected:
            raise MalformedInput(f"{line[:60]!r} is out of place; here comes {expected[:60]!r}")
    if len(places) != len(written):
        raise MalformedInput("the text of a round has one line for each stretch of play, in order")


def _parse_wagers(line: str, match: re.Match[str]) -> SpotWager:
    stake, *side = match[3].split(", ")
    try:
        player = json.loads(match[2])
    except json.JSONDecodeError:
        player = None
    if not isinstance(player, str):
        raise MalformedInput(f'{line[:60]!r} is not a wager; write it like: spot 1 "Ann": 10.00')
    placed: dict[str, int] = {}
    for part in side:
        name, _, amount = part.partition(" ")
        if name in placed:
            raise MalformedInput(f"{player} stakes {name} twice on a spot; write one amount for each wager")
        placed[name] = parse_cents(amount)
    return SpotWager(int(match[1]), player, parse_cents(stake), placed)


def _parse_moves(words: str) -> Iterator[Input]:
    """Read `deal` cards, or decisions each followed by the cards that came on it."""
    for part in words.replace(" | ", " ").split(", "):
        tokens = part.split()
        cards: list[Input] = []
        while tokens and _CARD.fullmatch(tokens[-1]):
            cards.insert(0, parse_card(tokens.pop()))
        if tokens:
            yield parse_action(" ".join(tokens))
        yield from cards
