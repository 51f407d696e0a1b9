"""The reference on the site is made of every public name, and of all that one can call on it."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import cardroom
import cardroom.envs

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference.md"


def test_the_page_asks_for_every_public_name() -> None:
    asked = [line.removeprefix("::: ") for line in PAGE.read_text("utf-8").splitlines() if ":::" in line]
    names = [f"cardroom.{name}" for name in cardroom.__all__ if not name.startswith("_")]
    assert sorted(asked) == sorted([*names, *(f"cardroom.envs.{name}" for name in cardroom.envs.__all__)])


@pytest.mark.slow
def test_nothing_that_can_be_called_is_without_words() -> None:
    public = [getattr(cardroom, name) for name in cardroom.__all__ if not name.startswith("_")]
    for one in (*public, *(getattr(cardroom.envs, name) for name in cardroom.envs.__all__)):
        assert inspect.getdoc(one), one
        for name, member in vars(one).items() if inspect.isclass(one) else ():
            if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, property)):
                assert inspect.getdoc(member), f"{one.__name__}.{name}"
