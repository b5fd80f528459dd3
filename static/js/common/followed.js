/**
 * The bots that whoever uses this browser follows, by name, and the star that says so. Other tabs of the browser
 * follow at once; where the browser keeps nothing, a page remembers for as long as it is open.
 */

import { fromRoot, IS_PUBLISHED } from "./addresses.js";
import { button, el, mark, svg } from "./dom.js";
import { keep, kept } from "./storage.js";

const KEY = "highnoon:followed";
/** The one followed first is forgotten first. */
const MOST = 50;
/** Characters; no bot's name is longer. */
const LONGEST = 200;
const STAR =
  "M12 2.500l2.900 6.300 6.900.8-5.100 4.700 1.400 6.800L12 17.700l-6.100 3.400 1.400-6.800L2.200 9.600l6.900-.8z";

/** The followed bots. */
export class Followed {
  #names = keptNames();
  #changed;

  /** @param {() => void} changed called when there are others, whoever has changed them */
  constructor(changed) {
    this.#changed = changed;
    addEventListener("storage", ({ key }) => {
      if (key !== null && key !== KEY) return;
      this.#names = keptNames();
      changed();
    });
  }

  /** Their names, the one followed last at the end. */
  get names() {
    return [...this.#names];
  }

  /** @param {string} name */
  has(name) {
    return this.#names.includes(name);
  }

  /** @param {string} name of a bot that is followed from now on, or no more */
  toggle(name) {
    const others = this.#names.filter((each) => each !== name);
    this.#names = this.has(name) ? others : [...others, name].slice(-MOST);
    keep(KEY, JSON.stringify(this.#names)); // where that is forbidden, or there is no room, this page alone remembers
    this.#changed();
  }
}

/** @returns {string[]} what the browser has kept, without what is no name */
function keptNames() {
  const isName = (/** @type {unknown} */ name) => typeof name === "string" && name !== "" && name.length <= LONGEST;
  try {
    const names = JSON.parse(kept(KEY));
    return Array.isArray(names) ? names.filter(isName).slice(-MOST) : [];
  } catch {
    return [];
  }
}

/** A button that follows one bot, and shows whether it is followed. */
export class Star {
  #followed;
  #name = "";
  root;

  /** @param {Followed} followed */
  constructor(followed) {
    this.#followed = followed;
    const shape = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: STAR }));
    this.root = button("star", () => followed.toggle(this.#name), shape);
  }

  /**
   * @param {string} name
   * @returns {boolean} whether this bot is followed
   */
  update(name) {
    const on = this.#followed.has(name);
    if (name !== this.#name) this.root.setAttribute("aria-label", `Follow ${name}`);
    this.root.setAttribute("aria-pressed", String(on));
    this.#name = name;
    return on;
  }
}

/** Names in a row, followed bots with a mark. @type {(names: string[], followed: Followed) => Node[]} */
export function markedNames(names, followed) {
  return names.flatMap((name, at) => {
    const node = el("bdi.", name);
    mark(node, "followed", followed.has(name));
    return at ? [document.createTextNode(", "), node] : [node];
  });
}

/**
 * Lets a link lead to a bot's page.
 *
 * @param {Element} link
 * @param {string} name
 * @param {string} [channel] where it plays; "": the page finds it; a published page is one for all bots
 */
export function linkToBot(link, name, channel = "") {
  const asked = new URLSearchParams(channel ? { channel } : {});
  // Browsers take "." and ".." for folders wherever they stand in a path.
  const isFolder = name === "." || name === "..";
  if (isFolder) asked.set("bot", name);
  const query = asked.toString();
  const own = `bots/${isFolder ? "" : encodeURIComponent(name)}${query ? `?${query}` : ""}`;
  const address = fromRoot(IS_PUBLISHED ? `bots/index.html?bot=${encodeURIComponent(name)}` : own);
  if (link.getAttribute("href") !== address) link.setAttribute("href", address);
}
