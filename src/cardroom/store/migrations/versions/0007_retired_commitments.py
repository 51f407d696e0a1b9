"""A law of its own for commitments: they change only with a record that retires them, and without tickets."""

from __future__ import annotations

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Tables stay as they are; laws are written after every upgrade."""
