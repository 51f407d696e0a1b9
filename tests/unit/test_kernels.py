"""Compiled kernels go when a source that they may be made from has changed, and only then."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cardroom
from cardroom.cli.twentyone import options
from cardroom.core.errors import Unavailable
from cardroom.core.kernels import CACHE_SETTING, are_compiled, forget_stale_kernels, private_folder
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Three rooms with a source each; the upper two have a kernel."""
    for room in ("rules", "exact", "sim"):
        (tmp_path / room / "deep" / "__pycache__").mkdir(parents=True)
        (tmp_path / room / "deep" / "law.py").write_text(f"# {room}\n")
    for room in ("exact", "sim"):
        for kind in ("nbi", "1.nbc"):
            (tmp_path / room / "deep" / "__pycache__" / f"law.kernel-1.py311.{kind}").touch()
    return tmp_path


def kernels(package: Path, room: str) -> int:
    return len([*(package / room).rglob("*.nb?")])


def compiled(package: Path, room: str) -> None:
    (package / room / "deep" / "__pycache__" / "law.kernel-1.py311.nbi").touch()


def test_kernels_of_unknown_origin_go(package: Path) -> None:
    forget_stale_kernels("exact", package)
    assert kernels(package, "exact") == 0
    assert kernels(package, "sim") == 2


def test_kernels_of_the_same_source_stay(package: Path) -> None:
    forget_stale_kernels("exact", package)
    compiled(package, "exact")
    forget_stale_kernels("exact", package)
    assert kernels(package, "exact") == 1


@pytest.mark.parametrize("change", ["own", "below", "new", "gone", "moved"])
def test_kernels_go_with_a_change_of_any_source(package: Path, change: str) -> None:
    forget_stale_kernels("exact", package)
    compiled(package, "exact")
    own, below = package / "exact" / "deep" / "law.py", package / "rules" / "deep" / "law.py"
    if change == "own":
        own.write_text("# another\n")
    elif change == "below":
        below.write_text("# rulez\n")  # as long as before
    elif change == "new":
        (package / "exact" / "more.py").touch()
    elif change == "gone":
        below.unlink()
    else:
        own.rename(own.with_name("same.py"))
    forget_stale_kernels("exact", package)
    assert kernels(package, "exact") == 0


def test_another_room_does_not_matter(package: Path) -> None:
    forget_stale_kernels("exact", package)
    compiled(package, "exact")
    (package / "sim" / "deep" / "law.py").write_text("# another\n")
    forget_stale_kernels("exact", package)
    assert kernels(package, "exact") == 1


