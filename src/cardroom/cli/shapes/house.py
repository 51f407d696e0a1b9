"""The JSON of the commands that show and keep a house: games, rules, bets, play, verify and the database."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from cardroom.cli.shapes.base import Finding, OfGame, Printed, Rules


class Game(Printed):
    """A game in a line."""

    game: str
    title: str
    about: str
    variants: NotRequired[list[str]]


Games = list[Game]


class Difference(TypedDict):
    """An option that differs from the game's own rules."""

    value: Any
    default: Any


class ClauseInForce(TypedDict):
    """An option in plain words, with the clause that it belongs to."""

    key: str
    clause: str
    words: str


class HouseRules(OfGame):
    """The house rules in force."""

    title: str
    rules: Rules
    differences: dict[str, Difference]
    clauses: list[ClauseInForce]


class Bet(Printed):
    """A side bet of the shelf; `bet` is as it stands in a rules file, `published` what others say of it."""

    name: str
    about: str
    source: str
    published: list[dict[str, Any]]
    bet: dict[str, Any]


Bets = list[Bet] | Bet


class PlayedRound(TypedDict):
    """A round that was played: your result, in all and by wager, and the round in notation with its rules."""

    number: int
    net_cents: int
    by_wager_cents: dict[str, int]
    notation: str


class Play(OfGame):
    """A session at the table, played without questions."""

    player: str
    seed: int | None
    rounds: list[PlayedRound]
    net_cents: int
    chips_cents: int | None
    left_in_round: int | None


class ShoeVerdict(TypedDict):
    """What was found in one record of a shoe."""

    line: int
    game: str | None
    shoe_id: str | None
    commitment: str | None
    holds: bool
    remarks: list[str]
    findings: list[Finding]


class VerifiedShoes(Printed):
    """A file of shoes."""

    records: list[ShoeVerdict]
    commitment_found: bool | None


class VerifiedDraw(Printed):
    """A draw of the lottery."""

    draw: int | None
    holds: bool
    commitment_found: bool | None
    findings: list[Finding]


class Evidence(TypedDict):
    """What a log shows of the cards that were dealt."""

    faults: list[str]
    proofs: int
    revealed: int
    without_word: list[str]
    withheld: list[str]
    unchecked: int
    given_up: list[str]
    corrections: int


class VerifiedLog(Printed):
    """An exported log: faults of its chain, and its evidence."""

    records: int
    chain: list[str]
    evidence: Evidence


class ArchiveVerdict(TypedDict):
    """An archive by itself; fields of its header are null where it cannot be read."""

    file: str
    number: int | None
    start: str | None
    end: str | None
    hash: str | None
    findings: list[str]


class VerifiedArchives(Printed):
    """Archives, between themselves and against a database where one was named."""

    archives: list[ArchiveVerdict]
    database: list[str]
    evidence: Evidence
    holds: bool


Verify = VerifiedShoes | VerifiedDraw | VerifiedLog | VerifiedArchives


class Backup(Printed):
    """A back-up that was written or read."""

    file: str
    head: str
    revision: str
    made_at: str
    rows: int
    archives: list[str]


class SealedArchive(TypedDict):
    """An archive that was just sealed."""

    number: int
    first: int
    last: int
    hash: str
    file: str


class Archive(Printed):
    """What was sealed, how far the log is sealed now, and why no further."""

    archives: list[SealedArchive]
    sealed: str
    because: str


class Trouble(TypedDict):
    """A table that is closed because its records do not fit together."""

    table: str
    game: str
    record: int
    kind: str
    why: str
    held_cents: int
    stakes: dict[str, int]


class Repair(Printed):
    """What in the log cannot have happened, and what was cleared."""

    tables: list[Trouble]
    oddities: list[str]
    cleared: list[str]


class Operator(Printed):
    """An account of somebody who runs the house."""

    name: str
    role: str
    appointed_by: str
    seconded_by: str | None
    appointed_at: str
    chose_password: bool
    second_factor: bool


Operators = list[Operator]


class TestOfChance(TypedDict):
    """One statistical test."""

    test: str
    statistic: float
    p_value: float


class TestedShuffle(Printed):
    """The statistical tests of the shuffle."""

    shuffles: int
    independent_cards: int
    level: float
    tests: list[TestOfChance]
    passed: bool
