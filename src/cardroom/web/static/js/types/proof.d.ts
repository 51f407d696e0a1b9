/** The record of a finished shoe or game, with its secret revealed. */
export interface Proof {
  game: string;
  rules_hash: string;
  shoe_id: string;
  deck: string;
  salt: string;
  secret: string;
  commitment: string;
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
