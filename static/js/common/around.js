/**
 * What only pages around the show need: addresses that they lead to, and cards in words. Pure.
 */

import { encoded, fromRoot, IS_PUBLISHED } from "./addresses.js";
import { printedRank } from "./format.js";

/** @type {Record<string, string>} */
const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
/** @type {Record<string, string>} */
const RANK_NAMES = { J: "jack", Q: "queen", K: "king", A: "ace" };

/** @param {string} card "ace of spades" */
export function cardName(card) {
  return `${RANK_NAMES[card.charAt(0)] ?? printedRank(card)} of ${SUIT_NAMES[card.charAt(1)] ?? ""}`;
}

/** What the address of a page ends with where no server looks for its file. */
const INDEX = IS_PUBLISHED ? "/index.html" : "";

/**
 * @param {string} channel
 * @param {number} hand by its number in the outline
 * @returns {string} the address of the page that shows it
 */
export function momentAddress(channel, hand) {
  return fromRoot(`watch${INDEX}?channel=${encodeURIComponent(channel)}&hand=${hand}`);
}

/**
 * @param {string} recording
 * @param {number} [hand] by its number in the outline
 * @returns {string} the address of the page that shows it again
 */
export function replayAddress(recording, hand) {
  return fromRoot(`replay/${encoded(recording)}${INDEX}${hand === undefined ? "" : `?hand=${hand}&step=0`}`);
}
