"""A hand for a line of a side bet, looked for where a few familiar hands make none: by the bet's own machine.

Single cards are all looked through. A hand grows card by card as its player or the dealer may draw, and of
all hands that leave the machine in one state a few are kept, the shortest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from cardroom.core.cards import CARDS, Card
from cardroom.core.decks import CardCounts
from cardroom.rules.bets import Role, SideBet
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import BLACKJACK_TOTAL, dealer_draws, is_blackjack, is_charlie, total_of

_MOST_STEPS: Final = 400_000
"""Of the machine, each by one card: a second or two."""
_MOST_KEPT: Final = 3
"""So many hands are kept of those that the machine does not tell apart: one may want too many of a card."""
_MOST_LOOKED_AT: Final = 20_000
"""Among so many deals of single cards that make a line the plainest is looked for."""
_DEALERS: Final[tuple[Role, ...]] = ("dealer_up", "dealer_hole", "dealer_draw")
_PLAYERS: Final[tuple[Role, ...]] = ("player_1", "player_2", "player_draw")

Placed = tuple[tuple[Role, Card], ...]
"""Cards, each with where it lies."""


class _Hand(NamedTuple):
    state: int
    cards: Placed


_STIFF: Final = 17
_SOFT: Final = 19
"""Totals on which everybody stands; hands that were drawn to from higher ones are looked for last."""
_Kept = dict[tuple[object, ...], list[_Hand]]
"""By all that matters of a hand for what comes after."""


class _Enough(Exception):
    """Every line has its hand, or nobody should wait any longer."""


class Witnesses:
    """The search for one bet; `cards` come in the order in which they are tried."""

    def __init__(
        self, rules: TwentyOneRules, bet: SideBet, cards: Sequence[Card], is_plain: Callable[[Placed], bool]
    ) -> None:
        self.rules, self.bet, self.machine = rules, bet, bet.machine
        self.cards = cards
        self.shoe: CardCounts = rules.shoe()
        self.is_plain = is_plain
        self.looks_at_suits = any(line.when.looks_at_suits for line in bet.lines)
        self.steps = 0
        self.stiff = _STIFF
        """The player draws to a hard total below this one."""
        self.deals: dict[str, Placed] = {}

    def of_lines(self, lines: Iterable[str]) -> dict[str, Placed]:
        """A deal for each of these lines, as far as there is one."""
        wanted = list(lines)
        if not (self.bet.on_dealers_hand or self.bet.on_players_hand):
            return {line: deal for line in wanted if (deal := self._of_single_cards(line)) is not None}
        for stiff in (_STIFF, BLACKJACK_TOTAL) if self.bet.on_players_hand else (_STIFF,):
            self.stiff, self.steps = stiff, 0
            with suppress(_Enough):
                self._search(wanted)
        return self.deals

    def _of_single_cards(self, line: str) -> Placed | None:
        """Of all deals without needless twins the first that is plain, or the first where none is."""
        import numpy as np

        from cardroom.sim.twentyone.side_cards import lines_of_deals

        roles = self.machine.roles
        tried = np.array([card.index for card in self.cards])
        lines = lines_of_deals(self.machine)[np.ix_(*[tried] * len(roles))]
        deals = tried[np.argwhere(lines == 1 + self.bet.line_ids.index(line))]
        held = np.array([self.shoe[card] for card in CARDS])
        twins = np.zeros(len(deals), np.int64)
        for place in range(len(roles)):
            alike = (deals == deals[:, place : place + 1]).sum(axis=1)
            can_come = (self.rules.decks == "infinite") | (alike <= held[deals[:, place]])
            deals, twins = deals[can_come], (twins + alike)[can_come]
        deals = deals[twins == twins.min(initial=_MOST_LOOKED_AT)]
        first: Placed | None = None
        for deal in deals[:: 1 + len(deals) // _MOST_LOOKED_AT].tolist():
            placed = tuple(zip(roles, (CARDS[card] for card in deal), strict=True))
            if self.is_plain(placed):
                return placed
            first = first or placed
        return first

    def _search(self, wanted: list[str]) -> None:
        """The player's cards first, then the dealer's; the last of them decide."""
        hands = [_Hand(0, ())]
        singles = [role for role in self.machine.roles if role.startswith("player")]
        if self.bet.on_players_hand:
            hands = list(self._grown(hands, _PLAYERS, self._player_goes_on))
        else:
            hands = self._dealt(hands, singles)
        if not self.bet.on_dealers_hand:
            beside: list[Role] = [role for role in self.machine.roles if role in _DEALERS]
            for hand in self._dealt(hands, beside):
                self._keep(hand, wanted)
            return
        for hand in self._grown(hands, _DEALERS, self._dealer_goes_on):
            self._keep(hand, wanted)

    def _keep(self, hand: _Hand, wanted: list[str]) -> None:
        place = self.machine.line(hand.state)
        if place is None or (line := self.bet.line_ids[place]) in self.deals or line not in wanted:
            return
        if self._is_cut_short(hand.cards):
            return
        self.deals[line] = hand.cards
        if len(self.deals) == len(wanted):
            raise _Enough

    def _is_cut_short(self, cards: Placed) -> bool:
        """Whether the dealer's blackjack would have ended the player's hand before its third card."""
        own = [card for role, card in cards if role.startswith("player")]
        dealers = [card for role, card in cards if role in _DEALERS]
        return (
            len(own) > 2 and len(dealers) == 2 and is_blackjack(dealers) and self.rules.hole_card == "dealt"
        )

    def _dealt(self, hands: Iterable[_Hand], roles: Sequence[Role]) -> list[_Hand]:
        """Hands with one more card at each of these places."""
        now = list(hands)
        for role in roles:
            kept: _Kept = {}
            for hand in now:
                for then in self._after(hand, role):
                    own = sum(place in _PLAYERS for place, _ in then.cards)
                    _add(kept, (then.state, own > 2), then)
            now = [hand for several in kept.values() for hand in several]
        return now

    def _grown(
        self, hands: Iterable[_Hand], roles: tuple[Role, ...], goes_on: Callable[[Sequence[Card]], bool]
    ) -> Iterator[_Hand]:
        """Every hand that may be an end, the shortest first; each begins where another hand ended."""
        now = [(hand, len(hand.cards)) for hand in hands]
        met: _Kept = {}
        told_apart = 2 if self.rules.charlie == "none" else self.rules.charlie
        held = 0
        while now:
            role, then = roles[min(held, 2)], []
            for hand, before in now:
                for after in self._after(hand, role):
                    own = [card for _, card in after.cards[before:]]
                    total, soft = total_of(own)
                    many = before if roles is _DEALERS else 0
                    if _add(met, (after.state, total, soft, min(held, told_apart), many > 2), after):
                        then.append((after, before, own))
            held += 1
            if held >= 2:
                yield from (after for after, _, own in then if self._may_end(roles, own))
            now = [(after, before) for after, before, own in then if held < 2 or goes_on(own)]

    def _may_end(self, roles: tuple[Role, ...], own: Sequence[Card]) -> bool:
        return roles is _PLAYERS or not self._dealer_goes_on(own)

    def _dealer_goes_on(self, own: Sequence[Card]) -> bool:
        total, soft = total_of(own)
        return total <= BLACKJACK_TOTAL and dealer_draws(self.rules, total, soft=soft)

    def _player_goes_on(self, own: Sequence[Card]) -> bool:
        """Whether anybody would draw to a hand: a Charlie has been paid."""
        total, _ = total_of(own)
        return draws_to(own, self.stiff) and not is_charlie(self.rules, total, len(own), doubles=0)

    def _after(self, hand: _Hand, role: Role) -> Iterator[_Hand]:
        """The hand with each card that may come next."""
        for card in self._next_cards(hand):
            self.steps += 1
            if self.steps > _MOST_STEPS:
                raise _Enough
            yield _Hand(self.machine.after(hand.state, role, card), (*hand.cards, (role, card)))

    def _next_cards(self, hand: _Hand) -> Iterator[Card]:
        """All that the shoe still holds; one of each rank, in changing suits, where suits do not matter."""
        used = [card for _, card in hand.cards]
        infinite = self.rules.decks == "infinite"
        left = [card for card in self.cards if infinite or self.shoe[card] > used.count(card)]
        left.sort(key=used.count)  # no twins where others do
        if self.looks_at_suits:
            yield from left
            return
        ranks: dict[int, list[Card]] = {}
        for card in left:
            ranks.setdefault(card.rank, []).append(card)
        for several in ranks.values():
            fresh = [card for card in several if card not in used] or several
            yield fresh[len(used) % len(fresh)]


def draws_to(own: Sequence[Card], stiff: int = _STIFF) -> bool:
    """Whether a player draws to a hand: to less than a hard total, and to soft ones below 19."""
    total, soft = total_of(own)
    return total < (max(stiff, _SOFT) if soft else stiff)


def _add(kept: _Kept, key: tuple[object, ...], hand: _Hand) -> bool:
    """Keep a hand, unless there are enough that nothing tells apart from it."""
    several = kept.setdefault(key, [])
    if len(several) >= _MOST_KEPT:
        return False
    several.append(hand)
    return True
