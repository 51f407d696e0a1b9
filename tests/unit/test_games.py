"""The registry of games: what it refers to is there, and nobody else names a game by its id."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import cardroom.games
from cardroom.core.errors import MalformedInput, Unavailable
from cardroom.games import GAMES, KNOCKOUT_21, Game, Lever, followed, parse_clause_id
from cardroom.lab.findings import edge_percent
from cardroom.rules import HouseRules, load_rules
from cardroom.rules.twentyone import TwentyOneRules
from tests.high_card.entry import HIGH_CARD

SOURCE = Path(cardroom.__file__).parent
DOCS = SOURCE.parents[1] / "docs" / "rules"
REFERENCES = (
    "rules",
    "engine",
    "figures",
    "sizes",
    "sample",
    "par_sheet",
    "table",
    "view",
    "replay",
    "show_replay",
    "published",
    "computed",
    "howto",
    "mistakes",
    "findings",
    "house_report",
    "library",
)

HAND = frozenset(
    {
        "engine/twentyone/deal.py",
        "engine/twentyone/settlement.py",
        "exact/twentyone/awards.py",
        "lab/dealer.py",
        "lab/rule_sets.py",
        "lab/published/twentyone.py",
        "model/twentyone/automaton.py",
        "presentation/sentences.py",
        "presentation/totals.py",
        "rules/bets/insurance.py",
        "rules/bets/trackers.py",
        "rules/twentyone/schema.py",
        "sim/twentyone/tables.py",
    }
)
"""Where "blackjack" is not the game but the hand: an ace and a ten."""
FOREVER = frozenset({"fair/draw.py"})
"""Where an id is part of a label that goes into hashes, and so never changes."""


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_reference_leads_somewhere(game: Game) -> None:
    for what in REFERENCES:
        if getattr(game, what) is not None:
            assert game.follow(what) is not None
    for module in game.commands.values():
        assert followed(f"{module}:app")
    if game.environment is not None:
        assert followed(game.environment[1])
    assert (game.published is None) == (game.computed is None)
    assert (game.replay is None) == (game.show_replay is None)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_entry_says_what_rules_and_pages_say(game: Game) -> None:
    rules = load_rules(game.id)
    assert (rules.game, rules.title) == (game.id, game.title)
    assert isinstance(rules, game.follow("rules"))
    page = (DOCS / f"{game.clause_page}.md").read_text("utf-8")
    for prefix in game.clauses:
        assert f"| {prefix}-1" in page
    for clause in filter(None, game.limit_clauses):
        assert f"| {parse_clause_id(clause)} |" in page
    for _, _, clause in rules.sentences():
        assert clause.partition("-")[0] in {prefix for other in GAMES.values() for prefix in other.clauses}


def test_what_runs_a_house_knows_no_game() -> None:
    """Neither by its id nor by its class: it asks the registry, and a table what it is."""
    rooms = (
        "table/correction",
        "web/background",
        "web/broken",
        "web/following",
        "web/house",
        "web/judging",
        "web/live/dealers",
        "web/live/shown",
        "web/live/tables",
        "web/memory",
        "web/pages/lobby",
        "web/pages/rounds",
        "web/past",
        "web/security/gate",
    )
    named = re.compile(r"twenty.?one|knockout|blackjack|spanish|players.edge", re.IGNORECASE)
    assert [room for room in rooms if named.search((SOURCE / f"{room}.py").read_text("utf-8"))] == []


def levers() -> list[tuple[Game, Lever]]:
    return [(game, lever) for game in GAMES.values() for lever in game.levers]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "lever"), levers(), ids=lambda one: getattr(one, "id", None) or one.option)
def test_levers_move(game: Game, lever: Lever) -> None:
    """Each value is allowed, and they differ."""
    assert load_rules(game.id).flat().keys() >= {lever.option}
    moved = {load_rules(game.id, {lever.option: value}).rules_hash for value in lever.values}
    assert len(moved) == len(lever.values) >= 2


def main_edge(game: Game, rules: HouseRules) -> float:
    """The exact edge of the main wager; the blackjack family's without all that its figures have besides."""
    if isinstance(rules, TwentyOneRules):
        return edge_percent(rules)
    (edge,) = (
        -100 * wager.expected_value
        for wager in game.follow("figures")(rules, None)
        if wager.wager == game.main_wager
    )
    return float(edge)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "lever"), levers(), ids=lambda one: getattr(one, "id", None) or one.option)
