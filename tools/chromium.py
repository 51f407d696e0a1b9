"""Find a Chromium for the tests of the pages, and install one where there is none.

The headless shell is looked for first: the same engine without a browser's own windows, which cost three
quarters of the time of a short test.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    """The path of a Chromium that starts: the system's, else the one that Playwright keeps."""
    of_system = (path for name in NAMES if (path := shutil.which(name)))
    if found := next(filter(_starts, of_system), None):
        return found
    path = _path_of_playwright()
    return path if _starts(path) else None


def _path_of_playwright() -> str:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def _starts(path: str) -> bool:
    try:
        return (
            subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False).returncode == 0
        )
    except (OSError, subprocess.TimeoutExpired):
        return False


def _install() -> str | None:
    """Install from the system's packages where this user may, else (or after that failed) from Playwright."""
    playwright = [sys.executable, "-m", "playwright", "install", "chromium"]
    recipes = [[playwright]]
    if shutil.which("apt-get") and os.geteuid() == 0:
        apt_get = ["apt-get", "-o", "DPkg::Lock::Timeout=120", "--yes", "--quiet"]
        package = [*apt_get, "install", "--no-install-recommends"]
        recipes = [
            [[*apt_get, "update"], [*package, SHELL]],
            [[*package, "chromium"]],
            [[*playwright, "--with-deps"]],
        ]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for recipe in recipes:
        for command in recipe:
            print("Installing Chromium:", " ".join(command), file=sys.stderr)
            subprocess.run(command, check=False, env=environment, stdin=subprocess.DEVNULL)
        if path := find():
            return path
    return None


def main() -> int:
    """Print the path of a working Chromium."""
    path = find() or _install()
    if path is None:
        print(
            "No Chromium found and none could be installed; install one and run this again.", file=sys.stderr
        )
        return 2
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
