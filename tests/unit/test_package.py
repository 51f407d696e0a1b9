"""What is published: the source distribution is whole, and the wheel works where nothing else is installed.

The fresh environments hold the wheel, installed by pip, and what it says it needs, and nothing else.
Its libraries are linked from where the tests find them, so nothing is downloaded.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from email.message import Message
from email.parser import BytesParser
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from twine.commands import check

import cardroom

ROOT = Path(__file__).parents[2]
NAME = "cardroom-lab"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (path,) = WheelBuilder(str(ROOT)).build(
        directory=str(tmp_path_factory.mktemp("wheel")), versions=["standard"]
    )
    return Path(path)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (path,) = SdistBuilder(str(ROOT)).build(
        directory=str(tmp_path_factory.mktemp("source")), versions=["standard"]
    )
    return Path(path)


@pytest.fixture(scope="module")
def facts(wheel: Path) -> Message:
    """The metadata of the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return BytesParser().parsebytes(archive.read(name))


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="only a checkout knows which files belong to it")
def test_the_source_distribution_has_every_file(source: Path) -> None:
    with tarfile.open(source) as archive:
        there = {name.partition("/")[2] for name in archive.getnames()}
    git = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(git, check=True, capture_output=True, text=True).stdout.splitlines()
    wanted = {name for name in files if (ROOT / name).exists()}
    assert wanted - there == set()


def test_the_long_description_leads_nowhere_else(facts: Message) -> None:
    assert facts["Description-Content-Type"] == "text/markdown"
    text = str(facts.get_payload())
    assert text.startswith("# Cardroom")
    assert not re.findall(r"\]\((?!https?://|#)", text)
    assert "MIT licence" in text


def test_with_a_public_address_links_and_pictures_are_absolute(tmp_path: Path) -> None:
    for name in ("README.md", "src", "tools"):
        (tmp_path / name).symlink_to(ROOT / name)
    settings = (ROOT / "pyproject.toml").read_text("utf-8")
    (place,) = re.findall(r'^repository = "[^"]*"$', settings, re.MULTILINE)
    public = settings.replace(place, 'repository = "https://example.org/cardroom"')
    (tmp_path / "pyproject.toml").write_text(public, "utf-8")
    told = ProjectMetadata(str(tmp_path), PluginManager()).core
    tag = f"v{cardroom.__version__}"
    assert told.urls == {
        "Source": "https://example.org/cardroom",
        "Documentation": f"https://example.org/cardroom/blob/{tag}/docs/index.md",
        "Changelog": f"https://example.org/cardroom/blob/{tag}/CHANGELOG.md",
    }
    assert f"[The library](https://example.org/cardroom/blob/{tag}/docs/library.md)" in told.readme
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", told.readme)
    assert pictures == [
        f"https://example.org/cardroom/raw/{tag}/docs/images/{name}.png" for name in ("table", "lab")
    ]
    assert not re.findall(r"\]\((?!https?://|#)", told.readme)


@pytest.mark.slow
def test_wheel_and_source_distribution_pass_the_strict_check(wheel: Path, source: Path) -> None:
    assert not check.check([str(wheel), str(source)], strict=True)


def test_the_metadata_name_what_an_index_asks_for(facts: Message) -> None:
    assert facts["Name"] == NAME
    assert facts["Summary"]
    assert facts["Author"]
    assert facts["License-Expression"] == "MIT"
    assert facts["Requires-Python"] == ">=3.11"
    extras = set(facts.get_all("Provides-Extra", []))
    assert {"web", "plots", "parquet", "gym"} <= extras


def needed(requirements: list[str], extra: str | None) -> Iterator[Requirement]:
    """The requirements that hold here, with an extra or without."""
    for text in requirements:
        one = Requirement(text)
        if one.marker is None or one.marker.evaluate({"extra": extra or ""}):
            yield one


