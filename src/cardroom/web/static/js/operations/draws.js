// Draws of Knockout 21: verified, overridden by two people, and what those with few tickets bring.
import { $, $$, h, sheet } from "../dom.js";
import { orTell } from "../notices.js";
import { api } from "../server.js";
import { dollars, percent, signed } from "../words.js";

for (const button of $$("[data-verify]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    await orTell(async () => {
      /** @type {{draw: number, findings: string[]}} */
      const verification = await api("GET", `/operations/draws/${button.dataset.verify}/verification`);
      const { draw, findings } = verification;
      $("#o-verdict").textContent = findings.length
        ? `Draw ${draw}: ${findings.join("; ")}`
        : `✓ Draw ${draw} follows from its record: commitment, pool, cards, winners and prizes.`;
    });
    button.disabled = false;
  });
}

// Two people: the second one confirms with their own password.
const dialog = $("#o-override");
const what = $("#o-override-what");
for (const button of $$("[data-override]")) {
  button.addEventListener("click", () => {
    const ways = button.dataset.ways.split(" ");
    $("#o-override-draw").textContent = button.dataset.override;
    $("#o-override-error").hidden = true;
    for (const option of what.options) {
      option.hidden = !ways.includes(option.value);
      option.disabled = option.hidden;
    }
    what.value = ways[0];
    dialog.showModal();
  });
}
$("#o-override-close")?.addEventListener("click", () => dialog.close());
dialog?.addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  const code = $("#o-second-code").value.trim();
  const person = { name: $("#o-second-name").value, password: $("#o-second-password").value };
  const second = code ? { ...person, code } : person;
  const wanted = { what: what.value, reason: $("#o-override-reason").value, second };
  try {
    await api("POST", `/operations/draws/${$("#o-override-draw").textContent}/override`, wanted);
    location.reload();
  } catch (error) {
    $("#o-override-error").textContent = /** @type {Error} */ (error).message;
    $("#o-override-error").hidden = false;
  } finally {
    $("#o-second-password").value = "";
  }
});

/**
 * @typedef {{sentence: string, house_loses: boolean, return_to_player: number, prizes_cents: number,
 *   high_prizes_cents: number, most_prizes_cents: number, house_cents: number, loses_chance: number}} Expected
 */

/** @param {Expected} one */
const warning = (one) =>
  h(
    "p",
    { class: one.house_loses ? "alert" : "small", role: one.house_loses ? "alert" : null },
    one.sentence,
  );

/** What draws on sale are expected to bring at the tickets sold so far. */
async function showExpected() {
  const box = $("#o-expecting");
  try {
    /** @type {{draws: {draw: number, expected: Expected}[]}} */
    const { draws } = await api("GET", "/operations/expected");
    const lines = draws.map(({ draw, expected }) =>
      h("div", {}, h("a", { href: `/operations/draws/${draw}` }, `Draw ${draw}`), warning(expected)),
    );
    box.replaceChildren(...lines);
  } catch (error) {
    box.textContent = /** @type {Error} */ (error).message;
  }
}
if ($("#o-expecting")) showExpected();

/** The same of one draw, with its figures. */
async function showExpectedOfDraw() {
  const box = $("#o-expected [role=status]");
  try {
    /** @type {{expected: Expected | null}} */
    const { expected } = await api("GET", `/operations/draws/${$("#o-expected").dataset.draw}`);
    if (!expected) {
      box.textContent = "It is not worked out for so many tickets.";
      return;
    }
    const lines = [
      ["Return to the player", percent(expected.return_to_player, 2)],
      ["Prizes, on average", dollars(expected.prizes_cents)],
      ["At most, in 99 of 100 such draws", dollars(expected.high_prizes_cents)],
      ["At most", dollars(expected.most_prizes_cents)],
      ["The house keeps, on average", dollars(expected.house_cents)],
      ["The house loses on", `${percent(expected.loses_chance, 2)} of such draws`],
    ];
    const rows = lines.map(([name, text]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, text)));
    box.replaceWith(warning(expected), h("table", { class: "o-lines" }, h("tbody", {}, rows)));
  } catch (error) {
    box.textContent = /** @type {Error} */ (error).message;
  }
}
if ($("#o-expected")) showExpectedOfDraw();

/** @typedef {{tickets: number, return_to_player: number, house_expected: number, loses_chance: number}} FewTickets */

/**
 * @param {string} tag
 * @param {string[]} texts
 */
const cells = (tag, texts) => texts.map((text) => h(tag, { class: "num" }, text));

/** @param {FewTickets} draw */
const fewLine = (draw) => {
  const returned = percent(draw.return_to_player, 2);
  const texts = [returned, dollars(100 * draw.house_expected), percent(draw.loses_chance, 2)];
  return h("tr", {}, cells("td", [signed(draw.tickets, 0), ...texts]));
};

async function showFewTickets() {
  const box = $("#o-few [role=status]");
  try {
    /** @type {{draws: FewTickets[], sentences: string[]}} */
    const { draws, sentences } = await api("GET", "/operations/few-tickets");
    const head = cells("th", ["Tickets", "Return", "House keeps", "House loses"]);
    box.replaceWith(
      ...sentences.map((sentence) => h("p", { class: "small" }, sentence)),
      h("div", { class: "scroll" }, sheet(head, draws.map(fewLine))),
    );
  } catch (error) {
    box.textContent = /** @type {Error} */ (error).message;
  }
}
if ($("#o-few")) showFewTickets();
