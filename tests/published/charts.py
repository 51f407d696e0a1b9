"""Published charts, in the form in which charts are read."""

from __future__ import annotations

SIX_DECKS_S17 = """\
# blackjack six decks, S17, DAS, no surrender
hand,2,3,4,5,6,7,8,9,10,A
hard 4-8,H,H,H,H,H,H,H,H,H,H
hard 9,H,Dh,Dh,Dh,Dh,H,H,H,H,H
hard 10,Dh,Dh,Dh,Dh,Dh,Dh,Dh,Dh,H,H
hard 11,Dh,Dh,Dh,Dh,Dh,Dh,Dh,Dh,Dh,H
hard 12,H,H,S,S,S,H,H,H,H,H
hard 13-16,S,S,S,S,S,H,H,H,H,H
hard 17-21,S,S,S,S,S,S,S,S,S,S
soft 12,H,H,H,H,Dh,H,H,H,H,H
soft 13-14,H,H,H,Dh,Dh,H,H,H,H,H
soft 15-16,H,H,Dh,Dh,Dh,H,H,H,H,H
soft 17,H,Dh,Dh,Dh,Dh,H,H,H,H,H
soft 18,S,Ds,Ds,Ds,Ds,S,S,H,H,H
soft 19-21,S,S,S,S,S,S,S,S,S,S
pair A,P,P,P,P,P,P,P,P,P,P
pair 2,P,P,P,P,P,P,H,H,H,H
pair 3,P,P,P,P,P,P,H,H,H,H
pair 4,H,H,H,P,P,H,H,H,H,H
pair 5,Dh,Dh,Dh,Dh,Dh,Dh,Dh,Dh,H,H
pair 6,P,P,P,P,P,H,H,H,H,H
pair 7,P,P,P,P,P,P,H,H,H,H
pair 8,P,P,P,P,P,P,P,P,P,P
pair 9,P,P,P,P,P,S,P,P,S,S
pair T,S,S,S,S,S,S,S,S,S,S
"""
"""Of figures.md; soft 12 comes only where aces may not be split and is not on the published chart."""

SIX_DECKS_S17_SURRENDER = SIX_DECKS_S17.replace(
    "hard 13-16,S,S,S,S,S,H,H,H,H,H",
    "hard 13-14,S,S,S,S,S,H,H,H,H,H\nhard 15,S,S,S,S,S,H,H,H,Rh,H\nhard 16,S,S,S,S,S,H,H,Rh,Rs,Rh",
)
"""With late surrender: 16 against 9, 10, ace and 15 against 10; a 16 of more cards stands against 10."""
