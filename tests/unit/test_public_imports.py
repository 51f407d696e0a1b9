"""Docs and notebooks import the public modules only, and use no name that is not promised."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import cardroom
import cardroom.envs

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = {"cardroom": set(cardroom.__all__), "cardroom.envs": set(cardroom.envs.__all__)}
FENCE = re.compile(r"^```(?:python|pycon|py)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PROMPT = re.compile(r"^(?:>>>|\.\.\.) ?", re.MULTILINE)


def examples() -> Iterator[tuple[str, str]]:
    """Every piece of Python in the docs, with the page that it stands on."""
    for page in sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]):
        for block in FENCE.findall(page.read_text("utf-8")):
            lines = block.splitlines()
            if any(line.startswith(">>>") for line in lines):
                lines = [line for line in lines if line.startswith((">>>", "..."))]
            yield page.name, PROMPT.sub("", "\n".join(lines))
    for notebook in sorted((ROOT / "docs").rglob("*.ipynb")):
        cells = json.loads(notebook.read_text("utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        yield notebook.name, "\n".join(code)


def foreign(code: str) -> list[str]:
    """What a piece of code imports or uses of Cardroom beside what is public."""
    tree = ast.parse(code)
    aliases: dict[str, str] = {}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            ours = [one for one in node.names if one.name.split(".")[0] == "cardroom"]
            found += [one.name for one in ours if one.name not in PUBLIC]
            aliases |= {one.asname or "cardroom": one.name if one.asname else "cardroom" for one in ours}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "cardroom":
            known = PUBLIC.get(node.module or "")
            found += (
                [node.module or ""]
                if known is None
                else [
                    one.name
                    for one in node.names
                    if one.name not in known and f"cardroom.{one.name}" not in PUBLIC
                ]
            )
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = aliases.get(node.value.id)
            if module and node.attr not in PUBLIC.get(module, ()) and f"{module}.{node.attr}" not in PUBLIC:
                found.append(f"{node.value.id}.{node.attr}")
    return found


def test_docs_import_what_is_public_only() -> None:
    seen = list(examples())
    assert {"README.md", "library.md", "simulation.md", "envs.md", "tour.ipynb", "learning.ipynb"} <= {
        page for page, _ in seen
    }
    assert [(page, names) for page, code in seen if (names := foreign(code))] == []


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("import cardroom.sim as sim", ["cardroom.sim"]),
        ("from cardroom import Game\nfrom cardroom.exact import solve", ["cardroom.exact"]),
        ("from cardroom import games", ["games"]),
        ("import cardroom as cr\ncr.Game\ncr.games", ["cr.games"]),
        ("import cardroom.envs\ncardroom.envs.register()", []),
    ],
)
def test_what_is_not_public_is_seen(code: str, names: list[str]) -> None:
    assert foreign(code) == names


def test_the_public_names_of_the_environments_are_there() -> None:
    for name in cardroom.envs.__all__:
        assert getattr(cardroom.envs, name).__doc__, name
    with pytest.raises(AttributeError, match="nothing"):
        _ = cardroom.envs.nothing
