"""Effects of removal and counts: against fractions, published figures, and what must be by symmetry."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cardroom.core.cards import CARDS, Rank, Suit, parse_card, parse_cards
from cardroom.core.errors import MalformedInput, UnknownName
from cardroom.exact.removals import Removals
from cardroom.exact.sidebets import side_bet_figures
from cardroom.exact.twentyone import parse_shoe, solve
from cardroom.protect.best import best_counts
from cardroom.protect.counts import LETTERS, Count, find_count, systems
from cardroom.protect.effects import Effects, all_effects, effects_of, second_order
from cardroom.protect.shoes import values
from cardroom.rules import load_rules, load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from tests.command_line import CommandLine

SIX_DECKS = {"decks": 6, "surrender": "late", "split.max_hands": 2}
"""The rules that the published effects fit: late surrender, one split, a double after it."""
SINGLE_DECK = {"decks": 1, "dealer_hits_soft_17": False, "double.after_split": False}


@pytest.fixture(scope="module")
def single_deck() -> TwentyOneRules:
    return load_rules("blackjack", SINGLE_DECK)


@pytest.fixture(scope="module")
def fixed(single_deck: TwentyOneRules) -> Effects:
    return effects_of(single_deck, "primary", "basic")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("soft_17", "published"),
    [
        (False, (-0.094, 0.069, 0.082, 0.110, 0.141, 0.079, 0.041, -0.008, -0.040, -0.091)),
        (True, (-0.084, 0.071, 0.086, 0.117, 0.143, 0.084, 0.038, -0.010, -0.045, -0.097)),
    ],
)
def test_published_effects_of_six_decks(soft_17: bool, published: tuple[float, ...]) -> None:
    """Wizard of Odds, blackjack appendix 7, in percent.

    The source does not name all its rules; those that fit it best leave up to 0.002, beside half a digit.
    """
    rules = load_rules("blackjack", {**SIX_DECKS, "dealer_hits_soft_17": soft_17})
    effects = effects_of(rules).by_value
    assert list(effects) == list(LETTERS)
    for effect, figure in zip(effects.values(), published, strict=True):
        assert abs(100 * float(effect) - figure) < 0.002 + 0.0005


@pytest.mark.slow
def test_published_effects_of_one_deck(fixed: Effects) -> None:
    """Griffin's, as others quote them, for a strategy of his day: up to 0.0175 from ours."""
    griffin = (-0.61, 0.38, 0.44, 0.55, 0.69, 0.46, 0.28, 0.00, -0.18, -0.51)
    for effect, figure in zip(fixed.by_value.values(), griffin, strict=True):
        assert abs(100 * float(effect) - figure) < 0.0175


def test_published_correlations_of_counts(single_deck: TwentyOneRules, fixed: Effects) -> None:
    """Insurance to the printed digits, which are those of these very cards; betting within a digit.

    The source's betting correlations are those of the effects that it prints: with that row the audit meets
    them exactly. Ours are of exact effects, so they may differ by one in the last digit.
    """
    insurance = effects_of(single_deck, "insurance")
    published = {
        "hi-lo": (0.97, 0.76),
        "ko": (0.98, 0.78),
        "red-7": (0.98, 0.78),
        "hi-opt-1": (0.88, 0.85),
        "hi-opt-2": (0.91, 0.91),
        "omega-2": (0.92, 0.85),
        "zen": (0.96, 0.85),
        "halves": (0.99, 0.72),
    }
    assert set(published) == set(systems())
    for name, (betting, insuring) in published.items():
        count = systems()[name]
        assert abs(count.correlation(fixed) - betting) < 0.01, name
        assert abs(count.correlation(insurance) - insuring) < 0.005, name


def test_insurance_of_one_deck_in_fractions(single_deck: TwentyOneRules) -> None:
    """51 cards, 16 tens: −1/17 of a unit. Without another card 16 of 50 win, without a ten 15 of 50."""
    effects = effects_of(single_deck, "insurance")
    assert effects.full_value == Fraction(16, 51) * 3 - 1
    by_rank = effects.by_rank
    assert by_rank[Rank.TWO] == Fraction(16, 50) * 3 - Fraction(16, 51) * 3  # 1.8824 %
    assert by_rank[Rank.KING] == Fraction(15, 50) * 3 - Fraction(16, 51) * 3  # −4.1176 %
    assert by_rank[Rank.ACE] == by_rank[Rank.TWO]  # an ace less leaves as many cards that are no tens


