"""The draw: sealed first, blind to tickets, by the schedule or by two people, from committed secrets."""

from __future__ import annotations

import ast
import inspect
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

import cardroom.fair.draw as draw_module
from cardroom.core.cards import CARDS, parse_cards
from cardroom.core.errors import Conflict, IllegalAction, Unavailable
from cardroom.engine.knockout21.draw import values_of
from cardroom.fair.draw import (
    DrawSeal,
    commit_opening,
    commit_secret,
    draw_cards,
    opening_cards,
    ticket_cards,
)
from cardroom.fair.draw_process import draw_apart
from cardroom.fair.entropy import OperatingSystem, Rehearsal
from cardroom.fair.merkle import inclusion_proof, leaf_hash, merkle_root, proves
from cardroom.fair.seeds import Seed
from cardroom.games import KNOCKOUT_21
from cardroom.lottery.claims import check_ticket
from cardroom.lottery.draws import close_sales, perform_draw, release_draw, seal_pool, void_draw
from cardroom.lottery.house import Lottery
from cardroom.lottery.scheduler import advance
from cardroom.lottery.settlement import settle_draw
from cardroom.lottery.vault import FileVault, MemoryVault
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout21.law import dealer_draws
from cardroom.store import lottery as rows
from cardroom.store.migrate import open_database
from cardroom.web.live.lottery import DEMO_CHANGES
from cardroom.web.live.vaults import DemoVault
from tests.databases import HandClock
from tests.lottery_house import open_house

RULES_HASH = "ab" * 32


def drawn_with(secret: bytes, root: bytes = bytes(32), number: int = 1) -> str:
    first = parse_cards("5h2h7s7sQs")
    return str(draw_cards(Seed(secret), DrawSeal(number, RULES_HASH, root, first)).draw)


@pytest.mark.requirement("R-1", "R-4")
def test_every_card_comes_up_in_every_position() -> None:
    """All 52 as hit card and as dealer's first card, in all 15 positions; the hit cards also uniformly."""
    seen: list[set[int]] = [set() for _ in range(30)]
    hits: Counter[int] = Counter()
    for number in range(900):
        secret = Seed(number.to_bytes(32, "big"))
        first = opening_cards(secret, number, RULES_HASH)
        drawn = draw_cards(secret, DrawSeal(number, RULES_HASH, bytes(32), first)).draw
        for place, position in enumerate(drawn.positions):
            seen[place].add(position.hit.index)
            seen[15 + place].add(position.dealer[0].index)
            hits[position.hit.index] += 1
    assert all(len(cards) == len(CARDS) for cards in seen)
    expected = 900 * 15 / 52
    chi_square = sum((hits[card.index] - expected) ** 2 / expected for card in CARDS)
    assert chi_square < 77.4  # the 99 % point with 51 degrees of freedom


@pytest.mark.requirement("R-13", "R-18")
def test_the_drawing_process_cannot_see_tickets() -> None:
    assert list(inspect.signature(draw_cards).parameters) == ["secret", "seal"]
    assert list(DrawSeal.__dataclass_fields__) == ["number", "rules_hash", "root", "first_cards"]
    for module in (draw_module, inspect.getmodule(draw_apart)):
        assert module is not None
        tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
        imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not [name for name in imported if "store" in name or "lottery" in name or "sqlalchemy" in name]


@pytest.mark.requirement("R-7", "R-10")
def test_the_cards_hang_on_secret_root_number_and_rules() -> None:
    base = drawn_with(bytes(32))
    assert drawn_with(bytes(32)) == base
    others = {drawn_with(b"\1" * 32), drawn_with(bytes(32), b"\1" * 32), drawn_with(bytes(32), number=2)}
    assert base not in others
    assert len(others) == 3
    assert commit_secret(Seed(bytes(32)), 1, RULES_HASH) != commit_opening(Seed(bytes(32)), 1, RULES_HASH)
    assert commit_secret(Seed(bytes(32)), 1, RULES_HASH) != commit_secret(Seed(bytes(32)), 2, RULES_HASH)


def test_dealers_hands_are_finished_and_the_first_cards_are_those_shown() -> None:
    first = parse_cards("5h2h7s7sQs")
    for number in range(50):
        drawn = draw_cards(Seed(number.to_bytes(32, "big")), DrawSeal(number, RULES_HASH, b"", first)).draw
        assert drawn.first_cards == first
        for position in drawn.positions:
            assert not dealer_draws(values_of(position.dealer))


