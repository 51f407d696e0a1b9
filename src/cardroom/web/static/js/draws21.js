// The last draws of Knockout 21, a block each: narrow or wide, nothing is cut off.
import { counted, dollars, h } from "./lib.js";

/** `links` adds a link to the record of each draw. */
export const lastDraws = (draws, { links = false } = {}) =>
  h(
    "ul",
    { class: "t-draws" },
    draws.map((draw) =>
      h(
        "li",
        {},
        h(
          "p",
          { class: "row spread" },
          h("b", {}, `Draw ${draw.draw}`),
          h("span", { class: "soft" }, counted(draw.tickets, "ticket")),
          links ? h("a", { href: `/api/v1/knockout-21/draws/${draw.draw}/record` }, "record") : null,
        ),
        h(
          "dl",
          {},
          draw.games.map((game) =>
            h(
              "div",
              {},
              h("dt", {}, `Game ${game.game}`),
              h(
                "dd",
                { class: "num" },
                game.winners ? `${game.winners} × ${dollars(game.prize_cents)}` : "none",
              ),
            ),
          ),
        ),
      ),
    ),
  );
