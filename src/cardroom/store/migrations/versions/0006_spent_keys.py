"""Keys of requests whose record is sealed, so that a key has one outcome for ever."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "spent_keys",
        sa.Column("key_hash", sa.Text(), nullable=False),
        sa.Column("digest_hash", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key_hash", name=op.f("pk_spent_keys")),
        sqlite_with_rowid=False,
    )
