"""The command line in tests: run in this process, or as a real one."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cardroom.cli import main

COMMAND = [sys.executable, "-c", "import sys; from cardroom.cli import main; sys.exit(main())"]


@dataclass(frozen=True)
class Answer:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class CommandLine:
    """`cardroom …` without a new process; stdin is the text given, and not a terminal."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: str | Path, stdin: str = "") -> Answer:
        self._monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = main([str(argument) for argument in arguments])
        captured = self._capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    def refused(self, *arguments: str | Path, stdin: str = "") -> str:
        """The one line that a refused command says; exit code 2, no traceback."""
        answer = self(*arguments, stdin=stdin)
        assert answer.code == 2, answer
        (line,) = answer.err.splitlines()
        assert line.startswith("cardroom: ")
        assert "Traceback" not in answer.out + answer.err
        return line.removeprefix("cardroom: ")


def run_process(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """`cardroom …` as a process of its own."""
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        check=False,
        encoding="utf-8",
        input=stdin,
        timeout=300,
    )
