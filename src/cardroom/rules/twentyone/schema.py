"""House rules of the blackjack family: one schema, three games that differ only in its values."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    BeforeValidator,
    Field,
    model_validator,
)

from cardroom.core.decks import CardCounts, DeckKind
from cardroom.core.odds import Odds, Rounding, payment
from cardroom.rules.base import HouseRules
from cardroom.rules.bets.bet import LIMITED_BY_PRIMARY
from cardroom.rules.bets.checks import (
    bonus_never_paid,
    insurance_line_never_paid,
    never_won,
    super_line_never_won,
)
from cardroom.rules.bets.lines import MeterShare
from cardroom.rules.bets.shelf import shelf_bet, shelf_names, without_words
from cardroom.rules.options import Dollars, Options, PayOdds, Subject, option
from cardroom.rules.twentyone.bonuses import Bonus21
from cardroom.rules.twentyone.insurance import Insurance
from cardroom.rules.twentyone.side_bets import SideBets, apart_from, says_the_same
from cardroom.rules.twentyone.super_bonus import SuperBonus


def _pair_values(pairs: object) -> object:
    """Values of pairs in the order of the ranks, each once; a number, or one alone, may be written so."""
    some = list(pairs) if isinstance(pairs, list | tuple) else [pairs]
    values = [
        str(value) if isinstance(value, int) and not isinstance(value, bool) else value for value in some
    ]
    ordered = [value for value in get_args(PairValue) if value in values]
    return (*ordered, *(value for value in values if value not in ordered))


PairValue = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
"""What a pair is of; 10 is every ten-valued card."""
PairValues = Annotated[tuple[PairValue, ...], BeforeValidator(_pair_values)]


class Split(Options):
    """Splitting pairs."""

    max_hands: Literal[1, 2, 3, 4] = option(
        {1: "pairs may not be split"}
        | {number: f"pairs may be split to at most {number} hands" for number in (2, 3, 4)},
        Subject("split"),
    )
    unlike_tens: bool = option(
        ("any two ten-valued cards are a pair", "ten-valued cards are a pair only of the same rank"), "21-1.6"
    )
    resplit_aces: bool = option(
        ("aces may be split again", "aces may not be split again"), Subject("split_aces")
    )
    hit_aces: bool = option(("split aces may be hit", "split aces get one card each"), Subject("split_aces"))
    double_aces: bool = option(
        ("split aces may be doubled", "split aces may not be doubled"), Subject("split_aces")
    )
    never: PairValues = option(
        ("pairs of {} may not be split", "a pair of any value may be split"),
        "21-1.27",
        absent=(),
        idle=lambda rules: not rules.split.never,
    )
    once: PairValues = option(
        (
            "pairs of {} may be split once, and not again",
            "how often a pair is split does not depend on its value, aces apart",
        ),
        "21-1.27",
        absent=(),
        idle=lambda rules: not rules.split.once,
    )
    blackjack_total_stands: bool = option(
        (
            "an ace and a ten-valued card after a split stand as they are",
            "an ace and a ten-valued card after a split are played like any other hand",
        ),
        "21-1.15",
        absent=False,
    )


class Double(Options):
    """Doubling, redoubling, rescue."""

    on: Literal["two_cards", "any_cards"] = option(
        {
            "two_cards": "double on the first two cards of a hand only",
            "any_cards": "double on any number of cards",
        },
        Subject("double"),
    )
    totals: Literal["any", "9-11", "10-11"] = option(
        {
            "any": "any total may be doubled",
            "9-11": "only a hard 9, 10 or 11 may be doubled",
            "10-11": "only a hard 10 or 11 may be doubled",
        },
        "21-1.16",
        absent="any",
        idle=lambda rules: rules.double.totals == "any",
    )
    after_split: bool = option(
        ("double after a split", "no double after a split"),
        Subject("double"),
        idle=lambda rules: rules.split.max_hands == 1,
    )
    max_doubles: Literal[0, 1, 2, 3] = option(
        {
            0: "no hand may be doubled",
            1: "at most 1 double on a hand",
            2: "at most 2 doubles on a hand",
            3: "at most 3 doubles on a hand",
        },
        Subject("redouble"),
    )
    capped_at_maximum: bool = option(
        (
            "an added wager is capped at the table maximum",
            "an added wager is always the whole of what stands",
        ),
        Subject("double_cap"),
    )
    rescue: Literal["none", "original", "before-last-double"] = option(
        {
            "none": "no double-down rescue",
            "original": "rescue after a double: added wagers come back, the original wager is lost",
            "before-last-double": "rescue after a double: what stood before the last double is lost",
        },
        Subject("rescue"),
        idle=lambda rules: rules.double.rescue == "none",
    )


class Limits(Options):
    """What may be staked at the table."""

    min: Dollars = option("a primary wager is at least {}", "PROC-2")
    max: Dollars = option("a primary wager is at most {}", "PROC-2")
    side_min: Dollars = option("a side wager is at least {}", Subject("side_limits"))
    side_max: Dollars = option("a side wager is at most {}", Subject("side_limits"))
    chip: Dollars = option("the smallest chip is {}, and wagers are whole chips", "21-1.14")


class Procedure(Options):
    """The table and its shoe (PROC)."""

    spots: int = option("the table has {} spot{s}", "PROC-3", ge=1, le=9)
    burn_cards: int = option("{} card{s} burned from a new shoe and by a new dealer", "PROC-7", ge=0, le=10)
    player_cut_min_decks: float = option("a player cuts at least {} deck{s} deep", "PROC-6", ge=0, le=8)
    player_cut_max_decks: float = option("a player cuts at most {} deck{s} deep", "PROC-6", ge=0, le=8)
    dealer_cut_min_decks: float = option(
        "the dealer cuts the back at least {} deck{s} deep", "PROC-6", ge=0, le=8
    )
    dealer_cut_max_decks: float = option(
        "the dealer cuts the back at most {} deck{s} deep", "PROC-6", ge=0, le=8
    )


class TwentyOneRules(HouseRules):
    """The house rules of Blackjack, Spanish 21, Player's Edge 21 and whatever a house makes of them."""

    decks: Literal[1, 2, 3, 4, 5, 6, 7, 8, "infinite"] = option("{} deck{s}", Subject("decks"))
    deck: DeckKind = option(
        {
            "standard": "decks of 52 cards",
            "spanish": "Spanish decks: 48 cards, the tens taken out, the faces left in",
        },
        Subject("decks"),
    )
    dealer_hits_soft_17: bool = option(
        ("the dealer hits soft 17", "the dealer stands on every 17"), Subject("soft_17")
    )
    blackjack_pays: PayOdds = option("a player's blackjack pays {}", Subject("blackjack"))
    blackjack_always_wins: bool = option(
        (
            "a player's blackjack is paid at once and always wins",
            "a player's blackjack is paid after the look, and pushes against a dealer's blackjack",
        ),
        Subject("blackjack"),
    )
    player_21_always_wins: bool = option(
        ("a player's 21 is paid at once and always wins", "a player's 21 is compared like any total"),
        Subject("player_21"),
    )
    charlie: Literal["none", 5, 6, 7] = option(
        {
            "none": "no Charlie: a hand of many cards is compared like any other",
            5: "a hand of five cards that is neither bust nor doubled wins at once, a five-card Charlie",
            6: "a hand of six cards that is neither bust nor doubled wins at once, a six-card Charlie",
            7: "a hand of seven cards that is neither bust nor doubled wins at once, a seven-card Charlie",
        },
        "21-1.17",
        absent="none",
        idle=lambda rules: rules.charlie == "none",
    )
    dealer_22_pushes: bool = option(
        ("a dealer's 22 pushes the hands still in", "a dealer's 22 is a bust like any other"),
        "21-1.18",
        absent=False,
        idle=lambda rules: not rules.dealer_22_pushes,
    )
    ties_lose: bool = option(
        (
            "a hand that ties the dealer's loses; a blackjack tied by a blackjack does not",
            "a hand that ties the dealer's is returned",
        ),
        "21-1.22",
        absent=False,
        idle=lambda rules: not rules.ties_lose,
    )
    hole_card: Literal["dealt", "shown", "unseen", "none"] = option(
        {
            "dealt": "the dealer has a hole card and looks at it under an ace or a ten-valued card",
            "shown": "both of the dealer's cards lie face up before anybody plays",
            "unseen": "the dealer has a hole card, and nobody looks at it before the players have played",
            "none": "no hole card: the dealer's second card comes after the players have played",
        },
        "21-1.19",
        absent="dealt",
    )
    dealer_blackjack_takes: Literal["all", "original"] = option(
        {
            "all": "a dealer's blackjack takes all that is wagered by then",
            "original": "a dealer's blackjack takes the original wagers only; what was added comes back",
        },
        "21-1.26",
        absent="all",
        idle=lambda rules: not rules.second_card_waits,  # it is known before anything is added
    )
    surrender_on: Literal["first_two", "any_cards"] = option(
        {
            "first_two": "a surrender is for the first two cards dealt",
            "any_cards": "a surrender may be taken on any number of cards and after a split, until a double",
        },
        "21-1.25",
        absent="first_two",
        idle=lambda rules: rules.surrender == "none",
    )
    surrender: Literal["none", "late", "early", "early-not-ace"] = option(
        {
            "none": "no surrender",
            "late": "surrender of half the wager, after the look",
            "early": "early surrender of half the wager, whatever the dealer makes",
            "early-not-ace": "early surrender of half the wager, whatever the dealer makes, but not against "
            "an ace",
        },
        Subject("surrender"),
    )
    split: Split
    double: Double
    insurance: Insurance
    bonus_21: Bonus21
    super_bonus: SuperBonus
    side_bets: SideBets = Field(default_factory=dict)
    limits: Limits
    rounding: Rounding = option(
        {
            "cents": "a payment that does not come out even is paid down to the cent",
            "chip": "a payment that does not come out even is paid down to the chip",
        },
        "21-1.14",
    )
    procedure: Procedure

    @model_validator(mode="after")
    def _consistent(self) -> TwentyOneRules:
        wrong = [words for is_wrong, words in self._contradictions() if is_wrong]
        if wrong:
            raise ValueError("; ".join(wrong))
        named_suit = self.bonus_21.named_suit
        never = bonus_never_paid(self.bonus_21.lines, named_suit, self.deck)
        never = never or super_line_never_won(self.super_bonus.lines, named_suit, self.deck)
        never = never or insurance_line_never_paid(self.insurance.lines, self.deck)
        if never is not None:
            raise never
        return self

    def _contradictions(self) -> list[tuple[bool, str]]:
        double, limits, cut = self.double, self.limits, self.procedure
        return [
            (limits.min > limits.max, f"limits.min {limits.min} is above limits.max {limits.max}"),
            (
                limits.side_min > limits.side_max,
                f"limits.side_min {limits.side_min} is above limits.side_max {limits.side_max}",
            ),
            (
                limits.min % limits.chip != 0 or limits.max % limits.chip != 0,
                f"limits.min and limits.max must be whole chips of {limits.chip}",
            ),
            (
                double.rescue != "none" and double.max_doubles == 0,
                "double.rescue needs a double: set double.max_doubles to 1, 2 or 3, or double.rescue to none",
            ),
            (
                cut.player_cut_min_decks > cut.player_cut_max_decks
                or cut.dealer_cut_min_decks > cut.dealer_cut_max_decks,
                "a cut's minimum depth is above its maximum",
            ),
            (
                bool(both := [value for value in self.split.never if value in self.split.once]),
                f"split.never and split.once both name {', '.join(both)}",
            ),
            *self._nobody_looks(),
            *self._seen_by_all(),
            *self._bets_apart(),
        ]

    @property
    def second_card_waits(self) -> bool:
        """Whether the dealer's second card is seen by nobody before the players have played (21-1.19)."""
        return self.hole_card in ("none", "unseen")

    @property
    def played_without_blackjack(self) -> bool:
        """Whether nobody decides on a hand that a dealer's blackjack may still change the worth of."""
        return not self.second_card_waits or (self.original_only and not self.surrender.startswith("early"))

    @property
    def original_only(self) -> bool:
        """Whether a dealer's blackjack takes the original wagers only, of all that were made (21-1.26)."""
        return self.second_card_waits and self.dealer_blackjack_takes == "original"

    def _nobody_looks(self) -> Iterator[tuple[bool, str]]:
        """What makes no sense where the dealer looks, or all see, before anybody plays."""
        early, original = self.surrender.startswith("early"), self.dealer_blackjack_takes == "original"
        unseen = "is for a table where nobody looks before the play: set hole_card to unseen or none"
        looked = not self.second_card_waits
        yield early and looked, f"surrender {self.surrender} {unseen} (21-1.20)"
        yield original and looked, f"dealer_blackjack_takes original {unseen} (21-1.26)"
        on_any = early and original and self.surrender_on == "any_cards"
        first_two = "is for the first two cards where a dealer's blackjack takes original wagers only"
        yield on_any, f"surrender {self.surrender} {first_two}: set surrender_on to first_two (21-1.26)"

    def _seen_by_all(self) -> Iterator[tuple[bool, str]]:
        """What makes no sense where both of the dealer's cards lie face up (21-1.21)."""
        shown = self.hole_card == "shown"
        for offered, key in (
            (self.insurance.offered, "insurance.offered"),
            (self.super_bonus.offered, "super_bonus.offered"),
        ):
            yield shown and offered, f"{key} is to be false where both dealer's cards are shown (21-1.21)"

    def _bets_apart(self) -> Iterator[tuple[bool, str]]:
        """What the side bets ask of each other, and lines that can never be won."""
        for wager, bet in self.side_bets.items():
            if not bet.offered:
                continue
            for key, other in (("needs", bet.needs), ("at_most", bet.at_most)):
                missing = other not in (None, LIMITED_BY_PRIMARY) and not self.offers(str(other))
                words = f"side bet {wager} needs {other} on offer ({bet.clause})"
                yield missing, f"side_bets.{wager}.{key}: {words}"
            known = wager in shelf_names() and shelf_bet(wager).bet.lines_ask_the_same(bet)
            never = None if known else never_won(bet, self.deck)
            yield never is not None, f"side_bets.{wager}.{never}"

    def canonical(self) -> dict[str, Any]:
        """The rules as plain data; lines that several side bets have are written once.

        What is only said of a bet, and is said so on the shelf, is left out: it is no part of its law.
        """
        plain = super().canonical()
        bets = plain["side_bets"]
        for wager, tree in bets.items():
            bet = without_words(wager, tree)
            like = next((name for name, one in bets.items() if says_the_same(one, bet)), wager)
            bets[wager] = bet if like == wager else {"like": like, **apart_from(bets[like], bet)}
        return plain

    def offers(self, wager: str) -> bool:
        """Whether a side bet is on offer at this table."""
        bet = self.side_bets.get(wager)
        return bet is not None and bet.offered

    @property
    def offered_side_bets(self) -> tuple[str, ...]:
        return tuple(wager for wager, bet in self.side_bets.items() if bet.offered)

    def line_net(
        self, wager: str, line: str, *, stake_cents: int | None = None, meter_cents: int | None = None
    ) -> Fraction:
        """What a line of a side bet wins for each unit staked; its meter is at the seed unless it is given.

        With `stake_cents` odds are paid as the house rounds them on that stake, else in full; a bet with a
        fixed stake has that stake.
        """
        bet = self.side_bets[wager]
        stake = bet.fixed_stake_cents or stake_cents
        pays = bet.pays(line, stake)
        if isinstance(pays, MeterShare):
            meter = int(bet.meter_seed or 0) if meter_cents is None else meter_cents
            return Fraction(meter * pays.percent // 100, bet.fixed_stake_cents)
        return self.pays_on(stake, pays)

    def clause(self, subject: str) -> str:
        """The clause of this game behind a subject."""
        return Subject(subject).clause_in(self.game)

    def shoe(self) -> CardCounts:
        """The cards of a full shoe; of a single deck where the house deals from infinitely many."""
        return CardCounts.of_decks(self.deck, 1 if self.decks == "infinite" else self.decks)

    def payment(self, stake_cents: int, odds: Odds | Fraction) -> int:
        """What a stake is paid at these odds, by the rounding clause."""
        return payment(stake_cents, odds, rounding=self.rounding, chip_cents=self.limits.chip)

    def pays_on(self, stake_cents: int | None, odds: Odds) -> Fraction:
        """What odds pay for each unit of a stake of that size, by the rounding clause, or in full (None)."""
        return odds.ratio if stake_cents is None else Fraction(self.payment(stake_cents, odds), stake_cents)
