/**
 * Reads a journal (the record of a contest) line by line and checks it. Every line must end with a valid checksum over
 * all lines so far. Entries must be numbered without a gap.
 *
 * @import { RecordedEvent } from "./events.js"
 */

import { parseEvent } from "./events.js";
import { bytesToHex, sha256 } from "./noble-hashes.js";
import { Damaged } from "./refutation.js";

const FORMAT = "high-noon/1";
/** The maximum size of a file. The file is held in memory. */
export const MAX_BYTES = 300_000_000;
/** The maximum length of a line, far more than any real entry needs. */
const MAX_LINE_BYTES = 4_000_000;
const HEADER_START = '{"journal":"';
const NOT_A_JOURNAL =
  "this is not a High Noon recording (they end in .jsonl); highnoon import makes one from published hands";
const SUM_DIGITS = 24;
const NEWLINE = 10;
const CLOSING_BRACE = 125;

const ascii = new TextEncoder();
const latin = new TextDecoder("latin1");

/** Reads one file. Throws Damaged at the first line that is wrong. */
export class Journal {
  #bytes;
  #offset = 0;
  #checksum = "";
  #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  lines = 0;
  /** The number of bytes in a half-written last line. Such a line is left out. */
  tornBytes;
  #end;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    if (bytes.length > MAX_BYTES) throw new Damaged(`the file is larger than ${MAX_BYTES / 1e6} MB`);
    if (latin.decode(bytes.subarray(0, HEADER_START.length)) !== HEADER_START) throw new Damaged(NOT_A_JOURNAL);
    this.#bytes = bytes;
    this.#end = bytes.lastIndexOf(NEWLINE) + 1;
    this.tornBytes = bytes.length - this.#end;
    if (!this.#end) throw new Damaged("the file is not a journal: it has no complete header line");
  }

  /** The share of the file that has been read, 0 to 1. */
  get share() {
    return this.#offset / this.#end;
  }

  /** Reads the header. Call this before `events`. @returns {string} the start time */
  readStartTime() {
    const { journal, begun } = this.#readObject("no journal header");
    if (typeof journal !== "string" || typeof begun !== "string") throw new Damaged("line 1: no journal header");
    if (journal === FORMAT) return begun;
    throw new Damaged(`line 1: the format is '${journal}', but this program reads '${FORMAT}'`);
  }

  /** Reads the events after the header. @returns {Generator<RecordedEvent, void>} */
  *events() {
    for (let number = 1; this.#offset < this.#end; number++) {
      const entry = this.#readObject("not an entry");
      const { seq, at_ms } = entry;
      const event = Number.isSafeInteger(seq) && Number.isSafeInteger(at_ms) ? parseEvent(entry) : null;
      if (!event) throw new Damaged(`line ${this.lines}: not an entry`);
      if (seq !== number) throw new Damaged(`line ${this.lines}: entry ${seq} where ${number} was expected`);
      yield event;
    }
  }

  /**
   * Returns the next line as an object. Throws Damaged(`message`) if the line is not an object.
   *
   * @type {(message: string) => Record<string, any>}
   */
  #readObject(message) {
    const body = this.#readBody();
    try {
      const text = this.#decoder.decode(body);
      const object = JSON.parse(text);
      const isObject = object && typeof object === "object" && !Array.isArray(object);
      if (isObject && hasOnlyIntegers(text, object.type)) return object;
    } catch {
      // The error thrown below reports the fault.
    }
    throw new Damaged(`line ${this.lines}: ${message}`);
  }

  /** Returns the next line without its checksum. Throws Damaged if the checksum is wrong. */
  #readBody() {
    const end = this.#bytes.indexOf(NEWLINE, this.#offset);
    const line = this.#bytes.subarray(this.#offset, end);
    this.#offset = end + 1;
    this.lines += 1;
    if (line.length > MAX_LINE_BYTES) throw new Damaged(`line ${this.lines}: it is longer than any entry can be`);
    const sum = CHECKSUM_AT_END.exec(latin.decode(line.subarray(-(SUM_DIGITS + 10))));
    if (!sum) throw new Damaged(`line ${this.lines}: no checksum at its end`);
    const body = line.slice(0, line.length - SUM_DIGITS - 9);
    body[body.length - 1] = CLOSING_BRACE;
    this.#checksum = bytesToHex(sha256.create().update(ascii.encode(this.#checksum)).update(body).digest()).slice(
      0,
      SUM_DIGITS,
    );
    if (sum[1] !== this.#checksum) {
      throw new Damaged(`line ${this.lines}: the checksum does not match; this line or an earlier one was altered`);
    }
    return body;
  }
}

/** Matches the end of a line: `,"sum":"…"}`. The checksum covers the line's object without the field `sum`. */
const CHECKSUM_AT_END = new RegExp(`,"sum":"([0-9a-f]{${SUM_DIGITS}})"}$`);

/**
 * Whether all numbers in the text are written as integers: JSON.parse would turn 1.0 into 1. Only the values of
 * `control_set` may be fractions.
 *
 * @type {(text: string, type: unknown) => boolean}
 */
function hasOnlyIntegers(text, type) {
  if (type === "control_set" || !/\d[.eE]/.test(text)) return true;
  return !/\d[.eE]/.test(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'));
}
