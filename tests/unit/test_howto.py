"""The films and hands of the how-to pages: dealt by the engine, found by the law, changed by the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from cardroom.core.cards import parse_card, parse_cards
from cardroom.games import GAMES
from cardroom.presentation.howto import Film, Guide, Row
from cardroom.rules import load_rules, load_rules_as
from cardroom.rules.bets import shelf_bet, shelf_names
from cardroom.rules.clauses import clause_of
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules, law

CHANGES: list[tuple[str, dict[str, object]]] = [
    *((game, {}) for game in GAMES),
    ("blackjack", {"decks": 1}),
    ("blackjack", {"decks": "infinite", "double.max_doubles": 0, "split.max_hands": 1}),
    ("spanish-21", {"decks": 1}),
    ("players-edge-21", {"decks": 2, "limits.max": "5.00"}),
    ("players-edge-21", {"side_bets.match-down.offered": False, "insurance.offered": False}),
    ("knockout-52", {"decks": 8, "pays.round_1": "2:3"}),
    ("knockout-21", {"game_1_hit": "literal", "draws.minimum_tickets": 50}),
]


def rules_and_module(game: str, options: Mapping[str, object]) -> tuple[Any, Any]:
    return load_rules(game, options), GAMES[game].follow("howto")


_made: dict[str, list[tuple[str | None, Guide]]] = {}


def guides(game: str, options: Mapping[str, object]) -> list[tuple[str | None, Guide]]:
    """The pages of a game and all its bets, made once."""
    rules, howto = rules_and_module(game, options)
    if rules.rules_hash not in _made:
        _made[rules.rules_hash] = [(bet, howto.guide(rules, bet)) for bet in (None, *howto.bets(rules))]
    return _made[rules.rules_hash]


def cards_of(row: Row) -> list[str]:
    return [lying.card for lying in row.cards if lying.card and lying.card != "back"]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), CHANGES)
def test_every_bet_has_a_whole_page_from_cards_of_its_own_shoe(game: str, options: dict[str, object]) -> None:
    rules = load_rules(game, options)
    shoe = rules.shoe() if isinstance(rules, TwentyOneRules) else None
    for bet, guide in guides(game, options):
        assert guide.title, bet
        assert len(guide.idea) >= 2, bet
        assert guide.pays, bet
        assert guide.clauses, bet
        assert len(set(guide.clauses)) == len(guide.clauses), bet
        assert all(clause_of(one) is not None for one in guide.clauses), bet
        rows = [row for winning in guide.pays for row in winning.rows]
        rows += [row for film in guide.films for scene in film.scenes for row in scene.rows]
        for text in {text for row in rows for text in cards_of(row)}:
            assert shoe is None or shoe[parse_card(text)] > 0, (bet, text)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), CHANGES)
def test_a_film_is_told_step_by_step_in_about_half_a_minute(game: str, options: dict[str, object]) -> None:
    for bet, guide in guides(game, options):
        for film in guide.films:
            assert all(scene.caption for scene in film.scenes), bet
            assert film.scene_milliseconds * len(film.scenes) <= 30_000
            assert film.scene_milliseconds >= 2_000, bet  # long enough to be read


def test_a_film_by_hand() -> None:
    """6 and 5 against a 6, doubled for a 9: 20 against the dealer's 6, K, 8."""
    rules, howto = rules_and_module("players-edge-21", {})
    film = howto.guide(rules).films[0]
    assert [scene.caption for scene in film.scenes] == [
        "You wager $10.",
        "You get the 6♦.",
        "The dealer takes a card face down.",
        "You get the 5♠.",
        "The dealer takes a card face down. The dealer shows the 6♣.",
        "You double. You add $10.",
        "You get the 9♥.",
        "You stand. The dealer shows the K♥.",
        "The dealer draws the 8♣. Your wager wins $20, paid 1 to 1: dealer's bust. You won $20.",
    ]
    dealer, you = film.scenes[-1].rows
    assert cards_of(dealer) == ["8c", "Kh", "6c"]  # the last one dealt lies leftmost (PROC-17)
    assert cards_of(you) == ["9h", "5s", "6d"]
    assert [lying.sideways for lying in you.cards] == [True, False, False]  # PROC-13
    assert you.words == "20, won · $20"


def test_a_hand_that_is_given_up_is_told_in_one_sentence_and_split_hands_by_number() -> None:
    """Half of $10 for a surrender; a rescue gives up the $10 before the double and gets its $10 back."""
    rules, howto = rules_and_module("players-edge-21", {})
    films = {film.title: [scene.caption for scene in film.scenes] for film in howto.guide(rules).films}
    given_up = "You surrender. Your wager loses $5, and $5 comes back. The dealer shows the 8♥. You lost $5."
    assert films["A surrender"][-1] == given_up
    assert "Your wager loses $10, and $10 comes back." in films["A double, rescued"][-1]
    split = films["A pair, split"]
    assert split[-1].endswith(
        "Hand 2 loses $10: lower total. Hand 1 wins $20, paid 1 to 1: higher total. You won $10."
    )
    after = split[next(place for place, words in enumerate(split) if "You split." in words) + 1 :]
    assert not any("You get" in words or "You stand" in words for words in after)
    assert not any("Primary" in words for film in films.values() for words in film)