def test_levers_favour_whom_they_say(game: Game, lever: Lever) -> None:
    """The exact edge of the main wager goes one way along the values."""
    edges = [main_edge(game, load_rules(game.id, {lever.option: value})) for value in lever.values]
    assert edges == sorted(edges, reverse=lever.favours == "player")
    assert edges[0] != edges[-1]


def test_an_unknown_game_is_refused_with_the_nearest() -> None:
    with pytest.raises(MalformedInput, match=r"unknown game 'knockout-5' \(did you mean 'knockout-52'\?\)"):
        GAMES.find("knockout-5")


def test_what_a_game_has_not_is_refused_with_those_that_have_it() -> None:
    with pytest.raises(Unavailable, match=r"knockout-21 has no sample; only blackjack, .*knockout-52"):
        KNOCKOUT_21.follow("sample")


def test_a_game_is_registered_for_a_while() -> None:
    """Nothing of it stays behind, cached rules neither; another record may stand in for one, too."""
    before = list(GAMES)
    with GAMES.registered(HIGH_CARD):
        assert [*before, "high-card"] == list(GAMES)
        assert load_rules("high-card").title == "High Card"
        other = replace(HIGH_CARD, about="another")
        with GAMES.registered(other):
            assert GAMES["high-card"] is other
        assert GAMES["high-card"] is HIGH_CARD
    assert list(GAMES) == before
    with pytest.raises(MalformedInput, match="unknown game 'high-card'"):
        load_rules("high-card")


