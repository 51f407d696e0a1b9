"""What stands printed on the felt of the blackjack family: its arcs, its bonuses, what a hand may do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cardroom.core.odds import Odds
from cardroom.presentation.howto.wording import capital
from cardroom.presentation.money import chips
from cardroom.rules.bets.insurance import standard_names
from cardroom.rules.twentyone import TwentyOneRules

_DOUBLE: Final = {1: "double once", 2: "double up to two times", 3: "double up to three times"}
_BONUS_LINES: Final = {
    "five_cards": "five cards",
    "six_cards": "six cards",
    "seven_cards": "seven cards or more",
    "six_seven_eight_mixed": "6-7-8, mixed suits",
    "six_seven_eight_suited": "6-7-8, one suit",
    "six_seven_eight_named": "6-7-8, {suit}",
    "three_sevens_mixed": "7-7-7, mixed suits",
    "three_sevens_suited": "7-7-7, one suit",
    "three_sevens_named": "7-7-7, {suit}",
}


@dataclass(frozen=True, slots=True)
class Posted:
    """A table of pays: its lines with what each pays, as the house posts them."""

    title: str
    clause: str
    note: str
    lines: tuple[tuple[str, str], ...]
    hand: str = ""
    """The one hand that all lines are about, where there is one: the lines are then sizes of wagers."""

    @property
    def groups(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """The lines that stand together on the felt: those of the same cards, named once, and those of none.

        >>> Posted("Bonus 21", "", "", (("five cards", "3 to 2"), ("6-7-8, one suit", "2 to 1"))).groups
        [('', [('five cards', '3 to 2')]), ('6-7-8', [('one suit', '2 to 1')])]
        """
        groups: dict[str, list[tuple[str, str]]] = {}
        for words, pays in self.lines:
            cards, _, line = words.rpartition(", ")
            groups.setdefault(cards, []).append((line, pays))
        return list(groups.items())


def arc_words(rules: TwentyOneRules) -> tuple[str, str]:
    """The two lines printed in an arc before the dealer.

    >>> from cardroom.rules import load_rules_as
    >>> arc_words(load_rules_as(TwentyOneRules, "blackjack"))[0]
    'Blackjack pays 3 to 2 · double once'
    """
    large = [f"Blackjack pays {rules.blackjack_pays.words}"]
    if rules.player_21_always_wins:
        large.append("any 21 wins")
    if rules.ties_lose:
        large.append("ties lose")
    if doubles := rules.double.max_doubles:
        large.append(_DOUBLE[doubles])
    dealer = "hits soft 17" if rules.dealer_hits_soft_17 else "stands on every 17"
    small = [f"Dealer {dealer}"]
    if rules.insurance.offered:
        small.append(f"insurance pays {_insurance_in_short(rules)}")
    return " · ".join(large), " · ".join(small)


def insurance_pays(rules: TwentyOneRules) -> list[tuple[str, Odds]]:
    """What insurance pays, each with the blackjack that is paid so; that of any other is first and unnamed.

    >>> from cardroom.rules import load_rules_as
    >>> [(name, str(odds)) for name, odds in insurance_pays(load_rules_as(TwentyOneRules, "players-edge-21"))]
    [('', '2:1'), ('suited', '5:1')]
    """
    named = dict(zip(standard_names(), ("suited", ""), strict=True))
    lines = [(named.get(line.name, line.name), line.pays) for line in rules.insurance.told_apart]
    return sorted(lines, key=lambda line: line[0] != "")


def _insurance_in_short(rules: TwentyOneRules) -> str:
    """On the arc: `2 to 1, suited 5 to 1`; where the house has posted lines of its own, the best."""
    pays = insurance_pays(rules)
    if rules.insurance.lines:
        return f"up to {max((odds for _, odds in pays), key=lambda odds: odds.ratio).words}"
    return ", ".join(f"{name} {odds.words}".lstrip() for name, odds in pays)


def printed_names(titles: Sequence[str]) -> list[str]:
    """Titles of side bets as their small circles have them: without the pays, numbered where two are alike.

    >>> printed_names(["21+3", "Lucky Ladies (1000-200-25-10-4)", "Lucky Ladies (250-25-9-6-3)"])
    ['21+3', 'Lucky Ladies 1', 'Lucky Ladies 2']
    """
    short = [title.partition(" (")[0] for title in titles]
    return [
        f"{name} {short[: place + 1].count(name)}" if short.count(name) > 1 else name
        for place, name in enumerate(short)
    ]


def possible_actions(rules: TwentyOneRules) -> tuple[str, ...]:
    """Every action that a hand may ever be offered at this table, from what gives up to what goes on.

    >>> from cardroom.rules import load_rules_as
    >>> possible_actions(load_rules_as(TwentyOneRules, "blackjack"))
    ('no insurance', 'insure', 'even money', 'split', 'double', 'stand', 'hit')
    """
    possible = {
        "no insurance": rules.insurance.offered,
        "insure": rules.insurance.offered,
        "even money": rules.insurance.offered and rules.insurance.even_money,
        "surrender": rules.surrender != "none",
        "rescue": rules.double.rescue != "none",
        "split": rules.split.max_hands > 1,
        "double": rules.double.max_doubles > 0,
        "stand": True,
        "hit": True,
    }
    return tuple(action for action, offered in possible.items() if offered)


def posted_bonuses(rules: TwentyOneRules) -> tuple[Posted, ...]:
    """What the house pays beyond the hand's own odds: Bonus 21, the Super Bonus, its own insurance."""
    posted = _bonus_21(rules), _super_bonus(rules), _insurance(rules)
    return tuple(bonus for bonus in posted if bonus is not None)


def _bonus_21(rules: TwentyOneRules) -> Posted | None:
    table = rules.bonus_21
    titles = {**_BONUS_LINES, **{line.id: line.name for line in table.lines if line.id not in _BONUS_LINES}}
    lines = tuple(
        (words.format(suit=table.named_suit), odds.words)
        for name, words in titles.items()
        if (odds := table.rate(name)) is not None
    )
    if not lines:
        return None
    split = "" if table.on_split_hands else " or split"
    return Posted("Bonus 21", rules.clause("bonus_21"), f"Not on a doubled{split} hand.", lines)


def _insurance(rules: TwentyOneRules) -> Posted | None:
    if not (rules.insurance.offered and rules.insurance.lines):
        return None
    lines = tuple((line.name, line.pays.words) for line in rules.insurance.told_apart)
    note = "For the dealer's blackjack with an ace up; the first line that its cards make is paid."
    return Posted("Insurance", "21-1.28", note, lines)


def _super_bonus(rules: TwentyOneRules) -> Posted | None:
    bonus = rules.super_bonus
    if not bonus.offered:
        return None
    lines = (
        (f"wager below {chips(int(bonus.large_from))}", chips(int(bonus.small_pays))),
        (f"wager of {chips(int(bonus.large_from))} or more", chips(int(bonus.large_pays))),
        ("every other player in the round", chips(int(bonus.envy))),
    )
    note = f"{capital(bonus.said)}, on a hand neither split nor doubled."
    return Posted("Super Bonus", rules.clause("super_bonus"), note, lines, bonus.said)