@pytest.mark.slow
@pytest.mark.parametrize("game", ["blackjack", "spanish-21", "players-edge-21"])
def test_a_card_burned_unseen_changes_nothing(game: str) -> None:
    """By a strategy that is kept, the effects of all cards of the shoe add up to nothing."""
    rules = load_rules_as(TwentyOneRules, game, {"decks": 2})
    for effects in all_effects(rules)[1:]:
        shoe = rules.shoe()
        whole = sum(shoe[card] * effect for card, effect in effects.by_card.items())
        if isinstance(effects.full_value, Fraction) and effects.wager != "insurance":
            assert whole == 0
        elif effects.wager == "primary":
            assert abs(whole) < 1e-10


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["composition", "basic"])
def test_effects_are_differences_of_solutions_in_fractions(strategy: str) -> None:
    rules = load_rules("blackjack", {"split.max_hands": 2})
    shoe = parse_shoe("A:2,T:4,8:4,6:5", rules.deck)
    effects = effects_of(rules, "primary", strategy, shoe=shoe)
    kept = solve(rules, strategy, shoe=shoe).strategy if strategy == "basic" else strategy
    full = solve(rules, kept, shoe=shoe, exact=True).expected_value
    for text in ("Ac", "Tc", "8c", "6c"):
        (card,) = parse_cards(text)
        here = next(one for one in CARDS if one.rank is card.rank and shoe[one])
        without = solve(rules, kept, shoe=shoe.without([here]), exact=True).expected_value
        assert float(effects.by_card[here]) == pytest.approx(float(without - full), abs=1e-12)


def test_perfect_pairs_leave_nothing_to_a_linear_count_either() -> None:
    """Suits matter to its lines, and still every card that is missing is like another."""
    rules = load_rules("blackjack", {"side_bets.perfect-pairs.offered": True})
    effects = effects_of(rules, "perfect-pairs")
    assert len(effects.by_card) == 52
    assert len(set(effects.by_card.values())) == 1
    assert best_counts(effects) == []


def test_pairs_leave_nothing_to_a_linear_count() -> None:
    """Match the Dealer pays every rank alike: one card less is like another, two of a rank are not."""
    rules = load_rules("spanish-21", {"decks": 2})
    effects = effects_of(rules, "match-the-dealer")
    assert len(set(effects.by_card.values())) == 1
    assert best_counts(effects) == []
    seconds = second_order(rules, "match-the-dealer")
    alike = {value for (one, other), value in seconds.items() if one == other}
    unlike = {value for (one, other), value in seconds.items() if one != other}
    assert len(alike) == len(unlike) == 1
    (same,), (different,) = alike, unlike
    # Two cards burned unseen change nothing: 12 ranks of 8 cards.
    assert 12 * 8 * 7 * same + 12 * 11 * 64 * different == 0
    assert different < 0 < same  # an uneven shoe has more pairs


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "wager"),
    [("blackjack", "21+3"), ("players-edge-21", "match-up"), ("players-edge-21", "monster-match-1")],
)
def test_one_count_has_the_effects_of_all_cards(game: str, wager: str) -> None:
    """The same as the bet figured anew from the shoe without the card, or without two."""
    rules = load_rules_as(TwentyOneRules, game, {"decks": 1})
    shoe = rules.shoe()
    effects = effects_of(rules, wager)
    removals = Removals(rules, wager, shoe)
    assert effects.full_value == side_bet_figures(rules, wager, shoe=shoe).expected_value
    for card in parse_cards("7d" if rules.side_bets[wager].progressive_line else "Ac 7d Ks"):
        without = side_bet_figures(rules, wager, shoe=shoe.without([card])).expected_value
        assert effects.by_card[card] == without - effects.full_value
    if rules.side_bets[wager].any_suits and not rules.side_bets[wager].progressive_line:
        for one, other in ((Rank.SEVEN, Rank.KING), (Rank.SEVEN, Rank.SEVEN)):
            cards = [(a, b) for a in CARDS for b in CARDS if (a.rank, b.rank) == (one, other) and a != b]
            seven = [pair for pair in cards if pair[0].suit is Suit.CLUBS]  # the suits are alike
            mean = sum(
                (side_bet_figures(rules, wager, shoe=shoe.without(pair)).expected_value for pair in seven),
                Fraction(0),
            ) / len(seven)
            assert removals.without_two(one, other) == mean


