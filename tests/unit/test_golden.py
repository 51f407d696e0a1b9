"""What earlier versions wrote is read, verified and replayed, today and after the rules have changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cardroom
import cardroom as cr
from cardroom.core.errors import MalformedInput
from cardroom.engine import knockout52, twentyone
from cardroom.engine.contract import Done
from cardroom.fair.merkle import leaf_hash
from cardroom.fair.record import canonical
from cardroom.fair.verify import verify_records
from cardroom.games import GAMES
from cardroom.lottery.verify import check_proof, verify_draw
from cardroom.records import KINDS, tables
from cardroom.rules import load_rules, parse_rules
from cardroom.rules.round_head import RulesForm, shown
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.store.archive_check import check_archives
from cardroom.store.archive_file import open_archive
from cardroom.store.log import body_text, check_chain
from cardroom.table.knockout52.finished import FinishedGame
from tests.command_line import CommandLine
from tests.golden_house import VERSIONS, GoldenSet, package, tomorrow

DEALT = sorted(game.id for game in GAMES.values() if game.replay is not None)
ENGINES: dict[str, Any] = {game: knockout52 if game == "knockout-52" else twentyone for game in DEALT}
__all__ = ["package"]


@pytest.fixture(params=VERSIONS)
def golden(request: pytest.FixtureRequest, package: str) -> GoldenSet:
    assert package
    return GoldenSet(request.param)


def test_every_kind_of_record_is_kept() -> None:
    """A kind that is added to `AnyRecord` needs a golden record: `make golden` writes the set anew."""
    kept = {record.kind for version in VERSIONS for record in GoldenSet(version).log()}
    assert set(KINDS) - kept == set()
    assert cardroom.__version__ in VERSIONS


def test_every_game_that_is_dealt_has_a_golden_round() -> None:
    folder = GoldenSet(cardroom.__version__).folder
    for form in ("short", "whole"):
        texts = [path.name.removesuffix(f"-{form}.txt") for path in folder.glob(f"*-{form}.txt")]
        assert sorted(texts) == DEALT


def test_golden_data_is_small() -> None:
    for version in VERSIONS:
        assert sum(path.stat().st_size for path in GoldenSet(version).folder.iterdir()) < 400_000


def test_records_are_read_and_mean_the_same(golden: GoldenSet) -> None:
    log = golden.log()
    assert list(check_chain(log)) == []
    for logged in log:
        record, moves = logged.read()
        content = record.content()
        if moves:
            content["transfers"] = [[move.source, move.target, move.amount_cents] for move in moves]
        if logged.content.get("version", 1) == record.version:
            assert json.loads(body_text(content)) == logged.content


def test_rules_keep_their_text_and_hash(golden: GoldenSet) -> None:
    for rules_hash, text in golden.rules().items():
        rules = parse_rules(text)
        assert rules.rules_hash == rules_hash
        assert rules.canonical_text() == text


def test_rounds_are_replayed(golden: GoldenSet) -> None:
    texts, played = golden.rules(), 0
    for logged in golden.log():
        record, _ = logged.read()
        if isinstance(record, tables.TwentyOneRoundEnded):
            rules = parse_rules(texts[record.rules_hash])
            assert isinstance(rules, TwentyOneRules)
            state, events = twentyone.replay(record.notation, rules)
            assert state.phase is twentyone.Phase.OVER
            assert twentyone.balance(events).players == record.net_cents
            played += 1
        elif isinstance(record, tables.Knockout52GameEnded):
            assert FinishedGame.of(record, golden.now).game.outcome == record.outcome
            played += 1
    assert played >= 4


@pytest.mark.parametrize("game", DEALT)
def test_texts_of_rounds_are_replayed(golden: GoldenSet, game: str) -> None:
    whole, short = golden.text(f"{game}-whole.txt"), golden.text(f"{game}-short.txt")
    state, events = ENGINES[game].replay(whole)
    assert events
    assert shown(whole) == short
    if played_by_rules_of_today(short):
        assert ENGINES[game].replay(short)[0] == state
    else:  # a short text is for the eye, and leans on the defaults of its day
        with pytest.raises(MalformedInput, match=f"{game}'s own rules have changed since"):
            ENGINES[game].replay(short)


def played_by_rules_of_today(short: str) -> bool:
    """Whether the game's own rules with the options of a short text have the hash that it names."""
    lines = [line.partition(" ")[::2] for line in short.splitlines()]
    (game,), (rules_hash,) = ([rest for word, rest in lines if word == one] for one in ("game", "rules"))
    options = [rest.partition(" = ")[::2] for word, rest in lines if word == "set"]
    return load_rules(game, {key: json.loads(value) for key, value in options}).rules_hash == rules_hash


