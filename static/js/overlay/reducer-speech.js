/**
 * Decides which bot speaks when: one at a time, in order. Does the same as `broadcast/on_air/picture_speech.py`. No
 * DOM, no clock.
 *
 * Lines are chat and thoughts. A line waits until earlier lines have been read. It also waits while the picture shows
 * what is at stake. A line that waits too long is dropped. Each bot may have only one line on screen or waiting, so
 * that a talkative bot leaves room for the others. Only bots at the table are heard. A line ends with its hand: "I
 * fold" would be wrong in the next hand. A thought explains its bot's act. It comes before all chat, and stays in
 * silent moments. The claims in a thought were checked against the board of its street. So the thought ends as soon as
 * the next street is dealt, a pot is won, or its bot has to act again. A thought also makes way for the next thought
 * and for what is at stake, but not before two thirds of its time are over.
 *
 * @import { Chat, Entry, State } from "../common/types.js"
 * @typedef {Pick<Chat, "seq" | "at_ms" | "bot" | "text">} SentLine
 * @typedef {SentLine & Pick<Chat, "about" | "checked" | "street" | "claims" | "false_claims">} SpeechLine
 * @typedef {(chat: Chat[], stamp: Entry) => Chat[]} ChatChange
 */

/** A line is dropped if it would have to wait longer than this. */
const MAX_WAIT_MS = 5000;

/** @param {Pick<SpeechLine, "text" | "checked">} line @returns {number} how long the line is shown, in milliseconds */
export function readingTime({ text, checked }) {
  if (checked) {
    const truths = checked.filter(({ truth }) => truth).map(({ truth = "" }) => ` [${truth}]`);
    return Math.min(10_000, Math.max(2500, 60 * [text, ...truths].flatMap((part) => [...part]).length + 600));
  }
  const words = text.trim().split(/\s+/).length;
  return Math.min(7000, Math.max(2500, 375 * words + 1000));
}

/**
 * Adds a line that a bot says or, if `about` is true, a remark about the bot. Returns the current and the waiting
 * lines.
 *
 * @type {(state: State, sent: SentLine, about?: boolean) => Chat[]}
 */
export function addLine({ chat, seats }, { seq, at_ms, bot, text }, about = false) {
  const lines = chat.filter((line) => line.to_ms > at_ms);
  if (lines.some((line) => line.bot === bot) || !seats.some((seat) => seat.bot === bot)) return lines;
  return enqueue(lines, { seq, at_ms, bot, text, about }, at_ms);
}

/**
 * Adds a thought, after earlier thoughts and before all chat. The thought stays at least as long as the act that it
 * explains.
 *
 * @type {(state: State, sent: Entry & SentLine & Required<Pick<SpeechLine, "checked" | "claims" | "false_claims">>) => Chat[]}
 */
export function addThought({ chat, seats, hand }, { seq, at_ms, hold_ms, bot, text, checked, claims, false_claims }) {
  const lines = chat.filter((line) => line.to_ms > at_ms);
  if (!seats.some((seat) => seat.bot === bot)) return lines;
  const thought = { seq, at_ms, bot, text, about: false, checked, street: hand?.street, claims, false_claims };
  const thoughts = enqueue(shortenThoughts(lines, at_ms), thought, at_ms, at_ms + hold_ms);
  return postponeChat(
    thoughts,
    lines.filter((line) => line.bot !== bot),
    at_ms,
    at_ms,
  );
}

/** Makes room for what is at stake, which takes over the panel of the lines. @type {ChatChange} */
export function postponeLines(chat, { at_ms, hold_ms }) {
  return postponeChat(shortenThoughts(chat, at_ms), chat, at_ms, at_ms + hold_ms);
}

/** Ends all thoughts, because the next street is dealt. @type {ChatChange} */
export function endThoughtsOfStreet(chat, { at_ms }) {
  return chat.filter((line) => line.to_ms > at_ms && !line.checked);
}

/**
 * Ends a bot's thought about its previous act, because it is the bot's turn again or the bot acts.
 *
 * @type {(chat: Chat[], bot: number | undefined, now: number) => Chat[]}
 */
export function endThoughtsOfBot(chat, bot, now) {
  return chat.filter((line) => line.to_ms > now && !(line.checked && line.bot === bot));
}

/** Makes chat wait in a silent moment. Thoughts stay. @type {ChatChange} */
export function hushLines(chat, { at_ms, hold_ms }) {
  return postponeChat(
    chat.filter((line) => line.checked && line.to_ms > at_ms),
    chat,
    at_ms,
    at_ms + hold_ms,
  );
}

/**
 * The thoughts among `lines`. They now end as soon as two thirds of their time are over.
 *
 * @type {(lines: Chat[], now: number) => Chat[]}
 */
function shortenThoughts(lines, now) {
  return lines
    .filter((line) => line.checked && line.to_ms > now)
    .map((line) => {
      const earliestEnd = line.from_ms + Math.floor((2 * readingTime(line)) / 3);
      return { ...line, to_ms: Math.min(line.to_ms, Math.max(now, earliestEnd)) };
    });
}

/**
 * Postpones chat lines. They are shown after `firstLines`, but not before the time `until`. Drops a line that has
 * been shown for half of its time.
 *
 * @type {(firstLines: Chat[], lines: Chat[], now: number, until: number) => Chat[]}
 */
function postponeChat(firstLines, lines, now, until) {
  return lines
    .filter((line) => !line.checked && line.to_ms > now && line.from_ms + line.to_ms > 2 * now)
    .reduce((postponed, line) => enqueue(postponed, line, until), firstLines);
}

/** Drops waiting lines and thoughts when a pot is won. The current line ends with the award. @type {ChatChange} */
export function endLinesAtPot(chat, { at_ms, hold_ms }) {
  return chat
    .filter((line) => line.to_ms > at_ms && line.from_ms <= at_ms && !line.checked)
    .map((line) => ({ ...line, to_ms: Math.min(line.to_ms, at_ms + hold_ms) }));
}

/**
 * Adds a line after `lines`, at the time `earliestMs` or later. The new line stays at least until `minToMs`.
 *
 * @type {(lines: Chat[], line: SpeechLine, earliestMs: number, minToMs?: number) => Chat[]}
 */
function enqueue(lines, line, earliestMs, minToMs = 0) {
  const from = Math.max(earliestMs, lines.at(-1)?.to_ms ?? 0);
  if (from - line.at_ms > MAX_WAIT_MS) return lines;
  return [...lines, { ...line, from_ms: from, to_ms: Math.max(minToMs, from + readingTime(line)) }];
}

/**
 * Returns the current line, and the time of the next change, or Infinity if there will be no change.
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