def captions(film: Film) -> str:
    return " ".join(scene.caption for scene in film.scenes)


def test_a_side_bet_lies_beside_the_hand_and_says_what_it_came_to() -> None:
    """Match Up: one suited match pays 9 to 1, so $5 wins $45; it is decided before the hand is."""
    rules, howto = rules_and_module("players-edge-21", {})
    (film,) = howto.guide(rules, "match-up").films
    beside = [scene.rows[-1].words for scene in film.scenes]
    assert beside[0].endswith("· Match Up $5")
    assert beside[-1].endswith("lost · $10 · Match Up +$45")
    assert film.scenes[-1].caption.endswith("You won $35.")


def test_a_changed_rule_changes_films_hands_and_texts() -> None:
    own, without = (
        GAMES["blackjack"].follow("howto").guide(load_rules("blackjack", options))
        for options in ({}, {"double.max_doubles": 0, "blackjack_pays": "6:5", "deck": "spanish"})
    )
    assert "You double." in captions(own.films[0])
    assert "You double." not in captions(without.films[0])
    assert "You hit." in captions(without.films[0])
    assert (own.pays[0].pays, without.pays[0].pays) == ("3 to 2", "6 to 5")
    assert "A player's blackjack pays 6 to 5." in " ".join(without.idea)


def test_a_rule_that_is_away_takes_its_film_and_its_page_with_it() -> None:
    rules, howto = rules_and_module("players-edge-21", {})
    titles = {film.title for film in howto.guide(rules).films}
    assert titles == {"A double that wins", "A pair, split", "A double, rescued", "A surrender"}
    options = {"surrender": "none", "double.rescue": "none", "split.max_hands": 1}
    changed, _ = rules_and_module("players-edge-21", options)
    assert {film.title for film in howto.guide(changed).films} == {"A double that wins"}
    fewer, _ = rules_and_module("players-edge-21", {"super_bonus.offered": False})
    assert set(howto.bets(rules)) - set(howto.bets(fewer)) == {"super-bonus"}


def test_game_1_is_filmed_as_it_is_read() -> None:
    """A/6 and a hit card of 9: 17 where the ace keeps its value, 16 where any card is added (KO21-5.1)."""
    keeps, literal = (
        captions(
            GAMES["knockout-21"].follow("howto").guide(load_rules("knockout-21", options), "game-1").films[0]
        )
        for options in ({}, {"game_1_hit": "literal"})
    )
    assert "the hit card is the 9♥. It is not added to your hand. The dealer has 17. You stay in" in keeps
    assert "Your hand takes it: 16. The dealer has 17. You are out of this game" in literal


@pytest.mark.parametrize("game", ["blackjack", "spanish-21", "players-edge-21"])
def test_hands_drawn_for_a_side_bet_make_their_line(game: str) -> None:
    """By the bet's own law, card by card."""
    rules, howto = rules_and_module(game, {})
    for wager in rules.offered_side_bets:
        bet, guide = rules.side_bets[wager], howto.guide(rules, wager)
        assert len(guide.pays) == len(bet.lines)
        for line, winning in zip(bet.line_ids, guide.pays, strict=True):
            own, dealers = winning.rows
            cards = list(zip(("player_1", "player_2"), parse_cards("".join(cards_of(own))), strict=True))
            for role, lying in zip(("dealer_hole", "dealer_up"), dealers.cards, strict=True):
                if lying.card != "back":
                    cards.append((role, parse_card(lying.card)))
            assert bet.line_of(cards) == line


def test_a_bet_that_a_table_brings_has_its_page_too() -> None:
    """A bet of the house's own, on the dealer's hand as it ends (SIDE-7)."""
    bet = {
        "title": "Long Bust",
        "looks_at": ["dealer_hand"],
        "lines": [
            {"name": "five cards", "when": {"bust": True, "number": {"min": 5}}, "pays": "12:1"},
            {"name": "bust", "when": {"bust": True}, "pays": "2:1"},
        ],
    }
    rules, howto = rules_and_module("blackjack", {"side_bets.long-bust": bet})
    guide = howto.guide(rules, "long-bust")
    assert guide.title == "Long Bust"
    long, short = (cards_of(winning.rows[0]) for winning in guide.pays)
    assert len(long) >= 5
    assert len(short) < 5
    for cards in (long, short):
        assert law.total_of(parse_cards("".join(cards)))[0] > 21
    assert "paid 2 to 1" in captions(guide.films[0])


@pytest.mark.thorough
@pytest.mark.slow
def test_every_bet_of_the_shelf_has_its_page() -> None:
    """Whatever comes onto the shelf: a film, and a hand for every line, decided by the bet itself."""
    for name in shelf_names():
        bet = shelf_bet(name).bet
        offered = {f"side_bets.{one}.offered": True for one in (name, bet.needs) if one}
        rules, howto = rules_and_module("blackjack", offered)
        guide = howto.guide(rules, name)
        drawn = [winning for winning in guide.pays if winning.rows]
        assert len(drawn) == len(guide.pays), name
        (film,) = guide.films
        assert bet.title in captions(film), name


