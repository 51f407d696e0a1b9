"""Compiled kernels that are older than the code they were made from are thrown away.

A kernel is compiled again when its own file has changed, but not when a file has changed whose functions or
numbers were compiled into it. A checkout that was updated would go on with parts of the old code; so whoever
has kernels throws all of them away when anything has changed that they can be made from.
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import Final

_BELOW: Final = ("core", "rules", "model")
_KERNELS: Final = ("*.nbi", "*.nbc")
_STAMP: Final = "kernels.stamp"


def forget_stale_kernels(room: str, package: Path = Path(__file__).parents[1]) -> None:
    """Throw the compiled kernels of a room away if a source of it, or below it, is not what it was.

    Where nothing can be written there is nothing to throw away: kernels are kept elsewhere.
    """
    digest = blake2b(digest_size=16)
    for folder in (*_BELOW, room):
        for source in sorted((package / folder).rglob("*.py")):
            digest.update(f"{source.relative_to(package).as_posix()}\n".encode())
            digest.update(blake2b(source.read_bytes()).digest())
    stamp = package / room / "__pycache__" / _STAMP
    try:
        if stamp.is_file() and stamp.read_text("ascii") == digest.hexdigest():
            return
        for kind in _KERNELS:
            for kernel in (package / room).rglob(kind):
                kernel.unlink(missing_ok=True)
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(digest.hexdigest(), "ascii")
    except OSError:
        return
