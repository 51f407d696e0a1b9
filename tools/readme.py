"""The console examples of the README: run them, compare what they print, and bring the README up to date.

Run this (`make readme`) after a change of what commands print, and read the difference before committing.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"
_FENCE = re.compile(r"^```(?P<language>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_PROMPT = re.compile(r"^\$ ", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """A command as typed after the prompt, and what follows it up to the next prompt."""

    command: str
    output: str

    def __str__(self) -> str:
        return f"$ {self.command}\n{self.output}"


def blocks(language: str, text: str) -> list[str]:
    """The bodies of the fenced blocks in a language."""
    return [fence["body"] for fence in _FENCE.finditer(text) if fence["language"] == language]


def write_files(text: str, folder: Path) -> None:
    """Write the TOML blocks that begin with their file's name (`# my.toml`) into a folder."""
    for block in blocks("toml", text):
        name = block.partition("\n")[0].removeprefix("# ")
        (folder / name).write_text(block, "utf-8")


def examples(block: str) -> list[Example]:
    """The commands of a console block, with their outputs.

    >>> examples("$ cardroom games\\nblackjack\\n$ cardroom audit\\n")
    [Example(command='cardroom games', output='blackjack\\n'), Example(command='cardroom audit', output='')]
    """
    parts = (piece.partition("\n") for piece in _PROMPT.split(block)[1:])
    return [Example(command, output) for command, _, output in parts]


def same(expected: str, printed: str) -> bool:
    """Equal line by line, but for blanks at the ends; `...` stands for anything.

    >>> same("edge 3.5...", "edge 3.5403 %  "), same("a", "b")
    (True, False)
    """
    return doctest.OutputChecker().check_output(_tidy(expected), _tidy(printed), doctest.ELLIPSIS)


def run_block(block: str, folder: Path) -> Iterator[tuple[Example, str]]:
    """Run the commands of a block one after another in a folder; each example with what it printed."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "PATH": path, "PYTHONIOENCODING": "utf-8"}
    for example in examples(block):
        run = subprocess.run(
            ["bash", "-c", example.command],
            cwd=folder,
            env=environment,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
            check=False,
        )
        yield example, run.stdout


def updated(text: str) -> str:
    """The text with every output that is no longer right replaced by what is printed now."""
    for block in blocks("console", text):
        with tempfile.TemporaryDirectory() as folder:
            write_files(text, Path(folder))
            new = "".join(
                str(example if same(example.output, printed) else Example(example.command, _tidy(printed)))
                for example, printed in run_block(block, Path(folder))
            )
        text = text.replace(block, new)
    return text


def _tidy(text: str) -> str:
    return "\n".join(map(str.rstrip, text.strip("\n").splitlines())) + "\n"


if __name__ == "__main__":
    README.write_text(updated(README.read_text("utf-8")), "utf-8")
