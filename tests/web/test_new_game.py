"""A game that is registered is in the lobby, the lab and the API at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cardroom.games import GAMES
from tests.high_card.entry import HIGH_CARD
from tests.web.conftest import CardRoom, quick_settings, start


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    """A server that knows one game more."""
    with GAMES.registered(HIGH_CARD):
        running = start(quick_settings(tmp_path_factory.mktemp("room")))
        yield running
        running.stop()


def test_lobby_and_rules(room: CardRoom) -> None:
    guest = room.client()
    lobby = guest.get("/").text
    assert 'data-game="high-card"' in lobby
    assert "<h2>High Card</h2>" in lobby
    assert HIGH_CARD.lobby in lobby
    rules = guest.get("/rules/high-card").text
    assert "A tie gives the wager back." in rules
    assert "HC-3" in rules
    assert guest.get("/rules/low-card").status_code == 404


def test_api(room: CardRoom) -> None:
    guest = room.client()
    games = {game["game"]: game for game in guest.get("/api/v1/games").json()["games"]}
    assert games["high-card"] == {
        "game": "high-card",
        "title": "High Card",
        "open": True,
        "rounds_in_play": 0,
    }
    assert guest.get("/api/v1/games/high-card/rules").json()["options"]["tie"] == "push"
    (wager,) = guest.get("/api/v1/games/high-card/odds").json()["wagers"]
    assert wager["house_edge_percent"] == 0
    assert guest.get("/api/v1/games/low-card/odds").status_code == 400
    names = room.client().get("/api/v1/openapi.json").json()
    assert "high-card" in str(names["paths"]["/api/v1/games/{game}/odds"])


def test_lab(room: CardRoom) -> None:
    guest = room.client()
    page = guest.get("/lab", params={"game": "high-card"}).text
    assert "aria-current=page>High Card</a>" in page
    assert "tie" in page
    field_of_a_wager = '<form class="row" id="l-size" hidden>'
    others = {game: guest.get("/lab", params={"game": game}).text for game in GAMES if game != "high-card"}
    assert field_of_a_wager in page  # of this game and of tickets nobody chooses a size
    assert [game for game, text in others.items() if field_of_a_wager in text] == ["knockout-21"]
    house_wins = {"game": "high-card", "options": {"tie": "house"}}
    edge = guest.post("/api/v1/lab/edge", json=house_wins).json()
    assert edge["house_edge_percent"] == pytest.approx(100 / 17)
    assert edge["wager"] == "ante"
    (figures,) = guest.post("/api/v1/lab/figures", json=house_wins).json()["wagers"]
    assert figures["expected_value"]["fraction"] == "-1/17"
    controls = guest.post("/api/v1/lab/rules", json=house_wins).json()["controls"]
    assert [control["key"] for control in controls] == ["decks", "ace", "tie"]
    assert guest.get("/api/v1/lab/published/high-card").json()["figures"] == []
    for asked in ("simulation?game=high-card", "par/high-card.json"):
        refused = guest.get(f"/api/v1/lab/{asked}")
        assert refused.status_code == 400
        assert "high-card is not one of the games here: blackjack, " in refused.json()["error"]["message"]
