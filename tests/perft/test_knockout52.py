"""Complete trees of small layouts: node counts, expected values and live chances, engine == exact."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import perm
from pathlib import Path

import pytest

from cardroom.engine import knockout52
from cardroom.engine.knockout52 import Game, Stakes, net_cents, start
from cardroom.engine.walk import Branches, walk
from cardroom.exact.knockout52 import live_chances, wager_figures
from tests.knockout52_tables import TinyRules, tiny

STAKE_CENTS = 100
Endings = tuple[Counter[str], Counter[str]]


@dataclass(frozen=True)
class Tree:
    """A layout with what is known of its tree from elsewhere."""

    name: str
    ranks: int
    rows: int
    suits: int
    decks: int
    nodes_at_depth: list[int]
    expected_value: dict[str, str]

    @property
    def rules(self) -> TinyRules:
        return tiny(self.ranks, self.rows, self.suits, self.decks)


TREES = [
    Tree(**tree)
    for tree in tomllib.loads(Path(__file__).with_name("knockout52.toml").read_text("utf-8"))["tree"]
]


@dataclass
class Walk:
    """The whole tree of a game, dealt by the engine; every node's live chances are checked on the way."""

    rules: TinyRules
    nodes: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.live = cache(lambda ranks: live_chances(self.rules.layout, self.rules.cards_per_rank, ranks))
        self.arrangements = perm(self.rules.shoe.total, self.rules.layout.spaces)
        # Each wager has a player of its own, so that its result can be told from the others'.
        game, _ = start(self.rules, [Stakes(w, {w: STAKE_CENTS}) for w in self.rules.layout.wagers])
        _, self.net = walk(knockout52, game, self.fold)

    def fold(self, game: Game, branches: Branches[knockout52.Event, Endings]) -> Endings:
        """Arrangements of the remaining cards that end in each outcome, and what the wagers win in all."""
        depth, layout = len(game.cards), self.rules.layout
        self.nodes[depth] += 1
        rest = perm(self.rules.shoe.total - depth, layout.spaces - depth)
        endings: Counter[str] = Counter()
        net: Counter[str] = Counter()
        if not branches:
            assert game.outcome is not None
            endings[game.outcome] = rest
            net.update({wager: rest * cents for wager, cents in net_cents(game).items()})
        for branch in branches:
            endings_after, net_after = branch.value
            endings.update({outcome: branch.weight * count for outcome, count in endings_after.items()})
            net.update({wager: branch.weight * cents for wager, cents in net_after.items()})
        expected = self.live(tuple(int(card.rank) for card in game.cards))
        assert {wager: Fraction(endings[wager], rest) for wager in layout.wagers} == expected
        return endings, net


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.name)
def test_the_whole_tree(tree: Tree) -> None:
    walk = Walk(tree.rules)
    assert [walk.nodes[depth] for depth in range(len(tree.nodes_at_depth))] == tree.nodes_at_depth
    assert walk.nodes.total() == sum(tree.nodes_at_depth)

    known = {wager: Fraction(value) for wager, value in tree.expected_value.items()}
    walked = {wager: Fraction(net, walk.arrangements * STAKE_CENTS) for wager, net in walk.net.items()}
    assert walked == known
    assert {figures.wager: figures.expected_value for figures in wager_figures(tree.rules)} == known


def test_the_trees_reach_every_kind_of_end() -> None:
    assert {wager for tree in TREES for wager in tree.expected_value} == {
        "round-1",
        "round-2",
        "round-3",
        "round-4",
        "all-the-way",
    }
    assert any(tree.decks > 1 for tree in TREES)
    assert any(tree.suits > tree.rows for tree in TREES), "cards to spare after the last space"
