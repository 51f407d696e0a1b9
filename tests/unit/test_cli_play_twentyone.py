"""`cardroom play blackjack|spanish-21|players-edge-21` and `cardroom verify`: the family at the terminal."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from cardroom.cli.twentyone import advice as advice_module
from cardroom.cli.twentyone import summary
from cardroom.cli.twentyone.bets import how, parse_bets
from cardroom.cli.twentyone.computer import chart, mimic, never_bust
from cardroom.cli.twentyone.cut import Cut
from cardroom.cli.twentyone.lines import Lines
from cardroom.cli.twentyone.prompts import menu, understood
from cardroom.cli.twentyone.screen import framed, in_line, shown
from cardroom.cli.twentyone.session import Settings
from cardroom.core.cards import parse_cards
from cardroom.core.errors import MalformedInput
from cardroom.engine import twentyone
from cardroom.engine.twentyone import Action, DeclineInsurance, EvenMoney, Hand, Insure
from cardroom.lab.judging import Books
from cardroom.presentation import key_of
from cardroom.table.twentyone import CutShoe
from tests.command_line import CommandLine
from tests.tables import GAMES, rules_of
from tests.terminal import Terminal


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def records_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def rounds_of(path: Path) -> list[str]:
    return [text for record in records_of(path) for text in record["rounds"] if not text.startswith("burn")]


@pytest.mark.parametrize(
    ("game", "text", "stake", "side"),
    [
        ("blackjack", "", 400, {}),
        ("blackjack", "4 21+3=2 match=4", 400, {"21+3": 200, "match-the-dealer": 400}),
        ("spanish-21", "match-the-dealer=$2.50", 400, {"match-the-dealer": 250}),
        ("players-edge-21", "10", 1000, {}),
        ("players-edge-21", "10,up=5, DOWN=2", 1000, {"match-up": 500, "match-down": 200}),
        ("players-edge-21", "25 m1 m5", 2500, {"monster-match-1": 100, "monster-match-5": 500}),
    ],
)
def test_bets_as_typed(game: str, text: str, stake: int, side: dict[str, int]) -> None:
    assert parse_bets(rules_of(game), text) == (stake, side)


@pytest.mark.parametrize("text", ["ten", "10 20", "up", "up=", "up=5 up=6", "left=5", "10 m1=x", "=5"])
def test_what_is_no_bet(text: str) -> None:
    with pytest.raises(MalformedInput):
        parse_bets(rules_of("players-edge-21"), text)


def test_how_to_bet_names_what_is_on_offer() -> None:
    assert (
        how(rules_of("blackjack"))
        == "a bet is the wager, such as 4.00, then any of 21+3=AMOUNT, match=AMOUNT (Match the Dealer)"
    )
    assert how(rules_of("players-edge-21")).endswith(
        "up=AMOUNT (Match Up), down=AMOUNT (Match Down), m1 (Monster Match $1), m5 (Monster Match $5)"
    )


@pytest.mark.clause("PROC-6")
@pytest.mark.parametrize(("asked", "cutter"), [(None, None), ("2", "Ann"), ("2.5 front luck", "Ann")])
def test_the_log_names_who_cut_and_nobody_who_did_not(
    monkeypatch: pytest.MonkeyPatch, asked: str | None, cutter: str | None
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("stand\n" * 20))
    cut = None if asked is None else Cut.parse(asked)
    settings = Settings(
        rules_of("blackjack"),
        bets="4",
        auto=False,
        rounds=1,
        seconds=0.0,
        others=(),
        spots=1,
        name="Ann",
        cut=cut,
        procedure=False,
        chips_cents=None,
        seed=2,
        record=None,
    )
    face = Lines(settings)
    face.run()
    cuts = [request for request in face.session.table.log.requests() if isinstance(request, CutShoe)]
    assert [request.player for request in cuts] == [cutter]


def test_options_as_keys() -> None:
    options = (Action.STAND, Action.HIT, Action.DOUBLE)
    assert menu(options) == "s stand · h hit · d double · v advice · : say · q leave"
    assert len(menu(tuple(Action)[:5])) == 79
    assert [understood(key, options) for key in ("s", "H", " d ", "hit", "q")] == [
        "stand",
        "hit",
        "double",
        "hit",
        "leave",
    ]
    assert understood("p", options) == "split"  # not offered: the table names the clause
    offered = (DeclineInsurance(), Insure(500), EvenMoney())
    assert [key_of(option) for option in offered] == ["n", "i", "e"]
    assert understood("i", offered) == "insure 5.00"
    assert understood("insure 2", offered) == "insure 2.00"  # any amount up to the one offered


def test_advice_is_on_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    options = (Action.STAND, Action.HIT)
    assert "v advice" in menu(options)
    assert understood("v", options) == "advice"
    with pytest.raises(MalformedInput, match="the keys: s stand · h hit · v advice · : say · q leave"):
        understood("?", options)
    game, _ = twentyone.start(rules_of("blackjack"), [twentyone.SpotWager(1, "Ann", 400)])
    monkeypatch.setattr(advice_module, "ADVISER", "tests.unit.test_cli_play_twentyone")
    assert advice_module.advice(game) == "ask your mother"


def advise(_: twentyone.Round) -> str:
    return "ask your mother"


def verdict(_: twentyone.Round, choice: str) -> str:
    return f"{choice}: so it is"


def blunder(_: twentyone.Round, choice: str, above_cents: float) -> str:
    return "Really hit?" if choice == "hit" and above_cents == 10 else ""


def test_the_coach_and_the_question_before_a_blunder_in_lines(
    cardroom: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hit is asked about and done when it is said again; luck and skill stand in the summary."""
    monkeypatch.setattr(advice_module, "ADVISER", "tests.unit.test_cli_play_twentyone")
    monkeypatch.setattr(summary, "judged_session", lambda _: Books(1, 1, 1, 1, 60.0, -2.0, -400))
    play = ("play", "players-edge-21", "--seed", "3", "--coach", "--warn", "0.10", "--cut", "2")
    answer = cardroom(*play, stdin="10\nhit\nhit\n" + "stand\n" * 9)
    assert answer.code in (0, 2)
    assert "ask your mother" in answer.out
    assert "Really hit? Say it again to do it." in answer.out
    assert answer.out.index("Really hit?") < answer.out.index("hit: so it is")
    assert "1 mistake in 1 decision" in answer.out
    assert "Luck: what the cards did" in answer.out
    assert "−$3.38" in answer.out  # −400 − (−2 − 60) cents


