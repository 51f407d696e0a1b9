"""The registry: one frozen record per game, and everything about a game by a reference that is followed late.

Whoever meets the id of a game asks here what to do with it. A new game is one entry and its own modules.

>>> GAMES["knockout-52"].title, [game.id for game in GAMES.values() if game.kind == "lottery"]
('Knockout 52', ['knockout-21'])
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, Literal

from cardroom.core.errors import MalformedInput, Unavailable, UnknownName

TwentyOneId = Literal["blackjack", "spanish-21", "players-edge-21"]
Knockout21Id = Literal["knockout-21"]
Knockout52Id = Literal["knockout-52"]
"""For type checkers: whose rules are of which class; a game without such a line works as well."""

Kind = Literal["cards", "layout", "lottery"]
"""How a game is run: hands against a dealer, cards dealt onto a layout, or tickets in a draw."""

Reference = str
"""`module` or `module:name`; imported when it is first followed."""


@dataclass(frozen=True, slots=True)
class Lever:
    """A house option that the lab moves, with values in order."""

    option: str
    values: tuple[object, ...]
    favours: Literal["house", "player"]
    """Who gains when the option goes from the first of the values to the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game as everybody else finds it; what a game does not have is left out."""

    id: str
    title: str
    kind: Kind
    about: str
    """A few words, for a list."""
    lobby: str
    """A sentence, for the lobby and the page of the rules."""
    cards: tuple[str, ...]
    """Cards that stand for the game in a picture."""
    address: str = ""
    """The page where it is played; none where it is not played on the web."""
    clauses: tuple[str, ...]
    """The prefixes of its clause ids."""
    clause_page: str
    """Its page in `docs/rules`, without `.md`."""
    subject_clauses: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Where games share a schema: this one's clause behind each subject that its options are about."""
    limit_clauses: tuple[str, str] = ("", "")
    """The clauses of what may be staked, and of whole chips."""
    price_option: str = ""
    """The option that is the price of its only wager, where nobody chooses how much to stake."""
    main_wager: str
    """The wager that a headline speaks of."""
    figures_note: str = ""
    """What the figures of the lobby stand for, where that needs saying."""
    run_by: str = ""
    """The commands that run a game which has no `play` of its own."""

    rules: Reference
    """The schema of its house rules, a `HouseRules`."""
    rules_package: str = "cardroom.rules"
    """The package with `games/<id>.toml`, the game's own rules."""
    engine: Reference
    """The round as a state machine: a module with the functions of `cardroom.engine.contract`."""
    figures: Reference
    """`(rules, wager_cents) -> figures`, every wager exact; `odds --json` has their `to_json()`."""
    figures_at_once: bool = False
    """Whether they take a millisecond, so that nobody need wait for them."""
    sizes: Reference | None = None
    """`(rules, wager_cents) -> edge by the size of the wager`, as `odds --json` has it."""
    sample: Reference | None = None
    """`(rules, rounds, seed, wager_cents) -> Sample`, some rounds of the main wager simulated."""
    par_sheet: Reference | None = None
    """`(rules, *, rounds, seed, wager_cents, side_cents) -> ParSheet`."""
    table: Reference | None = None
    """The class of its running tables, a `cardroom.table.running.RunningTable`."""
    open_tables: Mapping[str, Mapping[str, object]] = field(default_factory=dict, hash=False)
    """The tables of the house that are always open: id → the options in which each differs."""
    view: Reference | None = None
    """A module that shows its tables and finished rounds, a `cardroom.web.live.shown.View`."""
    routers: tuple[Reference, ...] = ()
    """The routers of its own pages and of its API."""
    replay: Reference | None = None
    """A module that replays recorded rounds, a `cardroom.fair.replay.Replay`."""
    show_replay: Reference | None = None
    """`(notation, rules, console)`, which prints a recorded round card by card."""
    published: Reference | None = None
    """Published figures, a tuple of `PublishedFigure`; those of other games in it are left aside."""
    computed: Reference | None = None
    """`(published figure) -> our value` of the quantity that it names."""
    howto: Reference | None = None
    """A module with `bets(rules)` and `guide(rules, bet)`: how the game and its bets work, with cards."""
    mistakes: Reference | None = None
    """`(rules, bet) -> what people do wrong, each with what it costs`, exact."""
    findings: Reference | None = None
    """`(rules) -> sentences`, what the figures say of the rules."""
    house_report: Reference | None = None
    """`(rules, *, shoes, solved, seed, thresholds, progress) -> HouseReport`: how it can be beaten."""
    library: Reference | None = None
    """How the Python library answers in the game's own way, a `cardroom.library.answers.Answers`."""
    environment: tuple[str, Reference] | None = None
    """The id and the class of its Gymnasium environment."""
    vector_environment: Reference | None = None
    """The class of the vector environment of the same id, where there is one."""
    commands: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Verb of the command line → the module that holds its `app`."""
    levers: tuple[Lever, ...] = ()

    def follow(self, what: str) -> Any:
        """What a reference of the game leads to, imported now; refused where the game has none.

        >>> GAMES["knockout-52"].follow("rules").__name__
        'Knockout52Rules'
        """
        reference = getattr(self, what)
        if reference is None:
            having = [game.id for game in GAMES.values() if getattr(game, what) is not None]
            raise Unavailable(f"{self.id} has no {what.replace('_', ' ')}; only {', '.join(having)}")
        return followed(reference)


def followed(reference: Reference) -> Any:
    """A module, or what stands under a name in it."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name) if name else import_module(module)


