"""Blackjack, Spanish 21 and Player's Edge 21 as an environment: one player against the dealer."""

from __future__ import annotations

from typing import Any, Final

import gymnasium
import numpy as np

from cardroom.core.cards import CARDS
from cardroom.core.decks import CardCounts
from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.core.refusal import Refusal
from cardroom.engine import twentyone
from cardroom.engine.twentyone import (
    CardAwaited,
    DeclineInsurance,
    EvenMoney,
    Insure,
    Phase,
    PlayerAction,
    Round,
    Turn,
)
from cardroom.engine.twentyone.actions import ChangeWager, Request
from cardroom.envs.legal import LegalActions, Mask
from cardroom.envs.options import PLAYER, STREAMS, Observation, Options, stream_number
from cardroom.games import BLACKJACK
from cardroom.model.twentyone.automaton import ACTIONS, Automaton
from cardroom.presentation.money import dollars
from cardroom.presentation.totals import total_words
from cardroom.rules.twentyone import law
from cardroom.sim.twentyone.lanes import (
    BET,
    BET_PHASE,
    COSTS,
    ENDS,
    EVEN_MONEY,
    FIELDS,
    FIRST_BET,
    INSURE,
    LOGGED,
    PHASE,
    STAND,
    START,
    Lanes,
    Shown,
)
from cardroom.sim.twentyone.steps import begin_lanes, step_lanes

_FIRST: Final = np.uint64(0)
_LAST: Final = np.uint64(1)


