"""How you are asked what to do: by single keys on a terminal, else by lines of the input."""

from __future__ import annotations

import sys
from typing import Final

from cardroom.cli.keys import drop_typed_ahead
from cardroom.core.errors import MalformedInput
from cardroom.engine.twentyone import PlayerAction, parse_action
from cardroom.presentation import key_of, meaning_of

LEAVE: Final = "leave"
ADVICE: Final = "advice"
SAY: Final = "say"
_BESIDE: Final = (ADVICE, SAY, LEAVE)
"""What can be asked for in every turn."""


def menu(options: tuple[PlayerAction, ...], width: int = 80) -> str:
    """The options with their keys, in lines of at most `width`; all of them take 79 columns."""
    lines: list[str] = []
    for item in [f"{key_of(option)} {option}" for option in (*options, *_BESIDE)]:
        if lines and len(f"{lines[-1]} · {item}") <= width:
            lines[-1] += f" · {item}"
        else:
            lines.append(item)
    return "\n".join(lines)


def understood(text: str, options: tuple[PlayerAction, ...]) -> str:
    """What was typed, as words for the dealer: a key stands for its option, words stand for themselves.

    What is not clear is asked again, with what can be said now (PROC-15).
    """
    word = " ".join(text.split())
    for option in options:
        if word.lower() in (key_of(option), str(option)):
            return str(option)
    if word.lower() in ("q", "quit", "exit", LEAVE):
        return LEAVE
    if word.lower() in (key_of(ADVICE), ADVICE):
        return ADVICE
    meaning = meaning_of(word) if len(word) == 1 else word
    if meaning == "keys":
        raise MalformedInput(f"the keys: {' · '.join(menu(options).splitlines())}")
    if meaning == "insure":
        meaning = "insure 1"
    try:
        return str(parse_action(meaning or ""))  # not offered now: the dealer names the clause
    except MalformedInput:
        allowed = ", ".join(f"{option} ({key_of(option)})" for option in options)
        raise MalformedInput(f"{word!r} is not clear; you may {allowed}", clause="PROC-15") from None


def read_line(prompt: str = "") -> str | None:
    """The next line of the input, asked for where somebody is there to answer; None at its end."""
    if sys.stdin.isatty():
        drop_typed_ahead()
        sys.stdout.write(prompt)
        sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        return None
    if "\x00" in line:
        raise MalformedInput("the input is not text")
    return line.strip()
