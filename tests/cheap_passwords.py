"""Passwords as the house keeps them, made in a thousandth of the time: people log in often in the tests."""

from __future__ import annotations

from functools import cache

from argon2 import PasswordHasher

from cardroom.web.security import operators

REAL_HASHER = operators._hasher


@cache
def cheap_hasher() -> PasswordHasher:
    """Argon2 with the least memory and one pass."""
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def take_over() -> None:
    """From now on, in this process."""
    operators._hasher = cheap_hasher
