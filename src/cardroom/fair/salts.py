"""The players' salts, which bind the house: hashes after its commitment, salts after all hashes.

A browser gives the hash of a fresh salt with its first wager of a shoe or game. The hash covers the house's
commitment, so it cannot have been made before it. When wagers are closed the salts are asked for; those that
come in time go into the deal in the order of their hashes, and who does not reveal in time is left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from cardroom.core.errors import CardroomError, Conflict
from cardroom.fair.commitment import Commitment
from cardroom.fair.encoding import encode
from cardroom.fair.seeds import parse_hex

SALT_BYTES: Final = 32
"""The length of every salt and of every hash: a bound for each player, and none for all of them together."""
_HASH_LABEL: Final = "cardroom/player-salt/1"
_JOINT_LABEL: Final = "cardroom/salts/2"


def salt_hash(commitment: Commitment, salt: bytes) -> str:
    """What a player shows of a salt before it is revealed; it covers the house's commitment."""
    return hashlib.sha256(encode(_HASH_LABEL, commitment.digest, salt)).hexdigest()


def joint_salt(cut: bytes, salts: Iterable[bytes]) -> bytes:
    """The salt of a deal: the cut alone where no salt was revealed, else a hash of the cut and all salts."""
    revealed = tuple(salts)
    return hashlib.sha256(encode(_JOINT_LABEL, cut, *revealed)).digest() if revealed else cut


def parse_salt(text: str) -> bytes:
    """Read a salt: 64 hexadecimal digits."""
    return parse_hex(text, "a salt", SALT_BYTES)


class Stage(StrEnum):
    """How far the salts of a shoe or game have come."""

    OPEN = "open"
    """Hashes are taken with wagers."""
    ASKED = "asked"
    """Wagers are closed, and the salts are asked for."""
    CLOSED = "closed"
    """What was revealed is in the deal; nothing is taken any more."""


@dataclass(frozen=True, slots=True)
class PlayerSalt:
    """A player's salt by its hash; `salt` is empty until it is revealed."""

    player: str
    hash: str
    salt: str = ""


@dataclass(frozen=True, slots=True)
class Salts:
    """All salts of one shoe or game, in the order in which their hashes came."""

    entries: tuple[PlayerSalt, ...] = ()
    stage: Stage = Stage.OPEN

    def of(self, player: str) -> PlayerSalt | None:
        """A player's own."""
        return next((one for one in self.entries if one.player == player), None)

    @property
    def all_revealed(self) -> bool:
        return all(one.salt for one in self.entries)

    @property
    def can_be_asked(self) -> bool:
        """Whether hashes were given that are not asked for yet."""
        return self.stage is Stage.OPEN and bool(self.entries)

    @property
    def withheld(self) -> int:
        """How many were not revealed in time."""
        return sum(not one.salt for one in self.entries) if self.stage is Stage.CLOSED else 0

    def committed(self, player: str, hashed: str) -> Salts:
        """With a player's hash; one for each player, and no two alike."""
        parse_hex(hashed, "the hash of a salt", SALT_BYTES)
        if self.stage is not Stage.OPEN:
            raise Conflict("the salts of these cards are closed; send no hash of one")
        own = self.of(player)
        if own is not None and own.hash != hashed:
            raise Conflict("the hash of your salt for these cards stands already; send the same or none")
        if own is None and any(one.hash == hashed for one in self.entries):
            raise Conflict("this hash is another player's; make a salt of your own")
        return self if own else replace(self, entries=(*self.entries, PlayerSalt(player, hashed)))

    def without(self, player: str) -> Salts:
        """After a player left; from the moment wagers are closed a hash stays."""
        if self.stage is not Stage.OPEN:
            return self
        return replace(self, entries=tuple(one for one in self.entries if one.player != player))

    def with_wagers_closed(self) -> Salts:
        """Wagers are closed: the salts may be revealed."""
        if self.stage is not Stage.OPEN or not self.entries:
            raise Conflict("salts are asked for once, when a player has given the hash of one")
        return replace(self, stage=Stage.ASKED)

    def revealed(self, commitment: Commitment, salt: str) -> Salts:
        """With a salt that was revealed; one without a hash here is refused."""
        hashed = salt_hash(commitment, parse_salt(salt))
        if self.stage is not Stage.ASKED:
            raise Conflict("salts are revealed when wagers are closed, before the first card")
        if all(one.hash != hashed for one in self.entries):
            raise Conflict("no hash of this salt was given for these cards")
        salts = (replace(one, salt=salt) if one.hash == hashed else one for one in self.entries)
        return replace(self, entries=tuple(salts))

    def closed(self) -> Salts:
        """Nothing is taken any more: what was revealed is in."""
        return replace(self, stage=Stage.CLOSED)

    def joint(self, cut: bytes = b"") -> bytes:
        """The salt of the deal, of the cut and what was revealed."""
        return joint_salt(cut, (parse_salt(one.salt) for one in self.entries if one.salt))

    def shown(self) -> list[dict[str, str]]:
        """Hashes and revealed salts as they stand in a record; no player is named."""
        return [{"hash": one.hash, "salt": one.salt} for one in self.entries]

    def saved(self) -> dict[str, Any]:
        """As plain data, for a checkpoint."""
        return {
            "stage": self.stage.value,
            "given": [[one.player, one.hash, one.salt] for one in self.entries],
        }

    @classmethod
    def restored(cls, plain: dict[str, Any]) -> Salts:
        """The salts of `saved`."""
        return cls(tuple(PlayerSalt(*one) for one in plain["given"]), Stage(plain["stage"]))


def faults_in(commitment: Commitment, shown: Sequence[Any]) -> list[str]:
    """What is wrong with the salts of a record."""
    faults: list[str] = []
    hashes: set[str] = set()
    for number, one in enumerate(shown, 1):
        try:
            hashed, salt = one["hash"], one["salt"]
            fits = set(one) == {"hash", "salt"} and isinstance(salt, str) and isinstance(hashed, str)
            if not fits:
                raise TypeError
            parse_hex(hashed, "the hash of a salt", SALT_BYTES)
            good = not salt or salt_hash(commitment, parse_salt(salt)) == hashed
        except (KeyError, TypeError):
            return [f"number {number} is not a hash and a salt"]
        except CardroomError as error:
            return [f"number {number}: {error}"]
        if not good:
            faults.append(
                f"number {number} does not fit the hash that was given before it, for this commitment"
            )
        if hashed in hashes:
            faults.append(f"number {number} has the hash of another one")
        hashes.add(hashed)
    return faults
