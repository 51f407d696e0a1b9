"""Names that others read are names that they can see."""

from __future__ import annotations

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.core.signs import shows
from cardroom.records.players import PlayerNamed
from cardroom.web.players.player import Player
from cardroom.web.players.register import Players

ANN = Player("0a" * 16, "Ann")


@pytest.mark.parametrize("name", ["Ann", "Zoë", "Zoe\u0308", "李小龍", "Ngọc Ánh", "שָׁלוֹם", "♠ Ace", "a", "🂡"])
def test_names_of_all_languages(name: str) -> None:
    assert shows(name)
    (entry,) = Players(lambda _id: None).rename(ANN, f"  {name} ").entries
    assert entry.record == PlayerNamed(player=ANN.id, name=name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "\u3164",
        "\u2800\u2800",
        "A\u115f",
        "\u0301Ann",
        "A" + "\u0300" * 3,
        "x\u202ey",
        "x\u200by",
        "x\0y",
        "\ud800",
    ],
)
def test_what_cannot_be_seen_is_no_name(name: str) -> None:
    assert not shows(name)
    with pytest.raises(MalformedInput, match="all of which can be seen"):
        Players(lambda _id: None).rename(ANN, name)
