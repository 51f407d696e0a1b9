"""The command line in tests: run in this process, or as a real one."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cardroom.cli import app, main, output
from cardroom.cli.shapes import SHAPES, schema_of

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


def hold_json_to_schemas(patch: pytest.MonkeyPatch) -> None:
    """Hold all JSON that commands print in this process to the schemas that `cardroom schema` prints."""
    words: list[str] = []
    whole, versioned = app.command(), output.versioned
    run = whole.main

    def main(arguments: Sequence[str], **settings: Any) -> Any:
        words[:] = [word for word in arguments if not word.startswith("-")]
        return run(arguments, **settings)

    def checked(value: Any) -> Any:
        printed = versioned(value)
        name = next(name for name in (" ".join(words[:2]), words[0]) if name in SHAPES)
        errors = list(_validator(name).iter_errors(json.loads(json.dumps(printed))))
        said = [f"{name} --json, {error.instance_path}: {error.message[:300]}" for error in errors]
        assert not errors, "\n".join(said)
        return printed

    patch.setattr(whole, "main", main)
    patch.setattr(output, "versioned", checked)


@cache
def _validator(command: str) -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(schema_of(command))


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
