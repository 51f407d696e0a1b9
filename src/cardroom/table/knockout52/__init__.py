"""A Knockout 52 table: wagers before the first card, the deal, and the games that are over."""
