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
  /** Whether a computer player sits there. */
  computer: boolean;
  /** What stands there and would come back at the deal as it is, with the reason; no side is the whole spot. */
  short: { side: string[]; words: string; clause: string }[];
}

/** A wager that is decided; one that still stands on the table has none. */
export interface Outcome {
  spot: number;
  wager: string;
  title: string;
  hand: number;
  /** The line by which it won, or why it was lost or came back. */
  line: string;
  result: "won" | "lost" | "returned";
  stake_cents: number;
  /** What each double added. */
  added_cents: number[];
  net_cents: number;
  words: string;
}

export interface Hand {
  cards: string[];
  total: string;
  /** An ace and a ten-valued card as first cards. */
  natural: boolean;
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
  /** The original wager. */
  stake_cents: number;
  insurance_cents: number;
  side: Record<string, number>;
  outcomes: Outcome[];
  /** What the spot came to; null while a wager of it is in play. */
  net_cents: number | null;
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
  /** Of insurance: any amount in whole chips from this up to what it adds at most, and its clause. */
  least_cents?: number;
  chip_cents?: number;
  clause?: string;
  gives_up_cents: number;
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
  /** How many spots its table has. */
  spots: number;
  /** What the round came to, for the visitor or for everybody in it. */
  sentence: string;
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
  /** When your spots are given up unless you do something; null where a wager of yours stands. */
  idle_at: string | null;
  /** What happens to your spots and wagers without your word: to come, and done. */
  notices: { words: string; clause: string; when: "before" | "after" }[];
  /** What your last round came to; null from your next wager on. */
  result: { round: string; net_cents: number; words: string; wagers: Outcome[] } | null;
}

export interface Shoe {
  number: number;
  commitment: string | null;
  cards_left: number | null;
  last_round: boolean;
  discards: number;
  /** All its cards, and after how many of them the cut card comes; null where there is none. */
  cards: number | null;
  cut_card_at: number | null;
  over: number;
  /** Who cut it and how, in words; empty while it may still be cut. */
  cut: string;
  /** How deep a player may cut now; null where no cut is awaited. */
  cut_open: {
    least_cards: number;
    most_cards: number;
    middle_cards: number;
    cards: number | null;
    clause: string;
  } | null;
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
  floor: import("../calling.js").FloorCall;
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
  private: boolean;
  speed: "slow" | "usual" | "fast";
  waiting: { name: string; you: boolean }[];
  full: boolean;
  told: string[];
  last: Summary | null;
  you: You;
}

export interface SideBet {
  wager: string;
  title: string;
  /** What its circle has, where there is little room. */
  printed: string;
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
  /** What a wager may be, and why only that. */
  limits: { words: string; clause: string };
  side_min_cents: number;
  side_max_cents: number;
  /** The clause by which a side wager has these limits. */
  side_clause: string;
  chip_cents: number;
  /** The id of a hand's own wager. */
  main_wager: string;
  /** Every action that a hand may ever be offered here: each has its button for good. */
  actions: { action: string; title: string; key: string }[];
  side_bets: SideBet[];
  /** The chips of the house, the largest first. */
  denominations_cents: number[];
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
