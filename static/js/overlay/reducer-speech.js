/**
 * Decides which bot speaks when: one at a time, in order. Does the same as
 * `broadcast/on_air/picture_speech.py`. No DOM, no clock.
 *
 * A line waits until earlier lines have been read. It also waits while the picture shows what is at stake. A line that
 * waits too long is dropped. Only one line of each bot may wait, so a talkative bot leaves room for the others. Only
 * bots at the table are heard. A line ends with its hand: "I fold" would be wrong in the next hand.
 *
 * @import { Chat, Entry, State } from "../common/types.js"
 * @typedef {Pick<Chat, "seq" | "at_ms" | "bot" | "text">} Sent
 * @typedef {Sent & Pick<Chat, "about">} Line
 * @typedef {(chat: Chat[], stamp: Entry) => Chat[]} Delay
 */

/** A line that cannot start within this time is dropped. */
const PATIENCE_MS = 4000;

/** @param {string} text @returns {number} how long the text is shown, in milliseconds */
export function readingTime(text) {
  const words = text.trim().split(/\s+/).length;
  return Math.min(7000, Math.max(2500, 375 * words + 1000));
}

/**
 * Adds a new line. It comes from the bot; if `about` is true, it is a remark about the bot. Returns the current and
 * waiting lines after that.
 *
 * @type {(state: State, sent: Sent, about?: boolean) => Chat[]}
 */
export function addLine({ chat, seats }, { seq, at_ms, bot, text }, about = false) {
  const lines = chat.filter((line) => line.to_ms > at_ms);
  if (lines.some((line) => line.bot === bot) || !seats.some((seat) => seat.bot === bot)) return lines;
  return addLast(lines, { seq, at_ms, bot, text, about }, at_ms);
}

/**
 * Makes room for an entry that takes over the panel of the lines. A line ends if half its time is over; other lines
 * wait.
 *
 * @type {Delay}
 */
export function postponeLines(chat, { at_ms, hold_ms }) {
  return chat
    .filter((line) => line.to_ms > at_ms && line.from_ms + line.to_ms > 2 * at_ms)
    .reduce((later, line) => addLast(later, line, at_ms + hold_ms), /** @type {Chat[]} */ ([]));
}

/** A pot is won: waiting lines are dropped, and the current line ends with the entry. @type {Delay} */
export function endLinesAtPot(chat, { at_ms, hold_ms }) {
  return chat
    .filter((line) => line.to_ms > at_ms && line.from_ms <= at_ms)
    .map((line) => ({ ...line, to_ms: Math.min(line.to_ms, at_ms + hold_ms) }));
}

/** Adds a line after `lines`, at `free` or later. @type {(lines: Chat[], line: Line, free: number) => Chat[]} */
function addLast(lines, line, free) {
  const from = Math.max(free, lines.at(-1)?.to_ms ?? 0);
  if (from - line.at_ms > PATIENCE_MS) return lines;
  return [...lines, { ...line, from_ms: from, to_ms: from + readingTime(line.text) }];
}

/**
 * Returns the current line, and the time of the next change; Infinity if there will be no change.
 *
 * @param {Chat[]} chat
 * @param {number} now the show's time, in milliseconds
 */
export function speechAt(chat, now) {
  const changes = chat.flatMap((line) => [line.from_ms, line.to_ms]).filter((moment) => moment > now);
  return {
    line: chat.find((line) => line.from_ms <= now && now < line.to_ms) ?? null,
    next: Math.min(Number.POSITIVE_INFINITY, ...changes),
  };
}
