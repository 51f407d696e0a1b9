"""How the floor is told of the pace of play, of meters, and of the house's shuffle, pile by pile."""

from __future__ import annotations

from typing import Final

from cardroom.presentation.money import chips
from cardroom.presentation.numbers import counted, signed

_PHASES: Final = {
    "closed": "not opened",
    "shuffle": "the cards are shuffled",
    "cut": "wagers are open, a player may cut",
    "cut card": "the cut card is placed",
    "wagers": "wagers are open",
    "salts": "salts are revealed",
    "round": "a round is played",
}
"""What a table is doing, for each phase that it has."""


def phase_words(phase: str) -> str:
    """What a table is doing.

    >>> phase_words("cut")
    'wagers are open, a player may cut'
    """
    return _PHASES[phase]


def pace(rounds_per_hour: float | None) -> str:
    """Rounds per hour.

    >>> pace(41.7), pace(None)
    ('42 rounds an hour', 'no round in the last hour')
    """
    return (
        "no round in the last hour"
        if rounds_per_hour is None
        else f"{counted(round(rounds_per_hour), 'round')} an hour"
    )


def decision_time(seconds: float | None) -> str:
    """How long players take to decide, on average.

    >>> decision_time(4.25), decision_time(None)
    ('4.2 s', 'nobody has decided')
    """
    return "nobody has decided" if seconds is None else f"{signed(seconds, 1)} s"


def meter_words(title: str, put_in_cents: int, paid_cents: int) -> list[str]:
    """Why a meter stays as it is when the result of a round is put right (SIDE-4).

    >>> meter_words("Monster Match", 40, 0)
    ['This round put $0.40 into the meter of Monster Match; it stays there, whatever becomes of the round.']
    """
    words = []
    if put_in_cents:
        words.append(
            f"This round put {chips(put_in_cents)} into the meter of {title}; "
            "it stays there, whatever becomes of the round."
        )
    if paid_cents:
        words.append(
            f"This round won {chips(paid_cents)} from the meter of {title}, which went back to its seed. "
            "Wagers were made since on what it shows: a correction moves the house's money and not the meter."
        )
    return words


def before_shuffle(*, is_new_game: bool) -> str:
    """What is done with the cards before they are riffled (PROC-1, PROC-4)."""
    if is_new_game:
        return "The cards are washed face down and laid in four equal piles in a square."
    return "The undealt stub is plugged into the discards, and all go into four equal piles in a square."


def riffle_words(number: int, corners: tuple[int, int], hands: tuple[int, int]) -> str:
    """One riffle of the shuffle (PROC-5)."""
    first, second = (
        f"{counted(cards, 'card')} from corner {corner}" for corner, cards in zip(corners, hands, strict=True)
    )
    return f"Riffle {number}: {first} and {second}, onto the pile on the cut card in the middle."


def cut_words(cards_deep: int) -> str:
    """A player's cut (PROC-6)."""
    return f"A player cuts {counted(cards_deep, 'card')} from the back."


def cut_card_words(cards_deep: int, kept_pairs: int) -> str:
    """The dealer's cut (PROC-6), and how much of the old order is left."""
    return (
        f"The cut card goes in {counted(cards_deep, 'card')} from the back. {counted(kept_pairs, 'card')} "
        "still follow the one that they followed before; after a fair shuffle it is one, on average."
    )
