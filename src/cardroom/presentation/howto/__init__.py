"""How a game and each of its bets work, shown with cards: films, winning hands, and the clauses behind them.

Nothing here is drawn by hand. A film is a round that the engine plays from laid cards, its captions are made
from the engine's events, and every winning hand was found by the rules' own evaluation: other rules, other
films and hands.
"""

from cardroom.presentation.howto.guide import Film, Guide, Lying, Row, Scene, Winning

__all__ = ["Film", "Guide", "Lying", "Row", "Scene", "Winning"]
