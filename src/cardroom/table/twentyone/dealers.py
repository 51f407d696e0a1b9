"""Who knows the order of the cards: the fair dealer, and one who shuffles by hand for study."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final, Literal, Protocol

from cardroom.core.cards import Card
from cardroom.core.decks import DECKS
from cardroom.core.errors import Conflict, IllegalAction
from cardroom.fair import (
    Binding,
    Commitment,
    CommittedShoe,
    Seed,
    SeedBook,
    deck_of,
    fresh_seed,
    fresh_shoe_id,
    infinite_deck,
    repeatable_seed,
)
from cardroom.fair.deals import keystream_of, reshuffled_discards
from cardroom.fair.record import seed_by_origin
from cardroom.fair.sealing import open_seed, seal_seed
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.twentyone import procedure
from cardroom.table.twentyone.requests import Shuffle
from cardroom.table.twentyone.state import Shoe

INFINITE_DEAL: Final = 1_000
"""More cards than a round can take; a shoe of infinitely many is over after each round."""
_PLUG_SALT: Final = b"plug"


def deck_text(rules: TwentyOneRules) -> str:
    """What a table is dealt from, as it stands in a binding."""
    return infinite_deck(rules.deck) if rules.decks == "infinite" else deck_of(rules.deck, rules.decks)


class Dealer(Protocol):
    """The order of the cards, and nothing else: no stakes, no players, no history (R-13)."""

    @property
    def mode(self) -> Literal["fair", "procedure"]: ...

    def commit(self, rules: TwentyOneRules, number: int) -> Shuffle:
        """Choose a secret for the table's next shoe and commit to it."""

    def check(self, rules: TwentyOneRules, shoe: Shoe) -> None:
        """Refuse a shoe whose secret is not this dealer's to open."""

    def card(self, rules: TwentyOneRules, shoe: Shoe, place: int) -> Card:
        """The card at a place of the shoe, counted from 0; after the shoe those of the discards (21-1.13)."""

    def stub(self, rules: TwentyOneRules, shoe: Shoe) -> tuple[Card, ...]:
        """The cards that were not dealt, in their order."""

    def plugged(self, rules: TwentyOneRules, shoe: Shoe, stub: tuple[Card, ...]) -> tuple[Card, ...]:
        """All cards after the shoe, as they lie before the next shuffle (PROC-4)."""


class _SecretDealer(ABC):
    """Where a shoe's secret comes from and how it comes back after an interruption (R-15, R-44).

    `key` seals secrets into the log, so that a restarted house can open them; without one they live in
    memory. `repeatable` makes every shoe from a number instead: the same every time, so never for money.
    """

    def __init__(
        self, key: bytes | None = None, *, repeatable: int | None = None, book: SeedBook | None = None
    ) -> None:
        self._key = key
        self._repeatable = repeatable
        self._book = book
        self._in_memory: dict[str, Seed] = {}
        self._known: tuple[object, tuple[Card, ...]] = ((), ())

    def commit(self, rules: TwentyOneRules, number: int) -> Shuffle:
        """Choose a secret for the table's next shoe and commit to it."""
        if self._repeatable is None:
            shoe_id, seed = fresh_shoe_id(), fresh_seed(self._book)
        else:
            shoe_id = f"shoe-{number}"
            seed = repeatable_seed(self._repeatable, shoe_id)
        shoe = CommittedShoe.of(
            rules, shoe_id=shoe_id, deck=deck_text(rules), seed=seed, repeatable=self._repeatable
        )
        commitment, sealed = str(shoe.commitment), ""
        if self._key is not None:
            sealed = seal_seed(self._key, seed, shoe.commitment)
        elif self._repeatable is None:
            self._in_memory[commitment] = seed
        return Shuffle(shoe_id, shoe.binding.deck, commitment, sealed, shoe.origin)

    def check(self, rules: TwentyOneRules, shoe: Shoe) -> None:
        """Refuse a shoe whose secret is not this dealer's to open."""
        self._committed(rules, shoe)

    def _committed(self, rules: TwentyOneRules, shoe: Shoe) -> CommittedShoe:
        shown = shoe.committed
        commitment = Commitment.parse(shown.commitment)
        seed = seed_by_origin(shown.origin, shown.shoe_id)
        if seed is None and self._key is not None:
            seed = open_seed(self._key, shown.sealed_seed, commitment)
        elif seed is None:
            seed = self._in_memory.get(shown.commitment)
        binding = Binding(rules.game, rules.rules_hash, shown.shoe_id, shown.deck)
        if seed is None or not commitment.opens_to(seed, binding):
            raise Conflict(f"the secret of shoe {shown.shoe_id} is not known here; nothing is dealt from it")
        return CommittedShoe(rules, binding, seed, shown.origin)

    def card(self, rules: TwentyOneRules, shoe: Shoe, place: int) -> Card:
        """The card at a place of the shoe, counted from 0; after the shoe those of the discards (21-1.13)."""
        if shoe.cards is not None and place >= shoe.cards:
            return self._discards(rules, shoe)[place - shoe.cards]
        return self._remembered(rules, shoe)[place]

    def _remembered(self, rules: TwentyOneRules, shoe: Shoe) -> tuple[Card, ...]:
        of_what = (shoe.committed, shoe.salt, shoe.cut)
        if self._known[0] != of_what:
            self._known = (of_what, self._order(rules, shoe))
        return self._known[1]

    @abstractmethod
    def _order(self, rules: TwentyOneRules, shoe: Shoe) -> tuple[Card, ...]:
        """All cards of a shoe in their order."""

    def _discards(self, rules: TwentyOneRules, shoe: Shoe) -> tuple[Card, ...]:
        """The discards of earlier rounds, shuffled by the same committed secret (21-1.13)."""
        committed = self._committed(rules, shoe)
        discards = shoe.reshuffled or shoe.rack
        return reshuffled_discards(committed.seed, committed.binding, discards, salt=shoe.salt)

    def stub(self, rules: TwentyOneRules, shoe: Shoe) -> tuple[Card, ...]:
        """The cards that were not dealt, in their order."""
        if shoe.reshuffled and shoe.cards is not None:
            return self._discards(rules, shoe)[shoe.dealt - shoe.cards :]
        return self._remembered(rules, shoe)[shoe.dealt :]


