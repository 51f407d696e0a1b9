"""Certificates of the machine are read once for each process: clients of tests are many, all on plain HTTP.

Each client of httpx reads all certificates of the machine when it is made, which takes longer than a request.
"""

from __future__ import annotations

import ssl
from functools import cache
from typing import Any, cast


def take_over() -> None:
    """From now on, in this process: those who ask for the same context share one."""
    ssl.create_default_context = cast("Any", cache(ssl.create_default_context))
