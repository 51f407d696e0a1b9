"""The examples in docstrings run and print what they say."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROMPT = re.compile(r"^ *>>> ", re.MULTILINE)


def modules_with_examples() -> list[str]:
    """The dotted names of the modules whose text holds a prompt."""
    return [
        ".".join(path.relative_to(base).with_suffix("").parts).removesuffix(".__init__")
        for base, folder in ((ROOT / "src", "cardroom"), (ROOT, "tests"), (ROOT, "tools"))
        for path in sorted((base / folder).rglob("*.py"))
        if PROMPT.search(path.read_text("utf-8"))
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", modules_with_examples())
def test_examples(name: str) -> None:
    failed, attempted = doctest.testmod(importlib.import_module(name))
    assert attempted > 0
    assert failed == 0