def test_bonus_hands_are_those_that_the_table_lists() -> None:
    """PE21-14, line by line, by what the cards themselves are."""
    rules, howto = rules_and_module("players-edge-21", {})
    hands = {winning.line: cards_of(winning.rows[0]) for winning in howto.guide(rules, "bonus-21").pays}
    assert [len(hands[f"21 with {number} cards"]) for number in ("five", "six", "seven or more")] == [5, 6, 7]
    for line, ranks in (("6-7-8", "678"), ("7-7-7", "777")):
        for kind, suits in (("mixed suits", None), ("one suit", 1), ("diamonds", 1)):
            cards = hands[f"{line} of {kind}"]
            assert "".join(card[0] for card in cards) == ranks
            assert (len({card[1] for card in cards}) == 1) is (suits == 1)
    assert {card[1] for card in hands["7-7-7 of diamonds"]} == {"d"}
    for cards in hands.values():
        assert law.total_of(parse_cards("".join(cards)))[0] == 21


@pytest.mark.slow
def test_a_line_that_no_cards_of_the_shoe_make_is_said_to_be_so() -> None:
    """One deck has one nine of diamonds: no card can match the dealer's by rank and suit."""
    rules, howto = rules_and_module("blackjack", {"decks": 1})
    lines = {winning.line: winning for winning in howto.guide(rules, "match-the-dealer").pays}
    assert lines["one suited"].rows == ()
    assert lines["one suited"].words == "No cards of 1 deck make it."
    assert lines["two unsuited"].rows


def test_wagers_of_knockout_52_win_where_they_say() -> None:
    rules, howto = rules_and_module("knockout-52", {})
    for number, wager in enumerate(howto.bets(rules), 1):
        (winning,) = howto.guide(rules, wager).pays
        matches = [lying for lying in winning.rows[-1].cards if lying.marked]
        if wager == "all-the-way":
            assert matches == []
            continue
        (match,) = matches
        assert match.card[0].replace("T", "10") == match.below
        assert winning.rows[-1].label == f"Row {number}"


@pytest.mark.slow
def test_mistakes_of_knockout_52_by_hand() -> None:
    """$10 on each wager: Round 1 pays $5 and the other four lose; its chance is that of a match among 13."""
    from cardroom.lab.mistakes import knockout_52_mistakes

    first, *others = knockout_52_mistakes(load_rules_as(Knockout52Rules, "knockout-52"))
    assert first["words"] == "With $10 on each, 64.31 % of games end with Round 1: $5 won, $40 lost."
    assert [one["habit"] for one in others] == [
        f"{wager} for its pay" for wager in ("Round 2", "Round 3", "Round 4", "All the Way")
    ]


@pytest.mark.slow
def test_mistakes_of_knockout_21_are_cells_of_the_charts() -> None:
    """Game 2: 12 against a ten hits, 16 against a 5 stands (KO21-5.2)."""
    from cardroom.lab.mistakes import knockout_21_mistakes

    stiff, dealer = knockout_21_mistakes(load_rules_as(Knockout21Rules, "knockout-21"), "game-2")
    assert (stiff["habit"], stiff["cards"], stiff["against"]) == (
        "Never risking a bust",
        ("2h", "Tc"),
        ("Ts",),
    )
    assert "the chart says hit" in stiff["words"]
    assert (dealer["cards"], dealer["against"]) == (("6h", "Tc"), ("5s",))
    assert "the chart says stand" in dealer["words"]


@pytest.mark.slow
def test_insurance_on_two_tens_by_counting() -> None:
    """Six decks without two tens and an ace: 94 tens among 309 cards; 2·94 − 215 = −27 of 309: −8.74 %."""
    from cardroom.lab.mistakes import twentyone_mistakes

    good, bad = twentyone_mistakes(load_rules_as(TwentyOneRules, "blackjack"), "insurance")
    assert "loses 8.74 % of what you put on it, on average: 94 of 309 unseen cards are tens" in good["words"]
    assert "6.80 %" in bad["words"]  # 2·96 − 213 = −21 of 309


@pytest.mark.slow
def test_habits_of_a_small_table_cost_what_the_values_say() -> None:
    """Two hands, one deck: every habit's example is a play that the exact values call worse."""
    from cardroom.lab.advice import option_values, solved
    from cardroom.lab.mistakes import HABITS, sorted_habits

    rules = load_rules("blackjack", {"decks": 1, "split.max_hands": 2})
    assert isinstance(rules, TwentyOneRules)
    found = sorted_habits(rules)
    assert {mistake.habit for mistake in found} <= set(HABITS)
    assert len(found) >= 4
    for mistake in found:
        cards = [parse_card(text) for text in mistake.cards]
        values = option_values(solved(rules), cards, parse_cards(" ".join(mistake.against)))
        done = HABITS[mistake.habit](cards, values)
        assert done is not None
        assert values[done] < max(values.values())
        assert f"{done} costs" in mistake.words
