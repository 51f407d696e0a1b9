"""Windows of every size, dumb terminals, Ctrl-Z, keys typed ahead: the table as a person sees it."""

from __future__ import annotations

import io
import json
import re
import signal
from pathlib import Path

import pytest
from rich.console import Console

from cardroom.cli.keys import Keys
from cardroom.cli.knockout52.dealing import Dealing as Knockout52Dealing
from cardroom.cli.knockout52.pace import Pace
from cardroom.cli.knockout52.screen import FORMS as KNOCKOUT_52_FORMS
from cardroom.cli.knockout52.screen import layout
from cardroom.cli.knockout52.session import GameInPlay
from cardroom.cli.leaving import Leaving
from cardroom.cli.live import Picture
from cardroom.cli.twentyone.dealing import Dealing
from cardroom.cli.twentyone.prompts import menu, understood
from cardroom.cli.twentyone.round_in_play import RoundInPlay
from cardroom.core.cards import parse_cards
from cardroom.core.errors import MalformedInput
from cardroom.engine.knockout52 import Stakes, start, step
from cardroom.engine.twentyone import Action
from cardroom.fair import CommittedShoe, repeatable_seed
from cardroom.rules import load_rules_as
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.table.twentyone import FairDealer, Table
from tests.tables import rules_of
from tests.terminal import Terminal

PLAY = ("play", "players-edge-21", "--seed", "3", "--bet", "10", "--cut", "2", "--pace", "0")
SIZES = [(80, 24), (60, 20), (40, 20), (40, 12)]


def window(columns: int, lines: int) -> tuple[Console, io.StringIO]:
    text = io.StringIO()
    return Console(
        file=text,
        width=columns,
        height=lines,
        force_terminal=True,
        color_system=None,
        _environ={"TERM": "xterm"},
    ), text


def full_table() -> Table:
    """Six spots of ours and a computer player, at the first decision."""
    table = Table(rules_of("players-edge-21"), FairDealer(repeatable=5))
    table.open()
    table.sit("You", 100_000)
    for spot in range(1, 7):
        table.take_spot("You", spot)
    table.sit("Ada", 10_000)
    table.take_spot("Ada", 7)
    table.new_shoe()
    for spot in range(1, 7):
        table.place_wagers("You", spot, 1_000, {"match-up": 200})
    table.place_wagers("Ada", 7, 300)
    table.deal()
    assert table.view("You").awaits.kind == "decision"
    return table


def last_picture(text: str) -> list[str]:
    """The lines of the picture that was drawn last, without the codes between them."""
    frame = re.split(r"\x1b\[2K", text)[-1]
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", frame).replace("\r", "").splitlines()


@pytest.mark.parametrize(("columns", "lines"), SIZES)
def test_the_hand_in_turn_and_its_keys_are_seen_in_any_window(columns: int, lines: int) -> None:
    table = full_table()
    out, text = window(columns, lines)
    dealing = Dealing(RoundInPlay(table, "You"), out, 0.0, Leaving())
    dealing.note = "a sentence of some length about what was refused, and by which clause (PROC-15)"
    awaited = table.view("You").awaits
    with Keys() as keys, Picture(out, keys) as picture:
        picture.draw(dealing._forms(menu(awaited.options, columns)))
        shown = last_picture(text.getvalue())
        assert len(shown) < lines
        assert all(len(line) <= columns for line in shown)
        assert any(line.startswith(f"► Spot {awaited.spot}") for line in shown)
        assert "…" not in text.getvalue()
        for key in ("s stand", "h hit", "v advice", ": say", "q leave"):
            assert any(key in line for line in shown), key
        assert any("(PROC-15)" in line for line in shown)


