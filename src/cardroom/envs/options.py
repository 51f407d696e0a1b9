"""What can be set of an environment of the blackjack family, checked, and the spaces that follow from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final, Literal, get_args

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.core.refusal import Refusal
from cardroom.engine import twentyone
from cardroom.engine.twentyone import SpotWager
from cardroom.games import BLACKJACK
from cardroom.model.twentyone.automaton import NUMBER_OF, Automaton, compile_hands
from cardroom.rules import HouseRules, load_rules_as
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.sim.twentyone.dealing import shoe_cards
from cardroom.sim.twentyone.lanes import (
    FIELDS,
    VALUES,
    Lanes,
)
from cardroom.sim.twentyone.step_tables import Bet, StepTables, step_tables

ShoeKind = Literal["fresh", "house"]
EpisodeKind = Literal["round", "shoe"]
IllegalKind = Literal["raise", "end", "penalty"]
Observation = dict[str, Any]

PLAYER: Final = "player"
ACTION_WORDS: Final[tuple[str, ...]] = (*map(str, NUMBER_OF), "insure", "even money")
"""The words for each action, by its number. To stand is also to take no insurance."""
STREAMS: Final = np.uint64(0x63617264726F6F6D)
"""The key of the streams of environments: seed `s` plays stream `s` of it."""
_SEEDS: Final = 1 << 62
_MOST_CARDS: Final = law.BLACKJACK_TOTAL + 1
"""Twenty-one aces, and one more that busts them."""
_MOST_TOTAL: Final = law.BLACKJACK_TOTAL + 10
_MOST_BETS: Final = 256


def stream_number(seed: int) -> int:
    """The stream that a seed plays."""
    return seed % _SEEDS


@dataclass(frozen=True, eq=False)
class Options:
    """The options of an environment, single or vector, and the tables made from them."""

    rules: TwentyOneRules
    spots: int
    shoe: ShoeKind
    episode: EpisodeKind
    illegal: IllegalKind
    illegal_reward: float
    wager_cents: int
    bets: tuple[Bet, ...]
    asks_bet: bool
    automaton: Automaton
    tables: StepTables
    cards: NDArray[np.uint8]
    """The cards of a full shoe by their index."""

    @classmethod
    def of(
        cls,
        rules: HouseRules | str | Path = BLACKJACK.id,
        *,
        spots: int = 1,
        shoe: ShoeKind = "fresh",
        episode: EpisodeKind = "round",
        wager_cents: int | None = None,
        bet_spread: Sequence[int] = (),
        side_bets: Sequence[str] = (),
        side_cents: int | None = None,
        illegal: IllegalKind = "raise",
        illegal_reward: float = -1.0,
    ) -> Options:
        """Check the options; what cannot be is refused in one line."""
        if not isinstance(rules, HouseRules):
            rules = load_rules_as(TwentyOneRules, rules)
        if not isinstance(rules, TwentyOneRules):
            raise MalformedInput(f"{rules.game} is not a game of the blackjack family")
        for what, kind, kinds in (
            ("shoe", shoe, ShoeKind),
            ("episode", episode, EpisodeKind),
            ("answer to an illegal action", illegal, IllegalKind),
        ):
            if kind not in get_args(kinds):
                raise MalformedInput(f"there is no {what} {kind!r}; it is {' or '.join(get_args(kinds))}")
        if episode == "shoe" and (shoe != "house" or rules.decks == "infinite"):
            raise MalformedInput('an episode is a shoe only with shoe="house" and a number of decks')
        cents = int(rules.limits.min) if wager_cents is None else wager_cents
        bets = _bets(rules, spots, cents, bet_spread, side_bets, side_cents)
        asks_bet = bool(bet_spread or side_bets)
        return cls(
            rules=rules,
            spots=spots,
            shoe=shoe,
            episode=episode,
            illegal=illegal,
            illegal_reward=illegal_reward,
            wager_cents=cents,
            bets=bets,
            asks_bet=asks_bet,
            automaton=compile_hands(rules),
            tables=step_tables(
                rules,
                bets,
                one_wager_cents=cents,
                spots=spots,
                house_shoe=shoe == "house",
                asks_bet=asks_bet,
                whole_shoe=episode == "shoe",
            ),
            cards=shoe_cards(rules),
        )

    @property
    def action_words(self) -> tuple[str, ...]:
        """The words for each action, the bets at the end among them."""
        if not self.asks_bet:
            return ACTION_WORDS
        return (*ACTION_WORDS, *(self._bet_words(bet) for bet in self.bets))

    def _bet_words(self, bet: Bet) -> str:
        words = f"bet {bet.wager_cents // self.wager_cents}"
        return f"{words} with {' and '.join(name for name, _ in bet.sides)}" if bet.sides else words

    def lanes(self, count: int, *, logged: bool) -> Lanes:
        return Lanes.of(self.tables, self.cards, count, logged=logged)

    def wagers(self, bet: int) -> list[SpotWager]:
        """The wagers of a bet as the engine takes them."""
        return _wagers(self.bets[bet], self.spots)

    @property
    def observation_space(self) -> spaces.Dict:
        rules, most_hands = self.rules, self.rules.split.max_hands
        if rules.decks == "infinite":
            most_seen = np.full(VALUES, (self.spots * most_hands + 1) * _MOST_CARDS, np.int16)
        else:
            by_rank = rules.shoe().by_rank()
            most_seen = np.array([*by_rank[: VALUES - 1], sum(by_rank[VALUES - 1 :])], np.int16)
        sizes = {
            "bet": len(self.bets),
            "cards": _MOST_CARDS + 1,
            "doubles": rules.double.max_doubles + 1,
            "from_split": 2,
            "hand": most_hands,
            "hands": most_hands + 1,
            "new_shoe": 2,
            "pair": VALUES + 1,
            "soft": 2,
            "spot": self.spots,
            "state": len(self.automaton.hands),
            "total": _MOST_TOTAL + 1,
            "up": VALUES + 1,
        }
        return spaces.Dict(
            {
                "action_mask": spaces.MultiBinary(len(self.action_words)),
                "seen": spaces.Box(np.zeros(VALUES, np.int16), most_seen, dtype=np.int16),
                **{name: spaces.Discrete(sizes[name]) for name in FIELDS},
            }
        )


def _wagers(bet: Bet, spots: int) -> list[SpotWager]:
    return [SpotWager(spot + 1, PLAYER, bet.wager_cents, dict(bet.sides)) for spot in range(spots)]


def _bets(
    rules: TwentyOneRules,
    spots: int,
    wager_cents: int,
    bet_spread: Sequence[int],
    side_bets: Sequence[str],
    side_cents: int | None,
) -> tuple[Bet, ...]:
    """Every bet that the house allows: each multiple of the wager with each set of side bets."""
    unknown = [name for name in side_bets if not rules.offers(name)]
    if unknown:
        offered = ", ".join(rules.offered_side_bets) or "none"
        raise MalformedInput(f"side bet {unknown[0]!r} is not on offer here; on offer: {offered}")
    if any(multiple < 1 for multiple in bet_spread):
        raise MalformedInput("a bet spread is a list of multiples of the wager, each 1 or more")
    multiples = sorted(set(bet_spread)) or [1]
    names = list(dict.fromkeys(side_bets))
    if len(multiples) << len(names) > _MOST_BETS:
        raise MalformedInput(f"there are more than {_MOST_BETS} different bets; name fewer side bets")
    stakes = {
        name: rules.side_bets[name].fixed_stake_cents
        or (int(rules.limits.side_min) if side_cents is None else side_cents)
        for name in names
    }
    bets: list[Bet] = []
    first_refusal: Refusal | None = None
    for multiple in multiples:
        for count in range(len(names) + 1):
            for chosen in combinations(names, count):
                bet = Bet(multiple * wager_cents, tuple((name, stakes[name]) for name in chosen))
                refusal = twentyone.why_not_start(rules, _wagers(bet, spots))
                if refusal is None:
                    bets.append(bet)
                elif not chosen:
                    raise refusal.error()
                first_refusal = first_refusal or refusal
    for name in names:
        if first_refusal is not None and not any(name in dict(bet.sides) for bet in bets):
            raise first_refusal.error()
    return tuple(bets)
