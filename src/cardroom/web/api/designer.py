"""The designer in the lab: a side bet as text in, its figures and hands out."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from pydantic import BaseModel, Field

from cardroom.games import Game
from cardroom.rules.game_ids import GameWhich
from cardroom.web.api.parts import Asking, Caller
from cardroom.web.figures import computed
from cardroom.web.routers import ApiRouter

router = ApiRouter(prefix="/lab", tags=["lab"])


def _has_side_bets(game: Game) -> bool:
    return game.kind == "cards"


GameWithBets = Annotated[str, GameWhich(_has_side_bets)]
BetText = Annotated[str, Field(max_length=6_000)]


class BetDraft(BaseModel):
    """A side bet as the text of its file, and the game that it is put on."""

    game: GameWithBets
    text: BetText = Field(description="TOML: title, looks_at, lines, or one [side_bets.NAME]")


@router.post("/bet")
async def check_bet(draft: BetDraft, asking: Asking) -> dict[str, Any]:
    """A side bet checked: its faults with their places, or its exact figures and hands that win."""
    return await viewed(draft.text, draft.game, asking)


class PercentRange(BaseModel):
    """From one percentage to another."""

    least: float = Field(ge=-100, le=100)
    most: float = Field(ge=-100, le=100)


class PaysWanted(BetDraft):
    """A side bet, and what its pays are to meet."""

    edge: PercentRange
    hit: PercentRange | None = None


@router.post("/bet/pays")
async def find_pays(wanted: PaysWanted, asking: Asking) -> dict[str, Any]:
    """The best paytables for a side bet's lines, by exact chances with the game's number of decks."""
    from cardroom.lab.design.form import pays_view

    edge = (wanted.edge.least, wanted.edge.most)
    hit = None if wanted.hit is None else (wanted.hit.least, wanted.hit.most)
    compute = partial(pays_view, wanted.text, wanted.game, edge, hit)
    return await computed.get(("pays", wanted.game, wanted.text, edge, hit), compute, asking)


@router.post("/bet/correlation")
async def figure_correlation(draft: BetDraft, asking: Asking) -> dict[str, Any]:
    """How a side bet goes together with the main wager, played by its best strategy."""
    from cardroom.lab.design.form import correlation_view

    compute = partial(correlation_view, draft.text, draft.game)
    return await computed.get(("bet and main wager", draft.game, draft.text), compute, asking)


async def viewed(text: str, game: str, asking: Caller) -> dict[str, Any]:
    """What the form shows of a text, computed where nobody waits for it."""
    from cardroom.lab.design.form import bet_view

    return await computed.get(("bet", game, text), partial(bet_view, text, game), asking)
