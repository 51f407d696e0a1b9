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
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.loader import load_rules_as

_GAME: Final = "knockout-52"
_LINES: Final = (
    'the lines of a game are "game", "rules", any "set", then each "player" and each "row" in its order'
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
    game, events = start(rules, wagers)
    log = list(events)
    for card in cards:
        game, events = step(game, card)
        log += events
    return game, tuple(log)


def replay(record: GameRecord | str) -> tuple[Game, tuple[Event, ...]]:
    """The state and events of a recorded game, to the bit."""
    if isinstance(record, str):
        record = parse_game(record)
    return play(record.rules, record.wagers, record.cards)


def format_game(game: Game | GameRecord) -> str:
    """Write a game, finished or not, so that `parse_game` reads it back."""
    rules = game.rules
    changes = rules.differences(load_rules_as(Knockout52Rules, _GAME))
    lines = [f"game {_GAME}", f"rules {rules.rules_hash}"]
    lines += [
        f"set {key} = {json.dumps(value, ensure_ascii=False)}" for key, (value, _) in sorted(changes.items())
    ]
    for stakes in game.wagers:
        placed = ", ".join(f"{wager} {format_cents(cents)}" for wager, cents in stakes.placed)
        lines.append(f"player {json.dumps(stakes.player, ensure_ascii=False)}: {placed}")
    ranks = rules.layout.ranks
    for row, first in enumerate(range(0, len(game.cards), ranks), start=1):
        lines.append(f"row {row}: {' '.join(card.text for card in game.cards[first : first + ranks])}")
    return "\n".join(lines) + "\n"


def parse_game(text: str) -> GameRecord:
    """Read the text of a game; the rules it was played by must be those of its hash."""
    head: dict[str, str] = {}
    changes: dict[str, object] = {}
    wagers: list[Stakes] = []
    rows: list[tuple[Card, ...]] = []
    for line in filter(None, (line.strip() for line in text.split("\n"))):
        word, _, rest = line.partition(" ")
        match word:
            case "game" | "rules" if word not in head and not wagers:
                head[word] = rest.strip()
            case "set" if not wagers:
                key, value = _parse_set(line, rest)
                changes[key] = value
            case "player" if not rows:
                wagers.append(_parse_player(line, rest))
            case "row":
                rows.append(_parse_row(line, rest, number=len(rows) + 1))
            case _:
                raise MalformedInput(f"{line[:60]!r} is not a line of a game here; {_LINES}")
    if head.get("game") != _GAME or "rules" not in head:
        raise MalformedInput(f"the text of a game begins with 'game {_GAME}' and the hash of its 'rules'")
    rules = load_rules_as(Knockout52Rules, _GAME, changes)
    if rules.rules_hash != head["rules"]:
        raise MalformedInput(
            f"the options written here make rules {rules.rules_hash[:12]}…, not {head['rules'][:12]}…"
        )
    for number, row in enumerate(rows, start=1):
        if len(row) > rules.layout.ranks or (len(row) < rules.layout.ranks and number < len(rows)):
            raise MalformedInput(f"row {number} has {len(row)} cards; a row holds {rules.layout.ranks}")
    return GameRecord(rules, tuple(wagers), tuple(card for row in rows for card in row))


def _parse_set(line: str, rest: str) -> tuple[str, object]:
    key, equals, value = rest.partition(" = ")
    try:
        if equals:
            return key.strip(), json.loads(value)
    except json.JSONDecodeError:
        pass
    raise MalformedInput(f"{line[:60]!r} is not an option; write it like: set decks = 8")


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
