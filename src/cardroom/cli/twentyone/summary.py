"""What a session leaves: rounds with your cards and actions, the result by wager, luck and skill apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from cardroom.cli.output import plain_table, working
from cardroom.cli.twentyone.screen import in_line, session_table
from cardroom.engine import twentyone
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted
from cardroom.presentation.totals import total_words

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from cardroom.cli.twentyone.session import Played, Session
    from cardroom.lab.judging import Books


def history_of(played: Played, you: str) -> Iterator[Text]:
    """A round in lines: its number, result and dealer, then each of your hands with what you did."""
    game, _ = twentyone.replay(played.notation)
    head = Text(f"Round {played.number}  ", "bold").append(f"{dollars(played.net_cents, plus=True)}  ")
    head.append("dealer ", "dim").append_text(in_line(game.dealer))
    yield head.append(total_words(game.dealer) if game.dealer else "", "dim")
    for spot in game.spots:
        if spot.player != you:
            continue
        for number, hand in enumerate(spot.hands, 1):
            split = f" hand {number}" if len(spot.hands) > 1 else ""
            line = Text(f"  spot {spot.number}{split}: ").append_text(in_line(hand.cards, hand.sideways))
            line.append(total_words(hand.cards, from_split=hand.from_split))
            actions = ", ".join(_actions(played, spot.number, number))
            yield line.append(f"  {actions}" if actions else "", "dim")


def _actions(played: Played, spot: int, hand: int) -> Iterator[str]:
    for event in played.events:
        if isinstance(event, twentyone.ActionTaken) and (event.spot, event.hand) == (spot, hand):
            yield str(event.action)


def farewell(session: Session, out: Console, *, judged: bool) -> None:
    """The end of a session; `judged` sets luck and skill apart, for which the game must be solved."""
    if not session.played:
        out.print("\nNo round was played.")
        return
    out.print(f"\nYour session of {counted(len(session.played), 'round')}", style="bold")
    events = [event for played in session.played for event in played.events]
    out.print(session_table(events, session.you, len(session.played), session.rules))
    if judged:
        with working("Luck and skill are being set apart"):
            books = judged_session(session)
        out.print()
        out.print(luck_and_skill(books))
    if session.stood_in is not None:
        out.print(f"You left in round {session.stood_in}, and your hands stood.", style="yellow")
    if session.bankroll is not None:
        amounts = session.bankroll.amounts
        out.print(
            f"Your bankroll: {dollars(amounts.cents)}; all your sessions together:"
            f" {dollars(amounts.result_cents, plus=True)} in {counted(amounts.rounds, 'round')}"
        )
        if session.bankroll.trouble:
            out.print(session.bankroll.trouble, style="yellow", soft_wrap=True)
    if session.settings.record is not None:
        out.print(f"Check the rounds: cardroom verify {session.settings.record}", soft_wrap=True)


def judged_session(session: Session) -> Books:
    """Your books of all rounds of a session."""
    from cardroom.lab.judging import Books, judged_with_side_wagers

    rules_text = session.rules.canonical_text()
    books = Books()
    for played in session.played:
        books += judged_with_side_wagers(played.notation, rules_text)[session.you]
    return books


def luck_and_skill(books: Books) -> Table:
    """A result in three parts that add up to it: what the best play brings, the mistakes, and luck."""
    table = plain_table("Luck and skill", "Amount", right=("Amount",))
    table.add_row("Expected from your wagers with the best play", dollars(books.expected_cents, plus=True))
    mistakes = counted(books.mistakes, "mistake")
    table.add_row(f"{mistakes} in {counted(books.decisions, 'decision')}", dollars(-books.mistakes_cents))
    table.add_row("Luck: what the cards did", dollars(books.luck_cents, plus=True))
    table.add_row("Result", dollars(books.net_cents, plus=True), style="bold")
    return table
