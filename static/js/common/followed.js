/**
 * The names of the bots that the visitor follows, and the star that marks these bots. Other tabs of the browser show a
 * change at once. If the browser forbids storage, each page remembers the names while it is open.
 */

import { fromRoot, IS_PUBLISHED } from "./addresses.js";
import { button, el, setData, svg } from "./dom.js";
import { readStored, writeStored } from "./storage.js";

const STORAGE_KEY = "highnoon:followed";
/** The maximum number of followed bots. A further bot replaces the oldest entry. */
const MAX_FOLLOWED = 50;
/** The maximum length of a stored name, in characters. No bot has a longer name. */
const MAX_NAME_CHARACTERS = 200;
const STAR =
  "M12 2.500l2.900 6.300 6.900.8-5.100 4.700 1.400 6.800L12 17.700l-6.100 3.400 1.400-6.800L2.200 9.600l6.900-.8z";

export class FollowedBots {
  #names = readNames();
  #onChange;

  /** @param {() => void} onChange called whenever the list changes, here or in another tab */
  constructor(onChange) {
    this.#onChange = onChange;
    addEventListener("storage", ({ key }) => {
      if (key !== null && key !== STORAGE_KEY) return;
      this.#names = readNames();
      onChange();
    });
  }

  /** The bots' names. The bot that was followed last comes last. */
  get names() {
    return [...this.#names];
  }

  /** @param {string} name */
  has(name) {
    return this.#names.includes(name);
  }

  /** Follows a bot, or stops following it. @param {string} name */
  toggle(name) {
    const others = this.#names.filter((each) => each !== name);
    this.#names = this.has(name) ? others : [...others, name].slice(-MAX_FOLLOWED);
    writeStored(STORAGE_KEY, JSON.stringify(this.#names)); // if this fails, only this page remembers the names
    this.#onChange();
  }
}

/** @returns {string[]} the stored names that are valid */
function readNames() {
  const isName = (/** @type {unknown} */ name) =>
    typeof name === "string" && name !== "" && name.length <= MAX_NAME_CHARACTERS;
  try {
    const names = JSON.parse(readStored(STORAGE_KEY));
    return Array.isArray(names) ? names.filter(isName).slice(-MAX_FOLLOWED) : [];
  } catch {
    return [];
  }
}

/** A button that follows a bot, and shows whether it is followed. */
export class FollowButton {
  #followed;
  #name = "";
  root;

  /** @param {FollowedBots} followed */
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
    const isFollowed = this.#followed.has(name);
    if (name !== this.#name) this.root.setAttribute("aria-label", `Follow ${name}`);
    this.root.setAttribute("aria-pressed", String(isFollowed));
    this.#name = name;
    return isFollowed;
  }
}

/** Names separated by commas, with followed bots marked. @type {(names: string[], followed: FollowedBots) => Node[]} */
export function markedNames(names, followed) {
  return names.flatMap((name, index) => {
    const node = el("bdi.", name);
    setData(node, "followed", followed.has(name));
    return index ? [document.createTextNode(", "), node] : [node];
  });
}

/**
 * Points a link at a bot's page.
 *
 * @param {Element} link
 * @param {string} name
 * @param {string} [channel] the channel on which the bot plays, or "" if the bot's page has to find it
 */
export function linkToBot(link, name, channel = "") {
  const parameters = new URLSearchParams(channel ? { channel } : {});
  // Browsers remove "." and ".." from a path, so a bot with such a name goes into the query.
  const isFolder = name === "." || name === "..";
  if (isFolder) parameters.set("bot", name);
  const query = parameters.toString();
  const serverPath = `bots/${isFolder ? "" : encodeURIComponent(name)}${query ? `?${query}` : ""}`;
  const address = fromRoot(IS_PUBLISHED ? `bots/index.html?bot=${encodeURIComponent(name)}` : serverPath);
  if (link.getAttribute("href") !== address) link.setAttribute("href", address);
}
