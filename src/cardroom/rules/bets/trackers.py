"""Trackers: small machines over cards, made from patterns.

Each condition of a pattern becomes a tracker: it starts somewhere, takes one card after another, remembers
the few things that still matter, and says at the end whether the condition holds. A bet is a `Machine` of
all trackers of its lines, whose states are numbered as they are met: the engine runs it on the cards of a
round, tables for exact figures and kernels are made by running it on all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import ge
from typing import Any, Final, Literal

from cardroom.core.cards import CARDS, Card
from cardroom.core.errors import MalformedInput
from cardroom.rules.bets.patterns import MOST, Attribute, Match, Pattern, Span, Total, colour_of

Role = Literal["player_1", "player_2", "dealer_up", "dealer_hole", "player_3", "dealer_draw", "player_draw"]
"""Where a card lies: one of the player's first three, the dealer's up card, hole card, or a card drawn."""
ROLES: Final[tuple[Role, ...]] = (
    "player_1",
    "player_2",
    "dealer_up",
    "dealer_hole",
    "player_3",
    "dealer_draw",
    "player_draw",
)
PLAYERS_HAND: Final[tuple[Role, ...]] = ("player_1", "player_2", "player_draw")
"""The roles of a player's hand, card by card; the last is for all that follow."""
LooksAt = Literal[
    "player_1", "player_2", "player_3", "player_hand", "dealer_up", "dealer_hole", "dealer_hand"
]
"""What a side bet may look at; a hand is all its cards, as it ends."""
_PLACES: Final[dict[str, tuple[Role, ...]]] = {
    "player": ("player_1", "player_2", "player_3", "player_draw"),
    "player_hand": PLAYERS_HAND,
    "dealer": ("dealer_up", "dealer_hole", "dealer_draw"),
    "dealer_hand": ("dealer_up", "dealer_hole", "dealer_draw"),
}
_BLACKJACK_TOTAL: Final = 21
_BUST: Final = 22
_LOST: Final = ("lost",)
"""What is left of a tracker that no line needs any more."""
_NO: Final = "no"
"""The state of a tracker whose condition can no longer hold."""


def roles_of(looks_at: Iterable[str]) -> tuple[Role, ...]:
    """The roles of the cards at some places, in the order of the deal.

    >>> roles_of(["dealer_hand", "player_1"])
    ('player_1', 'dealer_up', 'dealer_hole', 'dealer_draw')
    """
    wanted = {role for place in looks_at for role in _PLACES.get(place, (place,))}
    return tuple(role for role in ROLES if role in wanted)


@dataclass(frozen=True)
class Tracker:
    """What is remembered of cards: where it starts, and what a card makes of it."""

    kind: Hashable
    """Trackers of one kind that see the same cards are the same."""
    sees: frozenset[Role]
    start: Hashable
    step: Callable[[Any, Role, Card], Hashable]


@dataclass(frozen=True)
class Condition:
    """A tracker, and whether what it remembers fulfils a condition of a pattern."""

    tracker: Tracker
    holds: Callable[[Any], bool]
    lost: Callable[[Any], bool] = lambda state: state == _NO
    """Whether no further card can fulfil it."""


Holds = Callable[[Sequence[bool]], bool]


@dataclass(frozen=True)
class _Compiled:
    conditions: list[Condition]
    holds: Holds
    needed: list[int]
    """The places of conditions without which it does not hold."""


def attribute_of(card: Card, attribute: Attribute) -> Hashable:
    match attribute:
        case "rank":
            return card.rank
        case "suit":
            return card.suit
        case "colour":
            return colour_of(card)
        case "value":
            return card.value


def _alike(card: Card, attributes: Sequence[Attribute]) -> tuple[Hashable, ...]:
    return tuple(attribute_of(card, attribute) for attribute in attributes)


def _never(state: Any) -> bool:
    return False


def _same(attribute: Attribute, sees: frozenset[Role]) -> Condition:
    def step(state: Hashable, role: Role, card: Card) -> Hashable:
        value = attribute_of(card, attribute)
        return value if state in (None, value) else _NO

    return Condition(Tracker(("same", attribute), sees, None, step), lambda state: state != _NO)


def _different(attribute: Attribute, sees: frozenset[Role]) -> Condition:
    def step(state: Any, role: Role, card: Card) -> Hashable:
        value = attribute_of(card, attribute)
        return _NO if state == _NO or value in state else frozenset({*state, value})

    return Condition(Tracker(("different", attribute), sees, frozenset(), step), lambda state: state != _NO)


