"""Money, odds, payments, ids and errors."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.core.errors import CardroomError, IllegalAction, MalformedInput
from cardroom.core.money import Currency, Money, format_cents, parse_cents
from cardroom.core.odds import Odds, payment
from cardroom.games import parse_clause_id

CENTS = st.integers(-(10**12), 10**12)
CURRENCY: st.SearchStrategy[Currency] = st.sampled_from(["USD", "CAD"])
ODDS = st.builds(Odds, st.integers(0, 999), st.integers(1, 999))


@given(CENTS)
def test_cents_read_back(cents: int) -> None:
    assert parse_cents(format_cents(cents)) == cents
    assert parse_cents(format_cents(cents, symbol=True)) == cents


@given(st.builds(Money, CENTS, CURRENCY))
def test_money_reads_back(money: Money) -> None:
    assert Money.parse(str(money)) == money
    assert eval(repr(money), {"Money": Money}) == money
    assert money + money - money == money
    assert -money == Money(0, money.currency) - money


@pytest.mark.parametrize(
    ("text", "cents"),
    [("4", 400), (4, 400), ("4.5", 450), ("$4.50", 450), ("1,000.00", 100_000), ("-$5", -500), ("$-5", -500)],
)
def test_amounts_as_people_write_them(text: str | int, cents: int) -> None:
    assert parse_cents(text) == cents


@pytest.mark.parametrize(
    "text", ["", "four", "4.005", "4.", ".5", "1,00", "1234,567", "--4", "-$-4", "4 EUR", "1e3", "4 5", "∞"]
)
def test_what_is_not_an_amount_is_refused(text: str) -> None:
    with pytest.raises(MalformedInput, match="is not an amount of money"):
        parse_cents(text)


def test_currencies_do_not_mix() -> None:
    assert Money.parse("3 cad") == Money(300, "CAD")
    with pytest.raises(MalformedInput, match="different currencies"):
        Money(100, "USD") + Money(100, "CAD")
    with pytest.raises(MalformedInput, match="different currencies"):
        Money(100, "USD") - Money(100, "CAD")


@given(ODDS)
def test_odds_read_back_as_printed(odds: Odds) -> None:
    assert Odds.parse(str(odds)) == odds
    assert Odds.parse(odds.words) == odds
    assert Odds.parse(f"{odds.pays}/{odds.stake}") == odds


def test_odds_of_one_number_are_to_one() -> None:
    assert Odds.parse("30") == Odds.parse(30) == Odds(30, 1)
    assert Odds.parse("1 TO 2").ratio == Fraction(1, 2)


@pytest.mark.parametrize("text", ["", "3:", ":2", "3:0", "3:00", "-3:2", "3 for 2", "1.5", "3:2:1"])
def test_what_is_not_odds_is_refused(text: str) -> None:
    with pytest.raises(MalformedInput, match="is not odds; write them like 3:2 or 1 to 2"):
        Odds.parse(text)


@pytest.mark.parametrize(
    ("stake_cents", "odds", "to_the_cent", "to_the_chip"),
    [
        (500, "1:2", 250, 200),
        (100, "1:2", 50, 0),
        (1, "1:2", 0, 0),
        (500, "3:2", 750, 700),
        (200, "3:1", 600, 600),
    ],
)
def test_payments(stake_cents: int, odds: str, to_the_cent: int, to_the_chip: int) -> None:
    pays = Odds.parse(odds)
    assert payment(stake_cents, pays) == payment(stake_cents, pays.ratio) == to_the_cent
    assert payment(stake_cents, pays, rounding="chip", chip_cents=100) == to_the_chip


@given(st.integers(1, 10**9), ODDS, st.integers(1, 2_500))
def test_a_payment_is_never_more_than_the_odds_and_less_by_under_a_chip(
    stake_cents: int, odds: Odds, chip_cents: int
) -> None:
    exact = stake_cents * odds.ratio
    assert 0 <= exact - payment(stake_cents, odds) < 1
    rounded = payment(stake_cents, odds, rounding="chip", chip_cents=chip_cents)
    assert rounded % chip_cents == 0
    assert 0 <= exact - rounded < chip_cents


def test_clause_ids() -> None:
    for text in ("KO52-7", "PE21-8.2", "21-1.13"):
        assert parse_clause_id(text) == text
    for text in ("KO52", "KO52-", "X-1", "KO52-7 ", "KO52-7.", "ko52-7"):
        with pytest.raises(MalformedInput, match="is not a clause id"):
            parse_clause_id(text)


def test_an_error_names_its_clause() -> None:
    error: CardroomError = IllegalAction("no card is dealt after a match", clause="KO52-7")
    assert str(error) == "no card is dealt after a match (KO52-7)"
    assert (error.message, error.clause) == ("no card is dealt after a match", "KO52-7")
    assert str(MalformedInput("that is no card")) == "that is no card"
