"""Claims, switches, settings, reports and papers of a running lottery."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.lottery.alteration import alter
from cardroom.lottery.choices import make_choices
from cardroom.lottery.claims import check_ticket
from cardroom.lottery.draws import open_day
from cardroom.lottery.house import code_digest, code_version, switch
from cardroom.lottery.house_rules import set_rules
from cardroom.lottery.reports import check_log, day_report, draw_report
from cardroom.lottery.sales import Order, begin_purchase, reprint, sell
from cardroom.lottery.schedule import parse_day
from cardroom.lottery.ticket_print import qr_text, ticket_pdf, ticket_png
from cardroom.records.house import PlayDisabled, PlayEnabled
from cardroom.rules.knockout21.law import Choice
from cardroom.store import lottery as rows
from cardroom.store.log import LogHead
from tests.lottery_house import House, house_rules, open_house, other_choice
from tests.unit.test_store_log import past_the_triggers

FORGED = "34679-34679A-34679-34679A"


def kinds(house: House) -> list[str]:
    with house.lottery.database.read() as connection:
        return [record.kind for record in rows.records(connection)]


@pytest.mark.requirement("R-29")
def test_every_question_gets_a_plain_answer_and_is_logged(database_url: str) -> None:
    with open_house(database_url) as house:
        purchases = [house.sell(3) for _ in range(3)]
        tickets = [ticket for purchase in purchases for ticket in purchase.tickets]

        def ask(number: str) -> str:
            return str(check_ticket(house.lottery, number, terminal="terminal-1"))

        good_but_never_sold = house.lottery.codes.control_number("0" * 32)
        assert [ask(FORGED), ask(good_but_never_sold), ask(tickets[0].control_number)] == [
            "not found",
            "not found",
            "not yet drawn",
        ]
        house.settled(1)
        with house.lottery.database.read() as connection:
            won = {prize.ticket: prize.amount_cents for prize in rows.prizes_of_draw(connection, 1)}
        winner = next(ticket for ticket in tickets if ticket.id in won)
        loser = next(ticket for ticket in tickets if ticket.id not in won)
        dollars, cents = divmod(won[winner.id], 100)
        assert ask(winner.control_number) == f"prize of ${dollars:,}.{cents:02}"
        assert ask(loser.control_number) == "no prize"
        house.pay(winner)
        assert ask(winner.control_number) == "paid already"
        assert kinds(house).count("TicketChecked") == 6
        assert house.pay(loser).verdict == "no prize"
        assert kinds(house).count("ClaimRefused") == 1


@pytest.mark.requirement("R-27", "R-28")
def test_a_forged_number_or_code_takes_nothing(database_url: str) -> None:
    with open_house(database_url) as house:
        ticket, other = house.sell(2).tickets
        with pytest.raises(MalformedInput):
            alter(house.lottery, FORGED, {14: Choice.HIT}, key="x")
        with pytest.raises(Conflict, match="no ticket"):
            alter(house.lottery, house.lottery.codes.control_number("0" * 32), {14: Choice.HIT}, key="x")
        house.settled(1)
        from cardroom.lottery.claims import pay_prize

        for code in ("", other.code, ticket.code[:-1]):
            answer = pay_prize(house.lottery, ticket.control_number, code, terminal="t", key=house.key())
            assert answer.verdict == "void print"
        assert kinds(house).count("PrizePaid") == 0


@pytest.mark.requirement("R-34")
def test_a_failed_print_is_repeated_and_the_ticket_was_valid_all_along(database_url: str) -> None:
    with open_house(database_url) as house:
        ticket = house.sell().tickets[0]  # the paper tore
        assert reprint(house.lottery, ticket.id) == ticket
        altered = alter(house.lottery, ticket.control_number, {14: other_choice(ticket)}, key="alter")
        assert reprint(house.lottery, ticket.id) == altered
        assert altered.print_number == 2
        with pytest.raises(Conflict, match="there is no ticket"):
            reprint(house.lottery, "x")


@pytest.mark.requirement("R-46", "R-47")
@pytest.mark.parametrize("scope", ["all", "game:knockout-21", "terminal:terminal-1", "draw:1"])
def test_what_is_switched_off_does_not_sell(database_url: str, scope: str) -> None:
    with open_house(database_url) as house:
        switch(house.lottery, scope, off=True, by=["ann"])
        with pytest.raises(Conflict, match="switched off"):
            house.sell(first=1)
        elsewhere = {"terminal:terminal-1": Order("terminal-2"), "draw:1": Order("terminal-1", first_draw=2)}
        if scope in elsewhere:
            sell(house.lottery, elsewhere[scope], key="elsewhere")
        switch(house.lottery, scope, off=False, by=["bob"])
        house.sell(first=1)
        with house.lottery.database.read() as connection:
            kinds = ["PlayDisabled", "PlayEnabled"]
            changes = [logged.read()[0] for logged in rows.records(connection, kinds=kinds)]
        assert changes == [
            PlayDisabled(what=scope, by="ann", before="open", after="closed", reason=""),
            PlayEnabled(what=scope, by="bob", before="closed", after="open", reason=""),
        ]
        assert house.faults() == ()


def test_switches_are_named_and_signed(sqlite_url: str) -> None:
    with open_house(sqlite_url) as house:
        for scope in ("", "everything", "terminal:", "player:ann"):
            with pytest.raises(MalformedInput, match="cannot be switched"):
                switch(house.lottery, scope, off=True, by=["ann"])
        with pytest.raises(IllegalAction, match="signed"):
            switch(house.lottery, "all", off=True, by=[])


def test_what_is_switched_is_there(sqlite_url: str) -> None:
    with open_house(sqlite_url) as house:
        for number in (0, 999, 10**30):
            with pytest.raises(Conflict, match=f"there is no draw {str(number)[:20]}"):
                switch(house.lottery, f"draw:{number}", off=True, by=["ann"])
        for name in ("one", "-1", "1.0", "¹"):
            with pytest.raises(MalformedInput, match="is not the number of a draw"):
                switch(house.lottery, f"draw:{name}", off=True, by=["ann"])
        with pytest.raises(MalformedInput, match="is not a game"):
            switch(house.lottery, "game:bingo", off=True, by=["ann"])
        switch(house.lottery, "draw:01", off=True, by=["ann"])
        with pytest.raises(Conflict, match="switched off"):
            house.sell(first=1)


@pytest.mark.requirement("R-47", "R-37")
def test_new_rules_are_recorded_and_govern_only_new_days(database_url: str) -> None:
    with open_house(database_url) as house:
        dearer = house_rules(sales__ticket_price="6.00")
        set_rules(house.lottery, dearer, parse_day("2025-06-15"), by=["ann", "bob"], reason="dearer paper")
        open_day(house.lottery, parse_day("2025-06-15"), by="ann")
        with house.lottery.database.read() as connection:
            _, change = rows.records(connection, kinds=["LotteryRulesSet"])
        assert change.content == {
            "from_day": "2025-06-15",
            "rules_hash": dearer.rules_hash,
            "rules": dearer.canonical_text(),
            "by": ["ann", "bob"],
            "reason": "dearer paper",
        }
        assert [ticket.price_cents for ticket in house.sell().tickets] == [500]  # draw 1 keeps its own rules
        house.set("2025-06-14 22:30")
        from cardroom.lottery.scheduler import advance

        advance(house.lottery)
        assert [(t.draw, t.price_cents) for t in house.sell().tickets] == [(4, 600)]
        assert house.faults() == ()


def test_days_are_committed_in_order(sqlite_url: str) -> None:
    with open_house(sqlite_url) as house:
        assert open_day(house.lottery, parse_day("2025-06-14"), by="ann") == (
            [1, 2, 3],
            [],
        )  # again: the same
        with pytest.raises(Conflict, match="committed already"):
            open_day(house.lottery, parse_day("2025-06-13"), by="ann")


@pytest.mark.requirement("R-45")
def test_money_of_unfinished_draws_is_reported_on_its_own(database_url: str) -> None:
    with open_house(database_url) as house:
        house.sell(2, 2)
        house.settled(1)
        day = day_report(house.lottery, "2025-06-14")
        assert (day["tickets"], day["sales_cents"], day["unfinished_cents"]) == (4, 2000, 1000)
        first, second = draw_report(house.lottery, 1), draw_report(house.lottery, 2)
        assert (first["unfinished_cents"], second["unfinished_cents"]) == (0, 1000)
        account = first["account"]
        assert account["sales_cents"] == account["prizes_cents"] + account["house_cents"]
        assert first["waiting_cents"] == first["prizes_cents"] == account["prizes_cents"]
        assert sum(first["balances_cents"].values()) == first["waiting_cents"] + sum(
            game["rounding_cents"] + game["left_cents"] - game["added_cents"] for game in account["games"][1:]
        )
        with pytest.raises(Conflict, match="no draw 99"):
            draw_report(house.lottery, 99)


@pytest.mark.requirement("R-50")
def test_significant_events_are_logged(database_url: str) -> None:
    """Large wins, stops, releases, refused claims, changes of settings; each with what it was about."""
    rules = house_rules(prizes__game_3__min="1000.00")
    with open_house(database_url, rules=rules) as house:
        ticket = house.sell().tickets[0]
        house.settled(1)
        with house.lottery.database.read() as connection:
            (large,) = rows.records(connection, kinds=["LargeWinNoted"])
        assert large.content == {"draw": 1, "prizes": [[ticket.id, 1000 + 1500 + 100_000]]}
        from cardroom.lottery.draws import release_draw, stop_draw

        stop_draw(house.lottery, 2, "a light is red")
        release_draw(house.lottery, 2, operators=["ann", "bob"], reason="lamp changed")
        assert kinds(house)[-2:] == ["DrawHeld", "DrawReleased"]
        assert house.faults() == ()


@pytest.mark.requirement("R-53")
def test_code_and_settings_are_verified_by_digest() -> None:
    assert len(code_digest()) == 64
    assert code_version().startswith("cardroom ")
    assert code_digest() in code_version()


@pytest.mark.requirement("R-52")
def test_a_head_on_a_ticket_finds_a_log_that_was_cut_off(database_url: str) -> None:
    with open_house(database_url) as house:
        house.sell()
        ticket = house.sell().tickets[0]
        head = LogHead.parse(ticket.log_head)
        assert check_log(house.lottery, [head]).faults == ()
        with house.lottery.database.engine.begin() as connection:
            past_the_triggers(connection.exec_driver_sql, is_sqlite=house.lottery.database.is_sqlite)
            for table in ("tickets", "transfers", "balances", "requests", "log"):
                column = "purchase" if table == "tickets" else "seq"
                connection.execute(text(f"DELETE FROM {table} WHERE {column} = {head.seq}"))
        assert check_log(house.lottery).faults == ()  # the house's own books look whole
        (fault,) = check_log(house.lottery, [head]).faults
        assert f"record {head.seq}: is missing" in fault


def test_a_purchase_is_chosen_once(database_url: str) -> None:
    with open_house(database_url) as house:
        purchase = begin_purchase(house.lottery, Order("terminal-1", 2), key="begin")
        make_choices(house.lottery, purchase.seq, {}, key="a")
        with pytest.raises(Conflict) as refusal:
            make_choices(house.lottery, purchase.seq, {}, key="b")
        assert refusal.value.clause == "KO21-2.7"
        with pytest.raises(Conflict, match="not of purchase"):
            make_choices(house.lottery, purchase.seq, {"x": {14: Choice.HIT}}, key="c")
        with pytest.raises(Conflict, match="no purchase"):
            make_choices(house.lottery, 999, {}, key="d")


@pytest.mark.parametrize(
    ("terminal", "key"), [("", "k"), ("t" * 65, "k"), ("a\nb", "k"), ("t", ""), ("t", "k\0")]
)
def test_names_and_keys_are_checked(sqlite_url: str, terminal: str, key: str) -> None:
    with open_house(sqlite_url) as house, pytest.raises(MalformedInput, match="printable"):
        sell(house.lottery, Order(terminal), key=key)


@pytest.mark.parametrize("odd", ["", "x", "\0", "\udc80", "é" * 32, "0" * 31 + "\0", "9" * 4000])
def test_odd_texts_and_numbers_find_nothing_and_break_nothing(database_url: str, odd: str) -> None:
    from cardroom.lottery.claims import pay_prize
    from cardroom.lottery.record import proof_of_ticket

    with open_house(database_url) as house:
        for ask in (reprint, proof_of_ticket):
            with pytest.raises(Conflict, match="there is no ticket"):
                ask(house.lottery, odd)
        assert check_ticket(house.lottery, odd, terminal="t", code=odd).verdict == "not found"
        assert pay_prize(house.lottery, odd, odd, terminal="t", key="k").verdict == "not found"
        for number in (-1, 0, 2**63, 10**30):
            with pytest.raises(Conflict):
                house.sell(first=number)
            with pytest.raises(Conflict):
                draw_report(house.lottery, number)
            with pytest.raises(Conflict):
                make_choices(house.lottery, number, {}, key="c")
        assert house.faults() == ()


@pytest.mark.clause("KO21-2.5")
@pytest.mark.requirement("R-26")
def test_a_ticket_on_paper_shows_it_all(sqlite_url: str) -> None:
    import io
    import re

    from PIL import Image

    with open_house(sqlite_url) as house:
        purchase = begin_purchase(house.lottery, Order("terminal-1"), key="begin")
        other = Choice.STAND if purchase.tickets[0].play.choices[14] is Choice.HIT else Choice.HIT
        ticket = make_choices(house.lottery, purchase.seq, {purchase.tickets[0].id: {14: other}}, key="c")[
            0
        ].ticket
    pdf = ticket_pdf(ticket)
    assert pdf.startswith(b"%PDF-")
    words = [word.decode("latin-1") for word in re.findall(rb"\(((?:[^()\\]|\\.)*)\) Tj", pdf)]
    page = " ".join(words)
    for expected in (
        "KNOCKOUT 21",
        "Draw 1",
        "2025-06-14",
        "$5.00",
        ticket.control_number,
        ticket.code,
        ticket.id,
        "terminal terminal-1",
        "Sold 2025-06-14 10:00:00 PDT",
        "Claim until 2026-06-14",
        ticket.commitment[:32],
    ):
        assert expected in page
    ranks = [card.pretty[:-1] for hand in ticket.play.hands for card in hand]
    ranks += [card.pretty[:-1] for card in ticket.first_cards]
    shown = [word for word in words if word in {"A", "J", "Q", "K", "10", *"23456789"}]
    assert all(shown.count(rank) >= ranks.count(rank) for rank in ranks)
    assert words.count("* yours") == 1
    assert words.count("HIT") + words.count("STAND") == 11
    assert [word for word in words if word.startswith("GAME")] == ["GAME 1", "GAME 2", "GAME 3"]
    with Image.open(io.BytesIO(ticket_png(ticket))) as picture:
        assert picture.format == "PNG"
        assert picture.size[0] > 600
        dark = sum(picture.convert("L").histogram()[:128])
    assert dark > 20_000  # it is not a white sheet
    assert ticket.code in qr_text(ticket)
    assert ticket_pdf(ticket) == pdf  # the same ticket, the same paper
