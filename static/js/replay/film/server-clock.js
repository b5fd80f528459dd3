/**
 * Measures the host's time, because this device's clock may be wrong. Every answer has a `Date` in whole seconds, so
 * one answer limits the difference of the clocks to a range of about a second. Requests are timed so that the host
 * answers when a second is expected to end. Its answer shows whether this second is over, and halves the range. No DOM.
 */

const SECOND_MS = 1000;
/**
 * The range is narrow enough if it is at most EXACT_MS plus the duration of the fastest request. Of this duration, at
 * most MAX_TRIP_MS count.
 */
const [EXACT_MS, MAX_TRIP_MS] = [20, 40];
/** The maximum number of requests. Six answers are enough, but requests may be lost or slow. */
const PROBES = 14;
/** An answer that is slower than this is not used. */
const ANSWER_TIMEOUT_MS = 3000;
/** How far two clocks may drift apart, as a share of the time that has passed. */
const DRIFT = 1e-4;
/**
 * If an answer contradicts the known range by more than this (a "jump"), this device must have slept. The clocks of
 * two machines of the same host differ by less, so they cause no jump.
 */
const JUMP_MS = 250;
/** After MAX_JUMPS jumps, each within SOON_MS of the jump before, the host's dates are ignored. */
const [MAX_JUMPS, SOON_MS] = [4, 60_000];

/** This device's clock. Changes of the device's time do not affect this clock while the page is open. */
const steadyClock = () => performance.timeOrigin + performance.now();

export class ServerClock {
  /** Whether the time is as exact as it can be. */
  settled = false;
  /** The bounds of the difference: the host's time minus this device's time. */
  #low = Number.NEGATIVE_INFINITY;
  #high = Number.POSITIVE_INFINITY;
  #offset = 0;
  #lastAnswerAt = 0;
  /** The shortest duration of a request. */
  #shortestTripMs = Number.POSITIVE_INFINITY;
  #jumps = 0;
  #jumpedAt = 0;
  #isProbing = false;
  #deviceClock;

  /** @param {() => number} deviceClock this device's clock, in milliseconds since 1970 */
  constructor(deviceClock = steadyClock) {
    this.#deviceClock = deviceClock;
  }

  /** Whether the host's time is known. If not, `now` is the device's time. */
  get known() {
    return this.#high < Number.POSITIVE_INFINITY && this.#jumps < MAX_JUMPS;
  }

  /** The time by the host's clock, in milliseconds since 1970. */
  get now() {
    return this.#deviceClock() + (this.known ? this.#offset : 0);
  }

  /** Whether the range of possible differences is exact enough. */
  get isExact() {
    return this.#high - this.#low <= EXACT_MS + Math.min(this.#shortestTripMs, MAX_TRIP_MS);
  }

  /**
   * Returns how long to wait before a request, so that the host answers just as a second ends. The difference of the
   * clocks is assumed to be in the middle of its bounds.
   *
   * @param {number} [minMs] the minimum, in milliseconds
   */
  untilSecond(minMs = 0) {
    const hostTime =
      this.#deviceClock() + minMs + (this.known ? (this.#low + this.#high + this.#shortestTripMs) / 2 : 0);
    return minMs + Math.ceil(hostTime / SECOND_MS) * SECOND_MS - hostTime;
  }

  /** Fetches a file and reads the answer's date. @type {(address: string, how?: RequestInit) => Promise<Response>} */
  async fetch(address, how) {
    const sent = this.#deviceClock();
    const answer = await fetch(address, how);
    const received = this.#deviceClock();
    const date = Date.parse(answer.headers.get("Date") ?? "");
    const age = Number(answer.headers.get("Age") ?? "0") * SECOND_MS;
    if (date + age >= 0) this.narrowBounds(date + age, sent, received, age ? 2 * SECOND_MS : SECOND_MS);
    return answer;
  }

  /**
   * Narrows the bounds with the date of an answer.
   *
   * @param {number} date in milliseconds since 1970
   * @param {number} sent when the request was sent, by this device's clock
   * @param {number} received when the answer arrived, by this device's clock
   * @param {number} [dateErrorMs] the true time is later than the date by at most this
   */
  narrowBounds(date, sent, received, dateErrorMs = SECOND_MS) {
    const drift = Math.abs(received - this.#lastAnswerAt) * DRIFT;
    const [low, high] = [date - received, date + dateErrorMs - sent];
    const [lower, upper] = [Math.max(low, this.#low - drift), Math.min(high, this.#high + drift)];
    const hasJumped = lower - upper > JUMP_MS;
    if (hasJumped) {
      this.#jumps += 1;
      [this.#jumpedAt, this.#shortestTripMs, this.settled] = [received, Number.POSITIVE_INFINITY, false];
    } else if (received - this.#jumpedAt > SOON_MS) this.#jumps = 0;
    [this.#low, this.#high] = hasJumped ? [low, high] : [Math.min(lower, upper), Math.max(lower, upper)];
    [this.#lastAnswerAt, this.#shortestTripMs] = [received, Math.min(this.#shortestTripMs, received - sent)];
    this.#updateOffset();
  }

  /**
   * Measures the host's time once, to a few hundredths of a second. This takes a few seconds.
   *
   * @param {string} address of a small file
   */
  async probe(address) {
    if (this.#isProbing || this.settled) return;
    this.#isProbing = true;
    for (let probe = 0; probe < PROBES && !(this.known && this.isExact); probe += 1) {
      await new Promise((done) => setTimeout(done, this.untilSecond()));
      const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
      await this.fetch(address, { method: "HEAD", cache: "no-store", signal }).catch(() => undefined);
      if (!this.known) break;
    }
    this.#isProbing = false;
    this.settled = this.known;
    this.#updateOffset();
  }

  /**
   * Sets the difference of the clocks to the middle of its bounds. As long as the clock is not `settled`, does so only
   * if the old difference is outside the bounds.
   */
  #updateOffset() {
    const isWithinBounds = this.#low <= this.#offset && this.#offset <= this.#high;
    if (this.settled || !isWithinBounds) this.#offset = (this.#low + this.#high) / 2;
  }
}
