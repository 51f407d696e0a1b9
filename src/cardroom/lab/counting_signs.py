"""Signs of counting in rounds of a real table: does a player's wager, and play, go with the count?

A sign is a hint for whoever watches the table, never a verdict: wagers go up after wins, and wins go with
counts a little. What is looked at: wagers, play, insurance, stakes on side bets, and rounds that are sat out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.engine import twentyone as engine
from cardroom.engine.playing import steps
from cardroom.exact.twentyone import solve
from cardroom.lab.agreement import decision
from cardroom.lab.player_signs import Contrast, Done, Going, PlayerSigns, going
from cardroom.model.twentyone.automaton import Automaton
from cardroom.presentation import wager_title
from cardroom.protect.counts import Count, find_count
from cardroom.protect.deviations import Deviation, named_indices, strategies
from cardroom.protect.shoes import values
from cardroom.rules import parse_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.twentyone.counter_job import tags_of_cards
from cardroom.sim.twentyone.side_ways import can_count

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
class _Decisions:
    """Decisions that were noted, one by one: whether the count asked for it, whether it was done."""

    noted: list[tuple[bool, bool]] = field(default_factory=list)

    def done(self, *, by_count: bool) -> Done:
        some = [done for there, done in self.noted if there is by_count]
        return Done(sum(some), len(some))

    @property
    def sign(self) -> Contrast:
        return Contrast(self.done(by_count=True), self.done(by_count=False))


@dataclass(slots=True)
class _Observations:
    """What was seen of one player."""

    name: str
    rounds: list[int] = field(default_factory=list)
    """Their numbers among all rounds."""
    wagers: list[int] = field(default_factory=list)
    sides: list[Mapping[str, int]] = field(default_factory=list)
    """Stakes on side bets in each of them."""
    play: _Decisions = field(default_factory=_Decisions)
    insurance: _Decisions = field(default_factory=_Decisions)


@dataclass(frozen=True, slots=True)
class _Dealt:
    """A round of anybody's."""

    shoe: tuple[str, int]
    count: float
    opening: engine.Opening


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
    seen: dict[str, _Observations] = {}
    dealt: list[_Dealt] = []
    for one in rounds:
        if one.rules.decks == "infinite":
            continue
        record = engine.parse_round(one.notation, one.rules)
        opening = record.opening
        for name, player in one.players.items():
            spots = [spot for spot in opening.wagers if spot.player == name]
            if not spots:
                continue
            known = seen.setdefault(player, _Observations(name))
            known.rounds.append(len(dealt))
            known.wagers.append(sum(spot.stake_cents for spot in spots))
            stakes: Counter[str] = Counter()
            for spot in spots:
                stakes.update(dict(spot.side))
            known.sides.append(stakes)
        dealt.append(_Dealt((one.table, one.shoe), true_count(opening, by), opening))
        _note_plays(one, record, by, seen)
    worth = _Worth(dealt)
    players = [_signs(player, known, dealt, worth) for player, known in seen.items()]
    return sorted(
        players, key=lambda signs: (not signs.hint, -(signs.wager.correlation if signs.wager else -2))
    )


def _note_plays(
    one: TableRound, record: engine.RoundRecord, count: Count, seen: Mapping[str, _Observations]
) -> None:
    """Decisions in which some count asks for other play than basic strategy, and those on insurance."""
    opening = record.opening
    index = _index_play(one.rules.canonical_text())
    state, _ = engine.start(
        opening.rules, opening.wagers, opening.shoe, discards=opening.discards, meters=dict(opening.meters)
    )
    for number, (before, chosen, _, _) in enumerate(steps(engine.step, state, record.inputs)):
        if not before.options or not isinstance(chosen, engine.PlayerAction) or number in one.by_clock:
            continue
        player = one.players.get(before.spots[before.turn].player)
        if player is None or player not in seen:
            continue
        now = _count_now(before, count)
        if engine.DeclineInsurance() in before.options:
            taken = chosen != engine.DeclineInsurance()
            seen[player].insurance.noted.append((now >= index.insurance, taken))
            continue
        basic = decision(index.automaton, index.actions[0], before)
        others = {decision(index.automaton, row, before) for row in index.actions[1:]} - {basic}
        if not others or (chosen != basic and chosen not in others):
            continue
        row = 1 + sum(now >= band for band in index.bands)
        is_asked = decision(index.automaton, index.actions[row], before) is not basic
        seen[player].play.noted.append((is_asked, chosen in others))


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
    insurance: int
    """The count from which on insurance pays."""


