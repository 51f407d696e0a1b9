"""`cardroom play knockout-52` and `cardroom verify`: bets, cards, money, refusals, records."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cardroom import load_rules
from cardroom.cli.knockout52.bets import computer_players, parse_bets
from cardroom.core.cards import format_cards, parse_cards
from cardroom.core.errors import MalformedInput
from cardroom.engine.knockout52 import Stakes, why_not_start
from cardroom.fair import Binding, Commitment, Seed, SeedBook, deal
from cardroom.rules.knockout52 import WAGERS, Knockout52Rules
from tests.command_line import CommandLine
from tests.terminal import Terminal

PLAY = ("play", "knockout-52")
SHOWN_CARD = re.compile(r"(?:10|[A2-9JQK])[♣♦♥♠]")


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def rules_of(**changes: object) -> Knockout52Rules:
    rules = load_rules("knockout-52", changes)
    assert isinstance(rules, Knockout52Rules)
    return rules


def shown_cards(out: str) -> str:
    """The cards on the layouts of a printed game, in order, as one text."""
    rows = [line for line in out.splitlines() if re.match(r"[●○] Round", line)]
    return format_cards(parse_cards(" ".join(SHOWN_CARD.findall("\n".join(rows)))))


@pytest.mark.parametrize(
    ("text", "stakes"),
    [
        ("1=5", {"round-1": 500}),
        ("1=5 3=2 all=1", {"round-1": 500, "round-3": 200, "all-the-way": 100}),
        ("round-1=5,r2=2.50, A=$3", {"round-1": 500, "round-2": 250, "all-the-way": 300}),
        ("all-the-way=1,000", None),
        ("", {}),
        ("1", None),
        ("=5", None),
        ("6=5", None),
        ("1=five", None),
        ("1=5 round-1=5", None),
        ("1=-5", {"round-1": -500}),
    ],
)
def test_bets_as_typed(text: str, stakes: dict[str, int] | None) -> None:
    if stakes is None:
        with pytest.raises(MalformedInput):
            parse_bets(text)
    else:
        assert parse_bets(text) == stakes


@pytest.mark.requirement("R-12")
def test_what_is_shown_is_what_was_committed(cardroom: CommandLine, tmp_path: Path) -> None:
    """From the printed commitment and secret and the shoe's id, the cards on the screen follow."""
    record = tmp_path / "game.jsonl"
    out = cardroom(*PLAY, "--bet", "1=5", "--auto", "--cut", "my cut", "--record", record).out
    rules = rules_of()
    shoe_id = json.loads(record.read_text())["shoe_id"]
    binding = Binding("knockout-52", rules.rules_hash, shoe_id, str(rules.shoe))
    secret = re.search(r"Secret +([0-9a-f]{64})", out)
    commitment = re.search(r"Commitment ([0-9a-f]{64})", out)
    assert secret is not None
    assert commitment is not None
    assert out.index("Commitment") < out.index("Round 1") < out.index("Secret")
    seed = Seed.parse(secret[1])
    assert Commitment.parse(commitment[1]).opens_to(seed, binding)
    dealt = format_cards(deal(seed, binding, salt=b"my cut").cards)
    assert shown_cards(out)
    assert dealt.startswith(shown_cards(out))


@pytest.mark.requirement("R-13")
def test_the_cards_do_not_depend_on_stakes_or_players(cardroom: CommandLine) -> None:
    games = [
        cardroom(*PLAY, "--seed", "4", "--games", "5", "--auto", *more).out
        for more in (
            ["--bet", "1=1"],
            ["--bet", "all=500", "--bet", "4=500"],
            ["--bet", "2=7", "--players", "6", "--name", "Zoë"],
        )
    ]
    assert len({shown_cards(game) for game in games}) == 1


@pytest.mark.requirement("R-10")
def test_every_game_has_a_secret_of_its_own(cardroom: CommandLine) -> None:
    out = cardroom(*PLAY, "--bet", "1=1", "--auto", "--games", "20").out
    assert len(set(re.findall(r"Secret +(\w{64})", out))) == 20
    assert "not for money" not in out


def test_a_seed_makes_the_games_repeatable_and_says_so(cardroom: CommandLine) -> None:
    one = cardroom(*PLAY, "--seed", "7", "--bet", "1=5", "--games", "3", "--auto")
    assert one == cardroom(*PLAY, "--seed", "7", "--bet", "1=5", "--games", "3", "--auto")
    assert "Repeatable games from seed 7: not for money." in one.out
    assert one != cardroom(*PLAY, "--seed", "8", "--bet", "1=5", "--games", "3", "--auto")
    assert one != cardroom(*PLAY, "--seed", "7", "--bet", "1=5", "--games", "3", "--auto", "--cut", "x")


