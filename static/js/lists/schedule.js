/**
 * The schedule of a show: what was played, what is on and what comes when, in the visitor's own time.
 *
 * @import { Followed } from "../common/followed.js"
 * @import { Moment, ScheduleItem, ShowSchedule } from "../common/types.js"
 */

import { el, mark, write } from "../common/dom.js";
import { markedNames } from "../common/followed.js";
import { outOf } from "../common/format.js";
import { timeOfDay, ZONE } from "../common/time-of-day.js";

/** A wider span is told by its ends. */
const WIDE_MS = 20 * 60_000;

/** The list, with what is to be said about all of it above. */
export class Schedule {
  #host;
  #followed;
  #link;
  #drawn = "";

  /**
   * @param {HTMLElement} host an empty element
   * @param {Followed} followed
   * @param {(hand: number) => HTMLElement | null} link makes an empty link or button that leads to a hand, by its
   *   number in the outline; null where it cannot be had
   */
  constructor(host, followed, link) {
    this.#host = host;
    this.#followed = followed;
    this.#link = link;
  }

  /** @param {ShowSchedule} schedule */
  update(schedule) {
    const { items = [], names = {} } = schedule;
    const words = aboutAll(schedule);
    const lines = items.map((item) => ({
      state: item.state,
      hand: item.hand ?? 0,
      when: whenOf(item),
      what: titleOf(item),
      who: (item.bots ?? []).map((bot) => names[bot] ?? ""),
    }));
    const key = JSON.stringify([words, lines, this.#followed.names]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const list = el("ol.schedule__items", ...lines.map((line) => this.#node(line)));
    this.#host.replaceChildren(...(words ? [paragraph(words)] : []), ...(lines.length ? [list] : []));
  }

  /** @param {{ state: string, hand: number, when: string, what: string, who: string[] }} line */
  #node(line) {
    const [when, what, who] = [el("span.schedule__when"), el("b.schedule__what"), el("span.schedule__who")];
    write(when, line.when);
    write(what, line.what);
    who.append(...markedNames(line.who, this.#followed));
    const link = (line.hand && this.#link(line.hand)) || el("div.");
    link.classList.add("schedule__line");
    link.append(when, what, who);
    const node = el("li.schedule__item", link);
    mark(node, "state", line.state);
    if (line.state === "on") node.setAttribute("aria-current", "true");
    return node;
  }
}

/** @param {string} words */
function paragraph(words) {
  const node = el("p.schedule__words");
  write(node, words);
  return node;
}

/** @param {ScheduleItem} item */
export function titleOf({ title, game = 0, games = 0 }) {
  if (!title) return `Game ${game}`;
  if (game && games !== 1) return `${title}, game ${outOf(game, games)}`;
  return games > 1 ? `${title}, ${games} games` : title;
}

/** @param {ScheduleItem} item */
export function whenOf({ state, began = 0, begins }) {
  if (state === "on") return "Now";
  return state === "played" ? `${timeOfDay(began)} ${ZONE}` : begins ? aboutTime(begins) : "";
}

/**
 * "about 20:40 CET", or "20:30 to 21:10 CET" where it may be so much earlier or later.
 *
 * @param {Moment} moment
 */
export function aboutTime([likely, earliest, latest]) {
  const wide = latest - earliest > WIDE_MS;
  return `${wide ? `${timeOfDay(earliest)} to ${timeOfDay(latest)}` : `about ${timeOfDay(likely)}`} ${ZONE}`;
}

/** @param {ShowSchedule} schedule */
function aboutAll({ items = [], left = 0, due = [], ends = {}, blinds, names = {} }) {
  const said = [];
  if (ends.show) said.push(`The show ends ${aboutTime(ends.show)}.`);
  if (blinds)
    said.push(`Blinds of ${blinds.small}/${blinds.big} come ${blinds.begins ? aboutTime(blinds.begins) : "next"}.`);
  if (left && items.every((item) => item.state !== "to come" || !item.title))
    said.push(`${left} games are still to begin.`);
  const waiting = due.map((bot) => names[bot] ?? "").filter(Boolean);
  if (waiting.length) said.push(`Still to play in this round: ${waiting.join(", ")}.`);
  return said.join(" ");
}
