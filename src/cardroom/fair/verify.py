"""Re-derive a recorded shoe from its secret, with no server, and name everything that disagrees."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, NamedTuple

from pydantic import ValidationError

from cardroom.core.cards import Card, parse_cards
from cardroom.core.decks import CardCounts
from cardroom.core.errors import CardroomError, MalformedInput
from cardroom.fair.commitment import Commitment
from cardroom.fair.deals import Binding, deal, reshuffled_discards
from cardroom.fair.open_shoe import (
    OPEN_FORMAT,
    OpenShoe,
    is_open_line,
    parse_open_shoe,
    seed_in_envelope,
)
from cardroom.fair.record import FORMAT, SALTED_FORMAT, canonical, fields_of, seal, seed_by_origin
from cardroom.fair.replay import BURN, replay_of
from cardroom.fair.salts import faults_in, joint_salt
from cardroom.fair.seeds import Seed, parse_hex
from cardroom.games import GAMES
from cardroom.presentation.money import dollars
from cardroom.rules import HouseRules, rules_model


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a record that is not as it must be: where it stands, and what is wrong."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One record looked at: its fields as read (none where it cannot be read), and all findings."""

    line: int
    fields: dict[str, Any]
    findings: tuple[Finding, ...]
    remarks: tuple[str, ...] = ()
    """What is in order and yet worth a sentence."""

    @property
    def holds(self) -> bool:
        return not self.findings


def verify_records(text: str, *, envelope: str | None = None) -> list[Verdict]:
    """Look at every record of a file, no two of one secret; a text without any is refused.

    `envelope` holds the secret of a shoe that was broken off, where the house still has it.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not text.strip():
        raise MalformedInput("this file is empty: there is no record of a shoe in it")
    if not any(line.lstrip().startswith("{") for line in lines):
        raise MalformedInput("this is not a record of a shoe: such a file holds lines of JSON, {…}")
    verdicts = list(_looked_at(lines, envelope))
    first: dict[str, int] = {}
    for at, verdict in enumerate(verdicts):
        secret = str(verdict.fields.get("secret", f"none in line {verdict.line}"))
        before = first.setdefault(secret, verdict.line)
        if before != verdict.line:
            again = Finding("secret", f"is that of line {before}: a shoe is dealt once")
            verdicts[at] = replace(verdict, findings=(*verdict.findings, again))
    return verdicts


def _looked_at(lines: list[str], envelope: str | None) -> Iterator[Verdict]:
    """A verdict on every record, and one on all lines of a shoe that was broken off."""
    place = 0
    while place < len(lines):
        end = place
        while end < len(lines) and is_open_line(lines[end]) and (end == place or not _opens(lines[end])):
            end += 1
        if end == place:
            yield verify_record(lines[place], line=place + 1)
            place += 1
            continue
        torn = end == len(lines) - 1 and not _is_json(lines[end])
        yield verify_open_shoe(lines[place:end], line=place + 1, envelope=envelope)
        place = end + torn


def _opens(line: str) -> bool:
    return bool(json.loads(line)["format"] == OPEN_FORMAT)


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def verify_open_shoe(lines: list[str], *, line: int = 1, envelope: str | None = None) -> Verdict:
    """Look at a shoe that was broken off: it is finished by the rule, and its record must hold."""
    fields = json.loads(lines[0])
    try:
        shoe = parse_open_shoe(lines)
        seed = seed_in_envelope(envelope, shoe)
        if seed is None:
            return Verdict(line, fields, (Finding("secret", f"is not known: {_broken_off(shoe)}"),))
        verdict = verify_record(shoe.finished(seed), line=line)
    except CardroomError as error:
        return Verdict(line, fields, (Finding("shoe in play", str(error)),))
    remark = _broken_off(shoe)
    if not shoe.last_is_over and verdict.holds:
        nets = replay_of(shoe.rules).nets_cents(shoe.rules, verdict.fields["rounds"][-1])
        worth = ", ".join(f"{player} {dollars(cents)}" for player, cents in nets.items())
        remark += f"; by the rule that whoever is gone stands, it was played to its end here: {worth}"
    return replace(verdict, remarks=(remark,))


def _broken_off(shoe: OpenShoe) -> str:
    """Where a shoe was broken off, and which cards that took."""
    played = [notation for notation in shoe.rounds if not notation.startswith(BURN)]
    done = len(played) - (not shoe.last_is_over)
    if not shoe.rounds:
        return "the shoe was begun, and broken off before its first round"
    rounds = f"{done} round{'' if done == 1 else 's'}"
    if shoe.last_is_over:
        return f"the shoe was broken off after {rounds}, between two rounds"
    cards = " ".join(str(card) for card in shoe.cards_of_last())
    dealt = f"these cards were dealt: {cards}" if cards else "no card was dealt"
    return f"the shoe was broken off after {rounds}, in the middle of round {done + 1}, of which {dealt}"


def verify_record(text: str, *, line: int = 1) -> Verdict:
    """Look at one record; the verdict holds when everything in it follows from its secret and its rules."""
    try:
        fields = json.loads(text)
    except json.JSONDecodeError as error:
        return Verdict(line, {}, (Finding("text", f"not JSON at column {error.colno}: {error.msg}"),))
    except (RecursionError, ValueError) as error:
        return Verdict(line, {}, (Finding("text", f"not JSON that can be read: {error}"),))
    if not isinstance(fields, dict):
        return Verdict(line, {}, (Finding("text", "a record is a JSON object, {…}"),))
    shape = tuple(_shape(fields, text))
    known = fields_of(fields.get("format"))
    if any(name not in fields or not isinstance(fields[name], kind) for name, kind in known.items()):
        return Verdict(line, fields, shape)
    findings = (*shape, *_content(fields))
    return Verdict(line, fields, findings, () if findings else tuple(salt_remarks(fields)))


def salt_remarks(fields: dict[str, Any]) -> Iterator[str]:
    """What a record that holds says of the players' part in it; nothing of one that knows no salts."""
    if fields["format"] != SALTED_FORMAT:
        return
    if not fields["rounds"]:
        yield "no card was dealt from it"
        return
    withheld = [one["hash"] for one in fields["salts"] if not one["salt"]]
    revealed = len(fields["salts"]) - len(withheld)
    if not revealed:
        yield "no player's word is in these cards: they follow from the house's secret alone"
    if withheld:
        were = "salt was" if len(withheld) == 1 else "salts were"
        yield f"{len(withheld)} {were} not revealed in time and left out: hash {', '.join(withheld)}"


