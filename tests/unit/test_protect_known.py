"""Cards known before the wager, and perfect play: published figures and every order of a tiny shoe."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from cardroom.core.cards import Card, parse_cards
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import solve
from cardroom.protect.hole_card import both_seen, hole_card_known, hole_card_worth, insurance_that_wins
from cardroom.protect.known import first_card_known, next_ace, up_card_known
from cardroom.protect.perfect import exactly_at, perfect_play
from cardroom.rules import load_rules, load_rules_as
from cardroom.rules.bets import Role
from cardroom.rules.twentyone import TwentyOneRules
from tests.command_line import CommandLine


def test_published_values_of_the_first_card() -> None:
    """Wizard of Odds, blackjack appendix 14: infinite decks, the dealer stands on soft 17; six digits."""
    rules = load_rules("blackjack", {"decks": "infinite", "dealer_hits_soft_17": False})
    known = first_card_known(solve(rules))
    values = {one.name: round(one.expected_value, 6) for one in known.cards}
    published = {"A": 0.504019, "2": -0.132947, "5": -0.196529, "6": -0.209834, "9": -0.009417, "T": 0.143489}
    assert {name: values[name] for name in published} == published
    assert known.worth == pytest.approx(0.504019 / 13 + 0.143489 * 4 / 13, abs=1e-6)
    assert known.share_wagered == pytest.approx(5 / 13)


def test_a_card_known_is_the_game_in_parts() -> None:
    solution = solve(load_rules("blackjack"))
    for known in (first_card_known(solution), up_card_known(solution)):
        whole = sum(one.chance * one.expected_value for one in known.cards)
        assert whole == pytest.approx(solution.expected_value, abs=1e-12)
        assert sum(one.chance for one in known.cards) == pytest.approx(1)


def test_an_ace_that_comes_next() -> None:
    """Wizard of Odds, blackjack appendix 14, has .504019 on the own hand."""
    rules = load_rules("blackjack", {"decks": "infinite", "dealer_hits_soft_17": False})
    ace = next_ace(solve(rules))
    assert round(ace.on_own_hand, 6) == 0.504019
    share = ace.break_even
    assert share * ace.on_own_hand + (1 - share) * ace.as_up_card == pytest.approx(0, abs=1e-12)


def test_insurance_that_wins() -> None:
    """One deck: an ace up in 1 of 13, a ten under it in 16 of 51, and half a unit pays 2 to 1."""
    rules = load_rules("blackjack", {"decks": 1})
    assert insurance_that_wins(rules) == Fraction(1, 13) * Fraction(16, 51)
    with pytest.raises(MalformedInput, match="set decks"):
        insurance_that_wins(load_rules("blackjack", {"decks": "infinite"}))


def test_a_blackjack_that_is_paid_at_once_takes_no_insurance() -> None:
    """Spanish 21, one deck of 48: of the 46 cards left, 3 aces and 11 tens make 2 · 33 of 46 · 45 hands."""
    rules = load_rules("spanish-21", {"decks": 1})
    no_blackjack = 1 - Fraction(2 * 3 * 11, 46 * 45)
    assert insurance_that_wins(rules) == Fraction(4, 48) * Fraction(12, 47) * no_blackjack


def test_a_hole_card_that_is_seen_is_worth_what_is_published() -> None:
    """Up to 13 % in place of about -0.5 % (Wikipedia, Hole carding); six decks, soft 17 stands."""
    worth = hole_card_worth(load_rules("blackjack", {"dealer_hits_soft_17": False}))
    assert worth.insurance is not None
    assert round(100 * (worth.seen + float(worth.insurance))) == 13
    assert round(1000 * worth.unknown) in (-4, -5)
    assert worth.unknown < worth.ten_told < worth.seen


@pytest.mark.slow
@pytest.mark.parametrize("game", ["blackjack", "players-edge-21"])
def test_a_hole_card_by_what_it_is_not_is_the_card_that_is_seen(game: str) -> None:
    """All ranks but one are excluded, one after the other: by another path the values of both cards seen."""
    rules = load_rules_as(TwentyOneRules, game, {"decks": 2})
    solver, seen = solve(rules).solver, solve(both_seen(rules))
    values = solver.shoe.values.tolist()
    for up in (one for one in solver.chances if values[one.up] in (1, 6, 10)):
        for hole in range(len(values)):
            if {values[up.up], values[hole]} == {1, 10}:
                continue
            one = solver.knowing(up, [rank for rank in range(len(values)) if rank != hole])
            by_exclusion = one.chance * float((one.played.ways[:, 0] * one.played.value).sum())
            both = next(two for two in seen.up_cards if sorted((up.up, hole)) == list(two.seen.ranks))
            orders = 1 if up.up == hole else 2
            assert by_exclusion == pytest.approx(
                both.chance / orders * float(seen.first_two_values(both).sum()), abs=1e-12
            )


def test_nothing_known_of_the_hole_card_is_the_game_itself() -> None:
    solution = solve(load_rules("blackjack", {"decks": 2}))
    solver = solution.solver
    for part, up in zip(solution.by_up_card, solution.up_cards, strict=True):
        if part.name not in "AT":
            one = solver.knowing(up.seen, [])
            value = float((one.played.ways[:, 0] * one.played.value).sum())
            assert value == pytest.approx(part.expected_value, abs=1e-12)


def test_the_hole_card_known_before_the_wager_is_the_game_in_parts() -> None:
    rules = load_rules("blackjack", {"decks": 2})
    known = hole_card_known(rules)
    assert sum(one.chance for one in known.cards) == pytest.approx(1)
    whole = sum(one.chance * one.expected_value for one in known.cards)
    assert whole == pytest.approx(solve(both_seen(rules)).expected_value, abs=1e-12)


@pytest.mark.parametrize("hole_card", ["shown", "none"])
def test_where_no_hole_card_is_hidden(hole_card: str) -> None:
    options = {
        "hole_card": hole_card,
        "insurance.offered": False,
        "side_bets.match-the-dealer.offered": False,
    }
    with pytest.raises(MalformedInput, match="there is none to see"):
        hole_card_worth(load_rules("blackjack", options))


def net(rules: TwentyOneRules, wager: str, dealt: dict[Role, Card]) -> Fraction:
    """What a side bet wins with these cards, by its own machine."""
    bet = rules.side_bets[wager]
    line = bet.machine.line(bet.machine.state_of((role, dealt[role]) for role in bet.roles))
    return Fraction(-1) if line is None else rules.line_net(wager, bet.line_ids[line])


@pytest.mark.parametrize("wager", ["21+3", "match-the-dealer"])
def test_perfect_play_of_a_tiny_shoe_is_every_order_of_its_cards(wager: str) -> None:
    """Some cards are seen; the bet is made when the orders of the rest win on average."""
    rules = load_rules("blackjack", {"decks": 1})
    cards = list(parse_cards("7c 7d 7h 8c 9c Td"))
    shoe = CardCounts.of_cards(cards)
    for seen in (0, 1, 2):
        results: dict[tuple[Card, ...], list[Fraction]] = {}
        for order in permutations(cards):
            gone, rest = order[:seen], order[seen:]
            dealt: dict[Role, Card] = {"player_1": rest[0], "dealer_up": rest[1], "player_2": rest[2]}
            results.setdefault(gone, []).append(net(rules, wager, dealt))
        means = [sum(some, Fraction(0)) / len(some) for some in results.values()]
        expected = sum((max(Fraction(0), mean) for mean in means), Fraction(0)) / len(means)
        assert exactly_at(rules, wager, shoe, len(cards) - seen) == expected


def test_a_deeper_cut_shows_more() -> None:
    rules = load_rules("blackjack", {"decks": 2})
    deep, shallow = perfect_play(rules, "primary", [26, 78], shoes=24, seed=3)
    assert deep.shoes == 24 > shallow.shoes
    assert deep.win > shallow.win >= 0
    assert deep.win == pytest.approx(deep.share * deep.edge)


def test_wrong_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    cardroom = CommandLine(monkeypatch, capsys)
    rules = load_rules("blackjack", {"decks": 1})
    with pytest.raises(MalformedInput, match="a cut of 60 cards is beyond the shoe; allowed: 1 to 50 of 52"):
        perfect_play(rules, "21+3", [60])
    few = cardroom("protect", "blackjack", "--perfect", "--shoes", "2")
    assert (few.code, "too few for an error" in few.err) == (2, True)
    other = cardroom("protect", "blackjack", "--perfect", "--only", "red")
    assert (other.code, "the wagers are primary" in other.err) == (2, True)
    answer = cardroom("protect", "blackjack", "--known", "--json").json
    assert [one["known"] for one in answer["known"]] == ["first card", "up card", "hole card"]
    assert answer["hole_card"]["seen"] > answer["hole_card"]["ten_told"] > answer["hole_card"]["unknown"]
