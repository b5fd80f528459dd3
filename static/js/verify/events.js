/**
 * The events that say which cards fell and why, and the fields of each that count here. All other events of a recording
 * are about play; `highnoon verify` proves those.
 *
 * @typedef {{ type: string } & Record<string, any>} RecordedEvent with the fields that count
 * @typedef {(value: any) => boolean} Field whether a value may stand there
 */

/** @type {Field} */
const whole = (value) => Number.isSafeInteger(value);
/** @type {Field} */
const text = (value) => typeof value === "string";
/** @type {Field} */
const truth = (value) => typeof value === "boolean";

/** @type {(field: Field) => Field} */
const list = (field) => (value) => Array.isArray(value) && value.every(field);
/** @type {Field} */
const entrant = (value) => value instanceof Object && whole(value.bot);

/** @type {Record<string, Record<string, Field>>} */
const FIELDS = {
  tournament_opened: {
    ...{ contest: text, title: text, entrants: list(entrant), seed_commitment: text, prizes_cents: list(whole) },
  },
  stage_started: {
    ...{ stage: whole, title: text, bots: list(whole), stacks: list(whole), seats: whole },
    ...{ even: truth, series: truth, duplicate: truth },
  },
  stage_ended: { stage: whole, advancing: list(whole), draw_key: text },
  game_started: { game: whole, seats: list(whole), stacks: list(whole), draw_key: text, dealt_as: whole },
  game_ended: { stacks: list(whole) },
  bot_eliminated: { bot: whole, place: whole },
  bot_withdrawn: { bot: whole },
  hand_started: { hand: whole, button: whole, stacks: list(whole), deck_commitment: text },
  hole_dealt: { seat: whole, cards: list(text) },
  street_dealt: { street: text, cards: list(text) },
  hand_shown: { seat: whole, cards: list(text), best: list(text) },
  hand_ended: { deck_key: text },
  tournament_ended: { seed: text },
  season_opened: { title: text, seed_commitment: text },
  season_ended: { seed: text },
};
/** What an event may leave out. @type {Record<string, Record<string, any>>} */
const DEFAULTS = {
  tournament_opened: { prizes_cents: [] },
  stage_started: { seats: 6, even: false, series: false, duplicate: false },
  stage_ended: { advancing: [], draw_key: "" },
  game_started: { draw_key: "", dealt_as: 0 },
  hand_shown: { best: [] },
};

/**
 * The object of a line as an event; null where a field that counts is missing or of another kind.
 *
 * @param {Record<string, any>} recorded
 * @returns {RecordedEvent | null}
 */
export function eventFrom(recorded) {
  const { type } = recorded;
  if (typeof type !== "string") return null;
  const fields = Object.hasOwn(FIELDS, type) ? FIELDS[type] : {};
  /** @type {RecordedEvent} */
  const event = { ...DEFAULTS[type], ...recorded, type };
  return Object.entries(fields).every(([name, field]) => field(event[name])) ? event : null;
}
