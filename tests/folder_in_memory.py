"""Files of tests lie in memory where the machine has a folder there with room.

What tests kill are processes, never the machine: whether a byte has reached a disk is seen by none of them,
and a suite that waits for a disk at every commit is idle a good part of its time.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

IN_MEMORY: Final = Path("/dev/shm")
_ROOM_BYTES: Final = 4 << 30


def take_over() -> None:
    """Have this process, and all that it starts, keep temporary files there; a `TMPDIR` that is set stays."""
    if "TMPDIR" not in os.environ and has_room(IN_MEMORY):
        os.environ["TMPDIR"] = str(IN_MEMORY)
        tempfile.tempdir = None


def has_room(folder: Path) -> bool:
    """Whether files can be made and programs run in a folder, with gigabytes to spare."""
    return (
        os.access(folder, os.R_OK | os.W_OK | os.X_OK)
        and not os.statvfs(folder).f_flag & os.ST_NOEXEC
        and shutil.disk_usage(folder).free >= _ROOM_BYTES
    )
