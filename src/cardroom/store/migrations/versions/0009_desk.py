"""What the desk has done about a ticket: stopped, printed anew, its large prize asked for and approved."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tickets", sa.Column("reprints", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("tickets", sa.Column("stopped", sa.Text(), nullable=True))
    op.add_column("tickets", sa.Column("approval", sa.Text(), nullable=True))
