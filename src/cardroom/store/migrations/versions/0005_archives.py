"""Archives: which files hold the old records of the log, and what they speak of."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "archives",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("first_seq", sa.BigInteger(), nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.Column("start_hash", sa.Text(), nullable=False),
        sa.Column("end_hash", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.CheckConstraint("first_seq <= last_seq", name=op.f("ck_archives_not_empty")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_archives")),
    )
    op.create_table(
        "sealed_names",
        sa.Column("stem", sa.Text(), nullable=False),
        sa.Column("archive", sa.BigInteger(), nullable=False),
        sa.Column("first", sa.BigInteger(), nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["archive"], ["archives.number"], name=op.f("fk_sealed_names_archive")),
        sa.PrimaryKeyConstraint("stem", "archive", name=op.f("pk_sealed_names")),
    )
    for table in ("mentions", "requests", "balances", "claims"):
        op.create_index(op.f(f"ix_{table}_seq"), table, ["seq"], unique=False)
