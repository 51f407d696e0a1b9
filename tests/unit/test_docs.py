"""The documentation site builds, every link in it leads somewhere, and it fetches nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FETCHED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=[\"']?(?:https?:)?//[^\"'> ]+")
LINK = re.compile(r"\]\((?!https?:)(?P<path>[^)#]+)")


@pytest.mark.slow
def test_the_site_builds_and_stands_alone(tmp_path: Path) -> None:
    build = subprocess.run(
        [
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "--strict",
            "--quiet",
            "--site-dir",
            str(tmp_path / "site"),
        ],
        capture_output=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        text=True,
        timeout=120,
    )
    assert build.returncode == 0, build.stderr
    pages = sorted((tmp_path / "site").rglob("*.html"))
    assert len(pages) >= 6
    fetched = {match for page in pages for match in FETCHED.findall(page.read_text("utf-8"))}
    assert fetched == set()
    reference = (tmp_path / "site" / "reference.html").read_text("utf-8")
    for name in ("Game", "Game.simulate", "compare", "PolicyHand.total", "envs.TwentyOneSeats.reset"):
        assert f'id="cardroom.{name}"' in reference


def test_what_is_fetched_is_seen() -> None:
    assert FETCHED.search('<link rel="stylesheet" href="https://fonts.example.org/a.css">')
    assert FETCHED.search("<script defer src=//cdn.example.org/a.js>")
    assert not FETCHED.search('<script src="assets/a.js"></script><a href="https://example.org">x</a>')


def test_links_of_the_pages_at_the_root() -> None:
    for page in sorted(ROOT.glob("*.md")):
        for link in LINK.finditer(page.read_text("utf-8")):
            assert (ROOT / link["path"]).exists(), f"{page.name} links to {link['path']}"
