"""The log as evidence of every shoe and game: commitment, hashes of salts, reveals, cards, in this order.

What is found here follows from the records alone; the proofs that they carry are verified, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cardroom.core.errors import CardroomError, MalformedInput
from cardroom.fair.commitment import Commitment
from cardroom.fair.record import SALTED_FORMAT
from cardroom.fair.replay import BURN
from cardroom.fair.salts import Salts, Stage
from cardroom.fair.verify import verify_record
from cardroom.records import PlayRecord, floor, tables
from cardroom.store.log import LogRecord
from cardroom.table.correction import CorrectionCheck


@dataclass(slots=True)
class Evidence:
    """What the log shows of the cards that were dealt."""

    faults: list[str] = field(default_factory=list)
    proofs: int = 0
    """Shoes and games that are over, with their secrets."""
    without_word: list[str] = field(default_factory=list)
    """Those in whose cards no player's word is, by table and number."""
    withheld: list[str] = field(default_factory=list)
    """Hashes whose salts were not revealed in time, behind the name of their shoe or game."""
    revealed: int = 0
    unchecked: int = 0
    """Shoes and games that began before the first of these records."""
    given_up: list[str] = field(default_factory=list)
    """Those of cleared tables, and those that ended without a card when salts were known."""
    corrections: int = 0
    """Results that two people put right; each follows from its round, and moved what it says."""

    def sentences(self) -> list[str]:
        """All of it but the faults, as sentences."""
        said = [f"{self.proofs} shoes and games are over, and their secrets told"]
        if self.unchecked:
            said.append(f"{self.unchecked} of them began before these records")
        said.append(f"{self.revealed} salts of players are in their cards")
        if self.without_word:
            said.append(
                f"no player's word is in the cards of {len(self.without_word)}: {_some(self.without_word)}"
            )
        if self.withheld:
            said.append(f"{len(self.withheld)} salts were not revealed in time: {_some(self.withheld)}")
        if self.corrections:
            said.append(f"{self.corrections} results of rounds were put right by two people")
        if self.given_up:
            why = "their tables cleared, or ended without a card when salts were known"
            said.append(f"{len(self.given_up)} were given up ({why}): {_some(self.given_up)}")
        return said

    def to_json(self) -> dict[str, Any]:
        return {
            "faults": self.faults,
            "proofs": self.proofs,
            "revealed": self.revealed,
            "without_word": self.without_word,
            "withheld": self.withheld,
            "unchecked": self.unchecked,
            "given_up": self.given_up,
            "corrections": self.corrections,
        }


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:20])
    return f"{shown} and {len(names) - 20} more" if len(names) > 20 else shown


@dataclass(slots=True)
class _Cards:
    """The shoe or game that a table has committed to, as the log has told it so far."""

    commitment: Commitment
    name: str
    takes_salts: bool
    salts: Salts = field(default_factory=Salts)
    dealt: bool = False
    held: bool = False
    """Whether stakes were held when its salts were asked for: then it is dealt."""
    secret_is_told: bool = False
    """Whether its secret is told."""
    rounds: list[str] = field(default_factory=list)
    """The texts of the rounds of a shoe."""
    cards: list[str] = field(default_factory=list)
    """The cards of a game."""

    def first_card(self) -> None:
        """Cards come: every salt whose hash was given was asked for, and none is taken any more."""
        stage, self.dealt, self.salts = self.salts.stage, True, self.salts.closed()
        if stage is Stage.ASKED or (stage is Stage.OPEN and self.salts.entries):
            raise MalformedInput(f"{self.name}: a card was dealt before the salts were asked for and closed")

    def faults_of(self, proof: dict[str, Any]) -> Iterator[str]:
        """Where a proof is not of what the log says was committed, salted and dealt."""
        if proof["commitment"] != str(self.commitment):
            yield "its commitment is not the one that was shown before the wagers"
        if self.takes_salts and proof["format"] != SALTED_FORMAT:
            yield "its record is without the players' salts"
        elif self.takes_salts and proof["salts"] != self.salts.shown():
            yield "its salts are not those of the hashes and reveals in the log"
        if [text for text in proof["rounds"] if not text.startswith(BURN)] != self.rounds and not self.cards:
            yield "its rounds are not those of the log"
        if self.cards and proof["cards"] != "".join(self.cards):
            yield "its cards are not those of the log"


