/**
 * Proves a whole file: its lines, then the events in them. Knows no page; runs in a worker or anywhere else.
 *
 * @import { Claim } from "./claims.js"
 * @import { Story } from "./entries.js"
 * @import { Happening } from "./rules/events.js"
 * @typedef {{ holds: boolean, whole: boolean, title: string, contest: string, begun: string, claims: Claim[],
 *   notes: string[], open: string[], fault: string, where: string }} Verdict `whole`: the recording has its end;
 *   `open`: what was not proved; `fault`: the first thing that is wrong, "" if nothing is, and `where` it is
 */

import { claimsOf, openOf } from "./claims.js";
import { Entries } from "./entries.js";
import { Journal } from "./journal.js";
import { isPublished, Published } from "./published-hands.js";
import { Tournament } from "./recording.js";
import { isOfASeason } from "./rules/events.js";
import { Damaged, must, Refuted } from "./rules/refutation.js";
import { Ledger } from "./season.js";

/** Progress is reported after so many entries. */
const OFTEN = 500;

/**
 * The verdict on a file. Never throws: whatever is wrong is the verdict's fault.
 *
 * @param {Uint8Array} bytes
 * @param {(share: number) => void} onProgress how much of it is read, 0 to 1
 * @returns {Verdict}
 */
export function prove(bytes, onProgress = () => {}) {
  /** @type {Verdict} */
  const verdict = {
    ...{ holds: false, whole: false, title: "", contest: "", begun: "" },
    ...{ claims: [], notes: [], open: [], fault: "", where: "" },
  };
  try {
    read(bytes, verdict, onProgress);
    verdict.holds = true;
  } catch (error) {
    if (!(error instanceof Refuted || error instanceof Damaged)) throw error;
    verdict.fault = error.message;
    verdict.where = error instanceof Refuted ? error.where : "";
  }
  return verdict;
}

/**
 * @param {Uint8Array} bytes
 * @param {Verdict} verdict is filled in
 * @param {(share: number) => void} onProgress
 */
function read(bytes, verdict, onProgress) {
  const journal = new Journal(bytes);
  verdict.begun = journal.header().begun;
  const entries = new Entries((event) => opened(event, journal.seed()));
  for (const { event } of journal.entries()) {
    const isLedger = entries.story ? entries.story.kind === "season" : event.type === "season_opened";
    if (isOfASeason(event) !== isLedger) throw new Damaged(`line ${journal.lines}: not an entry`);
    if (!entries.story) [verdict.title, verdict.contest] = [event.title ?? "", event.contest ?? ""];
    entries.take(event);
    if (entries.count % OFTEN === 0) onProgress(journal.share);
  }
  const { story, count } = entries;
  must(story, "the recording is empty");
  verdict.notes = story.notes;
  verdict.claims = claimsOf(story, count);
  verdict.whole = story.finished && !story.open && !journal.torn;
  verdict.open = openOf(story, journal.torn);
}

/**
 * What the first event of a file begins.
 *
 * @param {Happening} event
 * @param {string} seed of a season
 * @returns {Story}
 */
function opened(event, seed) {
  if (event.type === "season_opened") return new Ledger(event, seed);
  return isPublished(event) ? new Published(event) : new Tournament(event);
}