def test_the_history_in_lines_has_cards_and_actions(cardroom: CommandLine) -> None:
    play = ("play", "players-edge-21", "--seed", "3", "--cut", "2")
    answer = cardroom(*play, stdin="10\nstand\nhistory\nquit\n")
    assert re.search(r"Round 1  [+−]?\$[0-9.]+  dealer ", answer.out)
    assert re.search(r"  spot 1: .+  stand", answer.out)


@pytest.mark.parametrize(
    ("cards", "up", "mimics", "careful", "charted"),
    [
        ("Tc6d", 10, "hit", "stand", "hit"),
        ("Tc6d", 6, "hit", "stand", "stand"),
        ("Tc7d", 10, "stand", "stand", "stand"),
        ("Ac6d", 3, "hit", "hit", "hit"),
        ("Ac7d", 9, "stand", "stand", "hit"),
        ("6c5d", 6, "hit", "hit", "double"),
        ("6c5d", 11, "hit", "hit", "hit"),
        ("8c8d", 10, "hit", "stand", "split"),
        ("AcAd", 6, "hit", "hit", "split"),
    ],
)
def test_the_habits_of_computer_players(cards: str, up: int, mimics: str, careful: str, charted: str) -> None:
    hand = Hand(parse_cards(cards), 400)
    pair = hand.cards[0].value == hand.cards[1].value
    options = (Action.STAND, Action.HIT, Action.DOUBLE, *([Action.SPLIT] if pair else []))
    assert [habit(hand, up, options).value for habit in (mimic, never_bust, chart)] == [
        mimics,
        careful,
        charted,
    ]