@lru_cache(maxsize=8)
def _index_play(canonical_text: str) -> _IndexPlay:
    """Basic strategy, and the published deviations that these rules know."""
    solution = solve(parse_rules_as(TwentyOneRules, canonical_text), "basic")
    automaton, basic = solution.strategy.automaton, solution.strategy.action
    known: list[Deviation] = []
    published = named_indices()[INDEX_LIST]
    assert published.insurance is not None
    for one in published.deviations:
        try:
            strategies(automaton, basic, [one])
        except MalformedInput:
            continue  # a hand or an action that these rules do not have
        known.append(one)
    bands, actions = strategies(automaton, basic, known)
    return _IndexPlay(automaton, bands, actions, published.insurance)


class _Worth:
    """What side bets are worth before each round, counted when somebody's stake on them changes."""

    def __init__(self, dealt: Sequence[_Dealt]) -> None:
        self._dealt = dealt
        self._by_bet: dict[str, dict[int, float]] = {}

    def of(self, bet: str) -> dict[int, float]:
        """By the number of the round: only rounds at tables that offer the bet and let it be counted."""
        if bet not in self._by_bet:
            by_round: dict[int, float] = {}
            by_rules: dict[str, list[int]] = {}
            for number, one in enumerate(self._dealt):
                by_rules.setdefault(one.opening.rules.rules_hash, []).append(number)
            for numbers in by_rules.values():
                rules = self._dealt[numbers[0]].opening.rules
                if bet in rules.offered_side_bets and can_count(rules, bet):
                    shoes = (self._dealt[number].opening.shoe for number in numbers)
                    by_round.update(zip(numbers, map(float, values(rules, shoes, bet)), strict=True))
            self._by_bet[bet] = by_round
        return self._by_bet[bet]


def _signs(player: str, seen: _Observations, dealt: Sequence[_Dealt], worth: _Worth) -> PlayerSigns:
    here = [dealt[number] for number in seen.rounds]
    shoes = [one.shoe for one in here]
    return PlayerSigns(
        player,
        seen.name,
        len(here),
        len(set(shoes)),
        going([one.count for one in here], seen.wagers, shoes),
        seen.play.sign,
        seen.insurance.sign,
        tuple(_side_signs(seen, dealt, worth)),
        _presence(seen, dealt),
    )


def _side_signs(seen: _Observations, dealt: Sequence[_Dealt], worth: _Worth) -> Iterator[tuple[str, Going]]:
    """Of each side bet whose stake changed: how the stake goes with what the bet is worth."""
    for bet in dict.fromkeys(bet for stakes in seen.sides for bet in stakes):
        if len({stakes.get(bet, 0) for stakes in seen.sides}) == 1:
            continue
        worths = worth.of(bet)
        rounds = [
            (number, stakes.get(bet, 0)) for number, stakes in zip(seen.rounds, seen.sides, strict=True)
        ]
        rounds = [(number, stake) for number, stake in rounds if number in worths]
        sign = going(
            [worths[number] for number, _ in rounds],
            [stake for _, stake in rounds],
            [dealt[number].shoe for number, _ in rounds],
        )
        if sign is not None:
            yield wager_title(bet, dealt[rounds[0][0]].opening.rules), sign


def _presence(seen: _Observations, dealt: Sequence[_Dealt]) -> Going | None:
    """Whether the player is in the rounds of a shoe, all that were dealt of it, when the count is high."""
    mine = set(seen.rounds)
    shoes = {dealt[number].shoe for number in mine}
    rounds = [(number, one) for number, one in enumerate(dealt) if one.shoe in shoes]
    return going(
        [one.count for _, one in rounds],
        [float(number in mine) for number, _ in rounds],
        [one.shoe for _, one in rounds],
    )