RED_QUEENS = {
    "title": "Red Queens",
    "looks_at": ["player_1", "player_2"],
    "lines": [
        {"name": "two", "when": {"every": {"cards": ["Qh", "Qd"]}}, "pays": "100:1"},
        {"name": "one", "when": {"of": ["player_1"], "every": {"cards": ["Qh", "Qd"]}}, "pays": "10:1"},
    ],
}


@pytest.mark.parametrize("decks", [1, 2])
def test_effects_of_two_cards_on_a_bet_that_names_suits(decks: int) -> None:
    """By hand: with q red queens among n cards, two come in q(q−1) of n(n−1) ways, one first in q(n−q)."""
    rules = load_rules_as(TwentyOneRules, "blackjack", {"decks": decks, "side_bets.red-queens": RED_QUEENS})
    cards = 52 * decks

    def value(queens: int, missing: int) -> Fraction:
        left = cards - missing
        two, one = queens * (queens - 1), queens * (left - queens)
        return Fraction(101 * two + 11 * one, left * (left - 1)) - 1

    red, of_rank = 2 * decks, 4 * decks
    full, pairs = value(red, 0), of_rank * (of_rank - 1)
    queen = Fraction(value(red - 1, 1) + value(red, 1), 2) - full
    other = value(red, 1) - full
    ways = {0: red * (red - 1), 1: 2 * red * red, 2: red * (red - 1)}
    two_queens = sum(Fraction(ways[gone], pairs) * value(red - gone, 2) for gone in ways)
    queen_and_other = Fraction(value(red - 1, 2) + value(red, 2), 2)
    seconds = second_order(rules, "red-queens")
    assert seconds["Q", "Q"] == two_queens - full - 2 * queen
    assert seconds["J", "Q"] == seconds["Q", "K"] == queen_and_other - full - queen - other
    assert seconds["2", "3"] == seconds["7", "7"] == value(red, 2) - full - 2 * other


def test_a_spanish_deck_has_another_balance() -> None:
    """Without the tens Hi-Lo no longer ends at 0."""
    hi_lo = systems()["hi-lo"]
    assert hi_lo.balanced(tens=4)
    assert hi_lo.sum_of_deck(tens=3) == 1
    assert effects_of(load_rules("spanish-21", {"decks": 1}), "insurance").tens_in_a_deck == 3


