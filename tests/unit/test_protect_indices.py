"""Index numbers against the published ones, by both methods."""

from __future__ import annotations

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.protect.counts import find_count
from cardroom.protect.indices import Index, find_indices
from cardroom.rules import load_rules
from tests.command_line import CommandLine

PUBLISHED = {
    "insurance": (3,),
    "16 v T stand": (0,),
    "15 v T stand": (4,),
    "pair T v 5 split": (5,),
    "pair T v 6 split": (4, 5),
    "10 v T double": (4,),
    "12 v 3 stand": (2,),
    "12 v 2 stand": (3, 4),
    "11 v A double": (1,),
    "9 v 2 double": (1,),
    "10 v A double": (4,),
    "9 v 7 double": (3, 4),
    "16 v 9 stand": (4, 5),
    "13 v 2 hit": (-1,),
    "12 v 4 hit": (0,),
    "12 v 5 hit": (-1, -2),
    "12 v 6 hit": (-1,),
    "13 v 3 hit": (-2,),
}
"""Hi-Lo, several decks, rounded down; sources differ by one where two values stand."""


@pytest.fixture(scope="module")
def found() -> dict[str, Index]:
    rules = load_rules("blackjack", {"dealer_hits_soft_17": False})
    indices = find_indices(rules, find_count("hi-lo"), shoes=30, seed=2)
    assert [one.gain for one in indices] == sorted((one.gain for one in indices), reverse=True)
    return {str(one).rsplit(" ", 2)[0]: one for one in indices}


def test_published_indices(found: dict[str, Index]) -> None:
    """All are there; none is further off than sources are from each other."""
    exactly = 0
    for name, published in PUBLISHED.items():
        index = found[name]
        exactly += index.count in published
        assert min(abs(index.count - one) for one in published) <= 1, name
        assert min(abs(index.linear_count - one) for one in published) <= 1, name
        assert index.error < 0.35, name
        assert index.gain > 0
    assert exactly >= 14  # tens against a ten and an ace lie between two counts


def test_the_most_valuable_ones_are_the_famous_ones(found: dict[str, Index]) -> None:
    """Schlesinger's list names the same three first, whatever the wagers: insurance, 16 v T, 15 v T."""
    first = list(found)[:12]
    assert {"insurance", "16 v T stand"} <= set(first[:4])
    assert "15 v T stand" in first


def test_directions(found: dict[str, Index]) -> None:
    """Standing, doubling and splitting tens pay from a count on, hitting a stiff hand below one."""
    for name in PUBLISHED:
        assert found[name].below == name.endswith("hit")


def test_wrong_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    cardroom = CommandLine(monkeypatch, capsys)
    few = cardroom("protect", "blackjack", "--indices", "--shoes", "3")
    assert (few.code, "too few; it takes 30" in few.err) == (2, True)
    two = cardroom("protect", "blackjack", "--indices", "--count", "hi-lo", "--count", "ko")
    assert (two.code, "name one with --count" in two.err) == (2, True)
    with pytest.raises(MalformedInput, match="infinitely many"):
        find_indices(load_rules("blackjack", {"decks": "infinite"}), find_count("hi-lo"), shoes=30)
