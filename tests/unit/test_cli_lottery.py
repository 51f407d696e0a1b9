"""`cardroom lottery` from the first commitment to the last claim, and what it refuses."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardroom.cli import main
from cardroom.lottery.clock import SystemClock
from tests.databases import HandClock
from tests.lottery_house import pacific

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> HandClock:
    """The machine's clock, set by hand."""
    hand = HandClock(pacific("2025-06-14 10:00"))
    monkeypatch.setattr(SystemClock, "now", lambda _self: hand.moment)
    return hand


@pytest.fixture
def run(clock: HandClock, sqlite_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `cardroom lottery …` on a database of the test's own: exit code, stdout, stderr."""

    def run(command: str, *arguments: str) -> tuple[int, str, str]:
        where = ["--database", sqlite_url, "--vault", str(tmp_path / "vault")]
        code = main(["lottery", command, *arguments, *where])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    run("open-day")
    return run


def sold(run: Run, *arguments: str) -> list[dict[str, Any]]:
    code, out, _ = run("sell", "--json", *arguments)
    assert code == 0
    tickets: list[dict[str, Any]] = json.loads(out)
    return tickets


@pytest.mark.slow
@pytest.mark.requirement("R-23")
def test_a_draw_from_ticket_to_claim(
    run: Run, clock: HandClock, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "paper"
    (ticket,) = sold(run, "--blind", "--choice", "15=H", "--pdf", str(folder), "--png", str(folder))
    assert {path.suffix for path in folder.iterdir()} == {".pdf", ".png"}
    number, code = ticket["control_number"], ticket["code"]
    assert run("check", number)[1] == "not yet drawn\n"
    assert run("alter", number, "--choice", "15=S")[0] == 0
    clock.moment = pacific("2025-06-14 11:20:30")
    assert "is sealed: 1 ticket, $5.00" in run("close", "1")[1]
    clock.moment = pacific("2025-06-14 11:21:00")
    assert run("draw", "1")[1].startswith("draw 1: ")
    assert "Game 1: 1 winner, $10.00 each" in run("settle", "1")[1]
    assert run("check", number)[1] == "prize of $45.00\n"
    assert run("claim", number, "--code", code)[:2] == (
        1,
        "void print\n",
    )  # the original print, since altered
    proof = json.loads(run("proof", ticket["id"])[1])
    assert proof["count"] == 1
    report = json.loads(run("report", "1", "--json")[1])
    assert (report["sales_cents"], report["prizes_cents"]) == (500, 4500)
    assert "sales" in run("report", "2025-06-14")[1]
    code_of_record, record, _ = run("record", "1")
    assert code_of_record == 0
    path = tmp_path / "draw.json"
    path.write_text(record, "utf-8")
    assert main(["verify", "draw", str(path)]) == 0
    assert "all in order" in capsys.readouterr().out
    assert main(["verify", "draw", "--replay", "--commitment", ticket["commitment"], str(path)]) == 0
    assert "position 15" in capsys.readouterr().out
    path.write_text(record.replace('"number":1', '"number":2'), "utf-8")
    assert main(["verify", "draw", "--json", str(path)]) == 1
    assert "number" in {finding["where"] for finding in json.loads(capsys.readouterr().out)["findings"]}
    assert run("verify", "--head", ticket["log_head"])[0] == 0
    assert run("verify", "--head", f"999:{'0' * 64}")[0] == 1


def test_a_prize_is_claimed_once(run: Run, clock: HandClock) -> None:
    (ticket,) = sold(run)
    clock.moment = pacific("2025-06-14 11:20:30")
    assert "sealed draw 1" in run("advance")[1]
    clock.moment = pacific("2025-06-14 11:21:00")
    assert "settled draw 1" in run("advance")[1]
    claim = ("claim", ticket["control_number"], "--code", ticket["code"])
    assert run(*claim, "--key", "desk-1")[:2] == (0, "paid: prize of $45.00\n")
    assert run(*claim, "--key", "desk-1")[:2] == (0, "paid: prize of $45.00\n")
    assert run(*claim)[:2] == (1, "paid already\n")
    assert json.loads(run("check", ticket["control_number"], "--json")[1])["answer"] == "paid already"


@pytest.mark.slow
@pytest.mark.requirement("R-34")
def test_what_was_bought_and_altered_is_printed_and_printed_again(
    run: Run, tmp_path: Path, typed: Callable[[str], None]
) -> None:
    (ticket,) = sold(run, "--blind", "--choice", "15=S")
    paper = tmp_path / "paper"
    code, out, err = run("alter", ticket["control_number"], "--choice", "15=H", "--pdf", str(paper))
    assert code == 0
    assert "Print 2 of ticket" in out
    assert err.startswith(f"purchase {ticket['purchase']}; key ")
    assert [path.name for path in paper.iterdir()] == [f"{ticket['id']}.pdf"]
    (again,) = json.loads(run("reprint", ticket["key"], "--json")[1])
    assert (again["id"], again["print"], again["key"]) == (ticket["id"], 2, ticket["key"])
    assert run("reprint", "another key")[2] == "cardroom: no tickets were bought with this key\n"
    assert run("sell", "--key", "mine")[2] == run("reprint", "mine")[2]
    assert "key mine: asked again" in run("reprint", "mine")[2]
    typed("")
    purchase = run("sell", "--choose", "--key", "begun")[2].rpartition(" ")[2].strip()
    assert f"purchase {purchase} is not printed yet" in run("reprint", "begun")[2]


@pytest.mark.slow
@pytest.mark.requirement("R-33", "R-35")
def test_bad_input_is_refused_with_its_clause_and_takes_nothing(run: Run, clock: HandClock) -> None:
    (ticket,) = sold(run, "--blind", "--choice", "15=S")
    number = ticket["control_number"]
    assert run("alter", number, "--choice", "15=H")[0] == 0
    before = run("verify")[1]
    assert "all in order" in before
    refused = {
        ("sell", "--tickets", "10"): "KO21-2.2",
        ("sell", "--draws", "4"): "KO21-2.2",
        ("sell", "--draw", "9999"): "KO21-2.11",
        ("sell", "--choice", "2=H"): "KO21-5.1",
        ("sell", "--choice", "16=H"): "hands 1 to 15",
        ("sell", "--choice", "15=X"): "HAND=H or HAND=S",
        ("sell", "--choice", "5=H"): "KO21-2.6",  # no hand has been seen
        ("sell", "--choose", "--choice", "5=H"): "KO21-2.6",
        ("sell", "--blind"): "--blind goes with --choice",
        ("sell", "--choice", "5=H", "--choice", "5=S", "--blind"): "hand 5 is chosen twice",
        ("sell", "--choice", "5=H", "--choice", "05=H", "--blind"): "hand 5 is chosen twice",
        ("alter", number, "--choice", "15=S"): "KO21-2.7",
        ("alter", number, "--choice", "15=S", "--choice", "15=H"): "hand 15 is chosen twice",
        ("alter", number): "say what to alter",
        ("choose", "1"): "there is no purchase 1",
        ("alter", "34679-34679A-34679-34679A", "--choice", "15=S"): "is not a control number",
        ("alter", number[:-1] + ("3" if number[-1] != "3" else "4"), "--choice", "15=S"): "is not a control",
        ("close", "1"): "KO21-3.1",
        ("draw", "1"): "only a sealed pool",
        ("draw", "1", "--manual", "--by", "ann", "--reason", "fire"): "two people",
        ("draw", "1", "--by", "ann", "--by", "bob"): "needs no signature",
        ("draw", "1", "--manual", "--by", "ann", "--by", "bob"): "takes a reason (KO21-3.4)",
        ("void", "1", "--reason", " ", "--by", "ann", "--by", "bob"): "takes a reason (KO21-3.4)",
        ("void", "1", "--reason", "x", "--by", "ann"): "two people",
        ("release", "1", "--reason", "x"): "two people",
        ("settle", "7777"): "KO21-2.11",
        ("report", "yesterday"): "is not a day",
        ("switch", "all", "--off"): "signed by one operator",
        ("verify", "--head", "x"): "SEQ:HASH",
        ("record", "1"): "published when it is settled",
        ("open-day", "2025-06-13"): "KO21-3.1",
    }
    for command, why in refused.items():
        code, out, err = run(*command)
        assert (code, out) == (2, ""), command
        assert why in err, command
        assert err.count("\n") == 1
    assert run("verify")[1] == before  # not one record was added
    clock.moment = pacific("2025-06-14 11:20:30")
    assert "KO21-2.4" in run("sell", "--draw", "1")[2]
    assert run("verify")[1] == before


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """What the buyer types at the questions to come."""
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


@pytest.mark.clause("KO21-2.6")
def test_the_hands_are_shown_before_the_choices_are_asked_for(run: Run, typed: Callable[[str], None]) -> None:
    typed("5=H 5=S\n2=H\nfive\n5=H, 15=s\n\n")
    code, out, err = run("sell", "--choose", "--tickets", "2", "--json")
    assert code == 0
    first, second = json.loads(out)
    shown, _, rest = err.partition("Choices to change")
    assert "Ticket 1 of 2: draw 1, 2025-06-14 11:21 PDT; sales close at 11:20:30" in shown
    assert sum(line.startswith("  hand ") for line in shown.splitlines()) == 15
    assert shown.count("plays itself") == 4
    for refusal in ("hand 5 is chosen twice", "KO21-5.1", "'five' is not a choice"):
        assert refusal in rest
    assert (_letters(first)[4], _letters(first)[14]) == ("H", "S")
    assert second["overrides"] == []
    assert first["print"] == second["print"] == 1


@pytest.mark.clause("KO21-2.6", "KO21-2.8")
def test_a_purchase_left_in_the_middle_is_gone_on_with(
    run: Run, clock: HandClock, typed: Callable[[str], None]
) -> None:
    typed("5=H 6=H\n")  # the first ticket is answered, then the line is cut
    code, out, err = run("sell", "--choose", "--tickets", "2", "--key", "k")
    assert (code, out) == (130, "")
    purchase = err.rpartition("cardroom lottery choose ")[2].strip()
    typed("6=S\n\n")
    code, out, _ = run("choose", purchase, "--json")
    assert code == 0
    first, second = json.loads(out)
    assert {first["print"], second["print"]} == {1}
    assert _letters(first)[4:6] == "HS"  # hand 5 as it was kept, hand 6 as it was changed
    assert run("choose", purchase)[2].endswith("(KO21-2.7)\n")
    again = json.loads(run("sell", "--choose", "--tickets", "2", "--key", "k", "--json")[1])
    assert [one["id"] for one in again] == [first["id"], second["id"]]
    # One that is never gone on with is issued by the close, with the charts' choices.
    typed("")
    purchase = run("sell", "--choose")[2].rpartition("cardroom lottery choose ")[2].strip()
    clock.moment = pacific("2025-06-14 11:20:30")
    assert run("close", "1")[0] == 0
    assert "KO21-2.7" in run("choose", purchase)[2]
    assert "all in order" in run("verify")[1]


def _letters(ticket: dict[str, Any]) -> str:
    """The last letter of each hand: its choice."""
    return "".join(word[-1] for word in ticket["hands"].replace("/", " ").split())


@pytest.mark.slow
@pytest.mark.clause("KO21-3.1")
@pytest.mark.parametrize(
    ("at", "on_sale"),
    [("12:37", [12, 13, 14]), ("12:38", [13, 14, 15]), ("22:45", [99, 100]), ("23:30", [])],
)
def test_a_day_opened_late_opens_the_draws_that_are_left(
    clock: HandClock,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    at: str,
    on_sale: list[int],
) -> None:
    """Draws come every seven minutes from 11:21: number 12 at 12:38, and its sales close at 12:37:30."""
    clock.moment = pacific(f"2025-06-14 {at}")
    where = ["--database", f"sqlite:///{tmp_path / 'late.db'}", "--vault", str(tmp_path / "vault")]
    assert main(["lottery", "open-day", *where]) == 0
    out = capsys.readouterr().out
    assert [int(line.split()[1]) for line in out.splitlines() if "is on sale" in line] == on_sale
    assert ("have closed" in out) == (not on_sale)


def test_other_house_rules_and_wrong_databases(
    clock: HandClock, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--database", f"sqlite:///{tmp_path / 'new.db'}", "--vault", str(tmp_path / "vault")]
    assert main(["lottery", "open-day", "--set", "draws.interval_minutes=240", *where]) == 0
    assert "draws 1 to 3" in capsys.readouterr().out
    assert main(["lottery", "verify", "--database", "mysql://x/y", "--vault", str(tmp_path / "vault")]) == 2
    assert "sqlite:///FILE or postgresql://" in capsys.readouterr().err


@pytest.mark.slow
def test_a_day_is_simulated(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--set", "draws.interval_minutes=240", "--buyers", "15", "--check-every", "5"]
    assert main(["lottery", "simulate-day", "--json", *few]) == 0
    day = json.loads(capsys.readouterr().out)
    assert day["draws"] == 3
    assert main(["lottery", "simulate-day", "--no-faults", *few]) == 0
    assert "money conserved" in capsys.readouterr().out
    assert main(["lottery", "simulate-day", "--buyers", "-1"]) == 2
