// Decisions, and advice before them.
import { orTell, toast } from "../notices.js";
import { api, newKey } from "../server.js";
import { capitalized } from "../words.js";
import { meant } from "./asking.js";
import { judge } from "./coach.js";
import { insureAction } from "./insurance.js";
import { page, receive, redraw, table } from "./page.js";

/**
 * Play the hand whose turn it is.
 * @param {import("../types/table.js").Option} option
 */
export async function act(option) {
  const { step, turn } = page.state;
  if (page.acting || !turn) return;
  page.acting = true;
  await orTell(async () => {
    if (!(await meant(option))) return;
    const action = option.action.startsWith("insure ") ? insureAction() : option.action;
    const decision = { spot: turn.spot, action, step };
    const answer = await api("POST", `/tables/${table}/actions`, decision, { key: newKey() });
    page.advice = null;
    judge(turn, answer.coach);
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
