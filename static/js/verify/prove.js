/**
 * Proves a whole file: its lines, then the events in them. Knows no page; runs in a worker or anywhere else.
 *
 * @import { Claim } from "./claims.js"
 * @import { Happening } from "./rules/events.js"
 * @typedef {{ holds: boolean, whole: boolean, title: string, contest: string, begun: string, claims: Claim[],
 *   notes: string[], open: string[], fault: string, where: string }} Verdict `whole`: the recording has its end;
 *   `open`: what was not proved; `fault`: the first thing that is wrong, "" if nothing is, and `where` it is
 */

import { claimsOf, openOf } from "./claims.js";
import { Journal } from "./journal.js";
import { Ledger } from "./ledger.js";
import { isPublished, Published } from "./published-hands.js";
import { isOfAHand, isOfASeason } from "./rules/events.js";
import { Damaged, must, Refuted } from "./rules/refutation.js";
import { Tournament } from "./tournament.js";

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
  const reading = new Reading(bytes);
  try {
    reading.read(onProgress);
  } catch (error) {
    reading.verdict.fault = faultOf(error);
    reading.verdict.where = error instanceof Damaged ? "" : reading.where(error);
  }
  reading.verdict.holds = !reading.verdict.fault;
  return reading.verdict;
}

class Reading {
  /** @type {Verdict} */
  verdict = {
    ...{
      holds: false,
      whole: false,
      title: "",
      contest: "",
      begun: "",
      claims: [],
      notes: [],
      open: [],
      fault: "",
      where: "",
    },
  };
  /** @type {Tournament | Published | Ledger | null} */
  #follower = null;
  #bytes;
  #entries = 0;
  /** The lines of the events of the last hand. @type {number[]} */
  #lines = [];

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  /**
   * Where in the recording an error is, in words.
   *
   * @param {unknown} error
   */
  where(error) {
    const of = error instanceof Refuted ? this.#lines[error.event] : 0;
    const line = `line ${of || this.#entries + 1} of the file`;
    return [this.#follower?.where, this.#entries ? line : ""].filter(Boolean).join(", ");
  }

  /** @param {(share: number) => void} onProgress */
  read(onProgress) {
    const journal = new Journal(this.#bytes);
    this.verdict.begun = journal.header().begun;
    for (const { event } of journal.entries()) {
      this.#entries += 1;
      if (this.#entries % OFTEN === 0) onProgress(journal.share);
      if (this.#follower) this.#take(this.#follower, event);
      else this.#follower = this.#opened(event, journal);
    }
    must(this.#follower, "the recording is empty");
    this.verdict.notes = this.#follower.notes;
    this.verdict.claims = claimsOf(this.#follower, this.#entries);
    this.verdict.whole = this.#follower.finished && !this.#follower.open && !journal.torn;
    this.verdict.open = openOf(this.#follower, journal.torn);
  }

  /**
   * @param {Tournament | Published | Ledger} story
   * @param {Happening} event
   */
  #take(story, event) {
    if (isOfASeason(event) !== (story.kind === "season")) {
      throw new Damaged(`line ${this.#entries + 1}: it is no entry of such a recording`);
    }
    if (event.type === "hand_started") this.#lines = [];
    if (isOfAHand(event)) this.#lines.push(this.#entries + 1);
    story.take(event);
  }

  /**
   * @param {Happening} event
   * @param {Journal} journal
   */
  #opened(event, journal) {
    const { type, title, contest } = event;
    [this.verdict.title, this.verdict.contest] = [title ?? "", contest ?? ""];
    if (type === "season_opened") return new Ledger(event, journal.seed());
    must(type === "tournament_opened", "the recording does not begin with the opening of a tournament");
    return isPublished(event) ? new Published(event) : new Tournament(event);
  }
}

/**
 * @param {unknown} error
 * @returns {string}
 */
function faultOf(error) {
  if (error instanceof Refuted || error instanceof Damaged) return error.message;
  return "it does not hang together: what stands there does not follow from what came before";
}
