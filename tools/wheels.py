"""Install the wheel into a fresh environment of each Python that we support and this machine has, and use it.

    python -m tools.wheels [3.12 …]

Each environment is made anew under build/, with what pip finds for the wheel and nothing else. All of them
must print the same house edges, but for the last digits of sums, which Python 3.12 began to add up otherwise.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

from tools.pythons import ROOT, claimed, find

QUESTION = ("odds", "blackjack", "--json")


def built(folder: str) -> Path:
    """The wheel of this checkout."""
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=folder, versions=["standard"])
    return Path(wheel)


def answer(python: str, version: str, wheel: Path) -> dict[str, float]:
    """The house edges that the wheel prints in a fresh environment of a Python."""
    folder = ROOT / "build" / f"wheel{version}"
    inside = folder / "bin" / "python"
    for command in (
        [python, "-m", "venv", "--clear", str(folder)],
        [str(inside), "-m", "pip", "--disable-pip-version-check", "-qq", "install", str(wheel)],
    ):
        subprocess.run(command, cwd=folder.parent, check=True)
    where = _said(inside, "-c", "import cardroom; print(cardroom.__file__)")
    assert Path(where.strip()).is_relative_to(folder), f"{where} is not what was installed"
    _said(inside, "-m", "cardroom", "--help")
    return edges(_said(inside, "-m", "cardroom", *QUESTION))


def edges(odds: str) -> dict[str, float]:
    """The house edge of each wager, without the last digits.

    >>> edges('{"wagers": [{"wager": "primary", "house_edge_percent": 0.6153891229248254}]}')
    {'primary': 0.615389122925}
    """
    return {one["wager"]: round(one["house_edge_percent"], 12) for one in json.loads(odds)["wagers"]}


def _said(python: Path, *words: str) -> str:
    command = [str(python), "-I", *words]
    return subprocess.run(command, cwd=python.parent, check=True, stdout=subprocess.PIPE, text=True).stdout


def main(wanted: list[str]) -> int:
    """Try one Python after the other; 1 when the wheel fails on any, or two of them disagree."""
    answers: dict[str, dict[str, float]] = {}
    failed = []
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        wheel = built(folder)
        for version in wanted or claimed((ROOT / "pyproject.toml").read_text("utf-8")):
            python = find(version)
            if python is None:
                print(f"Python {version}: not on this machine, the wheel is not tried on it", flush=True)
                continue
            try:
                answers[version] = answer(python, version, wheel)
            except (subprocess.CalledProcessError, AssertionError) as error:
                print(f"Python {version}: {error}", file=sys.stderr)
                failed.append(version)
                continue
            print(f"Python {version}: the wheel is installed and answers `{' '.join(QUESTION)}`", flush=True)
    if failed or any(said != next(iter(answers.values())) for said in answers.values()):
        said = (
            f"fails on Python {' and '.join(failed)}"
            if failed
            else "answers differently on different Pythons"
        )
        print(f"The wheel {said}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
