// The edge by the size of the wager: a sentence, and where it depends on it a curve and a table.
import { $, h, sheet, svg } from "../dom.js";
import { dollars, inPercent } from "../words.js";
import { ask } from "./asking.js";
import { inputs, page } from "./page.js";
import { Frame, path } from "./plot.js";

/** @typedef {import("../types/lab.js").Sizes} Sizes */
/** @typedef {import("../types/lab.js").SizeLine} SizeLine */

/** @param {number} turn */
export async function showSizes(turn) {
  /** @type {Sizes} */
  const sizes = await ask("/lab/sizes", inputs(), () => turn === page.turn);
  if (turn !== page.turn || sizes.rules_hash !== page.rules.rules_hash) return;
  const side = sizes.side_wagers;
  const parts = [sizes];
  if (side && (side.by_size.length || Object.keys(side.paid_in_full_percent).length)) parts.push(side);
  const boxes = parts.flatMap((part) => [
    h("p", { class: "small" }, part.words),
    ...(part.by_size.length ? [curve(part), sizeTable(part)] : []),
  ]);
  $("#l-sizes").replaceChildren(...boxes);
}

/** @param {Sizes} sizes */
function sizeTable(sizes) {
  const names = sizes.depends_on_size;
  const line = (/** @type {SizeLine} */ { wager_cents: cents, house_edge_percent: edges, why }) => {
    const isThis = cents === sizes.wager_cents;
    const note = [why, isThis ? "as above" : null].filter(Boolean).join(", ");
    const cells = names.map((name) =>
      h("td", { class: "num" }, name in edges ? inPercent(edges[name]) : "none"),
    );
    const size = h("td", { class: "num" }, dollars(cents));
    return h("tr", { class: isThis ? "changed" : "" }, size, cells, h("td", { class: "small soft" }, note));
  };
  const head = [
    h("th", { class: "num" }, "Wager"),
    ...names.map((name) => h("th", { class: "num" }, sizes.titles[name])),
    h("th", {}, h("span", { class: "sr" }, "Note")),
  ];
  return sheet(head, sizes.by_size.map(line));
}

/** @param {Sizes} sizes */
function curve(sizes) {
  const name = sizes.depends_on_size[0];
  const lines = (sizes.curve.length ? sizes.curve : sizes.by_size).filter(
    (line) => name in line.house_edge_percent,
  );
  const edges = lines.map((line) => line.house_edge_percent[name]);
  const [first, last] = [edges[0], edges[edges.length - 1]];
  const [least, most] = [lines[0].wager_cents, lines[lines.length - 1].wager_cents];
  const [low, up] = [Math.min(...edges, 0), Math.max(...edges, 0)];
  const frame = new Frame(220);
  const x = (/** @type {number} */ cents) => frame.x(Math.log(cents / least) / Math.log(most / least));
  const y = (/** @type {number} */ edge) => frame.y((up - edge) / (up - low || 1));
  const range = `from ${dollars(least)} to ${dollars(most)}`;
  const picture = frame.picture(
    `House edge of ${sizes.titles[name]} ${range}: ${inPercent(first, 3)} to ${inPercent(last, 3)}`,
  );
  picture.append(
    svg("path", {
      class: "mean",
      d: path(lines.map((line, index) => [x(line.wager_cents), y(edges[index])])),
    }),
    ...[low, up].map((edge) => frame.beside(y(edge), inPercent(edge, 2))),
    frame.below(x(least), dollars(least), "start"),
    frame.below(x(most), dollars(most), "end"),
  );
  return picture;
}