def test_importing_the_registry_costs_nothing() -> None:
    """It imports the words everyone shares and the standard library, so that anybody may ask it."""
    tree = ast.parse((SOURCE / "games.py").read_text("utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in modules if name and name.startswith("cardroom")} == {"cardroom.core.errors"}


# The ids of games in the source, and the entries by their names.

OF_ONE_GAME = {
    "cli/knockout21/": "the commands of Knockout 21",
    "cli/knockout52/": "the commands of Knockout 52",
    "cli/lottery/commands.py": "the commands that run Knockout 21",
    "envs/knockout52.py": "the environment of Knockout 52",
    "records/tables.py": "a record of Knockout 52, written since before there was another such game",
    "web/api/knockout21.py": "the API of Knockout 21",
    "web/api/knockout52.py": "the API of Knockout 52",
    "web/live/lottery.py": "what Knockout 21 shows as it is drawn",
    "web/pages/knockout52.py": "the pages of Knockout 52",
    "web/pages/operations.py": "the link to the wall of Knockout 21",
    "web/pages/terminal.py": "the pages of Knockout 21",
    "lab/published/figures.py": "published figures, each of its game",
    "lab/published/protection.py": "published figures, each of its game",
    "lab/published/twentyone.py": "published figures, each of its game",
    "lab/rule_sets.py": "rules to be compared, each of its game",
    "cli/fair.py": "shoes for an outside tester, bound to some game",
    "rules/loader.py": "an example in a message",
    "envs/": "the game that is played where nobody names one",
    "lab/design/reading.py": "the game whose table a bet is tried at where nobody names one",
    "lab/side_by_side.py": "the game whose table a bet is tried at where nobody names one",
}
"""Files and folders that may name an entry, such as `games.KNOCKOUT_52`, each with why."""


def entries_named(path: Path) -> list[str]:
    """The entries of the registry that a file names, by import or as `games.KNOCKOUT_52`."""
    entries = {name for name, value in vars(cardroom.games).items() if isinstance(value, Game)}
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "cardroom.games":
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "games":
            found.append(node.attr)
    return [name for name in found if name in entries]


@cache
def naming_files() -> frozenset[str]:
    """The files of the source that name an entry."""
    files = (path for path in SOURCE.rglob("*.py") if path != SOURCE / "games.py")
    return frozenset(path.relative_to(SOURCE).as_posix() for path in files if entries_named(path))


@pytest.mark.slow
def test_entries_are_named_only_where_it_is_about_that_game() -> None:
    assert {file for file in naming_files() if not file.startswith(tuple(OF_ONE_GAME))} == set()


@pytest.mark.slow
def test_who_may_name_an_entry_does() -> None:
    files = naming_files()
    assert [allowed for allowed in OF_ONE_GAME if not any(file.startswith(allowed) for file in files)] == []


@pytest.mark.slow
def test_the_page_of_the_architecture_counts_them() -> None:
    page = " ".join((DOCS.parent / "architecture.md").read_text("utf-8").split())
    assert f"There are {len(naming_files())} files that name an entry" in page
    assert f"in the {len(HAND)} files in which" in page
    assert all(f"`{file}`" in page for file in FOREVER)


def test_a_named_entry_is_seen(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("from cardroom.games import GAMES, BLACKJACK\nx = games.KNOCKOUT_52.id\n")
    assert entries_named(module) == ["BLACKJACK", "KNOCKOUT_52"]


def named_in(text: str) -> list[str]:
    """The ids that a piece of text names; the word blackjack is one where it is no word among others.

    >>> named_in("game:knockout-21"), named_in("/play/blackjack"), named_in("a blackjack pays 3:2")
    (['knockout-21'], ['blackjack'], [])
    """
    found = re.findall(rf"(?<!\w)(?:{'|'.join(GAMES)})(?!\w)", text)
    alone = re.compile(r"""^blackjack(-\S*)?$|[:/=-]["']?blackjack(?!\w)""")
    return [game for game in found if "-" in game or alone.search(text)]


def texts_of(path: Path) -> Iterator[tuple[int, str]]:
    """The strings of a Python file but for its docstrings; of a page or its module, what stands in quotes."""
    source = path.read_text("utf-8")
    if path.suffix != ".py":
        for number, line in enumerate(source.splitlines(), 1):
            yield from ((number, text) for text in re.findall(r"""["'`]([^"'`]*)["'`]""", line))
        return
    tree = ast.parse(source)
    notes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes:
            yield node.lineno, node.value


@cache
def places() -> list[tuple[str, int, str]]:
    """Where the source names a game: file, line, id."""
    return [
        (path.relative_to(SOURCE).as_posix(), number, game)
        for path in sorted(path for kind in ("py", "html", "js") for path in SOURCE.rglob(f"*.{kind}"))
        if path != SOURCE / "games.py"
        for number, text in texts_of(path)
        for game in named_in(text)
    ]


@pytest.mark.slow
def test_nobody_else_names_a_game() -> None:
    allowed = {("blackjack", file) for file in HAND} | {(game, file) for game in GAMES for file in FOREVER}
    others = [f"{file}:{line}: {game}" for file, line, game in places() if (game, file) not in allowed]
    assert others == []


@pytest.mark.slow
def test_the_exceptions_are_still_needed() -> None:
    assert {file for file, _, _ in places()} >= HAND | FOREVER


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("knockout-21-draw-7.json", ["knockout-21"]),
        ('attachment; filename="knockout-52-', ["knockout-52"]),
        ('inline; filename="blackjack-7.json"', ["blackjack"]),
        ("table-blackjack", ["blackjack"]),
        ("blackjack-chart.pdf", ["blackjack"]),
        ("my-spanish-21", ["spanish-21"]),
        ("a chart of the blackjack family", []),
        ("a blackjack-like hand", []),
        ("knockout-215", []),
    ],
)
def test_an_id_is_seen_with_whatever_hangs_on_it(text: str, ids: list[str]) -> None:
    assert named_in(text) == ids


def test_a_named_game_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<a href="/rules/knockout-52">{% if game == "blackjack" %}a blackjack{% endif %}</a>')
    module = tmp_path / "module.py"
    module.write_text('"""Of blackjack."""\nx = f"game:spanish-21"\n"""knockout-21"""\ny = ["blackjack"]\n')
    seen = [named_in(text) for path in (page, module) for _, text in texts_of(path)]
    assert [name for names in seen for name in names] == [
        "knockout-52",
        "blackjack",
        "spanish-21",
        "blackjack",
    ]
