"""How house rules differ from the game's own: a short line for each option, side bet and bonus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cardroom.rules import HouseRules
    from cardroom.rules.twentyone import TwentyOneRules

_SIDE_BETS: Final = "side_bets."
_BONUSES: Final = "bonus_21."
_SUPER_LINES: Final = "super_bonus.lines"
_INSURANCE_LINES: Final = "insurance.lines"


def change_lines(rules: HouseRules) -> list[str]:
    """Every change. A side bet or a bonus that the game does not have is one line with its pays.

    >>> from cardroom.rules import load_rules
    >>> change_lines(load_rules("blackjack", {"decks": 8, "side_bets.perfect-pairs.offered": True}))
    ['decks = 8 (default 6)', 'side bet Perfect Pairs, 25-12-6']
    """
    options, added = _changes(rules)
    lines = [
        f"{key} = {option_words(value)}" + ("" if default is None else f" (default {option_words(default)})")
        for key, (value, default) in options.items()
    ]
    return [*lines, *added]


def change_sentences(rules: HouseRules) -> list[str]:
    """The same for readers: each option that differs in the words of the house rules.

    >>> from cardroom.rules import load_rules
    >>> change_sentences(load_rules("blackjack", {"decks": 8, "side_bets.perfect-pairs.offered": True}))
    ['8 decks', 'side bet Perfect Pairs, 25-12-6']
    """
    options, added = _changes(rules)
    words = {key: sentence for key, sentence, _ in rules.sentences()}
    said = [words.get(key) or f"{key} = {option_words(value)}" for key, (value, _) in options.items()]
    return [*said, *added]


def _changes(rules: HouseRules) -> tuple[dict[str, tuple[Any, Any]], list[str]]:
    """The options that differ, with the game's own values, and a line for what the game has not."""
    from cardroom.rules import load_rules
    from cardroom.rules.twentyone import TwentyOneRules

    own = load_rules(rules.game)
    changed = rules.differences(own)
    added: dict[str, str] = {}
    """By the beginnings of their keys."""
    if isinstance(rules, TwentyOneRules):
        assert isinstance(own, TwentyOneRules)
        added = {**dict(_bets(rules, changed)), **dict(_bonuses(rules, own))}
        if rules.super_bonus.offered and _SUPER_LINES in changed:
            added[_SUPER_LINES] = f"Super Bonus for {rules.super_bonus.said}"
        if lines := rules.insurance.lines if _INSURANCE_LINES in changed else ():
            names = ", ".join(line.name for line in lines)
            added[_INSURANCE_LINES] = f"insurance {pays_words(line.pays for line in lines)} for {names}"
    options = {
        key: both
        for key, both in changed.items()
        if not any(key == start or (start[-1] == "." and key.startswith(start)) for start in added)
    }
    return options, [words for words in added.values() if words]


def option_words(value: Any) -> str:
    """An option's value as people read it: `true`, `3:2`, `4, 5`; nothing is `none`, a line is its name.

    >>> option_words(True), option_words(["4", "5"]), option_words(None), option_words([{"name": "6-6-6"}])
    ('true', '4, 5', 'none', '6-6-6')
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ", ".join(map(option_words, value)) or "none"
    return str(value["name"] if isinstance(value, dict) and "name" in value else value)


def pays_words(pays: Iterable[object]) -> str:
    """The pays of a table in short, as people name it.

    >>> pays_words(["25:1", "12:1", "3:2"])
    '25-12-3:2'
    """
    return "-".join("none" if each is None else str(each).removesuffix(":1") for each in pays)


def _bets(rules: TwentyOneRules, changed: dict[str, tuple[Any, Any]]) -> Iterator[tuple[str, str]]:
    """The side bets that are new here, or have other lines than the game's own of that name."""
    for wager, bet in rules.side_bets.items():
        start = f"{_SIDE_BETS}{wager}."
        if f"{start}lines" in changed:
            yield start, f"side bet {bet.title}, {pays_words(line.pays for line in bet.lines)}"


def _bonuses(rules: TwentyOneRules, own: TwentyOneRules) -> Iterator[tuple[str, str]]:
    """The lines of Bonus 21 that are the house's own."""
    known = {line.id for line in own.bonus_21.lines}
    for line in rules.bonus_21.lines:
        if line.id not in known:
            yield f"{_BONUSES}lines", ""
            yield f"{_BONUSES}{line.id}", f"bonus {line.name}, {pays_words([line.pays])}"
