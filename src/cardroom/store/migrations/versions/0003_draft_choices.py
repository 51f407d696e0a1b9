"""The choices that a buyer has made so far, kept with the ticket until it is printed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tickets", sa.Column("draft_choices", sa.Text(), nullable=True))