def _exactly(wanted: Sequence[Hashable], of: Callable[[Card], Hashable], sees: frozenset[Role]) -> Condition:
    """The cards are these and no others, in any order: what is still to come is remembered."""

    def step(state: Any, role: Role, card: Card) -> Hashable:
        value = of(card)
        if state == _NO or value not in state:
            return _NO
        place = state.index(value)
        return (*state[:place], *state[place + 1 :])

    kind = ("exactly", tuple(wanted))
    return Condition(Tracker(kind, sees, tuple(wanted), step), lambda state: state == ())


def _counted(kind: Hashable, among: Callable[[Card], bool], wanted: Span, sees: frozenset[Role]) -> Condition:
    """How many cards are among some, counted up to the largest number that matters."""
    last = max(1, wanted.min if wanted.max >= MOST else wanted.max + 1)

    def step(state: Any, role: Role, card: Card) -> Hashable:
        count: int = min(state + among(card), last)
        return count

    return Condition(
        Tracker((kind, last), sees, 0, step), lambda state: state in wanted, lambda state: state > wanted.max
    )


def _in_a_row(sees: frozenset[Role]) -> Condition:
    def step(state: Any, role: Role, card: Card) -> Hashable:
        if state == _NO or card.rank in state:
            return _NO
        return tuple(sorted((*state, int(card.rank))))

    def holds(state: Any) -> bool:
        if state == _NO:
            return False
        high = tuple(sorted(14 if rank == 1 else rank for rank in state))
        return any(ranks[-1] - ranks[0] == len(ranks) - 1 for ranks in (state, high) if ranks)

    return Condition(Tracker("ranks in order", sees, (), step), holds)


def _groups(alike: Sequence[Attribute], sizes: Sequence[int], sees: frozenset[Role]) -> Condition:
    wanted = sorted(sizes, reverse=True)
    numbers: dict[Hashable, int] = {}
    group_of = [numbers.setdefault(_alike(card, alike), len(numbers)) for card in CARDS]

    def step(state: Any, role: Role, card: Card) -> Hashable:
        return tuple(sorted((*state, group_of[card.index])))

    def holds(state: Any) -> bool:
        have = sorted([state.count(group) for group in set(state)], reverse=True)
        return len(have) >= len(wanted) and all(map(ge, have, wanted))

    return Condition(Tracker(("groups", tuple(alike)), sees, (), step), holds, _never)


def _both(state: Any, role: Role, card: Card) -> Hashable:
    """The dealer's card, and the player's cards."""
    dealer, player = state
    if role.startswith("dealer"):
        return card, player
    return dealer, tuple(sorted((*player, card)))


def _match(wanted: Match, sees: frozenset[Role]) -> Condition:
    def holds(state: Any) -> bool:
        dealer, player = state
        matches = [card.suit is dealer.suit for card in player if dealer and card.rank is dealer.rank]
        return sum(matches) in wanted.suited and len(matches) - sum(matches) in wanted.unsuited

    return Condition(Tracker("both", sees, (None, ()), _both), holds, _never)


def _between(wanted: Span, sees: frozenset[Role]) -> Condition:
    def high(card: Card) -> int:
        return 14 if card.value == 1 else int(card.rank)

    def holds(state: Any) -> bool:
        dealer, player = state
        low, top = sorted(map(high, player))
        return low < high(dealer) < top and top - low - 1 in wanted

    return Condition(Tracker("both", sees, (None, ()), _both), holds, _never)


def _total(wanted: Total, sees: frozenset[Role]) -> Condition:
    """Total and softness of the cards; an ace that would bust the hand as 11 counts 1."""
    low = wanted.ace == "1"

    def step(state: Any, role: Role, card: Card) -> Hashable:
        hard, ace = state
        hard, ace = hard + card.value, ace or card.value == 1
        return hard, ace and not low and hard + 10 <= _BLACKJACK_TOTAL

    def holds(state: Any) -> bool:
        hard, soft = state
        if wanted.softness is not None and soft != (wanted.softness == "soft"):
            return False
        return hard + (10 if soft else 0) in wanted

    return Condition(
        Tracker(("total", low), sees, (0, False), step), holds, lambda state: state[0] > wanted.max
    )


def _blackjack(sees: frozenset[Role]) -> Condition:
    def step(state: Any, role: Role, card: Card) -> Hashable:
        return _NO if state == _NO or len(state) == 2 else tuple(sorted((*state, card.value)))

    return Condition(Tracker("blackjack", sees, (), step), lambda state: state == (1, 10))


