"""House options that a caller changes, by the names and in the kinds that rules files have."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from cardroom.core.errors import UnknownName
from cardroom.library.arguments import amount, is_number, options_of
from cardroom.rules import HouseRules
from cardroom.rules.options import Cents


def read_changes(
    rules: HouseRules, options: Mapping[str, object] | None, named: Mapping[str, object]
) -> dict[str, object]:
    """All that is changed, by the names of the rules files; amounts of money may be numbers: `100`, `2.5`."""
    changes = {**options_of(options), **_dotted(rules, options_of(named))}
    return {
        key: amount(value) if is_number(value) and _is_money(rules, key) else value
        for key, value in changes.items()
    }


def _is_money(rules: HouseRules, key: str) -> bool:
    """Whether an option is an amount of money."""
    value: object = rules
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else getattr(value, part, None)
    return isinstance(value, Cents)


def _dotted(rules: HouseRules, named: Mapping[str, object]) -> dict[str, object]:
    """Options named as Python names things, by the names that the rules files have for them."""
    known = {key.replace(".", "_").replace("-", "_"): key for key in rules.flat()}
    changes = {}
    for name, value in named.items():
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
            guess = f"; did you mean {close[0]!r}?" if close else ""
            raise UnknownName(f"{rules.title} has no option {name!r}{guess}")
        changes[known[name]] = value
    return changes
