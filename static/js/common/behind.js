/**
 * How far this visitor's pages stay behind the show, for viewers of a delayed video of it. The delay comes from the
 * address, and is then kept in this browser's storage.
 */

import { keep, kept } from "./storage.js";

/** In seconds. */
export const MAX_BEHIND = 60;
const KEY = "highnoon:behind";
const NAME = "behind";

/** @returns {number} seconds, 0 for anything invalid; a value in the address is stored */
export function behindAsked() {
  const asked = new URLSearchParams(location.search).get(NAME);
  const wanted = Number(asked ?? kept(KEY));
  const seconds = wanted > 0 ? Math.min(wanted, MAX_BEHIND) : 0;
  if (asked !== null) keep(KEY, String(seconds));
  return seconds;
}

/** Stores the delay for all pages of this browser and puts it into the address. @param {number} seconds */
export function keepBehind(seconds) {
  keep(KEY, String(seconds));
  const address = new URL(location.href);
  if (seconds) address.searchParams.set(NAME, String(seconds));
  else address.searchParams.delete(NAME);
  history.replaceState(null, "", address);
}
