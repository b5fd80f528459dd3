/**
 * Loads what a film is made of; what has been altered on the way is not shown.
 *
 * @import { Segment } from "./film.js"
 */

import { answerFrom } from "../../common/answer.js";
import { unpacked } from "./packed.js";

const AGAIN_MS = 500;
/** How often a request is made again that the browser gave up: it gives up all when the machine's network changes. */
const MAX_AGAIN = 3;
const NO_ANSWER = "The server does not answer.";

/** Something that can be had no more: to ask again would not help. */
export class Lost extends Error {}

/**
 * @param {string} address
 * @param {number} hand its number
 * @param {string} [sum] the SHA-256 that it must have, where it is known
 * @returns {Promise<Segment>} its entries with their moments in the show
 */
export async function segmentAt(address, hand, sum = "") {
  const answer = await answered(address);
  if (!answer) throw new Error(NO_ANSWER);
  if (answer.status === 404) throw new Lost(`${named(hand)} is missing here.`);
  if (!answer.ok) throw new Error(`${named(hand)} could not be had.`);
  const found = await unpacked(answer).catch(() => null);
  const fits = found && (!sum || !found.sum || found.sum === sum);
  if (!fits) throw new Lost(`${named(hand)} was altered here, so it is not shown.`);
  const { entries, at_ms, ...rest } = found.body;
  const moved = ({ offset_ms = 0, ...entry }) => ({ ...entry, at_ms: at_ms + offset_ms });
  return { ...rest, entries: entries.map(moved) };
}

/**
 * @param {string} address of JSON that is made first where it is not there yet
 * @param {(words: string) => void} tell is called with how far that is
 * @returns {Promise<any>} an Error with a sentence where there can be none
 */
export async function fetchedOnceMade(address, tell) {
  for (;;) {
    const answer = await answered(`${address}?soon`);
    if (answer?.status !== 202) return bodyOf(answer);
    tell((await unpacked(answer).catch(() => null))?.body.error ?? NO_ANSWER);
    await new Promise((done) => setTimeout(done, AGAIN_MS));
  }
}

/**
 * @param {string} address of JSON
 * @param {RequestCache} [cache]
 * @returns {Promise<any>} an Error with a sentence where there is none
 */
export async function fetched(address, cache = "default") {
  return bodyOf(await answered(address, { cache }));
}

/**
 * @param {string} address
 * @param {RequestInit} [how]
 * @returns {Promise<Response | null>} null where nobody answers
 */
async function answered(address, how) {
  for (let again = 0; ; again++) {
    try {
      return await answerFrom(address, how);
    } catch (error) {
      if (!(error instanceof TypeError) || again === MAX_AGAIN) return null; // one that took too long is no TypeError
    }
  }
}

/** @param {Response | null} answer */
async function bodyOf(answer) {
  if (!answer) throw new Error(NO_ANSWER);
  const found = await unpacked(answer).catch(() => null);
  if (!answer.ok || !found) throw new Error(found?.body.error ?? "This film could not be had.");
  return found.body;
}

/** @param {number} hand */
function named(hand) {
  return hand ? `Hand ${hand}` : "What comes before the first hand";
}
