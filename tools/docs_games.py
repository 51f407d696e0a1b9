"""A hook of MkDocs: what the registry, the rules and the files beside `docs` have to say to the site."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from cardroom.games import GAMES
from cardroom.presentation.numbers import percent, signed
from cardroom.rules import HouseRules, load_rules, rules_model

ROOT: Final = Path(__file__).parents[1]
MARK: Final = "<!-- games -->"
"""Where a page wants the table of games."""
OPTIONS_MARK: Final = "<!-- options -->"
"""Where a page wants the tables of options."""
OF_SIDE_BETS: Final = "side_bets."
WORTH: Final = ROOT / "tools" / "option_worth.json"
"""Written by `python -m tools.option_worth`."""
_NOTHING, _LEAST = 1e-9, 0.5e-5


def games_table() -> str:
    """The games as a table of Markdown: title, id, a sentence, and the clauses of the rules."""
    rows = [
        f"| {game.title} | `{game.id}` | {game.lobby} "
        f"| [{', '.join(game.clauses)}](rules/{game.clause_page}.md) |"
        for game in GAMES.values()
    ]
    return "\n".join(["| game | id | | clauses |", "|---|---|---|---|", *rows])


def rules_pages() -> list[str]:
    """The pages with the clauses of the games, each once."""
    return list(dict.fromkeys(f"rules/{game.clause_page}.md" for game in GAMES.values()))


def options_tables() -> str:
    """Every option of every game: its own value, what that means, what others are worth, the clause."""
    parts = []
    solved = json.loads(WORTH.read_text("utf-8"))
    for game in GAMES.values():
        rules = load_rules(game.id)
        worth = solved.get(game.id, {"edges": {}, "options": {}})  # of a new game nothing is solved yet
        rows = [
            f"| `{key}` | `{value}` | {words} | {worth_words(worth, key)} | {clause} |"
            for key, value, words, clause in _options(rules)
        ]
        edges = ", ".join(f"`{name}` {percent(edge, 3)}" for name, edge in worth["edges"].items())
        parts += [
            f"## {game.title}",
            "",
            *([f"House edge: {edges}.", ""] if edges else []),
            "| option | own value | means | other values move the house edge by | clause |",
            "|---|---|---|---|---|",
            *rows,
            "",
        ]
    return "\n".join(parts)


def worth_words(worth: dict[str, Any], key: str) -> str:
    """What other values of an option do to the house edge, in percentage points, as they were solved.

    >>> solved = [[1, "primary", 0.004], [8, "primary", 0.01]]
    >>> worth_words({"edges": {"primary": 0.01}, "options": {"decks": solved}}, "decks")
    '`1` −0.600; `8` nothing'
    """
    if key not in worth["options"]:
        return ""
    said = [
        f"`{value if isinstance(value, str) else json.dumps(value)}` {_moved(edge - worth['edges'][wager])}"
        + f" ({wager})" * (wager != next(iter(worth["edges"])))
        for value, wager, edge in worth["options"][key]
    ]
    return "; ".join(said) or "no other value goes with the other options"


def _moved(edge: float) -> str:
    if abs(edge) < _NOTHING:
        return "nothing"
    return signed(100 * edge, 3, plus=True) if abs(edge) >= _LEAST else "less than 0.001"


def _options(rules: HouseRules) -> Iterator[tuple[str, str, str, str]]:
    flat, described = rules.flat(), descriptions(rules.game)
    for key, words, clause in rules.sentences():
        if key.startswith(OF_SIDE_BETS):
            continue
        value = flat[key] if isinstance(flat[key], str) else json.dumps(flat[key])
        other = described.get(key, "")
        choices = "" if "…" in other or words in ("", other) else f". All values: {other}"
        yield key, value, f"{words}{choices}".replace("|", "\\|"), clause


def descriptions(game: str) -> dict[str, str]:
    """What the schema of a game's rules says of each option, by dotted key."""
    schema = rules_model(game).model_json_schema()
    found: dict[str, str] = {}

    def walk(part: dict[str, Any], before: str) -> None:
        for name, field in part.get("properties", {}).items():
            reference = field.get("$ref") or next((one["$ref"] for one in field.get("allOf", ())), None)
            if reference is not None:
                walk(schema["$defs"][reference.rpartition("/")[2]], f"{before}{name}.")
            if "description" in field:
                found[f"{before}{name}"] = field["description"]

    walk(schema, "")
    return found


def on_files(files: Any, config: Any) -> Any:
    """Called by MkDocs with the files of the site: the README and the changelog stand beside `docs`."""
    from mkdocs.structure.files import File

    readme = (
        (ROOT / "README.md")
        .read_text("utf-8")
        .replace("](docs/", "](")
        .replace("](CHANGELOG.md)", "](changelog.md)")
    )
    inside = {"readme.md": readme, "changelog.md": (ROOT / "CHANGELOG.md").read_text("utf-8")}
    for name, text in inside.items():
        files.append(File.generated(config, name, content=_links_inside(text)))
    return files


def _links_inside(text: str) -> str:
    """Links to files that are not on the site become words."""
    for name in ("CONTRIBUTING.md", "LICENSE"):
        start = text.find(f"]({name})")
        if start >= 0:
            begin = text.rfind("[", 0, start)
            text = text[:begin] + text[begin + 1 : start] + text[start + len(name) + 3 :]
    return text


def on_config(config: Any) -> Any:
    """Called by MkDocs before it builds: the pages of rules join those that `mkdocs.yml` lists."""
    next(part["The rules"] for part in config["nav"] if "The rules" in part).extend(rules_pages())
    return config


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by MkDocs for every page."""
    if OPTIONS_MARK in markdown:
        markdown = markdown.replace(OPTIONS_MARK, options_tables())
    return markdown.replace(MARK, games_table())
