// Operations: close and open, the log and its check, draws verified, people.
import { $, $$, api, h, refused, toast } from "./lib.js";

const then = (request, words) =>
  request
    .then(() => {
      toast(words);
      setTimeout(() => location.reload(), 800);
    })
    .catch(refused);
$("#o-logout").addEventListener("click", () =>
  api("POST", "/operations/logout")
    .then(() => location.reload())
    .catch(refused),
);
$("#o-switch")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const off = event.submitter.dataset.off === "yes";
  if (off && $("#o-what").value === "all" && !confirm("Close the whole house, every game and every table?")) {
    return;
  }
  then(
    api("POST", "/operations/switches", { what: $("#o-what").value, off, reason: $("#o-reason").value }),
    off ? "Closed." : "Open again.",
  );
});
$("#o-rules")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const changes = $("#o-rules-changes").value.split(/\s+/).filter(Boolean);
  then(
    api("PUT", `/operations/tables/${$("#o-rules-table").value}/rules`, {
      changes,
      reason: $("#o-rules-reason").value,
    }),
    changes.length ? "Announced." : "Taken back.",
  );
});
for (const button of $$("[data-verify]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const { draw, findings } = await api("GET", `/operations/draws/${button.dataset.verify}/verification`);
      $("#o-verdict").textContent = findings.length
        ? `Draw ${draw}: ${findings.join("; ")}`
        : `✓ Draw ${draw} follows from its record: commitment, pool, cards, winners and prizes.`;
    } catch (error) {
      refused(error);
    } finally {
      button.disabled = false;
    }
  });
}
// Two people: the second one confirms with their own password.
const override = $("#o-override");
const ways = { open: ["hold", "void"], closed: ["hold", "void"], sealed: ["hold", "draw", "void"] };
for (const button of $$("[data-override]")) {
  button.addEventListener("click", () => {
    const allowed = button.dataset.held === "yes" ? ["release", "void"] : ways[button.dataset.status];
    $("#o-override-draw").textContent = button.dataset.override;
    $("#o-override-error").hidden = true;
    for (const option of $("#o-override-what").options) {
      option.hidden = !allowed.includes(option.value);
      option.disabled = option.hidden;
    }
    $("#o-override-what").value = allowed[0];
    override.showModal();
  });
}
$("#o-override-close")?.addEventListener("click", () => override.close());
override?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const second = { name: $("#o-second-name").value, password: $("#o-second-password").value };
  try {
    await api("POST", `/operations/draws/${$("#o-override-draw").textContent}/override`, {
      what: $("#o-override-what").value,
      reason: $("#o-override-reason").value,
      second,
    });
    location.reload();
  } catch (error) {
    $("#o-override-error").textContent = error.message;
    $("#o-override-error").hidden = false;
  } finally {
    $("#o-second-password").value = "";
  }
});
if ($("#o-few")) {
  api("GET", "/operations/few-tickets")
    .then(({ draws, sentences }) => {
      const percent = (share) => `${(100 * share).toFixed(2)} %`;
      const money = (dollars) =>
        `${dollars < 0 ? "−" : ""}$${Math.abs(dollars).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
      const cells = (tag, texts) => texts.map((text) => h(tag, { class: "num" }, text));
      const lines = draws.map((draw) =>
        h(
          "tr",
          {},
          ...cells("td", [
            draw.tickets.toLocaleString("en-US"),
            percent(draw.return_to_player),
            money(draw.house_expected),
            percent(draw.loses_chance),
          ]),
        ),
      );
      const head = h("tr", {}, ...cells("th", ["Tickets", "Return", "House keeps", "House loses"]));
      $("#o-few [role=status]").replaceWith(
        ...sentences.map((sentence) => h("p", { class: "small" }, sentence)),
        h("div", { class: "scroll" }, h("table", {}, h("thead", {}, head), h("tbody", {}, ...lines))),
      );
    })
    .catch((error) => {
      $("#o-few [role=status]").textContent = error.message;
    });
}
let earliest = null;
let search = "";
async function records({ more = false } = {}) {
  const query = new URLSearchParams({ search, ...(more && earliest ? { before: earliest } : {}) });
  try {
    const { records: found } = await api("GET", `/operations/log?${query}`);
    const lines = found.map((record) =>
      h(
        "tr",
        {},
        h("td", { class: "num" }, String(record.seq)),
        h("td", { class: "num" }, record.at.slice(0, 19).replace("T", " ")),
        h("td", {}, record.kind),
        h("td", { class: "mono" }, JSON.stringify(record.content).slice(0, 400)),
      ),
    );
    if (more) $("#o-records").append(...lines);
    else $("#o-records").replaceChildren(...lines);
    earliest = found.at(-1)?.seq ?? earliest;
    $("#o-more").hidden = found.length < 50;
  } catch (error) {
    refused(error);
  }
}
if ($("#o-find")) {
  $("#o-find").addEventListener("submit", (event) => {
    event.preventDefault();
    search = $("#o-search").value;
    records();
  });
  $("#o-more").addEventListener("click", () => records({ more: true }));
  $("#o-check").addEventListener("click", async () => {
    $("#o-check").disabled = true;
    try {
      const { head, faults } = await api("POST", "/operations/log/check");
      $("#o-checked").textContent = faults.length
        ? `✕ ${faults.join("; ")}`
        : `✓ The log follows from its first record to ${head.split(":")[0]}, and the books agree.`;
    } catch (error) {
      refused(error);
    } finally {
      $("#o-check").disabled = false;
    }
  });
  records();
}
$("#o-appoint")?.addEventListener("submit", (event) => {
  event.preventDefault();
  then(
    api("PUT", "/operations/operators", {
      name: $("#o-new-name").value,
      role: $("#o-new-role").value,
      password: $("#o-new-password").value,
    }),
    "Appointed.",
  );
});
$("#o-password").addEventListener("submit", (event) => {
  event.preventDefault();
  then(
    api("PUT", "/operations/password", { old: $("#o-old").value, new: $("#o-new").value }),
    "Changed; log in again.",
  );
});