def _compiled(pattern: Pattern, roles: frozenset[Role]) -> _Compiled:
    sees = roles & frozenset(roles_of(pattern.of)) if pattern.of else roles
    if not sees:
        raise MalformedInput(f"of = {list(pattern.of)}: the bet does not look at these cards")
    own = [_same(attribute, sees) for attribute in pattern.same]
    own += [_different(attribute, sees) for attribute in pattern.different]
    if pattern.ranks:
        own.append(_exactly(pattern.ranks, lambda card: card.rank, sees))
    if pattern.cards:
        own.append(_exactly(pattern.cards, lambda card: card, sees))
    if (every := pattern.every) is not None:
        own.append(_counted(("not", every), lambda card: card not in every, Span(max=0), sees))
    if (some := pattern.contains) is not None:
        own.append(_counted(some, lambda card: card in some, some.number, sees))
    if pattern.in_a_row:
        own.append(_in_a_row(sees))
    if pattern.groups is not None:
        own.append(_groups(pattern.groups.alike, pattern.groups.sizes, sees))
    if pattern.match is not None:
        _need_dealers_card("match", sees)
        own.append(_match(pattern.match, sees))
    if pattern.between is not None:
        _need_dealers_card("between", sees)
        own.append(_between(pattern.between, sees))
    if pattern.number is not None:
        own.append(_counted("cards", lambda card: True, pattern.number, sees))
    if pattern.total is not None:
        own.append(_total(pattern.total, sees))
    if pattern.bust:
        own.append(_total(Total(min=_BUST), sees))
    if pattern.blackjack:
        own.append(_blackjack(sees))
    return _with_parts(pattern, own, sees)


def _need_dealers_card(condition: str, sees: frozenset[Role]) -> None:
    dealers = [role for role in sees if role.startswith("dealer")]
    if len(dealers) != 1 or len(sees) != 3:
        raise MalformedInput(
            f"{condition}: the player's two cards are held against one card of the dealer's, and no more"
        )


def _with_parts(pattern: Pattern, own: list[Condition], sees: frozenset[Role]) -> _Compiled:
    """The pattern's own conditions and the patterns in it, which see what it sees."""
    conditions = list(own)
    needed = list(range(len(own)))

    def placed(part: Pattern, *, is_needed: bool = False) -> Holds:
        inner, first = _compiled(part, sees), len(conditions)
        conditions.extend(inner.conditions)
        if is_needed:
            needed.extend(first + place for place in inner.needed)
        return lambda answers: inner.holds(answers[first : first + len(inner.conditions)])

    every = [placed(part, is_needed=True) for part in pattern.all]
    some = [placed(part) for part in pattern.any]
    no = [placed(part) for part in (pattern.none,) if part is not None]

    def holds(answers: Sequence[bool]) -> bool:
        return (
            all(answers[: len(own)])
            and all(part(answers) for part in every)
            and (not some or any(part(answers) for part in some))
            and not any(part(answers) for part in no)
        )

    return _Compiled(conditions, holds, needed)


@dataclass(frozen=True)
class _Line:
    holds: Holds
    conditions: list[tuple[int, Callable[[Any], bool]]]
    """Each with the place of its tracker."""
    needed: list[tuple[int, Callable[[Any], bool]]]
    """The conditions without which it does not hold: whether each is lost."""

    def is_lost(self, parts: Sequence[Hashable]) -> bool:
        return any(parts[place] is _LOST or lost(parts[place]) for place, lost in self.needed)

    def is_made(self, parts: Sequence[Hashable]) -> bool:
        return not self.is_lost(parts) and self.holds(
            [holds(parts[place]) for place, holds in self.conditions]
        )


class _LostLines(dict[Hashable, int]):
    """The lines that are lost when one tracker is in a state, as bits by their places."""

    def __init__(self, lines: Sequence[_Line], place: int) -> None:
        super().__init__()
        self._losers = [[lost for at, lost in line.needed if at == place] for line in lines]

    def __missing__(self, part: Hashable) -> int:
        bits = sum(
            1 << number
            for number, tests in enumerate(self._losers)
            if any(part is _LOST or lost(part) for lost in tests)
        )
        self[part] = bits
        return bits


