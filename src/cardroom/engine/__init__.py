"""The round of each game as a state machine: the readable law, with chance as an input."""