@pytest.mark.requirement("R-18")
def test_a_process_of_its_own_draws_the_same(sqlite_url: str) -> None:
    with open_house(sqlite_url) as house:
        house.sell(2)
        house.seal(1)
        house.clock.moment = house.draw(1).due_at
        drawn = perform_draw(house.lottery, 1, drawer=draw_apart)
        seal = DrawSeal(
            1, drawn.rules_hash, bytes.fromhex(drawn.root or ""), parse_cards(drawn.first_cards or "")
        )
        assert drawn.cards == str(draw_cards(house.lottery.vault.secret(1), seal).draw)


def test_a_drawing_process_that_fails_leaves_the_draw_to_be_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(Unavailable, match="tried again"):
        draw_apart(Seed(bytes(32)), DrawSeal(1, RULES_HASH, b"", parse_cards("5h2h7s7sQs")))


@pytest.mark.requirement("R-17")
def test_a_draw_starts_only_on_a_sealed_close(database_url: str) -> None:
    with open_house(database_url) as house:
        house.sell()
        house.clock.moment = house.draw(1).due_at
        with pytest.raises(Conflict, match="only a sealed pool is drawn"):
            perform_draw(house.lottery, 1)
        with pytest.raises(Conflict, match="have not closed"):
            seal_pool(house.lottery, 1)
        close_sales(house.lottery, 1)
        with pytest.raises(Conflict, match="only a sealed pool is drawn"):
            perform_draw(house.lottery, 1)
        sealed = seal_pool(house.lottery, 1)
        assert (sealed.ticket_count, sealed.total_cents) == (1, 500)
        with pytest.raises(Conflict, match="only a drawn one is settled"):
            settle_draw(house.lottery, 1)
        perform_draw(house.lottery, 1)
        with house.lottery.database.read() as connection:
            kinds = [record.kind for record in rows.records(connection)]
        assert kinds.index("DrawClosed") < kinds.index("DrawSealed") < kinds.index("DrawDrawn")


@pytest.mark.clause("KO21-1.5")
def test_commitments_come_before_sales_and_open_to_what_was_drawn(database_url: str) -> None:
    with open_house(database_url) as house:
        with house.lottery.database.read() as connection:
            kinds = [record.kind for record in rows.records(connection)]
        assert kinds == ["LotteryRulesSet", "DayCommitted", "DrawOpened", "DrawOpened", "DrawOpened"]
        committed = house.draw(1)
        assert committed.secret is None
        ticket = house.sell().tickets[0]
        assert ticket.commitment == committed.commitment
        drawn = house.drawn(1)
        assert commit_secret(Seed.parse(drawn.secret or ""), 1, drawn.rules_hash) == committed.commitment
        opening = Seed.parse(committed.opening_seed or "")
        assert commit_opening(opening, 1, drawn.rules_hash) == committed.opening_commitment
        assert opening_cards(opening, 1, drawn.rules_hash) == ticket.first_cards


def test_another_secret_than_the_committed_one_draws_nothing(sqlite_url: str) -> None:
    with open_house(sqlite_url) as house:
        house.sell()
        house.seal(1)
        house.clock.moment = house.draw(1).due_at
        house.lottery.vault = MemoryVault(Rehearsal(99))
        with pytest.raises(Conflict, match="not the one committed"):
            perform_draw(house.lottery, 1)
        assert house.draw(1).held is not None


@pytest.mark.requirement("R-25")
def test_a_manual_draw_takes_two_people(database_url: str) -> None:
    with open_house(database_url) as house:
        house.sell()
        house.seal(1)
        for operators in ([], ["ann"], ["ann", "ann"]):
            with pytest.raises(IllegalAction, match="two people"):
                perform_draw(house.lottery, 1, operators=operators, manual=True, reason="fire")
        with pytest.raises(Conflict, match="not due"):
            perform_draw(house.lottery, 1, operators=["ann", "bob"])
        drawn = perform_draw(house.lottery, 1, operators=["bob", "ann"], manual=True, reason="fire")
        assert drawn.status == "drawn"
        with house.lottery.database.read() as connection:
            (record,) = rows.records(connection, kinds=["DrawDrawn"])
        assert record.content["operators"] == ["ann", "bob"]
        assert record.content["manual"] is True


@pytest.mark.requirement("R-25")
def test_calling_a_draw_off_takes_two_people_and_pays_everybody_back(database_url: str) -> None:
    with open_house(database_url) as house:
        tickets = house.sell(2).tickets
        with pytest.raises(IllegalAction, match="two people"):
            void_draw(house.lottery, 1, operators=["ann"], reason="fire")
        assert void_draw(house.lottery, 1, operators=["ann", "bob"], reason="fire").status == "void"
        assert void_draw(house.lottery, 1, operators=["ann", "bob"], reason="fire").status == "void"
        with pytest.raises(Conflict, match="closed"):
            house.sell(first=1)
        paid = [house.pay(ticket) for ticket in tickets]
        assert [(answer.verdict, answer.prize_cents) for answer in paid] == [("prize", 500)] * 2
        assert house.pay(tickets[0]).verdict == "paid already"
        assert house.faults() == ()


