/**
 * Announces news of followed bots in a line of the page, as soon as the picture shows the news. If the visitor has
 * turned notices on, a hidden page also shows a browser notification.
 *
 * @import { Entry, State } from "../common/types.js"
 * @import { FollowedBots } from "../common/followed.js"
 */

import { setText } from "../common/dom.js";
import { ordinal } from "../common/format.js";
import { readStored, writeStored } from "../common/storage.js";

/** The minimum time between two announcements about the same bot. */
const QUIET_MS = 60_000;
const SHOWN_MS = 8000;
const STORAGE_KEY = "highnoon:tell";

export class FollowedNews {
  #followed;
  #host;
  #timer = 0;
  /** When each bot was last announced, by the bot's name. @type {Map<string, number>} */
  #newsAt = new Map();

  /**
   * @param {FollowedBots} followed
   * @param {HTMLElement} host an empty line that screen readers announce
   */
  constructor(followed, host) {
    this.#followed = followed;
    this.#host = host;
  }

  /**
   * Announces what an entry (an event) means for followed bots. `state` is the picture after the entry. Call this for
   * entries that are played, not for skipped entries. The browser shows a notice only if the page is at the newest
   * moment of the show (`isNow`).
   *
   * @type {(entry: Entry, state: State, isNow: boolean) => void}
   */
  announce(entry, state, isNow) {
    const news = state.replay ? null : newsOf(entry, state);
    const isDue = (/** @type {string} */ name) =>
      this.#followed.has(name) && performance.now() - (this.#newsAt.get(name) ?? Number.NEGATIVE_INFINITY) >= QUIET_MS;
    const names = (news?.bots ?? []).map((bot) => state.bots[bot]?.name ?? "").filter(isDue);
    if (!news || !names.length) return;
    for (const name of names) this.#newsAt.set(name, performance.now());
    // A right-to-left name must not reverse the words beside it.
    const words = `${names.map((name) => `\u2068${name}\u2069`).join(" and ")} ${names.length > 1 ? news.many : news.one}`;
    setText(this.#host, words);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => setText(this.#host, ""), SHOWN_MS);
    if (isNow && document.hidden && areNoticesOn()) notify(words, names[0] ?? "");
  }
}

/** @type {(entry: Entry, after: State) => { bots: number[], one: string, many: string } | null} */
function newsOf(entry, { seats, bots }) {
  switch (entry.type) {
    case "game_started":
      return { bots: entry.seats, one: "comes to the table", many: "come to the table" };
    case "action_taken":
    case "blind_posted":
      return entry.all_in ? { bots: [seats[entry.seat]?.bot ?? 0], one: "is all in", many: "" } : null;
    case "bot_eliminated": {
      const place = bots[entry.bot]?.place ?? 0;
      return { bots: [entry.bot], one: place ? `is out: ${ordinal(place)}` : "is out", many: "" };
    }
    default:
      return null;
  }
}

/** Whether the visitor has turned notices on, and the browser allows them. */
export function areNoticesOn() {
  return readStored(STORAGE_KEY) === "yes" && "Notification" in window && Notification.permission === "granted";
}

/**
 * Turns notices on or off, and returns a message for the visitor. The browser may ask the visitor for permission.
 *
 * @param {boolean} on
 */
export async function switchNotices(on) {
  if (!on) return writeStored(STORAGE_KEY, "no") ? "News appears on this page only." : "";
  if (!isSecureContext) return "Notices need an address that begins with https. This page still shows the news.";
  if (!("Notification" in window)) return "This browser has no notices. This page still shows the news.";
  if ((await Notification.requestPermission()) !== "granted") {
    return "The browser blocks notices from this site; its settings can allow them. This page still shows the news.";
  }
  if (!writeStored(STORAGE_KEY, "yes"))
    return "This browser stores nothing, so it forgets this choice. This page still shows the news.";
  if (notify("You get notices while a page of the show is open.", "")) return "You get notices while a page is open.";
  writeStored(STORAGE_KEY, "no");
  return "This browser cannot show notices. This page still shows the news.";
}

/** Shows a notice. Returns false if the browser cannot show it. @type {(words: string, tag: string) => boolean} */
function notify(words, tag) {
  try {
    return Boolean(new Notification("High Noon", { body: words, tag }));
  } catch {
    return false;
  }
}