def _shape(fields: dict[str, Any], text: str) -> Iterator[Finding]:
    """Whether the fields are there, each as it was sealed, and the text is the canonical one."""
    known = fields_of(fields.get("format"))
    for name, kind in known.items():
        if name not in fields:
            yield Finding(name, "is missing")
        elif not isinstance(fields[name], kind):
            yield Finding(
                name, f"is not {'text' if kind is str else 'a list' if kind is list else 'an object'}"
            )
    for name in fields:
        if name not in known:
            yield Finding(name, "is no field of a record")
    seals = fields.get("seals")
    if isinstance(seals, dict):
        for name in known:
            if name != "seals" and name in fields and seals.get(name) != seal(name, fields[name]):
                yield Finding(name, "does not fit its seal")
        for name in seals:
            if name == "seals" or name not in known:
                yield Finding("seals", f"seals {name!r}, which is no field of a record")
    written = canonical(fields)
    if written != text:
        pairs = enumerate(zip_longest(written, text), 1)
        column = next(column for column, (ours, theirs) in pairs if ours != theirs)
        yield Finding("text", f"is not in canonical form from column {column}")


def _content(fields: dict[str, Any]) -> Iterator[Finding]:
    """Whether rules, commitment, cards and rounds follow from one another."""
    if fields["format"] not in (FORMAT, SALTED_FORMAT):
        known = f"only {FORMAT!r} and {SALTED_FORMAT!r} are known here"
        yield Finding("format", f"is {fields['format'][:40]!r}, and {known}")
        return
    if fields["game"] not in GAMES:
        yield Finding("game", f"{fields['game'][:40]!r} is unknown; the games are {', '.join(GAMES)}")
        return
    binding = Binding(fields["game"], fields["rules_hash"], fields["shoe_id"], fields["deck"])
    findings, rules = _rules(fields)
    yield from findings
    try:
        commitment, seed = Commitment.parse(fields["commitment"]), Seed.parse(fields["secret"])
        salt = parse_hex(fields["salt"], "a salt")
        cut = parse_hex(fields.get("cut", ""), "a cut")
        cards = parse_cards(fields["cards"])
    except CardroomError as error:
        yield Finding("record", str(error))
        return
    if not commitment.opens_to(seed, binding):
        yield Finding("commitment", "is not the hash of this secret, game, rules_hash, shoe_id and deck")
    if fields["format"] == SALTED_FORMAT:
        yield from _salts(commitment, cut, salt, fields["salts"])
    try:
        by_origin = seed_by_origin(fields["origin"], fields["shoe_id"])
    except (CardroomError, ValueError):
        yield Finding("origin", "says neither 'operating system' nor 'repeatable seed NUMBER'")
    else:
        if by_origin is not None and by_origin != seed:
            yield Finding("secret", f"is not the one of {fields['origin']}")
    try:
        derived = deal(seed, binding, salt=salt, count=len(cards)).cards
    except CardroomError as error:
        yield Finding("deck", str(error))
        return
    yield from _cards(derived, cards)
    if rules is not None:
        yield from _rounds(rules, fields, cards, _Secret(seed, binding, salt))


