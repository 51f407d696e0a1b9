"""Secrets of draws that are never used: what becomes of each draw when they may have been seen before.

A draw that nobody can have a ticket for gets new secrets and commitments. One on sale with tickets is called
off, and every ticket gets its price back: its print shows the old commitment. One whose sales have closed
keeps its secret: nothing can be staked on it any more, and its cards come again as they came (R-15).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cardroom.fair.draw import commit_opening, commit_secret
from cardroom.lottery.draws import void_in
from cardroom.lottery.vault import Vault
from cardroom.store import lottery as rows
from cardroom.store.unit import Unit

_BY: Final = "the house"


@dataclass(frozen=True, slots=True)
class RetiredDraws:
    """The draws whose secrets were retired."""

    renewed: list[tuple[int, str, str]]
    """Number, new commitment, commitment of the opening."""
    voided: list[int]


def retire_draws(unit: Unit, open_vault: Callable[[], Vault], reason: str) -> RetiredDraws:
    """Call off draws on sale that have tickets, and make new secrets for the others, in a transaction.

    The rows are changed by `take_up`, when the record that tells of it is written.
    """
    retired = RetiredDraws([], [])
    waiting = rows.draws_with_status(unit.connection, "committed", "open")
    if not waiting:
        return retired
    vault = open_vault()
    for draw in waiting:
        if rows.any_ticket(unit.connection, draw.number):
            void_in(unit, draw.number, [_BY], reason)
            retired.voided.append(draw.number)
            continue
        vault.retire(draw.number)
        commitment = commit_secret(vault.secret(draw.number), draw.number, draw.rules_hash)
        if draw.status == "committed":
            shown = commit_opening(vault.opening(draw.number), draw.number, draw.rules_hash)
        else:  # its first cards are shown already
            shown = draw.opening_commitment
        retired.renewed.append((draw.number, commitment, shown))
    return retired


def take_up(unit: Unit, retired: RetiredDraws) -> None:
    """Put new commitments in the place of those that the last record of the log retires."""
    unit.write(unit.connection)
    for number, commitment, opening_commitment in retired.renewed:
        rows.change_draw(unit, number, commitment=commitment, opening_commitment=opening_commitment)
