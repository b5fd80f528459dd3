/**
 * The events that determine which cards are dealt, with the fields that the proof reads. All other events are about
 * play. `highnoon verify` proves them.
 *
 * @typedef {{ type: string } & Record<string, any>} RecordedEvent an event; its fields that `FIELDS` lists are valid
 * @typedef {(value: any) => boolean} Field whether a value is valid for the field
 */

/** @type {Field} */
const integer = (value) => Number.isSafeInteger(value);
/** @type {Field} */
const text = (value) => typeof value === "string";
/** @type {Field} */
const boolean = (value) => typeof value === "boolean";

/** @type {(field: Field) => Field} */
const list = (field) => (value) => Array.isArray(value) && value.every(field);
/** @type {Field} */
const entrant = (value) => value instanceof Object && integer(value.bot);

/** @type {Record<string, Record<string, Field>>} */
const FIELDS = {
  tournament_opened: {
    ...{ contest: text, title: text, entrants: list(entrant), seed_commitment: text, prizes_cents: list(integer) },
  },
  stage_started: {
    ...{ stage: integer, title: text, bots: list(integer), stacks: list(integer), seats: integer },
    ...{ even: boolean, series: boolean, duplicate: boolean, deals: integer },
  },
  stage_ended: { stage: integer, advancing: list(integer), draw_key: text },
  game_started: { game: integer, seats: list(integer), stacks: list(integer), draw_key: text, dealt_as: integer },
  game_ended: { stacks: list(integer) },
  bot_eliminated: { bot: integer, place: integer },
  bot_withdrawn: { bot: integer },
  hand_started: { hand: integer, button: integer, stacks: list(integer), deck_commitment: text },
  hole_dealt: { seat: integer, cards: list(text) },
  street_dealt: { street: text, cards: list(text) },
  hand_shown: { seat: integer, cards: list(text), best: list(text) },
  hand_ended: { deck_key: text },
  tournament_ended: { seed: text },
  season_opened: { title: text, seed_commitment: text },
  season_ended: { seed: text },
};
/** Fields that an event may omit. @type {Record<string, Record<string, any>>} */
const DEFAULTS = {
  tournament_opened: { prizes_cents: [] },
  stage_started: { seats: 6, even: false, series: false, duplicate: false, deals: 0 },
  stage_ended: { advancing: [], draw_key: "" },
  game_started: { draw_key: "", dealt_as: 0 },
  hand_shown: { best: [] },
};

/**
 * Converts the object of a line to an event; null if a field in `FIELDS` is missing or has the wrong type.
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
