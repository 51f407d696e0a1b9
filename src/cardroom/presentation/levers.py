"""How the lab speaks of house options that it moves, and of cards that are tapped."""

from __future__ import annotations

from collections.abc import Iterable

from cardroom.core.cards import Rank, Suit
from cardroom.core.decks import CardCounts
from cardroom.games import Lever
from cardroom.presentation.changes import option_words
from cardroom.presentation.house_rules import group_title
from cardroom.rules import HouseRules, load_rules


def options_words(rules: HouseRules, keys: Iterable[str]) -> list[str]:
    """What the house rules say of some options; one that speaks of "its" subject is told with that.

    >>> rules = load_rules("blackjack", {"split.hit_aces": True, "decks": 2})
    >>> options_words(rules, ["split.hit_aces", "decks"])
    ['split aces may be hit', '2 decks']
    >>> options_words(rules, ["side_bets.perfect-pairs.offered"])
    ['side_bets.perfect-pairs.offered = none']
    """
    said = {key: words for key, words, _ in rules.sentences()}
    values = rules.flat()
    return [
        _whole(key, said[key]) if key in said else f"{key} = {option_words(values.get(key))}" for key in keys
    ]


def _whole(key: str, words: str) -> str:
    return f"{group_title(key.rpartition('.')[0])}: {words}" if words.startswith("its ") else words


def tried_words(game: str, lever: Lever) -> list[str]:
    """Each value of an option as the house rules say it.

    >>> tried_words("blackjack", Lever("surrender", ("none", "late"), "player"))
    ['no surrender', 'surrender of half the wager, after the look']
    """
    return [
        words
        for value in lever.values
        for words in options_words(load_rules(game, {lever.option: value}), [lever.option])
    ]


def lever_words(lever: Lever) -> str:
    """Whom an option favours, in a sentence.

    >>> lever_words(Lever("decks", (1, 2, 8), "house"))
    'from 1 to 8 favours the house'
    >>> lever_words(Lever("split.resplit_aces", (False, True), "player"))
    'from no to yes favours the player'
    """
    return f"from {_value(lever.values[0])} to {_value(lever.values[-1])} favours the {lever.favours}"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def ranks_to_tap(shoe: CardCounts) -> list[str]:
    """The ranks of a shoe as they are tapped: T is any ten-valued card, also where no ten is in the shoe.

    >>> ranks_to_tap(CardCounts.of_decks("spanish", 1))
    ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K']
    """
    return [rank.letter for rank in Rank if shoe.of_rank(rank) or rank is Rank.TEN]


def suits_to_tap() -> list[dict[str, str]]:
    """The suits as they are tapped after a rank.

    >>> suits_to_tap()[-1]
    {'letter': 's', 'sign': '♠', 'name': 'spades'}
    """
    return [{"letter": suit.letter, "sign": suit.symbol, "name": suit.name.lower()} for suit in Suit]
