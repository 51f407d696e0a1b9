"""A strategy that is a function, compiled once to the table that solver and kernels read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from pathlib import Path
from typing import Final

import numpy as np

from cardroom.core.errors import MalformedInput, UnknownName, WrongKind
from cardroom.library.arguments import text_or_file
from cardroom.model.twentyone.automaton import NONE, NUMBER_OF, compile_hands
from cardroom.model.twentyone.chart_rows import described
from cardroom.model.twentyone.columns import UP_CARD, columns_of
from cardroom.model.twentyone.strategy import Chart, Strategy
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import Action

ACE_UP: Final = 11
_KNOWN: Final = {str(action): action for action in Action}


@dataclass(frozen=True, slots=True)
class PolicyHand:
    """What a function of a strategy is told of a hand: all that the game still makes depend on it."""

    total: int
    soft: bool
    cards: int
    """How many cards, up to the number from which on it no longer matters."""
    pair: bool
    """Whether it can be split while there is room for another hand."""
    pair_value: int
    """The value of the cards of a pair (1 for aces, 10 for tens), 0 where it is none."""
    doubles: int
    from_split: bool
    options: tuple[str, ...]
    """What may be done now: `stand`, `hit`, `double`, `split`, `surrender`, `rescue`."""

    def can(self, action: str) -> bool:
        """Whether an action is among the options."""
        return action in self.options


Choice = str | Sequence[str]
"""An action, or several by preference: the first that is allowed is taken."""
Policy = Callable[[PolicyHand, int], Choice]
"""`(hand, up card's value from 2 to 11, 11 for an ace) -> what to do`."""
StrategySource = str | Path | Strategy | Policy
"""`basic`, `composition`, a chart's file, a strategy, or a function of a hand and an up card."""


def strategy_of(source: StrategySource, rules: TwentyOneRules) -> str | Strategy:
    """What the solver takes: the name of a strategy that it finds itself, or a table."""
    table = getattr(source, "table", source)  # a chart holds one
    if isinstance(table, Strategy):
        return table
    if callable(source):
        return compiled(source, rules)
    if not isinstance(source, str | Path):
        raise WrongKind(
            "a strategy is basic, composition, a chart's file, a strategy or a function of a hand and an up "
            f"card, not {type(source).__name__}; a table of your own is one as `lambda hand, up: table[…]`"
        )
    text = str(source)
    if text in ("basic", "composition"):
        return text
    path = Path(text_or_file(source, "the strategy", "basic"))
    try:
        chart = Chart.parse(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnknownName(
            f"a strategy is basic, composition, a function or a chart's file; {text!r} cannot be read: "
            f"{error.strerror}"
        ) from None
    except UnicodeDecodeError:
        raise MalformedInput(f"the chart {text} is not UTF-8 text") from None
    return replace(chart, name=path.name).strategy(compile_hands(rules))


def compiled(policy: Policy, rules: TwentyOneRules) -> Strategy:
    """The table of a function; where nothing that it names is allowed, the hand stands."""
    if columns_of(rules) is not UP_CARD:
        raise MalformedInput(
            "a function of a hand and an up card is no strategy where both of the dealer's cards are seen; "
            "give a chart's file"
        )
    refuse_other_functions(policy)
    automaton = compile_hands(rules)
    action = np.full((len(automaton.hands), len(UP_CARD)), NONE, np.int8)
    for state, hand in enumerate(automaton.hands):
        options = automaton.options(state)
        if not options or hand.cards < 2:
            continue
        policy_hand = PolicyHand(
            total=hand.total,
            soft=hand.soft,
            cards=hand.cards,
            pair=Action.SPLIT in options,
            pair_value=hand.pair,
            doubles=hand.doubles,
            from_split=hand.from_split,
            options=tuple(map(str, options)),
        )
        for column in range(len(UP_CARD)):
            up = ACE_UP if column == 0 else column + 1
            words = f"{described(automaton, hand, state)} against {'A' if up == ACE_UP else up}"
            allowed = automaton.options(state, column)
            action[state, column] = NUMBER_OF[choice_of(policy(policy_hand, up), allowed, words)]
    return Strategy(getattr(policy, "__name__", "own").strip("<>"), automaton, action)


def refuse_other_functions(policy: Policy) -> None:
    """Refuse a function that cannot be asked with a hand and an up card."""
    try:
        signature(policy).bind("hand", "up")
    except ValueError:  # a builtin that does not say what it takes
        return
    except TypeError:
        name = getattr(policy, "__name__", repr(policy))
        raise WrongKind(
            f"a strategy is a function of a hand and an up card, such as `lambda hand, up: ...`; "
            f"{name} is not called with two"
        ) from None


def choice_of(choice: object, options: Sequence[Action], hand: str) -> Action:
    """The action that a function's answer stands for."""
    if isinstance(choice, np.ndarray):
        choice = choice.tolist()
    names = (choice,) if isinstance(choice, str) else choice
    if not isinstance(names, Sequence) or not names or any(str(name) not in _KNOWN for name in names):
        raise MalformedInput(
            f"the strategy says {choice!r} for {hand}; it must name one of {', '.join(_KNOWN)}, "
            "or several by preference"
        )
    return next((_KNOWN[str(name)] for name in names if _KNOWN[str(name)] in options), options[0])
