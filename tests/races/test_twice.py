"""The same request twice, from one process or two: one effect."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from cardroom.core.errors import CardroomError, Conflict
from cardroom.lottery.alteration import alter
from cardroom.lottery.draws import perform_draw
from cardroom.lottery.house import Lottery
from cardroom.lottery.sales import Order, sell
from cardroom.lottery.settlement import settle_draw
from cardroom.store import lottery as rows
from cardroom.store.database import Database
from tests.lottery_house import House, open_house, other_choice


def at_once(*requests: Callable[[], Any]) -> list[Any]:
    """Ask at the same moment, each from a thread of its own; answers and refusals."""
    start = threading.Barrier(len(requests))
    answers: list[Any] = []

    def ask(request: Callable[[], Any]) -> None:
        start.wait()
        try:
            answers.append(request())
        except CardroomError as refusal:
            answers.append(refusal)

    threads = [threading.Thread(target=ask, args=(request,)) for request in requests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def processes(house: House, count: int) -> list[Lottery]:
    """Further processes on the same database and vault."""
    own = house.lottery
    return [
        Lottery(Database(own.database.url, house.clock), own.vault, own.rules, own.entropy)
        for _ in range(count)
    ]


def effects(house: House, kind: str) -> int:
    with house.lottery.database.read() as connection:
        return len(list(rows.records(connection, kinds=[kind])))


@pytest.mark.requirement("R-33")
def test_a_sale_asked_for_six_times_with_one_key_sells_once(database_url: str) -> None:
    with open_house(database_url) as house:
        others = processes(house, 2)
        order = Order("terminal-1", 2, 2)
        asked = [lambda one=one: sell(one, order, key="key") for one in [house.lottery, *others] * 2]
        answers = at_once(*asked)
        assert len({answer.seq for answer in answers}) == 1
        assert all(answer == answers[0] for answer in answers)
        assert effects(house, "TicketsSold") == 1
        for other in others:
            other.database.close()
        assert house.faults() == ()


def test_a_key_used_for_another_order_is_refused(database_url: str) -> None:
    with open_house(database_url) as house:
        house.sell(1, key="key")
        with pytest.raises(Conflict, match="different request"):
            house.sell(2, key="key")
        assert effects(house, "TicketsSold") == 1


@pytest.mark.requirement("R-30")
def test_a_prize_asked_for_from_everywhere_is_paid_once(database_url: str) -> None:
    with open_house(database_url) as house:
        purchase = house.sell(3)
        house.settled(1)
        ticket = house.winner(purchase)
        others = processes(house, 2)

        def ask(lottery: Lottery, key: str) -> Callable[[], object]:
            from cardroom.lottery.claims import pay_prize

            return lambda: pay_prize(lottery, ticket.control_number, ticket.code, terminal="t", key=key)

        lotteries = [house.lottery, *others] * 3
        answers = at_once(*(ask(one, f"pay-{n}") for n, one in enumerate(lotteries)))
        verdicts = sorted(answer.verdict for answer in answers)
        assert verdicts == ["paid already"] * 8 + ["prize"]
        assert effects(house, "PrizePaid") == 1
        for other in others:
            other.database.close()
        assert house.faults() == ()


@pytest.mark.requirement("R-30")
def test_twin_without_the_lock_only_the_key_of_the_claims_stands_between(database_url: str) -> None:
    """Without the lock two desks both see an unpaid prize; the database's own key then stops the second."""
    from cardroom.lottery.claims import pay_prize

    with open_house(database_url) as house:
        purchase = house.sell(3)
        house.settled(1)
        ticket = house.winner(purchase)
        own = house.lottery
        looked: list[str] = []
        both_looked = threading.Barrier(2)

        def pause(point: str) -> None:
            if point == "looked":
                looked.append(point)
                both_looked.wait(10)

        desks = [
            Lottery(
                Database(own.database.url, house.clock, probe=pause, lock=False),
                own.vault,
                own.rules,
                own.entropy,
            )
            for _ in range(2)
        ]
        answers = at_once(
            *(
                lambda desk=desk, n=n: pay_prize(
                    desk, ticket.control_number, ticket.code, terminal="t", key=f"k{n}"
                )
                for n, desk in enumerate(desks)
            )
        )
        assert looked == ["looked", "looked"]  # both believed that they might pay
        assert sum(isinstance(answer, Conflict) for answer in answers) == 1
        assert effects(house, "PrizePaid") == 1
        for desk in desks:
            desk.database.close()


@pytest.mark.requirement("R-8", "R-15")
def test_two_draw_processes_at_once_draw_once(database_url: str) -> None:
    with open_house(database_url) as house:
        house.sell(3)
        house.seal(1)
        house.clock.moment = house.draw(1).due_at
        others = processes(house, 2)
        answers = at_once(*(lambda one=one: perform_draw(one, 1) for one in [house.lottery, *others]))
        assert len({answer.cards for answer in answers}) == 1
        assert effects(house, "DrawDrawn") == 1
        answers = at_once(*(lambda one=one: settle_draw(one, 1) for one in [house.lottery, *others]))
        assert {answer.status for answer in answers} == {"settled"}
        assert effects(house, "DrawSettled") == 1
        for other in others:
            other.database.close()
        assert house.faults() == ()


@pytest.mark.clause("KO21-2.7")
def test_two_alterations_at_once_alter_once(database_url: str) -> None:
    with open_house(database_url) as house:
        ticket = house.sell().tickets[0]
        answers = at_once(
            *(
                lambda n=n: alter(
                    house.lottery, ticket.control_number, {14: other_choice(ticket)}, key=f"alter-{n}"
                )
                for n in range(4)
            )
        )
        assert sum(isinstance(answer, Conflict) for answer in answers) == 3
        assert effects(house, "TicketAltered") == 1
        assert house.faults() == ()


@pytest.mark.requirement("R-8")
def test_a_repeated_draw_stops(database_url: str) -> None:
    """The cards of draw 1 come again for draw 2, as from a broken drawing process: nothing is drawn."""
    with open_house(database_url) as house:
        house.sell(2, 2)
        first = house.settled(1)
        house.seal(2)
        house.clock.moment = house.draw(2).due_at
        from cardroom.engine.knockout21.draw import Draw
        from cardroom.fair.draw import DrawnCards

        with pytest.raises(Conflict):
            perform_draw(
                house.lottery, 2, drawer=lambda _s, _d: DrawnCards(Draw.parse(first.cards or ""), 50, 0)
            )
        assert house.draw(2).status == "sealed"
        assert "repeated draw" in (house.draw(2).held or "")
