// The lab: house rules as controls; edge, chart, distribution, sensitivity, simulation, published figures.
import { $, $$, api, h, refused, svg, toast } from "./lib.js";

const root = $("#lab");
const game = root.dataset.game;
const levers = JSON.parse(root.dataset.levers);
let rules = JSON.parse(root.dataset.state);
let figures = null;
let pinned = null;
let turn = 0;
let source = null;
let wager = $("#l-wager").value.trim();
const asked = (changes = options) => ({ game, options: changes, wager: wager || null });
const dollars = (cents) => `$${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
const house = Object.fromEntries(
  rules.controls.map((one) => [one.key, rules.differences[one.key]?.house ?? one.value]),
);
let options = Object.fromEntries(Object.entries(rules.differences).map(([key, one]) => [key, one.here]));
const family = ["blackjack", "spanish-21", "players-edge-21"].includes(game);
const GROUPS = {
  "": "The game",
  split: "Splitting",
  double: "Doubling",
  insurance: "Insurance",
  bonus_21: "Bonus 21s",
  super_bonus: "Super Bonus",
  limits: "Limits",
  procedure: "Procedure",
  pays: "Pays",
  sales: "Sales",
  draws: "Draws",
  prizes: "Prizes",
  claims: "Claims",
};
const title = (text) => {
  const words = text.replaceAll(/[-_]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};
const percent = (value, digits = 3) => `${value < 0 ? "−" : ""}${Math.abs(value).toFixed(digits)} %`;

// Controls.
function label(one) {
  const name = title(one.key.split(".").at(-1));
  return one.kind === "switch" ? title(one.words.split("; ")[0] || name) : name;
}
function controls() {
  const groups = new Map();
  for (const one of rules.controls) {
    if (!groups.has(one.group)) groups.set(one.group, []);
    groups.get(one.group).push(one);
  }
  const opened = new Set($$("#l-controls details[open]").map((box) => box.dataset.group));
  $("#l-controls").replaceChildren(
    ...[...groups].map(([group, own], index) =>
      h(
        "details",
        {
          "data-group": group,
          open: opened.has(group) || (index === 0 && !opened.size) || own.some((one) => one.key in options),
        },
        h("summary", {}, GROUPS[group] ?? title(group.replaceAll(".", ": "))),
        own.map(control),
      ),
    ),
  );
}
function control(one) {
  const id = `o-${one.key}`;
  let input;
  if (one.kind === "switch") input = h("input", { type: "checkbox", id, checked: one.value });
  else if (one.kind === "choice") {
    input = h(
      "select",
      { id },
      one.choices.map((choice) =>
        h("option", { value: JSON.stringify(choice), selected: choice === one.value }, title(String(choice))),
      ),
    );
  } else {
    input = h("input", {
      id,
      type: one.kind === "number" ? "number" : "text",
      value: one.value,
      min: one.least,
      max: one.most,
      step: one.kind === "number" ? "any" : null,
    });
  }
  input.addEventListener("change", () => {
    const value =
      one.kind === "switch"
        ? input.checked
        : one.kind === "choice"
          ? JSON.parse(input.value)
          : one.kind === "number"
            ? Number(input.value)
            : input.value.trim();
    change(one.key, value);
  });
  return h(
    "div",
    { class: `l-control ${one.key in options ? "changed" : ""}`, title: one.words },
    h("label", { for: id }, label(one)),
    input,
    h("span", { class: "clause" }, one.clause ?? ""),
  );
}
async function change(key, value) {
  const wanted = { ...options };
  if (value === house[key]) delete wanted[key];
  else wanted[key] = value;
  await use(wanted);
}
async function use(wanted) {
  try {
    rules = await api("POST", "/lab/rules", { game, options: wanted });
    $("#l-error").hidden = true;
    options = Object.fromEntries(Object.entries(rules.differences).map(([name, one]) => [name, one.here]));
    history.replaceState(null, "", `/lab?${query()}`);
    controls();
    await solve();
  } catch (error) {
    controls();
    $("#l-error").textContent = `Not changed: ${error.message}`;
    $("#l-error").hidden = false;
  } // the controls show the rules that hold
}
const settings = () => [
  ...(wager ? [["wager", wager]] : []),
  ...Object.entries(options).map(([key, value]) => [
    "set",
    `${key}=${typeof value === "string" ? JSON.stringify(value) : value}`,
  ]),
];
const query = () => new URLSearchParams([["game", game], ...settings()]).toString();

// Figures. Edge and chart come first; the rest takes seconds, so a bar fills by the time that it took last.
let ticking = null;
function working() {
  const began = performance.now();
  const name = `l-usual-${game}`;
  const usual = Number(localStorage.getItem(name) ?? 6000);
  const box = $("#l-progress");
  const tick = () => {
    const passed = performance.now() - began;
    $("#l-seconds").textContent = `${Math.round(passed / 1000)} s`;
    $("i", box).style.width = `${Math.min(97, (90 * passed) / usual)}%`;
    box.hidden = passed < 300;
  };
  clearInterval(ticking);
  ticking = setInterval(tick, 100);
  tick();
  root.classList.add("l-working");
  return () => {
    clearInterval(ticking);
    box.hidden = true;
    root.classList.remove("l-working");
    localStorage.setItem(name, String(performance.now() - began));
  };
}
/** Nothing of other rules stays in view while these are computed, or when they cannot be. */
function blank() {
  source?.close();
  figures = null;
  $("#l-run").disabled = false;
  $("#l-edge").textContent = "…";
  $("#l-edge-words").textContent = "";
  $(".l-edge").classList.add("l-busy");
  for (const id of ["#l-wagers", "#l-distribution", "#l-chart", "#l-sizes", "#l-sensitivity", "#l-sim"]) {
    $(id).replaceChildren();
  }
}
/** An answer of a house that has other rules by now: the page is made anew by its address. */
function belongs(answer) {
  if (answer.rules_hash !== rules.rules_hash) location.reload();
  return answer;
}
async function solve() {
  const own = ++turn;
  const began = performance.now();
  blank();
  try {
    if (family) {
      const quick = belongs(await api("POST", "/lab/edge", asked()));
      if (own !== turn) return;
      $("#l-edge").textContent = percent(quick.house_edge_percent, 4);
      $(".l-edge").classList.remove("l-busy");
      $("#l-edge-words").textContent =
        `on the primary wager, exact for the best play of each composition; ${((performance.now() - began) / 1000).toFixed(1)} s`;
      chart(own);
    }
    const done = working();
    const answer = belongs(await api("POST", "/lab/figures", asked()));
    if (own !== turn) return;
    done();
    figures = answer;
    wagers();
    distribution();
    if (!family) {
      const main = await api("POST", "/lab/edge", asked());
      if (own !== turn) return;
      $("#l-edge").textContent = percent(main.house_edge_percent, 4);
      $("#l-edge-words").textContent =
        game === "knockout-21"
          ? "of a ticket in a draw with 1,000 tickets, exact"
          : `on ${title(main.wager)}, exact`;
    }
    $(".l-edge").classList.remove("l-busy");
    await sizes(own);
    sensitivity(own);
  } catch (error) {
    if (own !== turn) return;
    clearInterval(ticking);
    root.classList.remove("l-working");
    turn += 1;
    blank();
    $("#l-progress").hidden = true;
    $(".l-edge").classList.remove("l-busy");
    $("#l-edge").textContent = "—";
    $("#l-edge-words").replaceChildren(
      `not computed: ${error.message}. `,
      h(
        "button",
        { class: "btn small", type: "button", id: "l-again", click: () => use(options) },
        "Try again",
      ),
    );
  }
  const changed = Object.entries(rules.differences).map(
    ([key, one]) => `${key} = ${one.here} (house: ${one.house})`,
  );
  $("#l-diff").textContent = changed.length
    ? `Changed: ${changed.join("; ")}`
    : "These are the house's own rules.";
  $("#l-par").replaceChildren(
    ...["pdf", "html", "json"].map((form) =>
      h(
        "a",
        { class: "btn small", href: `/api/v1/lab/par/${game}.${form}?${new URLSearchParams(settings())}` },
        form.toUpperCase(),
      ),
    ),
  );
}
function wagers() {
  const beside = pinned ? Object.fromEntries(pinned.wagers.map((wager) => [wager.wager, wager])) : null;
  $("#l-wagers").replaceChildren(
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", {}, "Wager"),
          h("th", { class: "num" }, "House edge"),
          beside ? h("th", { class: "num" }, "Compared with") : null,
          beside ? h("th", { class: "num" }, "Difference") : null,
          h("th", { class: "num" }, "Wins"),
          h("th", { class: "num wide" }, "Std. dev."),
          h("th", { class: "wide" }, "Method"),
        ),
      ),
      h(
        "tbody",
        {},
        figures.wagers.map((wager) => {
          const other = beside?.[wager.wager];
          const both = other && other.house_edge_percent !== null && wager.house_edge_percent !== null;
          return h(
            "tr",
            {},
            h("td", {}, title(wager.wager)),
            h(
              "td",
              { class: "num" },
              wager.house_edge_percent === null ? "" : percent(wager.house_edge_percent, 4),
            ),
            beside ? h("td", { class: "num" }, both ? percent(other.house_edge_percent, 4) : "") : null,
            beside
              ? h(
                  "td",
                  { class: "num" },
                  both
                    ? `${wager.house_edge_percent > other.house_edge_percent ? "+" : ""}${percent(wager.house_edge_percent - other.house_edge_percent, 4)}`
                    : "",
                )
              : null,
            h(
              "td",
              { class: "num" },
              wager.hit_frequency ? `1 in ${(1 / wager.hit_frequency).toFixed(2)}` : "",
            ),
            h(
              "td",
              { class: "num wide" },
              wager.standard_deviation === null ? "" : wager.standard_deviation.toFixed(3),
            ),
            h("td", { class: "wide" }, wager.method),
          );
        }),
      ),
    ),
    pinned
      ? h(
          "p",
          { class: "small soft" },
          `Compared with: ${pinned.words}. `,
          h(
            "button",
            {
              class: "btn small quiet",
              type: "button",
              click: () => {
                pinned = null;
                wagers();
              },
            },
            "Stop comparing",
          ),
        )
      : "",
  );
}
function distribution() {
  const wager = figures.wagers[0];
  const lines = wager.outcomes
    .map((one) => ({
      name: `${one.outcome} ${one.pays}`,
      chance: one.probability.decimal,
      fraction: one.probability.fraction,
    }))
    .filter((one) => one.chance > 1e-7)
    .slice(0, 24);
  const most = Math.max(...lines.map((one) => one.chance));
  $("#l-distribution").replaceChildren(
    h(
      "p",
      { class: "small soft" },
      `${title(wager.wager)}: results for each unit staked, with their exact chances.`,
    ),
    h(
      "div",
      { class: "l-bars" },
      lines.map((one) =>
        bar(
          one.name,
          one.chance / most,
          `${(100 * one.chance).toFixed(one.chance < 0.001 ? 5 : 3)} %`,
          one.fraction,
        ),
      ),
    ),
  );
}
function bar(name, share, text, hint = null, { from = 0, kind = "" } = {}) {
  const fill = h("i", { class: kind });
  fill.style.left = `${100 * from}%`;
  fill.style.width = `${Math.max(0.3, 100 * share)}%`;
  return h(
    "div",
    { class: "l-bar", title: hint },
    h("span", {}, name),
    h("span", { class: "track" }, fill),
    h("span", { class: "num" }, text),
  );
}

// The edge by the size of the wager: a sentence, and where it depends on it a curve and a table.
async function sizes(own) {
  const found = await api("POST", "/lab/sizes", asked());
  if (own !== turn) return;
  const parts = [found, found.side_wagers].filter(
    (one) => one && (one === found || one.by_size.length || Object.keys(one.paid_in_full_percent).length),
  );
  $("#l-sizes").replaceChildren(
    ...parts.flatMap((one) => [
      h("p", { class: "small" }, one.words),
      one.by_size.length ? curve(one) : "",
      one.by_size.length ? sizeTable(one) : "",
    ]),
  );
}
function sizeTable(found) {
  const names = found.depends_on_size;
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { class: "num" }, "Wager"),
        names.map((name) => h("th", { class: "num" }, title(name))),
        h("th", {}, h("span", { class: "sr" }, "Note")),
      ),
    ),
    h(
      "tbody",
      {},
      found.by_size.map((line) =>
        h(
          "tr",
          { class: line.wager_cents === found.wager_cents ? "changed" : "" },
          h("td", { class: "num" }, dollars(line.wager_cents)),
          names.map((name) =>
            h(
              "td",
              { class: "num" },
              name in line.house_edge_percent ? percent(line.house_edge_percent[name], 4) : "none",
            ),
          ),
          h(
            "td",
            { class: "small soft" },
            [line.why, line.wager_cents === found.wager_cents ? "as above" : null].filter(Boolean).join(", "),
          ),
        ),
      ),
    ),
  );
}
function curve(found) {
  const name = found.depends_on_size[0];
  const points = (found.curve.length ? found.curve : found.by_size)
    .filter((one) => name in one.house_edge_percent)
    .map((one) => [one.wager_cents, one.house_edge_percent[name]]);
  const wide = 720;
  const high = 220;
  const left = 64;
  const top = 12;
  const right = 12;
  const bottom = 30;
  const least = points[0][0];
  const most = points.at(-1)[0];
  const edges = points.map((one) => one[1]);
  const low = Math.min(...edges, 0);
  const up = Math.max(...edges, 0);
  const x = (cents) => left + ((wide - left - right) * Math.log(cents / least)) / Math.log(most / least);
  const y = (edge) => top + ((high - top - bottom) * (up - edge)) / (up - low || 1);
  const picture = svg(
    "svg",
    {
      class: "l-plot",
      viewBox: `0 0 ${wide} ${high}`,
      role: "img",
      "aria-label": `House edge of ${title(name)} from ${dollars(least)} to ${dollars(most)}: ${percent(edges[0])} to ${percent(edges.at(-1))}`,
    },
    svg("line", { class: "axis", x1: left, x2: wide - right, y1: high - bottom, y2: high - bottom }),
    svg("line", { class: "axis", x1: left, x2: left, y1: top, y2: high - bottom }),
    svg("path", {
      class: "mean",
      d: points.map(([cents, edge], index) => `${index ? "L" : "M"}${x(cents)} ${y(edge)}`).join(""),
    }),
  );
  for (const edge of [low, up]) {
    const words = svg("text", { x: left - 6, y: y(edge) + 4, "text-anchor": "end" });
    words.textContent = percent(edge, 2);
    picture.append(words);
  }
  for (const [cents, anchor] of [
    [least, "start"],
    [most, "end"],
  ]) {
    const words = svg("text", { x: x(cents), y: high - 10, "text-anchor": anchor });
    words.textContent = dollars(cents);
    picture.append(words);
  }
  return picture;
}
$("#l-size").addEventListener("submit", (event) => {
  event.preventDefault();
  wager = $("#l-wager").value.trim();
  history.replaceState(null, "", `/lab?${query()}`);
  solve();
});
$("#l-size").hidden = game === "knockout-21";
async function chart(own) {
  $("#l-chart-box").hidden = false;
  try {
    const drawn = await api("POST", "/lab/chart", asked());
    if (own !== turn) return;
    $("#l-chart").replaceChildren(
      h(
        "div",
        { class: "l-chart" },
        drawn.grids.map((grid) =>
          h(
            "div",
            { class: "scroll" },
            h(
              "table",
              {},
              h("caption", {}, grid.title),
              h(
                "thead",
                {},
                h(
                  "tr",
                  {},
                  h("th", {}, h("span", { class: "sr" }, "Hand")),
                  drawn.up_cards.map((up) => h("th", { scope: "col" }, up)),
                ),
              ),
              h(
                "tbody",
                {},
                grid.rows.map((row) =>
                  h(
                    "tr",
                    {},
                    h("th", { scope: "row" }, row.hand),
                    row.cells.map((cell, index) =>
                      h(
                        "td",
                        { class: cell === "·" ? "l-same" : `l-${cell[0]}` },
                        `${cell}${row.close[index] && cell !== "·" ? "*" : ""}`,
                      ),
                    ),
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
      h(
        "p",
        { class: "l-legend" },
        Object.entries(drawn.legend).map(([letter, words]) =>
          h("span", {}, h("i", { class: `l-${letter}` }, letter), words),
        ),
        h("span", { class: "soft" }, `A cell holds choices by preference. * almost a tie.`),
      ),
    );
  } catch (error) {
    refused(error);
  }
}

// What each rule is worth, after everything else, for as long as the rules stay as they are.
async function sensitivity(own) {
  const box = $("#l-sensitivity");
  const found = [];
  try {
    const now = Object.fromEntries(rules.controls.map((one) => [one.key, one.value]));
    const main = await api("POST", "/lab/edge", asked());
    const base = main.house_edge_percent;
    const tries = levers.flatMap(([key, values]) =>
      values.filter((value) => value !== now[key]).map((value) => [key, value]),
    );
    for (const [index, [key, value]] of tries.entries()) {
      if (own !== turn) return;
      try {
        const edge = (await api("POST", "/lab/edge", asked({ ...options, [key]: value }))).house_edge_percent;
        found.push({ name: `${title(key.split(".").at(-1))} = ${value}`, points: edge - base });
      } catch {
        continue;
      }
      if (own !== turn) return;
      const most = Math.max(...found.map((one) => Math.abs(one.points)), 1e-6);
      box.replaceChildren(
        h(
          "p",
          { class: "small soft" },
          `${family || game === "knockout-21" ? "" : `On ${title(main.wager)}: `}${index + 1} of ${tries.length}`,
        ),
        h(
          "div",
          { class: "l-bars" },
          [...found]
            .sort((a, b) => a.points - b.points)
            .map((one) =>
              bar(
                one.name,
                Math.abs(one.points) / most / 2,
                `${one.points >= 0 ? "+" : "−"}${Math.abs(one.points).toFixed(4)}`,
                null,
                {
                  from: one.points < 0 ? 0.5 - Math.abs(one.points) / most / 2 : 0.5,
                  kind: one.points < 0 ? "good" : "bad",
                },
              ),
            ),
        ),
      );
    }
  } catch (error) {
    if (own === turn) refused(error);
  }
}

// Simulation.
$("#l-sim-box").hidden = game === "knockout-21";
$("#l-run").addEventListener("click", () => {
  source?.close();
  const points = [];
  const exact = figures ? -figures.wagers[0].house_edge_percent / 100 : null;
  $("#l-run").disabled = true;
  source = new EventSource(`/api/v1/lab/simulation?${query()}&rounds=${$("#l-rounds").value}&seed=1`);
  source.onmessage = (message) => {
    points.push(JSON.parse(message.data));
    plot(points, exact);
  };
  source.addEventListener("done", () => {
    source.close();
    $("#l-run").disabled = false;
  });
  source.onerror = () => {
    source.close();
    $("#l-run").disabled = false;
    toast("The simulation was broken off.");
  };
});
function plot(points, exact) {
  const wide = 720;
  const high = 260;
  const left = 64;
  const top = 12;
  const right = 12;
  const bottom = 30;
  const last = points.at(-1);
  const reach = Math.max(
    ...points
      .slice(Math.min(4, points.length - 1))
      .map((one) => Math.abs(one.mean - (exact ?? last.mean)) + 2 * one.standard_error),
    1e-4,
  );
  const middle = exact ?? last.mean;
  const x = (rounds) => left + ((wide - left - right) * Math.sqrt(rounds)) / Math.sqrt(last.of);
  const y = (value) =>
    top + (high - top - bottom) * (0.5 - Math.max(-1, Math.min(1, (value - middle) / reach)) / 2);
  const line = points.map((one, index) => `${index ? "L" : "M"}${x(one.rounds)} ${y(one.mean)}`).join("");
  const band = `${points.map((one, index) => `${index ? "L" : "M"}${x(one.rounds)} ${y(one.mean + 1.96 * one.standard_error)}`).join("")}${[
    ...points,
  ]
    .reverse()
    .map((one) => `L${x(one.rounds)} ${y(one.mean - 1.96 * one.standard_error)}`)
    .join("")}Z`;
  const picture = svg(
    "svg",
    {
      class: "l-plot",
      viewBox: `0 0 ${wide} ${high}`,
      role: "img",
      "aria-label": `Mean after ${last.rounds} rounds: ${(100 * last.mean).toFixed(3)} percent, plus or minus ${(196 * last.standard_error).toFixed(3)}`,
    },
    svg("path", { class: "band", d: band }),
    svg("line", { class: "axis", x1: left, x2: wide - right, y1: high - bottom, y2: high - bottom }),
    svg("line", { class: "axis", x1: left, x2: left, y1: top, y2: high - bottom }),
  );
  for (const value of [middle - reach, middle, middle + reach]) {
    const words = svg("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" });
    words.textContent = `${(100 * value).toFixed(2)} %`;
    picture.append(words);
  }
  for (const share of [0.25, 1]) {
    const words = svg("text", {
      x: x(last.of * share),
      y: high - 10,
      "text-anchor": share === 1 ? "end" : "middle",
    });
    words.textContent = `${(last.of * share).toLocaleString("en-US")} rounds`;
    picture.append(words);
  }
  if (exact !== null) {
    picture.append(svg("line", { class: "exact", x1: left, x2: wide - right, y1: y(exact), y2: y(exact) }));
  }
  picture.append(svg("path", { class: "mean", d: line }));
  $("#l-sim").replaceChildren(
    picture,
    h(
      "p",
      { class: "small num" },
      `${last.rounds.toLocaleString("en-US")} rounds: ${(100 * last.mean).toFixed(4)} % ± ${(196 * last.standard_error).toFixed(4)} (95 %), seeds from ${last.seed}${exact !== null ? `; exact ${(100 * exact).toFixed(4)} % (dashed)` : ""}.`,
    ),
  );
}

// Published figures, comparison, sharing.
$("#l-audit").addEventListener("click", async () => {
  $("#l-audit").disabled = true;
  try {
    const { figures: lines } = await api("GET", `/lab/published/${game}`);
    $("#l-published").replaceChildren(
      lines.length
        ? h(
            "table",
            {},
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                ["Quantity", "Published", "Ours", "", "Source"].map((name) => h("th", {}, name)),
              ),
            ),
            h(
              "tbody",
              {},
              lines.map((line) =>
                h(
                  "tr",
                  {},
                  h(
                    "td",
                    {},
                    line.quantity,
                    Object.keys(line.rules).length
                      ? h(
                          "span",
                          { class: "small soft" },
                          ` (${Object.entries(line.rules)
                            .map(([key, value]) => `${key} = ${value}`)
                            .join(", ")})`,
                        )
                      : "",
                  ),
                  h(
                    "td",
                    { class: "num" },
                    line.published.length > 24 ? `${line.published.slice(0, 20)}…` : line.published,
                  ),
                  h("td", { class: "num" }, line.ours.length > 24 ? `${line.ours.slice(0, 20)}…` : line.ours),
                  h(
                    "td",
                    {},
                    { agrees: "✓ agrees", explained: "≈ explained", disagrees: "✕ disagrees" }[line.verdict],
                  ),
                  h(
                    "td",
                    { class: "small soft" },
                    line.explanation.length > 40 ? `${line.source}. ${line.explanation}` : line.source,
                  ),
                ),
              ),
            ),
          )
        : h("p", { class: "soft" }, "No figure of this game is published."),
    );
  } catch (error) {
    refused(error);
  } finally {
    $("#l-audit").disabled = false;
  }
});
$("#l-pin").addEventListener("click", () => {
  if (!figures) return;
  pinned = {
    wagers: figures.wagers,
    words: Object.keys(rules.differences).length
      ? Object.entries(rules.differences)
          .map(([key, one]) => `${key} = ${one.here}`)
          .join(", ")
      : "the house's own rules",
  };
  wagers();
  toast("Now change a rule: both stand side by side.");
});
$("#l-share").addEventListener("click", async () => {
  await navigator.clipboard.writeText(`${location.origin}/lab?${query()}`);
  toast("The link is copied.");
});
$("#l-reset").addEventListener("click", () => use({}));
controls();
solve();
