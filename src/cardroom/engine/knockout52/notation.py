"""A whole game as one text that people read and `replay` turns back into the same state and events.

It holds the rules' hash, the options that differ from the game's own rules, the wagers and the cards:

    game knockout-52
    rules 3c5b…
    set decks = 2
    player "Ann": round-1 5.00, all-the-way 1.00
    player "Bob": round-2 10.00
    row 1: 2h 3c 4d Ac
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cardroom.core.cards import Card, parse_cards
from cardroom.core.errors import MalformedInput
from cardroom.core.money import format_cents, parse_cents
from cardroom.engine.knockout52.law import start, step
from cardroom.engine.knockout52.state import Event, Game, Stakes
from cardroom.engine.playing import played
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.round_head import RulesForm, RulesHead, rules_lines

_LINES: Final = (
    'the lines of a game are "game", "rules", any "set" or "house", '
    'then each "player" and each "row" in its order'
)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """The inputs of a game, from which everything else about it follows."""

    rules: Knockout52Rules
    wagers: tuple[Stakes, ...]
    cards: tuple[Card, ...]

    @classmethod
    def of(cls, game: Game) -> GameRecord:
        return cls(game.rules, game.wagers, game.cards)

    def __str__(self) -> str:
        return format_game(self)


def play(
    rules: Knockout52Rules, wagers: Sequence[Stakes], cards: Sequence[Card]
) -> tuple[Game, tuple[Event, ...]]:
    """Start a game and deal these cards one by one: its state, and every event in order."""
    return played(step, start(rules, wagers), cards)


def replay(record: GameRecord | str, rules: Knockout52Rules | None = None) -> tuple[Game, tuple[Event, ...]]:
    """The state and events of a recorded game, to the bit; `rules` are those kept beside a text."""
    if isinstance(record, str):
        record = parse_game(record, rules)
    return play(record.rules, record.wagers, record.cards)


def format_game(game: Game | GameRecord, form: RulesForm = RulesForm.SHORT) -> str:
    """Write a game, finished or not, so that `parse_game` reads it back; `form` is how much of its rules."""
    rules = game.rules
    lines = rules_lines(rules, form)
    for stakes in game.wagers:
        placed = ", ".join(f"{wager} {format_cents(cents)}" for wager, cents in stakes.placed)
        lines.append(f"player {json.dumps(stakes.player, ensure_ascii=False)}: {placed}")
    ranks = rules.layout.ranks
    for row, first in enumerate(range(0, len(game.cards), ranks), start=1):
        lines.append(f"row {row}: {' '.join(card.text for card in game.cards[first : first + ranks])}")
    return "\n".join(lines) + "\n"


def parse_game(text: str, rules: Knockout52Rules | None = None) -> GameRecord:
    """Read the text of a game; the rules it was played by must be those of its hash.

    `rules` are those kept beside the text; without them the text must carry its own.
    """
    head = RulesHead()
    wagers: list[Stakes] = []
    rows: list[tuple[Card, ...]] = []
    for line in filter(None, (line.strip() for line in text.split("\n"))):
        word, _, rest = line.partition(" ")
        match word:
            case "game" | "rules" | "set" | "house" if not wagers and head.takes(line):
                continue
            case "player" if not rows:
                wagers.append(_parse_player(line, rest))
            case "row":
                rows.append(_parse_row(line, rest, number=len(rows) + 1))
            case _:
                raise MalformedInput(f"{line[:60]!r} is not a line of a game here; {_LINES}")
    rules = head.rules(Knockout52Rules, rules)
    for number, row in enumerate(rows, start=1):
        if len(row) > rules.layout.ranks or (len(row) < rules.layout.ranks and number < len(rows)):
            raise MalformedInput(f"row {number} has {len(row)} cards; a row holds {rules.layout.ranks}")
    return GameRecord(rules, tuple(wagers), tuple(card for row in rows for card in row))


def _parse_player(line: str, rest: str) -> Stakes:
    try:
        name, end = json.JSONDecoder().raw_decode(rest)
    except json.JSONDecodeError:
        name, end = None, 0
    if not isinstance(name, str) or not rest[end:].startswith(":"):
        raise MalformedInput(f'{line[:60]!r} is not a player; write it like: player "Ann": round-1 5.00')
    stakes: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in rest[end + 1 :].split(","))):
        wager, _, amount = part.partition(" ")
        if wager in stakes:
            raise MalformedInput(f"{name} stakes {wager} twice; write one amount for each wager")
        stakes[wager] = parse_cents(amount)
    return Stakes(name, stakes)


def _parse_row(line: str, rest: str, *, number: int) -> tuple[Card, ...]:
    named, colon, cards = rest.partition(":")
    if not colon or named.strip() != str(number):
        raise MalformedInput(f"{line[:60]!r} is out of place; here comes: row {number}: and its cards")
    return parse_cards(cards)