@pytest.mark.clause("PROC-13", "PROC-17")
def test_cards_on_the_screen() -> None:
    """The second card lies to the left of the first, and the one that lies sideways is the last dealt."""
    picture = framed("Spot 1", "$4.00", parse_cards("Th 2c"), "12", sideways=1).plain
    assert picture == (
        "Spot 1          ┌────┬────┐\n"
        "$4.00           │ 2♣↷│10♥ │  12\n"
        "                └────┴────┘"
    )  # fmt: skip
    dealer = framed("Dealer", "", [parse_cards("As")[0], None], "").plain
    assert "│▒▒▒▒│ A♠ │" in dealer
    nine = parse_cards("AcAdAhAsAcAdAhAs2c")
    assert "\n" not in shown("x", "", nine, "a hand of nineteen").plain  # too many for frames
    assert "\n" in shown("x", "", nine, "", width=90).plain
    assert "\n" not in shown("x", "", nine[:8], "20", width=60).plain
    assert in_line(parse_cards("Th 2c"), 1).plain == "2♣↷ 10♥ "


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_session_is_shown_recorded_and_verified(
    cardroom: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    record = tmp_path / "shoes.jsonl"
    answer = cardroom(
        "play", game, "--auto", "--rounds", "30", "--players", "3", "--spots", "2", "--record", record
    )
    assert answer.code == 0, answer.err
    assert all(len(line) <= 80 for line in answer.out.splitlines() if not line.startswith(("Shoe", "Check")))
    revealed = records_of(record)
    assert re.findall(r"Commitment ([0-9a-f]{64})", answer.out) == [one["commitment"] for one in revealed]
    assert re.findall(r"Secret\s+([0-9a-f]{64})", answer.out) == [one["secret"] for one in revealed]
    assert all(one["origin"] == "operating system" for one in revealed)
    assert len(rounds_of(record)) == 30
    checked = cardroom("verify", record, "--replay")
    assert checked.code == 0
    assert checked.out.count("the round is over") == 30
    assert checked.out.count("burned: ") == len(revealed)
    used = re.findall(r"cards, and (\d+) rounds? used them in order", checked.out)
    assert sum(map(int, used)) == 30


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_result_by_wager_is_that_of_the_record(cardroom: CommandLine, tmp_path: Path, game: str) -> None:
    record = tmp_path / "shoes.jsonl"
    side = {"blackjack": "21+3=2", "spanish-21": "match=2", "players-edge-21": "up=2"}[game]
    answer = cardroom(
        "play", game, "--auto", "--rounds", "40", "--side", side, "--seed", "5", "--record", record
    )
    events = [event for text in rounds_of(record) for event in twentyone.replay(text)[1]]
    net = twentyone.balance(events).players["You"]
    *_, together = (line for line in answer.out.splitlines() if line.startswith("Together"))
    shown = re.search(r"([+−]?)\$([\d,.]+)$", together)
    assert shown is not None
    sign = -1 if shown[1] == "−" else 1
    assert sign * round(100 * float(shown[2].replace(",", ""))) == net
    results = re.findall(r"Your result: \+?(−?)\$([\d,.]+)", answer.out)
    assert sum((-1 if s else 1) * round(100 * float(d.replace(",", ""))) for s, d in results) == net


def test_a_seed_makes_a_session_repeatable_and_says_so(cardroom: CommandLine) -> None:
    arguments = ("play", "players-edge-21", "--auto", "--rounds", "5", "--seed", "9", "--players", "1")
    first, second = cardroom(*arguments), cardroom(*arguments)
    assert first.out == second.out
    assert "not for money" in first.out
    assert cardroom(*arguments[:-3], "10").out != first.out


def test_the_cards_do_not_depend_on_stakes_or_choices(cardroom: CommandLine, tmp_path: Path) -> None:
    shoes = []
    for number, extra in enumerate((["--bet", "5", "--auto"], ["--bet", "500", "--auto", "--players", "3"])):
        record = tmp_path / f"{number}.jsonl"
        cardroom("play", "players-edge-21", "--seed", "4", "--rounds", "3", "--record", record, *extra)
        shoes.append(records_of(record)[0]["cards"])
    assert shoes[0] == shoes[1]


def test_a_cut_changes_the_cards_and_stands_in_the_record(cardroom: CommandLine, tmp_path: Path) -> None:
    shoes = []
    for number, cut in enumerate(("2", "2.5", "2 lucky", "2 front")):
        record = tmp_path / f"{number}.jsonl"
        cardroom("play", "blackjack", "--seed", "4", "--auto", "--cut", cut, "--record", record)
        shoes.append(records_of(record)[0])
    assert len({shoe["cards"] for shoe in shoes}) == 4
    assert len({shoe["commitment"] for shoe in shoes}) == 1
    assert bytes.fromhex(shoes[2]["salt"]) == b"cut 104 back lucky"


@pytest.mark.slow
@pytest.mark.clause("PROC-2", "PROC-6", "SIDE-3")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["blackjack", "--bet", "5"], "spot 1: a wager of $5.00 is off the limits: $4.00 only (PROC-2)"),
        (["players-edge-21", "--bet", "2"], "off the limits: $3.00 to $500.00 (PROC-2)"),
        (["players-edge-21", "--bet", "5", "--side", "down=2"], "Match Down needs Match Up"),
        (
            ["players-edge-21", "--bet", "5", "--side", "up=6"],
            "more than the primary wager of $5.00 (SIDE-3)",
        ),
        (["spanish-21", "--bet", "4", "--side", "red=2"], "'red=2' is not a bet"),
        (
            ["blackjack", "--auto", "--cut", "1"],
            "a player's cut of 52 cards is refused: 78 to 156 are allowed",
        ),
        (["blackjack", "--bet", "x"], "'x' is not an amount"),
        (["blackjack", "--auto", "--rounds", "0"], "--rounds 0 is not allowed"),
        (["blackjack", "--auto", "--players", "7"], "--players 7 is not allowed"),
        (["blackjack", "--auto", "--spots", "8"], "--spots 8 is not allowed; allowed: 1 to 7"),
        (
            ["blackjack", "--auto", "--players", "5", "--spots", "3"],
            "--spots 3 is not allowed; allowed: 1 to 2, of the table's 7 with 5 other players on one each",
        ),
        (
            ["blackjack", "--auto", "--bet", " "],
            "--bet names no wager; a bet is an amount, such as --bet 4.00",
        ),
        (["blackjack", "--auto", "--record", "/dev/full"], "cannot add a record to /dev/full: No space left"),
        (["blackjack", "--auto", "--name", "Ada", "--players", "1"], "Ada is the name of another player"),
        (["blackjack", "--auto", "--pace", "-1"], "--pace -1 is not allowed"),
        (["blackjack", "--auto", "--shuffle", "magic"], "--shuffle magic is not allowed"),
        (["blackjack", "--auto", "--seed", "-1"], "--seed -1 is not allowed"),
        (["blackjack", "--auto", "--chips", "2"], "You: $4.00 is more than the $2.00 in chips (PROC-9)"),
        (["blackjack", "--side", "match=2"], "--side goes with --bet or --auto"),
        (["blackjack", "--auto", "--set", "decks=9"], "decks"),
    ],
)
def test_wrong_input_is_one_line(cardroom: CommandLine, arguments: list[str], said: str) -> None:
    assert said in cardroom.refused("play", *arguments)


