"""House rules to read: sentences by subject, each with its clause. Options and their values come after."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Final

from cardroom.presentation.wagers import wager_title
from cardroom.rules import HouseRules
from cardroom.rules.twentyone import TwentyOneRules

_TITLES: Final = {
    "": "The game",
    "split": "Splitting",
    "double": "Doubling",
    "bonus_21": "Bonus 21s",
    "super_bonus": "Super Bonus",
    "pays": "What the wagers pay",
    "procedure": "The table and its shoe",
}
_SIDE_BETS: Final = "side_bets."
_LEADS: Final = {
    "decks": "the game is dealt from ",
    "deck": "these are ",
    "surrender": "there is ",
}
"""What makes a sentence of an option's words where they are none."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the house rules, and the clause behind it."""

    words: str
    clause: str


@dataclass(frozen=True, slots=True)
class Subject:
    """What the house rules say of one subject."""

    title: str
    sentences: tuple[Sentence, ...]


def group_title(group: str, rules: HouseRules | None = None) -> str:
    """The title of a group of options: a side bet has its own.

    >>> group_title("split"), group_title("side_bets.match-up"), group_title("prizes.game_2")
    ('Splitting', 'Match Up', 'Prizes: game 2')
    """
    if group.startswith(_SIDE_BETS):
        return wager_title(group.removeprefix(_SIDE_BETS), rules)
    words = group.replace("_", " ").replace("-", " ").replace(".", ": ")
    return _TITLES.get(group) or words[:1].upper() + words[1:]


def subjects(rules: HouseRules) -> tuple[Subject, ...]:
    """The rules in force, subject by subject. What is not on offer is said once, without its pays.

    >>> from cardroom.rules import load_rules
    >>> first, pays, *_ = subjects(load_rules("knockout-52"))
    >>> first.sentences[0].words, pays.title
    ('The game is dealt from 1 deck of 52 cards shuffled together.', 'What the wagers pay')
    """
    spoken: list[tuple[str, list[tuple[str, Sentence]]]] = []
    for group, members in groupby(rules.sentences(), key=lambda entry: entry[0].rpartition(".")[0]):
        about = f"{group.removeprefix(_SIDE_BETS)}: " if group.startswith(_SIDE_BETS) else ""
        sentences = [
            (key, Sentence(_sentence(key, words.removeprefix(about)), clause))
            for key, words, clause in members
        ]
        earlier = next((said for title, said in spoken if title == group), None)
        if earlier is None:
            spoken.append((group, sentences))
        else:
            earlier.extend(sentences)
    flat = rules.flat()
    return tuple(
        Subject(
            group_title(group, rules), _worth_saying(rules, group, sentences, flat.get(f"{group}.offered"))
        )
        for group, sentences in spoken
    )


def _sentence(key: str, words: str) -> str:
    lead = _LEADS.get(key) or ("there is " if words.startswith("no ") and " is " not in words else "")
    if key.startswith(_SIDE_BETS) and key.endswith(".offered"):
        lead = "the bet is "
    whole = f"{lead}{words}"
    return f"{whole[:1].upper()}{whole[1:]}."


def _worth_saying(
    rules: HouseRules, group: str, sentences: list[tuple[str, Sentence]], offered: object
) -> tuple[Sentence, ...]:
    if offered is False:
        return tuple(sentence for key, sentence in sentences if key == f"{group}.offered")
    if group == "bonus_21" and isinstance(rules, TwentyOneRules) and not rules.bonus_21.rates:
        return (Sentence("No bonus is paid for a 21 of any kind.", sentences[0][1].clause),)
    return tuple(sentence for _, sentence in sentences)
