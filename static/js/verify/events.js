/**
 * The events that say which cards were dealt and why, with the fields that matter here. All others are about play,
 * which `highnoon verify` proves.
 *
 * @typedef {{ type: string } & Record<string, any>} RecordedEvent with the fields that matter
 * @typedef {(value: any) => boolean} Field whether a value is valid for the field
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
/** Fields that an event may omit. @type {Record<string, Record<string, any>>} */
const DEFAULTS = {
  tournament_opened: { prizes_cents: [] },
  stage_started: { seats: 6, even: false, series: false, duplicate: false },
  stage_ended: { advancing: [], draw_key: "" },
  game_started: { draw_key: "", dealt_as: 0 },
  hand_shown: { best: [] },
};

/**
 * The object of a line as an event; null if a field that matters is missing or has the wrong type.
 *
 * @type {(recorded: Record<string, any>) => RecordedEvent | null}
 */
export function eventFrom(recorded) {
  const { type } = recorded;
  if (typeof type !== "string") return null;
  const fields = Object.hasOwn(FIELDS, type) ? FIELDS[type] : {};
  /** @type {RecordedEvent} */
  const event = { ...DEFAULTS[type], ...recorded, type };
  return Object.entries(fields).every(([name, field]) => field(event[name])) ? event : null;
}
