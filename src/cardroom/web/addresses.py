"""Where a page finds another about the same rules: how it works, and the lab.

The address carries the options in which the rules differ from the house's own, as the lab's links do.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from urllib.parse import quote, urlencode

from cardroom.games import GAMES
from cardroom.presentation import wager_title
from cardroom.rules import HouseRules, load_rules


def how_address(game: str, bet: str | None = None, rules: HouseRules | None = None) -> str:
    """The page that shows how a game or one of its bets works.

    >>> how_address("blackjack"), how_address("blackjack", "21+3")
    ('/how/blackjack', '/how/blackjack/21%2B3')
    >>> how_address("blackjack", "insurance", load_rules("blackjack", {"decks": 8}))
    '/how/blackjack/insurance?set=decks%3D8'
    """
    path = f"/how/{game}" if bet is None else f"/how/{game}/{quote(bet, safe='')}"
    query = urlencode([("set", change) for change in changes_of(rules)] if rules is not None else [])
    return f"{path}?{query}" if query else path


def how_links(rules: HouseRules) -> list[tuple[str, str]]:
    """Title and address of the pages on a game and each of its bets, under these rules; none of some games.

    >>> [title for title, _ in how_links(load_rules("blackjack"))]
    ['Blackjack', '21+3', 'Match the Dealer', 'Insurance']
    """
    game = GAMES[rules.game]
    bets: tuple[str, ...] = game.follow("howto").bets(rules) if game.howto is not None else ()
    links = [(wager_title(bet, rules), how_address(game.id, bet, rules)) for bet in bets]
    return [(game.title, how_address(game.id, rules=rules)), *links] if links else []


def lab_address(rules: HouseRules) -> str:
    """The lab with these rules.

    >>> lab_address(load_rules("knockout-52", {"decks": 8}))
    '/lab?game=knockout-52&set=decks%3D8'
    """
    return f"/lab?{urlencode([('game', rules.game), *(('set', change) for change in changes_of(rules))])}"


def changes_of(rules: HouseRules) -> list[str]:
    """The options in which rules differ from the house's own, each as `option=value`.

    >>> changes_of(load_rules("blackjack", {"decks": 8, "dealer_hits_soft_17": False}))
    ['decks=8', 'dealer_hits_soft_17=false']
    """
    changed = rules.differences(load_rules(rules.game))
    return [f"{key}={_written(here)}" for key, (here, _) in changed.items()]


def _written(value: object) -> str:
    return value if isinstance(value, str) else _toml(value)


def _toml(value: object) -> str:
    """A value as a rules file has it, on one line."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {_toml(one)}' for key, one in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)
