"""Records looked at: does everything in them follow from their secret and their rules?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cardroom.core.errors import FileTrouble, MalformedInput
from cardroom.library.arguments import text_or_file


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found in a file of records."""

    records: int
    findings: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing disagrees."""
        return not self.findings

    def __bool__(self) -> bool:
        return self.holds

    def __repr__(self) -> str:
        words = "everything holds" if self.holds else f"{len(self.findings)} findings, {self.findings[0]}"
        return f"<{self.records} record{'' if self.records == 1 else 's'}: {words}>"


def verify(record: str | Path) -> Verification:
    """Re-derive every shoe, round or draw of a record, with no server.

    `record` is a file, or the text of one.
    """
    from cardroom.fair.verify import verify_records

    text = _text_of(record)
    if '"format":"cardroom draw' in text or '"format": "cardroom draw' in text:
        from cardroom.lottery.verify import verify_draw

        verdict = verify_draw(text)
        return Verification(1, tuple(map(str, verdict.findings)))
    verdicts = verify_records(text)
    return Verification(
        len(verdicts),
        tuple(f"line {one.line}: {finding}" for one in verdicts for finding in one.findings),
    )


def _text_of(record: str | Path) -> str:
    record = text_or_file(record, "the record", "evening.jsonl")
    if isinstance(record, str) and record.lstrip().startswith("{"):
        return record
    try:
        return Path(record).read_text(encoding="utf-8")
    except OSError as error:
        raise FileTrouble(f"cannot read {record}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise MalformedInput(f"{record} is not a record: byte {error.start + 1} is not UTF-8 text") from None
