/**
 * Loads what a film is made of. Hosts may send gzip as such or not at all, with any type; what has been altered on the
 * way is not shown.
 *
 * @import { Segment } from "./film.js"
 */

/** Something that can be had no more: to ask again would not help. */
export class Lost extends Error {}

/**
 * @param {string} address
 * @param {number} hand its number
 * @param {string} [sum] the SHA-256 that it must have, where it is known
 * @returns {Promise<Segment>} its entries with their moments in the show
 */
export async function segmentAt(address, hand, sum = "") {
  const answer = await fetch(address).catch(() => null);
  if (!answer) throw new Error(NO_ANSWER);
  if (answer.status === 404) throw new Lost(`${named(hand)} is missing here.`);
  if (!answer.ok) throw new Error(`${named(hand)} could not be had.`);
  const text = await textOf(answer).catch(() => null);
  if (!text || !(await fits(text, sum))) throw new Lost(`${named(hand)} was altered here, so it is not shown.`);
  const { entries, at_ms, ...rest } = JSON.parse(new TextDecoder().decode(text));
  const moved = ({ offset_ms = 0, ...entry }) => ({ ...entry, at_ms: at_ms + offset_ms });
  return { ...rest, entries: entries.map(moved) };
}

/**
 * @param {string} address of JSON
 * @param {RequestCache} [cache]
 * @returns {Promise<any>} an Error with a sentence where there is none
 */
export async function fetched(address, cache = "default") {
  const answer = await fetch(address, { cache }).catch(() => null);
  if (!answer) throw new Error(NO_ANSWER);
  const body = await textOf(answer)
    .then((text) => JSON.parse(new TextDecoder().decode(text)))
    .catch(() => null);
  if (!answer.ok || !body) throw new Error(body?.error ?? "This film could not be had.");
  return body;
}

const NO_ANSWER = "The server does not answer.";

/** @param {number} hand */
function named(hand) {
  return hand ? `Hand ${hand}` : "What comes before the first hand";
}

/**
 * @param {Response} answer
 * @returns {Promise<ArrayBuffer>} unpacked, where that was left to the page
 */
async function textOf(answer) {
  const bytes = await answer.arrayBuffer();
  const [first, second] = new Uint8Array(bytes);
  if (first !== 0x1f || second !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/**
 * @param {ArrayBuffer} text
 * @param {string} sum
 * @returns {Promise<boolean>} true where browsers cannot tell: they do so for https and for the machine itself
 */
async function fits(text, sum) {
  if (!sum || !globalThis.crypto?.subtle) return true;
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("") === sum;
}
