"""Where the log speaks of something by its name, so that it is found without reading the whole log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "mentions",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["seq"], ["log.seq"], name=op.f("fk_mentions_seq")),
        sa.PrimaryKeyConstraint("name", "seq", name=op.f("pk_mentions")),
    )
