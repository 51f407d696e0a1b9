"""Advice: the solver's own values for the hand in turn, and what a mistake costs."""

from __future__ import annotations

import pytest

from cardroom.cli.twentyone.adviser import advise, verdict
from cardroom.core.cards import parse_cards
from cardroom.engine import twentyone
from cardroom.engine.twentyone import Action, DeclineInsurance, Insure, Round, SpotWager
from cardroom.exact.twentyone import solve
from cardroom.lab.advice import advice, option_values, solved
from tests.command_line import CommandLine
from tests.twentyone import house


def dealt(game: str, cards: str, *actions: str, stake_cents: int = 400) -> Round:
    """A round of one spot with these cards as they come, and the player's words where they are asked."""
    state, _ = twentyone.start(house(game), [SpotWager(1, "Ann", stake_cents)])
    waiting, said = list(parse_cards(cards)), list(actions)
    while waiting or said:
        if state.options:
            if not said:
                break
            chosen = twentyone.parse_action(said.pop(0))
            state, _ = twentyone.step(state, chosen)
        else:
            state, _ = twentyone.step(state, waiting.pop(0))
    return state


def test_values_of_first_two_cards_are_the_solvers() -> None:
    game = dealt("blackjack", "7s Jc 4d 8c")  # player 7-4, up card J
    found = advice(game)
    assert found is not None
    values = solved(game.rules).action_values(parse_cards("7s4d"), parse_cards("Jc")[0])
    assert {choice.option: choice.value_cents for choice in found.choices} == {
        action: pytest.approx(400 * value) for action, value in values.items()
    }
    assert found.best.option is Action.DOUBLE
    cost = found.cost_cents(Action.HIT)
    assert cost == pytest.approx(400 * (values[Action.DOUBLE] - values[Action.HIT]))
    assert found.to_json()[0]["option"] == "double"


def test_values_are_for_the_wager_that_stands() -> None:
    """At $500 the maximum caps a second double at $500 (PE21-8.2): a double of A-6 is worth less."""
    first = {}
    for stake_cents in (300, 50_000):
        game = dealt("players-edge-21", "As 6h 6d Kc", stake_cents=stake_cents)
        found = advice(game)
        assert found is not None
        solution = solve(game.rules, wager_cents=stake_cents)
        values = solution.action_values(parse_cards("As6d"), parse_cards("6h")[0])
        assert {choice.option: choice.value_cents for choice in found.choices} == {
            action: pytest.approx(stake_cents * value) for action, value in values.items()
        }
        first[stake_cents] = values[Action.DOUBLE]
    assert first[50_000] < first[300]


def test_insurance_is_valued_as_it_is_paid_in_chips() -> None:
    """$1 on 3:2 wins $1 in whole chips: 96 tens in the 309 cards not seen."""
    changes = {"rounding": "chip", "insurance.pays": "3:2", "insurance.suited_pays": "3:2"}
    state, _ = twentyone.start(house("blackjack", changes), [SpotWager(1, "Ann", 300)])
    for card in parse_cards("9s Ah 8d 2c"):
        state, _ = twentyone.step(state, card)
    found = advice(state)
    assert found is not None
    (insured,) = [choice for choice in found.choices if isinstance(choice.option, Insure)]
    assert isinstance(insured.option, Insure)
    assert insured.option.stake_cents == 100  # half of $3, down to the chip
    assert insured.value_cents == pytest.approx(100 * 96 / 309 - 100 * 213 / 309)


def test_the_words_of_the_terminal() -> None:
    game = dealt("blackjack", "7s Jc 4d 8c")
    lines = advise(game).splitlines()
    assert lines[0].startswith("Best: double")
    assert [line.split()[0] for line in lines[1:]] == ["double", "hit", "stand"]
    assert max(map(len, lines)) <= 80
    assert verdict(game, "double") == "double: the best choice."
    assert verdict(game, "hit") == "hit: double would have been better by 24¢."
    assert verdict(game, "what?") == ""
    assert verdict(game, "split") == ""


def test_a_hand_after_a_double_is_valued_as_such() -> None:
    # Player's Edge 21: 5-4 against a 6, doubled, and a 2 came: 11 with one double behind it.
    game = dealt("players-edge-21", "5c 6h 4d Kc 2s", "double", stake_cents=1000)
    found = advice(game)
    assert found is not None
    options = {choice.option for choice in found.choices}
    assert options == {Action.STAND, Action.DOUBLE, Action.RESCUE}
    rescued = next(choice for choice in found.choices if choice.option is Action.RESCUE)
    assert rescued.value_cents == pytest.approx(-1000)  # the original wager is lost (PE21-9)
    assert found.best.option is Action.DOUBLE


def test_a_hand_after_a_split_has_no_surrender() -> None:
    solution = solved(house("players-edge-21"))
    (up,) = parse_cards("Ah")
    whole = option_values(solution, parse_cards("8c8d"), up)
    assert Action.SURRENDER in whole
    after = option_values(solution, parse_cards("8c8d"), up, from_split=True)
    assert Action.SURRENDER not in after
    assert after[Action.SPLIT] == pytest.approx(whole[Action.SPLIT])


def test_insurance_is_worth_what_the_unseen_cards_say() -> None:
    game = dealt("blackjack", "9s Ac 4d 8c")
    found = advice(game)
    assert found is not None
    assert {type(choice.option) for choice in found.choices} == {Insure, DeclineInsurance}
    # Of 309 unseen cards 96 are tens: each unit wins 2 with 96 of them and is lost with 213.
    insured = next(choice for choice in found.choices if isinstance(choice.option, Insure))
    assert isinstance(insured.option, Insure)
    assert insured.value_cents == pytest.approx(insured.option.stake_cents * (2 * 96 - 213) / 309)
    assert isinstance(found.best.option, DeclineInsurance)
    part = insured.option.stake_cents // 2
    assert found.cost_cents(Insure(part)) == pytest.approx(part * (213 - 2 * 96) / 309)


def test_even_money_is_insurance_by_another_name() -> None:
    game = dealt("blackjack", "As Ac Kd 8c")
    found = advice(game)
    assert found is not None
    values = {str(choice.option): choice.value_cents for choice in found.choices}
    insured = next(value for words, value in values.items() if words.startswith("insure"))
    assert values["even money"] == pytest.approx(insured) == pytest.approx(400)
    # A blackjack that is not insured wins 600 unless one of 95 tens among 309 lies in the hole.
    assert values["no insurance"] == pytest.approx(600 * (309 - 95) / 309)


def test_nothing_to_decide() -> None:
    state, _ = twentyone.start(house("blackjack"), [SpotWager(1, "Ann", 400)])
    assert advice(state) is None
    assert advise(state) == "Nothing is to be decided."


def test_advice_on_a_key_and_what_a_mistake_cost(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cardroom = CommandLine(monkeypatch, capsys)
    # Repeatable cards: J-5 against a ten, stood on instead of hit, which costs 0.036 of the $4.
    out = cardroom("play", "blackjack", "--seed", "5", "--rounds", "1", stdin="4\nv\ns\n").out
    assert "Best: hit. On average" in out
    assert "stand: hit would have been better by 14¢." in out
    without = cardroom("play", "blackjack", "--seed", "5", "--rounds", "1", stdin="4\ns\n").out
    assert "better by" not in without
