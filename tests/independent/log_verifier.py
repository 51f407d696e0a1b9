"""A whole house checked by a stranger from its exported log, from docs/evidence.md alone.

    python -m tests.independent.log_verifier FILE

Nothing of Cardroom is used: the chain of the records, every shoe, every game of Knockout 52, every draw of
Knockout 21.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.independent.draw_verifier import faults_of_draw
from tests.independent.shoe_verifier import faults_of_proof, joint_salt, salt_hash
from tests.independent.streams import sha256

Body = dict[str, Any]


@dataclass
class Cards:
    """A shoe or game between its commitment and its proof."""

    name: str
    commitment: str
    takes_salts: bool
    cut: bytes = b""
    hashes: dict[str, str] = field(default_factory=dict)
    """Player → hash, in the order in which they came."""
    salts: dict[str, str] = field(default_factory=dict)
    """Hash → salt."""
    stage: str = "open"
    dealt: bool = False
    rounds: list[str] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)

    def shown(self) -> list[Body]:
        return [{"hash": one, "salt": self.salts.get(one, "")} for one in self.hashes.values()]

    def joint(self) -> str:
        return joint_salt(self.cut, [one["salt"] for one in self.shown() if one["salt"]]).hex()


@dataclass
class Report:
    """What a stranger found."""

    faults: list[str] = field(default_factory=list)
    records: int = 0
    shoes: int = 0
    games: int = 0
    draws: int = 0
    voided: int = 0
    tickets: int = 0
    revealed: int = 0
    withheld: list[str] = field(default_factory=list)
    without_word: list[str] = field(default_factory=list)
    given_up: list[str] = field(default_factory=list)
    """Shoes and games of cleared tables, and those ended without a card when salts were known."""


class LogVerifier:
    """Reads the lines of a log, one after another."""

    def __init__(self) -> None:
        self.report = Report()
        self._seq = 0
        self._previous = "0" * 64
        self._last_at = ""
        self._cards: dict[str, Cards] = {}
        self._draws: dict[int, Body] = {}
        self._tickets: dict[str, Body] = {}
        self._closed: set[int] = set()
        """Draws whose sales are over."""

    def read(self, text: str) -> Report:
        first, *lines = text.splitlines()
        header = json.loads(first)
        if header["format"] != "cardroom log 1" or header["start"] != "0:" + "0" * 64:
            self._fault("this is not a whole log")
        for line in lines:
            record = json.loads(line)
            self._chain(record)
            self.report.records += 1
            body = json.loads(record["body"])
            step = getattr(self, f"_on_{record['kind']}", None)
            if step is not None:
                step(body)
        return self.report

    def _fault(self, what: str) -> None:
        self.report.faults.append(f"record {self._seq}: {what}")

    def _chain(self, record: Body) -> None:
        seq, at, kind, body = record["seq"], record["at"], record["kind"], record["body"]
        self._seq += 1
        if seq != self._seq:
            self._fault(f"its number is {seq}")
        if at < self._last_at and kind != "ClockPutBack":
            self._fault("its time is before that of the record before it")
        if sha256("cardroom/log/1", self._previous, str(seq), at, kind, body) != record["hash"]:
            self._fault("its hash does not follow")
        self._previous, self._last_at = record["hash"], at

    # Shoes and games.

    def _commit(self, table: str, cards: Cards) -> None:
        if table in self._cards:
            self._fault(f"the secret of {self._cards[table].name} was never told")
        self._cards[table] = cards

    def _of(self, body: Body) -> Cards:
        found = self._cards.get(body["table"])
        if found is None:
            self._fault(f"nothing was committed to at {body['table']}")
            return Cards("", "", takes_salts=True)
        return found

    def _on_TableClosed(self, body: Body) -> None:
        self._cards.pop(body["table"], None)

    def _on_TableCleared(self, body: Body) -> None:
        if (cards := self._cards.pop(body["table"], None)) is not None:
            self.report.given_up.append(cards.name)

    def _on_TableRequestGranted(self, body: Body) -> None:
        request = body["request"]
        what = request["request"]
        if what == "shuffle":
            name = f"shoe {request['shoe_id']} of {body['table']}"
            takes_salts = request.get("takes_salts", False)
            self._commit(body["table"], Cards(name, request["commitment"], takes_salts))
        elif what == "leave":
            if body["table"] in self._cards and self._of(body).stage == "open":
                self._of(body).hashes.pop(request["player"], None)
        elif what == "cut shoe":
            end, words = request.get("end", "back"), request.get("words", "")
            self._of(body).cut = f"cut {request['cards_deep']} {end} {words}".rstrip().encode()
        elif what == "commit salt":
            self._hash(self._of(body), request["player"], request["salt_hash"])
        elif what == "close wagers":
            self._ask(self._of(body))
        elif what == "reveal salt":
            self._reveal(self._of(body), request["salt"])
        elif what == "close salts":
            self._close(self._of(body))
        elif what in ("start round", "deal card"):
            self._card(self._of(body))

    def _hash(self, cards: Cards, player: str, hashed: str) -> None:
        if cards.stage != "open" or not cards.takes_salts:
            self._fault(f"a hash for {cards.name} when none is taken")
        if cards.hashes.setdefault(player, hashed) != hashed:
            self._fault(f"a second hash of one player for {cards.name}")
        if list(cards.hashes.values()).count(hashed) > 1:
            self._fault(f"one hash of two players for {cards.name}")

    def _ask(self, cards: Cards) -> None:
        if cards.stage != "open" or not cards.hashes:
            self._fault(f"salts of {cards.name} are asked for out of their time")
        cards.stage = "asked"

    def _reveal(self, cards: Cards, salt: str) -> None:
        if cards.stage != "asked":
            self._fault(f"a salt of {cards.name} is revealed that is not asked for")
        hashed = salt_hash(cards.commitment, salt) if cards.commitment else ""
        if hashed not in cards.hashes.values():
            self._fault(f"a salt of {cards.name} without a hash for its commitment")
        cards.salts[hashed] = salt

    def _close(self, cards: Cards) -> None:
        if cards.stage != "asked":
            self._fault(f"salts of {cards.name} are closed that were not asked for")
        cards.stage = "closed"

    def _card(self, cards: Cards) -> None:
        if not cards.dealt and (cards.stage == "asked" or (cards.stage == "open" and cards.hashes)):
            self._fault(f"a card of {cards.name} before its salts")
        cards.dealt, cards.stage = True, "closed"

    def _on_TwentyOneRoundEnded(self, body: Body) -> None:
        self._of(body).rounds.append(body["notation"])

    def _on_TwentyOneShoeEnded(self, body: Body) -> None:
        self.report.shoes += 1
        self._told(body, body["proof"])

    def _told(self, body: Body, text: str) -> None:
        cards, proof = self._of(body), json.loads(text)
        self._cards.pop(body["table"], None)
        for fault in faults_of_proof(text):
            self._fault(f"{cards.name}: {fault}")
        if proof["commitment"] != cards.commitment:
            self._fault(f"{cards.name}: another commitment than the one shown before the wagers")
        if cards.takes_salts and proof.get("salts") != cards.shown():
            self._fault(f"{cards.name}: other salts than those of the log")
        if cards.takes_salts and proof.get("cut") != cards.cut.hex():
            self._fault(f"{cards.name}: another cut than that of the log")
        rounds = [notation for notation in proof["rounds"] if not notation.startswith("burn ")]
        if rounds != cards.rounds and not cards.cards:
            self._fault(f"{cards.name}: other rounds than those of the log")
        if cards.cards and "".join(cards.cards) != proof["cards"]:
            self._fault(f"{cards.name}: other cards than those of the log")
        if not cards.dealt and cards.salts:
            self.report.given_up.append(cards.name)
        if cards.dealt:
            self.report.revealed += len(cards.salts)
            late = [one["hash"] for one in cards.shown() if not one["salt"]]
            self.report.withheld += [f"{cards.name} {hashed}" for hashed in late]
            if not cards.salts:
                self.report.without_word.append(cards.name)

    def _on_Knockout52ShoeCommitted(self, body: Body) -> None:
        name = f"{body['table']}-{body['game']}"
        self._commit(body["table"], Cards(name, body["commitment"], takes_salts=True))

    def _on_Knockout52WagersPlaced(self, body: Body) -> None:
        cards = self._of(body)
        if body["stakes"] and body.get("salt_hash"):
            self._hash(cards, body["player"], body["salt_hash"])
        elif not body["stakes"] and cards.stage == "open":
            cards.hashes.pop(body["player"], None)

    def _on_Knockout52WagersClosed(self, body: Body) -> None:
        self._ask(self._of(body))

    def _on_Knockout52SaltRevealed(self, body: Body) -> None:
        self._reveal(self._of(body), body["salt"])

    def _on_Knockout52DealStarted(self, body: Body) -> None:
        cards = self._of(body)
        if cards.stage == "asked":
            cards.stage = "closed"
        self._card(cards)
        if cards.joint() != body["salt"]:
            self._fault(f"{cards.name}: the salt of the deal is another")

    def _on_Knockout52CardDealt(self, body: Body) -> None:
        cards = self._of(body)
        if not cards.dealt or body["space"] != len(cards.cards):
            self._fault(f"{cards.name}: a card out of its place")
        cards.cards.append(body["card"])

    def _on_Knockout52GameEnded(self, body: Body) -> None:
        self.report.games += 1
        self._told(body, body["record"])

    # Draws.

    def _on_DayCommitted(self, body: Body) -> None:
        for number, _, _, commitment, opening_commitment in body["draws"]:
            if number in self._draws:
                self._fault(f"draw {number} is committed to twice")
            self._draws[number] = {
                "number": number,
                "rules": json.loads(body["rules"]),
                "rules_hash": body["rules_hash"],
                "commitment": commitment,
                "opening_commitment": opening_commitment,
            }

    def _on_SecretsRetired(self, body: Body) -> None:
        for number, commitment, opening_commitment in body["draws"]:
            if self._lines(number):
                self._fault(f"draw {number} has tickets and gets another secret")
            new = {"commitment": commitment, "opening_commitment": opening_commitment}
            self._draws[number].update(new)

    def _on_DrawOpened(self, body: Body) -> None:
        opened = {"opening_seed": body["opening_seed"], "first_cards": body["first_cards"]}
        self._draws[body["draw"]].update(opened)

    def _on_TicketsSold(self, body: Body) -> None:
        for ticket in body["tickets"]:
            draw = self._draws.get(ticket["draw"], {})
            if "opening_seed" not in draw or ticket["draw"] in self._closed:
                self._fault(f"a ticket of draw {ticket['draw']} when none is sold")
            self._tickets[ticket["id"]] = dict(ticket)
            self.report.tickets += 1

    def _choose(self, ticket_id: str, choices: str) -> None:
        ticket = self._tickets[ticket_id]
        if ticket["draw"] in self._closed:
            self._fault(f"ticket {ticket_id} changes after its sales were closed")
        ticket["choices"] = choices

    def _on_ChoicesMade(self, body: Body) -> None:
        for made in body["made"]:
            self._choose(made["id"], made["choices"])

    def _on_TicketAltered(self, body: Body) -> None:
        self._choose(body["id"], body["after"])

    def _on_DrawClosed(self, body: Body) -> None:
        self._closed.add(body["draw"])

    def _lines(self, number: int) -> list[str]:
        found = (ticket for ticket in self._tickets.values() if ticket["draw"] == number)
        lines = (f"{one['id']} {one['hands']} {one['choices']} {one['price_cents']}" for one in found)
        return sorted(lines)

    def _on_DrawSealed(self, body: Body) -> None:
        draw = self._draws[body["draw"]]
        if "cards" in draw:
            self._fault(f"draw {body['draw']} is sealed after its cards")
        sealed = {"root": body["root"], "ticket_count": body["count"], "total_cents": body["total_cents"]}
        draw.update(sealed, tickets=self._lines(body["draw"]))

    def _on_DrawDrawn(self, body: Body) -> None:
        draw = self._draws[body["draw"]]
        if "root" not in draw:
            self._fault(f"draw {body['draw']} is drawn before its pool is sealed")
        draw.update(cards=body["cards"], secret=body["secret"])

    def _on_DrawSettled(self, body: Body) -> None:
        self.report.draws += 1
        draw = {**self._draws[body["draw"]], "prizes": body["prizes"]}
        missing = {"opening_seed", "root", "cards"} - set(draw)
        if missing:
            self._fault(f"draw {body['draw']} is settled without {', '.join(sorted(missing))}")
            return
        for fault in faults_of_draw(draw):
            self._fault(f"draw {body['draw']}: {fault}")

    def _on_DrawVoided(self, body: Body) -> None:
        self.report.voided += 1
        self._closed.add(body["draw"])
        lines = [line.split(" ") for line in self._lines(body["draw"])]
        returned = [[line[0], int(line[3])] for line in lines]
        if [prize[:2] for prize in body["prizes"]] != returned:
            self._fault(f"draw {body['draw']}: not every ticket got its price back, once")


def verify_log(text: str) -> Report:
    """Everything that a stranger finds in a log."""
    return LogVerifier().read(text)


if __name__ == "__main__":
    found = verify_log(Path(sys.argv[1]).read_text("utf-8"))
    for fault in found.faults:
        print(fault)
    print(
        f"{found.records} records: {found.shoes} shoes, {found.games} games, {found.draws} draws with "
        f"{found.tickets} tickets, {found.voided} called off; {found.revealed} salts in the cards, "
        f"{len(found.withheld)} not revealed, {len(found.without_word)} shoes and games without any"
    )
    raise SystemExit(1 if found.faults else 0)
