// The lottery over the years: rules from a day on, prizes that expired too early, rows made anew, time zones.
import { $, h } from "./dom.js";
import { orTell } from "./notices.js";
import { optionsForm } from "./operations/options.js";
import { api } from "./server.js";
import { counted } from "./words.js";

/** @type {Record<string, import("./types/lab.js").OptionValue>} */
let changes = {};

/**
 * The reason and the second person that a form holds.
 * @param {any} form
 */
function signed(form) {
  const { reason, second, password, code } = form.elements;
  if (!second) return {};
  const person = { name: second.value, password: password.value };
  return {
    reason: reason.value,
    second: code.value.trim() ? { ...person, code: code.value.trim() } : person,
  };
}

/**
 * Send what a form asks for; a refusal is said in the form, where it was asked.
 * @param {string} id
 * @param {() => Promise<any>} send
 * @param {(answer: any) => void} done
 */
function act(id, send, done) {
  const form = $(id);
  form?.addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    const refusal = $(".alert", form);
    refusal.hidden = true;
    try {
      done(await send());
    } catch (error) {
      refusal.textContent = /** @type {Error} */ (error).message;
      refusal.hidden = false;
    } finally {
      if (form.elements.password) form.elements.password.value = "";
    }
  });
}

/**
 * What was done, in place of the form that asked for it.
 * @param {string} id
 * @param {string} words
 */
const said = (id, words) => $(id).replaceWith(h("p", { class: "note", role: "status" }, words));

act(
  "#c-rules",
  () =>
    api("PUT", "/operations/lottery/rules", {
      ...signed($("#c-rules")),
      from_day: $("#c-from").value,
      options: changes,
    }),
  () => location.reload(),
);
act(
  "#c-expiry",
  () => api("POST", `/operations/lottery/draws/${$("#c-draw").value}/correct-expiry`, signed($("#c-expiry"))),
  ({ draw, prizes }) =>
    said("#c-expiry", `${counted(prizes, "prize")} of draw ${draw} can be claimed again.`),
);
act(
  "#c-rebuild",
  () => api("POST", "/operations/lottery/rebuild", signed($("#c-rebuild"))),
  ({ faults }) => {
    said("#c-rebuild", `Made anew from the log: ${counted(faults.length, "fault")} put right.`);
    $("#c-faults").replaceChildren(.../** @type {string[]} */ (faults).map((fault) => h("li", {}, fault)));
    $("#c-faults").hidden = false;
  },
);
act(
  "#c-zones",
  () => api("POST", "/operations/lottery/zones", {}),
  () => location.reload(),
);

if ($("#c-options")) {
  orTell(async () => {
    const { controls } = await api("GET", "/operations/lottery");
    const button = $("#c-rules button");
    changes = optionsForm($("#c-options"), controls, (count) => {
      button.textContent = count ? `Set the rules: ${counted(count, "change")}` : "Set the rules";
      button.disabled = !count;
    });
  });
}