def _salts(commitment: Commitment, cut: bytes, salt: bytes, shown: list[Any]) -> Iterator[Finding]:
    """Whether the players' salts fit their hashes, and the deal's salt is made of the cut and all of them."""
    faults = faults_in(commitment, shown)
    yield from (Finding("salts", fault) for fault in faults)
    if not faults and salt != joint_salt(cut, (bytes.fromhex(one["salt"]) for one in shown if one["salt"])):
        yield Finding("salt", "is not the one that the cut and the players' salts make")


def _rules(fields: dict[str, Any]) -> tuple[list[Finding], HouseRules | None]:
    """The findings about the rules, and the rules where they can be read."""
    try:
        rules = rules_model(fields["game"]).model_validate(fields["rules"])
    except (ValidationError, CardroomError) as error:
        return [Finding("rules", f"are not rules of {fields['game']}: {str(error).splitlines()[0]}")], None
    findings = []
    if rules.canonical_text() != canonical(fields["rules"]):
        findings.append(Finding("rules", "are not written in their canonical form"))
    if rules.rules_hash != fields["rules_hash"]:
        findings.append(Finding("rules_hash", f"is not the hash of the rules, {rules.rules_hash}"))
    if rules.game != fields["game"]:
        findings.append(Finding("game", f"the rules are of {rules.game}"))
    return findings, rules


def _cards(derived: tuple[Card, ...], shown: tuple[Card, ...]) -> Iterator[Finding]:
    for number, (ours, theirs) in enumerate(zip_longest(derived, shown), 1):
        if ours is not theirs:
            yield Finding("cards", f"card {number} is {theirs}, but the secret deals {ours}")
            return


class _Secret(NamedTuple):
    """What the cards follow from."""

    seed: Seed
    binding: Binding
    salt: bytes


def _rounds(
    rules: HouseRules, fields: dict[str, Any], cards: tuple[Card, ...], secret: _Secret
) -> Iterator[Finding]:
    """Whether the rounds, replayed by the engine, used the shoe's cards from the first, in order.

    A round in which the shoe runs out goes on with the cards before it, shuffled by its secret (21-1.13).
    """
    replay = replay_of(rules)
    if replay.deck(rules) != fields["deck"]:
        yield Finding("deck", "is not the deck that the rules deal from")
    position = number = 0
    for notation in fields["rounds"]:
        burn = isinstance(notation, str) and notation.startswith(BURN)
        number += not burn
        where = f"the burned card before round {number + 1}" if burn else f"round {number}"
        if not isinstance(notation, str):
            yield Finding(where, "is not text")
            return
        try:
            used = replay.cards(rules, notation, cards[:position])
        except CardroomError as error:
            yield Finding(where, str(error))
            return
        expected = cards[position:]
        ran_out = len(used) > len(expected) and str(CardCounts.of_cards(cards)) == fields["deck"]
        if ran_out and 0 < position < len(cards):
            expected += reshuffled_discards(secret.seed, secret.binding, cards[:position], salt=secret.salt)
        for place, card in enumerate(used):
            shoe = expected[place] if place < len(expected) else None
            if card is not shoe:
                yield Finding(where, f"card {place + 1} is {card}, but the shoe holds {shoe} there")
                return
        position += len(used)
