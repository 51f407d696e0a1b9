"""The blackjack family: hands as an automaton, strategies as tables and charts."""
