"""House rules from files and options: read, extended, changed, refused with what is allowed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from cardroom import load_rules
from cardroom.core.errors import MalformedInput
from cardroom.games import GAMES
from cardroom.presentation.conditions import conditions
from cardroom.rules import change_rules, known_game, load_rules_as, parse_change, parse_changes, rules_model
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.web.controls import controls_of

OWN_HASH = load_rules("knockout-52").rules_hash


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_game_by_its_id() -> None:
    rules = load_rules("knockout-52")
    assert isinstance(rules, Knockout52Rules)
    assert rules.flat() == {
        "game": "knockout-52",
        "title": "Knockout 52",
        "currency": "USD",
        "decks": 1,
        "pays.round_1": "1:2",
        "pays.round_2": "3:1",
        "pays.round_3": "10:1",
        "pays.round_4": "30:1",
        "pays.all_the_way": "50:1",
        "rounding": "cents",
        "limits.min": "1.00",
        "limits.max": "500.00",
        "limits.chip": "1.00",
    }


def test_equal_rules_have_one_text_and_one_hash(tmp_path: Path) -> None:
    same = write(
        tmp_path / "same.toml", 'extends = "knockout-52"\nlimits.max = 500\npays.round_1 = "1 to 2"\n'
    )
    assert load_rules(same).canonical_text() == load_rules("knockout-52").canonical_text()
    assert load_rules(same).rules_hash == OWN_HASH
    assert load_rules("knockout-52", {"decks": 2}).rules_hash != OWN_HASH
    assert len(OWN_HASH) == 64


@given(st.sampled_from([1, 2, 4, 6, 8]), st.integers(1, 99), st.integers(1, 99), st.integers(1, 10**6))
def test_the_canonical_text_reads_back(decks: int, pays: int, stake: int, dollars: int) -> None:
    rules = load_rules(
        "knockout-52", {"decks": decks, "pays.round_3": f"{pays} to {stake}", "limits.max": dollars}
    )
    again = Knockout52Rules.model_validate(json.loads(rules.canonical_text()))
    assert again == rules
    assert again.rules_hash == rules.rules_hash


def test_files_extend_games_and_each_other(tmp_path: Path) -> None:
    write(tmp_path / "house.toml", 'extends = "knockout-52"\ndecks = 6\n[pays]\nround_2 = "7:2"\n')
    child = write(tmp_path / "high.toml", 'extends = "house.toml"\n[limits]\nmax = "5,000.00"\n')
    rules = load_rules(child, {"rounding": "chip"})
    assert rules.differences(load_rules("knockout-52")) == {
        "decks": (6, 1),
        "pays.round_2": ("7:2", "3:1"),
        "rounding": ("chip", "cents"),
        "limits.max": ("5000.00", "500.00"),
    }
    assert load_rules(str(child)).flat()["limits.max"] == "5000.00"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            'extends = "knockout-52"\ndeks = 2',
            "unknown option 'deks' (did you mean 'decks'?); known here: game,",
        ),
        (
            'extends = "knockout-52"\n[pays]\nround_5 = "9:1"',
            "unknown option 'pays.round_5' (did you mean 'round_4'?); known here: round_1, round_2",
        ),
        ('extends = "knockout-52"\ndecks = 3', "decks = 3 is not allowed; allowed: 1, 2, 4, 6 or 8 (KO52-1)"),
        ('extends = "knockout-52"\nrounding = "up"', "allowed: 'cents' or 'chip' (KO52-11)"),
        ('extends = "knockout-52"\nrounding = "a\\nb"', 'rounding = "a\\nb" is not allowed'),
        ('extends = "knockout-52"\npays.round_1 = "half"', "pays.round_1 = \"half\": 'half' is not odds"),
        ('extends = "knockout-52"\npays.round_1 = 0.5', "pays.round_1 = 0.5: odds are written like"),
        (
            'extends = "knockout-52"\nlimits.min = -1',
            "limits.min = -1: the amount must be above zero (KO52-3)",
        ),
        ('extends = "knockout-52"\nlimits.min = 1.5', "an amount of money is written in dollars"),
        ('extends = "knockout-52"\nlimits.min = 600', "limits.min $600.00 is above limits.max $500.00"),
        ('extends = "knockout-52"\nlimits.chip = 3', "are whole chips of $3.00"),
        ('extends = "knockout-52"\ndecks = true', "decks = true: true and false are for options that say"),
        (
            'extends = "knockout-52"\ntitle = " "',
            'title = " " is not allowed: string should have at least 1 character',
        ),
        (
            'extends = "knockout-52"\ntitle = "\\u0000"',
            "a title is a few words on one line, without signs that do not show",
        ),
        (
            'extends = "knockout-52"\nlimits = 3',
            "limits = 3 is not allowed; allowed: a group of the options min, max, chip",
        ),
        (
            'extends = "blackjack"\nside_bets."21+3" = 5',
            "side bet 21+3: 5 is not allowed; allowed: a group of the options offered, suited_three",
        ),
        ('extends = "blackjack"\nside_bets."21+3".lines = 5', "side bet 21+3: "),
        ('extends = "blackjack"\nside_bets."21+3".lines = [5]', "side bet 21+3: "),
        (
            'extends = "blackjack"\ndealer_hits_soft_17 = "maybe"',
            'dealer_hits_soft_17 = "maybe" is not allowed; allowed: true or false (BJ-6)',
        ),
        (
            'extends = "blackjack"\n[side_bets."21+3"]\noffered = "maybe"',
            'side bet 21+3: offered = "maybe" is not allowed; allowed: true or false',
        ),
        ("decks = 2", 'a rules file says which game it is for: game = "…" or extends = "…"'),
        ('game = "poker"', "unknown game 'poker'"),
        ('game = "knockout-52"', "options 'title', 'currency', 'decks', "),
        ("extends = 52", 'extends names a game or a file, such as extends = "spanish-21"'),
        ('extends = "knockout-5"', "unknown game 'knockout-5' (did you mean 'knockout-52'?); the games are "),
        ("decks = ", "is not valid TOML"),
        ("decks = " + "9" * 5_000, "is not valid TOML: a number has too many digits"),
        ("decks = " + "[" * 5_000, "is not valid TOML: lists and tables stand too deep in each other"),
        ('extends = "rules.toml"', "rules files extend each other in a circle"),
        ('extends = "nowhere.toml"', "cannot read the rules file"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(MalformedInput) as raised:
        load_rules(write(tmp_path / "rules.toml", text))
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(MalformedInput, match="it is not UTF-8 text"):
        load_rules(tmp_path / "rules.toml")


def test_a_file_without_end_is_no_rules_file() -> None:
    with pytest.raises(MalformedInput, match="/dev/zero is no rules file: it is larger than 1,000,000 bytes"):
        load_rules(Path("/dev/zero"))


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("decks=8", ("decks", 8)),
        ("pays.round_1=1 to 2", ("pays.round_1", "1 to 2")),
        ('title="A = B"', ("title", "A = B")),
        ("title=Ann's = table", ("title", "Ann's = table")),
        ("insurance.offered=false", ("insurance.offered", False)),
        ("limits.max=500.00", ("limits.max", "500.00")),
        (" rounding = chip ", ("rounding", "chip")),
    ],
)
def test_changes_on_the_command_line(text: str, change: tuple[str, object]) -> None:
    assert parse_change(text) == change


def test_amounts_and_depths_are_written_on_the_command_line_as_in_a_file() -> None:
    texts = [
        "limits.max=250.00",
        'limits.min="2.50"',
        "limits.chip=0.50",
        "procedure.player_cut_max_decks=2.5",
    ]
    flat = load_rules("players-edge-21", parse_changes(texts)).flat()
    assert (flat["limits.max"], flat["limits.min"], flat["limits.chip"]) == ("250.00", "2.50", "0.50")
    assert flat["procedure.player_cut_max_decks"] == 2.5


def test_the_last_word_on_a_key_holds() -> None:
    assert parse_changes(["decks=2", "decks=8"]) == {"decks": 8}


@pytest.mark.parametrize(
    "key", ["decks", "blackjack_pays", "side_bets.21+3", "side_bets.21+3.lines", "title"]
)
@pytest.mark.parametrize("value", ["\udcff", 2**70, -1, [], [[]], {}, {"lines": 8}, {"like": []}, None, 1.5])
def test_a_value_that_is_none_of_an_option_is_refused_in_a_line(key: str, value: object) -> None:
    """Half a character comes from a command line, anything else from a request for a table."""
    if (key, value) == ("side_bets.21+3", {}):  # the bet as it is on the shelf
        load_rules("blackjack", {key: value})
        return
    with pytest.raises(MalformedInput) as refused:
        load_rules("blackjack", {key: value})
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["decks", "=8", " =8", ""])
def test_what_is_not_a_change_is_refused(text: str) -> None:
    with pytest.raises(MalformedInput, match="write key=value, such as decks=8"):
        parse_change(text)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("decks.x", "there is no option 'decks.x': 'decks' is an option itself, not a group of options"),
        ("pays.round_9", "unknown option 'pays.round_9'"),
        ("nothing.here", "unknown option 'nothing'"),
    ],
)
def test_a_change_of_an_option_that_is_not_there(key: str, said: str) -> None:
    with pytest.raises(MalformedInput) as raised:
        load_rules("knockout-52", {key: 1})
    assert said in str(raised.value)


def test_a_change_leaves_the_game_as_it_was() -> None:
    load_rules("knockout-52", {"limits.max": "5.00"})
    assert load_rules("knockout-52").rules_hash == OWN_HASH


def test_rules_asked_for_again_are_the_same_record() -> None:
    """They are frozen; what is only nearly alike is checked by itself."""
    assert load_rules("blackjack", {"decks": 8}) is load_rules("blackjack", {"decks": 8})
    assert load_rules("blackjack", {"decks": 1}) is not load_rules("blackjack", {"decks": 2})
    with pytest.raises(MalformedInput, match="decks"):
        load_rules("blackjack", {"decks": True})  # equal to 1, and no number of decks


def test_one_family_can_be_asked_for() -> None:
    assert load_rules_as(Knockout52Rules, "knockout-52") == load_rules("knockout-52")
    with pytest.raises(MalformedInput, match="blackjack is not one of the games asked for here: knockout-52"):
        load_rules_as(Knockout52Rules, "blackjack")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_loads_and_says_its_rules(game: str) -> None:
    rules = load_rules(game)
    assert rules.game == known_game(game)
    assert isinstance(rules, rules_model(game))
    sentences = rules.sentences()
    assert sentences
    assert {key for key, _, _ in sentences} <= set(rules.flat())


def test_the_rules_in_words() -> None:
    words = {key: (sentence, clause) for key, sentence, clause in load_rules("knockout-52").sentences()}
    assert words["pays.round_1"] == ("Round 1 pays 1 to 2", "KO52-5")
    assert words["limits.max"] == ("a wager is at most $500.00", "KO52-3")
    assert words["rounding"] == ("a payment that does not come out even is paid to the cent", "KO52-11")
    lottery = {key: sentence for key, sentence, _ in load_rules("knockout-21").sentences()}
    assert lottery["prizes.game_2.min"] == "Game 2: a share of it is at least $15.00"
    assert lottery["prizes.game_3.min"] == "Game 3: a share of it is at least $20.00"
    changes = {"split.max_hands": 1, "double.max_doubles": 0}
    none = {key: sentence for key, sentence, _ in load_rules("blackjack", changes).sentences()}
    assert [none[key] for key in changes] == ["pairs may not be split", "no hand may be doubled"]


def test_the_words_of_a_side_bet_name_it_and_the_clause_that_offers_it() -> None:
    rules = load_rules("blackjack", {"side_bets.21+3.offered": False})
    words = {key: (sentence, clause) for key, sentence, clause in rules.sentences()}
    assert words["side_bets.21+3.offered"] == ("21+3: not on offer", "BJ-7")
    assert words["side_bets.match-the-dealer.offered"] == ("Match the Dealer: on offer", "BJ-7")
    assert words["side_bets.match-the-dealer.two_suited"] == (
        "Match the Dealer: two suited matches pay 20 to 1",
        "SIDE-2",
    )


def test_a_bonus_that_the_house_does_not_pay_is_said_in_words() -> None:
    words = {key: sentence for key, sentence, _ in load_rules("blackjack").sentences()}
    assert words["bonus_21.five_cards"] == "21 with five cards pays no bonus"


def test_rules_are_frozen() -> None:
    rules = load_rules_as(Knockout52Rules, "knockout-52")
    for name, value in {"decks": 8, "rounding": "chip"}.items():
        with pytest.raises(ValidationError, match="frozen"):
            setattr(rules, name, value)


def test_the_schema_names_what_is_allowed() -> None:
    schema = rules_model("knockout-52").model_json_schema()
    assert schema["properties"]["decks"]["enum"] == [1, 2, 4, 6, 8]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["decks"]["clause"] == "KO52-1"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_has_a_json_schema_and_controls(game: str) -> None:
    """What a schema refers to stands in it: forms of the lab and of operations are made from it."""
    schema = rules_model(game).model_json_schema()
    references = set(re.findall(r"#/\$defs/([A-Za-z0-9_-]+)", json.dumps(schema)))
    assert references <= set(schema.get("$defs", {}))
    assert controls_of(load_rules(game))


@pytest.mark.parametrize("key", ["gam", "games", "Game"])
def test_no_option_leads_to_another_game(key: str) -> None:
    with pytest.raises(MalformedInput) as refused:
        load_rules("blackjack", {key: "spanish-21"})
    assert "did you mean 'game'" not in refused.value.message


_SEVERAL = re.compile(r"\b1 (?:\w+ )?[a-z]+s\b")


@pytest.mark.parametrize("game", GAMES)
def test_one_of_a_thing_is_said_as_one(game: str) -> None:
    """Every option that takes a number, at 1: no "1 spots", no "1 consecutive draws"."""
    own = load_rules(game)
    numbers = [key for key, value in own.flat().items() if type(value) in (int, float)]
    assert numbers
    rules = change_rules(own, dict.fromkeys(numbers, 1))
    said = {key: words for key, words, _ in rules.sentences() if key in numbers}
    assert list(said) == numbers
    if isinstance(rules, Knockout21Rules):
        said |= {one.words: one.words for subject in conditions(rules) for one in subject.sentences[1:]}
    assert [words for words in said.values() if _SEVERAL.search(words)] == []
    assert _SEVERAL.search("the table has 1 spots")
    assert _SEVERAL.search("at most 1 consecutive draws")


def test_several_of_a_thing_are_said_as_several() -> None:
    said = {key: words for key, words, _ in load_rules("knockout-21").sentences()}
    assert said["sales.tickets_per_draw"] == "one transaction holds at most 3 tickets per draw"
    assert said["draws.interval_minutes"] == "draws are 7 minutes apart"
    said = {key: words for key, words, _ in load_rules("blackjack").sentences()}
    assert said["procedure.player_cut_min_decks"] == "a player cuts at least 1.5 decks deep"
    assert said["procedure.player_cut_max_decks"] == "a player cuts at most 3 decks deep"
