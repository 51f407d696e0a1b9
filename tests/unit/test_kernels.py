"""Compiled kernels go when a source that they may be made from has changed, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardroom
from cardroom.core.kernels import forget_stale_kernels


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
    assert f'forget_stale_kernels("{room}")' in source
