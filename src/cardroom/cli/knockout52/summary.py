"""What a session of Knockout 52 leaves: its games, the result by wager, luck apart from what was expected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from cardroom.cli.knockout52.screen import session_table
from cardroom.cli.output import plain_table
from cardroom.engine.knockout52 import Game, net_cents
from cardroom.presentation import wager_title
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted
from cardroom.presentation.sentences import knockout52_outcome

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from cardroom.cli.knockout52.session import Session


def history_line(number: int, game: Game, you: str) -> Text:
    """A game in a line: your wagers, how it ended, and what it brought."""
    stakes = next(one for one in game.wagers if one.player == you)
    placed = ", ".join(f"{wager_title(wager)} {dollars(cents)}" for wager, cents in stakes.placed)
    line = Text(f"Game {number}  ", "bold").append(f"{dollars(net_cents(game)[you], plus=True)}  ")
    return line.append(f"{placed}; {knockout52_outcome(game)}", "dim")


def expected_cents(session: Session) -> float:
    """What the wagers of a session bring on average, exact."""
    from cardroom.exact.knockout52 import wager_figures

    expected = 0.0
    for game in session.played:
        for wager, cents in game.wagers[0].placed:
            figures = {one.wager: one for one in wager_figures(session.rules, cents)}
            expected += float(figures[wager].expected_value) * cents
    return expected


def luck(session: Session) -> Table:
    """A result in two parts that add up to it: nothing is decided after the bets, so there is no skill."""
    expected, result = expected_cents(session), session.result_cents
    table = plain_table("Luck and skill", "Amount", right=("Amount",))
    table.add_row("Expected from your wagers", dollars(expected, plus=True))
    table.add_row("Luck: what the cards did", dollars(result - expected, plus=True))
    table.add_row("Result", dollars(result, plus=True), style="bold")
    return table


def farewell(session: Session, out: Console, *, judged: bool = False) -> None:
    """The end of a session."""
    if not session.played:
        out.print("\nNo game was played.")
        return
    out.print(f"\nYour session of {counted(len(session.played), 'game')}", style="bold")
    out.print(session_table(session.rules, session.played))
    if judged:
        out.print()
        out.print(luck(session))
    if session.left_in is not None:
        out.print(f"You left in game {session.left_in}, and it was dealt to its end.", style="yellow")
    if session.bankroll is not None:
        amounts = session.bankroll.amounts
        out.print(
            f"Your bankroll: {dollars(amounts.cents)}; all your sessions together:"
            f" {dollars(amounts.result_cents, plus=True)} in {counted(amounts.rounds, 'round')}"
        )
        if session.bankroll.trouble:
            out.print(session.bankroll.trouble, style="yellow", soft_wrap=True)
    if session.settings.record is not None:
        out.print(f"Check the games: cardroom verify {session.settings.record}", soft_wrap=True)
