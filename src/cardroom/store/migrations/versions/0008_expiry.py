"""No table changes: the laws are written anew, since a wrong expiry may be taken back."""

from __future__ import annotations

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The laws follow every upgrade."""