class EvidenceCheck:
    """Reads records one after another; `evidence` is what they have shown so far."""

    def __init__(self, *, from_the_first: bool = True) -> None:
        self.evidence = Evidence()
        self._from_the_first = from_the_first
        self._cards: dict[str, _Cards] = {}
        self._corrections = CorrectionCheck()
        self._faults: list[tuple[int, str, str]] = []
        """Number of the record, table, what is wrong."""

    def take(self, logged: LogRecord) -> None:
        """One record more; what does not fit is a fault, and all others are still looked at."""
        try:
            record, moves = logged.read()
            self._corrections.take(record, moves)
            self.evidence.corrections = self._corrections.corrections
            if isinstance(record, tables.TableClosed):
                self._cards.pop(record.table, None)
            elif isinstance(record, tables.TableCleared):
                self._clear(record)
            elif isinstance(record, PlayRecord):
                self._play(record)
        except CardroomError as error:
            self._faults.append((logged.seq, str(logged.content.get("table", "")), error.message))
            self._tell_faults()

    def _tell_faults(self) -> None:
        self.evidence.faults = [f"record {seq}: {what}" for seq, _, what in self._faults]

    def _clear(self, record: tables.TableCleared) -> None:
        """A table begins anew; what was impossible there is settled by this record, with its two names."""
        if (cards := self._cards.pop(record.table, None)) is not None and not cards.secret_is_told:
            self.evidence.given_up.append(cards.name)
        if record.impossible:
            settled = [one for one in self._faults if one[1] == record.table and one[0] >= record.impossible]
            self._faults = [one for one in self._faults if one not in settled]
            self._tell_faults()

    def _play(self, record: PlayRecord) -> None:
        table = record.table
        match record:
            case tables.TableRequestGranted():
                self._request(table, record.request)
            case tables.Knockout52ShoeCommitted():
                self._commit(table, record.commitment, f"{table}-{record.game}", takes_salts=True)
            case tables.TwentyOneShoeEnded():
                self._check_secret(table, record.proof)
            case tables.Knockout52GameEnded():
                self._check_secret(table, record.record)
            case (
                tables.TableRulesAnnounced()
                | floor.FloorCalled()
                | floor.FloorAnswered()
                | floor.TableFrozen()
                | floor.TableReleased()
            ):
                pass
            case _:
                cards = self._of(table)
                if cards is not None:
                    self._within(cards, record)

    @staticmethod
    def _within(cards: _Cards, record: _Within) -> None:
        """What happens to cards between their commitment and their proof."""
        match record:
            case tables.TwentyOneRoundEnded():
                cards.rounds.append(record.notation)
            case tables.Knockout52WagersPlaced():
                if not record.stakes:
                    cards.salts = cards.salts.without(record.player)
                elif record.salt_hash:
                    cards.salts = cards.salts.committed(record.player, record.salt_hash)
            case tables.Knockout52WagersClosed():
                cards.salts = cards.salts.with_wagers_closed()
            case tables.Knockout52SaltRevealed():
                cards.salts = cards.salts.revealed(cards.commitment, record.salt)
            case tables.Knockout52DealStarted():
                if cards.salts.stage is Stage.ASKED:
                    cards.salts = cards.salts.closed()
                cards.first_card()
                if cards.salts.joint().hex() != record.salt:
                    raise MalformedInput(
                        f"{cards.name}: the deal's salt is not made of those revealed before it"
                    )
            case tables.Knockout52CardDealt():
                if not cards.dealt:
                    cards.first_card()
                cards.cards.append(record.card)

    def _of(self, table: str) -> _Cards | None:
        """The cards that a table has committed to; None where that may have been before the first record."""
        cards = self._cards.get(table)
        if cards is None and self._from_the_first:
            raise MalformedInput(f"table {table}: nothing was committed to before this")
        return cards

    def _request(self, table: str, request: dict[str, Any]) -> None:
        """A request that a table of the blackjack family granted."""
        what = request.get("request")
        if what == "shuffle":
            name = f"shoe {request.get('shoe_id')} of {table}"
            takes_salts = bool(request.get("takes_salts"))
            self._commit(table, str(request.get("commitment")), name, takes_salts=takes_salts)
        elif what == "leave":
            if (cards := self._cards.get(table)) is not None:
                cards.salts = cards.salts.without(str(request.get("player")))
        elif what in _ABOUT_CARDS and (cards := self._of(table)) is not None:
            match what:
                case "commit salt":
                    player, hashed = str(request.get("player")), str(request.get("salt_hash"))
                    cards.salts = cards.salts.committed(player, hashed)
                case "close wagers":
                    cards.salts = cards.salts.with_wagers_closed()
                    cards.held = bool(request.get("holds"))
                case "reveal salt":
                    cards.salts = cards.salts.revealed(cards.commitment, str(request.get("salt")))
                case "close salts":
                    if cards.salts.stage is not Stage.ASKED:
                        raise MalformedInput(f"{cards.name}: salts are closed that were not asked for")
                    cards.salts = cards.salts.closed()
                case _:
                    if not cards.dealt:
                        cards.first_card()

    def _commit(self, table: str, commitment: str, name: str, *, takes_salts: bool) -> None:
        before = self._cards.get(table)
        self._cards[table] = _Cards(Commitment.parse(commitment), name, takes_salts)
        if before is not None and not before.secret_is_told:
            salted = "; salts were revealed for it" if any(one.salt for one in before.salts.entries) else ""
            raise MalformedInput(f"the secret of {before.name} was never told{salted}, and {name} followed")

    def _check_secret(self, table: str, proof: str) -> None:
        """A secret is told: its record holds, and is of what the log says."""
        evidence = self.evidence
        evidence.proofs += 1
        verdict = verify_record(proof)
        cards = self._cards.get(table)
        name = cards.name if cards is not None else f"shoe {verdict.fields.get('shoe_id')} of {table}"
        faults = [str(finding) for finding in verdict.findings]
        if cards is None:
            evidence.unchecked += 1
            if self._from_the_first:
                faults.append("nothing was committed to before this")
        else:
            cards.secret_is_told = True
            if cards.held and not cards.dealt:
                faults.append("its stakes were held and its salts asked for, and no card was dealt")
            if verdict.holds:
                faults += cards.faults_of(verdict.fields)
            self._count(cards)
        if faults:
            raise MalformedInput(f"{name}: {'; '.join(faults)}")

    def _count(self, cards: _Cards) -> None:
        """What players had to say in cards that were dealt."""
        words = [one for one in cards.salts.entries if one.salt]
        if not cards.dealt:
            if words:
                self.evidence.given_up.append(cards.name)
            return
        self.evidence.revealed += len(words)
        self.evidence.withheld += [f"{cards.name} {one.hash}" for one in cards.salts.entries if not one.salt]
        if not words:
            self.evidence.without_word.append(cards.name)


_Within = (
    tables.TwentyOneRoundEnded
    | tables.Knockout52WagersPlaced
    | tables.Knockout52WagersClosed
    | tables.Knockout52SaltRevealed
    | tables.Knockout52DealStarted
    | tables.Knockout52CardDealt
)
_ABOUT_CARDS: Final = {
    "commit salt",
    "close wagers",
    "reveal salt",
    "close salts",
    "start round",
    "deal card",
}


def check_evidence(records: Iterable[LogRecord], *, from_the_first: bool = True) -> Evidence:
    """What records show of the cards that were dealt."""
    check = EvidenceCheck(from_the_first=from_the_first)
    for record in records:
        check.take(record)
    return check.evidence
