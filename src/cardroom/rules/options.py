"""How a house option is declared: its value, its meaning in the casino's words, its clause."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)
from pydantic.fields import FieldInfo

from cardroom.core.errors import CardroomError
from cardroom.core.money import format_cents, parse_cents
from cardroom.core.odds import Odds
from cardroom.games import GAMES

Words = str | tuple[str, str] | Mapping[Any, str]
"""A text with `{}` for the value and `{s}` where several have an s, a pair of texts (when true, when false;
for a list: of some, of none), or a text for each value."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What an option is about, where games share a schema and each has a clause of its own for it."""

    name: str

    def clause_in(self, game: str) -> str:
        """The clause in a game, which names it in its entry of the registry."""
        return GAMES[game].subject_clauses[self.name]

    def by_game(self) -> dict[str, str]:
        """The clause in every game that has one."""
        return {
            game.id: game.subject_clauses[self.name]
            for game in GAMES.values()
            if self.name in game.subject_clauses
        }


Clause = str | Subject
"""A clause id, or the subject whose clause each game names."""


class Absence:
    """What the rules were before an option existed: the value of rules that do not name it."""

    def __init__(self, value: Any) -> None:
        self.value = value


Idle = Callable[[Any], bool]
"""Of the house rules that an option stands in: whether it does nothing there, given the others."""


def option(
    words: Words,
    clause: Clause,
    *,
    absent: Any = ...,
    default: Any = ...,
    idle: Idle | None = None,
    **constraints: Any,
) -> Any:
    """Declare a house option; `constraints` are pydantic's (`ge`, `le`, …).

    `absent` is for an option that comes later than the schema it joins: what the rules were before it was
    there. Rules that do not name it have that value, and the canonical text leaves it out there, so that no
    hash of rules written before changes.

    `idle` says of rules whether the option does nothing there; sheets then leave it out.
    """
    if absent is not ...:
        default = absent
    described = (
        words
        if isinstance(words, str)
        else "; ".join(
            words if isinstance(words, tuple) else [f"{value}: {text}" for value, text in words.items()]
        )
    )
    info: FieldInfo = Field(
        default,
        description=described.replace("{}", "…").replace("{s}", "s"),
        json_schema_extra=partial(_put_clause, clause),
        **constraints,
    )
    info.metadata.append(OptionWords(words, clause, idle))
    if absent is not ...:
        info.metadata.append(Absence(absent))
    return info


def _put_clause(clause: Clause, schema: dict[str, Any]) -> None:
    """Say the clause in the JSON Schema of an option, as the games are when somebody asks for the schema."""
    schema["clause"] = clause if isinstance(clause, str) else clause.by_game()


class OptionWords:
    """The plain words and the clause of one option, found again through the model's field."""

    def __init__(self, words: Words, clause: Clause, idle: Idle | None = None) -> None:
        self.words = words
        self.clause = clause
        self.idle = idle

    def clause_for(self, game: str) -> str:
        """The clause in the game whose rules these are."""
        return self.clause if isinstance(self.clause, str) else self.clause.clause_in(game)

    def say(self, value: Any) -> str:
        """The option's value as a sentence of the house rules."""
        if isinstance(self.words, str):
            return self.words.replace("{}", _shown(value)).replace("{s}", "" if value == 1 else "s")
        if isinstance(self.words, tuple):
            return self.words[0].replace("{}", _shown(value)) if value else self.words[1]
        return self.words[value]


def words_of(field: FieldInfo) -> OptionWords | None:
    """The words and the clause of a schema's field, where it was declared by `option`."""
    return next((mark for mark in field.metadata if isinstance(mark, OptionWords)), None)


def _shown(value: Any) -> str:
    if isinstance(value, Odds):
        return value.words
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, float):
        return f"{value:g}"  # 3 decks, not 3.0
    return "no bonus" if value is None else str(value)


