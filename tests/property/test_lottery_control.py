"""The independent control: it agrees with the readable law on any pool, and stops a draw when it does not."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cardroom.lottery.control as control_module
from cardroom.core.cards import CARDS
from cardroom.core.errors import Conflict
from cardroom.engine.knockout21.settlement import settle
from cardroom.engine.knockout21.ticket import Ticket
from cardroom.fair.draw import DrawSeal, draw_cards, opening_cards
from cardroom.fair.merkle import leaf_hash, merkle_root
from cardroom.fair.seeds import Seed
from cardroom.lottery import control_sums, replay
from cardroom.lottery.accounts import settling_moves
from cardroom.lottery.control import Control, ControlledDraw
from cardroom.lottery.draws import perform_draw, release_draw
from cardroom.lottery.record_format import account_body, winners_of
from cardroom.lottery.settlement import settle_draw
from cardroom.lottery.ticket_text import choices_text, leaf_text
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout21.law import Choice
from cardroom.store import lottery as rows
from cardroom.store.ledger import Transfer
from tests.lottery_house import house_rules, open_house

CARD = st.sampled_from(CARDS)


@st.composite
def pools(draw: st.DrawFn) -> list[Ticket]:
    found = []
    for _ in range(draw(st.integers(0, 6))):
        cards = draw(st.lists(CARD, min_size=30, max_size=30))
        choices = draw(st.lists(st.sampled_from(list(Choice)), min_size=11, max_size=11))
        hands = tuple(zip(cards[0::2], cards[1::2], strict=True))
        found.append(Ticket(hands, (None, None, None, None, *choices)))
    return found


RULES = st.builds(
    house_rules,
    game_1_hit=st.sampled_from(["ace-keeps-value", "literal"]),
    prizes__game_2__pool_percent=st.sampled_from(["0", "20", "33.3", "12.55", "100"]),
    prizes__coin=st.sampled_from(["0.01", "0.05", "0.25", "1.00"]),
    prizes__game_3__max=st.sampled_from(["20.00", "1000.00"]),
    prizes__pool_reserve=st.sampled_from(["none", "surplus"]),
)


@pytest.mark.slow
@pytest.mark.requirement("R-20")
@settings(max_examples=150)
@given(RULES, pools(), st.binary(min_size=32, max_size=32), st.integers(0, 10_000))
def test_two_readings_of_the_rules_agree(
    rules: Knockout21Rules, pool: list[Ticket], secret: bytes, reserve_cents: int
) -> None:
    first = opening_cards(Seed(secret), 1, rules.rules_hash)
    drawn = draw_cards(Seed(secret), DrawSeal(1, rules.rules_hash, bytes(32), first)).draw
    ids = [f"{index:032x}" for index in range(len(pool))]
    result = settle(rules, pool, drawn, reserve_cents=reserve_cents)
    books = {ticket: cents for ticket, cents, _ in winners_of(ids, result)}
    texts = {
        ticket: ("".join(str(card) for hand in play.hands for card in hand), choices_text(play), 500)
        for ticket, play in zip(ids, pool, strict=True)
    }
    control = Control()
    control.draws[1] = ControlledDraw(1, json.loads(rules.canonical_text()), texts, cards=str(drawn))
    prizes, games = control.won(1)
    assert prizes == books
    account = account_body(result.account, result.lucky_loser_positions)
    assert games == [(g["winners"], g["prize_cents"], g["pool_cents"]) for g in account["games"]]
    assert (
        control.pool(1)[0] == merkle_root([leaf_hash(leaf_text(t, *texts[t])) for t in sorted(texts)]).hex()
    )
    _check_books(
        rules, result.account.sales_cents, settling_moves(rules, 1, result.account), reserve_cents, books
    )


def _check_books(
    rules: Knockout21Rules, sales_cents: int, moves: list[Transfer], reserve_cents: int, books: dict[str, int]
) -> None:
    """Every movement in turn: no guarded account below zero, and only prizes, house and reserve left."""
    balances = {"draw:1:sales": sales_cents, "reserve:pools": reserve_cents}
    for move in moves:
        source, target, cents = move.source, move.target, move.amount_cents
        assert cents > 0
        balances[source] = balances.get(source, 0) - cents
        balances[target] = balances.get(target, 0) + cents
        assert source.startswith("house:") or balances[source] >= 0
    assert sum(balances.values()) == sales_cents + reserve_cents
    assert balances.get("draw:1:prizes", 0) == sum(books.values())
    assert not any(
        cents for account, cents in balances.items() if "pool-" in account or account.endswith(":sales")
    )
    if rules.prizes.pool_reserve == "none":
        assert balances["reserve:pools"] == reserve_cents


@pytest.mark.requirement("R-20")
def test_the_control_shares_no_code_of_settlement() -> None:
    reading = {"cardroom.store", "cardroom.store.archives", "cardroom.store.log"}
    own = {"cardroom.core.errors", "cardroom.lottery.control_sums", "cardroom.lottery.replay"}
    assert _imported(control_module) == own | reading
    assert _imported(control_sums) == set()
    assert _imported(replay) <= {"cardroom.records"} | reading


def _imported(module: ModuleType) -> set[str]:
    """What a module imports of this program."""
    source = Path(str(module.__file__)).read_text("utf-8")
    return {
        node.module
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("cardroom")
    }


@pytest.mark.requirement("R-19")
def test_a_ticket_that_the_control_never_heard_of_stops_the_draw(database_url: str) -> None:
    with open_house(database_url) as house:
        house.sell(3)
        sealed = house.seal(1)
        house.clock.moment = sealed.due_at
        lost = house.lottery.control
        with house.lottery.database.read() as connection:
            lost.feed(rows.records(connection))
        kept = lost.draws[1].tickets.popitem()  # the control's line was down for one sale
        with pytest.raises(Conflict, match="control disagrees on the root of draw 1"):
            perform_draw(house.lottery, 1)
        assert house.draw(1).status == "sealed"
        with pytest.raises(Conflict, match="held"):
            perform_draw(house.lottery, 1)
        # Two people let it go on; the check is made again, and fails again while nothing is mended.
        release_draw(house.lottery, 1, operators=["ann", "bob"], reason="line restored")
        with pytest.raises(Conflict, match="control disagrees"):
            perform_draw(house.lottery, 1)
        lost.draws[1].tickets[kept[0]] = kept[1]
        release_draw(house.lottery, 1, operators=["ann", "bob"], reason="line restored")
        assert perform_draw(house.lottery, 1).status == "drawn"


@pytest.mark.requirement("R-19", "R-20")
def test_a_disagreement_on_prizes_stops_the_release_and_says_where(database_url: str) -> None:
    with open_house(database_url) as house:
        ticket = house.sell().tickets[0]
        house.drawn(1)
        with house.lottery.database.read() as connection:
            house.lottery.control.feed(rows.records(connection))
        house.lottery.control.draws[1].rules["prizes"]["game_1"] = "11.00"
        with pytest.raises(
            Conflict, match=f"disagrees on ticket {ticket.id} of draw 1: 4600 cents, not 4500"
        ):
            settle_draw(house.lottery, 1)
        assert house.draw(1).status == "drawn"
        with house.lottery.database.read() as connection:
            assert rows.prizes_of_draw(connection, 1) == []


def test_tickets_of_a_released_draw_are_forgotten(sqlite_url: str) -> None:
    with open_house(sqlite_url) as house:
        house.sell(3, 2)
        house.settled(1)
        house.seal(2)
        control = house.lottery.control
        with house.lottery.database.read() as connection:
            control.feed(rows.records(connection, after=control.last_seq))
        assert 1 not in control.draws  # it is settled
        assert len(control.draws[2].tickets) == 3
        assert control.complaints == []


@pytest.mark.requirement("R-19")
@pytest.mark.parametrize(
    "change", ["late sale", "late choice", "wrong money", "unknown ticket", "wrong count"]
)
def test_what_the_control_complains_of(sqlite_url: str, change: str) -> None:
    with open_house(sqlite_url) as house:
        house.sell()
        house.close(1)
        with house.lottery.database.read() as connection:
            log = list(rows.records(connection))
    control = Control().feed(log)
    assert control.complaints == []
    sale = next(record.content for record in log if record.kind == "TicketsSold")
    ticket = sale["tickets"][0]
    late: dict[str, tuple[str, dict[str, object]]] = {
        "late sale": ("TicketsSold", sale),
        "late choice": ("TicketAltered", {"id": ticket["id"], "before": "S" * 11, "after": "H" * 11}),
        "wrong money": ("TicketsSold", {**sale, "transfers": [["outside:players", "draw:1:sales", 499]]}),
        "unknown ticket": ("TicketAltered", {"id": "x", "before": "S" * 11, "after": "H" * 11}),
        "wrong count": ("DrawClosed", {"draw": 1, "count": 2, "total_cents": 1000, "issued": []}),
    }
    kind, body = late[change]
    last = log[-1]
    control.feed([type(last)(last.seq + 1, last.at, kind, json.dumps(body), "")])
    assert control.complaints
    assert str(last.seq + 1) in control.complaints[0]
