/**
 * The picture as it stands, folded entry by entry. Tells its watchers what changed, and whether it came live.
 *
 * @import { Entry, Snapshot, State, Welcome } from "../common/types.js"
 * @typedef {{ entry: Entry | null, before: State, after: State, live: boolean }} Change
 */

import { reduce } from "./reducer.js";
import { opening } from "./reducer-state.js";

/** The picture of one show, and who hears of its changes. */
export class Store {
  state = opening();
  epoch = "";
  speed = 1;
  #liveAfter = 0;
  #showTime = 0;
  #heardAt = 0;
  /** @type {(change: Change) => void} */
  #tell;

  /** @param {(change: Change) => void} tell called after every change */
  constructor(tell) {
    this.#tell = tell;
  }

  /** The show's own time now, in milliseconds: what the wire last said, and what has passed since. */
  get now() {
    return this.#showTime + performance.now() - this.#heardAt;
  }

  /** @param {Welcome} message */
  welcome(message) {
    this.#liveAfter = message.seq;
    this.speed = message.speed;
    this.#mind(message.at_ms);
    if (message.epoch === this.epoch) return;
    this.epoch = message.epoch;
    this.#become(opening());
  }

  /** @param {Snapshot} message */
  snapshot(message) {
    this.#become(message.state);
  }

  /**
   * @param {Entry} entry
   * @returns {"next" | "old" | "gap"} "gap" where entries are missing; nothing changes then
   */
  entry(entry) {
    const before = this.state;
    if (entry.seq !== before.seq + 1) return entry.seq <= before.seq ? "old" : "gap";
    this.state = reduce(before, entry);
    if (entry.type === "pace_changed") this.speed = entry.speed;
    const live = entry.seq > this.#liveAfter;
    if (live || entry.at_ms > this.now) this.#mind(entry.at_ms);
    this.#tell({ entry, before, after: this.state, live });
    return "next";
  }

  /** @param {State} state */
  #become(state) {
    const before = this.state;
    this.state = state;
    if (state.at_ms > this.now) this.#mind(state.at_ms);
    this.#tell({ entry: null, before, after: state, live: false });
  }

  /** @param {number} atMs */
  #mind(atMs) {
    this.#showTime = atMs;
    this.#heardAt = performance.now();
  }
}
