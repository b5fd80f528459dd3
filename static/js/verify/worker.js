/**
 * Proves a file off the page's own thread, so that the page stays alive whatever is in it.
 *
 * @import { Verdict } from "./prove.js"
 * @typedef {{ file?: Blob, address?: string }} Task a file of the visitor's own, or where the recording is
 * @typedef {{ share: number } | { verdict: Verdict } | { trouble: string }} News
 */

import { MOST_BYTES } from "./journal.js";
import { prove } from "./prove.js";

/** What is posted at most so often, in milliseconds. */
const PAUSE_MS = 50;

addEventListener("message", async ({ data }) => {
  try {
    const bytes = await bytesOf(data);
    let told = 0;
    const verdict = prove(bytes, (share) => {
      const now = performance.now();
      if (now - told > PAUSE_MS) postMessage({ share });
      told = now - told > PAUSE_MS ? now : told;
    });
    postMessage({ verdict });
  } catch (error) {
    postMessage({ trouble: error instanceof Error ? error.message : "The file could not be read." });
  }
});

/**
 * @param {Task} task
 * @returns {Promise<Uint8Array>}
 */
async function bytesOf({ file, address }) {
  if (file) {
    if (file.size > MOST_BYTES) throw new Error(`This file is larger than ${MOST_BYTES / 1e6} MB: no recording is.`);
    return new Uint8Array(await file.arrayBuffer());
  }
  const answer = await fetch(address ?? "").catch(() => null);
  if (!answer) throw new Error("The server does not answer.");
  if (!answer.ok) throw new Error((await answer.text()).slice(0, 300));
  return new Uint8Array(await answer.arrayBuffer());
}
