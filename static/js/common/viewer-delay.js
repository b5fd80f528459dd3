/**
 * The delay of this visitor's pages, for visitors who watch a delayed video of the show. The delay comes from the
 * address. The browser then stores it.
 */

import { readStored, writeStored } from "./storage.js";

/** The maximum delay, in seconds. */
export const MAX_DELAY_SECONDS = 60;
const STORAGE_KEY = "highnoon:behind";
const PARAMETER = "behind";

/** @returns {number} seconds, 0 for anything invalid; a value in the address is stored */
export function requestedDelay() {
  const parameter = new URLSearchParams(location.search).get(PARAMETER);
  const wanted = Number(parameter ?? readStored(STORAGE_KEY));
  const seconds = wanted > 0 ? Math.min(wanted, MAX_DELAY_SECONDS) : 0;
  if (parameter !== null) writeStored(STORAGE_KEY, String(seconds));
  return seconds;
}

/** Stores the delay for all pages of this browser and puts it into the address. @param {number} seconds */
export function storeDelay(seconds) {
  writeStored(STORAGE_KEY, String(seconds));
  const address = new URL(location.href);
  if (seconds) address.searchParams.set(PARAMETER, String(seconds));
  else address.searchParams.delete(PARAMETER);
  history.replaceState(null, "", address);
}