def test_the_result_of_a_session_by_wager(cardroom: CommandLine, tmp_path: Path) -> None:
    """The sums are worked out again from the games in the record."""
    record = tmp_path / "games.jsonl"
    out = cardroom(
        *PLAY, "--seed", "2", "--bet", "1=5 2=3 all=1", "--games", "30", "--auto", "--record", record
    ).out
    won = {"round-1": 0, "round-2": 0, "all-the-way": 0}
    for line in record.read_text().splitlines():
        cards = parse_cards(" ".join(re.findall(r"row \d: (.*)", json.loads(line)["rounds"][0])))
        matched = cards[-1].rank == (len(cards) - 1) % 13 + 1
        outcome = f"round-{(len(cards) - 1) // 13 + 1}" if matched else "all-the-way"
        won[outcome] = won.get(outcome, 0) + 1
    assert min(won["round-1"], won["round-2"]) > 0
    net1 = 250 * won["round-1"] - 500 * (30 - won["round-1"])
    net2 = 900 * won["round-2"] - 300 * (30 - won["round-2"])
    net5 = 5000 * won["all-the-way"] - 100 * (30 - won["all-the-way"])
    table = out[out.index("Your session of 30 games") :]

    def last(title: str) -> str:
        return next(line for line in table.splitlines() if line.startswith(title)).split()[-1]

    def money(cents: int) -> str:
        return f"{'−' if cents < 0 else '+' if cents else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"

    assert last("Round 1") == money(net1)
    assert last("Round 2") == money(net2)
    assert last("All the Way") == money(net5)
    assert last("Together") == money(net1 + net2 + net5)


@pytest.mark.slow
@pytest.mark.clause("KO52-3")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bet", "1=-5"], "Round 1: a stake of -$5.00 is not from $1.00 to $500.00 (KO52-3)"),
        (["--bet", "1=0"], "a stake of $0.00 is not from $1.00 to $500.00 (KO52-3)"),
        (["--bet", "1=501"], "a stake of $501.00 is not from $1.00 to $500.00 (KO52-3)"),
        (["--bet", "1=1.50"], "not in whole chips of $1.00 (KO52-11)"),
        (["--bet", ""], "Player has no wager"),
        (["--auto"], "stake any of round-1, round-2, round-3, round-4, all-the-way (KO52-3)"),
        (["--bet", "7=1"], "'7=1' is not a bet; a bet is WAGER=AMOUNT"),
        (["--bet", "1=1e9"], "'1e9' is not an amount of money"),
        (["--bet", "1=1", "--bet", "1=1"], "Round 1 is staked twice"),
        (["--bet", "1=1", "--games", "0"], "--games 0 is not allowed; allowed: 1 to 1000000"),
        (["--bet", "1=1", "--players", "7"], "--players 7 is not allowed; allowed: 0 to 6"),
        (["--bet", "1=1", "--pace", "-1"], "--pace -1 is not allowed; allowed: step, or seconds"),
        (["--bet", "1=1", "--pace", "fast"], "--pace fast is not allowed"),
        (["--bet", "1=1", "--seed", "-1"], "--seed -1 is not allowed"),
        (["--bet", "1=1", "--name", ""], "'' is not a player's name"),
        (["--bet", "1=1", "--name", "Ada", "--players", "1"], "Ada is at the table twice"),
        (["--bet", "1=1", "--cut", "x" * 201], "a cut is at most 200 printable characters"),
        (["--bet", "1=1", "--set", "decks=5"], "decks = 5 is not allowed"),
        (["--bet", "1=1", "--record", "/nowhere/at/all"], "cannot add records to /nowhere/at/all"),
    ],
)
def test_refused_before_a_card_is_dealt(cardroom: CommandLine, arguments: list[str], said: str) -> None:
    assert said in cardroom.refused(*PLAY, *arguments)


@pytest.mark.clause("KO52-3")
def test_a_wager_after_the_first_card_is_refused(cardroom: CommandLine) -> None:
    said = cardroom.refused(*PLAY, "--seed", "7", "--pace", "step", stdin="1=5\n\n2=5\n")
    assert said == "Player cannot stake Round 2: no wager is placed after the first card (KO52-3)"


