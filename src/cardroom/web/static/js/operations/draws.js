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