def test_records_need_the_fair_shuffle(cardroom: CommandLine, tmp_path: Path) -> None:
    said = cardroom.refused(
        "play", "blackjack", "--auto", "--shuffle", "procedure", "--record", tmp_path / "x.jsonl"
    )
    assert said == "--record needs the fair shuffle; --shuffle procedure is for study"
    answer = cardroom("play", "blackjack", "--auto", "--shuffle", "procedure", "--seed", "1", "--rounds", "3")
    assert answer.code == 0
    assert "for study, not for money" in answer.out


@pytest.mark.parametrize("decks", ["1", "2", "8", "infinite"])
def test_other_numbers_of_decks(cardroom: CommandLine, tmp_path: Path, decks: str) -> None:
    record = tmp_path / "x.jsonl"
    play = ("play", "spanish-21", "--auto", "--rounds", "8", "--set", f"decks={decks}", "--record", record)
    assert cardroom(*play).code == 0
    assert cardroom("verify", record).code == 0


def test_a_player_without_chips_leaves(cardroom: CommandLine) -> None:
    answer = cardroom("play", "blackjack", "--auto", "--rounds", "1000", "--seed", "2", "--chips", "20")
    assert answer.code == 0
    assert "You are out of chips." in answer.out
    *_, together = (line for line in answer.out.splitlines() if line.startswith("Together"))
    assert -20 <= float(together.split("$")[-1]) * (-1 if "−$" in together else 1) <= 4


def test_rules_from_a_file(cardroom: CommandLine, tmp_path: Path) -> None:
    house, record = tmp_path / "house.toml", tmp_path / "x.jsonl"
    house.write_text(
        'extends = "players-edge-21"\ntitle = "The back room"\ndecks = 2\n[limits]\nmin = "1.00"\n'
        '[side_bets.monster-match-1]\nmeter_seed = "500.00"\n',
        "utf-8",
    )
    play = ("play", "players-edge-21", "--rules", house, "--auto", "--rounds", "9", "--side", "m1")
    answer = cardroom(*play, "--record", record)
    assert answer.out.startswith("The back room: 2 decks, wagers $1.00 to $500.00")
    assert cardroom("verify", record).code == 0


def test_a_session_from_a_pipe(cardroom: CommandLine) -> None:
    lines = "10 up=5 m1\nd\ns\nhistory\nreplay 1\nrules\nhelp\nq\n"
    answer = cardroom("play", "players-edge-21", "--seed", "2", stdin=lines)
    assert answer.code == 0, answer.err
    assert "Your session of 1 round" in answer.out
    assert "all wagers checked: $16.00" in answer.out
    assert "PE21-9   rescue after a double" in answer.out


