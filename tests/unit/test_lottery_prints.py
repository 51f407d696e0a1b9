"""Papers of every form are paid, whatever time zones, cards and words have become since they were printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.core.cards import Card
from cardroom.core.timezones import time_zone
from cardroom.lottery import schedule, tickets
from cardroom.lottery.claims import pay_prize
from cardroom.lottery.print_codes import NEWEST_FORM
from cardroom.lottery.reports import check_log
from cardroom.lottery.sales import reprint
from cardroom.presentation import money
from cardroom.store.migrate import open_database
from tests.databases import HandClock, Postgres
from tests.golden_house import GOLDEN, GoldenSet
from tools.golden_evening import lottery_of

FORMS = sorted(folder.name for folder in GOLDEN.glob("prints-*"))
WORLDS = ["today", "America/Los_Angeles", "Australia/Adelaide", "UTC", "other cards", "other words"]


@pytest.fixture(params=WORLDS)
def world(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The program with other zone data, another look of cards, other words."""
    name: str = request.param
    if "/" in name or name == "UTC":
        monkeypatch.setattr(schedule, "time_zone", lambda _name: time_zone(name))
    elif name == "other cards":
        monkeypatch.setattr(Card, "__str__", lambda card: f"[{card.pretty}]")
    elif name == "other words":
        monkeypatch.setattr(tickets.PrintedTicket, "lines", lambda ticket: [f"Ziehung {ticket.draw}"])
        for module in (money, tickets):
            monkeypatch.setattr(module, "dollars", lambda cents: f"{cents} Rappen")
    return name


def test_every_form_has_golden_prints() -> None:
    assert [f"prints-{form}" for form in range(1, NEWEST_FORM + 1)] == FORMS


@pytest.mark.slow
@pytest.mark.clause("KO21-4.8")
@pytest.mark.requirement("R-28", "R-30")
@pytest.mark.parametrize("form", FORMS)
def test_golden_prints_are_paid(form: str, world: str, tmp_path: Path) -> None:
    _all_are_paid(GoldenSet(form), f"sqlite:///{tmp_path / 'prints.sqlite3'}")


@pytest.mark.postgres
@pytest.mark.parametrize("form", FORMS)
def test_golden_prints_are_paid_on_postgresql(form: str, postgres: Postgres) -> None:
    _all_are_paid(GoldenSet(form), postgres.bare())


def _all_are_paid(golden: GoldenSet, url: str) -> None:
    golden.made_by_migrations(url, golden.revision)
    papers = golden.lines("tickets.jsonl")
    assert sum(paper["prize_cents"] > 0 for paper in papers) >= 2
    with open_database(url, HandClock(golden.now)) as database:
        lottery = lottery_of(database)
        for number, paper in enumerate(papers):

            def pay(code: str, key: str, number: str = paper["control_number"]) -> tuple[str, int]:
                answer = pay_prize(lottery, number, code, terminal="t", key=key)
                return answer.verdict, answer.prize_cents

            changed = ("4" if paper["code"][0] == "3" else "3") + paper["code"][1:]
            assert pay(changed, f"forged-{number}")[0] == "void print"
            again = reprint(lottery, paper["id"])
            assert again.control_number == paper["control_number"]
            if paper["prize_cents"]:
                assert pay(paper["code"], f"pay-{number}") == ("prize", paper["prize_cents"])
                assert pay(again.code, f"again-{number}")[0] == "paid already"  # a new paper, the same ticket
            else:
                assert pay(paper["code"], f"pay-{number}")[0] == "no prize"
        assert check_log(lottery).faults == ()


@pytest.mark.requirement("R-32")
def test_the_first_print_of_an_altered_ticket_is_void_in_every_form(sqlite_url: str) -> None:
    from tests.lottery_house import open_house, other_choice

    with open_house(sqlite_url) as house:
        ticket = house.sell().tickets[0]
        from cardroom.lottery.alteration import alter

        altered = alter(house.lottery, ticket.control_number, {14: other_choice(ticket)}, key="alter")
        house.settled(1)
        assert house.pay(ticket).verdict == "void print"
        assert house.pay(altered).verdict == "prize"  # the only ticket of its draw wins as a Lucky Loser
