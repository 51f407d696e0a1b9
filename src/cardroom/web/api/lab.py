"""The lab: any house rules solved, charted, compared, simulated, and put on a PAR sheet."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Annotated, Any, Final, Literal

from fastapi import Path, Query
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, Field

from cardroom.core.errors import MalformedInput
from cardroom.games import GAMES, Game
from cardroom.lab.published.figures import PublishedFigure
from cardroom.presentation import wager_title
from cardroom.presentation.levers import options_words
from cardroom.presentation.wagers import paid_words
from cardroom.rules import HouseRules, load_rules, parse_changes
from cardroom.rules.game_ids import GameWhich, KnownGame
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.web.advice import value_of
from cardroom.web.api.as_computed import EVENTS, as_computed, held
from cardroom.web.api.parts import Asking, Caller
from cardroom.web.controls import controls_of
from cardroom.web.figures import computed, figures_of, sheets, sizes_of
from cardroom.web.routers import ApiRouter
from cardroom.web.security.limits import StreamLimit

router = ApiRouter(prefix="/lab", tags=["lab"])

Option = (
    bool
    | int
    | float
    | Annotated[str, Field(max_length=1000)]
    | Annotated[
        list[Any] | dict[str, Any],
        Field(max_length=40, description="Such as lines, as a rules file has them"),
    ]
)
Options = dict[Annotated[str, Field(max_length=120, pattern=r"^[a-z0-9_.+'-]+$")], Option]
WagerText = Annotated[str, Field(max_length=20)]
Changes = Annotated[list[Annotated[str, Field(max_length=1000)]] | None, Query(alias="set", max_length=80)]
MOST_ROUNDS: Final = 20_000_000
POINTS: Final = 40
PAR_ROUNDS: Final = 200_000


def _can_be_sampled(game: Game) -> bool:
    return game.sample is not None


def _has_a_sheet(game: Game) -> bool:
    return game.par_sheet is not None


SimulatedGame = Annotated[str, GameWhich(_can_be_sampled)]
GameWithSheet = Annotated[str, GameWhich(_has_a_sheet)]
SIMULATIONS: Final = StreamLimit(12, 4, "simulations")
SHEETS: Final = StreamLimit(12, 4, "PAR sheets")
MEDIA: Final = {"pdf": "application/pdf", "html": "text/html; charset=utf-8", "json": "application/json"}


class HouseOptions(BaseModel):
    """A game, and the house options in which it differs from the house's own."""

    game: KnownGame
    options: Options = Field(default_factory=dict, max_length=80, examples=[{"decks": 8}])
    wager: WagerText | None = Field(
        default=None, description="The wager in dollars; the table's minimum unless told", examples=["4.00"]
    )

    def rules(self) -> HouseRules:
        return load_rules(self.game, self.options)


class OneWager(HouseOptions):
    """House options, and one of the game's wagers."""

    which: Annotated[str, Field(max_length=60)] | None = Field(
        default=None, description="The wager; the game's main one unless told", examples=["insurance"]
    )


class OneCell(HouseOptions):
    """House options, and a cell of the chart that they lead to."""

    hands: list[Annotated[str, Field(max_length=120)]] = Field(
        max_length=40, description="The rows of the chart that the cell stands for", examples=[["hard 16"]]
    )
    up_card: Annotated[str, Field(max_length=2)] = Field(examples=["T"])


class OneHand(HouseOptions):
    """House options, and a hand with what is known of the shoe."""

    cards: Annotated[str, Field(max_length=60)] = Field(description="Cards or ranks", examples=["6c7d", "A7"])
    up_card: Annotated[str, Field(max_length=7)] = Field(
        description="The dealer's card, or both where both are seen", examples=["T", "T6"]
    )
    removed: Annotated[str, Field(max_length=900)] = Field(
        default="", description="Cards that have left the shoe before this round", examples=["TT5"]
    )


