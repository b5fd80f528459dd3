/**
 * Loads the files of a film (a show that can be replayed), and rejects files that were altered on the way.
 *
 * @import { FilmHand, Segment } from "./film.js"
 * @import { ChannelIndex } from "./studio-source.js"
 */

import { fetchWithTimeout } from "../../common/answer.js";

const RETRY_MS = 500;
/** The maximum number of retries. They help if the browser drops a request, for example when the network changes. */
const MAX_RETRIES = 3;
const NO_ANSWER = "The server is not responding.";
const GZIP = [0x1f, 0x8b];

/** The error for a file that is gone for good: another request would not help. */
export class FileGoneError extends Error {}

/**
 * @param {string} address
 * @param {number} hand
 * @param {string} [checksum] the expected SHA-256, if it is known
 * @returns {Promise<Segment>} the hand's entries, with their times in the show
 */
export async function fetchSegment(address, hand, checksum = "") {
  const answer = await fetchWithRetries(address);
  if (!answer) throw new Error(NO_ANSWER);
  if (answer.status === 404) throw new FileGoneError(`${handLabel(hand)} is missing here.`);
  if (!answer.ok) throw new Error(`${handLabel(hand)} is not available.`);
  const found = await parseAnswer(answer).catch(() => null);
  const isValid = found && (!checksum || !found.sum || found.sum === checksum);
  if (!isValid) throw new FileGoneError(`${handLabel(hand)} was altered here, so it is not shown.`);
  return withTimes(found.body);
}

/**
 * Fetches JSON. If the server has to make the JSON first, waits.
 *
 * @param {string} address
 * @param {(words: string) => void} report called with the progress
 * @returns {Promise<any>} rejected with a message if the JSON is not available
 */
export async function fetchWhenMade(address, report) {
  for (;;) {
    const answer = await fetchWithRetries(`${address}?soon`);
    if (answer?.status !== 202) return parseBody(answer);
    report((await parseAnswer(answer).catch(() => null))?.body.error ?? NO_ANSWER);
    await new Promise((done) => setTimeout(done, RETRY_MS));
  }
}

/**
 * Fetches JSON. Rejects with a message if the JSON is not available.
 *
 * @type {(address: string, cache?: RequestCache) => Promise<any>}
 */
export async function fetchJson(address, cache = "default") {
  return parseBody(await fetchWithRetries(address, { cache }));
}

/**
 * Sends a request, and repeats it if the browser drops it. Resolves to null if the server is not responding.
 *
 * @type {(address: string, how?: RequestInit) => Promise<Response | null>}
 */
async function fetchWithRetries(address, how) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await fetchWithTimeout(address, how);
    } catch (error) {
      if (!(error instanceof TypeError) || attempt === MAX_RETRIES) return null; // a timeout is not a TypeError
    }
  }
}

/** @param {Response | null} answer */
async function parseBody(answer) {
  if (!answer) throw new Error(NO_ANSWER);
  const found = await parseAnswer(answer).catch(() => null);
  if (!answer.ok || !found) throw new Error(found?.body.error ?? "This film is not available.");
  return found.body;
}

/** @param {number} hand */
function handLabel(hand) {
  return hand ? `Hand ${hand}` : "The part before the first hand";
}

/** Converts the offsets in a stored segment's entries to times in the show. @type {(segment: any) => Segment} */
export function withTimes({ entries, at_ms, ...rest }) {
  const moved = ({ offset_ms = 0, ...entry }) => ({ ...entry, at_ms: at_ms + offset_ms });
  return { ...rest, entries: entries.map(moved) };
}

/**
 * Reads JSON, even from a gzipped file that the host has served without the header for gzip.
 *
 * @param {Response} answer
 * @returns {Promise<{ body: any, sum: string }>} the JSON, and the SHA-256 of its text. The SHA-256 is ""
 *   if the browser cannot compute it, as on http pages
 */
export async function parseAnswer(answer) {
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
 * Returns the names of the blocks: files with the hands that a channel's index leaves out. Such hands can no longer
 * change, so browsers can cache the files.
 *
 * @param {Pick<ChannelIndex, "epoch" | "blocks">} index
 * @returns {string[]} names below the channel's address
 */
export function blockNames({ epoch, blocks = 0 }) {
  return Array.from({ length: blocks }, (_, number) => `${epoch}/${number}.hands`);
}

/**
 * @template {ChannelIndex} Known
 * @param {Known} index
 * @param {{ hands: FilmHand[] }[]} blocks the contents of the files in `blockNames`
 * @returns {Known} the index, with the hands of the blocks before its own hands
 */
export function joinBlocks(index, blocks) {
  if (!blocks.length) return index;
  const hands = [...blocks.flatMap((block) => block.hands), ...index.outline.hands];
  return { ...index, since: 0, outline: { ...index.outline, hands } };
}
