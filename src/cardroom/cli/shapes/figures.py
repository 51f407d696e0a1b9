"""The JSON of the commands that compute: odds, strategy, hand, simulate, par, compare, audit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from cardroom.cli.shapes.base import Chart, Number, OfGame, Printed, Rules, Size, Wager


class PrizeWager(TypedDict):
    """The figures of one prize of a lottery; null where they depend on how many tickets are in the draw."""

    wager: str
    method: str
    strategy: str
    expected_value: Number | None
    expected_return: Number | None
    house_edge_percent: float | None
    hit_frequency: float
    one_in: float
    standard_deviation: float | None
    per_hand: NotRequired[Number]
    outcomes: list[PrizeOutcome]


class PrizeOutcome(TypedDict):
    """A prize is won, or not; `pays` is null where it depends on how many tickets are in the draw."""

    outcome: str
    pays: str | None
    probability: Number


class Part(TypedDict):
    """A share of all rounds, and what it adds to the expected value."""

    name: str
    probability: float
    expected_value: float


class HandPart(TypedDict):
    """The first two cards against an up card."""

    cards: str
    up_card: str
    probability: float
    expected_value: float
    action: str | None
    values_without_dealers_blackjack: dict[str, float]


class SuperBonus(TypedDict):
    """The Super Bonus for each unit of the wager."""

    probability: float
    pays: str
    expected_value: float


class ByPlayers(TypedDict):
    """The total with so many players at the table, who share in the envy bonus."""

    players: int
    envy_expected_value: float
    expected_value: float
    house_edge_percent: float


class HitForBonus(TypedDict):
    """A hand that is hit for the sake of the Super Bonus."""

    cards: str
    up_card: str
    instead_of: str


class Total(TypedDict):
    """Primary wager, Super Bonus and envy together, by one strategy."""

    method: str
    strategy: str
    wager_cents: int
    primary_expected_value: float
    super_bonus: SuperBonus
    hit_for_the_super_bonus: list[HitForBonus]
    by_players: list[ByPlayers]


class GameOdds(OfGame):
    """The figures of every wager of a dealt game."""

    rules: Rules
    shoe: NotRequired[str]
    wagers: list[Wager]
    not_figured: NotRequired[dict[str, str]]
    size: NotRequired[Size]
    by_up_card: NotRequired[list[Part]]
    by_first_card: NotRequired[list[Part]]
    by_first_two: NotRequired[list[Part]]
    by_first_two_and_up_card: NotRequired[list[HandPart]]
    dealer_finals: NotRequired[dict[str, dict[str, float]]]
    total: NotRequired[Total]


class OneIn(TypedDict):
    """How rare prizes are."""

    game_1_one_in: float
    any_prize_one_in: float


class Reading(OneIn):
    """The same prizes under one reading of a clause."""

    without_lucky_losers: OneIn


class GameOfDraw(TypedDict):
    """One of the lottery's three games in a draw; amounts in dollars."""

    game: int
    win_chance: float
    one_in: float
    lucky_losers_chance: float
    expected_winners: float
    expected_prize: float
    expected_paid: float
    least_share_binds: float
    greatest_share_binds: float
    expected_added: float
    expected_left: float
    most_paid: str


class Liability(TypedDict):
    """What a draw pays, in dollars."""

    expected: float
    standard_deviation: float
    step: str
    quantiles: dict[str, str]
    most: str


class Pools(TypedDict):
    """What draws leave in the pools, and take from the house, on average; in dollars."""

    left: float
    added: float


class HousePart(TypedDict):
    """What the house keeps of a draw, in dollars."""

    expected: float
    standard_deviation: float
    loses_chance: float
    worst: str


class Draw(TypedDict):
    """A draw with a given number of tickets."""

    tickets: int
    method: str
    error: float
    return_to_player: float
    any_prize: float
    any_prize_one_in: float
    sales: str
    games: list[GameOfDraw]
    liability: Liability
    pools: Pools
    house: HousePart


FirstCards = TypedDict("FirstCards", {"first_cards": str, "return": float})


class Waiting(TypedDict):
    """What it is worth to buy only tickets with good first cards."""

    tickets: int
    blind_return: float
    return_of_best_tenth: float
    return_of_best_hundredth: float
    favourable_chance: float
    best: FirstCards
    worst: FirstCards


class LotteryOdds(OfGame):
    """The figures of a ticket of the lottery; more with `--tickets`."""

    rules: Rules
    wagers: list[PrizeWager]
    game_1_readings: dict[str, Reading]
    size: Size
    tickets: NotRequired[int]
    return_to_player: NotRequired[float]
    draw: NotRequired[Draw]
    waiting: NotRequired[Waiting]


class NotByTotal(TypedDict):
    """A hand that is not played as its total is."""

    cards: str
    up_card: str
    action: str
    usual: str


class Strategy(OfGame, Chart):
    """The best strategy, or one that was given, as a chart."""

    shoe: NotRequired[str]
    wager_cents: int
    expected_value: Number
    exceptions: list[NotByTotal]


class Action(TypedDict):
    """An action, what it brings for each unit of the wager, and what it costs against the best."""

    action: str
    expected_value: Number
    cost: float


class Hand(OfGame):
    """Every action on one hand; the best one first."""

    method: str
    strategy: str
    wager_cents: int
    shoe: NotRequired[str]
    cards: str
    up_card: str
    best: str | None
    expected_value: Number
    actions: list[Action]
    averaged_over_suits: bool
    not_with_all_cards: list[str]


