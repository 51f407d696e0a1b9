// Elements of the page: found, and made.

/**
 * The first element that a selector finds. Which kind of element stands there is the template's business,
 * so it has no type of its own; the tests of the pages hold both together.
 * @param {string} selector
 * @param {ParentNode} root
 * @returns {any}
 */
export const $ = (selector, root = document) => root.querySelector(selector);

/**
 * All elements that a selector finds.
 * @param {string} selector
 * @param {ParentNode} root
 * @returns {any[]}
 */
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** @typedef {Node | string | null | undefined | false} Child null, undefined and false are left out */
/** @typedef {Child | Child[] | Child[][]} Children */
/** @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Attribute */

/**
 * An element with attributes and children; functions become listeners, null children are left out.
 * @param {string} tag
 * @param {Record<string, Attribute>} attributes
 * @param {Children[]} children
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...shown(children).flatMap((child) => withClauses(child, tag)));
  return element;
}

const NO_LINKS_IN = ["a", "button", "option", "summary", "textarea"];

/**
 * A text with a link on every clause code in it, as the server does it with its pages.
 * @param {Node | string} child
 * @param {string} tag of the element that it goes into
 * @returns {(Node | string)[]}
 */
function withClauses(child, tag) {
  const codes = document.body.dataset.clauses;
  if (typeof child !== "string" || !codes || NO_LINKS_IN.includes(tag)) return [child];
  return child.split(new RegExp(`(${codes})`)).map((part, place) => {
    if (place % 2 === 0) return part;
    const link = document.createElement("a");
    link.className = "law";
    link.href = `/clauses/${part}`;
    link.append(part);
    return link;
  });
}

/**
 * An element of a picture.
 * @param {string} tag
 * @param {Record<string, string | number | null>} attributes
 * @param {Children[]} children
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null) element.setAttribute(name, String(value));
  }
  element.append(...shown(children));
  return /** @type {SVGElement} */ (element);
}

/**
 * @param {Children[]} children
 * @returns {(Node | string)[]}
 */
function shown(children) {
  const flat = /** @type {Child[]} */ (children.flat(2));
  return /** @type {(Node | string)[]} */ (
    flat.filter((child) => child !== null && child !== undefined && child !== false)
  );
}

/**
 * A table with a head; cells are texts, or elements `td` of their own.
 * @param {Children} head
 * @param {Children} lines
 */
export const sheet = (head, lines) =>
  h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, lines));

/**
 * What a template has put into an attribute for the page's modules.
 * @param {HTMLElement} element
 * @param {string} name
 */
export const dataOf = (element, name) => JSON.parse(element.dataset[name] ?? "null");

/**
 * What this browser keeps for itself until the window is closed.
 * @param {string} name
 */
export const kept = (name) => JSON.parse(sessionStorage.getItem(name) ?? "null");

/**
 * @param {string} name
 * @param {unknown} value
 */
export const keep = (name, value) => sessionStorage.setItem(name, JSON.stringify(value));
