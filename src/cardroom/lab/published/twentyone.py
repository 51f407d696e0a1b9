"""Published figures of the blackjack family, as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from cardroom.games import BLACKJACK, PLAYERS_EDGE_21, SPANISH_21
from cardroom.lab.published.figures import ExpectedDifference, PublishedFigure
from cardroom.rules import load_rules_as
from cardroom.rules.bets import shelf_bet, shelf_names
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.variants import variant, variant_names

Changes = tuple[tuple[str, object], ...]

FARMER: Final = "E. Farmer: public blackjack analyser (composition dependent, CDZ-)"
CACARULO: Final = "Cacarulo: exact values of the fixed total-dependent basic strategy"
GRIFFIN: Final = "P. Griffin: The Theory of Blackjack, infinite deck"
WIZARD_9: Final = "Wizard of Odds: Blackjack, appendix 9"
WIZARD_PE: Final = "Wizard of Odds: Player's Edge 21"
DEALER_TABLES: Final = "published tables of the dealer's final totals"
WALKER: Final = "K. Walker, in the table of Wikipedia: Spanish 21"
JACOBSON: Final = "E. Jacobson: Match the Dealer"
FIRST_CARD: Final = "published table of the expected value by the player's first card, infinite decks"
SPOTS: Final = "published variance and covariance of two spots, six decks, H17, cut card"
CHARLIES: Final = "published effects of rules, eight decks, S17, doubling after a split, four hands"
EARLY: Final = "blackjackreview.com: Blackjack rule variations; six decks, S17, no doubling after a split"
COUNTED: Final = "published counts of the side bet"

_S17: Final = ("dealer_hits_soft_17", False)
_ONE_SPLIT: Final = ("split.max_hands", 2)
_NO_DAS: Final = ("double.after_split", False)
_WALKER: Final[Changes] = (("surrender", "late"), ("bonus_21.on_split_hands", True))
_ONE_DOUBLE: Final[Changes] = (("double.max_doubles", 1), ("double.rescue", "original"))
_REDOUBLING: Final[Changes] = (("double.max_doubles", 3), ("double.rescue", "before-last-double"))


THREE_CARD_LINES: Final = {
    "suited_three_of_a_kind": "1040",
    "straight_flush": "10368",
    "three_of_a_kind": "25272",
    "straight": "155520",
    "flush": "292896",
}
"""How many of all sets of three cards of six decks make each line of 21+3."""


def _blackjack() -> Iterator[PublishedFigure]:
    def figure(
        quantity: str,
        printed: str,
        source: str,
        *changes: tuple[str, object],
        difference: ExpectedDifference | None = None,
    ) -> PublishedFigure:
        return PublishedFigure(BLACKJACK.id, quantity, printed, source, changes, difference)

    by_composition = "expected value, composition"
    yield figure(by_composition, "-0.402870236 %", FARMER, _S17)
    yield figure(by_composition, "-0.456886297 %", FARMER, _S17, _ONE_SPLIT)
    yield figure("standard deviation, composition", "1.14654006", FARMER, _S17, _ONE_SPLIT)
    yield figure("expected value, basic", "-0.3317035785 %", CACARULO, _S17, ("surrender", "late"))
    yield figure(by_composition, "0.024273905 %", FARMER, ("decks", 1), _S17, _ONE_SPLIT, _NO_DAS)
    yield figure(by_composition, "-0.644553852 %", FARMER, ("decks", 8))
    yield figure(
        "expected value, basic",
        "-0.690223 %",
        GRIFFIN,
        ("decks", "infinite"),
        _S17,
        _ONE_SPLIT,
        _NO_DAS,
        difference=ExpectedDifference(
            "the source's last digits: a plain recursion over the ten values, all that an infinite deck "
            "takes, gives ours to twelve decimals; the difference is 1.4 in ten million",
            Fraction(2, 10**7),
        ),
    )
    yield figure(
        by_composition,
        "0.1839 %",
        WIZARD_9,
        ("decks", 1),
        _S17,
        difference=ExpectedDifference(
            "the source approximates splits and is about 0.002 % too high, as it says itself",
            Fraction(25, 10**6),
        ),
    )
    distribution = {
        "-4": ".000197803",
        "-3": ".001706602",
        "-2": ".042626779",
        "-1": ".434424537",
        "0": ".087380892",
        "1": ".326607276",
        "3/2": ".045322988",
        "2": ".059166548",
        "3": ".002170906",
        "4": ".000395670",
    }
    for result, chance in distribution.items():
        yield figure(f"probability of {result}, composition", f"0{chance}", FARMER, _S17, _ONE_SPLIT)
    infinite = {
        "17": ".1451259",
        "18": ".1394969",
        "19": ".1334640",
        "20": ".1802524",
        "21": ".0727307",
        "blackjack": ".0473373",
        "bust": ".2815928",
    }
    for final, chance in infinite.items():
        yield figure(f"dealer's {final}", f"0{chance}", DEALER_TABLES, ("decks", "infinite"), _S17)
    first_cards = {
        "A": "0.504019",
        "2": "-0.132947",
        "5": "-0.196529",
        "6": "-0.209834",
        "9": "-0.009417",
        "T": "0.143489",
    }
    for letter, value in first_cards.items():
        yield figure(
            f"expected value with a first card of {letter}, basic",
            value,
            FIRST_CARD,
            ("decks", "infinite"),
            _S17,
        )
    yield figure("variance, basic", "1.346", SPOTS)
    yield figure("variance of one of two spots with a cut card, basic", "1.346", SPOTS)
    yield figure("covariance of two spots with a cut card, basic", "0.499", SPOTS)
    six_decks = {
        "bust": ".28576",
        "17": ".13346",
        "18": ".14120",
        "19": ".13568",
        "20": ".18153",
        "21": ".07487",
        "blackjack": ".04749",
    }
    for final, chance in six_decks.items():
        yield figure(f"dealer's {final}", f"0{chance}", DEALER_TABLES)
    for line, count in THREE_CARD_LINES.items():
        yield figure(f"hands of {line} of 21+3", count, COUNTED)
    yield figure("expected value of 21+3", "-1997/48205", COUNTED)
    yield figure(
        "house edge of 21+3",
        "3.2386 %",
        COUNTED,
        *((f"side_bets.21+3.{line}", "9:1") for line in THREE_CARD_LINES),
    )
    yield figure("expected value of match-the-dealer", "-3508/48205", COUNTED)
    yield figure("cells unlike the published chart", "0", "six-deck basic strategy, S17", _S17)
    yield figure("cells unlike the published chart", "0", "six-deck basic strategy, H17")


_ROUNDED_STRATEGY: Final = ExpectedDifference(
    "0.3850 % by basic strategy and 0.3848 % by composition lie on the two sides of where 0.38 ends",
    Fraction(1, 10**6),
)
_FIVE_CARD_16: Final = ExpectedDifference(
    "hard 16 of five cards against 2: hitting is better by 0.00015 of the wager, a tie in print",
    Fraction(1),
)


def _spanish() -> Iterator[PublishedFigure]:
    game = SPANISH_21.id
    edge = "house edge, basic"
    stands = ("dealer_hits_soft_17", False)
    for decks, hits, stays, redoubled in ((6, "0.78", "0.37", "0.42"), (8, "0.80", "0.38", "0.45")):
        shoe = ("decks", decks)
        yield PublishedFigure(game, edge, f"{hits} %", WALKER, (shoe, *_WALKER, *_ONE_DOUBLE))
        yield PublishedFigure(
            game,
            edge,
            f"{stays} %",
            WALKER,
            (shoe, stands, *_WALKER, *_ONE_DOUBLE),
            _ROUNDED_STRATEGY if decks == 8 else None,
        )
        yield PublishedFigure(game, edge, f"{redoubled} %", WALKER, (shoe, *_WALKER, *_REDOUBLING))
    rules = (*_WALKER, *_ONE_DOUBLE)
    yield PublishedFigure(game, "added edge of surrender=none, basic", "0.018 %", WALKER, rules)
    yield PublishedFigure(
        game,
        "added edge of split.hit_aces=false split.double_aces=false, basic",
        "0.28 %",
        WALKER,
        rules,
    )
    yield PublishedFigure(
        game,
        "cells unlike the published chart",
        "0",
        "published charts, H17 with redoubling",
        (*_WALKER, *_REDOUBLING),
        _FIVE_CARD_16,
    )
    yield PublishedFigure(game, "expected value of insurance", "-71/287", COUNTED)
    yield PublishedFigure(game, "expected value of match-the-dealer", "-114/3731", JACOBSON)
    yield PublishedFigure(game, "hit frequency of match-the-dealer", "15.411 %", JACOBSON)
    yield PublishedFigure(game, "standard deviation of match-the-dealer", "2.448", JACOBSON)
    yield PublishedFigure(
        game, "probability of super-bonus", "1/668382", COUNTED, (("super_bonus.offered", True),)
    )


def _players_edge() -> Iterator[PublishedFigure]:
    game = PLAYERS_EDGE_21.id
    rescue = (("double.rescue", "before-last-double"),)
    yield PublishedFigure(
        game,
        "house edge, basic",
        "0.27 %",
        WIZARD_PE,
        rescue,
        ExpectedDifference(
            "the source has one more rule: two identical suited face cards win. 180 of 41,328 pairs are "
            "such, and bring 0.586 without the rule. If they win after the dealer's look, and lose to a "
            "dealer's blackjack, they bring 0.918, and ours is 0.273 % (the next line), which meets the "
            "figure; if they win at once, also against a dealer's blackjack, they bring 1, and ours is "
            "0.237 % (the line after it), which does not. Which of the two the source computed it does "
            "not say",
            Fraction(15, 10**4),
        ),
    )
    faces = "house edge if two identical suited faces won"
    yield PublishedFigure(game, f"{faces} after the look", "0.27 %", WIZARD_PE, rescue)
    yield PublishedFigure(
        game,
        f"{faces} at once",
        "0.27 %",
        WIZARD_PE,
        rescue,
        ExpectedDifference(
            "the figure is met only by the reading of the line before, a win after the look. This one, a win "
            "whatever the dealer has, is nearer to the source's words and gives 0.237 %; if it is what the "
            "source computed, one of us is wrong. A calculation from outside came to about 0.244 % for it; "
            "ours is 0.4171 % less 180/41,328 · (1 − 0.5857), and no base was found that gives 0.244 %",
            Fraction(35, 10**5),
        ),
    )
    yield PublishedFigure(game, "expected value of insurance", "-17/287", COUNTED)


def _shelf() -> Iterator[PublishedFigure]:
    """The house edges that are published of the side bets of the shelf, each put on a table of blackjack."""
    for name in shelf_names():
        bet = shelf_bet(name)
        for one in bet.published:
            changes = [(f"side_bets.{name}.offered", True), ("decks", one["decks"])]
            if "soft_17" in one:
                changes.append(("dealer_hits_soft_17", one["soft_17"] == "hit"))
            yield PublishedFigure(
                BLACKJACK.id,
                f"house edge of {name}",
                one["house_edge"],
                one.get("source", bet.source),
                tuple(changes),
                _difference(one),
            )


def _difference(one: Mapping[str, Any]) -> ExpectedDifference | None:
    """Why ours may differ from a figure, as the file that has the figure says."""
    reason = one.get("difference")
    return None if reason is None else ExpectedDifference(reason, Fraction(one["up_to"]))


def _variants() -> Iterator[PublishedFigure]:
    """The house edges that are published of known variants, each as the options in which it differs."""
    for name in variant_names():
        known = variant(name)
        rules, own = (load_rules_as(TwentyOneRules, source) for source in (name, known.game))
        changes = {key: here for key, (here, _) in rules.differences(own).items() if key != "title"}
        for one in known.published:
            yield PublishedFigure(
                own.game,
                f"house edge, {one.get('strategy', 'basic')}",
                one["house_edge"],
                one["source"],
                tuple({**changes, **one.get("with", {})}.items()),
                _difference(one),
            )


def _options() -> Iterator[PublishedFigure]:
    """What is published of single options of other houses."""
    rules: Changes = (("decks", 8), _S17)
    yield PublishedFigure(
        BLACKJACK.id,
        "added edge of charlie=5, basic",
        "-1.46 %",
        CHARLIES,
        rules,
        ExpectedDifference(
            "the source's Charlie is not for hands after a split, ours is, and is worth so much more",
            Fraction(1, 1000),
        ),
    )
    yield PublishedFigure(
        BLACKJACK.id,
        "added edge of charlie=6, basic",
        "-0.16 %",
        CHARLIES,
        rules,
        ExpectedDifference(
            "sources print 0.10 % and 0.16 %; ours, the exact value, is 0.151 %", Fraction(15, 10**5)
        ),
    )
    waits: Changes = (("hole_card", "unseen"), ("dealer_blackjack_takes", "original"))
    not_ace = ("surrender", "early-not-ace")
    early: Changes = (_S17, _NO_DAS, *waits)
    yield PublishedFigure(
        BLACKJACK.id, "added edge of surrender=early-not-ace, basic", "-0.24 %", EARLY, early
    )
    yield PublishedFigure(
        BLACKJACK.id, "added edge of surrender=early, basic", "-0.39 %", EARLY, (*early, not_ace)
    )


TWENTY_ONE: Final[tuple[PublishedFigure, ...]] = (
    *_blackjack(),
    *_spanish(),
    *_players_edge(),
    *_options(),
    *_variants(),
    *_shelf(),
)
