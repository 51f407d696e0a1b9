"""Signs of counting in rounds of a real table: does a player's wager, and play, go with the count?

A sign is a hint for whoever watches the table, never a verdict: wagers go up after wins, and wins go with
counts a little. The error is from leaving out one shoe after another, since the rounds of a shoe go together.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.engine import twentyone as engine
from cardroom.engine.playing import steps
from cardroom.exact.twentyone import solve
from cardroom.lab.agreement import decision
from cardroom.model.twentyone.automaton import Automaton
from cardroom.presentation.numbers import signed
from cardroom.protect.counts import Count, find_count
from cardroom.protect.deviations import Deviation, named_indices, strategies
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.twentyone.counter_job import tags_of_cards

LEAST_ROUNDS: Final = 30
LEAST_SHOES: Final = 4
HINT_ERRORS: Final = 3
"""A correlation so many standard errors above nothing is a hint."""
INDEX_LIST: Final = "illustrious"


@dataclass(frozen=True, slots=True)
class TableRound:
    """A finished round as the log has it."""

    table: str
    shoe: int
    notation: str
    rules: TwentyOneRules
    players: Mapping[str, str]
    """Name at the table → player's id."""
    by_clock: frozenset[int] = frozenset()


@dataclass(slots=True)
class _Seen:
    """What was seen of one player."""

    name: str
    shoes: list[tuple[str, int]] = field(default_factory=list)
    counts: list[float] = field(default_factory=list)
    wagers: list[int] = field(default_factory=list)
    by_index: int = 0
    by_basic: int = 0


@dataclass(frozen=True, slots=True)
class PlayerSigns:
    """One player's wagers and play beside the count."""

    player: str
    name: str
    rounds: int
    shoes: int
    correlation: float | None
    """Of the wager with the true count; None where the wager never changed or too little was seen."""
    error: float | None
    index_plays: int
    """Decisions in which the count asks for other play than basic strategy, and the player played so."""
    basic_plays: int
    """Those of them that were played by basic strategy."""

    @property
    def index_share(self) -> float | None:
        decided = self.index_plays + self.basic_plays
        return self.index_plays / decided if decided else None

    @property
    def index_error(self) -> float | None:
        """Of the share, never less than one decision would change it."""
        decided, share = self.index_plays + self.basic_plays, self.index_share
        if share is None:
            return None
        return max(math.sqrt(share * (1 - share) / decided), 1 / (decided + 1))

    @property
    def hint(self) -> bool:
        """Whether the wagers go with the count by more than chance explains."""
        return (
            self.correlation is not None
            and self.error is not None
            and self.correlation > HINT_ERRORS * self.error
        )

    @property
    def correlation_words(self) -> str:
        """The correlation with its error, to read."""
        if self.correlation is None or self.error is None:
            return "not known"
        return f"{signed(self.correlation, 2, plus=True)} ± {signed(self.error, 2)}"

    @property
    def index_words(self) -> str:
        """How many decisions were played by the count, of those in which it differs."""
        decided = self.index_plays + self.basic_plays
        return f"{self.index_plays} of {decided}" if decided else "none came"

    @property
    def words(self) -> str:
        """What is said of it to the floor."""
        if self.correlation is None or self.error is None:
            return "too little seen, or a wager that never changed"
        if self.hint:
            return "the wager goes with the count: worth a look, no proof"
        return "no sign of counting"

    def to_json(self) -> dict[str, Any]:
        return {
            "player": self.player,
            "name": self.name,
            "rounds": self.rounds,
            "shoes": self.shoes,
            "correlation_of_wager_with_count": self.correlation,
            "correlation_standard_error": self.error,
            "index_plays": self.index_plays,
            "basic_plays": self.basic_plays,
            "index_share": self.index_share,
            "index_share_standard_error": self.index_error,
            "hint": self.hint,
            "words": self.words,
        }


def true_count(opening: engine.Opening, count: Count) -> float:
    """Before a round, by all cards that have left the shoe; the cards burned are taken as seen."""
    rules = opening.rules
    assert rules.decks != "infinite"
    full = rules.shoe()
    tags = [float(tag) for tag in tags_of_cards(dict(count.tags))]
    middle = sum(tag * number for tag, number in zip(tags, full.counts, strict=True)) / full.total
    running = sum(
        (tag - middle) * (before - left)
        for tag, before, left in zip(tags, full.counts, opening.shoe.counts, strict=True)
    )
    return running * full.total / rules.decks / max(opening.shoe.total, 1)


