/** The record of a finished shoe or game, with its secret revealed. */
export interface Proof {
  game: string;
  rules_hash: string;
  shoe_id: string;
  deck: string;
  salt: string;
  secret: string;
  commitment: string;
  /** The cut alone, where the players' browsers add salts. */
  cut?: string;
  /** Hashes in the order in which they came; a salt that was not revealed in time is empty. */
  salts?: { hash: string; salt: string }[];
}

/** A salt that this browser made, and the hashes that it was shown before it revealed it. */
export interface OwnSalt {
  salt: string;
  hash: string;
  shown: string[] | null;
}

/** The players' salts of a shoe or game as they stand. */
export interface SaltsView {
  stage: "open" | "asked" | "closed";
  hashes: string[];
  revealed: boolean[];
  /** The hash that this visitor gave. */
  yours: string | null;
  reveal_by: string | null;
}

/** The record of a shoe as the tables give it. */
export interface ShoeProof extends Proof {
  cards: string;
  rounds: string[];
}

export interface Finding {
  what: string;
  good: boolean;
}
