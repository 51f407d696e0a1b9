"""Run tests on each Python that `pyproject.toml` names and this machine has, but for the one that runs this.

Each gets an environment of its own under build/, made once from the same lock. What is given on the command
line goes to pytest.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_CLASSIFIER = re.compile(r"Programming Language :: Python :: (\d+\.\d+)")


def claimed(project_file: str) -> list[str]:
    """The versions of Python that a project says it runs on.

    >>> claimed('project.classifiers = ["Typing :: Typed", "Programming Language :: Python :: 3.12"]')
    ['3.12']
    """
    classifiers = tomllib.loads(project_file)["project"]["classifiers"]
    return [match[1] for one in classifiers if (match := _CLASSIFIER.fullmatch(one))]


def find(version: str) -> str | None:
    """A Python of a version such as `3.12` that starts and can make environments, on the path or pyenv's."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    of_pyenv = sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}"))
    candidates = [shutil.which(f"python{version}"), *map(str, of_pyenv)]
    return next((path for path in candidates if path and _is(path, version)), None)


def _is(path: str, version: str) -> bool:
    question = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"
    try:
        answer = subprocess.run(
            [path, "-c", question], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and answer.stdout.strip() == version


def environment(python: str, version: str) -> Path:
    """The Python of an environment with what the lock pins, brought up to date when the lock changed."""
    folder = ROOT / "build" / f"python{version}"
    pinned = hashlib.sha256(
        (ROOT / "requirements.lock").read_bytes() + (ROOT / "pyproject.toml").read_bytes()
    )
    ready = folder / "ready"
    inside = folder / "bin" / "python"
    if not (ready.exists() and ready.read_text("utf-8") == pinned.hexdigest()):
        print(f"Installing what tests need for Python {version} into {folder.relative_to(ROOT)}", flush=True)
        pip = [str(inside), "-m", "pip", "--disable-pip-version-check", "-qq", "install"]
        for command in (
            [python, "-m", "venv", str(folder)],
            [*pip, "--require-hashes", "-r", "requirements.lock"],
            [*pip, "--no-deps", "--no-build-isolation", "--editable", "."],
        ):
            if subprocess.run(command, cwd=ROOT, check=False).returncode:
                raise SystemExit(f"Python {version}: this failed: {' '.join(command)}")
        ready.write_text(pinned.hexdigest(), "utf-8")
    return inside


def main(arguments: list[str]) -> int:
    """Run the tests on one Python after the other; 1 when they failed on any."""
    failed = []
    for version in claimed((ROOT / "pyproject.toml").read_text("utf-8")):
        if version == ".".join(map(str, sys.version_info[:2])):
            continue
        python = find(version)
        if python is None:
            print(f"Python {version}: not on this machine, nothing is run on it", flush=True)
            continue
        print(f"Python {version}: {python}", flush=True)
        tests = [str(environment(python, version)), "-m", "pytest", *arguments]
        if subprocess.run(tests, cwd=ROOT, check=False).returncode:
            failed.append(version)
    if failed:
        print(f"Tests failed on Python {' and '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
