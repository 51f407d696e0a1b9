"""Game protection: what a player could gain who watches the cards, and what the house can do about it."""
