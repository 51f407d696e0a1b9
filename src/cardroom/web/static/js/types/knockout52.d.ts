/** What the server sends of Knockout 52. Cards are texts such as `Ah`; moments are ISO texts. */
import type { Proof, SaltsView } from "./proof.js";
import type { Purse } from "./purse.js";

/** Stakes in cents, by wager. */
export type Stakes = Record<string, number>;

export interface WagerView {
  wager: string;
  title: string;
  pays: string;
  chance: { fraction: string; decimal: number };
  percent: string;
}

export interface Player {
  name: string;
  you: boolean;
  stakes: Stakes;
  ready: boolean;
  net_cents: number;
}

/** A finished game in a line. */
export interface Summary {
  id: string;
  number: number;
  ended_at: string;
  outcome: string;
  title: string;
  /** How it ended, as a sentence. */
  outcome_words: string;
  cards: number;
  your_stake_cents: number | null;
  your_net_cents: number | null;
  /** What it came to for the visitor, in words; empty for whoever was not in it. */
  your_words: string;
  /** What came of each of the visitor's wagers, in cents. */
  your_wagers: Stakes;
  results: { name: string; you: boolean; stakes: Stakes; net_cents: number }[];
}

export interface Event {
  kind: "card" | "marker" | "stake" | "collected" | "paid" | "ended";
  text: string;
}

/** A finished game in full. */
export interface FinishedGame extends Summary {
  card_texts: string[];
  steps: { cards: number; events: Event[]; wagers: WagerView[] }[];
  proof: Proof;
}

export interface TableView {
  table: string;
  game: number;
  phase: "open" | "salts" | "dealing";
  enabled: boolean;
  /** Why the floor has frozen the table, if it has. */
  frozen: { reason: string } | null;
  floor: import("../calling.js").FloorCall;
  now: string;
  deal_at: string | null;
  commitment: string;
  salts: SaltsView;
  cards: string[];
  /** The game that the cards on the layout belong to. */
  cards_of_game: number;
  marker: string;
  outcome: string | null;
  /** How the game ended, as a sentence; empty while it goes on. */
  outcome_words: string;
  wagers: WagerView[];
  players: Player[];
  last: Summary | null;
  you: Purse & { name: string; stakes: Stakes; ready: boolean; alone: boolean };
}

/** What stands printed on the layout, and what lies in the chip tray. */
export interface Layout {
  rows: { wager: string; ranks: string[] }[];
  /** The wager that has no row: it wins when no row has a match. */
  all_the_way: string;
  /** The chips of the house, the largest first. */
  denominations_cents: number[];
  chips_cents: number[];
  first_chip_cents: number;
}

/** A seal that this browser was shown before its game was dealt. */
export interface Seal {
  game: number;
  seal: string;
}
