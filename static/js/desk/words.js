/**
 * Formats times, paces and the state of the show for the operator's desk.
 *
 * @import { Controls, ShowStatus } from "./socket.js"
 */

import { timeOfDay, ZONE } from "../common/time-of-day.js";

/** "about 12 min, at 20:45 CET", or "not known yet" for 0. @type {(seconds: number) => string} */
export function timeLeftText(seconds) {
  if (!seconds) return "not known yet";
  const clock = `${timeOfDay(Date.now() + seconds * 1000)} ${ZONE}`;
  if (seconds < 90) return `${Math.round(seconds / 5) * 5} s, at ${clock}`;
  const minutes = Math.round(seconds / 60);
  const duration = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `about ${duration}, at ${clock}`;
}

/** "40 s", "12 min". @type {(seconds: number) => string} */
export function roughDuration(seconds) {
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** "1.5×". @type {(pace: number) => string} */
export function paceText(pace) {
  return pace ? `${Math.round(pace * 100) / 100}×` : "as fast as possible";
}

/**
 * Says what the governor is doing. The governor makes the first stage end on time.
 *
 * @type {(controls: Controls, status: ShowStatus) => string}
 */
export function governorWords({ started, governed }, { governor, timed }) {
  if (!governed) return "Off: you alone set the pace.";
  if (!timed) return "On, but it changes nothing: no end time is set.";
  if (!started) return "On: it begins with the tournament.";
  if (governor === 1) return "On: no change is needed just now.";
  const percent = Math.round(Math.abs(governor - 1) * 100);
  return `On: it makes the show ${percent} % ${governor > 1 ? "faster" : "slower"}, to end in time.`;
}

/** Formats seconds since 1970: "20:45:07". @type {(seconds: number) => string} */
export function timeWithSeconds(seconds) {
  return timeOfDay(seconds * 1000, "second");
}

/** @type {(status: ShowStatus) => string} */
export function handsAhead({ hands_ahead: hands, is_over }) {
  if (is_over) return "nothing: the tournament is over";
  if (!hands) return "the next hand, once the table has played it";
  return hands === 1 ? "1 hand is played and ready" : `${hands} hands are played and ready`;
}

/** @type {Record<string, string>} */
const SCENES = {
  starting: "the line-up",
  table: "the table",
  standings: "the standings",
  finalists: "the finalists",
  statistics: "the statistics",
  champion: "the champion",
  comparison: "the comparison of the deal",
  certainty: "how sure the title is",
  matrix: "who beats whom",
  reading: "the reading scores",
};

/** @type {(scene: string, controls: Controls) => string} */
export function onAirText(scene, { card, graphics }) {
  if (!graphics) return "nothing: the graphics are hidden";
  return card ? `the ${card.split(" ")[0]} card` : (SCENES[scene] ?? scene);
}