def test_bets_from_a_pipe(cardroom: CommandLine) -> None:
    answer = cardroom(*PLAY, "--seed", "7", stdin="odds\nhelp\ncut abc\n1=5 2=1\n\nquit\n1=7\n")
    assert answer.code == 0
    assert "17.21 %" in answer.out
    assert "Your session of 2 games" in answer.out
    session = answer.out[answer.out.index("Your session") :]
    assert "$10.00" in next(line for line in session.splitlines() if line.startswith("Round 1  "))


@pytest.mark.parametrize("stdin", ["", "1=5\n"])
def test_the_end_of_the_input_ends_the_session(cardroom: CommandLine, stdin: str) -> None:
    answer = cardroom(*PLAY, stdin=stdin)
    assert (answer.code, answer.err) == (0, "")
    assert ("Your session of 1 game" if stdin else "No game was played.") in answer.out


@pytest.mark.parametrize("stdin", ["hello\n", "1=-5\n", "\n", "1=5\n3=0\n"])
def test_wrong_bets_from_a_pipe(cardroom: CommandLine, stdin: str) -> None:
    cardroom.refused(*PLAY, stdin=stdin)


def test_cards_by_lines_with_chances(cardroom: CommandLine) -> None:
    """Seed 7 deals K J 4 8 A …: after one card of a known deck the chances are no longer the first ones."""
    out = cardroom(*PLAY, "--seed", "7", "--pace", "step", stdin="1=5\no\n\no\n").out
    first, second = (line for line in out.splitlines() if re.search(r"^Round 1 .*in play", line))
    assert "64.31 %" in first
    assert "%" in second
    assert first != second
    assert "Your session of 1 game" in out


def test_chances_at_the_end_of_every_row(cardroom: CommandLine) -> None:
    """A game that passes a row (one of ten does, but for one time in a hundred) shows what that row lost."""
    out = cardroom(*PLAY, "--seed", "3", "--bet", "1=1", "--games", "10", "--auto", "--chances").out
    assert re.search(r"^● Round 2", out, re.MULTILINE)
    assert re.search(r"^Round 1 +1 to 2 +\$1\.00 +lost +lost \$1\.00", out, re.MULTILINE)


@pytest.mark.parametrize(
    "changes", [{}, {"limits.min": "10.00", "limits.max": "20.00", "limits.chip": "5.00"}]
)
def test_the_computers_players_bet_within_the_rules(changes: dict[str, object]) -> None:
    rules = rules_of(**changes)
    players = computer_players(rules, 6)
    assert len({player.player for player in players}) == 6
    assert why_not_start(rules, players) is None
    assert {wager for player in players for wager in player.stakes} == set(WAGERS)


