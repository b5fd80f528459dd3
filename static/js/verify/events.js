/**
 * The events that determine which cards are dealt, with the fields that the proof reads. All other events are about
 * play, which `highnoon verify` proves.
 *
 * @typedef {{ type: string } & Record<string, any>} RecordedEvent an event whose fields have been checked
 * @typedef {(value: any) => boolean} FieldCheck whether a value is valid for the field
 */

/** @type {FieldCheck} */
const isInteger = (value) => Number.isSafeInteger(value);
/** @type {FieldCheck} */
const isText = (value) => typeof value === "string";
/** @type {FieldCheck} */
const isBoolean = (value) => typeof value === "boolean";

/** @type {(field: FieldCheck) => FieldCheck} */
const listOf = (field) => (value) => Array.isArray(value) && value.every(field);
/** @type {FieldCheck} */
const isEntrant = (value) => value instanceof Object && isInteger(value.bot);

/** `dealt_as` is the game whose decks a game repeats, or 0. @type {Record<string, Record<string, FieldCheck>>} */
const FIELDS = {
  tournament_opened: {
    ...{
      contest: isText,
      title: isText,
      entrants: listOf(isEntrant),
      seed_commitment: isText,
      prizes_cents: listOf(isInteger),
    },
  },
  stage_started: {
    ...{ stage: isInteger, title: isText, bots: listOf(isInteger), stacks: listOf(isInteger), seats: isInteger },
    ...{ even: isBoolean, series: isBoolean, duplicate: isBoolean, deals: isInteger },
  },
  stage_ended: { stage: isInteger, advancing: listOf(isInteger), draw_key: isText },
  game_started: {
    game: isInteger,
    seats: listOf(isInteger),
    stacks: listOf(isInteger),
    draw_key: isText,
    dealt_as: isInteger,
  },
  game_ended: { stacks: listOf(isInteger) },
  bot_eliminated: { bot: isInteger, place: isInteger },
  bot_withdrawn: { bot: isInteger },
  hand_started: { hand: isInteger, button: isInteger, stacks: listOf(isInteger), deck_commitment: isText },
  hole_dealt: { seat: isInteger, cards: listOf(isText) },
  street_dealt: { street: isText, cards: listOf(isText) },
  hand_shown: { seat: isInteger, cards: listOf(isText), best: listOf(isText) },
  hand_ended: { deck_key: isText },
  tournament_ended: { seed: isText },
  season_opened: { title: isText, seed_commitment: isText },
  season_ended: { seed: isText },
};
/** The values of fields that an event may omit. @type {Record<string, Record<string, any>>} */
const DEFAULTS = {
  tournament_opened: { prizes_cents: [] },
  stage_started: { seats: 6, even: false, series: false, duplicate: false, deals: 0 },
  stage_ended: { advancing: [], draw_key: "" },
  game_started: { draw_key: "", dealt_as: 0 },
  hand_shown: { best: [] },
};

/**
 * Converts the object of a line to an event, or to null if a field in `FIELDS` is missing or has the wrong type.
 *
 * @type {(recorded: Record<string, any>) => RecordedEvent | null}
 */
export function parseEvent(recorded) {
  const { type } = recorded;
  if (typeof type !== "string") return null;
  const fields = Object.hasOwn(FIELDS, type) ? FIELDS[type] : {};
  /** @type {RecordedEvent} */
  const event = { ...DEFAULTS[type], ...recorded, type };
  return Object.entries(fields).every(([name, field]) => field(event[name])) ? event : null;
}
