/**
 * Proves the cards of a whole file: its lines, then their decks and draws. Runs in a worker or anywhere else.
 *
 * @import { Claim } from "./claims.js"
 * @typedef {{ holds: boolean, whole: boolean, title: string, contest: string, begun: string, claims: Claim[],
 *   open: string[], fault: string, where: string }} Verdict `whole`: the recording is complete; `open`: what was not
 *   proved; `fault`: the first thing that is wrong, "" if nothing is, and `where` that is
 */

import { claimsOf, openOf } from "./claims.js";
import { Journal } from "./journal.js";
import { Damaged, must, Refuted } from "./refutation.js";
import { Ledger, Tournament } from "./tournament.js";

/**
 * The verdict on a file. Does not throw if the file is wrong: that is the `fault` of the verdict.
 *
 * @param {Uint8Array} bytes
 * @param {(share: number) => void} onProgress how much of the file has been read, 0 to 1
 * @returns {Verdict}
 */
export function prove(bytes, onProgress = () => {}) {
  /** @type {Verdict} */
  const verdict = {
    ...{ holds: false, whole: false, title: "", contest: "", begun: "" },
    ...{ claims: [], open: [], fault: "", where: "" },
  };
  try {
    read(bytes, verdict, onProgress);
    verdict.holds = true;
  } catch (error) {
    if (!(error instanceof Refuted || error instanceof Damaged)) throw error;
    verdict.fault = error.message;
  }
  return verdict;
}

/** Fills in `verdict`. @type {(bytes: Uint8Array, verdict: Verdict, onProgress: (share: number) => void) => void} */
function read(bytes, verdict, onProgress) {
  const journal = new Journal(bytes);
  verdict.begun = journal.begun();
  /** @type {Tournament | Ledger | null} */
  let story = null;
  let count = 0;
  for (const event of journal.events()) {
    verdict.where = `line ${journal.lines} of the file`;
    if (story) {
      story.apply(event);
    } else {
      story = event.type === "season_opened" ? new Ledger(event) : new Tournament(event);
      [verdict.title, verdict.contest] = [event.title, event.contest ?? ""];
    }
    verdict.where = [story.where, verdict.where].filter(Boolean).join(", ");
    count += 1;
    onProgress(journal.share);
  }
  must(story, "the recording is empty");
  verdict.where = "";
  verdict.claims = claimsOf(story, count);
  verdict.whole = story.finished && !story.open && !journal.torn;
  verdict.open = openOf(story, journal.torn);
}