@pytest.mark.parametrize(("columns", "lines"), SIZES)
def test_knockout_52_and_its_keys_in_any_window(columns: int, lines: int) -> None:
    rules = load_rules_as(Knockout52Rules, "knockout-52")
    players = [
        Stakes(name, {"round-1": 500, "all-the-way": 100}) for name in ("You", "Ada", "Blaise", "Carl")
    ]
    game, _ = start(rules, players)
    for card in parse_cards("Th 3c 4d"):
        game, _ = step(game, card)
    out, text = window(columns, lines)
    seed = repeatable_seed(1, "game-1")
    shoe = CommittedShoe.of(rules, shoe_id="game-1", deck=str(rules.shoe), seed=seed, repeatable=1)
    dealing = Knockout52Dealing(GameInPlay(shoe, (), game, b""), out, Pace(stepping=True), Leaving())
    with Keys() as keys, Picture(out, keys) as picture:
        dealing._draw(picture)
        shown = last_picture(text.getvalue())
    assert len(shown) < lines
    assert all(len(line) <= columns for line in shown)
    said = " ".join(" ".join(shown).split())
    for key in ("space: next card", "g: go on", "o: chances", "f: to the end", "b: bet", "q: leave"):
        assert key in said
    assert len(KNOCKOUT_52_FORMS) > 1


def test_the_layout_in_three_widths() -> None:
    """Round 1 is called so in each; the match, a ten on the tenth space, has a mark."""
    rules = load_rules_as(Knockout52Rules, "knockout-52")
    game, _ = start(rules, [Stakes("You", {"round-1": 500})])
    for card in parse_cards("Th 3c 4d 5c 6c 7c 8c 9c Tc Td"):
        game, _ = step(game, card)
    wide, narrow, narrowest = (layout(game, width).plain.splitlines() for width in (80, 60, 40))
    assert wide[1].startswith("● Round 1      10♥   3♣ ")
    assert "[10♦]" in wide[1]
    assert narrow[1] == "●Round 1 10♥  3♣  4♦  5♣  6♣  7♣  8♣  9♣ 10♣*10♦   ·   ·   ·"
    assert narrow[0].split() == ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    assert narrowest[1:3] == ["● Round 1", " T♥ 3♣ 4♦ 5♣ 6♣ 7♣ 8♣ 9♣ T♣*T♦  ·  ·  ·"]
    for lines, width in ((wide, 80), (narrow, 60), (narrowest, 40)):
        assert max(map(len, lines)) <= width


@pytest.mark.slow
@pytest.mark.parametrize(("more", "term"), [((), "dumb"), (("--plain",), "xterm"), ((), "unknown")])
def test_line_mode(more: tuple[str, ...], term: str) -> None:
    """The table is printed, and a line is asked for; a wrong one is refused and asked again."""
    with Terminal(*PLAY, *more, variables={"TERM": term}) as terminal:
        terminal.until("Your choice: ")
        assert "► Spot 1" in terminal.seen
        assert "\x1b[" not in terminal.seen.replace("\x1b[?2004", "") or term == "xterm"
        terminal.press("x\n")
        terminal.until("is not clear; you may ")
        terminal.until("Your choice: ")
        terminal.press("s\n")
        terminal.until("Your result: ")


def test_a_dumb_terminal_has_a_width_of_its_own() -> None:
    with Terminal(*PLAY, variables={"TERM": "dumb"}, columns=44) as terminal:
        terminal.until("Your choice: ")
        shown = terminal.seen[terminal.seen.index("Round 1") :].replace("\r", "").splitlines()
        assert max(map(len, shown)) <= 44
        assert any("► Spot 1" in line for line in shown)
        terminal.press("q\n")
        terminal.until("and your hands stood.")


def test_line_mode_of_knockout_52() -> None:
    arguments = ("play", "knockout-52", "--seed", "7", "--bet", "1=5", "--pace", "step")
    with Terminal(*arguments, variables={"TERM": "dumb"}) as terminal:
        terminal.until("Enter deals a card")
        terminal.press("\n")
        terminal.until("K♥")
        terminal.until("Enter deals a card")
        terminal.press("2=5\n")
        terminal.until("no wager is placed after the first card (KO52-3)")
        terminal.until("Enter deals a card")
        terminal.press("q\n")
        terminal.until("Your session of 1 game")


