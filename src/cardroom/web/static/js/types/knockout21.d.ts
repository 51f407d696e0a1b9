/** What the server sends of Knockout 21. Cards are texts such as `Ah`; moments are ISO texts. */
export type Choice = "H" | "S";

/** Choices by the position of their hand. */
export type Choices = Record<number, Choice>;

export interface Layout {
  games: { game: number; hands: number }[];
  /** The game in which the dealer's first cards are shown before the draw. */
  first_cards_game: number;
  /** A hand that counts more is bust. */
  best_total: number;
}

export interface Draw {
  draw: number;
  day: number;
  draw_at: string;
  closes_at: string;
  first_cards: string[];
  tickets: number;
  buyable: boolean;
}

export interface ShownDraw {
  draw: number;
  tickets: number;
  games: { game: number; winners: number; prize_cents: number }[];
}

export interface Sales {
  open: boolean;
  opens_at: string | null;
  switched_off: boolean;
  hours: [string, string];
  timezone: string;
  tickets_per_draw: number;
  draws: number;
}

export interface Draws {
  now: string;
  price_cents: number;
  sales: Sales;
  on_sale: Draw[];
  last: ShownDraw[];
}

export interface Hand {
  position: number;
  game: number;
  hand: number;
  cards: string[];
  total: number;
  /** None for a hand that plays itself. */
  choice: Choice | null;
  advice: Choice | null;
  /** The dealer's first card, where it is known before. */
  dealer: string | null;
}

export interface Result {
  hit: string;
  took: boolean;
  total: number;
  dealer_total: number;
  in_before: boolean;
  won: boolean;
  lucky: boolean;
}

export interface Ticket {
  id: string;
  draw: number;
  closes_at: string;
  state: string;
  hands: Hand[];
}

export interface Purchase {
  purchase: number;
  tickets: Ticket[];
}

/** A ticket that is printed, and what is known of its draw. */
export interface PrintedTicket extends Ticket {
  control_number: string;
  code: string;
  over: boolean;
  called_off: boolean;
  stopped: boolean;
  approval: "asked" | "approved" | "declined" | null;
  alterable: boolean;
  alterable_until: string | null;
  results: Result[] | null;
  prize: { cents: number; games: string; outcome: string } | null;
}

export interface Answer {
  verdict: string;
  prize_cents: number;
}

interface OfDraw {
  draw: number;
}
interface OfHand extends OfDraw {
  game: number;
  hand: number;
}

/** What the wall shows, one after the other. */
export type ShowEvent =
  | (OfDraw & { kind: "started"; tickets: number })
  | (OfHand & { kind: "hit"; card: string; first_card?: string })
  | (OfHand & { kind: "dealer"; card: string; total: number })
  | (OfHand & { kind: "hand"; total: number; bust: boolean; lucky_losers: boolean; staying: number })
  | (OfDraw & { kind: "game"; game: number; winners: number; prize_cents: number })
  | (OfDraw & { kind: "settled" });
