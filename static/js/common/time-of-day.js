/**
 * Formats times of day. Pages of a running show use the time zone of the show's machine. Published pages use the
 * visitor's time zone.
 */

const { utcOffset, zone } = globalThis.document?.documentElement.dataset ?? {};
const MINUTE_MS = 60_000;

const parts = new Intl.DateTimeFormat("en", { timeZoneName: "short" }).formatToParts();
/** The zone's name: "CET". */
export const ZONE = zone ?? parts.find(({ type }) => type === "timeZoneName")?.value ?? "";

/**
 * @param {number} ms since 1970
 * @param {"minute" | "second"} [precision]
 * @returns {string} "20:45" or "20:45:07"
 */
export function timeOfDay(ms, precision = "minute") {
  const offset = utcOffset === undefined ? -new Date(ms).getTimezoneOffset() : Number(utcOffset);
  return new Date(ms + offset * MINUTE_MS).toISOString().slice(11, precision === "minute" ? 16 : 19);
}

/**
 * @param {number} [ms] since 1970
 * @returns {string} a sentence about the difference between the visitor's time zone and the page's, or "" if there is
 *   no difference
 */
export function zoneNote(ms = Date.now()) {
  const minutesAhead = utcOffset === undefined ? 0 : -new Date(ms).getTimezoneOffset() - Number(utcOffset);
  if (!minutesAhead) return "";
  const minutes = Math.abs(minutesAhead);
  const apart = [minutes >= 60 && `${Math.floor(minutes / 60)} h`, minutes % 60 && `${minutes % 60} min`];
  return `Times are in ${ZONE}, as at the show; your clock is ${apart.filter(Boolean).join(" ")} ${minutesAhead > 0 ? "ahead" : "behind"}.`;
}
