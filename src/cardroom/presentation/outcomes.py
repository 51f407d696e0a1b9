"""What became of wagers, said where they lie, and what a round came to, in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from cardroom.engine.twentyone import WagerOutcome
from cardroom.engine.twentyone.events import PRIMARY
from cardroom.presentation.money import chips
from cardroom.presentation.wagers import wager_title
from cardroom.rules.twentyone import TwentyOneRules

_CARDS: Final = {"six seven eight": "6-7-8", "three sevens": "7-7-7"}
_NAMED_SUIT: Final = "the named suit"
_SUITS: Final = {"mixed": "of mixed suits", "suited": "of one suit", "named": f"of {_NAMED_SUIT}"}
_BONUS_LINES: Final = {
    **{f"{number} cards": f"{number}-card 21" for number in ("five", "six", "seven")},
    **{
        f"{cards} {suits}": f"{shown} {of_suits}"
        for cards, shown in _CARDS.items()
        for suits, of_suits in _SUITS.items()
    },
}
"""How the lines of Bonus 21 are said beside a hand."""
_NO_LINE: Final = "no line"
"""Why a side wager was lost that made none of its lines, in the engine's word."""
_TIMES: Final = ("", ", doubled", ", doubled twice", ", doubled three times")


def outcome_title(outcome: WagerOutcome, rules: TwentyOneRules | None = None) -> str:
    """The name of a wager that is decided, with the hand where a spot has several.

    >>> outcome_title(WagerOutcome(1, "Ann", "match-up", 1, "one unsuited", 500, 2000))
    'Match Up'
    >>> outcome_title(WagerOutcome(1, "Ann", "primary", 2, "push", 800, 0, (400,), of_split=True))
    'Hand 2, doubled'
    """
    if outcome.wager != PRIMARY:
        return wager_title(outcome.wager, rules)
    hand = f"Hand {outcome.hand}" if outcome.of_split else "Hand"
    doubles = len(outcome.added_cents)
    return hand + (_TIMES[doubles] if doubles < len(_TIMES) else f", doubled {doubles} times")


def outcome_line(outcome: WagerOutcome, rules: TwentyOneRules | None = None) -> str:
    """The line by which a wager won, or why it was lost or came back; with the rules, a suit by its name.

    >>> outcome_line(WagerOutcome(1, "Ann", "primary", 1, "three sevens named", 1000, 3000))
    '7-7-7 of the named suit'
    >>> from cardroom.rules import load_rules_as
    >>> rules = load_rules_as(TwentyOneRules, "players-edge-21")
    >>> outcome_line(WagerOutcome(1, "Ann", "primary", 1, "three sevens named", 1000, 3000), rules)
    '7-7-7 of diamonds'
    >>> outcome_line(WagerOutcome(1, "Ann", "match-up", 1, "no line", 500, -500))
    'no win'
    >>> outcome_line(WagerOutcome(1, "Ann", "buster-blackjack", 1, "five cards", 400, 1600))
    'five cards'
    """
    if outcome.why == _NO_LINE:
        said = "no win"
    elif outcome.wager == PRIMARY:
        said = _BONUS_LINES.get(outcome.why, outcome.why)
    else:
        said = outcome.why  # a side bet's own line, and no bonus of the hand
    return said if rules is None else said.replace(_NAMED_SUIT, rules.bonus_21.named_suit)


def outcome_words(outcome: WagerOutcome, rules: TwentyOneRules | None = None) -> str:
    """How a wager ended, with its money.

    >>> outcome_words(WagerOutcome(1, "Ann", "match-up", 1, "one unsuited", 500, 2000))
    'Match Up, one unsuited, +$20'
    >>> outcome_words(WagerOutcome(1, "Ann", "primary", 1, "push", 400, 0))
    'Hand, push, wager back'
    >>> outcome_words(WagerOutcome(1, "Ann", "super-bonus", 1, "", 0, 100_000))
    'Super Bonus, +$1,000'
    """
    money = "wager back" if outcome.result == "returned" else chips(outcome.net_cents, plus=True)
    said = outcome_title(outcome, rules), outcome_line(outcome, rules), money
    return ", ".join(part for part in said if part)