@pytest.mark.requirement("R-25")
def test_a_drawn_draw_stands_and_a_release_is_signed(database_url: str) -> None:
    with open_house(database_url) as house:
        house.sell()
        house.drawn(1)
        with pytest.raises(Conflict, match="stands"):
            void_draw(house.lottery, 1, operators=["ann", "bob"], reason="regret")
        with pytest.raises(IllegalAction, match="two people"):
            release_draw(house.lottery, 1, operators=["ann"], reason="x")
        with pytest.raises(Conflict, match="not held"):
            release_draw(house.lottery, 1, operators=["ann", "bob"], reason="x")


def test_a_draw_without_tickets_is_drawn_too(database_url: str) -> None:
    with open_house(database_url) as house:
        settled = house.settled(1)
        assert (settled.ticket_count, settled.total_cents) == (0, 0)
        assert house.faults() == ()


@pytest.mark.requirement("R-6", "R-8")
def test_the_vault_makes_a_secret_once(tmp_path: Path) -> None:
    first = FileVault(tmp_path / "vault", OperatingSystem())
    again = FileVault(tmp_path / "vault", OperatingSystem())
    assert first.secret(1) == again.secret(1)
    assert len({str(first.secret(1)), str(first.opening(1)), str(first.secret(2))}) == 3
    assert len(first.secret(1).secret) * 8 == 256
    assert first.code_key() == again.code_key()
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "vault").iterdir()} == {0o600}
    assert (tmp_path / "vault").stat().st_mode & 0o077 == 0
    (tmp_path / "vault" / "secret-1").write_bytes(b"short")
    with pytest.raises(Unavailable, match="secret-1"):
        first.secret(1)


@pytest.mark.requirement("R-1", "R-2")
def test_hands_of_tickets_are_uniform() -> None:
    """Every card in every place of a ticket; all of them together by chi-square at 99 %."""
    places: list[Counter[int]] = [Counter() for _ in range(30)]
    for number in range(1500):
        for place, card in enumerate(ticket_cards(number.to_bytes(32, "big"), 30)):
            places[place][card.index] += 1
    assert all(len(counter) == len(CARDS) for counter in places)
    total = sum(places, Counter())
    expected = 1500 * 30 / 52
    assert sum((total[card.index] - expected) ** 2 / expected for card in CARDS) < 77.4


@pytest.mark.requirement("R-17")
@pytest.mark.parametrize("count", range(1, 18))
def test_a_merkle_tree_proves_each_entry_and_no_other(count: int) -> None:
    texts = [f"ticket {index}" for index in range(count)]
    leaves = [leaf_hash(text) for text in texts]
    root = merkle_root(leaves)
    for index, text in enumerate(texts):
        proof = inclusion_proof(leaves, index)
        assert proves(text, index, count, proof, root)
        assert not proves(text + "x", index, count, proof, root)
        assert not proves(text, index, count, [*proof, root], root)
        assert not proves(text, count, count, proof, root)
        if proof:
            assert not proves(text, index, count, proof[:-1], root)
    assert len({merkle_root(leaves[:size]) for size in range(count + 1)}) == count + 1


def test_the_answer_before_the_draw_is_settled(database_url: str) -> None:
    with open_house(database_url) as house:
        ticket = house.sell().tickets[0]
        house.drawn(1)
        assert check_ticket(house.lottery, ticket.control_number, terminal="t").verdict == "not yet drawn"


def test_a_demonstration_that_begins_late_leaves_out_what_is_past(tmp_path: Path) -> None:
    """At 23:58:50 no draw of the day can be bought any more; before it those to come can."""
    for moment, first in (
        (datetime(2025, 6, 15, 6, 30, tzinfo=UTC), datetime(2025, 6, 15, 6, 31, tzinfo=UTC)),
        (datetime(2025, 6, 15, 6, 58, 50, tzinfo=UTC), datetime(2025, 6, 15, 7, 1, tzinfo=UTC)),
    ):
        clock = HandClock(moment)
        url = f"sqlite:///{tmp_path / f'{moment:%H%M}.sqlite3'}"
        with open_database(url, clock) as database:
            rules = load_rules_as(Knockout21Rules, KNOCKOUT_21.id, DEMO_CHANGES)
            demo = Lottery(database, DemoVault(bytes(32)), rules, Rehearsal(1), skips_past=True)
            advance(demo)
            with database.read() as connection:
                draw = rows.find_draw(connection, 1)
            assert draw is not None
            assert draw.scheduled_at == first
