/**
 * The schedule of a show: what has been played, what is on and what comes next, in the show's time zone.
 *
 * @import { FollowedBots } from "../common/followed.js"
 * @import { Moment, ScheduleItem, ShowSchedule } from "../common/types.js"
 */

import { el, redraw, setData } from "../common/dom.js";
import { markedNames } from "../common/followed.js";
import { outOf } from "../common/format.js";
import { timeOfDay, ZONE, zoneNote } from "../common/time-of-day.js";

/** If the earliest and the latest expected time are farther apart than this, both replace the likely time. */
const WIDE_MS = 20 * 60_000;

/**
 * Draws the list into an empty host, with general remarks above it.
 *
 * @param {HTMLElement} host
 * @param {FollowedBots} followed
 * @param {(hand: number) => HTMLElement | null} linkTo returns an empty link or button to a hand, or null
 * @param {ShowSchedule} schedule
 */
export function drawSchedule(host, followed, linkTo, schedule) {
  const { items = [], names = {} } = schedule;
  const words = remarksText(schedule);
  const lines = items.map((item) => ({
    state: item.state,
    hand: item.hand ?? 0,
    when: whenOf(item),
    what: titleOf(item),
    who: (item.bots ?? []).map((bot) => names[bot] ?? ""),
  }));
  redraw(host, [words, lines, followed.names], () => {
    const nodes = lines.map(({ state, hand, when, what, who }) => {
      const link = (hand && linkTo(hand)) || el("div.");
      link.classList.add("schedule__line");
      link.append(el("span.schedule__when", when), el("b.schedule__what", what));
      link.append(el("span.schedule__who", ...markedNames(who, followed)));
      const node = el("li.schedule__item", link);
      setData(node, "state", state);
      if (state === "on") node.setAttribute("aria-current", "true");
      return node;
    });
    return [
      ...(words ? [el("p.schedule__words", words)] : []),
      ...(nodes.length ? [el("ol.schedule__items", ...nodes)] : []),
    ];
  });
}

/** @param {ScheduleItem} item */
export function titleOf({ title, game = 0, games = 0, deals = false }) {
  if (!title) return `Game ${game}`;
  if (game && games !== 1) return `${title}, ${deals ? "deal" : "game"} ${outOf(game, games)}`;
  return games > 1 ? `${title}, ${games} games` : title;
}

/** @param {ScheduleItem} item */
export function whenOf({ state, began = 0, begins }) {
  if (state === "on") return "Now";
  return state === "played" ? `${timeOfDay(began)} ${ZONE}` : begins ? aboutTime(begins) : "";
}

/**
 * Formats an expected time: "about 20:40 CET", or "20:30 to 21:10 CET" if the time is uncertain.
 *
 * @param {Moment} moment
 */
export function aboutTime([likely, earliest, latest]) {
  const wide = latest - earliest > WIDE_MS;
  return `${wide ? `${timeOfDay(earliest)} to ${timeOfDay(latest)}` : `about ${timeOfDay(likely)}`} ${ZONE}`;
}

/** @param {ShowSchedule} schedule */
function remarksText({ items = [], left = 0, due = [], ends = {}, blinds, names = {} }) {
  const lines = [];
  if (ends.show) lines.push(`End of the show: ${aboutTime(ends.show)}.`);
  if (blinds)
    lines.push(`Blinds of ${blinds.small}/${blinds.big}: ${blinds.begins ? aboutTime(blinds.begins) : "next"}.`);
  if (left && items.every((item) => item.state !== "to come" || !item.title))
    lines.push(left === 1 ? "1 game has not started yet." : `${left} games have not started yet.`);
  const waiting = due.map((bot) => names[bot] ?? "").filter(Boolean);
  if (waiting.length) lines.push(`Still to play in this round: ${waiting.join(", ")}.`);
  if (items.length && zoneNote()) lines.push(zoneNote());
  return lines.join(" ");
}
