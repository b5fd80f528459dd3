/**
 * The data that a controller (the operator's program) may send to an OGraf graphic, a web component. Invalid data is
 * refused with a sentence that says why. Unknown data is ignored. No imports: the program that shows the graphic loads
 * this file unbundled.
 *
 * @typedef {{ hand: number, speed: number, theme: string, deck: string, background: boolean, text: string }} Data
 *   `hand`: the hand with which a recording begins; `text`: the text to show instead of the show's text
 */

const MAX_TEXT_CHARACTERS = 200;
const CHOICES = { theme: ["western", "plain"], deck: ["4", "2"] };
const NUMBERS = { hand: [0, 1_000_000, true], speed: [0.25, 8, false] };

/** @returns {Data} the data of a graphic before a controller sends any */
export function defaultData() {
  return { hand: 0, speed: 1, theme: "western", deck: "4", background: true, text: "" };
}

/**
 * @param {unknown} sent
 * @param {Data} before
 * @returns {Data | string} `before` with the fields of `sent`, or a sentence that says what is wrong
 */
export function readData(sent, before) {
  if (sent === undefined || sent === null) return before;
  if (typeof sent !== "object" || Array.isArray(sent)) return "data should be an object";
  /** @type {Record<string, unknown>} */
  const found = Object.fromEntries(Object.keys(before).map((key) => [key, Reflect.get(sent, key)]));
  const given = Object.entries(found).filter(([, value]) => value !== undefined);
  const fault = given.map(([key, value]) => faultOf(key, value)).find(Boolean);
  return fault ?? { ...before, ...Object.fromEntries(given) };
}

/** @param {string} key @param {unknown} value @returns {string | undefined} what is wrong with the value */
function faultOf(key, value) {
  if (key === "background") return typeof value === "boolean" ? undefined : "background should be true or false";
  if (key === "text") {
    const fits = typeof value === "string" && value.length <= MAX_TEXT_CHARACTERS;
    return fits ? undefined : `text should be a text of at most ${MAX_TEXT_CHARACTERS} characters`;
  }
  if (key === "theme" || key === "deck") {
    const choices = CHOICES[key];
    return choices.includes(String(value)) ? undefined : `${key} should be ${choices.join(" or ")}`;
  }
  const [min = 0, max = 0, mustBeWhole] = key === "hand" ? NUMBERS.hand : NUMBERS.speed;
  const fits = typeof value === "number" && value >= Number(min) && value <= Number(max);
  if (fits && (!mustBeWhole || Number.isInteger(value))) return undefined;
  return `${key} should be a ${mustBeWhole ? "whole " : ""}number from ${min} to ${max}`;
}