def closure(facts: Message, extra: str | None) -> dict[str, Distribution]:
    """The installed distributions that the wheel says it needs, and those that they need."""
    own = [str(line) for line in facts.get_all("Requires-Dist", [])]
    asked = [(NAME, one) for one in [extra, None]]
    found: dict[str, Distribution] = {}
    seen = set()
    while asked:
        name, of = asked.pop()
        if (name, of) in seen:
            continue
        seen.add((name, of))
        if name == NAME:
            lines = own
        else:
            try:
                found[name] = distribution(name)
            except PackageNotFoundError:
                pytest.fail(f"{name} is needed and is not installed where the tests run")
            lines = found[name].requires or []
        for one in needed(lines, of):
            asked += [(canonicalize_name(one.name), which) for which in [*one.extras, None]]
    return found


def environment(folder: Path, wheel: Path, facts: Message, extra: str | None) -> Path:
    """A fresh environment with the wheel and what it needs; the path of its Python."""
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python3*/site-packages")
    for one in closure(facts, extra).values():
        tops = {file.parts[0] for file in one.files or () if file.parts[0] not in ("..", "__pycache__")}
        for top in tops:
            place = Path(str(one.locate_file(top)))
            if not (site / top).exists() and place.exists():
                (site / top).symlink_to(place)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--isolated", "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", "--no-compile", str(wheel)], check=True)
    return python


NEEDS_MORE = [
    ("serve", "the card room on the web", "web"),
    ("lottery report 1", "this", "store"),
    ("log", "this", "store"),
    ("backup all.backup", "this", "store"),
    ("operators list", "this", "store"),
]
"""Commands that a bare installation refuses."""


def run(python: Path, *words: str, err: bool = False) -> str:
    kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    ran = subprocess.run(
        [str(python), "-I", *words],
        env={**kept, "PYTHONIOENCODING": "utf-8"},
        cwd=python.parent,
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stderr if err else ran.stdout


@pytest.mark.slow
def test_the_wheel_works_without_extras(wheel: Path, facts: Message, tmp_path: Path) -> None:
    python = environment(tmp_path / "bare", wheel, facts, None)
    where = run(python, "-c", "import cardroom; print(cardroom.__file__)")
    assert Path(where.strip()).is_relative_to(tmp_path)
    command = str(python.with_name("cardroom"))
    assert "cardroom" in run(python, command, "--help")
    odds = json.loads(run(python, command, "odds", "knockout-52", "--json"))
    assert odds["game"] == "knockout-52"
    played = json.loads(run(python, "-m", "cardroom", "play", "blackjack", "--auto", "--seed", "1", "--json"))
    assert len(played["rounds"]) == 1
    assert run(python, "-c", "import cardroom as cr; print(cr.Game('knockout-52').title)") == "Knockout 52\n"
    assert run(python, "-m", "cardroom", "schema", "odds")
    commands = [words.split() for words, _, _ in NEEDS_MORE]
    script = f"from cardroom.cli import main; assert {{main(words) for words in {commands}}} == {{2}}"
    said = run(python, "-c", script, err=True).splitlines()
    assert said == [
        f"cardroom: {what} needs more libraries: pip install 'cardroom-lab[{extra}]'"
        for _, what, extra in NEEDS_MORE
    ]


@pytest.mark.slow
def test_the_wheel_serves_with_its_extra(wheel: Path, facts: Message, tmp_path: Path) -> None:
    python = environment(tmp_path / "web", wheel, facts, "web")
    database = f"sqlite:///{tmp_path / 'house.sqlite3'}"
    server = subprocess.Popen(
        [str(python), "-I", "-m", "cardroom", "serve", "--port", "0", "--database", database],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        assert server.stdout is not None
        lines = []
        for line in server.stdout:
            lines.append(line)
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                break
        else:
            pytest.fail("".join(lines))
        with urllib.request.urlopen(found[0], timeout=60) as page:
            assert page.status == 200
            assert b"Cardroom" in page.read()
    finally:
        os.killpg(server.pid, signal.SIGKILL)  # it is compiling kernels that nobody waits for
        server.communicate(timeout=60)


if sys.platform == "win32":  # links need rights there that not everybody has
    pytestmark = pytest.mark.skip(reason="needs symbolic links")