class Machine:
    """All trackers of a bet as one machine: states are numbers, given as they are met; 0 is the start."""

    def __init__(self, roles: tuple[Role, ...], patterns: Sequence[Pattern]) -> None:
        self.roles = roles
        compiled = [_compiled(pattern, frozenset(roles)) for pattern in patterns]
        trackers = {
            (condition.tracker.kind, condition.tracker.sees): condition.tracker
            for line in compiled
            for condition in line.conditions
        }
        place = {key: number for number, key in enumerate(trackers)}
        self._trackers = tuple(trackers.values())
        self._lines = [
            _Line(
                line.holds,
                [(place[one.tracker.kind, one.tracker.sees], one.holds) for one in line.conditions],
                [
                    (place[one.tracker.kind, one.tracker.sees], one.lost)
                    for one in (line.conditions[number] for number in line.needed)
                ],
            )
            for line in compiled
        ]
        self._lost_with = [_LostLines(self._lines, number) for number in range(len(self._trackers))]
        self._kept: dict[int, tuple[bool, ...]] = {}
        """Whether each tracker is still needed, by the lines that are lost."""
        start = tuple(tracker.start for tracker in self._trackers)
        self._states: list[tuple[Hashable, ...]] = [start]
        self._number: dict[tuple[Hashable, ...], int] = {start: 0}
        self._next: dict[tuple[int, Role, int], int] = {}
        self._holding: dict[int, tuple[int, ...]] = {}
        self._decided: dict[tuple[int, tuple[Role, ...]], tuple[int | None] | None] = {}

    @property
    def size(self) -> int:
        """How many trackers it runs."""
        return len(self._trackers)

    @property
    def trackers(self) -> tuple[Tracker, ...]:
        return self._trackers

    def answers(self, tracker: int, state: Any) -> tuple[bool, ...]:
        """Whether each condition holds that asks one tracker, when it is in a state."""
        conditions = (one for line in self._lines for one in line.conditions)
        return tuple(holds(state) for place, holds in conditions if place == tracker)

    def line_of_parts(self, parts: Sequence[Hashable]) -> int | None:
        """The place of the first line that holds when each tracker is in a state; None when none does."""
        return next((number for number, line in enumerate(self._lines) if line.is_made(parts)), None)

    def after(self, state: int, role: Role, card: Card) -> int:
        """The state after one more card."""
        key = (state, role, card.index)
        number = self._next.get(key)
        if number is None:
            new = self._without_lost(
                [
                    part if part is _LOST or role not in tracker.sees else tracker.step(part, role, card)
                    for tracker, part in zip(self._trackers, self._states[state], strict=True)
                ]
            )
            number = self._number.setdefault(new, len(self._states))
            if number == len(self._states):
                self._states.append(new)
            self._next[key] = number
        return number

    def _without_lost(self, parts: list[Hashable]) -> tuple[Hashable, ...]:
        """What is remembered for lines that can no longer be made is forgotten."""
        lost = 0
        for lines, part in zip(self._lost_with, parts, strict=True):
            lost |= lines[part]
        kept = self._kept.get(lost)
        if kept is None:
            left = [line for number, line in enumerate(self._lines) if not lost >> number & 1]
            places = {place for line in left for place, _ in line.conditions}
            kept = self._kept[lost] = tuple(place in places for place in range(self.size))
        return tuple([part if keep else _LOST for part, keep in zip(parts, kept, strict=True)])

    def holding(self, state: int) -> tuple[int, ...]:
        """The lines whose patterns hold in a state, by their places."""
        lines = self._holding.get(state)
        if lines is None:
            parts = self._states[state]
            lines = tuple(number for number, line in enumerate(self._lines) if line.is_made(parts))
            self._holding[state] = lines
        return lines

    def line(self, state: int) -> int | None:
        """The place of the first line that holds in a state; None when none does."""
        holding = self.holding(state)
        return holding[0] if holding else None

    def decided(self, state: int, roles: tuple[Role, ...]) -> tuple[int | None] | None:
        """The line, in brackets, where it is the same whatever cards come to these roles; None where not."""
        if not roles:
            return (self.line(state),)
        key = (state, roles)
        if key not in self._decided:
            line: tuple[int | None] | None = None
            for after in {self.after(state, roles[0], card) for card in CARDS}:
                one = self.decided(after, roles[1:])
                if one is None or line not in (None, one):
                    line = None
                    break
                line = one
            self._decided[key] = line
        return self._decided[key]

    def state_of(self, cards: Iterable[tuple[Role, Card]]) -> int:
        """The state after cards, each with where it lies."""
        state = 0
        for role, card in cards:
            state = self.after(state, role, card)
        return state


@lru_cache(maxsize=256)
def machine_of(looks_at: tuple[str, ...], patterns: tuple[Pattern, ...]) -> Machine:
    """The machine of a bet; bets that ask the same of the same cards share it."""
    return Machine(roles_of(looks_at), patterns)
