// Decisions, and advice before them.
import { orTell, toast } from "../notices.js";
import { api, newKey } from "../server.js";
import { capitalized } from "../words.js";
import { judge } from "./coach.js";
import { page, receive, redraw, table } from "./page.js";

/**
 * Play the hand whose turn it is.
 * @param {import("../types/table.js").Option} option
 */
export async function act(option) {
  const { step, turn, round } = page.state;
  if (page.acting || !turn) return;
  page.acting = true;
  const hands = round?.spots.find((one) => one.number === turn.spot)?.hands.length ?? 1;
  const place = `Spot ${turn.spot}${hands > 1 ? `, hand ${turn.hand}` : ""}`;
  await orTell(async () => {
    const decision = { spot: turn.spot, action: option.action, step };
    const answer = await api("POST", `/tables/${table}/actions`, decision, { key: newKey() });
    page.advice = null;
    judge(place, answer.coach);
    receive(answer);
  });
  page.acting = false;
  redraw();
}

/** What each action is worth. */
export const advise = () =>
  orTell(async () => {
    page.advice = await api("GET", `/tables/${table}/advice`);
    if (page.advice && !page.advice.ready) toast(capitalized(page.advice.why));
    redraw();
  });

/** Leave the table, its waiting list, or a spot that is offered. */
export const leave = () => orTell(async () => receive(await api("POST", `/tables/${table}/leave`)));

/** Wait for a spot. */
export const wait = () => orTell(async () => receive(await api("POST", `/tables/${table}/waiting`)));
