"""All that the library promises, as data: names, constructors, calls, fields, methods and what they inherit.

`python -m tests.library_names` writes it anew, after a change that is meant.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
import types
from functools import cached_property
from pathlib import Path
from typing import Final

import cardroom
import cardroom.envs

SNAPSHOT: Final = Path(__file__).with_name("unit") / "library_names.json"
SPECIAL: Final = ("__bool__", "__call__", "__contains__", "__getitem__", "__iter__", "__len__")
"""What a caller uses without naming it."""


def promised() -> dict[str, object]:
    """Everything by its name; names of the second module with the module before them."""
    return {
        **{name: described(getattr(cardroom, name)) for name in sorted(cardroom.__all__)},
        **{f"envs.{name}": described(getattr(cardroom.envs, name)) for name in sorted(cardroom.envs.__all__)},
    }


def described(thing: object) -> object:
    """A function's parameters, a class with all that can be done with it, or what kind of value it is."""
    if not inspect.isclass(thing):
        return str(inspect.signature(thing)) if callable(thing) else type(thing).__name__
    ours = [base for base in reversed(thing.__mro__) if base.__module__.startswith("cardroom.")]
    members = {name: one for base in ours for name, one in vars(base).items()}
    public = {name: one for name, one in members.items() if not name.startswith("_") or name in SPECIAL}
    return {
        "bases": [base.__name__ for base in thing.__mro__[1:-1]],
        "constructor": str(inspect.signature(thing).replace(return_annotation=inspect.Signature.empty)),
        "fields": {name: kind for base in ours for name, kind in sorted(_fields(base).items())},
        "members": {name: words for name, one in sorted(public.items()) if (words := _member(one))},
    }


def _member(one: object) -> str | None:
    if isinstance(one, types.FunctionType):
        return str(inspect.signature(one))
    return "property" if isinstance(one, property | cached_property) else None


def _fields(base: type) -> dict[str, str]:
    """Public fields: those that a class declares, and those that its constructor sets."""
    declared = {name: str(kind) for name, kind in vars(base).get("__annotations__", {}).items()}
    begin = vars(base).get("__init__")
    written = begin is not None and begin.__code__.co_filename == inspect.getfile(base)
    tree = ast.parse(textwrap.dedent(inspect.getsource(begin)) if begin is not None and written else "")
    put = {
        target.attr: "set by the constructor"
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Attribute)
    }
    return {name: kind for name, kind in {**put, **declared}.items() if not name.startswith("_")}


if __name__ == "__main__":
    SNAPSHOT.write_text(json.dumps(promised(), indent=1) + "\n", "utf-8")
