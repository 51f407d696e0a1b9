"""`cardroom protect` answers one question at a time; an option that its answer would drop is refused."""

from __future__ import annotations

from typing import Final

import typer

from cardroom.core.errors import MalformedInput

QUESTIONS: Final = ("effects", "efficiency", "house", "indices", "known", "perfect", "ramp", "second_order")
_COUNTER: Final = (
    *("deviations", "insurance_from", "side", "enter", "leave", "spots", "others", "decks_known", "rounding"),
    *("running", "cover", "cut_cards", "maximum", "bankroll", "risk", "workers", "backend"),
    *("play_count", "insurance_count", "side_count", "further"),
)
GOES_WITH: Final = {
    **dict.fromkeys(_COUNTER, ("ramp",)),
    "curves": ("ramp",),
    "csv": ("ramp", "house"),
    "only": ("perfect", "second_order"),
    "watch": ("house",),
    "exposed": ("house",),
    "shoes": ("indices", "efficiency", "perfect", "house"),
    "seed": ("ramp", "indices", "efficiency", "perfect", "house"),
    "count": ("", "ramp", "indices", "efficiency"),
}
"""The questions that an option says something to; "" where none is asked. Others go with all."""


def require_used(context: typer.Context) -> None:
    """Refuse two questions at once, and options that the one asked has no use for."""
    options = [name for name in context.params if _is_given(context, name)]
    questions = [name for name in QUESTIONS if name in options]
    if "rounds" in options and "ramp" not in questions:  # a flat wager, played
        questions.append("ramp")
    flags = {str(parameter.name): parameter.opts[0] for parameter in context.command.params}
    if len(questions) > 1:
        names = " and ".join(flags[name] for name in questions)
        raise MalformedInput(f"{names} are questions of their own; ask one at a time")
    question = questions[0] if questions else ""
    for name in options:
        goes_with = GOES_WITH.get(name, (question,))
        if question not in goes_with:
            others = " or ".join(flags[one] for one in goes_with if one)
            raise MalformedInput(
                f"{flags[name]} goes with {others}, "
                + (f"not with {flags[question]}" if question else "not alone")
            )


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
