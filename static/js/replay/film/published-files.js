/**
 * The files of a show that is on, at a static host: an index that changes, and hands that never do. Every answer tells
 * what time it is there.
 *
 * @import { Segment } from "./film.js"
 * @import { Index } from "./studio-source.js"
 * @typedef {Index & { now_utc_ms: number, state: string, delay_s: number, parts: number, ended_parts: number,
 *   sums: string[] }} Published as `broadcast.publish.live_files` writes it
 */

import { unpacked } from "./packed.js";
import { ServerClock } from "./server-clock.js";

/** Those who ask anew in the same seconds ask for the same address, so that a cache asks but once. */
const SLOT_MS = 5000;
/** A network that is gone may never say so: whatever takes longer has failed. */
const PATIENCE_MS = 10_000;

/** The files of one channel. */
export class PublishedFiles {
  clock = new ServerClock();
  #address;
  /** The SHA-256 of hands that have ended, as far as they are known. @type {string[]} */
  #sums = [];

  /** @param {string} address of the channel's folder */
  constructor(address) {
    this.#address = address;
  }

  /** @param {Published} index by whose sums hands are known from now on */
  note({ since, sums }) {
    sums.forEach((sum, at) => {
      this.#sums[since + at] = sum;
    });
  }

  /**
   * @param {boolean} anew past a cache that keeps it for too long
   * @returns {Promise<Published>} as all of the following an Error with a sentence where it cannot be had
   */
  async index(anew) {
    const slot = anew ? `?at=${Math.floor(this.clock.now / SLOT_MS)}` : "";
    return (await this.#file(`index.json${slot}`, "no-cache")).body;
  }

  /** @returns {Promise<Published>} with all hands and the bots */
  async whole() {
    return (await this.#file("all.json", "no-cache")).body;
  }

  /**
   * @param {string} epoch
   * @param {number} number
   * @returns {Promise<Segment>}
   */
  async segment(epoch, number) {
    const wanted = this.#sums[number];
    for (const cache of /** @type {RequestCache[]} */ (["default", "reload"])) {
      const { body, sum } = await this.#file(`${epoch}/${number}.seg`, cache);
      if (!wanted || !sum || sum === wanted) return moved(body);
    }
    throw new Error(`Hand ${number} is not as it was published: the host has altered it.`);
  }

  /**
   * @param {string} epoch
   * @param {number} hand
   * @param {number} number
   * @param {boolean} anew where it was missing before
   * @returns {Promise<Segment>} only part 0 has the picture that the hand opens with
   */
  async part(epoch, hand, number, anew = false) {
    return moved((await this.#file(`${epoch}/${hand}-${number}.part`, anew ? "reload" : "default")).body);
  }

  /** Finds out what time it is there. */
  async probe() {
    if (this.clock.settled) return;
    await this.clock.probe(`${this.#address}/index.json`);
    if (this.clock.settled) performance.mark("highnoon:clock");
  }

  /**
   * @param {string} path
   * @param {RequestCache} cache
   */
  async #file(path, cache) {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await this.clock.fetch(`${this.#address}/${path}`, { cache, signal }).catch(() => null);
    if (!answer) throw new Error("The host does not answer. It goes on by itself as soon as it does.");
    if (!answer.ok) throw new Error(`The host does not give out ${path} (${answer.status}).`);
    try {
      return await unpacked(answer);
    } catch {
      throw new Error(`What the host gives out as ${path} is damaged.`);
    }
  }
}

/**
 * @param {any} segment as it is published
 * @returns {Segment} its entries with their moments in the show
 */
function moved({ entries, at_ms, ...rest }) {
  const entry = ({ offset_ms = 0, ...other }) => ({ ...other, at_ms: at_ms + offset_ms });
  return { ...rest, entries: entries.map(entry) };
}
