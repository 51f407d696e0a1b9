"""Where the lottery's secrets are kept: beside the database, or in a folder of the house's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.core.errors import FileTrouble
from cardroom.fair.entropy import OperatingSystem
from cardroom.lottery.vault import FileVault, vault_folder
from cardroom.web.live.vaults import vault_of
from cardroom.web.settings import Settings


def test_it_is_beside_the_database_unless_it_is_named() -> None:
    assert vault_folder("sqlite:////srv/house/room.sqlite3", {}) == Path("/srv/house/vault")
    assert vault_folder("postgresql://house@db/cardroom", {}) == Path("var/vault")
    named = {"CARDROOM_VAULT": "/srv/secrets"}
    for database in ("sqlite:////srv/house/room.sqlite3", "postgresql://house@db/cardroom"):
        assert vault_folder(database, named) == Path("/srv/secrets")


def test_two_houses_on_one_server_of_databases_share_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CARDROOM_VAULT", raising=False)
    first, second = (
        vault_of(Settings(f"postgresql://house@db/{name}", bytes(32), vault=tmp_path / name))
        for name in ("one", "two")
    )
    secret = first.secret(1)
    assert second.secret(1) != secret
    second.retire(1)
    assert first.secret(1) == secret
    assert not (tmp_path / "var").exists()


def test_a_file_in_the_place_of_the_folder_is_said_in_one_line(tmp_path: Path) -> None:
    place = tmp_path / "secrets"
    place.write_text("no folder", "ascii")
    with pytest.raises(FileTrouble, match=f"cannot make the vault {place}: File exists; name a folder"):
        FileVault(place, OperatingSystem())
    assert place.read_text("ascii") == "no folder"
