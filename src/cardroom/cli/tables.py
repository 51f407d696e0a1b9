"""Tables of figures as files: CSV, and Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cardroom.cli.output import write_file

if TYPE_CHECKING:
    from pathlib import Path

Row = Mapping[str, Any]


def write_rows(rows: Sequence[Row], *, csv: Path | None, parquet: Path | None) -> None:
    """Write rows with the same columns to the files that were named; what is not known is left empty."""
    if csv is not None:
        write_file(csv, to_csv(rows).encode())
    if parquet is not None:
        write_file(parquet, to_parquet(rows))


def to_csv(rows: Sequence[Row]) -> str:
    """A line of column names, then a line for each row."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def to_parquet(rows: Sequence[Row]) -> bytes:
    """The same as a Parquet file; numbers are numbers there, and what is not known is null."""
    from pyarrow import BufferOutputStream, Table
    from pyarrow.parquet import write_table

    out = BufferOutputStream()
    write_table(Table.from_pylist([dict(row) for row in rows]), out)
    content: bytes = out.getvalue().to_pybytes()
    return content