@pytest.mark.parametrize("game", DEALT)
def test_a_short_text_is_read_until_the_games_own_rules_change(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules: Any = load_rules(game)
    whole = begun(rules)
    state, _ = ENGINES[game].replay(whole)
    assert ENGINES[game].replay(shown(whole))[0] == state
    assert played_by_rules_of_today(shown(whole))
    with tomorrow(monkeypatch):
        assert not played_by_rules_of_today(shown(whole))
        refusal = (
            f"not {rules.rules_hash[:12]}…; {game}'s own rules have changed since.* the whole text, with"
        )
        with pytest.raises(MalformedInput, match=refusal):
            ENGINES[game].replay(shown(whole))
        assert ENGINES[game].replay(shown(whole), rules)[0] == state
        assert ENGINES[game].replay(whole)[0].rules.decks == rules.decks


def begun(rules: Any) -> str:
    """The whole text of a round of which no card is dealt."""
    if rules.game == "knockout-52":
        game, _ = knockout52.start(rules, [knockout52.Stakes("Ann", {"round-1": 500})])
        return knockout52.format_game(game, RulesForm.WHOLE)
    opened, _ = twentyone.start(rules, [twentyone.SpotWager(1, "Ann", int(rules.limits.min))])
    return twentyone.format_round(opened, RulesForm.WHOLE)


@pytest.mark.slow
@pytest.mark.parametrize("game", DEALT)
def test_a_round_of_the_library_is_replayed_tomorrow(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = cr.Game(game).table(seed=1)
    played = (table.play() if game == "knockout-52" else table.play(lambda *_: "stand"))[0]
    with tomorrow(monkeypatch):
        state, _ = ENGINES[game].replay(played.notation)
        assert ENGINES[game].awaits(state) == Done()
    assert str(played) == shown(played.notation) != played.notation


@pytest.mark.parametrize("game", ["knockout-52", "blackjack"])
def test_a_session_of_the_terminal_is_replayed_tomorrow(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What `--json` prints, and what `--record` writes."""
    record = tmp_path / "session.jsonl"
    bet = ("--bet", "1=5", "--games", "1") if game == "knockout-52" else ("--auto", "--rounds", "1")
    command_line = CommandLine(monkeypatch, capsys)
    session = json.loads(command_line("play", game, *bet, "--seed", "1", "--json", "--record", record).out)
    with tomorrow(monkeypatch):
        (played,) = session["rounds"]
        state, _ = ENGINES[game].replay(played["notation"])
        assert ENGINES[game].awaits(state) == Done()
        (verdict,) = verify_records(record.read_text("utf-8"))
        assert verdict.findings == ()


def test_shoes_are_verified(golden: GoldenSet) -> None:
    lines = golden.text("shoes.jsonl").splitlines()
    verdicts = [verdict for line in lines for verdict in verify_records(line)]
    assert sorted(verdict.fields["game"] for verdict in verdicts) == DEALT
    assert [verdict.findings for verdict in verdicts] == [()] * len(DEALT)
    (broken,) = verify_records(golden.text("broken-off.jsonl"), envelope=golden.text("broken-off.envelope"))
    assert broken.findings == ()
    assert "broken off after 0 rounds" in broken.remarks[0]


def test_a_draw_is_verified(golden: GoldenSet) -> None:
    verdict = verify_draw(golden.text("draw.json"))
    assert verdict.findings == ()
    changed = json.loads(golden.text("draw.json"))
    changed["cards"] = changed["cards"][1:]
    assert not verify_draw(canonical(changed) + "\n").holds


def test_tickets_prove_their_place(golden: GoldenSet) -> None:
    proofs = [ticket["proof"] for ticket in golden.lines("tickets.jsonl") if ticket["proof"] is not None]
    assert proofs
    for proof in proofs:
        assert check_proof(proof)
        assert leaf_hash(proof["ticket"])


def test_an_archive_is_verified(golden: GoldenSet) -> None:
    paths = sorted(golden.folder.glob("*.cardroom"))
    assert [verdict.findings for verdict in check_archives(paths)] == [()] * len(paths)
    records = [record for path in paths for record in open_archive(path).records()]
    assert records == golden.log()[: len(records)]
    assert len(records) > 100