@pytest.mark.slow
@pytest.mark.parametrize("how", ["Ctrl-Z", "stopped from outside"])
def test_after_a_stop_the_table_is_drawn_anew_and_keys_work(how: str) -> None:
    with Terminal(*PLAY) as terminal:
        terminal.until("q leave")
        if how == "Ctrl-Z":  # nobody is there to stop this process for, so it comes back at once
            terminal.press("\x1a")
        else:
            terminal.signal(signal.SIGSTOP)
            terminal.wait_until_stopped()
            terminal.go_on()
        terminal.until("\x1b[2J")
        terminal.until("► Spot 1")
        terminal.until("q leave")
        terminal.press("s")
        terminal.until("Your result: ")


def test_a_resized_window_is_drawn_anew_and_keys_work() -> None:
    with Terminal(*PLAY, "--spots", "5", columns=80, lines=50) as terminal:
        terminal.until("q leave")
        terminal.seen = ""
        terminal.resize(60, 20)
        terminal.until("\x1b[2J")
        terminal.until("q leave")
        shown = last_picture(terminal.seen[terminal.seen.rindex("\x1b[2J") :])
        assert len(shown) < 20
        assert any(line.startswith("► Spot 1") for line in shown)
        terminal.press("q")
        terminal.until("and your hands stood.")


def rounds_of(path: Path) -> list[str]:
    (record,) = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    return [text for text in record["rounds"] if not text.startswith("burn")]


@pytest.mark.slow
@pytest.mark.parametrize("paste", ["hhhhhhhh", "\x1b[200~hhhhhhhh\x1b[201~"])
def test_keys_typed_ahead_are_dropped(tmp_path: Path, paste: str) -> None:
    """Eight keys at one decision: the first is its answer, or none where the terminal marks a paste."""
    record = tmp_path / "x.jsonl"
    arguments = ("play", "players-edge-21", "--seed", "1", "--bet", "10", "--cut", "1.5", "--pace", "0")
    with Terminal(*arguments, "--record", str(record)) as terminal:
        terminal.until("q leave")
        assert "d double" in terminal.seen
        marked = paste.startswith("\x1b")
        terminal.press(paste)
        if not marked:
            terminal.until("┌────┬────┬────┐")
            terminal.until("q leave")
        terminal.press("s")
        terminal.until("Your result: ")
    (notation,) = rounds_of(record)
    assert notation.count("hit") == (0 if marked else 1)
    assert notation.count("stand") == 1


def test_escape_leaves_the_words() -> None:
    with Terminal(*PLAY) as terminal:
        terminal.until("q leave")
        terminal.press(":dou")
        terminal.until(": dou_")
        terminal.press("\x1b")
        terminal.until("q leave")
        terminal.press("\x1b[A")  # an arrow is no Esc, and means nothing
        terminal.press("s")
        terminal.until("Your result: ")


def test_a_wrong_key_lists_what_this_game_offers() -> None:
    options = (Action.STAND, Action.HIT, Action.DOUBLE)
    for text in ("x", "whatever", "doubl"):
        with pytest.raises(MalformedInput) as refused:
            understood(text, options)
        assert str(refused.value) == (
            f"{text!r} is not clear; you may stand (s), hit (h), double (d) (PROC-15)"
        )
    assert understood("r", options) == "rescue"  # the dealer says which clause forbids it


def test_a_wrong_key_at_knockout_52() -> None:
    with Terminal("play", "knockout-52", "--seed", "7", "--bet", "1=5", "--pace", "step") as terminal:
        terminal.until("q: leave")
        terminal.press("y")
        terminal.until("'y' does nothing here; space: next card")
        terminal.press("f")
        terminal.until("Your session of 1 game")
