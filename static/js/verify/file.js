/**
 * Proves the cards of a recording: checks the file's lines, the decks and the draws of seats. Runs in a worker, a page
 * or Node.
 *
 * @import { ProvedFact } from "./claims.js"
 * @typedef {{ holds: boolean, whole: boolean, title: string, contest: string, begun: string, claims: ProvedFact[],
 *   open: string[], fault: string, where: string }} Verdict `whole` says whether the recording is complete. `begun` is
 *   its start time. `open` lists what was not proved. `fault` is the first fault, or "". `where` is the fault's place
 */

import { caveatsOf, listProvedFacts } from "./claims.js";
import { Journal } from "./journal.js";
import { Damaged, expectTrue, Refuted } from "./refutation.js";
import { LedgerChecker, TournamentChecker } from "./tournament.js";

/**
 * Returns the verdict on a file. If something is wrong with the file, the verdict has a `fault`, and nothing is thrown.
 *
 * @param {Uint8Array} bytes
 * @param {(share: number) => void} onProgress receives the share of the file that has been read, 0 to 1
 * @returns {Verdict}
 */
export function verifyFile(bytes, onProgress = () => {}) {
  /** @type {Verdict} */
  const verdict = {
    ...{ holds: false, whole: false, title: "", contest: "", begun: "" },
    ...{ claims: [], open: [], fault: "", where: "" },
  };
  try {
    readEvents(bytes, verdict, onProgress);
    verdict.holds = true;
  } catch (error) {
    if (!(error instanceof Refuted || error instanceof Damaged)) throw error;
    verdict.fault = error.message;
  }
  return verdict;
}

/** Fills in `verdict`. @type {(bytes: Uint8Array, verdict: Verdict, onProgress: (share: number) => void) => void} */
function readEvents(bytes, verdict, onProgress) {
  const journal = new Journal(bytes);
  verdict.begun = journal.readStartTime();
  /** @type {TournamentChecker | LedgerChecker | null} */
  let checker = null;
  let count = 0;
  for (const event of journal.events()) {
    verdict.where = `line ${journal.lines} of the file`;
    if (checker) {
      checker.apply(event);
    } else {
      checker = event.type === "season_opened" ? new LedgerChecker(event) : new TournamentChecker(event);
      [verdict.title, verdict.contest] = [event.title, event.contest ?? ""];
    }
    verdict.where = [checker.where, verdict.where].filter(Boolean).join(", ");
    count += 1;
    onProgress(journal.share);
  }
  expectTrue(checker, "the recording is empty");
  verdict.where = "";
  verdict.claims = listProvedFacts(checker, count);
  verdict.whole = checker.finished && !checker.open && !journal.tornBytes;
  verdict.open = caveatsOf(checker, journal.tornBytes);
}
