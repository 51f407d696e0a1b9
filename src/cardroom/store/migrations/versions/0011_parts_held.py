"""A checkpoint says how many parts it has, so that one that is missing is noticed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("checkpoints", sa.Column("parts", sa.BigInteger(), nullable=True))
    op.execute("UPDATE checkpoints SET parts = (SELECT count(*) FROM parts)")
