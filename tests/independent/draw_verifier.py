"""A draw of Knockout 21 checked by a stranger, from docs/evidence.md alone; nothing of Cardroom is used.

Every function gives what is wrong as a list of sentences.
"""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from typing import Any

from tests.independent.shoe_verifier import canonical
from tests.independent.streams import DECK, below, cards_in, fields, hkdf, numbers, sha256

POSITIONS = range(15)
GAMES = {1: range(4), 2: range(4, 9), 3: range(9, 15)}
SECRET, OPENING, CARDS = (f"cardroom/knockout-21/{what}/1" for what in ("secret", "opening", "cards"))
Fields = dict[str, Any]


def merkle_root(lines: list[str]) -> bytes:
    level = [hashlib.sha256(b"\x00" + line.encode()).digest() for line in lines]
    if not level:
        return hashlib.sha256(b"").digest()
    while len(level) > 1:
        pairs = [level[place : place + 2] for place in range(0, len(level), 2)]
        level = [
            hashlib.sha256(b"\x01" + b"".join(pair)).digest() if len(pair) == 2 else pair[0] for pair in pairs
        ]
    return level[0]


def value(card: str) -> int:
    return min(DECK.index(card) % 13 + 1, 10)


def total(cards: list[str]) -> int:
    plain = sum(value(card) for card in cards)
    soft = plain + 10 if any(value(card) == 1 for card in cards) else plain
    return soft if soft <= 21 else plain


def first_cards(opening_seed: str, number: int, rules_hash: str) -> list[str]:
    key = hkdf(bytes.fromhex(opening_seed), b"", fields(OPENING, str(number), rules_hash))
    words = numbers(key)
    return [DECK[below(words, 52)] for _ in GAMES[2]]


def drawn(
    secret: str, root: bytes, number: int, rules_hash: str, first: list[str]
) -> list[tuple[list[str], str]]:
    """The dealer's hand and the hit card of every position."""
    words = numbers(hkdf(bytes.fromhex(secret), root, fields(CARDS, str(number), rules_hash)))
    positions = []
    for place in POSITIONS:
        hit = DECK[below(words, 52)]
        dealer = [first[place - 4]] if place in GAMES[2] else []
        while len(dealer) < 2 or total(dealer) < 17:
            dealer.append(DECK[below(words, 52)])
        positions.append((dealer, hit))
    return positions


def written(positions: list[tuple[list[str], str]]) -> str:
    games = [
        " ".join("".join(positions[p][0]) + "+" + positions[p][1] for p in GAMES[game]) for game in GAMES
    ]
    return " / ".join(games)


def wins(literal: bool, place: int, line: str, dealer: list[str], hit: str) -> bool:
    """Whether a ticket's hand wins or ties, Lucky Losers aside."""
    _, hands, choices, _ = line.split(" ")
    hand = cards_in(hands)[2 * place : 2 * place + 2]
    if place in GAMES[1]:
        adds = total([*hand, hit]) <= 21 if literal else total(hand) + value(hit) <= 21
    else:
        adds = choices[place - 4] == "H"
    hand = [*hand, hit] if adds else hand
    if total(hand) > 21:
        return False
    if total(dealer) > 21:
        return True
    if total(dealer) == 21 and len(dealer) == 2 and len(hand) == 3:
        return False
    return total(hand) >= total(dealer)


def winners(rules: Fields, lines: list[str], positions: list[tuple[list[str], str]]) -> dict[int, list[int]]:
    """The places in the pool of those who won each game."""
    literal = rules["game_1_hit"] == "literal"
    won = {}
    for game, places in GAMES.items():
        still_in = list(range(len(lines)))
        for place in places:
            dealer, hit = positions[place]
            winning = [one for one in still_in if wins(literal, place, lines[one], dealer, hit)]
            still_in = winning or still_in
        won[game] = still_in
    return won


def cents(amount: str) -> int:
    return int(Fraction(amount) * 100)


