"""Cards known before the wager, and perfect play: published figures and every order of a tiny shoe."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.core.cards import CARDS, Card, parse_cards
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.sidebets import side_bet_figures
from cardroom.exact.twentyone import Solution, parse_shoe, solve
from cardroom.protect.hole_card import both_seen, hole_card_known, hole_card_worth, insurance_that_wins
from cardroom.protect.known import first_card_known, next_ace, up_card_known
from cardroom.protect.paths import Paths
from cardroom.protect.perfect import exactly_at, one_round_of_each, perfect_of, perfect_play
from cardroom.protect.shoes import values
from cardroom.rules import load_rules, load_rules_as
from cardroom.rules.bets import Role
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.variants import variant_names
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
    as_the_game_in_parts(solve(load_rules("blackjack")))


@pytest.mark.slow
@pytest.mark.parametrize("name", variant_names())
def test_a_card_known_in_every_variant(name: str) -> None:
    """Both of the dealer's cards are seen at Double Exposure; known before the wager is the first of them."""
    solution = solve(load_rules_as(TwentyOneRules, name, {"decks": 1}))
    as_the_game_in_parts(solution)
    up = {one.name: one.chance for one in up_card_known(solution).cards}
    tens = 3 if name == "pontoon" else 4  # ranks worth ten; a Spanish deck has no tens
    assert up == pytest.approx({**dict.fromkeys("A23456789", 1 / (9 + tens)), "T": tens / (9 + tens)})
    ace = next_ace(solution)
    assert ace.as_up_card < solution.expected_value < ace.on_own_hand


def as_the_game_in_parts(solution: Solution) -> None:
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


@pytest.mark.slow
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


def every_start(rules: TwentyOneRules, shoe: CardCounts, seen: int) -> Paths:
    """Every order of the cards that are seen, as shoes with one round each; the rest in one order."""
    cards = [card.index for card in CARDS for _ in range(shoe[card])]
    orders = []
    for places in permutations(range(len(cards)), seen):
        rest = [card for place, card in enumerate(cards) if place not in places]
        orders.append([*(cards[place] for place in places), *rest])
    found = np.array(orders, np.uint8)
    left = np.array([np.bincount(order[seen:], minlength=52) for order in found], np.int64)
    return Paths(rules, found, np.arange(len(found)), np.full(len(found), seen), left)


TINY = {
    "primary": ("A:1,T:5,9:3,6:4,5:4", 1),
    "21+3": ("2:1,5:2,9:2,K:2,7:1", 2),
    "match-the-dealer": ("8:1,9:1,T:1,5:2,4:1", 2),
}
"""Shoes, and how many of their cards are seen."""
TINY_GAME = {"split.max_hands": 2, "split.never": ["A", *map(str, range(2, 11))], "double.totals": "10-11"}
"""So that the house has the edge in some of the shoes."""


def figured(rules: TwentyOneRules, wager: str, shoe: CardCounts) -> Fraction:
    """The value of a wager in fractions, by the solver's or the bet's own figures."""
    if wager == "primary":
        return Fraction(solve(rules, shoe=shoe, exact=True).expected_value)
    return Fraction(side_bet_figures(rules, wager, shoe=shoe).expected_value)


