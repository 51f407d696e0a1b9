"""Where draws' secrets and the house's key wait: apart from the database, so that no one sees both early.

A secret is made once and never again: whoever asks a second time, after a crash or from another process, gets
the same one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Protocol

from cardroom.core.errors import FileTrouble, MalformedInput, Unavailable
from cardroom.fair.entropy import Entropy
from cardroom.fair.seeds import SEED_BYTES, Seed
from cardroom.lottery.codes import KEY_BYTES, CodeKey

VAULT_VARIABLE: Final = "CARDROOM_VAULT"
_KEY_NAME: Final = "code-key"


def vault_folder(database: str, environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of a house's secrets: the one named in the environment, else beside the database's file,
    or in `var` for a database on a server.
    """
    named = environment.get(VAULT_VARIABLE)
    if named:
        return Path(named)
    own = database.startswith("sqlite:///")
    return (Path(database.removeprefix("sqlite:///")).parent if own else Path("var")) / "vault"


class Vault(Protocol):
    """Makes secrets once and gives them back."""

    def code_key(self) -> CodeKey: ...

    def secret(self, number: int) -> Seed: ...

    def opening(self, number: int) -> Seed: ...

    def retire(self, number: int) -> None:
        """Never give the secrets of a draw out again: whoever asks next gets new ones."""

    def require_codes(self, *, tickets_sold: bool) -> None:
        """Refuse a vault that is not the one of tickets that were sold: its key of codes is missing."""


class MemoryVault:
    """A vault for tests and rehearsals; what is in it goes with the process."""

    def __init__(self, entropy: Entropy) -> None:
        self._entropy = entropy
        self._kept: dict[str, bytes] = {}

    def _keep(self, name: str, count: int) -> bytes:
        if name not in self._kept:
            self._kept[name] = self._entropy.take(count)
        return self._kept[name]

    def code_key(self) -> CodeKey:
        return CodeKey(self._keep(_KEY_NAME, KEY_BYTES))

    def secret(self, number: int) -> Seed:
        return Seed(self._keep(f"secret-{number}", SEED_BYTES))

    def opening(self, number: int) -> Seed:
        return Seed(self._keep(f"opening-{number}", SEED_BYTES))

    def retire(self, number: int) -> None:
        for name in (f"secret-{number}", f"opening-{number}"):
            self._kept.pop(name, None)

    def require_codes(self, *, tickets_sold: bool) -> None:
        """What is in memory is this process's own."""


class FileVault:
    """A folder that only its owner may read, a file for every secret."""

    def __init__(self, folder: Path, entropy: Entropy) -> None:
        self._folder = folder
        self._entropy = entropy
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise FileTrouble(
                f"cannot make the vault {folder}: {error.strerror}; name a folder that can be written: "
                "--vault FOLDER"
            ) from None

    def _keep(self, name: str, count: int) -> bytes:
        path = self._folder / name
        if not path.exists():
            # Written in full under another name and then linked: nobody ever reads half a secret, and of two
            # processes that make the same one the second takes the first's.
            draft = self._folder / f".{name}.{self._entropy.take(8).hex()}"
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(self._entropy.take(count))
                file.flush()
                os.fsync(file.fileno())
            try:
                os.link(draft, path)
            except FileExistsError:
                pass
            finally:
                draft.unlink()
            self._sync_folder()
        kept = path.read_bytes()
        if len(kept) != count:
            raise Unavailable(f"the vault's file {name} has {len(kept)} bytes in place of {count}")
        return kept

    def _sync_folder(self) -> None:
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def code_key(self) -> CodeKey:
        return CodeKey(self._keep(_KEY_NAME, KEY_BYTES))

    def secret(self, number: int) -> Seed:
        return Seed(self._keep(f"secret-{number}", SEED_BYTES))

    def opening(self, number: int) -> Seed:
        return Seed(self._keep(f"opening-{number}", SEED_BYTES))

    def retire(self, number: int) -> None:
        """Put the secrets of a draw aside under other names; they stay as evidence."""
        for name in (f"secret-{number}", f"opening-{number}"):
            path = self._folder / name
            if path.exists():
                path.rename(path.with_name(f"{name}.retired-{self._entropy.take(8).hex()}"))
        self._sync_folder()

    def require_codes(self, *, tickets_sold: bool) -> None:
        """Refuse a vault that is not the one of tickets that were sold: its key of codes is missing."""
        if tickets_sold and not (self._folder / _KEY_NAME).exists():
            raise MalformedInput(
                f"the vault {self._folder} has no {_KEY_NAME}, and tickets were sold with one: put the "
                "folder back from its own back-up; with another key no ticket that was printed could be paid"
            )
