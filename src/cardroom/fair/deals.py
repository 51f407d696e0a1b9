"""The cards of a shoe or a draw, from its secret, the player's salt, and what the secret is bound to.

Nothing else goes in: no stakes, no players, no history, no time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cardroom.core.cards import Card
from cardroom.core.decks import DECKS, CardCounts, DeckKind
from cardroom.core.errors import MalformedInput
from cardroom.core.ids import GameId
from cardroom.fair.encoding import encode
from cardroom.fair.keystream import Keystream, derive_key
from cardroom.fair.seeds import Seed
from cardroom.fair.selftest import require_self_test

_CARDS_LABEL: Final = "cardroom/cards/1"
_INFINITE: Final[dict[str, DeckKind]] = {
    "infinite standard": "standard",
    "infinite spanish": "spanish",
}
LARGEST_DEAL: Final = 1_000_000
"""The most cards of a shoe or a draw; a record that asks for more is not believed."""


@dataclass(frozen=True, slots=True)
class Binding:
    """What a secret is for: the same secret gives other cards in another game, shoe, deck or rule book."""

    game: GameId
    rules_hash: str
    shoe_id: str
    deck: str  # the text of CardCounts, or "infinite standard"

    def fields(self) -> tuple[str, ...]:
        return (self.game, self.rules_hash, self.shoe_id, self.deck)


@dataclass(frozen=True, slots=True)
class Deal:
    """Cards in dealing order, and how many words of the keystream they took."""

    cards: tuple[Card, ...]
    words_used: int
    words_rejected: int


def deck_of(kind: DeckKind, decks: int) -> str:
    """The text of a shoe of so many decks, as it stands in a binding."""
    return str(CardCounts.of_decks(kind, decks))


def infinite_deck(kind: DeckKind) -> str:
    """The text of an infinite deck: every card is drawn from a whole deck."""
    return f"infinite {kind}"


def keystream_of(seed: Seed, binding: Binding, *, salt: bytes = b"") -> Keystream:
    """The keystream that belongs to a seed, its binding and the player's salt."""
    require_self_test()
    return Keystream(derive_key(seed.secret, salt=salt, info=encode(_CARDS_LABEL, *binding.fields())))


def deal(seed: Seed, binding: Binding, *, salt: bytes = b"", count: int | None = None) -> Deal:
    """The cards of a shoe, all of them or the first `count`; an infinite deck needs `count`."""
    stream = keystream_of(seed, binding, salt=salt)
    kind = _INFINITE.get(binding.deck)
    if kind is None:
        cards = shuffled(_cards_of(binding.deck), stream)[:count]
    elif count is None or not 0 <= count <= LARGEST_DEAL:
        raise MalformedInput(f"an infinite deck deals a given number of cards, 0 to {LARGEST_DEAL}")
    else:
        deck = DECKS[kind]
        cards = tuple(deck[stream.below(len(deck))] for _ in range(count))
    return Deal(cards, stream.words_used, stream.words_rejected)


def _cards_of(deck: str) -> tuple[Card, ...]:
    """The cards of a deck in order of index; its text must be the one that `CardCounts` writes."""
    try:
        counts = CardCounts.parse(deck)
    except ValueError:  # digits that are no number, or too many of them
        counts = None
    if counts is None or str(counts) != deck:
        raise MalformedInput(
            f"{deck[:40]!r} is not the text of a deck, such as Ac:1,2c:1 in order of the cards"
        )
    if not 1 <= counts.total <= LARGEST_DEAL:
        raise MalformedInput(f"a shoe holds 1 to {LARGEST_DEAL} cards, not {counts.total}")
    return counts.cards()


def shuffled(cards: Sequence[Card], stream: Keystream) -> tuple[Card, ...]:
    """A uniform permutation (Fisher–Yates from the front): place i takes one of the cards not yet placed."""
    order = list(cards)
    for place in range(len(order) - 1):
        chosen = place + stream.below(len(order) - place)
        order[place], order[chosen] = order[chosen], order[place]
    return tuple(order)


def reshuffled_discards(
    seed: Seed, binding: Binding, discards: Iterable[Card], *, salt: bytes = b""
) -> tuple[Card, ...]:
    """The discards of a shoe that ran out, shuffled by the shoe's own committed secret (21-1.13)."""
    deck = str(CardCounts.of_cards(discards))
    return deal(seed, replace(binding, shoe_id=f"{binding.shoe_id}/discards", deck=deck), salt=salt).cards
