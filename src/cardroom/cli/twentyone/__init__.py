"""The blackjack family at the terminal."""
