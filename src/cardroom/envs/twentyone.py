"""Blackjack, Spanish 21 and Player's Edge 21 as an environment: a round is an episode."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from cardroom.core.cards import Card
from cardroom.core.decks import CardCounts
from cardroom.core.errors import Conflict, MalformedInput
from cardroom.engine import twentyone
from cardroom.engine.twentyone import (
    CardAwaited,
    DeclineInsurance,
    EvenMoney,
    Event,
    Hand,
    Insure,
    Phase,
    PlayerAction,
    Round,
    SpotWager,
)
from cardroom.envs.legal import LegalActions, Mask
from cardroom.games import BLACKJACK
from cardroom.model.twentyone.automaton import ACTIONS, NUMBER_OF, compile_hands
from cardroom.presentation.money import dollars
from cardroom.presentation.totals import total_words
from cardroom.rules import HouseRules, load_rules_as
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.rules.twentyone.cuts import dealer_cut_range
from cardroom.rules.twentyone.law import Action

ShoeKind = Literal["fresh", "house"]
Observation = dict[str, Any]

INSURE: Final = len(NUMBER_OF)
"""The actions of the law come first, with the numbers that strategies have for them."""
EVEN_MONEY: Final = INSURE + 1
ACTION_WORDS: Final[tuple[str, ...]] = (*map(str, NUMBER_OF), "insure", "even money")
"""The words for each action, by its number. To stand is also to take no insurance: it is always allowed."""

_PLAYER: Final = "player"
_STAND: Final = NUMBER_OF[Action.STAND]
_MOST_CARDS: Final = law.BLACKJACK_TOTAL + 1
"""Twenty-one aces, and one more that busts them."""
_MOST_TOTAL: Final = law.BLACKJACK_TOTAL + 10
_VALUES: Final = 10


class TwentyOneEnv(gymnasium.Env[Observation, np.int64]):
    """One player on one or more spots against the dealer; see `docs/envs.md` for every field.

    An action that is not allowed raises `IllegalAction` with its clause, and nothing has moved.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 as Gymnasium declares it
    action_space: LegalActions

    def __init__(
        self,
        rules: HouseRules | str | Path = BLACKJACK.id,
        *,
        spots: int = 1,
        shoe: ShoeKind = "fresh",
        wager_cents: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if not isinstance(rules, HouseRules):
            rules = load_rules_as(TwentyOneRules, rules)
        if not isinstance(rules, TwentyOneRules):
            raise MalformedInput(f"{rules.game} is not a game of the blackjack family")
        if shoe not in ("fresh", "house"):
            raise MalformedInput(f"there is no shoe {shoe!r}; it is fresh or house")
        self.rules: Final = rules
        self.wager_cents: Final = int(rules.limits.min) if wager_cents is None else wager_cents
        self.render_mode = render_mode
        self._wagers = [SpotWager(spot + 1, _PLAYER, self.wager_cents) for spot in range(spots)]
        refusal = twentyone.why_not_start(rules, self._wagers)
        if refusal is not None:
            raise refusal.error()
        self._full = rules.shoe()
        self._deck = self._full.cards()
        # From infinitely many decks every round is as from a fresh shoe.
        house = shoe == "house" and rules.decks != "infinite"
        self._behind_cut = dealer_cut_range(rules).middle if house else None
        self.automaton: Final = compile_hands(rules)
        """Numbers the states that observations name; a strategy of `exact` is a table over them."""
        self.action_space = LegalActions(len(ACTION_WORDS))
        self.observation_space = _observation_space(rules, spots, len(self.automaton.hands))
        self._pile: list[Card] = []
        self._seen_before = np.zeros(_VALUES, np.int16)
        self._events: list[Event] = []
        self._place = (0, 0)
        self._game: Round | None = None

    @property
    def game(self) -> Round:
        """The state of the round, with the hole card in it: for tests and records, not for players."""
        if self._game is None:
            raise Conflict("no round has begun; call reset first")
        return self._game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal the next round up to its first decision; a seed also begins a new shoe.

        A round that is over with the deal (a blackjack) is shown as it lies, and `stand` ends it.
        """
        super().reset(seed=seed)
        self._prepare_shoe(new=seed is not None)
        in_shoe, discards = self._full, None
        if self._behind_cut is not None:
            in_shoe = CardCounts.of_cards(self._pile)
            discards = self._full.without(self._pile)
        self._game, events = twentyone.start(self.rules, self._wagers, in_shoe, discards=discards)
        self._events = list(events)
        self._place = (0, 0)
        self._deal()
        self._show(over_with_deal=self.game.phase is Phase.OVER)
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Do what the player decides, and deal up to the next decision or the end of the round."""
        if not self.action_space.contains(action):
            words = ", ".join(f"{number} {word}" for number, word in enumerate(ACTION_WORDS))
            raise MalformedInput(f"{action!r} is not an action; the actions are {words}")
        acknowledged = self.game.phase is Phase.OVER and bool(self.action_space.legal[action])
        if not acknowledged:
            self._game, events = twentyone.step(self.game, self._player_action(int(action)))
            self._events += events
            self._deal()
        over = self.game.phase is Phase.OVER
        self._show(over_with_deal=False)
        info = self._info()
        if over:
            info["net_cents"] = self._net_cents()
        return self._observation(), info.get("net_cents", 0) / self.wager_cents, over, False, info

    def render(self) -> str | None:
        """The table as a player sees it, in lines of text."""
        return "\n".join(self._lines()) if self.render_mode == "ansi" else None

    # The cards

    def _prepare_shoe(self, *, new: bool) -> None:
        """A new shoe for every round; or, as the house deals, after the round in which the cut card came out.

        The dealer's cut is the middle of its range (PROC-6), and a card is burned (PROC-7).
        """
        game, behind = self._game, self._behind_cut
        if not new and game is not None and behind is not None:
            ran_out = game.source is not game.opening.shoe
            if len(self._pile) >= behind and not ran_out:
                self._seen_before = self._seen()
                return
        self._seen_before = np.zeros(_VALUES, np.int16)
        self._pile = [] if self.rules.decks == "infinite" else self._shuffled(self._deck)
        if behind is not None:
            del self._pile[len(self._pile) - self.rules.procedure.burn_cards :]

    def _shuffled(self, cards: Sequence[Card]) -> list[Card]:
        return [cards[place] for place in self.np_random.permutation(len(cards)).tolist()]

    def _deal(self) -> None:
        """Deal every card that is awaited, up to a decision or the end."""
        while isinstance(twentyone.awaits(self.game), CardAwaited):
            self._game, events = twentyone.step(self.game, self._next_card())
            self._events += events
        if self.game.options:
            self._place = (self.game.turn, self.game.hand)

    def _next_card(self) -> Card:
        if self.rules.decks == "infinite":
            return self._deck[int(self.np_random.integers(len(self._deck)))]
        if not self._pile:  # the discards are shuffled and dealt from (21-1.13)
            self._pile = self._shuffled(self.game.undealt.cards())
        return self._pile.pop()

    def _seen(self) -> NDArray[np.int16]:
        """[value less 1]: cards seen since the last shuffle, those that lie open in this round among them."""
        game = self.game
        cards = [card for spot in game.spots for hand in spot.hands for card in hand.cards]
        cards += game.dealer[: game.turned]
        in_round = np.bincount([card.value - 1 for card in cards], minlength=_VALUES).astype(np.int16)
        return in_round if game.source is not game.opening.shoe else self._seen_before + in_round

    # What is decided, seen and paid

    def _player_action(self, action: int) -> PlayerAction:
        if action == INSURE:
            return Insure(law.most_insurance_cents(self.rules, self.wager_cents))
        if action == EVEN_MONEY:
            return EvenMoney()
        if action == _STAND and self.game.phase is Phase.INSURANCE:
            return DeclineInsurance()
        return ACTIONS[action]

    def _show(self, *, over_with_deal: bool) -> None:
        """Note what is allowed now."""
        legal = np.zeros(len(ACTION_WORDS), np.int8)
        if over_with_deal:
            legal[_STAND] = 1
        for option in self.game.options:
            legal[_number(option)] = 1
        self.action_space.legal = legal

    def _info(self) -> dict[str, Any]:
        mask: Mask = self.action_space.legal.copy()
        return {"action_mask": mask}

    def _net_cents(self) -> int:
        return twentyone.balance(self._events).players[_PLAYER]

    def _observation(self) -> Observation:
        place, number = self._place
        spot = self.game.spots[place]
        hand = spot.hands[number]
        total, soft = law.total_of(hand.cards)
        up = self.game.up
        return {
            "action_mask": self.action_space.legal.copy(),
            "cards": len(hand.cards),
            "doubles": hand.doubles,
            "from_split": int(hand.from_split),
            "hand": number,
            "hands": len(spot.hands),
            "pair": self._pair(hand),
            "seen": self._seen(),
            "soft": int(soft),
            "spot": place,
            "state": self._state(hand, hands=len(spot.hands)),
            "total": total,
            "up": up.value if up is not None else 0,
        }

    def _pair(self, hand: Hand) -> int:
        if len(hand.cards) != 2 or not law.is_pair(self.rules, hand.cards[0].rank, hand.cards[1].rank):
            return 0
        return hand.cards[0].value

    def _state(self, hand: Hand, *, hands: int) -> int:
        state = self.automaton.state_of(hand.cards, from_split=hand.from_split, doubles=hand.doubles)
        return int(self.automaton.unpaired[state]) if hands >= self.rules.split.max_hands else state

    def _lines(self) -> list[str]:
        game = self.game
        open_cards = [card.pretty for card in game.dealer[: game.turned]]
        face_down = ["??"] * (len(game.dealer) - game.turned)
        lines = [self.rules.title, f"dealer: {' '.join([*open_cards, *face_down])}"]
        for place, spot in enumerate(game.spots):
            for number, hand in enumerate(spot.hands):
                cards = " ".join(card.pretty for card in hand.cards)
                worth = total_words(hand.cards, from_split=hand.from_split)
                stake = dollars(hand.stake_cents)
                line = f"spot {spot.number} hand {number + 1}: {cards} ({worth}), {stake}, {hand.status}"
                if game.options and (place, number) == self._place:
                    line += f"; {', '.join(map(str, game.options))}?"
                lines.append(line)
        if game.phase is Phase.OVER:
            lines.append(f"net: {dollars(self._net_cents())}")
        return lines


def _number(option: PlayerAction) -> int:
    """The number of an option that the engine offers."""
    match option:
        case Insure():
            return INSURE
        case DeclineInsurance():
            return _STAND
        case EvenMoney():
            return EVEN_MONEY
        case Action():
            return NUMBER_OF[option]
    raise AssertionError(option)


def _observation_space(rules: TwentyOneRules, spots: int, states: int) -> spaces.Dict:
    most_hands = rules.split.max_hands
    if rules.decks == "infinite":
        most_seen = np.full(_VALUES, (spots * most_hands + 1) * _MOST_CARDS, np.int16)
    else:
        by_rank = rules.shoe().by_rank()
        most_seen = np.array([*by_rank[: _VALUES - 1], sum(by_rank[_VALUES - 1 :])], np.int16)
    return spaces.Dict(
        {
            "action_mask": spaces.MultiBinary(len(ACTION_WORDS)),
            "cards": spaces.Discrete(_MOST_CARDS + 1),
            "doubles": spaces.Discrete(rules.double.max_doubles + 1),
            "from_split": spaces.Discrete(2),
            "hand": spaces.Discrete(most_hands),
            "hands": spaces.Discrete(most_hands + 1),
            "pair": spaces.Discrete(_VALUES + 1),
            "seen": spaces.Box(np.zeros(_VALUES, np.int16), most_seen, dtype=np.int16),
            "soft": spaces.Discrete(2),
            "spot": spaces.Discrete(spots),
            "state": spaces.Discrete(states),
            "total": spaces.Discrete(_MOST_TOTAL + 1),
            "up": spaces.Discrete(_VALUES + 1),
        }
    )
