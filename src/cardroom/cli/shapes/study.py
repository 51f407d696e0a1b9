"""The JSON of the commands that study a game: protect, design."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from cardroom.cli.shapes.base import Decks, Number, OfGame, Printed
from cardroom.cli.shapes.figures import Correlation

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


class Count(TypedDict):
    """A known count."""

    count: str
    title: str
    tags: dict[str, float]
    balanced: bool
    correlations: list[CountOfWager]


class BestCount(CountOfWager):
    """The best count of a level for a wager."""

    level: int
    balanced: bool
    tags: dict[str, float]


class ProtectionReport(OfGame):
    """Effects of removal, and without `--effects` what counts make of them."""

    effects: list[Effects]
    counts: NotRequired[list[Count]]
    best_counts: NotRequired[list[BestCount]]


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
    share_of_rounds_made: float
    edge_when_made: float | None
    win_per_100_rounds_seen: float
    win_per_100_rounds_seen_standard_error: float


class Perfect(OfGame):
    """`--perfect`: wagers made wherever their exact value is above 0."""

    method: str
    seed: int
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


class PlayerSigns(TypedDict):
    """One player's wagers and play beside the count."""

    player: str
    name: str
    rounds: int
    shoes: int
    correlation_of_wager_with_count: float | None
    correlation_standard_error: float | None
    index_plays: int
    basic_plays: int
    index_share: float | None
    index_share_standard_error: float | None
    hint: bool
    words: str


class SignsOfCounting(Printed):
    """`--log`: signs of counting in the rounds of a real table."""

    count: str
    players: list[PlayerSigns]


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
    cards_behind_the_cut_card: int
    rounds_per_shoe: float
    average_units_wagered: float
    per_round_seen: Rate
    per_round_played: Rate | None
    by_count: list[AtCount]
    side_bets: list[CountedSideBet]
    bankroll_units: NotRequired[float]
    risk_of_ruin: NotRequired[float]
    risk_of_ruin_simulated: NotRequired[SimulatedRuin | None]
    certainty_equivalent_per_100_rounds_seen: NotRequired[float]
    optimal_ramp: NotRequired[OptimalRamp | None]


DesignLine = TypedDict(
    "DesignLine",
    {"line": str, "title": str, "pays": str, "chance": Number, "one_in": float | None, "return": Number},
)


class WithDecks(TypedDict):
    """A side bet's figures with one number of decks."""

    decks: Decks
    expected_value: Number
    house_edge_percent: float
    hit_frequency: Number
    variance: Number
    standard_deviation: float
    volatility_index: float
    lines: list[DesignLine]


class DesignedBet(WithDecks):
    """A side bet as its designer sees it."""

    wager: str
    title: str
    looks_at: list[str]
    method: str
    by_decks: list[WithDecks]
    warnings: list[str]
    correlation_with_main: Correlation | None


class Design(Printed):
    """A side bet or house rules as they stand in a file; `main` where the file holds house rules."""

    file: str
    game: str
    rules_hash: str
    main: NotRequired[dict[str, Any]]
    bets: list[DesignedBet]


class PaytableWithDecks(TypedDict):
    """A paytable that was found, with one number of decks; value and hit frequency as fractions."""

    decks: Decks
    house_edge_percent: float
    expected_value: str
    hit_frequency: str
    volatility_index: float


class Paytable(TypedDict):
    """Pays by line that meet the target; null for a line that is left out."""

    pays: dict[str, str | None]
    by_decks: list[PaytableWithDecks]


class Search(Printed):
    """`--target-edge` and the like: paytables that meet the target, by side bet."""

    file: str
    game: str
    decks: list[Decks]
    bets: dict[str, list[Paytable]]


Protect = ProtectionReport | Indices | Known | Perfect | Counter | HouseReport | SignsOfCounting
DesignOrSearch = Design | Search
