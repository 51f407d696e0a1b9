"""The lines of the keys of TOML files."""

from __future__ import annotations

from importlib import resources
from typing import Any

import pytest

from cardroom.rules.bets import shelf_names
from cardroom.rules.explain import Path
from cardroom.rules.places import line_at, places_of

TEXT = """\
# a comment with [brackets] and "quotes"
title = "A # is no comment here"   # but here
[side_bets.own]
looks_at = ["player_1",
  "player_2",  # the second ]
]
lines = [
  { name = "one", when = { same = ["rank", "suit"] }, pays = "25:1" },

  { name = 'two, ] }', when = { all = [{ number = 2 },
      { not = { bust = true } }] }, pays = "3:2" },
]
note = \"\"\"
lines = "not a key"
\"\"\"
limits.min = 4
"quoted key" = 1

[[list]]
a = 1
[[list]]
a = 2
[list.inner]
b = 3
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 2),
        (("side_bets",), 3),
        (("side_bets", "own"), 3),
        (("side_bets", "own", "looks_at"), 4),
        (("side_bets", "own", "looks_at", 1), 5),
        (("side_bets", "own", "lines", 0, "when", "same", 1), 8),
        (("side_bets", "own", "lines", 1), 10),
        (("side_bets", "own", "lines", 1, "when", "all", 1, "not", "bust"), 11),
        (("side_bets", "own", "lines", 1, "pays"), 11),
        (("side_bets", "own", "note"), 13),
        (("side_bets", "own", "limits", "min"), 16),
        (("side_bets", "own", "quoted key"), 17),
        (("list", 0, "a"), 20),
        (("list", 1, "a"), 22),
        (("list", 1, "inner", "b"), 24),
    ],
)
def test_the_line_of_a_key(path: Path, line: int) -> None:
    assert places_of(TEXT)[path] == line


def test_what_is_not_written_is_where_its_group_is() -> None:
    places = places_of(TEXT)
    assert line_at(places, ("side_bets", "own", "needs")) == 3
    assert line_at(places, ("side_bets", "own", "lines", 1, "when", "sames")) == 10
    assert line_at(places, ("decks",)) == 1


def paths_in(tree: Any, path: Path = ()) -> set[Path]:
    parts = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    found = {path} if path else set()
    for key, part in parts:
        found |= paths_in(part, (*path, key))
    return found


def test_every_key_of_every_file_of_ours_is_found() -> None:
    """The parser of the standard library says which keys there are."""
    import tomllib

    folder = resources.files("cardroom.rules")
    files = [folder / "side_bets" / f"{name}.toml" for name in shelf_names()]
    files += [file for file in (folder / "games").iterdir() if file.name.endswith(".toml")]
    for text in [TEXT, *(file.read_text(encoding="utf-8") for file in files)]:
        assert set(places_of(text)) == paths_in(tomllib.loads(text))
