"""The README as a package index shows it: there are no files beside it, so links into the repository go.

Where `[project.urls]` names the repository as `Source`, they lead there; else only their words stay.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#)([^)\s]+)\)")


def long_description(readme: str, source: str | None) -> str:
    """The README without links that lead nowhere.

    >>> long_description("See [the rules](docs/rules.md), [more](https://example.org).", None)
    'See the rules, [more](https://example.org).'
    >>> long_description("See [the rules](docs/rules.md).", "https://example.org/cardroom/")
    'See [the rules](https://example.org/cardroom/docs/rules.md).'
    >>> long_description("![A table](table.png)\\n\\nA game.", None)
    'A game.'
    """

    def absolute(link: re.Match[str]) -> str:
        picture, words, path = link.groups()
        if source is None:
            return "" if picture else words
        return f"{picture}[{words}]({source.rstrip('/')}/{path})"

    return re.sub(r"\n{3,}", "\n\n", _LINK.sub(absolute, readme)).lstrip("\n")


class LongDescription(MetadataHookInterface):
    """Called by the build backend."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Put the README into the package's metadata."""
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        source = metadata.get("urls", {}).get("Source")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": long_description(readme, source),
        }
