/**
 * Holds the current picture of a show, and changes it with each new entry, such as a bet.
 *
 * @import { Entry, Snapshot, State, Welcome } from "../common/types.js"
 * @typedef {{ entry: Entry | null, before: State, after: State, live: boolean }} Change `live`: the entry
 *   arrived in time, not after the page had missed it
 */

import { reduce } from "./reducer.js";
import { initialState } from "./reducer-state.js";

/** The picture of one show. Calls `onChange` after every change. */
export class Store {
  state = initialState();
  /** The id of this run of the show. Each run numbers its entries from 1. */
  epoch = "";
  speed = 1;
  /** Entries up to this number arrive late, because the page missed them when they were on air. */
  #lastLateSeq = 0;
  #showTime = 0;
  #timeSetAt = 0;
  /** @type {(change: Change) => void} */
  #onChange;

  /** @param {(change: Change) => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** The show's time in milliseconds: the time of the last message plus the time since that message. */
  get now() {
    return this.#showTime + performance.now() - this.#timeSetAt;
  }

  /** @param {Welcome} message */
  welcome(message) {
    this.#lastLateSeq = message.seq;
    this.speed = message.speed;
    this.#setTime(message.at_ms);
    if (message.epoch === this.epoch) return;
    this.epoch = message.epoch;
    this.#replace(initialState());
  }

  /** @param {Snapshot} message */
  snapshot(message) {
    this.#replace(message.state);
  }

  /**
   * @param {Entry} entry
   * @returns {"next" | "old" | "gap"} "old" if the picture already contains the entry; "gap" if earlier entries are
   *   missing, so that the picture cannot change
   */
  entry(entry) {
    const before = this.state;
    if (entry.seq !== before.seq + 1) return entry.seq <= before.seq ? "old" : "gap";
    this.state = reduce(before, entry);
    if (entry.type === "pace_changed") this.speed = entry.speed;
    const live = entry.seq > this.#lastLateSeq;
    if (live || entry.at_ms > this.now) this.#setTime(entry.at_ms);
    this.#onChange({ entry, before, after: this.state, live });
    return "next";
  }

  /** @param {State} state */
  #replace(state) {
    const before = this.state;
    this.state = state;
    if (state.at_ms > this.now) this.#setTime(state.at_ms);
    this.#onChange({ entry: null, before, after: state, live: false });
  }

  /** @param {number} atMs */
  #setTime(atMs) {
    this.#showTime = atMs;
    this.#timeSetAt = performance.now();
  }
}