def rules_view(rules: HouseRules) -> dict[str, Any]:
    """Rules as the lab shows them: their hash, their difference from the house's own, every control."""
    own = load_rules(rules.game)
    differences = rules.differences(own)
    words, house_words = (options_words(one, differences) for one in (rules, own))
    return {
        "game": rules.game,
        "title": rules.title,
        "rules_hash": rules.rules_hash,
        "differences": {
            key: {"here": here, "house": house, "words": said, "house_words": house_said}
            for (key, (here, house)), said, house_said in zip(
                differences.items(), words, house_words, strict=True
            )
        },
        "controls": controls_of(rules),
    }


@router.post("/rules")
async def check_rules(wanted: HouseOptions) -> dict[str, Any]:
    """Check house options and give every option as a control; one that is not allowed is named."""
    return rules_view(load_rules(wanted.game, wanted.options))


@router.post("/figures")
async def solve(wanted: HouseOptions, asking: Asking) -> dict[str, Any]:
    """The exact figures of every wager under these rules."""
    rules = wanted.rules()
    wager = checked_wager(wanted.wager, rules)
    figures = await figures_of(rules, wager, asking)
    return {
        "game": rules.game,
        "rules_hash": rules.rules_hash,
        "wagers": [
            {**each, "title": wager_title(each["wager"], rules), "outcomes": _worded(each["outcomes"])}
            for each in figures
        ],
    }


def _worded(outcomes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**one, "words": paid_words(one["outcome"], one["pays"])} for one in outcomes]


@router.post("/sizes")
async def sizes(wanted: HouseOptions, asking: Asking) -> dict[str, Any]:
    """The house edge by the size of the wager, where it depends on it; for which size the figures are."""
    rules = wanted.rules()
    wager = checked_wager(wanted.wager, rules)
    key = ("sizes", rules.rules_hash, wager)
    by_size = await computed.get(key, sizes_of(rules, wager), asking)
    return {"rules_hash": rules.rules_hash, **_with_titles(by_size, rules)}


def _with_titles(sizes: dict[str, Any], rules: HouseRules) -> dict[str, Any]:
    titles = {wager: wager_title(wager, rules) for wager in sizes["depends_on_size"]}
    side = sizes["side_wagers"]
    return {**sizes, "titles": titles, "side_wagers": None if side is None else _with_titles(side, rules)}


def checked_wager(text: str | None, rules: HouseRules) -> int | None:
    """The wager in cents, refused where the table does not take it."""
    from cardroom.lab.wager_sizes import read_wager

    return read_wager(text, rules, "a wager of")


@router.post("/edge")
async def edge(wanted: OneWager, asking: Asking) -> dict[str, Any]:
    """The house edge of one wager alone, for comparisons: quicker than all figures."""
    rules = wanted.rules()
    cents = checked_wager(wanted.wager, rules)
    main = GAMES[wanted.game].main_wager
    which = wanted.which or main
    if isinstance(rules, TwentyOneRules) and which == main:
        edge_percent = -100 * await value_of(rules, cents, asking)
    else:
        figures = {wager["wager"]: wager for wager in await _few_figures(rules, cents, asking)}
        if which not in figures:
            offered = ", ".join(dict.fromkeys([main, *figures]))
            raise MalformedInput(f"{which!r} is no wager of these rules; they are {offered}")
        edge_percent = figures[which]["house_edge_percent"]
    return {
        "game": rules.game,
        "rules_hash": rules.rules_hash,
        "wager": which,
        "title": wager_title(which, rules),
        "house_edge_percent": edge_percent,
    }


async def _few_figures(rules: HouseRules, cents: int | None, asking: Caller) -> list[dict[str, Any]]:
    """The figures of all wagers but one that takes long and is known by itself."""
    if not isinstance(rules, TwentyOneRules):
        return await figures_of(rules, cents, asking)
    from cardroom.lab.wager_figures import twentyone_beside

    key = ("beside", rules.rules_hash, cents)
    return await computed.get(key, partial(twentyone_beside, rules, cents), asking)


