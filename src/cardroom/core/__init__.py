"""The words everyone shares: cards, decks, money, odds, errors; no randomness, no clock, no I/O."""
