"""The JSON of `protect`."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from cardroom.cli.shapes.base import OfGame
from cardroom.cli.shapes.signs import SignsOfCounting

Mark = Literal["safe", "watch", "exposed"]


class Effects(TypedDict):
    """What removing one card does to a wager, in units of it; `fractions` where they are exact."""

    wager: str
    strategy: str | None
    removed: int
    of: int
    full_value: float
    per_card: dict[str, float]
    per_deck: dict[str, float]
    fractions: NotRequired[dict[str, str]]


class CountOfWager(TypedDict):
    """How well a count follows a wager."""

    wager: str
    strategy: str | None
    correlation: float | None


class NamedCountOfWager(CountOfWager):
    """A count without a tag for aces may have them counted beside it."""

    with_aces_beside: float | None


class Count(TypedDict):
    """A known count."""

    count: str
    title: str
    tags: dict[str, float]
    balanced: bool
    correlations: list[NamedCountOfWager]


class BestCount(CountOfWager):
    """The best count of a level for a wager."""

    level: int
    balanced: bool
    tags: dict[str, float]
    sum_of_a_deck: int


class ProtectionReport(OfGame):
    """Effects of removal, and without `--effects` what counts make of them."""

    effects: list[Effects]
    counts: NotRequired[list[Count]]
    best_counts: NotRequired[list[BestCount]]


class TwoCards(TypedDict):
    """What two missing cards do to a side bet beyond what each does alone, by the ranks of both."""

    wager: str
    beyond_both_effects: dict[str, dict[str, float]]
    fractions: dict[str, dict[str, str]]


class SecondOrder(OfGame):
    """`--second-order`: effects of two cards."""

    method: str
    second_order: list[TwoCards]


class Index(TypedDict):
    """A deviation from basic strategy, and from which count on it pays."""

    hand: str | None
    up_card: str
    action: str
    instead_of: str | None
    pays: Literal["from", "below"]
    index: int
    crossing: float
    crossing_standard_error: float
    linear_index: int | None
    linear_crossing: float | None
    value_of_a_count: float
    gain_per_100_rounds: float


class Indices(OfGame):
    """`--indices`: deviations of one count, what gains most first."""

    count: str
    rounding: str
    shoes: int
    interrupted: bool
    seed: int
    indices: list[Index]


class KnownCard(TypedDict):
    """A unit wagered when this card is known to come."""

    card: str
    probability: float
    expected_value: float


class Knowledge(TypedDict):
    """What it is worth to know one card before the wager."""

    known: str
    win_per_100_rounds_seen: float
    share_of_rounds_wagered: float
    cards: list[KnownCard]


class NextAce(TypedDict):
    """A unit wagered when an ace is known to come next."""

    on_own_hand: float
    as_up_card: float
    break_even_share: float


class HoleCardWorth(TypedDict):
    """A unit wagered in every round, by what is known of the hole card before the play."""

    unknown: float
    seen_for_insurance_alone: float | None
    ten_told: float
    seen: float
    seen_without_insurance: float


class Known(OfGame):
    """`--known`: what known cards are worth."""

    method: str
    known: list[Knowledge]
    next_ace: NextAce
    hole_card: HoleCardWorth | None
    ten_under_an_ace_per_100_rounds: float | None


class PerfectPlay(TypedDict):
    """The most that any count could win on a wager."""

    wager: str
    cards_behind_the_cut_card: int
    shoes: int
    rounds_per_shoe: float
    share_of_rounds_made: float
    edge_when_made: float | None
    win_per_100_rounds_seen: float
    win_per_100_rounds_seen_standard_error: float
    win_per_shoe: float
    win_per_shoe_standard_error: float


class Perfect(OfGame):
    """`--perfect`: wagers made wherever their exact value is above 0."""

    method: str
    seed: int
    interrupted: bool
    wagers: list[PerfectPlay]


class Rate(TypedDict):
    """What a round brings, in units."""

    rounds: int
    win_per_100: float
    win_per_100_standard_error: float
    standard_deviation_per_100: float
    desirability_index: float
    score: float
    n0: float | None


class AtCount(TypedDict):
    """The rounds that began at one count."""

    count: int
    share_of_rounds_seen: float
    rounds_seen: int
    rounds_played: int
    units: int
    edge: float | None
    edge_standard_error: float | None
    variance: float | None
    kelly_share_of_bankroll: float | None


class PerHand(TypedDict):
    """What a hand brings, in units; every spot wagered on is one, however often it is split."""

    hands: int
    win_per_100: float
    win_per_100_standard_error: float


class KellyWager(TypedDict):
    """The Kelly wager on each spot at a count, not rounded."""

    count: int
    units: float


class CountsAtDepth(TypedDict):
    """The counts below which so many of 100 rounds begin."""

    decks_dealt: float
    counts: list[float]


class WonSoFar(TypedDict):
    """The units below which so many of 100 counters stand."""

    rounds_seen: float
    units: list[float]


class RuinOfBankroll(TypedDict):
    """The risk of losing a bankroll."""

    bankroll_units: float
    formula: float
    simulated: float
    simulated_standard_error: float


class Curves(TypedDict):
    """`--curves`: what the counter meets as shoes go by; `percentiles` says of how many of 100 values are."""

    percentiles: list[int]
    count_by_decks_dealt: list[CountsAtDepth]
    won_by_rounds_seen: list[WonSoFar]
    ruin_by_bankroll: list[RuinOfBankroll]


class CountedSideBet(TypedDict):
    """A side bet that the counter makes from some count on."""

    wager: str
    from_count: int
    rounds_made: int
    share_of_rounds_seen: float
    edge_when_made: float
    win_per_100_rounds_seen: float


class SimulatedRuin(TypedDict):
    """Bankrolls that lived through shoes drawn again and again."""

    risk_of_ruin: float
    standard_error: float
    bankrolls: int
    undecided: int


class ExposureAtCut(TypedDict):
    """A wager at one cut, for the best conceivable counter."""

    decks_cut_off: float
    cards_behind_the_cut_card: int
    rounds_per_shoe: float
    share_of_rounds_positive: float
    edge_when_positive: float
    units_per_100_rounds_seen: float
    units_standard_error: float
    dollars_per_100_rounds_seen_at_the_maximum: float
    dollars_at_the_maximum_standard_error: float
    dollars_per_100_rounds_seen_without_a_maximum: float


class Countermeasure(TypedDict):
    """What the house can do, and what is left then."""

    countermeasure: str
    words: str
    dollars_left_per_100_rounds_seen: float


class ExposedWager(TypedDict):
    """One wager of the house report."""

    wager: str
    title: str
    largest_stake_cents: int
    mark: Mark
    mark_without_a_maximum: Mark
    largest_safe_stake_cents: int | None
    deepest_cut_of_the_house: ExposureAtCut
    by_cut: list[ExposureAtCut]
    countermeasures: list[Countermeasure]


class HouseReport(OfGame):
    """`--house`: how the wagers of a game can be beaten."""

    method: str
    mark: Mark
    thresholds_dollars_per_100_rounds: dict[str, float]
    wagers: list[ExposedWager]
    findings: list[str]
    not_valued: list[str]
    interrupted: bool
    not_reached: list[str]


class CutCardEffect(TypedDict):
    """A flat unit by basic strategy, one player alone: dealt to the cut card, and without its effect."""

    method: str
    cards_behind_the_cut_card: int
    shoes: int
    seed: int
    rounds_per_shoe: float
    effect_on_the_player_percent: float
    standard_error_percent: float
    flat_unit_with_the_cut_card_percent: float
    flat_unit_without_it_percent: float


class OptimalRamp(TypedDict):
    """The wagers by count that a bankroll carries best."""

    risk: float
    ramp: str
    risk_of_ruin: float
    per_round_seen: Rate


class Counter(OfGame):
    """`--ramp`: a player who counts, simulated."""

    method: str
    rounds_seen: int
    interrupted: bool
    seed: int
    count: str
    true_count: bool
    decks_known: str
    rounding: str
    ramp: str
    unit_cents: int
    spots: int
    others: int
    enter: int | None
    leave: int | None
    cover: int | None
    insurance_from: int | None
    deviations: list[str]
    play_count: str | None
    insurance_count: str | None
    side_count: str | None
    cards_behind_the_cut_card: int
    rounds_per_shoe: float
    average_units_wagered: float
    per_round_seen: Rate
    per_round_played: Rate | None
    per_hand_played: PerHand | None
    by_count: list[AtCount]
    side_bets: list[CountedSideBet]
    cut_card_effect: CutCardEffect | None
    curves: NotRequired[Curves]
    bankroll_units: NotRequired[float]
    kelly_wagers: NotRequired[list[KellyWager]]
    risk_of_ruin: NotRequired[float]
    risk_of_ruin_simulated: NotRequired[SimulatedRuin | None]
    certainty_equivalent_per_100_rounds_seen: NotRequired[float]
    optimal_ramp: NotRequired[OptimalRamp | None]


class CounterAtTable(TypedDict):
    """One of several counters at a table."""

    habits: str
    """As `--with` reads it."""
    count: str
    true_count: bool
    decks_known: str
    rounding: str
    ramp: str
    spots: int
    enter: int | None
    leave: int | None
    cover: int | None
    insurance_from: int | None
    deviations: list[str]
    play_count: str | None
    insurance_count: str | None
    side_count: str | None
    cards_behind_the_cut_card: int
    rounds_per_shoe: float
    average_units_wagered: float
    per_round_seen: Rate
    per_round_played: Rate | None
    per_hand_played: PerHand | None
    by_count: list[AtCount]
    side_bets: list[CountedSideBet]


class Together(TypedDict):
    """All counters of a table."""

    per_round_seen: Rate
    hands_played: int
    win_per_100_hands_played: float | None
    correlation_of_two_counters: float | None


class CommonCurves(TypedDict):
    """What a common bankroll meets."""

    percentiles: list[int]
    won_by_rounds_seen: list[WonSoFar]
    ruin_by_bankroll: list[RuinOfBankroll]


class Team(OfGame):
    """`--ramp … --with …`: several counters at one table, simulated."""

    method: str
    rounds_seen: int
    interrupted: bool
    seed: int
    unit_cents: int
    others: int
    together: Together
    counters: list[CounterAtTable]
    curves: NotRequired[CommonCurves]
    bankroll_units: NotRequired[float]
    risk_of_ruin: NotRequired[float]
    risk_of_ruin_simulated: NotRequired[SimulatedRuin | None]


class Efficiency(TypedDict):
    """How well the deviations of a count do."""

    count: str
    title: str
    playing_efficiency: float
    playing_efficiency_standard_error: float
    gain_per_100_rounds: float
    perfect_gain_per_100_rounds: float
    with_insurance: float | None
    with_insurance_standard_error: float | None


class Efficiencies(OfGame):
    """`--efficiency`"""

    method: str
    shoes: int
    interrupted: bool
    seed: int
    efficiencies: list[Efficiency]


Protect = (
    ProtectionReport
    | SecondOrder
    | Indices
    | Efficiencies
    | Known
    | Perfect
    | Counter
    | Team
    | HouseReport
    | SignsOfCounting
)
