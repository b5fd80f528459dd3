/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104), so that a page proves decks also where browsers give it none of their own.
 */

const BLOCK = 64;
const SIZE = 32;

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const ROUNDS = fractions(64, Math.cbrt);
/** And of the square roots of the first eight. */
const BEGIN = fractions(8, Math.sqrt);

/** One hash, fed piece by piece. */
export class Sha256 {
  #state = Int32Array.from(BEGIN);
  #words = new Int32Array(BLOCK);
  #rest = new Uint8Array(BLOCK);
  #held = 0;
  #length = 0;

  /** @param {Uint8Array} bytes */
  update(bytes) {
    this.#length += bytes.length;
    let at = 0;
    if (this.#held) {
      at = Math.min(BLOCK - this.#held, bytes.length);
      this.#rest.set(bytes.subarray(0, at), this.#held);
      this.#held += at;
      if (this.#held < BLOCK) return this;
      this.#compress(this.#rest, 0);
    }
    for (; at + BLOCK <= bytes.length; at += BLOCK) this.#compress(bytes, at);
    this.#rest.set(bytes.subarray(at));
    this.#held = bytes.length - at;
    return this;
  }

  /** The 32 bytes. Nothing may be fed after it. */
  digest() {
    const bits = this.#length * 8;
    const padding = new Uint8Array((this.#held < BLOCK - 8 ? BLOCK : 2 * BLOCK) - this.#held);
    padding[0] = 0x80;
    const view = new DataView(padding.buffer);
    view.setUint32(padding.length - 8, Math.floor(bits / 2 ** 32));
    view.setUint32(padding.length - 4, bits >>> 0);
    this.update(padding);
    const result = new DataView(new ArrayBuffer(SIZE));
    for (const [at, word] of this.#state.entries()) result.setInt32(4 * at, word);
    return new Uint8Array(result.buffer);
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} from
   */
  #compress(bytes, from) {
    const words = this.#words;
    const state = this.#state;
    for (let at = 0, byte = from; at < 16; at++, byte += 4) {
      words[at] = (bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8) | bytes[byte + 3];
    }
    for (let at = 16; at < 64; at++) {
      const early = words[at - 15];
      const late = words[at - 2];
      const one = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
      const other = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
      words[at] = (words[at - 16] + one + words[at - 7] + other) | 0;
    }
    // Eight plain variables: a loop over the array takes ten times as long.
    let a = state[0];
    let b = state[1];
    let c = state[2];
    let d = state[3];
    let e = state[4];
    let f = state[5];
    let g = state[6];
    let h = state[7];
    for (let at = 0; at < 64; at++) {
      const chosen = (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g));
      const mixed = (h + chosen + ROUNDS[at] + words[at]) | 0;
      const majority = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = (d + mixed) | 0;
      d = c;
      c = b;
      b = a;
      a = (mixed + majority) | 0;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
  }
}

/** @param {Uint8Array} bytes */
export function sha256(bytes) {
  return new Sha256().update(bytes).digest();
}

/**
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 */
export function hmac(key, message) {
  const whole = new Uint8Array(BLOCK);
  whole.set(key.length > BLOCK ? sha256(key) : key);
  const inner = new Sha256().update(whole.map((byte) => byte ^ 0x36)).update(message);
  return new Sha256()
    .update(whole.map((byte) => byte ^ 0x5c))
    .update(inner.digest())
    .digest();
}

/** @param {Uint8Array} bytes */
export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {number} word
 * @param {number} by
 */
function turn(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/**
 * @param {number} count
 * @param {(prime: number) => number} root
 */
function fractions(count, root) {
  /** @type {number[]} */
  const primes = [];
  for (let number = 2; primes.length < count; number++) {
    if (primes.every((prime) => number % prime)) primes.push(number);
  }
  return Int32Array.from(primes, (prime) => ((root(prime) % 1) * 2 ** 32) | 0);
}
