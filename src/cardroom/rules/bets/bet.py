"""A side bet as data: which cards it looks at, its lines, what may be staked, and its meter.

>>> pairs = SideBet.model_validate({
...     "title": "Pairs",
...     "looks_at": ["player_1", "player_2"],
...     "lines": [{"name": "perfect pair", "when": {"same": ["rank", "suit"]}, "pays": "25:1"}],
... })
>>> from cardroom.core.cards import parse_cards
>>> pairs.line(*parse_cards("7h7h")), pairs.line(*parse_cards("7h7d"))
('perfect_pair', None)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Any, Final, Literal

from pydantic import (
    Field,
    StringConstraints,
    field_validator,
    model_serializer,
    model_validator,
)

from cardroom.core.cards import Card
from cardroom.core.errors import CardroomError, MalformedInput
from cardroom.core.odds import Odds
from cardroom.rules.bets.lines import Line, MeterShare, added_up
from cardroom.rules.bets.patterns import NAMED, Part
from cardroom.rules.bets.reached import TooMany
from cardroom.rules.bets.trackers import LooksAt, Machine, Role, machine_of, roles_of
from cardroom.rules.explain import Misplaced, Path, nearest
from cardroom.rules.options import Dollars, Options, OptionWords, PayOdds, Subject, Title, option

LIMITED_BY_PRIMARY: Final = "primary"
OWN_BET: Final = "SIDE-7"
"""The clause of a bet that only the house's own rules describe."""
_MOST_LINES: Final = 64
_MOST_CARDS: Final = 4
_HANDS: Final = ("player_hand", "dealer_hand")


WagerName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9+-]{0,39}$")]


class LargerWager(Part):
    """What lines pay from a stake on."""

    least: Dollars = Field(alias="from")
    pays: dict[str, PayOdds] = Field(min_length=1)

    @field_validator("pays", mode="before")
    @classmethod
    def _by_id(cls, value: object) -> object:
        return by_line_id(value)


def by_line_id(value: object) -> object:
    """What stands under names of lines, under their ids."""
    if not isinstance(value, Mapping):
        return value
    return {str(name).replace(" ", "_"): one for name, one in value.items()}


