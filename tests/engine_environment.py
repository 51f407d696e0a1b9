"""The environment of the blackjack family by the engine alone: the readable twin of the compiled one.

It draws its cards by a plain reading of the same streams: a card is swapped to the next place from a place
not yet dealt. It shares no table and no kernel with what it is held against, save the number of a state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardroom.core.cards import CARDS, Card
from cardroom.core.decks import CardCounts
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
)
from cardroom.envs.options import ACTION_WORDS, PLAYER, STREAMS, Options, stream_number
from cardroom.model.twentyone.automaton import ACTIONS, NUMBER_OF
from cardroom.rules.twentyone import law
from cardroom.rules.twentyone.cuts import dealer_cut_range
from cardroom.rules.twentyone.law import Action
from cardroom.sim.twentyone.stream import stream_states

INSURE, EVEN_MONEY = len(NUMBER_OF), len(NUMBER_OF) + 1
STAND = NUMBER_OF[Action.STAND]
WORD = 1 << 32


def _rotated(word: int, bits: int) -> int:
    return (word << bits | word >> (32 - bits)) % WORD


class Stream:
    """xoshiro128++ in plain numbers."""

    def __init__(self, seed: int) -> None:
        self.state = [int(word) for word in stream_states(STREAMS, stream_number(seed), 1)[0]]

    def place(self, places: int) -> int:
        a, b, c, d = self.state
        word = (_rotated((a + d) % WORD, 7) + a) % WORD
        shifted = b << 9 & (WORD - 1)
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        self.state = [a, b, c ^ shifted, _rotated(d, 11)]
        return word * places >> 32


class EngineEnvironment:
    """Steps as `TwentyOneEnv` does, by the engine."""

    def __init__(self, rules: Any, **options: Any) -> None:
        self.options = Options.of(rules, **options)
        self.rules = self.options.rules
        self.infinite = self.rules.decks == "infinite"
        self.house = self.options.shoe == "house" and not self.infinite
        self.behind = dealer_cut_range(self.rules).middle if self.house else 0
        self.game: Round | None = None
        self.asked = False

    def reset(self, seed: int | None = None) -> tuple[dict[str, Any], list[int]]:
        if seed is not None:
            self.stream = Stream(seed)
            self.shoe: list[Card] = [CARDS[index] for index in self.options.cards]
            self.game = None
            self.seen_before = np.zeros(10, int)
            self.new_shoe(fresh=True)
        elif self.options.episode == "shoe":
            self.new_shoe(fresh=True)
        else:
            self.new_shoe(fresh=False)
        return self.begin()

    def new_shoe(self, *, fresh: bool) -> None:
        """A new shoe where one is due; the shuffled cards stay where they lie."""
        self.is_new = fresh or not self.house or self.shoe_is_over()
        if self.is_new:
            self.dealt, self.end = 0, len(self.shoe)
            self.seen_before = np.zeros(10, int)
            if self.house:
                for _ in range(self.rules.procedure.burn_cards):
                    self.draw()
        else:
            self.seen_before = self.seen()
        self.began_at, self.ran_out = self.dealt, False

    def shoe_is_over(self) -> bool:
        return self.ran_out or not self.house or self.dealt > len(self.shoe) - self.behind

    def begin(self) -> tuple[dict[str, Any], list[int]]:
        self.place, self.bet, self.asked, self.over = (0, 0), 0, self.options.asks_bet, False
        self.shown = False
        self.game = None
        if not self.asked:
            self.start()
            self.shown = self.round.phase is Phase.OVER
        return self.observation(), self.mask()

    @property
    def round(self) -> Round:
        assert self.game is not None
        return self.game

    def start(self) -> None:
        in_shoe = CardCounts.of_cards(self.shoe[self.began_at :]) if self.house else self.rules.shoe()
        discards = CardCounts.of_cards(self.shoe[: self.began_at]) if self.house else None
        wagers = self.options.wagers(self.bet)
        self.game, events = twentyone.start(self.rules, wagers, in_shoe, discards=discards)
        self.events: list[Event] = list(events)
        self.deal()

    def deal(self) -> None:
        while isinstance(twentyone.awaits(self.round), CardAwaited):
            self.game, events = twentyone.step(self.round, self.draw())
            self.events += events
        if self.round.options:
            self.place = (self.round.turn, self.round.hand)

    def draw(self) -> Card:
        if self.infinite:
            return self.shoe[self.stream.place(len(self.shoe))]
        if self.dealt >= self.end:  # the discards are shuffled and dealt from (21-1.13)
            self.dealt, self.end, self.ran_out = 0, self.began_at, True
        there = self.dealt + self.stream.place(self.end - self.dealt)
        self.shoe[self.dealt], self.shoe[there] = self.shoe[there], self.shoe[self.dealt]
        self.dealt += 1
        return self.shoe[self.dealt - 1]

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, list[int]]:
        if self.asked:
            self.asked, self.bet = False, action - len(ACTION_WORDS)
            self.start()
        elif self.shown:
            assert action == STAND
        else:
            self.game, events = twentyone.step(self.round, self.player_action(action))
            self.events += events
            self.deal()
        if self.round.phase is not Phase.OVER:
            return self.observation(), 0.0, False, self.mask()
        net = twentyone.balance(self.events).players[PLAYER] / self.options.wager_cents
        if self.options.episode == "shoe" and not self.shoe_is_over():
            self.new_shoe(fresh=False)
            observation, mask = self.begin()
            return observation, net, False, mask
        self.over = True
        return self.observation(), net, True, self.mask()

    def player_action(self, action: int) -> PlayerAction:
        if action == INSURE:
            return Insure(law.most_insurance_cents(self.rules, self.round.spots[0].stake_cents))
        if action == EVEN_MONEY:
            return EvenMoney()
        if action == STAND and self.round.phase is Phase.INSURANCE:
            return DeclineInsurance()
        return ACTIONS[action]

    def mask(self) -> list[int]:
        words = self.options.action_words
        mask = [0] * len(words)
        if self.asked:
            mask[len(ACTION_WORDS) :] = [1] * len(self.options.bets)
        elif not self.over and self.shown:
            mask[STAND] = 1
        elif not self.over:
            for option in self.round.options:
                match option:
                    case Insure():
                        mask[INSURE] = 1
                    case DeclineInsurance():
                        mask[STAND] = 1
                    case EvenMoney():
                        mask[EVEN_MONEY] = 1
                    case Action():
                        mask[NUMBER_OF[option]] = 1
        return mask

    def seen(self) -> Any:
        if self.game is None:
            return self.seen_before
        cards = [card for spot in self.game.spots for hand in spot.hands for card in hand.cards]
        cards += self.game.dealer[: self.game.turned]
        in_round = np.bincount([card.value - 1 for card in cards], minlength=10)
        return in_round if self.ran_out else self.seen_before + in_round

    def observation(self) -> dict[str, Any]:
        place, number = self.place
        hands = (Hand((), 0),) if self.game is None else self.game.spots[place].hands
        hand = hands[number]
        total, soft = law.total_of(hand.cards)
        state = self.options.automaton.state_of(hand.cards, from_split=hand.from_split, doubles=hand.doubles)
        if len(hands) >= self.rules.split.max_hands:
            state = int(self.options.automaton.unpaired[state])
        is_pair = len(hand.cards) == 2 and law.is_pair(self.rules, hand.cards[0].rank, hand.cards[1].rank)
        up = None if self.game is None else self.game.up
        return {
            "bet": self.bet,
            "cards": len(hand.cards),
            "doubles": hand.doubles,
            "from_split": int(hand.from_split),
            "hand": number,
            "hands": len(hands),
            "new_shoe": int(self.is_new) if not self.infinite else 0,
            "pair": hand.cards[0].value if is_pair else 0,
            "seen": self.seen().tolist(),
            "soft": int(soft),
            "spot": place,
            "state": state,
            "total": total,
            "up": up.value if up is not None else 0,
        }