def prizes(rules: Fields, lines: list[str], won: dict[int, list[int]]) -> list[list[Any]]:
    """Ticket, cents, games of every ticket that won, in the order of the pool."""
    table = rules["prizes"]
    sales = len(lines) * cents(rules["sales"]["ticket_price"])
    each = {1: cents(table["game_1"])}
    for game in (2, 3):
        shared = table[f"game_{game}"]
        pool = int(sales * Fraction(shared["pool_percent"]) / 100)
        coin = cents(table["coin"])
        share = pool // len(won[game]) // coin * coin if won[game] else 0
        each[game] = min(max(share, cents(shared["min"])), cents(shared["max"]))
    found = []
    for place, line in enumerate(lines):
        games = [game for game in GAMES if place in won[game]]
        if games:
            amount = sum(each[game] for game in games)
            found.append([line.split(" ")[0], amount, ",".join(map(str, games))])
    return found


def faults_of_draw(draw: Fields) -> list[str]:
    """What is wrong with a draw, given by the fields of its record that a result depends on."""
    number, rules_hash, lines = draw["number"], draw["rules_hash"], draw["tickets"]
    faults = []
    if hashlib.sha256(canonical(draw["rules"]).encode()).hexdigest() != rules_hash:
        faults.append("the rules do not have their hash")
    for name, label, secret in (
        ("commitment", SECRET, draw["secret"]),
        ("opening_commitment", OPENING, draw["opening_seed"]),
    ):
        if sha256(label, str(number), rules_hash, bytes.fromhex(secret)) != draw[name]:
            faults.append(f"the {name} does not open to its secret")
    first = first_cards(draw["opening_seed"], number, rules_hash)
    if "".join(first) != draw["first_cards"]:
        faults.append("the opening's secret gives other first cards")
    if lines != sorted(lines) or len({line.split(" ")[0] for line in lines}) != len(lines):
        faults.append("the tickets are not in the order of their ids, each once")
    root = merkle_root(lines)
    if root.hex() != draw["root"]:
        faults.append("the tickets have another root")
    price = cents(draw["rules"]["sales"]["ticket_price"])
    if (len(lines), len(lines) * price) != (draw["ticket_count"], draw["total_cents"]):
        faults.append("the number of tickets or their price is another")
    if any(line.split(" ")[3] != str(price) for line in lines):
        faults.append("a ticket has another price")
    positions = drawn(draw["secret"], bytes.fromhex(draw["root"]), number, rules_hash, first)
    if written(positions) != draw["cards"]:
        faults.append("the secret and the root give other cards")
    won = winners(draw["rules"], lines, positions)
    if prizes(draw["rules"], lines, won) != [list(prize) for prize in draw["prizes"]]:
        faults.append("the tickets and the cards give other prizes")
    return faults


def faults_of_record(text: str) -> list[str]:
    """What is wrong with the published record of a settled draw."""
    record: Fields = json.loads(text)
    faults = []
    if canonical(record) + "\n" != text:
        faults.append("the record is not one line of canonical JSON")
    for name, content in record.items():
        if name != "seals" and record["seals"].get(name) != sha256(
            "cardroom/seal/1", name, canonical(content)
        ):
            faults.append(f"{name} does not fit its seal")
    if record["ticket_marks"] != [sha256("cardroom/ticket-mark/1", line)[:8] for line in record["tickets"]]:
        faults.append("the tickets do not fit their marks")
    return faults + faults_of_draw(record)


def proves(line: str, index: int, count: int, path: list[str], root: str) -> bool:
    """Whether a ticket's proof leads to the root."""
    digest, rest = hashlib.sha256(b"\x00" + line.encode()).digest(), [bytes.fromhex(step) for step in path]
    while count > 1:
        if index % 2:
            digest = hashlib.sha256(b"\x01" + rest.pop(0) + digest).digest()
        elif index + 1 < count:
            digest = hashlib.sha256(b"\x01" + digest + rest.pop(0)).digest()
        index, count = index // 2, (count + 1) // 2
    return not rest and digest.hex() == root
