"""Every page of the house that stands by itself: from the registry, the shelf and the known variants."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from cardroom.games import GAMES
from cardroom.rules import load_rules
from cardroom.rules.bets import shelf_names
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.variants import variant_names
from cardroom.web.addresses import how_address, how_links, lab_address

_ALONE: Final = [
    "/",
    "/knockout-21",
    "/knockout-21/wall",
    "/knockout-21/conditions",
    "/lab/bet",
    "/fairness",
    "/you",
    "/operations",
    "/no-such-page",
]
"""Pages of which there is one."""
_GAMES: Final = list(GAMES.values())[::-1]
"""The one whose pages are unlike the others' comes first, then the largest of the family."""


def _tables() -> list[str]:
    """The tables of the house: those of the blackjack family share an address."""
    return [
        f"{'/tables' if issubclass(type(load_rules(game.id)), TwentyOneRules) else game.address}/{table}"
        for game in _GAMES
        for table in game.open_tables
    ]


def _bets_of_the_shelf() -> list[str]:
    """How each bet of the shelf works, at a table of Blackjack that it is put on."""
    offered = {bet for game in _GAMES for bet in game.follow("howto").bets(load_rules(game.id))}
    return [
        f"{how_address('blackjack', name)}?{urlencode({'set': f'side_bets.{name}.offered=true'})}"
        for name in shelf_names()
        if name not in offered
    ]


_LABS: Final = [f"/lab?game={game.id}" for game in _GAMES]
_VARIANTS: Final = [lab_address(load_rules(name)) for name in variant_names()]
_PROTECTION: Final = [f"/lab/protection?game={game.id}" for game in _GAMES]
ALIKE: Final = {
    "layouts": (99, [path for path in _tables() if not path.startswith("/tables/")]),
    "felts": (99, [path for path in _tables() if path.startswith("/tables/")]),
    "lab": (99, [*_LABS, *_VARIANTS]),
    "protection": (99, _PROTECTION),
    "rules": (4, [f"/rules/{game.id}" for game in _GAMES]),
    "how": (8, [address for game in _GAMES for _, address in how_links(load_rules(game.id))]),
}
"""Pages that are alike: `make test` tries one in so many of them, from the first on."""
PAGES: Final = [*_ALONE, *(path for step, paths in ALIKE.values() for path in paths[::step])]
"""What `make test` tries."""
OTHERS: Final = [
    *(path for _, paths in ALIKE.values() for path in paths if path not in PAGES),
    *_bets_of_the_shelf(),
]
"""What `make thorough` tries as well."""
TAKE_A_MINUTE: Final = {*_VARIANTS, *_PROTECTION[1:]}
"""Pages whose figures are solved for a minute and more: they are looked at before those come."""
