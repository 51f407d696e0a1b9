"""A seed put away until its shoe is over: encrypted, so that the log may hold it and show nothing."""

from __future__ import annotations

import hashlib
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from cardroom.core.errors import Conflict
from cardroom.fair.commitment import Commitment
from cardroom.fair.encoding import encode
from cardroom.fair.entropy import OperatingSystem
from cardroom.fair.keystream import derive_key
from cardroom.fair.seeds import Seed, parse_hex

_LABEL: Final = "cardroom/sealed-seed/1"
_OWNER_LABEL: Final = "cardroom/sealed-secret/1"
_FINGERPRINT_LABEL: Final = "cardroom/key-fingerprint/1"
_NONCE: Final = bytes(12)


class WrongKey(Conflict):
    """What was sealed does not open with this key."""


def fingerprint(key: bytes) -> str:
    """What tells one key from another and nothing of either."""
    return hashlib.sha256(encode(_FINGERPRINT_LABEL, key)).hexdigest()


def seal_seed(key: bytes, seed: Seed, commitment: Commitment) -> str:
    """The seed under the house's key; the commitment gives each seed a key of its own, so one nonce does."""
    return AESGCM(_own_key(key, commitment)).encrypt(_NONCE, seed.secret, None).hex()


def open_seed(key: bytes, sealed: str, commitment: Commitment) -> Seed:
    """The seed again; refused when the key, the commitment or the sealed text is another one."""
    try:
        return Seed(
            AESGCM(_own_key(key, commitment)).decrypt(_NONCE, parse_hex(sealed, "a sealed seed"), None)
        )
    except InvalidTag:
        raise WrongKey("the sealed seed does not open with this house's key") from None


def seal_secret(key: bytes, secret: bytes, owner: str) -> str:
    """A secret of somebody's under the house's key; a random nonce stands before it."""
    nonce = OperatingSystem().take(len(_NONCE))
    return (nonce + AESGCM(_key_of_owner(key, owner)).encrypt(nonce, secret, None)).hex()


def open_secret(key: bytes, sealed: str, owner: str) -> bytes:
    """The secret again; refused when the key or the owner is another one."""
    text = parse_hex(sealed, "a sealed secret")
    try:
        return AESGCM(_key_of_owner(key, owner)).decrypt(text[: len(_NONCE)], text[len(_NONCE) :], None)
    except InvalidTag:
        raise WrongKey("the sealed secret does not open with this house's key") from None


def _key_of_owner(key: bytes, owner: str) -> bytes:
    return derive_key(key, salt=owner.encode(), info=encode(_OWNER_LABEL))


def _own_key(key: bytes, commitment: Commitment) -> bytes:
    return derive_key(key, salt=commitment.digest, info=encode(_LABEL))
