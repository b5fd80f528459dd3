/**
 * Fetches the files of a live show from a static host: an index that changes, and hands that never change. Every answer
 * contains the host's time.
 *
 * @import { Segment } from "./film.js"
 * @import { ChannelIndex } from "./studio-source.js"
 * @typedef {Omit<Segment, "opening"> & { opening?: Segment["opening"] }} HandPart a part of a hand. Parts in an index,
 *   and all parts after the first, lack `opening`, the picture before the hand
 * @typedef {ChannelIndex & { now_utc_ms: number, state: string, delay_s: number, every_ms: number, fresh: HandPart[],
 *   parts: number, sums: string[] }} PublishedIndex as `broadcast.publish.live_files` writes it. `fresh`: the parts
 *   that are new since the last index; `parts`: how many parts the current hand has; `sums`: the SHA-256 of each
 *   hand from number `since` on; `every_ms`: the time from one index to the next
 */

import { blockNames, joinBlocks, parseAnswer, withTimes } from "./fetched.js";
import { ServerClock } from "./server-clock.js";

/** All pages that retry within the same SLOT_MS use the same address, so that a cache asks the host only once. */
const SLOT_MS = 5000;
/** A request that takes longer than this has failed, because a dead network may never report an error. */
const TIMEOUT_MS = 10_000;
/**
 * The time limit for the index. It is shorter than for other files: the index is small, and a retry over a new
 * connection may work.
 */
const INDEX_TIMEOUT_MS = 4000;

export class PublishedFiles {
  clock = new ServerClock();
  #address;
  /** The known SHA-256 of hands that are over. @type {string[]} */
  #checksums = [];
  /** Files that are already being fetched, by path. @type {Map<string, Promise<{ body: any, sum: string }>>} */
  #prefetched = new Map();

  /** @param {string} address of the channel's folder */
  constructor(address) {
    this.#address = address;
  }

  /** Stores the checksums that an index contains. @param {PublishedIndex} index */
  storeChecksums({ since, sums }) {
    sums.forEach((sum, index) => {
      this.#checksums[since + index] = sum;
    });
  }

  /**
   * @param {boolean} bypassCache whether to bypass caches that may keep the index for too long
   * @returns {Promise<PublishedIndex>} the index. An unchanged schedule is left out. If the file is not available,
   *   rejects with a message, as the methods below do
   */
  async index(bypassCache) {
    const slot = bypassCache ? `?at=${Math.floor(this.clock.now / SLOT_MS)}` : "";
    const { body } = await this.#fetchFile(`index.json${slot}`, "no-cache", INDEX_TIMEOUT_MS);
    return { goes_on: false, ...body, fresh: body.fresh.map(withTimes) };
  }

  /** @returns {Promise<PublishedIndex>} the index with all hands and bots */
  async fetchWholeIndex() {
    const { body } = await this.#takePrefetched("all.json");
    const files = await Promise.all(blockNames(body).map((name) => this.#fetchFile(name, "default")));
    const blocks = files.map((file) => file.body);
    return joinBlocks({ ...body, sums: [...blocks.flatMap(({ sums }) => sums), ...body.sums] }, blocks);
  }

  /** Starts to fetch the file that `fetchWholeIndex` needs first. */
  prefetchWholeIndex() {
    this.#prefetch("all.json", "no-cache");
  }

  /** Starts to fetch those parts of the current hand that the index lacks. @type {(index: PublishedIndex) => void} */
  prefetchParts({ epoch, open, parts, fresh }) {
    const included = fresh.filter((piece) => piece.n === open).length;
    for (let part = 0; part < parts - included; part += 1) this.#prefetch(`${epoch}/${open}-${part}.part`, "default");
  }

  /** @type {(epoch: string, number: number) => Promise<Segment>} */
  async segment(epoch, number) {
    const expectedChecksum = this.#checksums[number];
    for (const cache of /** @type {RequestCache[]} */ (["default", "reload"])) {
      const { body, sum } = await this.#fetchFile(`${epoch}/${number}.seg`, cache);
      if (!expectedChecksum || !sum || sum === expectedChecksum) return withTimes(body);
    }
    throw new Error(`Hand ${number} was altered on the host after it was published.`);
  }

  /**
   * @param {string} epoch
   * @param {number} hand
   * @param {number} number
   * @param {boolean} isRetry whether an earlier request failed
   * @returns {Promise<HandPart>} only part 0 has the picture before the hand
   */
  async part(epoch, hand, number, isRetry = false) {
    const path = `${epoch}/${hand}-${number}.part`;
    return withTimes((await (isRetry ? this.#fetchFile(path, "reload") : this.#takePrefetched(path, "default"))).body);
  }

  /** Measures the host's clock. */
  async probeClock() {
    if (this.clock.settled) return;
    await this.clock.probe(`${this.#address}/index.json`);
    if (this.clock.settled) performance.mark("highnoon:clock");
  }

  /** @type {(path: string, cache: RequestCache) => void} */
  #prefetch(path, cache) {
    const coming = this.#fetchFile(path, cache);
    coming.catch(() => undefined); // the caller that takes the file gets the error
    this.#prefetched.set(path, coming);
  }

  /** @type {(path: string, cache?: RequestCache) => Promise<{ body: any, sum: string }>} */
  #takePrefetched(path, cache = "no-cache") {
    const started = this.#prefetched.get(path) ?? this.#fetchFile(path, cache);
    this.#prefetched.delete(path);
    return started;
  }

  /** @type {(path: string, cache: RequestCache, timeoutMs?: number) => Promise<{ body: any, sum: string }>} */
  async #fetchFile(path, cache, timeoutMs = TIMEOUT_MS) {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await this.clock.fetch(`${this.#address}/${path}`, { cache, signal }).catch(() => null);
    if (!answer) throw new Error("The host is not responding. The show continues as soon as it does.");
    if (!answer.ok) throw new Error(`The host does not serve ${path} (${answer.status}).`);
    try {
      return await parseAnswer(answer);
    } catch {
      throw new Error(`The host's copy of ${path} is damaged.`);
    }
  }
}
