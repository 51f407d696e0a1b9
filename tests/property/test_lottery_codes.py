"""Control numbers and codes: unguessable, checked, and bound to everything a ticket shows."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.core.cards import format_cards
from cardroom.core.errors import MalformedInput
from cardroom.fair.entropy import Rehearsal
from cardroom.lottery.codes import (
    SYMBOLS,
    CodeKey,
    grouped,
    is_good,
    new_ticket_id,
    parse_control_number,
    with_checks,
)
from cardroom.lottery.print_codes import print_code
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store import lottery as rows
from tests.lottery_house import house_rules, open_house

KEY = CodeKey(bytes(range(32)))
WORDS = st.text(alphabet=SYMBOLS, min_size=20, max_size=20).map(with_checks)


@pytest.mark.requirement("R-27")
def test_no_two_symbols_look_alike_and_there_are_enough_of_them() -> None:
    assert len(set(SYMBOLS)) == len(SYMBOLS) == 23
    for alike in ("0O", "1IL", "2Z", "5S", "8B", "UV"):
        assert not set(alike) & set(SYMBOLS)
    assert 20 * math.log2(len(SYMBOLS)) > 64


@pytest.mark.requirement("R-27")
@given(WORDS)
def test_every_wrong_character_and_every_swap_is_found(word: str) -> None:
    assert is_good(word)
    for place in range(len(word)):
        for symbol in SYMBOLS:
            assert is_good(word[:place] + symbol + word[place + 1 :]) is (symbol == word[place])
    for place in range(len(word) - 1):
        first, second = word[place], word[place + 1]
        swapped = word[:place] + second + first + word[place + 2 :]
        assert is_good(swapped) is (first == second)


@pytest.mark.requirement("R-27")
@given(WORDS, st.data())
def test_two_wrong_characters_are_found_too(word: str, data: st.DataObject) -> None:
    one, two = data.draw(st.lists(st.integers(0, 21), min_size=2, max_size=2, unique=True))
    letters = list(word)
    for place in (one, two):
        letters[place] = data.draw(st.sampled_from([s for s in SYMBOLS if s != word[place]]))
    assert not is_good("".join(letters))


@given(WORDS)
def test_a_control_number_is_read_as_people_type_it(word: str) -> None:
    number = grouped(word)
    assert parse_control_number(number) == number
    assert parse_control_number(f"  {word.lower()} ") == number


@pytest.mark.requirement("R-27")
@pytest.mark.parametrize("text", ["", "3", "34679-34679A-34679-34679A", "I" * 22, "é" * 22, "3" * 23])
def test_what_is_no_control_number_is_refused(text: str) -> None:
    with pytest.raises(MalformedInput):
        parse_control_number(text)


@pytest.mark.requirement("R-27")
def test_numbers_are_unique_in_no_order_and_not_to_be_had_without_the_key() -> None:
    entropy = Rehearsal(1)
    ids = [new_ticket_id(entropy) for _ in range(2000)]
    numbers = [KEY.control_number(ticket) for ticket in ids]
    assert len(set(numbers)) == len(numbers)
    rising = sum(first < second for first, second in pairwise(numbers))
    assert 850 < rising < 1150  # 2000 fair coins, ± 6.7 standard deviations
    other = CodeKey(bytes(32))
    assert all(other.control_number(ticket) != number for ticket, number in zip(ids, numbers, strict=True))
    assert KEY.tag(numbers[0]) != other.tag(numbers[0])


@pytest.mark.requirement("R-28")
def test_the_code_binds_everything_a_ticket_shows(sqlite_url: str) -> None:
    with open_house(sqlite_url) as house:
        ticket, other = house.sell(2).tickets
        draw = house.draw(1)
        with house.lottery.database.read() as connection:
            row, other_row = (rows.find_ticket(connection, ticket_id=one.id) for one in (ticket, other))
        assert row is not None
        assert other_row is not None
        rules, longer = house.lottery.rules, house_rules(claims__years=2)
        minute = timedelta(minutes=1)

        def code_of(rules: Knockout21Rules, draw: rows.DrawRow, row: rows.TicketRow, head: str) -> str:
            return print_code(house.lottery.codes, rules, draw, row, head)

        head = ticket.log_head
        assert code_of(rules, draw, row, head) == ticket.code
        flipped = ("S" if row.choices[0] == "H" else "H") + row.choices[1:]
        first_cards = format_cards(ticket.first_cards[::-1])
        codes_seen = [
            *(
                code_of(rules, replace(draw, **change), row, head)
                for change in (
                    {"number": 2},
                    {"day": "2025-06-15"},
                    {"scheduled_at": draw.scheduled_at + minute},
                    {"first_cards": first_cards},
                    {"commitment": "0" * 64},
                )
            ),
            *(
                code_of(rules, draw, replace(row, **change), head)
                for change in (
                    {"terminal": "x"},
                    {"price_cents": 501},
                    {"choices": flipped},
                    {"hands": other_row.hands},
                    {"state": "altered"},
                    {"sold_at": row.sold_at + minute},
                    {"id": other_row.id},
                )
            ),
            code_of(longer, draw, row, head),
            code_of(rules, draw, row, "1:0"),
        ]
        assert ticket.code not in codes_seen
        assert len(set(codes_seen)) == len(codes_seen)
