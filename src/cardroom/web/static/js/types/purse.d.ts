/** What the head of every page shows of the visitor. */
export interface Purse {
  chips_cents: number;
  session_minutes: number;
  session_net_cents: number;
  in_play_cents: number;
  reality_check: boolean;
}
