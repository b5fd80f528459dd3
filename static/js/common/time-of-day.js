/**
 * Formats times of day, in the time zone of the machine that runs the show; on published pages, in the visitor's.
 */

const { utcOffset, zone } = globalThis.document?.documentElement.dataset ?? {};
const MINUTE_MS = 60_000;

const parts = new Intl.DateTimeFormat("en", { timeZoneName: "short" }).formatToParts();
/** The zone's name: "CET". */
export const ZONE = zone ?? parts.find(({ type }) => type === "timeZoneName")?.value ?? "";

/**
 * @param {number} ms since 1970
 * @param {"minute" | "second"} [to]
 * @returns {string} "20:45" or "20:45:07"
 */
export function timeOfDay(ms, to = "minute") {
  const offset = utcOffset === undefined ? -new Date(ms).getTimezoneOffset() : Number(utcOffset);
  return new Date(ms + offset * MINUTE_MS).toISOString().slice(11, to === "minute" ? 16 : 19);
}