def test_records_are_verified(cardroom: CommandLine, tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    arguments = (*PLAY, "--bet", "1=5 all=1", "--auto", "--players", "3", "--record", record)
    assert cardroom(*arguments, "--games", "2", "--set", "decks=8").code == 0
    out = cardroom(*arguments, "--cut", "ünder the gun").out
    assert f"cardroom verify {record}" in out
    answer = cardroom("verify", record)
    assert answer.code == 0
    assert answer.out.count("all in order") == 3
    found = cardroom("verify", "shoe", record, "--json").json
    assert [entry["holds"] for entry in found["records"]] == [True, True, True]
    shown = re.search(r"Commitment (\w{64})", out)
    assert shown is not None
    assert cardroom("verify", record, "--commitment", shown[1].upper()).code == 0
    other = cardroom("verify", record, "--commitment", "00" * 32)
    assert other.code == 1
    assert "No record here has the commitment you were shown." in other.out
    assert "64 hexadecimal digits" in cardroom.refused("verify", record, "--commitment", "00")


def test_a_replay_tells_every_event(cardroom: CommandLine, tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    played = cardroom(*PLAY, "--seed", "7", "--bet", "1=5 all=1", "--auto", "--record", record).out
    out = cardroom("verify", record, "--replay").out
    assert "repeatable seed 7: a repeatable shoe, not for money" in out
    cards = [parse_cards(text)[0] for text in re.findall(r"card \d+, row \d: (\S+)", out)]
    assert format_cards(cards) == shown_cards(played) == shown_cards(out)
    order = [
        "Player: $5.00 staked on Round 1",
        "the marker stands in Round 1",
        "– a match",
        "Player: $2.50 won",
    ]
    assert [out.index(words) for words in order] == sorted(out.index(words) for words in order)


def test_a_changed_record_is_named(cardroom: CommandLine, tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    cardroom(*PLAY, "--bet", "1=5", "--games", "2", "--auto", "--record", record)
    text = record.read_text()
    lines = text.splitlines()
    record.write_text(f"{lines[0]}\n{lines[1].replace('round-1 5.00', 'round-1 6.00')}\n")
    answer = cardroom("verify", record)
    assert answer.code == 1
    assert "line 1: knockout-52" in answer.out
    assert "rounds: does not fit its seal" in answer.out
    record.write_bytes(text.encode().replace(b"knockout", b"kno\xffkout", 1))
    assert "byte " in cardroom.refused("verify", record)
    record.write_text("hello\n")
    assert "not a record" in cardroom.refused("verify", record)


@pytest.mark.requirement("R-8")
def test_a_seed_of_the_record_file_may_not_come_again(
    cardroom: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "games.jsonl"
    cardroom(*PLAY, "--bet", "1=5", "--auto", "--record", record)
    secret = bytes.fromhex(json.loads(record.read_text())["secret"])
    monkeypatch.setattr("cardroom.fair.seeds.PROCESS_BOOK", SeedBook())  # as in a new process
    monkeypatch.setattr("secrets.token_bytes", lambda length: secret)
    before = record.read_text()
    assert "used before" in cardroom.refused(*PLAY, "--bet", "1=5", "--auto", "--record", record)
    assert record.read_text() == before


@pytest.mark.parametrize("text", ["Dear Ada\n", "[" * 20_000], ids=["a letter", "brackets"])
def test_records_are_not_added_to_another_kind_of_file(
    cardroom: CommandLine, tmp_path: Path, text: str
) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text(text)
    said = cardroom.refused(*PLAY, "--bet", "1=5", "--auto", "--record", letter)
    assert "is not a file of records (line 1)" in said
    assert letter.read_text() == text


def test_a_game_by_keys() -> None:
    with Terminal(*PLAY, "--no-app", "--seed", "7", "--pace", "step") as terminal:
        terminal.until("Your bets: ")
        terminal.press("1=-5\n")
        terminal.until("is not from $1.00 to $500.00 (KO52-3)")
        terminal.until("Your bets: ")
        terminal.press("1=5 all=1\n")
        terminal.until("space: next card")
        terminal.press(" ")
        terminal.until("K♥")
        terminal.press("o")
        terminal.until("%")
        terminal.press("b")
        terminal.until("no wager is placed after the first card (KO52-3)")
        terminal.press("f")
        terminal.until("Your bets [1=5 all=1]: ")
        terminal.press("\x04")
        terminal.until("Your session of 1 game")


def test_a_game_at_its_pace() -> None:
    """`r` runs on from card by card, `space` stops again, and `q` leaves when the game is over."""
    with Terminal(*PLAY, "--seed", "3", "--pace", "30", "--bet", "1=1", "--games", "5") as terminal:
        terminal.until("space: card by card")
        terminal.press(" ")
        terminal.until("space: next card")
        terminal.press("\x1b[A")  # an arrow means nothing
        terminal.press(" ")
        terminal.until("7♦")
        terminal.press("g")
        terminal.until("space: card by card")
        terminal.press("q")
        terminal.until("Your session of 1 game")


@pytest.mark.slow
@pytest.mark.requirement("R-15")
@pytest.mark.parametrize("pace", ["step", "0.01", "30"])
def test_an_interrupted_game_is_dealt_to_its_end(tmp_path: Path, cardroom: CommandLine, pace: str) -> None:
    """Ctrl-C at any moment of a game: its cards stay, it is settled and recorded, then the session ends."""
    record, whole = tmp_path / "games.jsonl", tmp_path / "whole.jsonl"
    bets = ("--seed", "7", "--bet", "1=5", "--games")
    with Terminal(*PLAY, *bets, "10000", "--pace", pace, "--record", str(record), exit_code=130) as terminal:
        terminal.until("○ All the Way")
        terminal.press("\x03")
        terminal.until("Your session of ")
    games = len(record.read_text().splitlines())
    assert 1 <= games < 10000
    cardroom(*PLAY, *bets, str(games), "--auto", "--record", whole)
    assert record.read_text() == whole.read_text()
    assert cardroom("verify", record).code == 0


def test_stakes_are_the_engines(cardroom: CommandLine, tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    cardroom(*PLAY, "--bet", "1=5", "--bet", "all=2", "--auto", "--name", "Zoë", "--record", record)
    notation = json.loads(record.read_text())["rounds"][0]
    assert 'player "Zoë": round-1 5.00, all-the-way 2.00' in notation
    assert Stakes("Zoë", parse_bets("1=5 all=2")).total_cents == 700
