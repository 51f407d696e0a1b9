"""How Knockout 21 is told: its draws, its tickets, and the reading of Game 1."""
