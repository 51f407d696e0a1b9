"""Index numbers against the published ones, by both methods."""

from __future__ import annotations

import numpy as np
import pytest

from cardroom.core.errors import MalformedInput
from cardroom.lab.published.protection import HI_LO_INDICES
from cardroom.protect.counts import find_count, systems
from cardroom.protect.indices import Index, Search, find_indices
from cardroom.rules import load_rules
from tests.command_line import CommandLine

PUBLISHED = HI_LO_INDICES


@pytest.fixture(scope="module")
def found() -> dict[str, Index]:
    rules = load_rules("blackjack", {"dealer_hits_soft_17": False})
    indices = find_indices(rules, find_count("hi-lo"), shoes=30, seed=2)
    assert [one.gain for one in indices] == sorted((one.gain for one in indices), reverse=True)
    return {str(one).rsplit(" ", 2)[0]: one for one in indices}


@pytest.mark.slow
def test_published_indices(found: dict[str, Index]) -> None:
    """All are there. A printed index is a crossing rounded to a whole count; ours has an error of its own.

    So a crossing lies within half a count and three standard errors of what one of the sources prints; three
    errors are less than a count. The linear rule is an approximation, given a count, as sources give each
    other.
    """
    for name, published in PUBLISHED.items():
        index = found[name]
        off = min(abs(index.crossing - one) for one in published)
        assert off <= 0.5 + 3 * index.error, name
        assert 3 * index.error < 1, name
        assert min(abs(index.linear_count - one) for one in published) <= 1, name
        assert index.gain > 0


@pytest.mark.slow
def test_the_most_valuable_ones_are_the_famous_ones(found: dict[str, Index]) -> None:
    """Schlesinger's list names the same three first, whatever the wagers: insurance, 16 v T, 15 v T."""
    first = list(found)[:12]
    assert {"insurance", "16 v T stand"} <= set(first[:4])
    assert "15 v T stand" in first


@pytest.mark.slow
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


def test_ctrl_c_keeps_the_shoes_that_were_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each shoe stands for its number of cards here; too few shoes are no result."""
    rules = load_rules("blackjack", {"decks": 1})
    shoes = [rules.shoe().without(rules.shoe().cards()[:gone]) for gone in range(20)]
    monkeypatch.setattr(Search, "_values", lambda _self, shoe: np.array([float(shoe.total)]))

    def solved(stop_at: int) -> list[int]:
        def progress(done: int, _of: int) -> None:
            if done == stop_at:
                raise KeyboardInterrupt

        search = Search(rules, systems()["hi-lo"], 30, 1, progress)
        return [int(values[0]) for values in search._solved(shoes)]

    assert solved(9) == list(range(52, 43, -1))
    with pytest.raises(KeyboardInterrupt):
        solved(3)
