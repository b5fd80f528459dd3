/**
 * Loads what a film is made of; what has been altered on the way is not shown.
 *
 * @import { FilmHand, Segment } from "./film.js"
 * @import { Index } from "./studio-source.js"
 */

import { answerFrom } from "../../common/answer.js";

const AGAIN_MS = 500;
/** How often a request is made again that the browser gave up: it gives up all when the machine's network changes. */
const MAX_AGAIN = 3;
const NO_ANSWER = "The server does not answer.";
const GZIP = [0x1f, 0x8b];

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
  return timed(found.body);
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

/** JSON, or an Error with a sentence. @type {(address: string, cache?: RequestCache) => Promise<any>} */
export async function fetched(address, cache = "default") {
  return bodyOf(await answered(address, { cache }));
}

/** Null where nobody answers. @type {(address: string, how?: RequestInit) => Promise<Response | null>} */
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

/** The entries of a stored segment at their moments of the show. @type {(segment: any) => Segment} */
export function timed({ entries, at_ms, ...rest }) {
  const moved = ({ offset_ms = 0, ...entry }) => ({ ...entry, at_ms: at_ms + offset_ms });
  return { ...rest, entries: entries.map(moved) };
}

/**
 * JSON that a host gives as it lies there: gzipped, whether or not it says so.
 *
 * @param {Response} answer
 * @returns {Promise<{ body: any, sum: string }>} the JSON, and the SHA-256 of its text; "" where the browser keeps
 *   that function for https
 */
export async function unpacked(answer) {
  let bytes = await answer.arrayBuffer();
  const [first, second] = new Uint8Array(bytes);
  if (first === GZIP[0] && second === GZIP[1]) {
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    bytes = await new Response(plain).arrayBuffer();
  }
  const body = JSON.parse(new TextDecoder().decode(bytes));
  if (!globalThis.crypto?.subtle) return { body, sum: "" };
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return { body, sum: [...sum].map((byte) => byte.toString(16).padStart(2, "0")).join("") };
}

/**
 * The hands that an index leaves out, as they change no more, are in files of their own, which a browser keeps.
 *
 * @param {Pick<Index, "epoch" | "blocks">} index
 * @returns {string[]} the names of the files, below the channel's address
 */
export function blockNames({ epoch, blocks = 0 }) {
  return Array.from({ length: blocks }, (_, number) => `${epoch}/${number}.hands`);
}

/**
 * @template {Index} Told
 * @param {Told} index
 * @param {{ hands: FilmHand[] }[]} blocks what is in those files
 * @returns {Told} the index with their hands
 */
export function joined(index, blocks) {
  if (!blocks.length) return index;
  const hands = [...blocks.flatMap((block) => block.hands), ...index.outline.hands];
  return { ...index, since: 0, outline: { ...index.outline, hands } };
}
