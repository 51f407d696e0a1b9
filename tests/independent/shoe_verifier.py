"""The proof of a shoe or a game of Knockout 52 checked by a stranger.

Written from docs/fairness.md and docs/evidence.md; nothing of Cardroom is used. Every function gives what is
wrong as a list of sentences.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from typing import Any

from tests.independent.streams import DECK, SPANISH_DECK, below, fields, hkdf, numbers, sha256, shuffled

_CARDS_LINE = re.compile(r"(?:deal|dealer|row \d|spot \d+(?: hand \d+)?): (.*)")
_CARD = re.compile(r"[A2-9TJQK][cdhs]")
Proof = dict[str, Any]


def canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def salt_hash(commitment: str, salt: str) -> str:
    return sha256("cardroom/player-salt/1", bytes.fromhex(commitment), bytes.fromhex(salt))


def joint_salt(cut: bytes, salts: list[str]) -> bytes:
    if not salts:
        return cut
    parts = [bytes.fromhex(salt) for salt in salts]
    return hashlib.sha256(fields("cardroom/salts/2", cut, *parts)).digest()


def deal(proof: Proof, count: int, *, shoe_id: str = "", deck: str = "") -> list[str]:
    """The first cards that a proof's secret and salt deal."""
    bound = (proof["game"], proof["rules_hash"], shoe_id or proof["shoe_id"], deck or proof["deck"])
    key = hkdf(
        bytes.fromhex(proof["secret"]), bytes.fromhex(proof["salt"]), fields("cardroom/cards/1", *bound)
    )
    words = numbers(key)
    if bound[3].startswith("infinite "):
        whole = SPANISH_DECK if bound[3] == "infinite spanish" else DECK
        return [whole[below(words, len(whole))] for _ in range(count)]
    return shuffled(cards_of(bound[3]), words)[:count]


def cards_of(deck: str) -> list[str]:
    pairs = (part.split(":") for part in deck.split(","))
    return [card for card, number in pairs for _ in range(int(number))]


def deck_of(cards: list[str]) -> str:
    """The text of a deck of these cards."""
    counts = Counter(cards)
    return ",".join(f"{card}:{counts[card]}" for card in DECK if counts[card])


def cards_of_round(notation: str) -> list[str]:
    """The cards of a round or a burn, in the order in which they were dealt."""
    if notation.startswith("burn "):
        return [notation.removeprefix("burn ").strip()]
    lines = (_CARDS_LINE.fullmatch(line) for line in notation.splitlines())
    words = (word for line in lines if line for word in re.split("[ ,|]+", line[1]))
    return [word for word in words if _CARD.fullmatch(word)]


def faults_of_proof(text: str) -> list[str]:
    """What is wrong with a proof by itself."""
    proof: Proof = json.loads(text)
    faults = []
    if canonical(proof) != text.rstrip("\n"):
        faults.append("the proof is not canonical JSON")
    for name, value in proof.items():
        if name != "seals" and proof["seals"].get(name) != sha256("cardroom/seal/1", name, canonical(value)):
            faults.append(f"{name} does not fit its seal")
    bound = (proof["game"], proof["rules_hash"], proof["shoe_id"], proof["deck"])
    if proof["commitment"] != sha256("cardroom/commitment/1", *bound, bytes.fromhex(proof["secret"])):
        faults.append("the commitment does not open to the secret")
    if proof["rules_hash"] != hashlib.sha256(canonical(proof["rules"]).encode()).hexdigest():
        faults.append("the rules do not have their hash")
    if proof["format"] == "cardroom shoe 2":
        faults += faults_of_salts(proof)
    shown = re.findall("..", proof["cards"])
    if deal(proof, len(shown)) != shown:
        faults.append("the secret and the salt deal other cards")
    return faults + faults_of_rounds(proof, shown)


def faults_of_salts(proof: Proof) -> list[str]:
    revealed = [one for one in proof["salts"] if one["salt"]]
    faults = [
        f"a salt does not fit the hash {one['hash']}"
        for one in revealed
        if salt_hash(proof["commitment"], one["salt"]) != one["hash"]
    ]
    hashes = [one["hash"] for one in proof["salts"]]
    if len(set(hashes)) != len(hashes):
        faults.append("two salts have one hash")
    joint = joint_salt(bytes.fromhex(proof["cut"]), [one["salt"] for one in revealed])
    if joint.hex() != proof["salt"]:
        faults.append("the cut and the salts make another salt of the deal")
    return faults


def faults_of_rounds(proof: Proof, shown: list[str]) -> list[str]:
    """Whether the rounds took the cards from the first on."""
    used: list[str] = []
    for notation in proof["rounds"]:
        cards = cards_of_round(notation)
        coming = shown[len(used) :]
        if len(cards) > len(coming) and used and deck_of(shown) == proof["deck"]:
            again = deck_of(used)
            coming += deal(proof, len(used), shoe_id=f"{proof['shoe_id']}/discards", deck=again)
        if coming[: len(cards)] != cards:
            return [f"a round did not take the cards after the first {len(used)}"]
        used += cards
    return []
