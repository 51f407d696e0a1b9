"""Answers that were computed before are kept in the user's folder for such things, and come at once.

An answer is kept under its question and under how every file of the package looks (name, size, time): after
any change of the code it is computed anew. Where nothing can be kept, everything is computed.
"""

from __future__ import annotations

import os
import pickle
import tempfile
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeVar

_PACKAGE: Final = Path(__file__).parents[1]
_MOST_ANSWERS: Final = 256
_ENDING: Final = ".answer"

Answer = TypeVar("Answer")


def kept(question: tuple[str, ...], compute: Callable[[], Answer]) -> Answer:
    """The answer to a question: the one that was kept, or computed and kept."""
    where = folder()
    file = None if where is None else where / f"{_name(question)}{_ENDING}"
    if file is not None and (entry := _read(file)) is not None:
        answer: Answer = entry[0]
        return answer
    answer = compute()
    if file is not None:
        _write(file, answer)
    return answer


def folder() -> Path | None:
    """Where answers are kept: a folder that only this user can write; None where there is none."""
    try:
        base = os.environ.get("LOCALAPPDATA") if os.name == "nt" else os.environ.get("XDG_CACHE_HOME")
        own = Path(base or Path.home() / ".cache") / "cardroom"
        own.mkdir(mode=0o700, parents=True, exist_ok=True)
        facts = own.stat()
    except (OSError, RuntimeError):  # nothing can be written, or no home is known
        return None
    ours = not hasattr(os, "getuid") or (facts.st_uid == os.getuid() and not facts.st_mode & 0o022)
    return own if ours else None  # an answer is read as Python's own objects: from nobody else's folder


def _name(question: tuple[str, ...]) -> str:
    digest = blake2b(digest_size=16)
    for path in sorted(path for kind in ("*.py", "*.toml") for path in _PACKAGE.rglob(kind)):
        facts = path.stat()
        digest.update(f"{path} {facts.st_mtime_ns} {facts.st_size}\n".encode())
    for part in question:
        digest.update(f"{len(part)}:{part}".encode())
    return digest.hexdigest()


def _read(file: Path) -> tuple[Any] | None:
    """What a file keeps, in brackets; None where there is no such file or it cannot be read."""
    try:
        return (pickle.loads(file.read_bytes()),)
    except (OSError, EOFError, ValueError, AttributeError, ImportError, IndexError, pickle.UnpicklingError):
        return None


def _write(file: Path, answer: object) -> None:
    try:
        others = sorted(file.parent.glob(f"*{_ENDING}"), key=lambda one: one.stat().st_mtime_ns)
        for oldest in others[: max(0, len(others) - _MOST_ANSWERS + 1)]:
            oldest.unlink(missing_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as new:
            new.write(pickle.dumps(answer))
        Path(new.name).replace(file)
    except OSError:
        return  # it is computed again next time
