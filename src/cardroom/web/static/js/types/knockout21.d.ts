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
  /** How often the server says something to whoever follows the draws, at least. */
  beat_seconds: number;
}

export interface Draw {
  draw: number;
  /** The draw day: `2025-06-14`. */
  day: string;
  draw_at: string;
  closes_at: string;
  first_cards: string[];
  tickets: number;
  buyable: boolean;
  /** Until when a ticket that is bought now may be altered, where that is not until the close. */
  advance_say: string | null;
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
  /** What is true at this hour, in words. */
  say: string;
  /** The same on the button, where nothing can be bought. */
  closed_say: string | null;
  hours: [string, string];
  timezone: string;
  tickets_per_draw: number;
  draws: number;
}

/** The draw that comes next, also when its sales have closed. */
export interface NextDraw {
  draw: number;
  draw_at: string;
  tickets: number;
  closed: boolean;
  /** What a lone winner of the best game would win at the tickets sold so far. */
  top_prize_cents: number;
}

/** What every screen is told of the house. */
export interface House {
  now: string;
  next: NextDraw | null;
  sales: Sales;
  on_sale: Draw[];
  last: ShownDraw[];
}

export interface Draws extends House {
  price_cents: number;
}

export interface Hand {
  position: number;
  game: number;
  hand: number;
  cards: string[];
  total: number;
  /** What it counts, in words: `soft 17`. */
  total_say: string;
  /** None for a hand that plays itself. */
  choice: Choice | null;
  advice: Choice | null;
  advice_say: string | null;
  /** The dealer's first card, where it is known before. */
  dealer: string | null;
}

export interface Result {
  position: number;
  hit: string;
  took: boolean;
  total: number;
  total_say: string;
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

/** A ticket in a list. */
export interface TicketLine {
  id: string;
  draw: number;
  draw_at: string;
  standing: string;
  say: string;
  /** What can be done with it now; empty where there is nothing to do. */
  action: string;
  prize_cents: number | null;
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
  index: number;
}
interface OfHand extends OfDraw {
  position: number;
  game: number;
  hand: number;
}

/** What the wall shows, one after the other. */
export type ShowEvent =
  | (OfDraw & { kind: "started"; tickets: number; first_cards: string[]; say: string })
  | (OfHand & { kind: "hit"; card: string; first_card?: string; active: number; prize_cents: number })
  | (OfHand & { kind: "dealer"; card: string; total: number })
  | (OfHand & {
      kind: "hand";
      total: number;
      bust: boolean;
      lucky_losers: boolean;
      staying: number;
      prize_cents: number;
      say: string;
    })
  | (OfDraw & { kind: "game"; game: number; winners: number; prize_cents: number; say: string })
  | (OfDraw & { kind: "settled"; say: string });