def outcome_sentence(
    outcome: WagerOutcome, odds: str, names: Mapping[str, str], rules: TwentyOneRules | None = None
) -> str:
    """How a wager ended, in one sentence for a newcomer: with its odds where it was paid by some, and with
    what people call the bonuses that the engine names.

    >>> outcome_sentence(WagerOutcome(1, "You", "primary", 1, "surrender", 1000, -500), "", {})
    'Your wager loses $5, and $5 comes back.'
    >>> second = WagerOutcome(1, "You", "primary", 2, "lower total", 1000, -1000, of_split=True)
    >>> outcome_sentence(second, "", {})
    'Hand 2 loses $10: lower total.'
    >>> outcome_sentence(WagerOutcome(1, "You", "insurance", 1, "blackjack", 500, 1000), "2 to 1", {})
    'Insurance wins $10, paid 2 to 1: blackjack.'
    """
    who, net_cents = _who(outcome, rules), outcome.net_cents
    why = names.get(outcome.why, outcome_line(outcome, rules))
    reason = f": {why}" if why and outcome.why != _NO_LINE else ""
    if net_cents > 0:
        return f"{who} wins {chips(net_cents)}{f', paid {odds}' if odds else ''}{reason}."
    if net_cents == 0:
        return f"{who} comes back{reason}."
    kept_cents = outcome.stake_cents + net_cents
    if kept_cents:
        return f"{who} loses {chips(-net_cents)}, and {chips(kept_cents)} comes back."
    return f"{who} loses {chips(-net_cents)}{reason}."


def _who(outcome: WagerOutcome, rules: TwentyOneRules | None) -> str:
    if outcome.wager != PRIMARY:
        return wager_title(outcome.wager, rules)
    return f"Hand {outcome.hand}" if outcome.of_split else "Your wager"


def result_words(net_cents: int) -> str:
    """What a round came to for a player.

    >>> result_words(1000), result_words(-450), result_words(0)
    ('You won $10', 'You lost $4.50', 'You broke even')
    """
    return _came_to("You", net_cents)


def results_words(net_cents: Mapping[str, int]) -> str:
    """What a round came to for everybody in it, by name, told to somebody who was not.

    >>> results_words({"Ann": 1000, "Bob": 0})
    'Ann won $10 · Bob broke even'
    """
    return " · ".join(_came_to(name, net) for name, net in net_cents.items())


def _came_to(who: str, net_cents: int) -> str:
    if not net_cents:
        return f"{who} broke even"
    return f"{who} {'won' if net_cents > 0 else 'lost'} {chips(abs(net_cents))}"


def outcomes_to_json(outcomes: Iterable[WagerOutcome], rules: TwentyOneRules) -> list[dict[str, Any]]:
    """Outcomes as plain data for pages."""
    return [
        {
            "spot": one.spot,
            "wager": one.wager,
            "title": outcome_title(one, rules),
            "hand": one.hand,
            "line": outcome_line(one, rules),
            "result": one.result,
            "stake_cents": one.stake_cents,
            "added_cents": list(one.added_cents),
            "net_cents": one.net_cents,
            "words": outcome_words(one, rules),
        }
        for one in outcomes
    ]


def limits_words(least_cents: int, most_cents: int, clause: str) -> dict[str, str]:
    """What a primary wager may be and why, for whoever wonders that only one size is taken.

    >>> limits_words(400, 400, "PROC-2")["words"]
    'Put $4 on a spot. The house takes no other wager here: its minimum is its maximum, too.'
    """
    if least_cents == most_cents:
        only = chips(least_cents)
        words = f"Put {only} on a spot. The house takes no other wager here: its minimum is its maximum, too."
    else:
        words = f"A primary wager at this table is {chips(least_cents)} to {chips(most_cents)}."
    return {"words": words, "clause": clause}
