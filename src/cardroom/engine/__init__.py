"""The round as a state machine: chance is an input, every step returns frozen events."""
