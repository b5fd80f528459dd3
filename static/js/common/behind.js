/**
 * How far this visitor's pages are held behind the show: who watches a video of it, which comes later, sets that once.
 * The address says it, or else what this browser remembers.
 */

import { keep, kept } from "./storage.js";

/** In seconds. */
export const MOST_BEHIND = 60;
const KEY = "highnoon:behind";
const NAME = "behind";

/** @returns {number} seconds; what the address says is remembered, and nonsense is 0 */
export function behindAsked() {
  const asked = new URLSearchParams(location.search).get(NAME);
  const wanted = Number(asked ?? kept(KEY));
  const seconds = wanted > 0 ? Math.min(wanted, MOST_BEHIND) : 0;
  if (asked !== null) keep(KEY, String(seconds));
  return seconds;
}

/** Keeps it for all pages in this browser, and in this page's address. @param {number} seconds */
export function keepBehind(seconds) {
  keep(KEY, String(seconds));
  const address = new URL(location.href);
  if (seconds) address.searchParams.set(NAME, String(seconds));
  else address.searchParams.delete(NAME);
  history.replaceState(null, "", address);
}
