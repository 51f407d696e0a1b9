"""The examples in the README run, and print what it says: `$ cardroom …` and `>>>`."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from tools.readme import README, Example, blocks, examples, run_block, same, updated, write_files

TEXT = README.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks("console", TEXT), ids=lambda block: examples(block)[0].command)
def test_console_block(block: str, tmp_path: Path) -> None:
    assert examples(block)
    write_files(TEXT, tmp_path)
    for example, printed in run_block(block, tmp_path):
        assert same(example.output, printed), f"{example}\nprints now (see `make readme`):\n{printed}"


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks("python", TEXT), ids=["library"])
def test_python_block(block: str) -> None:
    test = doctest.DocTestParser().get_doctest(block, {}, "README", str(README), 0)
    assert test.examples, "a Python block of the README shows what it prints"
    report: list[str] = []
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert results.failed == 0, "".join(report)


def test_blocks_are_told_apart() -> None:
    text = "```console\n$ cardroom a\none\n\ntwo\n$ cardroom b\n```\n```python\n>>> 1\n1\n```\n"
    (block,) = blocks("console", text)
    assert examples(block) == [Example("cardroom a", "one\n\ntwo\n"), Example("cardroom b", "")]
    assert "".join(map(str, examples(block))) == block
    assert blocks("python", text) == [">>> 1\n1\n"]


@pytest.mark.parametrize(
    ("expected", "printed", "equal"),
    [
        ("a\nb\n", "a  \nb\n\n", True),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\nb\n", "a\nc\n", False),
        ("a\n", "a\nb\n", False),
        ("  a\n", "a\n", False),
    ],
)
def test_outputs_are_compared(expected: str, printed: str, equal: bool) -> None:
    assert same(expected, printed) is equal


def test_only_wrong_outputs_are_replaced() -> None:
    text = "# Tour\n\n```console\n$ echo 12\n1...\n$ echo new > file\n$ cat file\nold\n```\nend\n"
    assert updated(text) == text.replace("old", "new")