@router.post("/chart")
async def chart(wanted: HouseOptions, asking: Asking) -> dict[str, Any]:
    """The strategy chart of a blackjack-family game under these rules."""
    rules = _charted(wanted)
    wager = checked_wager(wanted.wager, rules)
    return await computed.get(("chart", rules.rules_hash, wager), partial(_chart, rules, wager), asking)


def _charted(wanted: HouseOptions) -> TwentyOneRules:
    rules = wanted.rules()
    if not isinstance(rules, TwentyOneRules):
        raise MalformedInput("only the blackjack family has a strategy chart, and hands to decide")
    return rules


def _chart(rules: TwentyOneRules, wager_cents: int | None) -> dict[str, Any]:
    from cardroom.lab.advice import solved
    from cardroom.lab.charts import MEANINGS
    from cardroom.lab.strategies import chart_of

    drawn = chart_of(solved(rules, wager_cents))
    legend = {letter: MEANINGS[letter] for letter in drawn.letters}
    return {"rules_hash": rules.rules_hash, **drawn.to_json(), "legend": {**legend, **drawn.several}}


@router.post("/cell")
async def cell(wanted: OneCell, asking: Asking) -> dict[str, Any]:
    """A cell of the chart: what each action is worth there, and the hands behind it."""
    rules = _charted(wanted)
    wager = checked_wager(wanted.wager, rules)
    key = ("cell", rules.rules_hash, wager, tuple(wanted.hands), wanted.up_card)
    return await computed.get(key, partial(_cell, rules, wager, wanted.hands, wanted.up_card), asking)


def _cell(rules: TwentyOneRules, wager_cents: int | None, hands: list[str], up_card: str) -> dict[str, Any]:
    from cardroom.lab.advice import solved
    from cardroom.lab.cells import opened_cell

    return {
        "rules_hash": rules.rules_hash,
        "given_no_blackjack": rules.played_without_blackjack,
        **opened_cell(solved(rules, wager_cents), hands, up_card),
    }


@router.post("/hand")
async def hand(wanted: OneHand, asking: Asking) -> dict[str, Any]:
    """One hand against an up card: the exact value of every action, with some cards gone from the shoe."""
    rules = _charted(wanted)
    wager = checked_wager(wanted.wager, rules)
    key = ("hand", rules.rules_hash, wager, wanted.cards, wanted.up_card, wanted.removed)
    work = partial(_hand, rules, wager, wanted.cards, wanted.up_card, wanted.removed)
    return await computed.get(key, work, asking)


def _hand(
    rules: TwentyOneRules, wager_cents: int | None, cards: str, up_card: str, removed: str
) -> dict[str, Any]:
    from cardroom.exact.twentyone import solve
    from cardroom.lab.advice import solved
    from cardroom.lab.hands import hand_values, shoe_without, total_words

    cents = wager_cents or int(rules.limits.min)
    if removed.strip():
        if rules.decks == "infinite":
            raise MalformedInput("nothing can be removed from infinitely many decks")
        shoe = shoe_without(rules.shoe(), removed)
        solution = solve(rules, "composition", shoe=shoe, wager_cents=cents)
    else:
        solution = solved(rules, wager_cents)
    values = hand_values(solution, cards, up_card)
    return {
        "rules_hash": rules.rules_hash,
        "method": "exact",
        "given_no_blackjack": rules.played_without_blackjack,
        "wager_cents": cents,
        "total": total_words(cards),
        "removed": removed,
        "cards_in_shoe": None if rules.decks == "infinite" else solution.solver.shoe.cards.total,
        **values.to_json(),
    }


@router.get("/published/{game}")
async def published(game: KnownGame, asking: Asking) -> dict[str, Any]:
    """Published figures beside ours, at the precision they were printed with."""
    from cardroom.lab.audit.rows import published_figures

    figures = published_figures(game)
    lines = await sheets.get(("published", game), partial(_audited, game, figures), asking)
    return {"game": game, "figures": lines}


