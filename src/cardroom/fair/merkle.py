"""A Merkle tree over texts: one root for all of them, and a short proof for each (as in RFC 6962).

>>> leaves = [leaf_hash(text) for text in ("a", "b", "c")]
>>> proves("b", 1, 3, inclusion_proof(leaves, 1), merkle_root(leaves))
True
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

_LEAF: Final = b"\x00"
_NODE: Final = b"\x01"


def leaf_hash(text: str) -> bytes:
    """The hash of one entry; its first byte keeps entries and inner nodes apart."""
    return hashlib.sha256(_LEAF + text.encode()).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(_NODE + left + right).digest()


def _level_above(level: Sequence[bytes]) -> list[bytes]:
    above = [_node(left, right) for left, right in zip(level[0::2], level[1::2], strict=False)]
    if len(level) % 2:
        above.append(level[-1])
    return above


def merkle_root(leaves: Sequence[bytes]) -> bytes:
    """The root over leaf hashes in their order; of none, the hash of nothing."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    level = list(leaves)
    while len(level) > 1:
        level = _level_above(level)
    return level[0]


def inclusion_proof(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The hashes beside the way from one leaf to the root, lowest first."""
    proof = []
    level = list(leaves)
    while len(level) > 1:
        beside = index ^ 1
        if beside < len(level):
            proof.append(level[beside])
        level, index = _level_above(level), index // 2
    return proof


def proves(text: str, index: int, count: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether a proof leads from an entry at a place, among so many, to the root."""
    if not 0 <= index < count:
        return False
    digest, rest, width = leaf_hash(text), list(proof), count
    while width > 1:
        if index ^ 1 < width:
            if not rest:
                return False
            beside = rest.pop(0)
            digest = _node(beside, digest) if index % 2 else _node(digest, beside)
        index, width = index // 2, (width + 1) // 2
    return not rest and digest == root