class SideBet(Options):
    """A side bet: everything about it is here."""

    offered: bool = option(("on offer", "not on offer"), Subject("side_bet_offered"), default=True)
    title: Title
    clause: str = Field(OWN_BET, pattern=r"^[A-Z0-9]{1,6}-[0-9.]{1,6}$")
    looks_at: tuple[LooksAt, ...] = Field(min_length=1, max_length=5)
    lines: tuple[Line, ...] = Field(min_length=1, max_length=_MOST_LINES)
    """The first line whose pattern the cards make is paid, unless every match adds."""
    every_match_adds: bool = False
    """Every line whose pattern the cards make is paid, and not the first alone."""
    fixed_stake: Dollars | None = None
    at_most: str | None = None
    """The wager on the same spot that the stake may not be above: `"primary"`, or a side bet."""
    needs: str | None = None
    """Another side bet that must stand on the same spot (SIDE-3)."""
    meter_seed: Dollars | None = None
    """What the meter starts at, and goes back to (SIDE-4)."""
    meter_increment_percent: int = Field(0, ge=0, le=100)
    larger_wagers: tuple[LargerWager, ...] = ()
    """What lines pay from a stake on, in place of what they pay on smaller ones."""
    envy: dict[str, Dollars] = Field(default={})
    """What every other player with this wager gets when a line is won, by the line's id."""
    note: str = Field("", max_length=400)
    """What must be said wherever the pays are shown."""

    @model_validator(mode="before")
    @classmethod
    def _pays_by_line(cls, value: object) -> object:
        """A line's pays may stand beside the lines, under its id: `flush = "5:1"`."""
        if not isinstance(value, Mapping) or not isinstance(value.get("lines"), list | tuple):
            return value
        tree = dict(value)
        lines = []
        for entry in tree["lines"]:
            line = entry.tree if isinstance(entry, Line) else entry
            if isinstance(line, Mapping) and isinstance(name := line.get("name"), str):
                key = name.replace(" ", "_")
                if key in tree and key not in cls.model_fields:
                    line = {**line, "pays": tree.pop(key)}
            lines.append(line)
        tree["lines"] = lines
        return tree

    @field_validator("envy", mode="before")
    @classmethod
    def _by_line_id(cls, value: object) -> object:
        return by_line_id(value)

    @model_validator(mode="after")
    def _consistent(self) -> SideBet:
        for wrong, words, path in self._contradictions():
            if wrong:
                raise Misplaced(words, path)
        for number, line in enumerate(self.lines):
            words, path = "", ("lines", number, "when")
            if line.when.with_suit(NAMED, "clubs") != line.when:
                words = "a side bet says which suit; none is named"
            else:
                try:
                    machine_of(self.looks_at, (line.when,))
                except CardroomError as error:
                    words = f"when.{error.message}"
            if words:
                raise Misplaced(f"lines.{number + 1} ({line.name}): {words}", path, words)
        if self.every_match_adds and (words := self._why_not_added()):
            raise Misplaced(f"every_match_adds: {words}", ("every_match_adds",), words)
        return self

    def _why_not_added(self) -> str:
        """Why the lines cannot add up, or nothing."""
        if any(isinstance(line.pays, MeterShare) for line in self.lines):
            return "a line that pays the meter cannot be added to others; leave it out"
        try:
            sets = len(self.paid_lines)
        except TooMany:
            return "the lines remember too much of the cards; ask for fewer single cards and groups"
        if sets > _MOST_LINES:
            return f"the lines come together in {sets} ways; {_MOST_LINES} are the most"
        if all(len(line.when.all) == 1 for line in self.paid_lines):
            return "no cards make two of the lines, so that nothing adds up; leave it out"
        return ""

    def _contradictions(self) -> Iterator[tuple[bool, str, Path]]:
        """Whether something is wrong, in which words, and where."""
        ids = [line.id for line in self.lines]
        twice = next((place for place, name in enumerate(ids) if name in ids[:place]), 0)
        name = ids[twice].replace("_", " ")
        words = f"two lines are called {name!r}; give each a name of its own"
        yield twice > 0, words, ("lines", twice, "name")
        taken = next((place for place, name in enumerate(ids) if name in type(self).model_fields), None)
        name = "" if taken is None else ids[taken]
        words = f"a line cannot be called {name!r}: that is an option of the bet"
        yield taken is not None, words, ("lines", taken or 0, "name")
        yield len(set(self.looks_at)) < len(self.looks_at), "looks_at names a card twice", ("looks_at",)
        in_hand = {"dealer_up", "dealer_hole"} & set(self.looks_at) if self.on_dealers_hand else set()
        yield (
            bool(in_hand),
            "dealer_hand is all of the dealer's cards, the up and hole card too",
            ("looks_at",),
        )
        in_hand = {"player_1", "player_2", "player_3"} & set(self.looks_at) if self.on_players_hand else set()
        words = 'player_hand is all of the player\'s cards; a line may ask some: of = ["player_1"]'
        yield bool(in_hand), words, ("looks_at",)
        single = [place for place in self.looks_at if place not in _HANDS]
        words = f"a bet looks at {_MOST_CARDS} single cards at most, and this one at {len(single)}"
        yield len(single) > _MOST_CARDS, words, ("looks_at",)
        yield from self._contradictions_of_meter()
        yield from self._contradictions_of_sizes()

    def _contradictions_of_meter(self) -> Iterator[tuple[bool, str, Path]]:
        shares = [
            (place, line.name, line.pays.percent)
            for place, line in enumerate(self.lines)
            if isinstance(line.pays, MeterShare)
        ]
        if shares:
            first, name, _ = shares[0]
            pays = ("lines", first, "pays")
            yield self.meter_seed is None, f"line {name!r} pays the meter, and meter_seed is missing", pays
            yield self.fixed_stake is None, f"line {name!r} pays the meter, and fixed_stake is missing", pays
            yield first > 0, f"line {name!r} pays the meter and must be the first line", pays
            rising = next((one[0] for before, one in pairwise(shares) if one[2] > before[2]), None)
            words = "the lines that pay the meter are written from the largest share to the least"
            yield rising is not None, words, ("lines", rising or 0, "pays")
        fed = self.meter_increment_percent > 0 and self.meter_seed is None and not shares
        words = "there is no meter; a line pays it, and meter_seed says where it starts"
        yield fed, words, ("meter_increment_percent",)
        unused = self.meter_seed is not None and not shares
        yield unused, "no line pays the meter", ("meter_seed",)

    def _contradictions_of_sizes(self) -> Iterator[tuple[bool, str, Path]]:
        """Pays by the size of the wager, and envy, are for lines that are there."""
        ids = {line.id: line for line in self.lines}
        for number, one in enumerate(self.larger_wagers):
            path: Path = ("larger_wagers", number)
            words = "the larger wagers are written from the least stake to the largest"
            yield number > 0 and one.least <= self.larger_wagers[number - 1].least, words, (*path, "from")
            for name in one.pays:
                yield name not in ids, f"no line is called {name!r}{nearest(name, ids)}", (*path, "pays")
                of_meter = name in ids and isinstance(ids[name].pays, MeterShare)
                yield of_meter, f"line {name!r} pays the meter, whatever the wager", (*path, "pays")
        one_size = bool(self.larger_wagers) and self.fixed_stake is not None
        yield (
            one_size,
            "fixed_stake is the one size of this wager; leave larger_wagers out",
            ("larger_wagers",),
        )
        for name in self.envy:
            yield name not in ids, f"no line is called {name!r}{nearest(name, ids)}", ("envy",)
        for key in ("larger_wagers", "envy"):
            added = self.every_match_adds and bool(getattr(self, key))
            yield added, f"{key} is for bets that pay one line, not where every match adds", (key,)

    @model_serializer(mode="wrap")
    def _only_what_is_given(self, handler: Any) -> dict[str, Any]:
        """All that is not as if it were not there."""
        written: dict[str, Any] = handler(self)
        fields = type(self).model_fields
        return {
            name: written[name]
            for name in fields
            if fields[name].is_required() or getattr(self, name) != fields[name].default
        }

    def canonical(self) -> dict[str, Any]:
        return self.model_dump(mode="json")

    def option_tree(self) -> dict[str, Any]:
        """The options by their keys: the lines without their pays, and the pays by the ids of the lines."""
        tree = self.model_dump(mode="json")
        patterns = [{key: part for key, part in line.items() if key != "pays"} for line in tree.pop("lines")]
        tree = {"offered": self.offered, **tree}
        return {**tree, **{line.id: str(line.pays) for line in self.lines}, "lines": patterns}

    def worded(self) -> Iterator[tuple[str, Any, OptionWords | None]]:
        """The options that the rules say in words: if it is on offer, its stake, its lines, its meter."""
        yield next(iter(super().worded()))
        if self.fixed_stake is not None:
            yield "fixed_stake", self.fixed_stake, OptionWords("its stake is always {}", self.clause)
        elif self.at_most is not None:
            other = "the primary wager" if self.at_most == LIMITED_BY_PRIMARY else self.at_most
            yield "at_most", other, OptionWords("its stake is at most that of {}", self.clause)
        if self.needs is not None:
            yield "needs", self.needs, OptionWords("it needs {} on the same hand", self.clause)
        if self.every_match_adds:
            yield "every_match_adds", True, OptionWords("every line that the cards make is paid", self.clause)
        for line in self.lines:
            words = line.words or f"{line.name} pays {{}}"
            if isinstance(line.pays, Odds):
                yield line.id, line.pays, OptionWords(words, self.clause)
            elif line.pays.percent == 100:
                yield (
                    "meter_seed",
                    self.meter_seed,
                    OptionWords(
                        line.words or f"{line.name} wins the meter, which starts at {{}}", self.clause
                    ),
                )
                percent = OptionWords("{} % of every wager goes into the meter", self.clause)
                yield "meter_increment_percent", self.meter_increment_percent, percent
            else:
                yield line.id, line.pays.words, OptionWords(words, self.clause)
        for one in self.larger_wagers:
            pays = ", ".join(f"{name.replace('_', ' ')} {odds.words}" for name, odds in one.pays.items())
            words = f"from a wager of {one.least} on: {pays}"
            yield "larger_wagers", self.larger_wagers, OptionWords(words, self.clause)
        for name, cents in self.envy.items():
            words = f"every other player with this wager gets {{}} when {name.replace('_', ' ')} is won"
            yield f"envy.{name}", cents, OptionWords(words, self.clause)

    @property
    def stake(self) -> Literal["limits", "at_most_primary", "fixed"]:
        """What may be staked: as the house limits it, at most another wager, or one amount."""
        if self.fixed_stake is not None:
            return "fixed"
        return "at_most_primary" if self.at_most == LIMITED_BY_PRIMARY else "limits"

    @property
    def fixed_stake_cents(self) -> int:
        return int(self.fixed_stake or 0)

    @property
    def on_dealers_hand(self) -> bool:
        """Whether it looks at the dealer's hand as it ends."""
        return "dealer_hand" in self.looks_at

    @property
    def on_players_hand(self) -> bool:
        """Whether it looks at the player's hand as it ends: the first one, where it is split (SIDE-9)."""
        return "player_hand" in self.looks_at

    @property
    def on_first_cards(self) -> bool:
        """Whether it looks at cards that are dealt to every spot and to the dealer, and at no others."""
        return not (self.on_dealers_hand or self.on_players_hand or self.on_third_card)

    @property
    def on_third_card(self) -> bool:
        """Whether it looks at the player's third card, dealt for it if the play brings none (SIDE-8)."""
        return "player_3" in self.looks_at

    @property
    def waits_for_hole_card(self) -> bool:
        """Whether it looks at more of the dealer's cards than the up card."""
        return bool({"dealer_hole", "dealer_draw"}.intersection(self.roles))

    @property
    def roles(self) -> tuple[Role, ...]:
        """The cards that it looks at, in the order of the deal."""
        return roles_of(self.looks_at)

    @cached_property
    def paid_lines(self) -> tuple[Line, ...]:
        """What a wager may win, each by cards of its own: the lines, or their sums where they add."""
        return added_up(self.looks_at, self.lines) if self.every_match_adds else self.lines

    @cached_property
    def line_ids(self) -> tuple[str, ...]:
        """The lines that are paid, best first."""
        return tuple(line.id for line in self.paid_lines)

    @cached_property
    def progressive_line(self) -> str | None:
        """The line that wins the whole meter (SIDE-4)."""
        return next((line.id for line in self.lines if line.pays == MeterShare(100)), None)

    @property
    def any_order(self) -> bool:
        """The order of the cards does not matter; counting is then faster."""
        return not any(line.when.cares_for_places for line in self.lines)

    @property
    def any_suits(self) -> bool:
        """Exchanging suits does not matter: it names no suit and no colour. Counting is then faster."""
        return not any(line.when.names_suits for line in self.lines)

    @cached_property
    def _by_id(self) -> dict[str, Line]:
        return {line.id: line for line in self.paid_lines}

    def pays(self, line: str, stake_cents: int | None = None) -> Odds | MeterShare:
        """What a line pays on a stake of that size, or on the smallest."""
        for one in reversed(self.larger_wagers):
            if stake_cents is not None and stake_cents >= one.least and line in one.pays:
                return one.pays[line]
        return self._by_id[line].pays

    def pays_words(self, line: str) -> str:
        """What a line pays, by the size of the wager where that matters: `10 to 1; 15 to 1 from $25.00 on`.

        With what the others get, if anything.
        """
        larger = [
            f"{one.pays[line].words} from {one.least} on" for one in self.larger_wagers if line in one.pays
        ]
        envy = [f"{self.envy[line]} to every other player with it"] if line in self.envy else []
        return "; ".join([self._by_id[line].pays.words, *larger, *envy])

    def odds(self, line: str) -> Odds:
        """What a line that pays odds pays."""
        odds = self.pays(line)
        assert isinstance(odds, Odds)
        return odds

    @cached_property
    def machine(self) -> Machine:
        """The trackers of all its lines."""
        return machine_of(self.looks_at, tuple(line.when for line in self.paid_lines))

    def lines_ask_the_same(self, other: SideBet) -> bool:
        """Whether both look at the same cards with the same patterns, whatever they pay."""
        one, two = (
            (bet.looks_at, bet.every_match_adds, [line.when for line in bet.lines]) for bet in (self, other)
        )
        return one == two

    def line_of(self, cards: Iterable[tuple[Role, Card]]) -> str | None:
        """The line that cards make, each with where it lies, or None when the wager loses."""
        machine, roles = self.machine, self.roles
        place = machine.line(machine.state_of((role, card) for role, card in cards if role in roles))
        return None if place is None else self.line_ids[place]

    def decided(
        self, cards: Iterable[tuple[Role, Card]], missing: tuple[Role, ...]
    ) -> tuple[str | None] | None:
        """The line in brackets, if it is the same whatever cards come to the missing places."""
        state = self.machine.state_of((role, card) for role, card in cards if role in self.roles)
        line = self.machine.decided(state, missing)
        return line and (None if line[0] is None else self.line_ids[line[0]],)

    def line(self, *cards: Card) -> str | None:
        """The line that cards make, one for each place it looks at; the cards of a whole hand come last."""
        return self.line_of(self.placed(cards))

    def placed(self, cards: Sequence[Card]) -> list[tuple[Role, Card]]:
        """Cards with where they lie, one for each place it looks at; the cards of a whole hand come last."""
        places: list[Any] = [place for place in self.looks_at if place not in _HANDS]
        hands = [place for place in self.looks_at if place in _HANDS]
        if len(hands) > 1:
            raise MalformedInput("a bet on two whole hands is asked with where each card lies")
        for hand in hands:
            *first, drawn = roles_of((hand,))
            places += [*first, *[drawn] * (len(cards) - len(places) - len(first))]
        return list(zip(places, cards, strict=True))