class FairDealer(_SecretDealer):
    """Deals a uniform permutation of a committed secret: the default for anything that counts."""

    mode: Final = "fair"

    @property
    def takes_salts(self) -> bool:
        """Whether players may add salts; a shoe that a number repeats is the same every time."""
        return self._repeatable is None

    def _order(self, rules: TwentyOneRules, shoe: Shoe) -> tuple[Card, ...]:
        count = INFINITE_DEAL if shoe.cards is None else None
        return self._committed(rules, shoe).cards(salt=shoe.salt, count=count)

    def plugged(self, rules: TwentyOneRules, shoe: Shoe, stub: tuple[Card, ...]) -> tuple[Card, ...]:
        """All cards after the shoe; their order does not matter to the next one."""
        return (*shoe.rack, *stub)

    def committed(self, rules: TwentyOneRules, shoe: Shoe) -> CommittedShoe:
        """A shoe with its secret, for whoever keeps the secret until the shoe is over."""
        return self._committed(rules, shoe)

    def record(self, rules: TwentyOneRules, shoe: Shoe) -> str:
        """The record of a shoe that is over, its secret revealed, for `cardroom verify`."""
        cards = self._remembered(rules, shoe)
        shown = cards[: shoe.dealt] if shoe.cards is None else cards
        return self._committed(rules, shoe).record(
            cards=shown, rounds=shoe.rounds, salt=shoe.cut_words, salts=shoe.salts
        )


class ProcedureDealer(_SecretDealer):
    """Shuffles by hand as PROC-4 to PROC-6 say, by the model of `procedure`; for study, never for money."""

    mode: Final = "procedure"

    def commit(self, rules: TwentyOneRules, number: int) -> Shuffle:
        """Choose a secret, by which the hands move, and commit to it."""
        if rules.decks == "infinite":
            raise IllegalAction("infinitely many decks cannot be shuffled by hand", clause="PROC-5")
        return super().commit(rules, number)

    def _order(self, rules: TwentyOneRules, shoe: Shoe) -> tuple[Card, ...]:
        committed = self._committed(rules, shoe)
        below = keystream_of(committed.seed, committed.binding).below
        cards: Sequence[Card] = shoe.before
        if shoe.washed:
            cards = procedure.wash(cards, below)
        cards = procedure.shuffle_piles(cards, len(DECKS[rules.deck]), below)
        assert shoe.cut is not None
        return tuple(procedure.cut(cards, *shoe.cut))

    def plugged(self, rules: TwentyOneRules, shoe: Shoe, stub: tuple[Card, ...]) -> tuple[Card, ...]:
        """The stub in pieces among the discards (PROC-4)."""
        committed = self._committed(rules, shoe)
        below = keystream_of(committed.seed, committed.binding, salt=_PLUG_SALT).below
        return tuple(procedure.plug(stub, shoe.rack, below))
