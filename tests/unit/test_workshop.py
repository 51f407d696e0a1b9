"""The tools of the workshop: which tests need what, and which Pythons are there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools.pythons import ROOT, claimed, find


def test_tests_that_need_postgresql_are_marked(database_url: str, request: pytest.FixtureRequest) -> None:
    marked = request.node.get_closest_marker("postgres") is not None
    assert marked == database_url.startswith("postgresql")


def test_this_python_is_among_those_that_the_project_names() -> None:
    names = claimed((ROOT / "pyproject.toml").read_text("utf-8"))
    assert ".".join(map(str, sys.version_info[:2])) in names


def _program(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines]) + "\n", "utf-8")
    path.chmod(0o755)
    return path


def test_a_python_that_does_not_start_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the stand-ins of pyenv do not start, where the version is not the one of the folder."""
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    assert find("9.9") is None
    _program(tmp_path / "path" / "python9.9", "exit 127")
    assert find("9.9") is None
    _program(tmp_path / "pyenv" / "versions" / "9.9.0" / "bin" / "python9.9", "echo 9.8")
    assert find("9.9") is None
    real = _program(tmp_path / "pyenv" / "versions" / "9.9.1" / "bin" / "python9.9", "echo 9.9")
    assert find("9.9") == str(real)