@pytest.mark.parametrize("stdin", ["", "10\n", "10\nh\n", "10 up=5"])
def test_the_end_of_the_input_ends_the_session(cardroom: CommandLine, tmp_path: Path, stdin: str) -> None:
    record = tmp_path / "x.jsonl"
    answer = cardroom("play", "players-edge-21", "--seed", "3", "--record", record, stdin=stdin)
    assert answer.code == 0, answer.err
    played = rounds_of(record)
    assert len(played) == (1 if stdin else 0)
    assert all("You" in text for text in played)
    assert ("No round was played" in answer.out) == (not stdin)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stdin", "said"),
    [
        ("2\n", "(PROC-2)"),
        ("10 down=5\n", "(SIDE-3)"),
        ("10\nr\n", "(PE21-9)"),
        ("10\ndouble for 3\n", "this double adds $10.00, neither less nor more (PE21-8.2)"),
        ("10\nwhatever\n", "(PROC-15)"),
        ("10\nwager 5 with Bob\n", "wagers are with the house only, never between players (PE21-15)"),
        ("10\nwager 20\n", "none changes during the round (PROC-9)"),
        ("replay 7\n", "there is no round 7"),
    ],
)
def test_a_script_that_is_refused_ends_with_code_2_and_a_whole_record(
    cardroom: CommandLine, tmp_path: Path, stdin: str, said: str
) -> None:
    record = tmp_path / "x.jsonl"
    assert said in cardroom.refused("play", "players-edge-21", "--seed", "3", "--record", record, stdin=stdin)
    assert cardroom("verify", record).code == 0
    assert len(rounds_of(record)) == stdin.startswith("10\n")


def test_a_changed_record_is_named(cardroom: CommandLine, tmp_path: Path) -> None:
    record = tmp_path / "x.jsonl"
    cardroom("play", "players-edge-21", "--seed", "3", "--auto", "--rounds", "3", "--record", record)
    text = record.read_text("utf-8")
    burned, salt = json.loads(text)["cards"][:2], json.loads(text)["salt"]
    other = "3d" if burned != "3d" else "3c"
    named = f"the burned card before round 1: card 1 is {other}, but the shoe holds {burned} there"
    for before, after, where in (
        (f"burn {burned}", f"burn {other}", named),
        ('spot 1 \\"You\\": 3.00', 'spot 1 \\"You\\": 4.00', "rounds: does not fit its seal"),
        (f'"salt":"{salt}', f'"salt":"{"00" if salt[:2] != "00" else "01"}{salt[2:]}', "cards: card 1"),
    ):
        assert before in text
        record.write_text(text.replace(before, after), "utf-8")
        answer = cardroom("verify", record)
        assert answer.code == 1
        assert where in answer.out


def test_a_round_by_keys() -> None:
    arguments = ("play", "players-edge-21", "--seed", "2", "--players", "2", "--pace", "0.01", "--no-app")
    with Terminal(*arguments) as terminal:
        terminal.until("Cut the cards, 72 to 144 deep [108]: ")
        terminal.press("20\n")
        terminal.until("a player's cut of 20 cards is refused: 72 to 144 are allowed (PROC-6)")
        terminal.until("deep [108]: ")
        terminal.press("96 front luck\n")
        terminal.until("Your bet [3.00]: ")
        terminal.press("10 down=5\n")
        terminal.until("Match Down needs Match Up on the same hand (SIDE-3)")
        terminal.press("10 up=5 m1\n")
        terminal.until("u surrender")
        terminal.press("p")
        terminal.until("only two cards of equal value may be split (21-1.6)")
        terminal.press(":double for 3\n")
        terminal.until("neither less nor more (PE21-8.2)")
        terminal.press("d")
        terminal.until("r rescue")
        terminal.press("r")
        terminal.until("Your result: −$16.00")
        terminal.until("Your bet [10 up=5 m1]: ")
        terminal.press("\n")
        terminal.until("q leave")
        terminal.press("q")
        terminal.until("Your session of 2 rounds")


@pytest.mark.requirement("R-15")
def test_an_interrupted_round_is_played_to_its_end(tmp_path: Path, cardroom: CommandLine) -> None:
    record = tmp_path / "x.jsonl"
    arguments = ["play", "players-edge-21", "--seed", "3", "--bet", "10", "--cut", "2"]
    arguments += ["--record", str(record)]
    with Terminal(*arguments, "--rounds", "9", "--pace", "0.01", exit_code=130) as terminal:
        terminal.until("q leave")
        terminal.press("\x03")
        terminal.until("Your session of 1 round")
    assert cardroom("verify", record).code == 0
    assert len(rounds_of(record)) == 1
