"""Where compiled kernels are kept, and when they are thrown away.

numba keeps kernels beside their source, or in the user's own folder for such things. Where neither can be
written, kernels go to a temporary folder that nobody else can write.

A kernel is compiled again when its own file has changed, but not when a file has changed whose functions or
numbers were compiled into it. A checkout that was updated would go on with parts of the old code; so whoever
has kernels throws all of them away when anything has changed that they can be made from.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable, Mapping
from hashlib import blake2b, sha1
from pathlib import Path
from typing import Final

from cardroom.core.errors import Unavailable

CACHE_SETTING: Final = "NUMBA_CACHE_DIR"
"""The folder for kernels, where somebody has named one."""
_PACKAGE: Final = Path(__file__).parents[1]
_BELOW: Final = ("core", "rules", "model")
_KERNELS: Final = ("*.nbi", "*.nbc")
_STAMP: Final = "kernels.stamp"
_SETTLED_NANOSECONDS: Final = 2_000_000_000
"""A file that was written so short a time before it was looked at may have been written again since."""


def prepare_kernels(room: str) -> None:
    """Make a room ready to find or compile its kernels, before numba is imported."""
    forget_stale_kernels(room)
    if CACHE_SETTING not in os.environ and not _is_writable(_PACKAGE / room) and not _has_user_folder():
        folders = [Path(name) for name in (*_temporary_folder(), "/dev/shm", "/var/tmp")]
        os.environ[CACHE_SETTING] = str(private_folder(folders))


def are_compiled(room: str, package: Path = _PACKAGE, settings: Mapping[str, str] = os.environ) -> bool:
    """Whether kernels of a room were compiled before: beside it, in the folder named, or in the user's."""
    if CACHE_SETTING in settings:
        folders = [package / room, Path(settings[CACHE_SETTING])]
    else:
        folders = [package / room, *_users_folders(package / room, settings)]
    return any(True for folder in folders for _ in folder.rglob(_KERNELS[0]))


def _users_folders(room: Path, settings: Mapping[str, str]) -> list[Path]:
    """Where numba keeps the kernels of a room in the user's own folder for such things, as Linux has one."""
    own = settings.get("XDG_CACHE_HOME") or (f"{settings['HOME']}/.cache" if "HOME" in settings else "")
    kept = Path(own) / "numba"
    if not own or not kept.is_dir():
        return []
    sources = {source.parent for source in room.rglob("*.py")}
    return [
        kept / f"{folder.name}_{sha1(str(folder).encode(), usedforsecurity=False).hexdigest()}"
        for folder in sources
    ]


def private_folder(folders: Iterable[Path]) -> Path:
    """A folder of this user's own in the first of these that can be written.

    Kernels are code: a folder that somebody else made or may write is not used.
    """
    for folder in folders:
        own = folder / f"cardroom-kernels-{os.getuid() if hasattr(os, 'getuid') else 'own'}"
        try:
            own.mkdir(mode=0o700, exist_ok=True)
            facts = own.lstat()
            if stat.S_ISDIR(facts.st_mode) and _is_ours_alone(facts) and _is_writable(own):
                return own
            return Path(tempfile.mkdtemp(prefix="cardroom-kernels-", dir=folder))
        except OSError:
            continue
    raise Unavailable(
        f"compiled code can be kept nowhere; name a folder that can be written: {CACHE_SETTING}=FOLDER"
    )


def _is_ours_alone(facts: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or (facts.st_uid == os.getuid() and not facts.st_mode & 0o077)


def _is_writable(folder: Path) -> bool:
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _has_user_folder() -> bool:
    """Whether numba can keep kernels in the user's folder for such things, or make one."""
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
    except (OSError, RuntimeError):  # no home is known
        return False
    return folder.is_dir() and os.access(folder, os.W_OK) and _is_writable(folder)


def _temporary_folder() -> list[str]:
    try:
        return [tempfile.gettempdir()]
    except FileNotFoundError:
        return []


def forget_stale_kernels(room: str, package: Path = _PACKAGE) -> None:
    """Throw the compiled kernels of a room away if a source of it, or below it, is not what it was.

    Sources are read only if one has another time or size than when they were read last. Where nothing can be
    written there is nothing to throw away: kernels are kept elsewhere.
    """
    sources = sorted(source for folder in (*_BELOW, room) for source in (package / folder).rglob("*.py"))
    facts = [source.stat() for source in sources]
    looks = blake2b(digest_size=16)
    for source, fact in zip(sources, facts, strict=True):
        looks.update(f"{source.relative_to(package).as_posix()} {fact.st_mtime_ns} {fact.st_size}\n".encode())
    newest = max((fact.st_mtime_ns for fact in facts), default=0)
    stamp = package / room / "__pycache__" / _STAMP
    try:
        kept = stamp.read_text("ascii").split() if stamp.is_file() else []
        if kept[1:] == [looks.hexdigest()] and newest + _SETTLED_NANOSECONDS < stamp.stat().st_mtime_ns:
            return
        content = _content(sources, package)
        if kept[:1] != [content]:
            for kind in _KERNELS:
                for kernel in (package / room).rglob(kind):
                    kernel.unlink(missing_ok=True)
            stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(f"{content} {looks.hexdigest()}", "ascii")
    except OSError:
        return


def _content(sources: Iterable[Path], package: Path) -> str:
    digest = blake2b(digest_size=16)
    for source in sources:
        digest.update(f"{source.relative_to(package).as_posix()}\n".encode())
        digest.update(blake2b(source.read_bytes()).digest())
    return digest.hexdigest()