def test_many_shoes() -> None:
    rules = load_rules("blackjack")
    shoes = [rules.shoe().without(parse_cards(cards)) for cards in ("5c5d", "AcAd", "Tc")]
    found = list(values(rules, shoes))
    assert found == [solve(rules, shoe=shoe).expected_value for shoe in shoes]
    assert found[0] > solve(rules).expected_value > found[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "wager"),
    [("blackjack", "21+3"), ("spanish-21", "match-the-dealer"), ("players-edge-21", "monster-match-1")],
)
def test_side_bets_counted_in_many_shoes_are_their_exact_figures(game: str, wager: str) -> None:
    """By another path: the figures of the bet from each shoe, line by line."""
    rules = load_rules_as(TwentyOneRules, game)
    shoes = [rules.shoe().without(parse_cards(cards)) for cards in ("5c5d", "AcAd", "KcQd7h7s")]
    expected = [side_bet_figures(rules, wager, shoe=shoe).expected_value for shoe in shoes]
    assert all(isinstance(value, Fraction) for value in expected)
    assert list(values(rules, shoes, wager)) == expected


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("high-low", UnknownName, "the counts are hi-lo"),
        ("1,0", MalformedInput, "has 2 tags; a count has ten"),
        ("1,1,1,1,1,1,1,1,1,1", MalformedInput, "counts nothing"),
        ("x,1,1,1,1,1,0,0,0,-1", MalformedInput, "no number"),
        ("1/0,1,1,1,1,1,0,0,0,-1", MalformedInput, "no number"),
        ("1e999999999,1,1,1,1,1,0,0,0,-1", MalformedInput, "no number"),  # no lifetime of digits either
        ("100.5,1,1,1,1,1,0,0,0,-1", MalformedInput, "too large; allowed: -100 to 100"),
        ("1/7,0.0001,1,1,1,1,0,0,0,-1", MalformedInput, "too fine"),
        ("-1,1,1,1,1,1,0,0,,-1", MalformedInput, "has no tag for 9"),
    ],
)
def test_wrong_counts(text: str, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        find_count(text)


def test_a_count_with_a_missing_rank() -> None:
    with pytest.raises(MalformedInput, match="no tag for 9"):
        Count.parse("mine", {letter: 0 for letter in LETTERS if letter != "9"})


def test_wrong_wagers() -> None:
    rules = load_rules("blackjack")
    with pytest.raises(UnknownName, match="the wagers are primary, insurance"):
        effects_of(rules, "red")
    with pytest.raises(MalformedInput, match="infinitely many decks"):
        effects_of(load_rules("blackjack", {"decks": "infinite"}))
    with pytest.raises(MalformedInput, match="are for side bets"):
        second_order(rules, "primary")


@pytest.mark.slow
def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    cardroom = CommandLine(monkeypatch, capsys)
    answer = cardroom("protect", "blackjack", "--effects", "--json").json
    primary = answer["effects"][0]
    assert (primary["wager"], primary["strategy"], primary["removed"]) == ("primary", "composition", 1)
    assert primary["of"] == 312
    assert list(primary["per_card"]) == list(LETTERS)
    assert primary["per_deck"]["5"] == pytest.approx(6 * primary["per_card"]["5"])
    assert "counts" not in answer
    whole = cardroom("protect", "blackjack", "--count", "hi-lo", "--json").json
    assert [count["count"] for count in whole["counts"]] == ["hi-lo"]
    text = cardroom("protect", "blackjack").out
    for words in ("Card missing", "Per deck", "Hi-Lo", "One card of 312"):
        assert words in text
    assert cardroom("protect", "blackjack", "--count", "zzz").code == 2


def test_removed_cards_of_the_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cardroom = CommandLine(monkeypatch, capsys)
    answer = cardroom("hand", "blackjack", "Tc6d", "--dealer", "Th", "--removed", "5h5c6d", "--json").json
    rules = load_rules("blackjack")
    left = rules.shoe().without(parse_cards("5h5c6d"))
    expected = solve(rules, shoe=left, wager_cents=400).action_values(
        parse_cards("Tc6d"), parse_cards("Th")[0]
    )
    assert {row["action"]: row["expected_value"]["decimal"] for row in answer["actions"]} == pytest.approx(
        {str(action): value for action, value in expected.items()}, rel=1e-14
    )
    refused = cardroom("odds", "blackjack", "--removed", "5h5h5h5h5h5h5h")
    assert refused.code == 2
    assert "5h" in refused.err
    assert (
        "infinitely many" in cardroom("odds", "blackjack", "--set", "decks=infinite", "--removed", "5h").err
    )


def test_suits_that_differ_by_rounding_only_stand_together() -> None:
    """Sixes of clubs, hearts and spades are alike; in double precision they come out a last digit apart."""
    by_card = {card: 0.01 for card in CARDS if card.rank is Rank.SIX}
    by_card[parse_card("6h")] += 1e-15
    by_card[parse_card("6d")] = 0.02
    effects = Effects("primary", "basic", of=288, decks=6, full_value=0.0, by_card=by_card)
    assert effects.grouped() == [("6c 6h 6s", 0.01), ("6d", 0.02)]
