"""Chance in tests: every test has a stream of its own, named after it, so that a test passes always or never.

Cardroom asks the operating system for secrets through the module `secrets`. In the process of the tests that
module draws from the running test's stream instead; a program that a test starts has real chance.
"""

from __future__ import annotations

import random
import secrets
from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")
_runs: Counter[str] = Counter()
_stream = random.Random("before the first test")


def begin(test: str) -> None:
    """Begin the stream of a test; another one where the same test runs again in this process."""
    global _stream  # noqa: PLW0603
    _runs[test] += 1
    _stream = random.Random(f"{test}, run {_runs[test]}")


def token_bytes(nbytes: int | None = None) -> bytes:
    return _stream.randbytes(32 if nbytes is None else nbytes)


def token_hex(nbytes: int | None = None) -> str:
    return token_bytes(nbytes).hex()


def choice(items: Sequence[Item]) -> Item:
    return _stream.choice(items)


def take_over() -> None:
    """Put the streams in the place of the operating system's chance, for this process."""
    for name, function in (("token_bytes", token_bytes), ("token_hex", token_hex), ("choice", choice)):
        setattr(secrets, name, function)
