"""Where the secrets of the lottery's draws come from while the server runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardroom.fair.encoding import encode
from cardroom.fair.entropy import OperatingSystem
from cardroom.fair.keystream import derive_key
from cardroom.fair.seeds import Seed
from cardroom.lottery.codes import CodeKey
from cardroom.lottery.vault import FileVault, Vault, vault_folder

if TYPE_CHECKING:
    from cardroom.web.settings import Settings


class DemoVault:
    """The secrets of a demonstration: from the house's key, at once and without files; never for money."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def _derived(self, *what: str) -> bytes:
        return derive_key(self._key, salt=b"", info=encode("cardroom/demo/1", *what))

    def code_key(self) -> CodeKey:
        return CodeKey(self._derived("codes"))

    def secret(self, number: int) -> Seed:
        return Seed(self._derived("secret", str(number)))

    def opening(self, number: int) -> Seed:
        return Seed(self._derived("opening", str(number)))

    def retire(self, number: int) -> None:
        """The draws of a demonstration follow from its key, whatever happens."""

    def require_codes(self, *, tickets_sold: bool) -> None:
        """They do, too."""


def vault_of(settings: Settings) -> Vault:
    """The vault of a house: its folder, by default beside its database, or none for a demonstration."""
    if settings.demo:
        return DemoVault(settings.key)
    return FileVault(settings.vault or vault_folder(settings.database), OperatingSystem())