class Options(BaseModel):
    """A group of house options: frozen, and an unknown key is an error, not a shrug."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_default=True, ser_json_inf_nan="constants"
    )

    def __getstate__(self) -> dict[Any, Any]:
        """For another process: the options as they are; what was worked out from them is left behind."""
        state = super().__getstate__()
        own = type(self).model_fields
        kept = {name: value for name, value in state["__dict__"].items() if name in own}
        return {**state, "__dict__": kept}

    def canonical(self) -> dict[str, Any]:
        """The options as plain data, without those that are as if they did not exist."""
        plain = self.model_dump(mode="json")
        for name, field in type(self).model_fields.items():
            value = getattr(self, name)
            if isinstance(value, Options):
                plain[name] = value.canonical()
                if not plain[name] and not field.is_required():
                    del plain[name]
            elif isinstance(value, Mapping):
                plain[name] = {
                    key: inner.canonical() if isinstance(inner, Options) else plain[name][key]
                    for key, inner in value.items()
                }
        return self.without_absent(plain)

    def without_absent(self, plain: dict[str, Any]) -> dict[str, Any]:
        """Plain data of the options without those that are as if they did not exist."""
        for name, field in type(self).model_fields.items():
            value = getattr(self, name)
            if any(isinstance(mark, Absence) and mark.value == value for mark in field.metadata):
                del plain[name]
        return plain

    def option_tree(self) -> dict[str, Any]:
        """The options as plain data, group by group, under the keys by which they are changed."""
        plain = self.model_dump(mode="json")
        for name in type(self).model_fields:
            value = getattr(self, name)
            if isinstance(value, Options):
                plain[name] = value.option_tree()
            elif isinstance(value, Mapping):
                plain[name] = {
                    key: inner.option_tree() if isinstance(inner, Options) else plain[name][key]
                    for key, inner in value.items()
                }
        return plain

    def worded(self) -> Iterator[tuple[str, Any, OptionWords | None]]:
        """Every option in its order: its key, its value, and its words where it has some."""
        for name, field in type(self).model_fields.items():
            yield name, getattr(self, name), words_of(field)

    def chosen(self) -> Iterator[str]:
        """The later options that are not as if they did not exist, by their keys."""
        for name, field in type(self).model_fields.items():
            value = getattr(self, name)
            if isinstance(value, Options):
                yield from (f"{name}.{key}" for key in value.chosen())
            elif any(isinstance(mark, Absence) and mark.value != value for mark in field.metadata):
                yield name

    @field_validator("*", mode="before")
    @classmethod
    def _a_number_is_not_true(cls, value: object, info: ValidationInfo) -> object:
        # Python's True equals 1, so that `decks = true` would pass for one deck.
        annotation = cls.model_fields[info.field_name].annotation if info.field_name else None
        if isinstance(value, bool) and annotation is not bool:
            raise ValueError("true and false are for options that say yes or no")
        return value


def _in_one_line(title: str) -> str:
    if not title.isprintable():
        raise ValueError("a title is a few words on one line, without signs that do not show")
    return title


Title = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60), AfterValidator(_in_one_line)
]
"""What a game or a bet is called, wherever it is shown."""


class Cents(int):
    """An amount in cents that is written in dollars, so that a rules file reads `max = "500.00"`."""

    def __str__(self) -> str:
        return format_cents(int(self), symbol=True)


def _read_cents(value: object) -> Cents:
    if isinstance(value, Cents):
        return value
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError('an amount of money is written in dollars, such as "4.00"')
    try:
        cents = Cents(parse_cents(value))
    except CardroomError as error:
        raise ValueError(error.message) from None
    if cents <= 0:
        raise ValueError("the amount must be above zero")
    return cents


def _read_odds(value: object) -> Odds:
    if isinstance(value, Odds):
        return value
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError('odds are written like "3:2" or "1 to 2"')
    try:
        return Odds.parse(value)
    except CardroomError as error:
        raise ValueError(error.message) from None


Dollars = Annotated[
    Cents,
    PlainValidator(_read_cents),
    PlainSerializer(lambda cents: format_cents(int(cents)), return_type=str),
    WithJsonSchema({"type": "string", "pattern": r"^\d+(\.\d{1,2})?$", "examples": ["4.00"]}),
]
"""A positive amount: `"4.00"` in the file, 400 cents in the program."""

PayOdds = Annotated[
    Odds,
    PlainValidator(_read_odds),
    PlainSerializer(str, return_type=str),
    WithJsonSchema({"type": "string", "pattern": r"^\d+ ?(:|to) ?\d+$", "examples": ["3:2"]}),
]
"""Odds: `"3:2"` in the file."""

OptionalOdds = Annotated[
    Odds | None,
    PlainValidator(lambda value: None if value in (None, "none") else _read_odds(value)),
    PlainSerializer(lambda odds: "none" if odds is None else str(odds), return_type=str),
    WithJsonSchema({"type": "string", "pattern": r"^(none|\d+ ?(:|to) ?\d+)$", "examples": ["3:2", "none"]}),
]
"""Odds, or `"none"` where the house does not pay."""
