"""The side bets of a rules file: read, completed from the shelf or from each other, put in order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import GetJsonSchemaHandler, PlainValidator, SerializeAsAny, TypeAdapter, ValidationError
from pydantic_core import CoreSchema

from cardroom.rules.bets.bet import SideBet, WagerName
from cardroom.rules.bets.shelf import completed, shelf_bet, shelf_names, with_words
from cardroom.rules.explain import Misplaced, explained, nearest


def _read_side_bets(value: object) -> dict[str, SideBet]:
    """Every side bet, in an order of their own: by name, but a bet comes after the one it needs."""
    if not isinstance(value, Mapping):
        raise ValueError("side_bets is a group with a side bet for each name")
    bets = {wager: _read_side_bet(wager, value) for wager in sorted(map(str, value))}
    ordered: dict[str, SideBet] = {}

    def put(wager: str, path: tuple[str, ...]) -> None:
        if wager in path:
            circle = " → ".join((*path[path.index(wager) :], wager))
            words = f"side bets need each other in a circle: {circle}"
            raise Misplaced(f"side_bets.{wager}.needs: {words}", (wager, "needs"), words)
        if wager not in ordered and wager in bets:
            if needs := bets[wager].needs:
                put(needs, (*path, wager))
            ordered[wager] = bets[wager]

    for wager, bet in bets.items():
        if bet.at_most == wager:
            words = limited_by_itself(wager)
            raise Misplaced(f"side_bets.{wager}.at_most: {words}", (wager, "at_most"), words)
        put(wager, ())
    return ordered


def limited_by_itself(wager: str) -> str:
    """What is wrong with a bet whose stake may not be above its own."""
    return f'a stake is not limited by itself: {wager} → {wager}; write "primary" or another side bet'


def _read_side_bet(wager: str, bets: Mapping[str, object]) -> SideBet:
    tree = side_bet_tree(wager, bets)
    try:
        return SideBet.model_validate(tree)
    except ValidationError as errors:
        words = explained(errors, SideBet, "", more_options=line_names(wager, tree))
        raise ValueError(f"side bet {wager}: {words}") from None


def side_bet_tree(wager: str, bets: Mapping[str, object]) -> object:
    """A bet with lines of its own, or like another: one beside it, or one of the shelf."""
    tree = bets[wager]
    if isinstance(tree, SideBet):
        return tree
    try:
        TypeAdapter(WagerName).validate_python(wager)
    except ValidationError:
        words = "a name is of small letters, digits, + and -, at most 40"
        raise Misplaced(f"side bet {wager[:40]!r}: {words}", (wager,), words) from None
    if isinstance(tree, Mapping) and "lines" not in tree:
        like = tree.get("like", wager)
        beside = bets.get(str(like)) if like != wager else None
        if isinstance(beside, Mapping) and "lines" in beside:
            tree = {**{key: beside[key] for key in _SHARED if key in beside}, **tree}
            del tree["like"]
        elif like not in shelf_names():
            _refuse_misspelt_lines(wager, tree)
            raise Misplaced(
                f"unknown side bet {like!r}{nearest(str(like), shelf_names())}; a bet that is not on "
                f"the shelf (see cardroom bets) has lines of its own: side_bets.{wager}.lines",
                (wager, "like") if "like" in tree else (wager,),
            )
    return with_words(wager, completed(wager, tree)) if isinstance(tree, Mapping) else tree


def _refuse_misspelt_lines(wager: str, tree: Mapping[str, object]) -> None:
    """Name the key that was meant for the lines, where a bet has none and says of no bet that it is like it.

    Where its name is close to one of the shelf, the name is what is wrong, unless a key looks like "lines".
    """
    known = ["like", *SideBet.model_fields]
    unknown = [key for key in map(str, tree) if key not in known]
    meant = [key for key in unknown if nearest(key, ["lines", "like"])]
    named = meant or ([] if nearest(wager, shelf_names()) else unknown)
    if named and "like" not in tree:
        words = f"unknown option {named[0]!r}{nearest(named[0], known)}; known here: {', '.join(known)}"
        raise Misplaced(f"side bet {wager}: {words}", (wager, named[0]), words)


def line_names(wager: str, tree: object) -> list[str]:
    """The ids of a bet's lines: their pays are options of it, too."""
    lines: object = tree.get("lines", ()) if isinstance(tree, Mapping) else ()
    if not isinstance(tree, Mapping) and wager in shelf_names():
        lines = shelf_bet(wager).definition["lines"]
    named = [line for line in lines if isinstance(line, Mapping)] if isinstance(lines, list | tuple) else []
    return [str(line["name"]).replace(" ", "_") for line in named if "name" in line]


_SHARED: Final = ("lines", "looks_at", "clause", "note")
"""What a bet has from another beside it that it is like, where it does not say otherwise."""


def says_the_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one.get(key) == other.get(key) for key in _SHARED if key != "looks_at")


def apart_from(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """What a bet says otherwise than the one that it is like."""
    return {key: part for key, part in other.items() if key not in _SHARED or one.get(key) != part}


class _SchemaOfBets:
    """Side bets in the JSON Schema: what they refer to stands among the definitions of the whole."""

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": handler(SideBet.__pydantic_core_schema__)}


SideBets = Annotated[dict[str, SerializeAsAny[SideBet]], PlainValidator(_read_side_bets), _SchemaOfBets()]
