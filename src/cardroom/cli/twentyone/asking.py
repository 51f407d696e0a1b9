"""How you are asked what to do: by single keys on a terminal, else by lines of the input."""

from __future__ import annotations

import sys
from typing import Final

from cardroom.core.errors import MalformedInput
from cardroom.engine.twentyone import Action, DeclineInsurance, EvenMoney, Insure, PlayerAction

LEAVE: Final = "leave"
ADVICE: Final = "advice"
SAY: Final = "say"

_KEYS: Final[dict[Action, str]] = {
    Action.STAND: "s",
    Action.HIT: "h",
    Action.DOUBLE: "d",
    Action.SPLIT: "p",
    Action.SURRENDER: "u",
    Action.RESCUE: "r",
}


def key_of(option: PlayerAction) -> str:
    """The key of an option."""
    match option:
        case Action():
            return _KEYS[option]
        case Insure():
            return "i"
        case EvenMoney():
            return "e"
        case _:
            return "n"


def menu(options: tuple[PlayerAction, ...]) -> str:
    """The options with their keys, on one line; with all of them it takes 79 columns."""
    offered = [f"{key_of(option)} {option}" for option in options]
    return " · ".join([*offered, "? advice", ": say", "q leave"])


def understood(text: str, options: tuple[PlayerAction, ...]) -> str:
    """What was typed, as words for the dealer: a key stands for its option, words stand for themselves."""
    word = text.strip()
    for option in options:
        if word.lower() == key_of(option):
            return str(option)
    if word.lower() in ("q", "quit", "exit"):
        return LEAVE
    if word == "?":
        return ADVICE
    for action, key in _KEYS.items():
        if word.lower() == key:
            return str(action)  # not offered now: the dealer names the clause
    if word.lower() == "i":
        return "insure 1"
    return word


def wind_up(options: tuple[PlayerAction, ...]) -> str:
    """What is done for a player who is gone: no insurance, stand."""
    return str(DeclineInsurance() if DeclineInsurance() in options else Action.STAND)


def read_line() -> str | None:
    """The next line of an input that is no terminal; None at its end."""
    line = sys.stdin.readline()
    if not line:
        return None
    if "\x00" in line:
        raise MalformedInput("the input is not text")
    return line.strip()