class Registry(Mapping[str, Game]):
    """The games by their ids, in the order in which they are shown."""

    def __init__(self, *games: Game) -> None:
        self._games = {game.id: game for game in games}

    def __getitem__(self, game: str) -> Game:
        return self._games[game]

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)

    def find(self, game: str) -> Game:
        """The game of an id; an unknown id is refused, with the nearest that is known."""
        known = self._games.get(game)
        if known is None:
            close = difflib.get_close_matches(game, list(self), n=1, cutoff=0.5)
            guess = f" (did you mean {close[0]!r}?)" if close else ""
            raise UnknownName(f"unknown game {game!r}{guess}; the games are {', '.join(self)}")
        return known

    @contextmanager
    def registered(self, game: Game) -> Iterator[Game]:
        """One game more, or another record in the place of one, for as long as the context lasts."""
        before = self._games
        self._games = {**before, game.id: game}
        try:
            yield game
        finally:
            self._games = before


def _twenty_one_commands() -> dict[str, str]:
    verbs = ("play", "odds", "simulate", "strategy", "hand", "protect")
    return {verb: f"cardroom.cli.twentyone.{verb}" for verb in verbs}


_SUBJECT_CLAUSES: Final = {
    "decks": "BJ-1",
    "soft_17": "BJ-6",
    "blackjack": "BJ-2",
    "player_21": "21-1.10",
    "surrender": "BJ-5",
    "split": "21-1.11",
    "split_aces": "BJ-4",
    "double": "BJ-3",
    "redouble": "BJ-3",
    "double_cap": "BJ-3",
    "rescue": "S21-8",
    "insurance": "21-1.7",
    "insurance_suited": "21-1.7",
    "paid_blackjack_insured": "BJ-2",
    "bonus_21": "S21-4",
    "bonus_21_split": "S21-4",
    "super_bonus": "PE21-13",
    "side_limits": "SIDE-5",
    "side_bets": "BJ-7",
    "side_bet_offered": "BJ-7",
}
"""Blackjack's clauses by subject; a game of the family names those of its own, and has these else."""

_TWENTY_ONE: Final[dict[str, Any]] = {
    "kind": "cards",
    "clause_page": "twentyone",
    "limit_clauses": ("PROC-2", "21-1.14"),
    "main_wager": "primary",
    "rules": "cardroom.rules.twentyone:TwentyOneRules",
    "engine": "cardroom.engine.twentyone",
    "figures": "cardroom.lab.wager_figures:twentyone_figures",
    "sizes": "cardroom.lab.wager_figures:twentyone_sizes",
    "sample": "cardroom.lab.sampling:twentyone_sample",
    "par_sheet": "cardroom.lab.par.twentyone:twentyone_sheet",
    "table": "cardroom.table.twentyone.running:TwentyOneTable",
    "view": "cardroom.web.live.twentyone_shown",
    "routers": ("cardroom.web.pages.tables:router", "cardroom.web.api.tables:router"),
    "replay": "cardroom.fair.replay.twentyone",
    "show_replay": "cardroom.cli.twentyone.replay:show",
    "published": "cardroom.lab.published.protection:FAMILY",
    "computed": "cardroom.lab.audit.twentyone:computed",
    "howto": "cardroom.presentation.howto.twentyone",
    "mistakes": "cardroom.lab.mistakes:twentyone_mistakes",
    "findings": "cardroom.lab.findings:family_findings",
    "house_report": "cardroom.protect.house:house_report",
    "library": "cardroom.library.answers_twentyone:TwentyOneAnswers",
    "commands": _twenty_one_commands(),
}
"""What the games of the blackjack family share."""