def counting_signs(rounds: Iterable[TableRound], count: Count | None = None) -> list[PlayerSigns]:
    """Every player of these rounds, the strongest sign first; infinite decks are left aside."""
    by = count or find_count("hi-lo")
    seen: dict[str, _Seen] = {}
    for one in rounds:
        if one.rules.decks == "infinite":
            continue
        record = engine.parse_round(one.notation, one.rules)
        opening = record.opening
        here = true_count(opening, by)
        for name, player in one.players.items():
            wager = sum(spot.stake_cents for spot in opening.wagers if spot.player == name)
            if not wager:
                continue
            known = seen.setdefault(player, _Seen(name))
            known.shoes.append((one.table, one.shoe))
            known.counts.append(here)
            known.wagers.append(wager)
        _note_plays(one, record, by, seen)
    found = [_signs(player, known) for player, known in seen.items()]
    return sorted(found, key=lambda signs: -(signs.correlation or -2.0))


def _note_plays(one: TableRound, record: engine.RoundRecord, count: Count, seen: Mapping[str, _Seen]) -> None:
    """Decisions in which the count and basic strategy say different things."""
    opening = record.opening
    index = _index_play(one.rules.canonical_text())
    state, _ = engine.start(
        opening.rules, opening.wagers, opening.shoe, discards=opening.discards, meters=dict(opening.meters)
    )
    for number, (before, chosen, _, _) in enumerate(steps(engine.step, state, record.inputs)):
        if not before.options or not isinstance(chosen, engine.PlayerAction) or number in one.by_clock:
            continue
        player = one.players.get(before.spots[before.turn].player)
        if (
            player is None
            or player not in seen
            or any(isinstance(option, engine.Insure) for option in before.options)
        ):
            continue
        now = _count_now(before, count)
        row = 1 + sum(now >= band for band in index.bands)
        by_count = decision(index.automaton, index.actions[row], before)
        basic = decision(index.automaton, index.actions[0], before)
        if by_count is basic:
            continue
        seen[player].by_index += chosen == by_count
        seen[player].by_basic += chosen == basic


def _count_now(state: engine.Round, count: Count) -> int:
    """The true count at a decision, rounded down, with the cards on the table seen but for the hole card."""
    opening, rules = state.opening, state.opening.rules
    assert rules.decks != "infinite"
    full = rules.shoe()
    tags = [float(tag) for tag in tags_of_cards(dict(count.tags))]
    middle = sum(tag * number for tag, number in zip(tags, full.counts, strict=True)) / full.total
    table = [card for spot in state.spots for hand in spot.hands for card in hand.cards]
    table += state.dealer[: state.turned]
    gone = [before - left for before, left in zip(full.counts, opening.shoe.counts, strict=True)]
    for card in table:
        gone[card.index] += 1
    running = sum((tag - middle) * number for tag, number in zip(tags, gone, strict=True))
    unseen = max(full.total - sum(gone), 1)
    return math.floor(running * full.total / rules.decks / unseen + _ROUNDING)


_ROUNDING: Final = 1e-9
"""So that a whole count stays one."""


@dataclass(frozen=True, eq=False)
class _IndexPlay:
    automaton: Automaton
    bands: tuple[int, ...]
    actions: NDArray[np.int8]


@lru_cache(maxsize=8)
def _index_play(canonical_text: str) -> _IndexPlay:
    """Basic strategy, and the published deviations that these rules know."""
    solution = solve(TwentyOneRules.model_validate_json(canonical_text), "basic")
    automaton, basic = solution.strategy.automaton, solution.strategy.action
    known: list[Deviation] = []
    for one in named_indices()[INDEX_LIST].deviations:
        try:
            strategies(automaton, basic, [one])
        except MalformedInput:
            continue  # a hand or an action that these rules do not have
        known.append(one)
    bands, actions = strategies(automaton, basic, known)
    return _IndexPlay(automaton, bands, actions)


def _signs(player: str, seen: _Seen) -> PlayerSigns:
    shoes = sorted(set(seen.shoes))
    correlation, error = None, None
    if len(seen.counts) >= LEAST_ROUNDS and len(shoes) >= LEAST_SHOES and len(set(seen.wagers)) > 1:
        counts, wagers = np.array(seen.counts), np.array(seen.wagers, float)
        correlation = _correlation(counts, wagers)
        number = {shoe: place for place, shoe in enumerate(shoes)}
        of_shoe = np.array([number[shoe] for shoe in seen.shoes])
        left_out = [
            _correlation(counts[of_shoe != place], wagers[of_shoe != place]) for place in range(len(shoes))
        ]
        spread = np.square(np.array(left_out) - np.mean(left_out)).sum()
        error = math.sqrt((len(shoes) - 1) / len(shoes) * float(spread))
        # Few shoes may be alike by chance: never less than rounds that had nothing to do with each other.
        error = max(error, (1 - correlation**2) / math.sqrt(len(counts) - 1))
    return PlayerSigns(
        player, seen.name, len(seen.counts), len(shoes), correlation, error, seen.by_index, seen.by_basic
    )


def _correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    a, b = one - one.mean(), other - other.mean()
    spread = math.sqrt(float((a @ a) * (b @ b)))
    return float(a @ b) / spread if spread else 0.0
