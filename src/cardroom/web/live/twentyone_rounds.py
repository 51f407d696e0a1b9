"""The last finished rounds of a table of the blackjack family, for who looks for signs of counting."""

from __future__ import annotations

from cardroom.lab.counting_signs import TableRound
from cardroom.records.tables import TwentyOneRoundEnded
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.web.past import PastRounds


def rounds_of_table(past: PastRounds, table: str) -> list[TableRound]:
    """They are looked for among the last records of the log, a stated number of them."""
    rounds = []
    for ended in past.last_of_table(TwentyOneRoundEnded, table):
        rules = past.rules_of(ended.rules_hash)
        assert isinstance(rules, TwentyOneRules)
        by_clock = frozenset(ended.by_clock)
        rounds.append(TableRound(table, ended.shoe, ended.notation, rules, ended.players, by_clock))
    return rounds
