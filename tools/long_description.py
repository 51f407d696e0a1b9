"""What a package index is told: the project's addresses, and the README with links that lead somewhere.

An index shows the README without the files beside it. Where `pyproject.toml` names the public address of the
repository (`[tool.hatch.metadata.hooks.custom]`, key `repository`), links and pictures lead there; while it
names none, pictures are left out and of links only their words stay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#)([^)\s]+)\)")


class Addresses(NamedTuple):
    """Where a published version is found.

    >>> forge = Addresses("https://example.org/cardroom/", "{repository}/blob/v{version}/{path}", "", "1.2")
    >>> forge.urls()["Changelog"]
    'https://example.org/cardroom/blob/v1.2/CHANGELOG.md'
    """

    repository: str
    """The front page of the repository; empty while it has no public address."""
    page: str
    """Where a file of the repository is read, with places for `{repository}`, `{version}` and `{path}`."""
    picture: str
    """Where the bytes of a picture are had, with the same places."""
    version: str

    @classmethod
    def read(cls, settings: Mapping[str, Any], version: str) -> Addresses:
        """From the settings of the hook in `pyproject.toml`."""
        return cls(settings["repository"], settings["page"], settings["picture"], version)

    def of(self, path: str, *, picture: bool = False) -> str:
        """The address of a file of the repository."""
        return (self.picture if picture else self.page).format(
            repository=self.repository.rstrip("/"), version=self.version, path=path
        )

    def urls(self) -> dict[str, str]:
        """What `[project.urls]` would say; nothing while there is no address."""
        if not self.repository:
            return {}
        return {
            "Source": self.repository,
            "Documentation": self.of("docs/index.md"),
            "Changelog": self.of("CHANGELOG.md"),
        }


def long_description(readme: str, addresses: Addresses) -> str:
    """The README without links that lead nowhere.

    >>> nowhere = Addresses("", "{repository}/{path}", "{repository}/raw/{path}", "1.2")
    >>> long_description("See [the rules](docs/rules.md), [more](https://example.org).", nowhere)
    'See the rules, [more](https://example.org).'
    >>> long_description("![A table](table.png)\\n\\nA game.", nowhere)
    'A game.'
    >>> forge = Addresses("https://example.org", "{repository}/{path}", "{repository}/raw/{path}", "1.2")
    >>> long_description("See [the rules](docs/rules.md). ![A table](table.png)", forge)
    'See [the rules](https://example.org/docs/rules.md). ![A table](https://example.org/raw/table.png)'
    """

    def absolute(link: re.Match[str]) -> str:
        mark, words, path = link.groups()
        if not addresses.repository:
            return "" if mark else words
        return f"{mark}[{words}]({addresses.of(path, picture=bool(mark))})"

    return re.sub(r"\n{3,}", "\n\n", _LINK.sub(absolute, readme)).lstrip("\n")


class LongDescription(MetadataHookInterface):
    """Called by the build backend."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Put the README and the addresses into the package's metadata."""
        addresses = Addresses.read(self.config, metadata["version"])
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["urls"] = addresses.urls()
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": long_description(readme, addresses),
        }
