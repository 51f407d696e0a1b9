"""The examples in the README run, and print what it says: `$ cardroom …` and `>>>`."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[2] / "README.md"
_FENCE = re.compile(r"^```(?P<language>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """A command as typed after the prompt, and what follows it up to the next prompt."""

    command: str
    output: str


def blocks(language: str, text: str) -> list[str]:
    """The bodies of the fenced blocks in a language."""
    return [fence["body"] for fence in _FENCE.finditer(text) if fence["language"] == language]


def console_examples(text: str) -> list[Example]:
    """The commands of the console blocks that run `cardroom`, with their outputs."""
    found = []
    for body in blocks("console", text):
        for piece in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
            command, _, output = piece.partition("\n")
            if "cardroom" in command:
                found.append(Example(command, output))
    return found


def same(expected: str, printed: str) -> bool:
    """Equal line by line, but for blanks at the ends; `...` stands for anything."""
    want, got = (
        "\n".join(map(str.rstrip, text.strip("\n").splitlines())) + "\n" for text in (expected, printed)
    )
    return doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS)


EXAMPLES = console_examples(README.read_text("utf-8"))


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 3
    assert blocks("python", README.read_text("utf-8"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.command)
def test_console_example(example: Example, tmp_path: Path) -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    run = subprocess.run(
        ["bash", "-c", example.command],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        encoding="utf-8",
        env={**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        timeout=120,
    )
    printed = run.stdout + run.stderr
    assert same(example.output, printed), (
        f"{example.command}\nprints:\n{printed}\nthe README says:\n{example.output}"
    )


@pytest.mark.parametrize("block", blocks("python", README.read_text("utf-8")))
def test_python_example(block: str) -> None:
    test = doctest.DocTestParser().get_doctest(block, {}, "README", str(README), 0)
    assert test.examples, "a Python block of the README shows what it prints"
    report: list[str] = []
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert results.failed == 0, "".join(report)


def test_blocks_are_told_apart() -> None:
    text = (
        "```console\n$ make run\nhi\n$ cardroom a\none\n\ntwo\n$ cardroom b\n```\n```python\n>>> 1\n1\n```\n"
    )
    assert console_examples(text) == [Example("cardroom a", "one\n\ntwo\n"), Example("cardroom b", "")]
    assert blocks("python", text) == [">>> 1\n1\n"]


@pytest.mark.parametrize(
    ("expected", "printed", "equal"),
    [
        ("a\nb\n", "a  \nb\n\n", True),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("edge 3.4...\n", "edge 3.47826\n", True),
        ("a\nb\n", "a\nc\n", False),
        ("a\n", "a\nb\n", False),
        ("  a\n", "a\n", False),
    ],
)
def test_outputs_are_compared(expected: str, printed: str, equal: bool) -> None:
    assert same(expected, printed) is equal
