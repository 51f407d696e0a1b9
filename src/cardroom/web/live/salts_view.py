"""The players' salts of a shoe or game as its page sees them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from pydantic import BaseModel, Field

from cardroom.fair.salts import SALT_BYTES, Salts, Stage

SALT_DIGITS: Final = 2 * SALT_BYTES


class RevealedSalt(BaseModel):
    """A salt whose hash you gave with your first wager."""

    salt: str = Field(min_length=SALT_DIGITS, max_length=SALT_DIGITS, pattern="^[0-9a-f]*$")


SaltHash: Final = Field(
    default="",
    max_length=SALT_DIGITS,
    pattern=f"^([0-9a-f]{{{SALT_DIGITS}}})?$",
    description="The hash of a fresh salt, with the first wager of a shoe or game.",
)


def salts_view(salts: Salts | None, player: str | None, reveal_by: datetime | None) -> dict[str, Any] | None:
    """Hashes in their order, which are revealed, whether salts are asked for; None where none are taken."""
    if salts is None:
        return None
    own = None if player is None else salts.of(player)
    is_asked = salts.stage is Stage.ASKED
    return {
        "stage": salts.stage.value,
        "hashes": [one.hash for one in salts.entries],
        "revealed": [bool(one.salt) for one in salts.entries],
        "yours": own.hash if own else None,
        "reveal_by": reveal_by.isoformat() if is_asked and reveal_by else None,
    }