class NetTally(TypedDict):
    """How many rounds ended with this net result."""

    net: str
    rounds: int


class Estimate(TypedDict):
    """A simulated wager beside its exact value."""

    wager: str
    method: Literal["simulated"]
    expected_value: Number
    standard_error: float
    confidence_interval_95: list[float]
    house_edge_percent: float
    hit_frequency: float
    standard_deviation: float
    outcomes: list[NetTally]
    exact: Number | None
    off_by_standard_errors: float | None


class UpCardEstimate(TypedDict):
    """The primary wager against one up card of the dealer's."""

    up_card: str
    rounds: int
    expected_value: float | None
    standard_error: float | None


class Simulation(OfGame):
    """A simulation of a dealt game; fields of shoes and strategies are those of the blackjack family."""

    rounds: int
    seed: int
    wager_cents: int
    side_wager_cents: NotRequired[int | None]
    strategy: NotRequired[str]
    spots: NotRequired[int]
    dealing: NotRequired[str]
    average_wager: NotRequired[float]
    shoes: NotRequired[int]
    rounds_per_shoe: NotRequired[float | None]
    dead_rounds: NotRequired[int]
    by_up_card: NotRequired[list[UpCardEstimate]]
    interrupted: bool
    wagers: list[Estimate]


class PrizeEstimate(TypedDict):
    """A simulated prize of the lottery."""

    wager: str
    method: Literal["simulated"]
    hit_frequency: float
    hit_frequency_standard_error: float
    expected_return: float
    expected_return_standard_error: float


class LotterySimulation(OfGame):
    """Simulated draws of the lottery; a round is a draw."""

    rounds: int
    seed: int
    tickets: int
    wager_cents: int
    interrupted: bool
    return_to_player: float
    return_to_player_standard_error: float
    exact_return_to_player: float
    wagers: list[PrizeEstimate]


ParLine = TypedDict(
    "ParLine",
    {"outcome": str, "pays": str, "probability": Number, "one_in": float | None, "return": Number},
)


class ParWager(TypedDict):
    """All figures of one wager of a PAR sheet, for each unit staked at first."""

    wager: str
    title: str
    method: str
    strategy: str | None
    expected_value: Number
    house_edge_percent: float | None
    house_edge_of_total_wager_percent: float | None
    return_to_player: float | None
    average_total_wager: float
    hit_frequency: float
    variance: float
    standard_deviation: float
    skewness: float | None
    volatility_index: float
    probability_error: float | None
    largest_win: ParLine
    outcomes: list[ParLine]
    note: str


class Variation(TypedDict):
    """What one rule is worth."""

    rule: str
    words: str
    house_edge_percent: float
    change_percent: float


class Sensitivity(TypedDict):
    """What each rule is worth to one wager."""

    wager: str
    variations: list[Variation]


class Correlation(TypedDict):
    """How two wagers of the same round go together."""

    wagers: list[str]
    correlation: float
    method: str
    standard_error: float | None
    seed: int | None


class Session(TypedDict):
    """The sum of many rounds of one unit each."""

    rounds: int
    mean: float
    standard_deviation: float
    hold: float
    hold_bands: dict[str, list[float]]
    loss_quantiles: dict[str, float]
    house_behind: float
    method: str
    error: float


class Sessions(TypedDict):
    """What sessions of a wager come to."""

    wager: str
    sessions: list[Session]


class Verified(TypedDict):
    """A quantity exactly and by simulation."""

    quantity: str
    exact: float
    simulated: float
    standard_error: float
    sigmas: float


class Verification(TypedDict):
    """How a PAR sheet was computed, and an independent check of it."""

    method: list[str]
    rounds: int
    seed: int
    lines: list[Verified]


class Par(OfGame):
    """A PAR sheet; further fields are tables that only this game has. `version` is Cardroom's."""

    title: str
    version: str
    rules: Rules
    equipment_and_limits: dict[str, str]
    wagers: list[ParWager]
    strategy: Chart | None
    house_edge_percent_by_strategy: dict[str, float]
    sensitivity: Sensitivity
    progressives: list[dict[str, Any]]
    correlations: list[Correlation]
    sessions: Sessions
    findings: list[str]
    verification: Verification


class ComparedFigure(TypedDict):
    """A figure on both sides; null where one side has no such figure."""

    of: str
    figure: str
    values: list[Number | None]


class ComparedCell(TypedDict):
    """A cell of the strategy chart on both sides."""

    hand: str
    up_card: str
    values: list[str | None]


class Comparison(Printed):
    """Two games, rules files or side bets side by side."""

    names: list[str]
    options: dict[str, list[Any]]
    figures: list[ComparedFigure]
    cells: list[ComparedCell]


class AuditLine(TypedDict):
    """A published figure beside ours."""

    game: str
    rules: dict[str, Any]
    quantity: str
    published: str
    ours: str
    verdict: Literal["agrees", "explained", "disagrees"]
    explanation: str
    source: str


class GameFinding(TypedDict):
    """What the figures say of a game's rules."""

    game: str
    finding: str


class Audit(Printed):
    """Every published figure beside ours; exit code 1 where one disagrees."""

    figures: list[AuditLine]
    verdicts: dict[str, int]
    findings: list[GameFinding]


Odds = GameOdds | LotteryOdds
Simulate = Simulation | LotterySimulation
