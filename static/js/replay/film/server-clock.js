/**
 * What time it is at the host, whatever this device's clock says: every answer has a `Date`, but in whole seconds. Each
 * answer bounds how much the clocks differ, and requests that arrive there as a second ends halve what is left. No DOM.
 */

const SECOND_MS = 1000;
/** Bounds as near as this, and what an answer needs on its way, are narrowed no more; of that way so much counts. */
const [FINE_MS, MOST_TRIP_MS] = [20, 40];
/** With so many requests at most. Six halve a second so far; the others make up for those that are lost or slow. */
const PROBES = 14;
/** An answer that takes longer tells nothing any more. */
const PATIENCE_MS = 3000;
/** So much may two clocks drift apart, of the time that has passed. */
const DRIFT = 1e-4;
/** Answers contradict each other by less than this where a host is many machines; by more after this device slept. */
const JUMP_MS = 250;
/** After so many such jumps, each so soon after the one before, the host's dates mean nothing. */
const [MOST_JUMPS, SOON_MS] = [4, 60_000];

/** This device's clock as it was when the page began: set to another time meanwhile, this goes on as before. */
const steady = () => performance.timeOrigin + performance.now();

export class ServerClock {
  /** Whether the time is known as well as it can be. */
  settled = false;
  /** Between these bounds is the host's time less this device's. */
  #low = Number.NEGATIVE_INFINITY;
  #high = Number.POSITIVE_INFINITY;
  #offset = 0;
  #heardAt = 0;
  /** The shortest that an answer has taken. */
  #trip = Number.POSITIVE_INFINITY;
  #jumps = 0;
  #jumpedAt = 0;
  #probing = false;
  #own;

  /** @param {() => number} own this device's clock, in milliseconds since 1970 */
  constructor(own = steady) {
    this.#own = own;
  }

  /** Whether the host tells the time. Otherwise this is the device's. */
  get known() {
    return this.#high < Number.POSITIVE_INFINITY && this.#jumps < MOST_JUMPS;
  }

  /** Milliseconds since 1970, by the host's clock. */
  get now() {
    return this.#own() + (this.known ? this.#offset : 0);
  }

  /** Whether an answer that is made as a second ends would tell nothing new. */
  get fine() {
    return this.#high - this.#low <= FINE_MS + Math.min(this.#trip, MOST_TRIP_MS);
  }

  /**
   * How long to wait so that the host answers as a second ends, if the clocks differ by the middle of the bounds.
   *
   * @param {number} [least] milliseconds
   */
  untilSecond(least = 0) {
    const there = this.#own() + least + (this.known ? (this.#low + this.#high + this.#trip) / 2 : 0);
    return least + Math.ceil(there / SECOND_MS) * SECOND_MS - there;
  }

  /** Fetches, and learns from the answer. @type {(address: string, how?: RequestInit) => Promise<Response>} */
  async fetch(address, how) {
    const sent = this.#own();
    const answer = await fetch(address, how);
    const received = this.#own();
    const date = Date.parse(answer.headers.get("Date") ?? "");
    const age = Number(answer.headers.get("Age") ?? "0") * SECOND_MS;
    if (date + age >= 0) this.hear(date + age, sent, received, age ? 2 * SECOND_MS : SECOND_MS);
    return answer;
  }

  /**
   * @param {number} date of an answer, in milliseconds since 1970
   * @param {number} sent when it was asked for by this device's clock, and `received` when it came
   * @param {number} received
   * @param {number} [width] the date may be so much later
   */
  hear(date, sent, received, width = SECOND_MS) {
    const drift = Math.abs(received - this.#heardAt) * DRIFT;
    const [low, high] = [date - received, date + width - sent];
    const [lower, upper] = [Math.max(low, this.#low - drift), Math.min(high, this.#high + drift)];
    const jumped = lower - upper > JUMP_MS;
    if (jumped) {
      this.#jumps += 1;
      [this.#jumpedAt, this.#trip, this.settled] = [received, Number.POSITIVE_INFINITY, false];
    } else if (received - this.#jumpedAt > SOON_MS) this.#jumps = 0;
    [this.#low, this.#high] = jumped ? [low, high] : [Math.min(lower, upper), Math.max(lower, upper)];
    [this.#heardAt, this.#trip] = [received, Math.min(this.#trip, received - sent)];
    this.#follow();
  }

  /**
   * Finds out what time it is, to some hundredths of a second. Takes some seconds; does nothing where that is known.
   *
   * @param {string} address of a small file
   */
  async probe(address) {
    if (this.#probing || this.settled) return;
    this.#probing = true;
    for (let probe = 0; probe < PROBES && !(this.known && this.fine); probe += 1) {
      await new Promise((done) => setTimeout(done, this.untilSecond()));
      const signal = AbortSignal.timeout(PATIENCE_MS);
      await this.fetch(address, { method: "HEAD", cache: "no-store", signal }).catch(() => undefined);
      if (!this.known) break;
    }
    this.#probing = false;
    this.settled = this.known;
    this.#follow();
  }

  /** All devices go by the middle of the bounds; until it is known they keep a time that may be right. */
  #follow() {
    const mayBe = this.#low <= this.#offset && this.#offset <= this.#high;
    if (this.settled || !mayBe) this.#offset = (this.#low + this.#high) / 2;
  }
}