def test_a_package_that_cannot_be_written_is_left_alone(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("read only")

    monkeypatch.setattr(Path, "unlink", refuse)
    monkeypatch.setattr(Path, "write_text", refuse)
    forget_stale_kernels("exact", package)
    assert kernels(package, "exact") == 2


@pytest.mark.parametrize("room", ["exact", "sim"])
def test_rooms_with_kernels_look_when_they_are_imported(room: str) -> None:
    source = (Path(cardroom.__file__).parent / room / "__init__.py").read_text("utf-8")
    assert f'prepare_kernels("{room}")' in source


def test_sources_that_look_as_before_are_not_read_again(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for source in package.rglob("*.py"):
        os.utime(source, ns=(10**18, 10**18))  # long ago
    forget_stale_kernels("exact", package)
    compiled(package, "exact")
    monkeypatch.setattr(Path, "read_bytes", lambda path: pytest.fail(f"{path} was read"))
    forget_stale_kernels("exact", package)
    assert kernels(package, "exact") == 1


def test_whether_kernels_are_there_is_known(package: Path, tmp_path: Path) -> None:
    assert are_compiled("exact", package, {})
    forget_stale_kernels("exact", package)
    assert not are_compiled("exact", package, {})
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert not are_compiled("exact", package, {CACHE_SETTING: str(elsewhere)})
    (elsewhere / "law.kernel-1.py311.nbi").touch()
    assert are_compiled("exact", package, {CACHE_SETTING: str(elsewhere)})


def test_kernels_in_the_users_own_folder_are_known(package: Path, tmp_path: Path) -> None:
    """Where the package belongs to another user: nobody is told every time that it is compiled once."""
    from numba.core.caching import UserWideCacheLocator

    for room in ("exact", "sim"):
        forget_stale_kernels(room, package)
    source = package / "exact" / "deep" / "law.py"
    folder = tmp_path / ".cache" / "numba" / UserWideCacheLocator.get_suitable_cache_subpath(str(source))
    folder.mkdir(parents=True)
    assert not are_compiled("exact", package, {"HOME": str(tmp_path)})
    (folder / "law.kernel-1.py311.nbi").touch()
    assert are_compiled("exact", package, {"HOME": str(tmp_path)})
    assert are_compiled("exact", package, {"XDG_CACHE_HOME": str(tmp_path / ".cache"), "HOME": "/nowhere"})
    assert not are_compiled("sim", package, {"HOME": str(tmp_path)})
    assert not are_compiled("exact", package, {"HOME": "/nowhere"})


def test_who_waits_is_told_that_compiling_happens_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load_rules_as(TwentyOneRules, "blackjack")
    monkeypatch.setattr(options, "are_compiled", lambda room: room != "exact")
    assert options.solving(rules, exact=False) == "solving Blackjack; compiling, once"
    monkeypatch.setattr(options, "are_compiled", lambda room: True)
    assert options.solving(rules, exact=False) == "solving Blackjack"


class TestPrivateFolder:
    def test_it_is_made_for_this_user_alone_and_found_again(self, tmp_path: Path) -> None:
        folder = private_folder([tmp_path / "missing", tmp_path])
        assert folder.parent == tmp_path
        assert folder.stat().st_mode & 0o777 == 0o700
        assert private_folder([tmp_path]) == folder

    @pytest.mark.parametrize("planted", ["open to all", "a link"])
    def test_one_that_others_may_write_is_not_used(self, tmp_path: Path, planted: str) -> None:
        own = private_folder([tmp_path])
        own.rmdir()
        if planted == "a link":
            (tmp_path / "theirs").mkdir()
            own.symlink_to(tmp_path / "theirs")
        else:
            own.mkdir()
            own.chmod(0o777)
        folder = private_folder([tmp_path])
        assert folder != own
        assert folder.stat().st_mode & 0o777 == 0o700

    def test_without_any_place_it_is_said_what_to_set(self, tmp_path: Path) -> None:
        with pytest.raises(Unavailable, match=r"NUMBA_CACHE_DIR=FOLDER"):
            private_folder([tmp_path / "missing"])


PACKAGE = Path(cardroom.__file__).parent
READ_ONLY = f"mount --bind '{PACKAGE}' '{PACKAGE}' && mount -o remount,ro,bind '{PACKAGE}'"


def read_only_can_be_had() -> bool:
    """Whether this machine lets us see the package on a file system that cannot be written."""
    if shutil.which("unshare") is None:
        return False
    return (
        subprocess.run(["unshare", "-m", "sh", "-c", READ_ONLY], capture_output=True, check=False).returncode
        == 0
    )


@pytest.mark.slow
def test_where_neither_package_nor_home_can_be_written_kernels_go_to_a_temporary_folder(
    tmp_path: Path,
) -> None:
    if not read_only_can_be_had():
        pytest.skip("this machine allows no file system of one's own")
    code = (
        "import numpy as np; from cardroom.sim.random import next_word; "
        "print(len(next_word(*np.arange(1, 5, dtype=np.uint64))))"
    )
    elsewhere = (CACHE_SETTING, "XDG_CACHE_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in elsewhere}
    environment |= {"HOME": "/proc/nowhere", "TMPDIR": str(tmp_path)}
    result = subprocess.run(
        ["unshare", "-m", "sh", "-c", f"{READ_ONLY} && exec '{sys.executable}' -c '{code}'"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.stdout, result.returncode) == ("5\n", 0), result.stderr
    assert [*tmp_path.rglob("*.nbi")] != []