class TwentyOneEnv(gymnasium.Env[Observation, np.int64]):
    """One player on one or more spots against the dealer; see `docs/envs.md` for every option and field.

    It steps by the tables of the simulation, the vector environment with a single lane.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 as Gymnasium declares it
    action_space: LegalActions

    def __init__(self, rules: Any = BLACKJACK.id, *, render_mode: str | None = None, **options: Any) -> None:
        self.options: Final = Options.of(rules, **options)
        self.rules: Final = self.options.rules
        self.wager_cents: Final = self.options.wager_cents
        self.render_mode = render_mode
        self.automaton: Final[Automaton] = self.options.automaton
        """Numbers the states that observations name; a strategy of `exact` is a table over them."""
        self.action_words: Final = self.options.action_words
        self.action_space = LegalActions(
            len(self.action_words), first=FIRST_BET if self.options.asks_bet else STAND
        )
        self.observation_space = self.options.observation_space
        self._lanes: Lanes = self.options.lanes(1, logged=True)
        self._shown = Shown.of(1, len(self.action_words))
        self._action = np.zeros(1, np.int64)
        self._which = np.ones(1, np.bool_)
        self._begun = False
        self._seeded = False
        self._actions: list[int] = []
        self._replayed: Round | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal the next round up to its first decision; a seed also begins a new shoe.

        A round that is over with the deal (a blackjack) is shown as it lies, and `stand` ends it.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._seed(stream_number(seed))
        elif not self._seeded:
            self._seed(int(self.np_random.integers(1 << 62)))
        begin_lanes(_FIRST, _LAST, self._which, self.options.tables, self._lanes, self._shown)
        self._begun = True
        self._actions.clear()
        self._replayed = None
        return self._observation()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Do what the player decides, and deal up to the next decision or the end of the round."""
        if not self.action_space.contains(action):
            words = ", ".join(f"{number} {word}" for number, word in enumerate(self.action_words))
            raise MalformedInput(f"{action!r} is not an action; the actions are {words}")
        number = int(action)
        if not self._begun:
            raise Conflict("no round has begun; call reset first")
        shown, options = self._shown, self.options
        if options.illegal == "raise" and not shown.mask[0, number]:
            raise self._refusal(number)
        self._action[0] = number
        step_lanes(
            _FIRST,
            _LAST,
            self._action,
            COSTS if options.illegal == "penalty" else ENDS,
            options.illegal_reward,
            False,  # noqa: FBT003 compiled functions take no keyword-only arguments
            options.tables,
            self._lanes,
            shown,
        )
        reward, over = float(shown.rewards[0]), bool(shown.over[0])
        observation, info = self._observation()
        if shown.illegal[0]:
            info["illegal"] = True
            return observation, reward, over, False, info
        self._replayed = None
        self._actions.append(number)
        if shown.ended[0]:
            info["net_cents"] = int(shown.nets[0])
            if not over:  # the next round of the shoe has begun
                self._actions.clear()
        return observation, reward, over, False, info

    def action_masks(self) -> Mask:
        """What is allowed now, as learners with masks ask for it."""
        mask: Mask = self._shown.mask[0].copy()
        return mask

    def render(self) -> str | None:
        """The table as a player sees it, in lines of text."""
        return "\n".join(self._lines()) if self.render_mode == "ansi" else None

    @property
    def game(self) -> Round:
        """The round by the engine, hole card and all, from the cards dealt and the actions taken so far.

        For tests and records, not for players. It is played anew when it is asked for.
        """
        if not self._begun:
            raise Conflict("no round has begun; call reset first")
        if self._lanes.rows[0, PHASE] == BET_PHASE:
            raise Conflict("no round has begun; the bets come first")
        if self._replayed is None:
            self._replayed = self._by_the_engine()
        return self._replayed

    def _by_the_engine(self) -> Round:
        row, options = self._lanes.rows[0], self.options
        cards = iter(self._lanes.log[0, : row[LOGGED]])
        actions = (action for action in self._actions if action < FIRST_BET)
        if options.shoe == "fresh" or options.tables.infinite:
            in_shoe, discards = self.rules.shoe(), None
        else:
            shoe = [CARDS[index] for index in self._lanes.shoes]
            discards = CardCounts.of_cards(shoe[: row[START]])
            in_shoe = CardCounts.of_cards(shoe[row[START] :])
        game, _ = twentyone.start(self.rules, options.wagers(int(row[BET])), in_shoe, discards=discards)
        while game.phase is not Phase.OVER:
            if isinstance(twentyone.awaits(game), CardAwaited):
                game, _ = twentyone.step(game, CARDS[next(cards)])
                continue
            action = next(actions, None)
            if action is None:
                break
            game, _ = twentyone.step(game, self._player_action(game, action))
        return game

    def _seed(self, stream: int) -> None:
        """Begin a stream, and a shoe in its first order."""
        self._lanes.seed(0, stream, 1, self.options.cards, STREAMS)
        self._seeded = True

    def _observation(self) -> tuple[Observation, dict[str, Any]]:
        """What is seen now, and the mask once more where Gymnasium's learners look for it."""
        shown = self._shown
        mask = shown.mask[0].copy()
        self.action_space.legal = mask
        observation: Observation = dict(zip(FIELDS, shown.numbers[:, 0].tolist(), strict=True))
        observation["action_mask"] = mask.copy()
        observation["seen"] = shown.seen[0].copy()
        return observation, {"action_mask": mask.copy()}

    def _player_action(self, game: Round, action: int) -> PlayerAction:
        if action == INSURE:
            stake = game.spots[game.turn].stake_cents
            return Insure(law.most_insurance_cents(self.rules, stake))
        if action == EVEN_MONEY:
            return EvenMoney()
        if action == STAND and game.phase is Phase.INSURANCE:
            return DeclineInsurance()
        return ACTIONS[action]

    def _refusal(self, action: int) -> IllegalAction:
        """Why an action is not allowed now, with its clause."""
        if self._lanes.rows[0, PHASE] == BET_PHASE:
            return Refusal(f"the bets come first; {self.action_words[action]} is no bet", "PROC-9").error()
        request: Request = (
            ChangeWager("primary", self.wager_cents)
            if action >= FIRST_BET
            else self._player_action(self.game, action)
        )
        refusal = twentyone.why_not(self.game, request)
        assert refusal is not None, "the engine forbids what the mask forbids"
        return refusal.error()

    def _lines(self) -> list[str]:
        if self._lanes.rows[0, PHASE] == BET_PHASE:
            return [self.rules.title, f"{', '.join(self.action_words[FIRST_BET:])}?"]
        game = self.game
        open_cards = [card.pretty for card in game.dealer[: game.turned]]
        face_down = ["??"] * (len(game.dealer) - game.turned)
        lines = [self.rules.title, f"dealer: {' '.join([*open_cards, *face_down])}"]
        turn = twentyone.awaits(game)
        for spot in game.spots:
            for number, hand in enumerate(spot.hands):
                cards = " ".join(card.pretty for card in hand.cards)
                worth = total_words(hand.cards, from_split=hand.from_split)
                stake = dollars(hand.stake_cents)
                line = f"spot {spot.number} hand {number + 1}: {cards} ({worth}), {stake}, {hand.status}"
                if isinstance(turn, Turn) and (turn.seat, turn.hand) == (spot.number, number + 1):
                    line += f"; {', '.join(map(str, game.options))}?"
                lines.append(line)
        if game.phase is Phase.OVER:
            _, events = twentyone.replay(twentyone.RoundRecord.of(game))
            lines.append(f"net: {dollars(twentyone.balance(events).players[PLAYER])}")
        return lines
