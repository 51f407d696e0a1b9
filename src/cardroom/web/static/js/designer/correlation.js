// How a bet goes together with the main wager: figured when it is asked for, since the game is solved for it.
import { $ } from "../dom.js";
import { ask } from "../lab/asking.js";
import { orTell } from "../notices.js";
import { signed } from "../words.js";

/** @param {() => {game: string, text: string}} asItStands */
export function offerCorrelation(asItStands) {
  const shown = $("#d-correlation");
  $("#d-together").addEventListener("click", () =>
    orTell(async () => {
      const wanted = asItStands();
      shown.textContent = "Solving the game …";
      let words = "";
      try {
        const answer = await ask("/lab/bet/correlation", wanted);
        words = answer.note ?? `Correlation ${signed(answer.correlation, 4)} (${answer.method})`;
      } finally {
        shown.textContent = asItStands().text === wanted.text ? words : "";
      }
    }),
  );
}
