/** What the server sends of a blackjack-family table. Cards are texts such as `Ah`, or `back`; moments are ISO texts. */
import type { SaltsView } from "./proof.js";
import type { Purse } from "./purse.js";

export interface Wager {
  stake_cents: number;
  /** Stakes of side bets in cents, by wager. */
  side: Record<string, number>;
}

/** Wagers by the number of their spot. */
export type Wagers = Record<number, Wager>;

export interface Spot extends Wager {
  number: number;
  player: string | null;
  you: boolean;
  ready: boolean;
}

export interface Hand {
  cards: string[];
  total: string;
  stake_cents: number;
  status: string;
  doubles: number;
  /** So many cards, from the left, lie across. */
  sideways: number;
  turn: boolean;
}

export interface PlayedSpot {
  number: number;
  player: string;
  you: boolean;
  insurance_cents: number;
  side: Record<string, number>;
  hands: Hand[];
}

export interface Round {
  dealer: string[];
  dealer_total: string;
  phase: string;
  over: boolean;
  spots: PlayedSpot[];
}

export interface Option {
  action: string;
  title: string;
  key: string;
  adds_cents: number;
}

export interface Result {
  name: string;
  you: boolean;
  stake_cents: number;
  net_cents: number;
}

/** A finished round in a line. */
export interface Summary {
  id: string;
  number: number;
  shoe: number;
  ended_at: string;
  your_stake_cents: number | null;
  your_net_cents: number | null;
  results: Result[];
}

/** A finished round in full. */
export interface FinishedRound extends Summary {
  table: string;
  game: string;
  title: string;
  in_shoe: string;
  steps: { round: Round; events: string[] }[];
}

export interface Announcement {
  at: string;
  in_force: boolean;
  needs_opening: boolean;
  rules: { words: string; clause: string }[];
}

export interface You extends Purse {
  name: string;
  seated: boolean;
  spots: number[];
  /** The place on the waiting list. */
  place: number | null;
  offer_until: string | null;
  options: Option[];
  ready: boolean;
  owner: boolean;
}

export interface Shoe {
  number: number;
  commitment: string | null;
  cards_left: number | null;
  last_round: boolean;
  discards: number;
  over: number;
  cut: string | null;
  endless: boolean;
  salts: SaltsView | null;
}

export interface TableView {
  table: string;
  game: string;
  title: string;
  step: number;
  phase: "round" | "salts" | "shuffle" | "wagers";
  enabled: boolean;
  /** Why the floor has frozen the table, if it has. */
  frozen: { reason: string } | null;
  now: string;
  deal_at: string | null;
  decide_by: string | null;
  turn: { player: string; spot: number; hand: number } | null;
  spots: Spot[];
  round: Round | null;
  round_number: number;
  shoe: Shoe;
  /** What the meters of progressive bets show, in cents. */
  meters: Record<string, number>;
  rules_hash: string;
  announcement: Announcement | null;
  waiting: { name: string; you: boolean }[];
  full: boolean;
  told: string[];
  last: Summary | null;
  you: You;
}

export interface SideBet {
  wager: string;
  title: string;
  clause: string;
  stake: "any" | "fixed" | "at_most_primary";
  fixed_cents: number;
  /** The bet beside which alone this one may stand. */
  needs: string | null;
}

/** What stands printed on the table, and what lies in its chip tray. */
export interface Layout {
  min_cents: number;
  max_cents: number;
  side_min_cents: number;
  side_max_cents: number;
  side_bets: SideBet[];
  chips_cents: number[];
  first_chip_cents: number;
  decision_seconds: number;
}

export interface Advice {
  ready: boolean;
  why: string;
  step: number;
  /** What each action is worth on average, the best first. */
  values: { action: string; value_cents: number }[];
}

export interface Account {
  rounds: number;
  judged: number;
  mistakes: number;
  expected_cents: number;
  mistakes_cents: number;
  luck_cents: number;
  net_cents: number;
}
