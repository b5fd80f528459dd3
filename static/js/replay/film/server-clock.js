/**
 * What time it is at the host, whatever this device's clock says: every answer has a `Date`, but in whole seconds. Each
 * answer bounds how much the clocks differ, and requests sent at the right moment halve what is left. No DOM.
 */

const SECOND_MS = 1000;
const PROBES = 6;
/** Known as well as this, it is not asked for again. */
const FINE_MS = 20;
/** So much may two clocks drift apart, of the time that has passed. */
const DRIFT = 1e-4;
/** After so many answers that contradict those before, the host's dates mean nothing. */
const MOST_CONTRADICTIONS = 4;

/** The clock of one host. */
export class ServerClock {
  /** Between these bounds is the host's time less this device's. */
  #low = Number.NEGATIVE_INFINITY;
  #high = Number.POSITIVE_INFINITY;
  #offset = 0;
  #heardAt = 0;
  #trip = 0;
  #contradictions = 0;
  #probing = false;
  #own;

  /** @param {() => number} own this device's clock, in milliseconds since 1970 */
  constructor(own = Date.now) {
    this.#own = own;
  }

  /** Whether the host tells the time. Otherwise this is the device's. */
  get known() {
    return this.#high < Number.POSITIVE_INFINITY && this.#contradictions < MOST_CONTRADICTIONS;
  }

  /** Milliseconds since 1970, by the host's clock. */
  get now() {
    return this.#own() + (this.known ? this.#offset : 0);
  }

  /**
   * Fetches, and learns from the answer.
   *
   * @param {string} address
   * @param {RequestInit} [how]
   */
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
    const fits = lower <= upper;
    if (!fits) this.#contradictions += 1;
    [this.#low, this.#high] = fits ? [lower, upper] : [low, high];
    [this.#heardAt, this.#trip] = [received, received - sent];
    const inside = this.#low <= this.#offset && this.#offset <= this.#high;
    if (!inside) this.#settle();
  }

  /**
   * Finds out what time it is, to some hundredths of a second. Takes some seconds.
   *
   * @param {string} address of a small file
   */
  async probe(address) {
    if (this.#probing) return;
    this.#probing = true;
    this.#contradictions = 0;
    for (let probe = 0; probe < PROBES; probe += 1) {
      if (this.#high - this.#low < FINE_MS + this.#trip) break;
      await new Promise((done) => setTimeout(done, this.#untilHalf()));
      await this.fetch(address, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
    }
    this.#probing = false;
    if (this.known) this.#settle();
  }

  /** How long to wait so that the host answers at a whole second if the clocks differ by the middle of the bounds. */
  #untilHalf() {
    const middle = this.known ? (this.#low + this.#high) / 2 : 0;
    const there = this.#own() + this.#trip / 2 + middle;
    return Math.ceil(there / SECOND_MS) * SECOND_MS - there;
  }

  /** A device whose clock may be right is trusted: so are all others whose are. */
  #settle() {
    this.#offset = this.#low <= 0 && this.#high >= 0 ? 0 : (this.#low + this.#high) / 2;
  }
}
