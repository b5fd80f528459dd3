/**
 * Which chat lines are shown now: each bubble stays for its reading time, two at most at once; a line that would have
 * to wait too long is dropped. Pure: a function of the chat and the show's own time.
 *
 * @import { Chat } from "../../common/types.js"
 */

const AT_ONCE = 2;
const PATIENCE_MS = 4000;

/** @param {string} text how long it takes to read, in milliseconds */
export function readingTime(text) {
  const words = text.trim().split(/\s+/).length;
  return Math.min(7000, Math.max(2500, 375 * words + 1000));
}

/**
 * @param {Chat[]} chat
 * @param {number} now the show's time, in milliseconds
 * @returns {{ lines: Chat[], next: number }} the lines that are shown now, and when that changes (Infinity: never)
 */
export function bubblesAt(chat, now) {
  /** @type {{ line: Chat, from: number, to: number }[]} */
  const shown = [];
  for (const line of chat) {
    const open = shown.map((each) => each.to).sort((one, other) => other - one);
    const sameSeat = shown.filter((each) => each.line.bot === line.bot).map((each) => each.to);
    const from = Math.max(line.at_ms, open[AT_ONCE - 1] ?? 0, ...sameSeat);
    if (from - line.at_ms <= PATIENCE_MS) shown.push({ line, from, to: from + readingTime(line.text) });
  }
  const changes = shown.flatMap((each) => [each.from, each.to]).filter((moment) => moment > now);
  return {
    lines: shown.filter((each) => each.from <= now && now < each.to).map((each) => each.line),
    next: Math.min(Number.POSITIVE_INFINITY, ...changes),
  };
}