def _audited(game: str, figures: list[PublishedFigure]) -> list[dict[str, Any]]:
    from cardroom.lab.audit.rows import audit

    return [
        {**line, "rules_words": options_words(load_rules(game, line["rules"]), line["rules"])}
        for line in (one.to_json() for one in audit(figures))
    ]


@router.get("/par/{game}.{form}", response_class=Response)
async def par_sheet(
    game: GameWithSheet,
    form: Annotated[Literal["pdf", "html", "json"], Path()],
    asking: Asking,
    changes: Changes = None,
    wager: WagerText | None = None,
) -> Response:
    """The PAR sheet of a game under these rules, verified by a short simulation."""
    rules = load_rules(game, parse_changes(changes or []))
    cents = checked_wager(wager, rules)
    key = _sheet_key(rules, form, cents)
    body = await sheets.get(key, partial(_sheet, rules, form, cents), asking)
    headers = {"Content-Disposition": f'attachment; filename="par-{game}.{form}"'}
    return Response(body, media_type=MEDIA[form], headers=headers)


@router.get("/par/{game}.{form}/progress", response_class=StreamingResponse)
async def par_sheet_progress(
    game: GameWithSheet,
    form: Annotated[Literal["pdf", "html", "json"], Path()],
    asking: Asking,
    changes: Changes = None,
    wager: WagerText | None = None,
) -> StreamingResponse:
    """A PAR sheet as it is made: which share is done and what comes now, as events; then it is fetched."""
    rules = load_rules(game, parse_changes(changes or []))
    cents = checked_wager(wager, rules)
    work = partial(_sheet, rules, form, cents)
    return as_computed(sheets, _sheet_key(rules, form, cents), work, asking, SHEETS, lambda _: {})


def _sheet_key(rules: HouseRules, form: str, wager_cents: int | None) -> tuple[object, ...]:
    return "par", rules.rules_hash, form, wager_cents


def _sheet(rules: HouseRules, form: str, wager_cents: int | None) -> bytes:
    from cardroom.lab.par import par_sheet as compute
    from cardroom.lab.par import rendered

    return rendered(compute(rules, rounds=PAR_ROUNDS, wager_cents=wager_cents), f".{form}")


@router.get("/simulation", response_class=StreamingResponse)
async def simulation(
    game: SimulatedGame,
    asking: Asking,
    rounds: Annotated[int, Query(ge=1000, le=MOST_ROUNDS)] = 1_000_000,
    seed: Annotated[int, Query(ge=0, le=2**32)] = 1,
    changes: Changes = None,
    wager: WagerText | None = None,
) -> StreamingResponse:
    """A simulation as it runs: the mean of the main wager with its error, point by point, as events."""
    rules = load_rules(game, parse_changes(changes or []))
    play = partial(GAMES[game].follow("sample"), rules, wager_cents=checked_wager(wager, rules))
    SIMULATIONS.check(asking.address)
    events = held(_converge(play, rounds, seed, asking), asking, SIMULATIONS)
    return StreamingResponse(events, media_type=EVENTS)


Play = Callable[[int, int], tuple[int, float, float]]
"""Plays so many rounds from a seed: their number, the sum of the results and of their squares."""


async def _converge(play: Play, rounds: int, seed: int, asking: Caller) -> AsyncIterator[str]:
    """Chunks of growing size, each from a seed of its own, added up."""
    done, total, squares = 0, 0.0, 0.0
    for point in range(POINTS):
        wanted = math.ceil(rounds * ((point + 1) / POINTS) ** 2) - done
        if wanted < 2:
            continue
        part = await sheets.run(partial(play, wanted, seed + point), asking)
        done, total, squares = done + part[0], total + part[1], squares + part[2]
        mean = total / done
        error = math.sqrt(max(0.0, squares / done - mean**2) / done)
        progress = {"rounds": done, "of": rounds, "mean": mean, "standard_error": error, "seed": seed}
        yield f"data: {json.dumps(progress)}\n\n"
    yield "event: done\ndata: {}\n\n"
