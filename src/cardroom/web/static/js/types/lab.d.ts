/** What the server sends of the lab. */
export type OptionValue = boolean | number | string;

/** House options that differ from the house's own, by key. */
export type Options = Record<string, OptionValue>;

export interface Control {
  key: string;
  group: string;
  group_title: string;
  kind: "switch" | "choice" | "number" | "text";
  choices: OptionValue[];
  value: OptionValue;
  least: number | null;
  most: number | null;
  words: string;
  clause: string | null;
}

export interface RulesView {
  game: string;
  title: string;
  rules_hash: string;
  /** The options that differ from the house's own: both values, and both as the rules say them. */
  differences: Record<string, { here: OptionValue; house: OptionValue; words: string; house_words: string }>;
  controls: Control[];
}

/** What the lab has to show of the game, and in which words. */
export interface About {
  game: string;
  levers: Lever[];
  main_wager: string;
  /** The ranks that a hand is tapped from. */
  ranks: string[];
  suits: { letter: string; sign: string; name: string }[];
  has_chart: boolean;
  has_sizes: boolean;
  has_sheet: boolean;
  has_simulation: boolean;
  edge_words: string;
}

/** An option whose worth is shown, with the values that are tried. */
export interface Lever {
  option: string;
  values: OptionValue[];
  /** Each of them as the house rules say it. */
  values_words: string[];
  /** Who gains when the option goes from the first of the values to the last. */
  favours: "house" | "player";
  words: string;
}

export interface Outcome {
  outcome: string;
  pays: string;
  /** Both in words. */
  words: string;
  probability: { fraction: string; decimal: number };
}

export interface WagerFigures {
  wager: string;
  title: string;
  house_edge_percent: number | null;
  hit_frequency: number | null;
  standard_deviation: number | null;
  method: string;
  /** What is to be known beside the figures, such as wagers that cannot be figured. */
  note?: string;
  outcomes: Outcome[];
}

export interface Figures {
  rules_hash: string;
  wagers: WagerFigures[];
}

/** What is kept of other rules to be compared with. */
export interface Pinned {
  wagers: WagerFigures[];
  chart: Chart | null;
  words: string;
}

export interface Edge {
  rules_hash: string;
  wager: string;
  title: string;
  house_edge_percent: number;
}

export interface SizeLine {
  wager_cents: number;
  house_edge_percent: Record<string, number>;
  why: string | null;
}

export interface Sizes {
  rules_hash?: string;
  words: string;
  wager_cents: number;
  depends_on_size: string[];
  /** What these wagers are called. */
  titles: Record<string, string>;
  by_size: SizeLine[];
  curve: SizeLine[];
  paid_in_full_percent: Record<string, number>;
  side_wagers?: Sizes | null;
}

export interface Chart {
  rules_hash: string;
  up_cards: string[];
  /** The rows of the chart itself; those of the grids name them in `hands`. */
  rows: { name: string; cells: string[] }[];
  grids: {
    title: string;
    rows: { hand: string; cells: string[]; close: boolean[]; hands: string[] }[];
  }[];
  legend: Record<string, string>;
}

export interface ActionValue {
  action: string;
  expected_value: number | { fraction: string; decimal: number };
  cost: number;
}

/** A cell of a chart opened. */
export interface Cell {
  rules_hash: string;
  /** Whether the values are those that remain once the dealer is known to have no blackjack. */
  given_no_blackjack: boolean;
  up_card: string;
  best: string;
  actions: ActionValue[];
  hands: { cards: string; share: number; best: string; actions: ActionValue[] }[];
  more_hands: number;
}

/** One hand against an up card. */
export interface HandValues {
  rules_hash: string;
  /** Whether the values are those that remain once the dealer is known to have no blackjack. */
  given_no_blackjack: boolean;
  cards: string;
  up_card: string;
  total: string;
  wager_cents: number;
  cards_in_shoe: number | null;
  expected_value: { fraction: string; decimal: number };
  actions: ActionValue[];
  averaged_over_suits: boolean;
  not_with_all_cards: string[];
}

/** A simulation as far as it has come. */
export interface Point {
  rounds: number;
  of: number;
  mean: number;
  standard_error: number;
  seed: number;
}

export interface PublishedFigure {
  quantity: string;
  rules: Record<string, OptionValue>;
  rules_words: string[];
  published: string;
  ours: string;
  verdict: "agrees" | "explained" | "disagrees";
  source: string;
  explanation: string;
}

/** A table as text. */
export interface ProtectionTable {
  title: string;
  head: string[];
  rows: string[][];
  note: string;
}

/** Points of x, y and the error of y; ticks with their words. */
export interface ProtectionPlot {
  title: string;
  label: string;
  kind: "line" | "bars" | "lines";
  points: [number, number, number][];
  /** Of a plot with several lines: each with its name; `points` are those of all. */
  series?: { name: string; points: [number, number, number][] }[];
  x_ticks: [number, string][];
  y_ticks: [number, string][];
}

export interface Protection {
  game: string;
  rules_hash: string;
  mark: string;
  method: string;
  findings: string[];
  tables: ProtectionTable[];
  plots: ProtectionPlot[];
}
