/**
 * Checks a file in a web worker, so that the page stays responsive.
 *
 * @import { Verdict } from "../file.js"
 * @typedef {{ file?: Blob, address?: string }} Task either a file that the visitor chose, or the address of a recording
 * @typedef {{ share: number } | { verdict: Verdict } | { trouble: string }} WorkerMessage
 */

import { verifyFile } from "../file.js";
import { MAX_BYTES } from "../journal.js";

/** The minimum time between two progress reports. */
const REPORT_PAUSE_MS = 50;

addEventListener("message", async ({ data }) => {
  try {
    const bytes = await loadBytes(data);
    let reportedAt = 0;
    const verdict = verifyFile(bytes, (share) => {
      if (performance.now() - reportedAt < REPORT_PAUSE_MS) return;
      reportedAt = performance.now();
      postMessage({ share });
    });
    postMessage({ verdict });
  } catch (error) {
    postMessage({ trouble: error instanceof Error ? error.message : "The file could not be read." });
  }
});

/** @type {(task: Task) => Promise<Uint8Array>} */
async function loadBytes({ file, address }) {
  if (file) {
    if (file.size > MAX_BYTES) throw new Error(`This file is too large for a recording: over ${MAX_BYTES / 1e6} MB.`);
    return new Uint8Array(await file.arrayBuffer());
  }
  const answer = await fetch(address ?? "").catch(() => null);
  if (!answer) throw new Error("The server is not responding.");
  if (!answer.ok) throw new Error((await answer.text()).slice(0, 300));
  return new Uint8Array(await answer.arrayBuffer());
}