def twenty_one(
    id: str,  # noqa: A002
    *,
    own_clauses: str,
    environment: str,
    subject_clauses: Mapping[str, str] | None = None,
    **own: Any,
) -> Game:
    """A game of the blackjack family, by what is its own; beside it stands `rules/games/<id>.toml`."""
    return Game(
        id=id,
        address=f"/play/{id}",
        clauses=("21", own_clauses, "SIDE", "PROC"),
        subject_clauses={**_SUBJECT_CLAUSES, **(subject_clauses or {})},
        environment=(environment, "cardroom.envs.twentyone:TwentyOneEnv"),
        vector_environment="cardroom.envs.vector_cuda:vector_environment",
        **{**_TWENTY_ONE, **own},
    )


_SOFT_17: Final = Lever("dealer_hits_soft_17", (False, True), "house")
_SURRENDER: Final = Lever("surrender", ("none", "late"), "player")
_RESPLIT_ACES: Final = Lever("split.resplit_aces", (False, True), "player")
_DOUBLES: Final = Lever("double.max_doubles", (1, 2, 3), "player")

BLACKJACK: Final = twenty_one(
    id="blackjack",
    title="Blackjack",
    about="the classic game, beat the dealer to 21",
    lobby="Six decks, dealer hits soft 17, blackjack pays 3 to 2.",
    cards=("As", "Kh"),
    open_tables={"linden": {}},
    own_clauses="BJ",
    environment="cardroom/Blackjack-v1",
    levers=(
        Lever("decks", (1, 2, 4, 8), "house"),
        _SOFT_17,
        Lever("blackjack_pays", ("3:2", "6:5", "1:1"), "house"),
        _SURRENDER,
        Lever("double.after_split", (False, True), "player"),
        Lever("split.max_hands", (2, 4), "player"),
        _RESPLIT_ACES,
        Lever("split.hit_aces", (False, True), "player"),
    ),
)
SPANISH_21: Final = twenty_one(
    id="spanish-21",
    title="Spanish 21",
    about="no tens, bonus 21s, doubling on any cards",
    lobby="No tens in the deck; bonuses, redoubles and a 21 that always wins.",
    cards=("6s", "7s", "8s"),
    open_tables={"alder": {}},
    own_clauses="S21",
    subject_clauses={
        "decks": "S21-1",
        "soft_17": "S21-1",
        "blackjack": "S21-2",
        "player_21": "S21-3",
        "surrender": "S21-8",
        "split_aces": "S21-5",
        "double": "S21-6",
        "redouble": "S21-7",
        "double_cap": "S21-7",
        "paid_blackjack_insured": "S21-2",
        "side_bets": "S21-9",
        "side_bet_offered": "S21-9",
    },
    environment="cardroom/Spanish21-v1",
    levers=(
        Lever("decks", (2, 4, 8), "house"),
        _SOFT_17,
        _SURRENDER,
        _DOUBLES,
        Lever("double.rescue", ("none", "original"), "player"),
        _RESPLIT_ACES,
    ),
)
PLAYERS_EDGE_21: Final = twenty_one(
    id="players-edge-21",
    title="Player's Edge 21",
    about="Spanish 21, redoubling, suited insurance",
    lobby="Double up to three times, rescue a double, surrender, match the dealer.",
    cards=("7d", "7h", "7c"),
    open_tables={"rowan": {}},
    own_clauses="PE21",
    subject_clauses={
        "decks": "PE21-1",
        "soft_17": "PE21-1",
        "blackjack": "PE21-4",
        "player_21": "PE21-5",
        "surrender": "PE21-10",
        "split": "PE21-6",
        "split_aces": "PE21-6",
        "double": "PE21-7",
        "redouble": "PE21-8",
        "double_cap": "PE21-8.2",
        "rescue": "PE21-9",
        "insurance": "PE21-3",
        "insurance_suited": "PE21-3.1",
        "paid_blackjack_insured": "PE21-3",
        "bonus_21": "PE21-14",
        "bonus_21_split": "PE21-6.1",
        "side_limits": "SIDE-3",
        "side_bets": "PE21-11",
        "side_bet_offered": "PE21-2",
    },
    environment="cardroom/PlayersEdge21-v1",
    levers=(
        Lever("decks", (2, 4, 8), "house"),
        _SOFT_17,
        _SURRENDER,
        _DOUBLES,
        Lever("double.rescue", ("none", "before-last-double", "original"), "player"),
        Lever("bonus_21.on_split_hands", (False, True), "player"),
    ),
)
KNOCKOUT_21: Final = Game(
    id="knockout-21",
    title="Knockout 21",
    kind="lottery",
    about="a monitor lottery of fifteen blackjack hands",
    lobby="A lottery drawn with cards: fifteen hands a ticket, one dealer for all.",
    cards=("Td", "9c", "2h"),
    address="/knockout-21",
    clauses=("KO21",),
    clause_page="knockout-21",
    price_option="sales.ticket_price",
    main_wager="any-prize",
    figures_note="draw of 1,000 tickets",
    run_by="cardroom lottery and cardroom serve",
    rules="cardroom.rules.knockout21:Knockout21Rules",
    engine="cardroom.engine.knockout21",
    figures="cardroom.lab.wager_figures:knockout_21_figures",
    sizes="cardroom.lab.wager_figures:knockout_21_sizes",
    par_sheet="cardroom.lab.par.knockout21:knockout_21_sheet",
    routers=("cardroom.web.pages.terminal:router", "cardroom.web.api.knockout21:router"),
    published="cardroom.lab.published.figures:KNOCKOUT_21",
    computed="cardroom.lab.knockout21:computed",
    howto="cardroom.presentation.howto.knockout21",
    mistakes="cardroom.lab.mistakes:knockout_21_mistakes",
    findings="cardroom.lab.knockout21:findings",
    house_report="cardroom.lab.house_knockout21:knockout_21_report",
    library="cardroom.library.answers_knockout21:Knockout21Answers",
    commands={verb: f"cardroom.cli.knockout21.{verb}" for verb in ("odds", "simulate", "protect")},
    levers=(
        Lever("prizes.game_2.pool_percent", (15, 25), "player"),
        Lever("prizes.game_3.pool_percent", (15, 25), "player"),
        Lever("game_1_hit", ("ace-keeps-value", "literal"), "player"),
    ),
)
KNOCKOUT_52: Final = Game(
    id="knockout-52",
    title="Knockout 52",
    kind="layout",
    about="52 spaces, a card each: when do they match?",
    lobby="Fifty-two spaces, one card each. How far does the deal go without a match?",
    cards=("Ac", "2d", "3h", "4s"),
    address="/knockout-52",
    clauses=("KO52",),
    clause_page="knockout-52",
    limit_clauses=("KO52-3", "KO52-11"),
    main_wager="round-1",
    rules="cardroom.rules.knockout52:Knockout52Rules",
    engine="cardroom.engine.knockout52",
    figures="cardroom.lab.wager_figures:knockout_52_figures",
    figures_at_once=True,
    sizes="cardroom.lab.wager_figures:knockout_52_sizes",
    sample="cardroom.lab.sampling:knockout_52_sample",
    par_sheet="cardroom.lab.par.knockout52:knockout_52_sheet",
    table="cardroom.table.knockout52.running:Knockout52Table",
    view="cardroom.web.live.knockout52_shown",
    routers=("cardroom.web.pages.knockout52:router", "cardroom.web.api.knockout52:router"),
    open_tables={"willow": {"decks": 1}, "heron": {"decks": 8}},
    replay="cardroom.fair.replay.knockout52",
    show_replay="cardroom.cli.knockout52.replay:show",
    published="cardroom.lab.published.figures:KNOCKOUT_52",
    computed="cardroom.lab.audit.knockout52:computed",
    howto="cardroom.presentation.howto.knockout52",
    mistakes="cardroom.lab.mistakes:knockout_52_mistakes",
    house_report="cardroom.protect.house_knockout52:knockout_52_report",
    library="cardroom.library.answers_knockout52:Knockout52Answers",
    environment=("cardroom/Knockout52-v0", "cardroom.envs.knockout52:Knockout52Env"),
    commands={verb: f"cardroom.cli.knockout52.{verb}" for verb in ("play", "odds", "simulate", "protect")},
    levers=(
        Lever("decks", (1, 2, 4, 6, 8), "player"),
        Lever("pays.round_1", ("1:2", "3:5", "2:3"), "player"),
    ),
)

GAMES: Final = Registry(BLACKJACK, SPANISH_21, PLAYERS_EDGE_21, KNOCKOUT_21, KNOCKOUT_52)
"""Every game there is."""


def clause_prefixes() -> list[str]:
    """What the ids of clauses begin with, in all games."""
    return list(dict.fromkeys(prefix for game in GAMES.values() for prefix in game.clauses))


def parse_clause_id(text: str) -> str:
    """Check the form of a clause id such as `PE21-8.2`."""
    if re.fullmatch(rf"({'|'.join(clause_prefixes())})-\d+(\.\d+)*", text, re.ASCII) is None:
        raise MalformedInput(f"{text!r} is not a clause id; they look like KO52-7 or PE21-8.2")
    return text
