"""A draw checked by a stranger: everything in its record worked out again, with no database and no server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise, zip_longest
from typing import Any, Final

from pydantic import ValidationError

from cardroom.core.cards import format_cards, parse_cards
from cardroom.core.errors import CardroomError
from cardroom.engine.knockout21.draw import Draw
from cardroom.engine.knockout21.settlement import settle
from cardroom.fair.draw import DrawSeal, commit_opening, commit_secret, draw_cards, opening_cards
from cardroom.fair.merkle import leaf_hash, merkle_root, proves
from cardroom.fair.record import canonical, seal
from cardroom.fair.seeds import Seed
from cardroom.fair.verify import Finding, Verdict
from cardroom.lottery.record_format import (
    FIELDS,
    FORMAT,
    TIMES,
    VOID_FIELDS,
    VOID_FORMAT,
    account_body,
    ticket_mark,
    winners_of,
)
from cardroom.lottery.ticket_text import play_of
from cardroom.rules.knockout21 import Knockout21Rules

TWO_PEOPLE: Final = 2
_NAMES = {str: "text", int: "a whole number", list: "a list", dict: "an object"}


def verify_draw(text: str) -> Verdict:
    """Look at a draw's record; it holds when all of it follows from its secrets, rules and tickets."""
    if not text.endswith("\n") or text.count("\n") != 1:
        return Verdict(1, {}, (Finding("text", "a record is one line, ended by a line break"),))
    text = text[:-1]
    try:
        fields = json.loads(text)
    except json.JSONDecodeError as error:
        return Verdict(1, {}, (Finding("text", f"not JSON at column {error.colno}: {error.msg}"),))
    except (RecursionError, ValueError) as error:
        return Verdict(1, {}, (Finding("text", f"not JSON that can be read: {error}"),))
    if not isinstance(fields, dict):
        return Verdict(1, {}, (Finding("text", "a record is a JSON object, {…}"),))
    is_void = fields.get("format") == VOID_FORMAT
    kinds = VOID_FIELDS if is_void else FIELDS
    shape = tuple(_shape(fields, text, kinds))
    if any(not _is(fields.get(name), kind) for name, kind in kinds.items()):
        return Verdict(1, fields, shape)
    return Verdict(1, fields, (*shape, *(_void_content(fields) if is_void else _content(fields))))


