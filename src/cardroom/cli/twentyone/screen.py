"""How a table of the blackjack family looks: cards in frames, totals, wagers; 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from rich.text import Text

from cardroom.cli.output import plain_table
from cardroom.core.cards import Card, Suit
from cardroom.engine import twentyone
from cardroom.engine.twentyone import Hand, Phase, Spot, Status, View
from cardroom.presentation import as_they_lie, wager_title
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted
from cardroom.presentation.totals import total_words

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table as RichTable

    from cardroom.rules.twentyone import TwentyOneRules

_SUIT_STYLES: Final[Mapping[Suit, str]] = {
    Suit.CLUBS: "green",
    Suit.DIAMONDS: "bright_blue",
    Suit.HEARTS: "red",
    Suit.SPADES: "default",
}
_LABEL: Final = 16
_WIDTH: Final = 80
_SIDEWAYS: Final = "↷"
_EDGE: Final = "────"


@dataclass(frozen=True, slots=True)
class Form:
    """How much room a table takes: which hands have frames, and whether all hands are shown at all."""

    framed: Literal["own", "in turn", "none"]
    only_in_turn: bool = False


IN_LINES: Final = Form("none")
FORMS: Final = (Form("own"), Form("in turn"), IN_LINES, Form("none", only_in_turn=True))
"""From the fullest to the shortest; the hand in turn is in all of them."""


def table_of(
    seen: View,
    you: str,
    rules: TwentyOneRules,
    *,
    note: str | Text = "",
    form: Form = FORMS[0],
    width: int = _WIDTH,
) -> RenderableType:
    """The dealer's hand, your hands in frames, the others' in a line each, and a note below."""
    from rich.console import Group

    parts: list[RenderableType] = [
        shown("Dealer", "", seen.dealer, _dealer_words(seen), width=width, frame=form.framed != "none")
    ]
    left_out = 0
    for spot in seen.spots:
        for number, hand in enumerate(spot.hands, 1):
            active = seen.turn == spot.number and seen.hand == number
            if form.only_in_turn and seen.turn is not None and not active:
                left_out += 1
            elif spot.player == you:
                frame = form.framed == "own" or (form.framed == "in turn" and active)
                parts.append(_own(spot, number, hand, rules, active=active, frame=frame, width=width))
            else:
                parts.append(_other(spot, number, hand, active=active))
    if left_out:
        parts.append(
            Text(f"  and {counted(left_out, 'other hand')}, for which the window is too small", "dim")
        )
    if note:
        blank = [] if form.only_in_turn else [Text()]
        parts += [*blank, Text(note, "dim") if isinstance(note, str) else note]
    return Group(*parts)


def shown(
    label: str,
    below: str,
    cards: Sequence[Card | None],
    words: str,
    sideways: int = 0,
    *,
    frame: bool = True,
    width: int = _WIDTH,
) -> Text:
    """A hand: its cards in frames side by side where there is room, else in a line."""
    across = _LABEL + len(cards) * (len(_EDGE) + 1) + len(f"│  {words}")
    if frame and cards and across <= width:
        return framed(label, below, cards, words, sideways)
    text = Text(f"{label:<{_LABEL}}").append_text(in_line(cards, sideways)).append(f" {words}", "bold")
    return text.append(f"  {below.strip()}" if below.strip() else "", "dim")


def framed(label: str, below: str, cards: Sequence[Card | None], words: str, sideways: int = 0) -> Text:
    """Cards side by side in one frame, the first dealt on the right (PROC-17).

    A card face down is shaded, one that lies sideways has a mark.
    """
    text = Text()
    text.append(f"{label:<{_LABEL}}").append("┌" + "┬".join([_EDGE] * len(cards)) + "┐\n", "dim")
    text.append(f"{below:<{_LABEL}}", "dim").append("│", "dim")
    for place, card in enumerate(as_they_lie(cards)):
        text.append_text(_cell(card, sideways=place < sideways)).append("│", "dim")
    text.append(f"  {words}\n", "bold")
    return text.append(" " * _LABEL + "└" + "┴".join([_EDGE] * len(cards)) + "┘", "dim")


def _cell(card: Card | None, *, sideways: bool) -> Text:
    if card is None:
        return Text("▒" * len(_EDGE), "dim")
    mark = _SIDEWAYS if sideways else " "
    return Text((card.pretty + mark).rjust(len(_EDGE)), _SUIT_STYLES[card.suit])


def in_line(cards: Iterable[Card | None], sideways: int = 0) -> Text:
    """Cards in a line, the first dealt on the right (PROC-17)."""
    text = Text()
    for place, card in enumerate(as_they_lie(cards)):
        if card is None:
            text.append("▒▒ ", "dim")
        else:
            mark = _SIDEWAYS if place < sideways else ""
            text.append(f"{card.pretty}{mark} ", _SUIT_STYLES[card.suit])
    return text


def _own(
    spot: Spot, number: int, hand: Hand, rules: TwentyOneRules, *, active: bool, frame: bool, width: int
) -> Text:
    split = len(spot.hands) > 1
    label = f"{'►' if active else ' '} Spot {spot.number}{f' hand {number}' if split else ''}"
    stake = f"  {dollars(hand.stake_cents)}"
    text = shown(label, stake, hand.cards, hand_words(hand), hand.sideways, frame=frame, width=width)
    beside = [f"{wager_title(wager, rules)} {dollars(cents)}" for wager, cents in spot.side]
    if spot.insurance_cents:
        beside.append(f"{wager_title('insurance')} {dollars(spot.insurance_cents)}")
    if number == 1 and beside and (frame or active):
        text.append(f"\n{'  beside it':<{_LABEL}}{', '.join(beside)}", "dim")
    return text


def _other(spot: Spot, number: int, hand: Hand, *, active: bool) -> Text:
    split = f" hand {number}" if len(spot.hands) > 1 else ""
    text = Text(f"{'►' if active else ' '} Spot {spot.number}{split} {spot.player}"[:25].ljust(26))
    text.append_text(in_line(hand.cards, hand.sideways))
    return text.append(f" {hand_words(hand)}  {dollars(hand.stake_cents)}", "dim")


def hand_words(hand: Hand) -> str:
    """The total of a hand, soft or not, and what has become of it."""
    if not hand.cards:
        return ""
    total = total_words(hand.cards, from_split=hand.from_split)
    return total if hand.status in (Status.LIVE, Status.STOOD) else f"{total}, {hand.status}"


def _dealer_words(seen: View) -> str:
    up = [card for card in seen.dealer if card is not None]
    if not up:
        return ""
    looked = ", no blackjack" if seen.looked and len(up) == 1 and seen.phase is not Phase.OVER else ""
    return total_words(up) + looked


def session_table(
    events: Sequence[twentyone.Event], you: str, rounds: int, rules: TwentyOneRules
) -> RichTable:
    """A player's result by wager."""
    right = ("Times", "Won", "Staked", "Result")
    table = plain_table("Wager", *right, right=right)
    net = {wager: cents for (player, wager), cents in twentyone.net_by_wager(events).items() if player == you}
    staked_in_all = 0
    for wager, cents in net.items():
        times, won, staked = _counts(events, you, wager)
        staked_in_all += staked
        table.add_row(
            wager_title(wager, rules), f"{times:,}", f"{won:,}", dollars(staked), dollars(cents, plus=True)
        )
    together = (counted(rounds, "round"), "", dollars(staked_in_all))
    table.add_row("Together", *together, dollars(sum(net.values()), plus=True), style="bold")
    return table


def _counts(events: Sequence[twentyone.Event], you: str, wager: str) -> tuple[int, int, int]:
    """How often a wager was made and won, and what was staked on it."""
    times = won = staked = 0
    for event in events:
        match event:
            case twentyone.WagerPlaced(player=player, wager=name, stake_cents=cents):
                if (player, name) == (you, wager):
                    times, staked = times + 1, staked + cents
            case twentyone.WagerAdded(player=player, added_cents=cents) if player == you:
                staked += cents if wager == "primary" else 0
            case (
                twentyone.WagerPaid(player=player, wager=name)
                | twentyone.JackpotPaid(player=player, wager=name)
            ):
                won += (player, name) == (you, wager)
            case twentyone.BonusPaid(player=player, bonus=name) if (player, name) == (you, wager):
                times, won = times + 1, won + 1
            case _:
                pass
    return times, won, staked