@pytest.mark.slow
@pytest.mark.parametrize("wager", TINY)
def test_perfect_play_of_a_tiny_game_over_every_order(wager: str) -> None:
    """The primary wager, too: solved in fractions from what each order leaves, order by order."""
    rules = load_rules("blackjack", TINY_GAME)
    text, seen = TINY[wager]
    shoe = parse_shoe(text, rules.deck)
    paths = every_start(rules, shoe, seen)
    found: dict[tuple[int, ...], Fraction] = {}
    wins = []
    for left in paths.left:
        # Suits are nothing to the primary wager: shoes with the same values are solved once.
        by_value = tuple(np.bincount([card.value for card in CARDS], left).astype(int).tolist())
        alike = by_value if wager == "primary" else tuple(left.tolist())
        if alike not in found:
            found[alike] = figured(rules, wager, _counts(left))
        wins.append(max(Fraction(0), found[alike]))
    expected = sum(wins, Fraction(0)) / len(wins)
    assert 0 < sum(win > 0 for win in wins) < len(wins)  # made in some orders, not in all
    everything = np.arange(len(wins))
    (exact,) = perfect_of(paths, wager, [1], everything)
    assert exact.win == pytest.approx(float(expected), abs=1e-12)
    assert exact.share == pytest.approx(sum(win > 0 for win in wins) / len(wins))
    assert exact.win_per_shoe == pytest.approx(float(expected), abs=1e-12)  # one round each
    assert float(exactly_at(rules, wager, shoe, shoe.total - seen)) == pytest.approx(
        float(expected), abs=1e-12
    )
    some = np.random.default_rng(5).choice(everything, 40)
    (sampled,) = perfect_of(paths, wager, [1], some)
    assert abs(sampled.win - float(expected)) < 3.5 * sampled.standard_error


def test_one_round_of_each_shoe_stands_for_all_of_them() -> None:
    """Shoes of one and of three rounds: the mean over every choice is that over all rounds."""
    rules = load_rules("blackjack", {"decks": 1})
    cards = [card.index for card in parse_cards("7c7d7h8c9cTd7s8d8h")]
    orders = np.array([cards, cards[::-1]], np.uint8)
    shoe, place = np.array([0, 1, 1, 1]), np.array([0, 0, 2, 4])
    left = np.array([np.bincount(orders[s, p:], minlength=52) for s, p in zip(shoe, place, strict=True)])
    paths = Paths(rules, orders, shoe, place, left)
    wins = np.array([max(0.0, float(value)) for value in values(rules, map(_counts, left), "21+3")])
    chosen = [np.array([0, second]) for second in (1, 2, 3)]
    found = [perfect_of(paths, "21+3", [1], some)[0] for some in chosen]
    assert np.mean([one.win for one in found]) == pytest.approx(wins.mean(), abs=1e-12)
    assert found[0].rounds_per_shoe == 2
    assert found[0].win_per_shoe == pytest.approx(2 * found[0].win)
    # With seven cards of nine behind the cut card the rounds from place 2 on are not dealt.
    (early,) = perfect_of(paths, "21+3", [7], chosen[0])
    assert (early.shoes, early.rounds_per_shoe) == (2, 1)
    picked = one_round_of_each(paths, seed=1)
    assert picked[0] == 0
    assert picked[1] in {1, 2, 3}


def _counts(left: NDArray[np.int64]) -> CardCounts:
    return CardCounts(tuple(int(number) for number in left))


def test_ctrl_c_keeps_the_shoes_that_were_valued() -> None:
    rules = load_rules("blackjack", {"decks": 1})

    def interrupt_at(number: int) -> Callable[[int, int], None]:
        def progress(done: int, _of: int) -> None:
            if done == number:
                raise KeyboardInterrupt

        return progress

    (found,) = perfect_play(rules, "match-the-dealer", [26], shoes=20, progress=interrupt_at(12))
    assert found.shoes == 12
    with pytest.raises(KeyboardInterrupt):  # too few for an error
        perfect_play(rules, "match-the-dealer", [26], shoes=20, progress=interrupt_at(3))


@pytest.mark.slow
def test_a_deeper_cut_shows_more() -> None:
    rules = load_rules("blackjack", {"decks": 2})
    deep, shallow = perfect_play(rules, "primary", [26, 78], shoes=24, seed=3)
    assert deep.shoes == 24 > shallow.shoes
    assert deep.win > shallow.win >= 0
    assert deep.win == pytest.approx(deep.share * deep.edge)
    assert deep.rounds_per_shoe > shallow.rounds_per_shoe > 1


@pytest.mark.slow
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