def _is(value: object, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _shape(fields: dict[str, Any], text: str, kinds: Mapping[str, type]) -> Iterator[Finding]:
    """Whether every field is there, as it was sealed, and the text is the canonical one."""
    seals = fields.get("seals")
    if not isinstance(seals, dict):
        yield Finding("seals", "are missing")
        seals = {}
    for name, kind in kinds.items():
        if name not in fields:
            yield Finding(name, "is missing")
        elif not _is(fields[name], kind):
            yield Finding(name, f"is not {_NAMES[kind]}")
        elif seals.get(name) != seal(name, fields[name]):
            yield Finding(name, "does not fit its seal")
    for name in (*fields, *seals):
        if name not in kinds and name != "seals":
            yield Finding(name[:40], "is no field of a draw's record")
    marks, tickets = fields.get("ticket_marks"), fields.get("tickets")
    if isinstance(marks, list) and isinstance(tickets, list):
        for number, (mark, ticket) in enumerate(zip_longest(marks, tickets), 1):
            if not isinstance(ticket, str) or mark != ticket_mark(ticket):
                yield Finding(f"ticket {number}", "does not fit its mark")
    written = canonical(fields)
    if written != text:
        pairs = enumerate(zip_longest(written, text), 1)
        column = next(column for column, (ours, theirs) in pairs if ours != theirs)
        yield Finding("text", f"is not in canonical form from column {column}")


def _content(fields: dict[str, Any]) -> Iterator[Finding]:
    """Whether commitments, pool, cards, winners and money follow from one another."""
    if fields["format"] != FORMAT:
        yield Finding("format", f"is {fields['format'][:40]!r}, and only {FORMAT!r} is known here")
        return
    rules, findings = _rules(fields)
    yield from findings
    if rules is None:
        return
    yield from _times(fields["times"])
    yield from _pool(fields, rules)
    yield from _cards(fields)
    yield from _money(fields, rules)


def _rules(fields: dict[str, Any]) -> tuple[Knockout21Rules | None, list[Finding]]:
    """The rules of a record, and what is wrong with them."""
    try:
        rules = Knockout21Rules.model_validate(fields["rules"])
    except ValidationError as error:
        return None, [Finding("rules", f"are not rules of Knockout 21: {str(error).splitlines()[0]}")]
    if rules.rules_hash != fields["rules_hash"]:
        return rules, [Finding("rules_hash", f"is not the hash of the rules, {rules.rules_hash}")]
    return rules, []


def _void_content(fields: dict[str, Any]) -> Iterator[Finding]:
    """Whether a draw was called off by two people, and every ticket got its price back."""
    rules, findings = _rules(fields)
    yield from findings
    if rules is None:
        return
    names = {str(name).casefold() for name in fields["operators"]}
    if len(names) < TWO_PEOPLE or not fields["reason"].strip():
        yield Finding("operators", "a draw is called off by two people who say why")
    tickets = fields["tickets"]
    price = rules.ticket_price_cents
    prices = [[str(ticket).split(" ")[0], price] for ticket in tickets]
    if fields["returned"] != prices:
        yield Finding("returned", "is not the price of each ticket, once")
    if (len(tickets), len(tickets) * price) != (fields["ticket_count"], fields["total_cents"]):
        yield Finding("total_cents", f"is not the price of {len(tickets)} tickets")
    if tickets != sorted(set(tickets)):
        yield Finding("tickets", "are not in order, each once")
    if fields["opening_seed"]:
        yield from _opening(fields)
    stages = [times for name in (*TIMES[:4], "void") if (times := fields["times"].get(name)) is not None]
    if stages != sorted(stages) or len(stages) != len(fields["times"]) or "void" not in fields["times"]:
        yield Finding("times", "are not those of a draw that was called off, in order")


def _opening(fields: dict[str, Any]) -> Iterator[Finding]:
    """The opening's seed is the one that was committed, and gives the dealer's first cards."""
    try:
        opening = Seed.parse(fields["opening_seed"])
    except CardroomError as error:
        yield Finding("opening_seed", f"cannot be read: {error}")
        return
    number, rules_hash = fields["number"], fields["rules_hash"]
    if commit_opening(opening, number, rules_hash) != fields["opening_commitment"]:
        yield Finding("opening_commitment", "is not that of the opening seed, draw number and rules' hash")
    if (first := format_cards(opening_cards(opening, number, rules_hash))) != fields["first_cards"]:
        yield Finding("first_cards", f"are not {first}, which the opening seed gives")


def _times(times: dict[str, Any]) -> Iterator[Finding]:
    """The stages of a draw came one after another."""
    if list(times) != sorted(TIMES) or not all(isinstance(moment, str) for moment in times.values()):
        yield Finding("times", f"are not those of {', '.join(TIMES)}")
        return
    for before, after in pairwise(TIMES):
        if times[before] > times[after]:
            yield Finding("times", f"{after} is before {before}")


def _pool(fields: dict[str, Any], rules: Knockout21Rules) -> Iterator[Finding]:
    """The sealed pool is that of the tickets: root, count, total, order."""
    tickets = fields["tickets"]
    if not all(isinstance(ticket, str) for ticket in tickets):
        yield Finding("tickets", "are not all text")
        return
    root = merkle_root([leaf_hash(ticket) for ticket in tickets]).hex()
    if root != fields["root"]:
        yield Finding("root", f"is not that of the tickets, {root}")
    if len(tickets) != fields["ticket_count"]:
        yield Finding("ticket_count", f"is not the number of tickets, {len(tickets)}")
    if len(tickets) * rules.ticket_price_cents != fields["total_cents"]:
        yield Finding("total_cents", f"is not the price of {len(tickets)} tickets")
    if tickets != sorted(set(tickets)):
        yield Finding("tickets", "are not in order, each once")


def _cards(fields: dict[str, Any]) -> Iterator[Finding]:
    """The commitments open to the seeds, and the seeds with the root give the cards."""
    number, rules_hash = fields["number"], fields["rules_hash"]
    try:
        opening, secret = Seed.parse(fields["opening_seed"]), Seed.parse(fields["secret"])
        root = bytes.fromhex(fields["root"])
    except (CardroomError, ValueError) as error:
        yield Finding("secret", f"a seed or the root cannot be read: {error}")
        return
    if commit_opening(opening, number, rules_hash) != fields["opening_commitment"]:
        yield Finding("opening_commitment", "is not that of the opening seed, draw number and rules' hash")
    if commit_secret(secret, number, rules_hash) != fields["commitment"]:
        yield Finding("commitment", "is not that of the secret, draw number and rules' hash")
    first = opening_cards(opening, number, rules_hash)
    if format_cards(first) != fields["first_cards"]:
        yield Finding("first_cards", f"are not {format_cards(first)}, which the opening seed gives")
    drawn = str(draw_cards(secret, DrawSeal(number, rules_hash, root, first)).draw)
    if drawn != fields["cards"]:
        for place, (ours, theirs) in enumerate(
            zip_longest(drawn.replace("/ ", "").split(), fields["cards"].replace("/ ", "").split()), 1
        ):
            if ours != theirs:
                yield Finding(
                    "cards", f"position {place} is {theirs}, but the secret and the root give {ours}"
                )


def _money(fields: dict[str, Any], rules: Knockout21Rules) -> Iterator[Finding]:
    """The readable law, on these tickets and cards, gives these prizes and this account."""
    ids, plays = [], []
    for number, ticket in enumerate(fields["tickets"], 1):
        try:
            ticket_id, hands, choices, price = ticket.split(" ")
            plays.append(play_of(hands, choices))
        except (CardroomError, ValueError) as error:
            yield Finding(f"ticket {number}", f"cannot be read: {error}")
            return
        if price != str(rules.ticket_price_cents):
            yield Finding(f"ticket {number}", f"its price is not {rules.ticket_price_cents} cents")
        ids.append(ticket_id)
    try:
        draw = Draw.parse(fields["cards"])
        parse_cards(fields["first_cards"])
        result = settle(rules, plays, draw, reserve_cents=fields["reserve_before_cents"])
    except CardroomError as error:
        yield Finding("cards", f"cannot be settled: {error}")
        return
    won = [list(prize) for prize in winners_of(ids, result)]
    if won != fields["prizes"]:
        for ours, theirs in zip_longest(won, fields["prizes"]):
            if ours != theirs:
                yield Finding("prizes", f"{theirs} is not {ours}, which the tickets and cards give")
                break
    account = account_body(result.account, result.lucky_loser_positions)
    for name in sorted({*account, *fields["account"]}):
        if account.get(name) != fields["account"].get(name):
            yield Finding("account", f"{name} is not {account.get(name)}, which the tickets and cards give")


def check_proof(proof: Mapping[str, Any]) -> bool:
    """Whether an inclusion proof leads from a ticket to the sealed root."""
    path = [bytes.fromhex(step) for step in proof["path"]]
    return proves(proof["ticket"], proof["index"], proof["count"], path, bytes.fromhex(proof["root"]))
