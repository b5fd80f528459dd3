/**
 * How far this visitor's pages are held behind the show: who watches a video of it, which comes later, sets that once.
 * The address says it, or else what this browser remembers.
 */

/** In seconds. */
export const MOST_BEHIND = 60;
const KEY = "highnoon:behind";
const NAME = "behind";

/** @returns {number} seconds; what the address says is remembered */
export function behindAsked() {
  const asked = new URLSearchParams(location.search).get(NAME);
  const seconds = secondsOf(asked ?? remembered());
  if (asked !== null) remember(seconds);
  return seconds;
}

/**
 * Keeps it for all pages in this browser, and in this page's address.
 *
 * @param {number} seconds
 */
export function keepBehind(seconds) {
  remember(seconds);
  const address = new URL(location.href);
  if (seconds) address.searchParams.set(NAME, String(seconds));
  else address.searchParams.delete(NAME);
  history.replaceState(null, "", address);
}

/** @param {string} text nonsense is 0 */
function secondsOf(text) {
  const seconds = Number(text);
  return seconds > 0 ? Math.min(seconds, MOST_BEHIND) : 0;
}

function remembered() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return ""; // this browser forbids it: then only the address counts
  }
}

/** @param {number} seconds */
function remember(seconds) {
  try {
    localStorage.setItem(KEY, String(seconds));
  } catch {
    return;
  }
}
