/**
 * The events that a recording can hold, and the fields that each must have. Other fields are ignored.
 *
 * @typedef {{ type: string } & Record<string, any>} Happening every field of its kind, in this order
 * @typedef {(value: any) => any} Field the value as it counts; undefined where it is none
 */

/** @type {Field} */
const whole = (value) => (Number.isSafeInteger(value) ? value + 0 : undefined);
/** @type {Field} */
const text = (value) => (typeof value === "string" && !/\p{Surrogate}/u.test(value) ? value : undefined);
/** @type {Field} */
const truth = (value) => (typeof value === "boolean" ? value : undefined);
/** @type {Field} */
const setting = (value) => (typeof value === "number" ? value : (truth(value) ?? text(value)));

/**
 * @param {...string} words
 * @returns {Field}
 */
const one =
  (...words) =>
  (value) =>
    words.includes(value) ? value : undefined;

/**
 * @param {Field} field
 * @returns {Field}
 */
const list = (field) => (value) => {
  if (!Array.isArray(value)) return undefined;
  const fields = value.map(field);
  return fields.includes(undefined) ? undefined : fields;
};

/**
 * A field that may be left out.
 *
 * @param {Field} field
 * @param {any} otherwise
 * @returns {Field}
 */
const or = (field, otherwise) => (value) => (value === undefined ? otherwise : field(value));

/**
 * @param {Record<string, Field>} fields
 * @returns {Field}
 */
const record = (fields) => (value) => {
  if (!value || typeof value !== "object" || Array.isArray(value)) return undefined;
  /** @type {Record<string, any>} */
  const read = {};
  for (const [name, field] of Object.entries(fields)) {
    read[name] = field(Object.hasOwn(value, name) ? value[name] : undefined);
    if (read[name] === undefined) return undefined;
  }
  return read;
};

const fault = one("", "timeout", "malformed", "illegal", "disconnected");
const wholes = list(whole);
const cards = list(text);

const LEVEL = record({ small: whole, big: whole, ante: or(whole, 0) });
const RULES = record({
  levels: or(list(LEVEL), [{ small: 50, big: 100, ante: 0 }]),
  hands_per_level: or(whole, 0),
  think_ms: or(whole, 3000),
  later_streets_from: or(one("button", "big_blind"), "button"),
  heads_up_button_posts: or(one("small", "big"), "small"),
  blinds: or(one("posted", "asked"), "posted"),
  ante_from: or(one("everyone", "big_blind"), "everyone"),
  min_raise: or(one("last_raise", "one_chip"), "last_raise"),
  raise_laps: or(whole, 0),
  raise_out_of_range: or(one("refuse", "refuse_low", "clamp"), "refuse"),
  bet_cap: or(one("stack", "shortest_stack"), "stack"),
  ask_when_all_in: or(truth, false),
  fault_costs: or(one("hand", "game"), "hand"),
  refused_checks: or(truth, false),
  odd_chips: or(one("first_in_order", "last_in_order"), "first_in_order"),
  show: or(one("all", "showdown", "winners", "loser_if_aggressor"), "showdown"),
  edition: or((value) => (value === 2 ? 2 : undefined), 1),
});
const ENTRANT = record({
  bot: whole,
  name: text,
  player: or(text, ""),
  avatar: or(text, ""),
  particle: or(text, ""),
  sound: or(text, ""),
  sound_ms: or(whole, 0),
  rating: or(whole, 0),
  version: or(text, ""),
});

/** @type {Record<string, Record<string, Field>>} */
const OF_A_CONTEST = {
  tournament_opened: {
    contest: text,
    title: text,
    rules: RULES,
    starting_stack: whole,
    entrants: list(ENTRANT),
    seed_commitment: text,
    prizes_cents: or(wholes, []),
  },
  stage_started: {
    stage: whole,
    title: text,
    games: whole,
    hands: whole,
    bots: wholes,
    stacks: wholes,
    advance: or(whole, 0),
    seats: or(whole, 6),
    carry: or(truth, false),
    even: or(truth, false),
    next_title: or(text, ""),
    series: or(truth, false),
  },
  stage_cut: { stage: whole },
  stage_ended: { stage: whole, ranking: wholes, stacks: wholes, advancing: or(wholes, []), draw_key: or(text, "") },
  game_started: { game: whole, hands: whole, seats: wholes, stacks: wholes, draw_key: or(text, "") },
  game_forfeited: { game: whole, seat: whole, fault },
  game_ended: { game: whole, stacks: wholes, ranking: or(wholes, []) },
  bot_rated: { game: whole, bot: whole, rating: whole, was: whole },
  bot_eliminated: { bot: whole, seat: whole, place: whole },
  bot_withdrawn: { bot: whole, reason: text },
  tournament_ended: {
    placings: list(record({ place: whole, bot: whole, stack: whole, prize_cents: or(whole, 0) })),
    seed: text,
  },
};

/** @type {Record<string, Record<string, Field>>} */
const OF_A_HAND = {
  hand_started: {
    hand: whole,
    button: whole,
    small_blind: whole,
    big_blind: whole,
    ante: whole,
    stacks: wholes,
    deck_commitment: text,
  },
  blind_posted: { seat: whole, blind: one("ante", "small", "big"), amount: whole, all_in: truth },
  hole_dealt: { seat: whole, cards },
  turn_started: {
    seat: whole,
    to_call: whole,
    min_raise_to: whole,
    max_raise_to: whole,
    think_ms: whole,
    blind: or(one("", "small", "big"), ""),
  },
  action_taken: {
    seat: whole,
    act: one("fold", "check", "call", "bet", "raise"),
    amount: whole,
    bet: whole,
    all_in: truth,
    think_ms: whole,
    fault: or(fault, ""),
    declared: or(one("all_in"), ""),
  },
  seat_vacated: { seat: whole, amount: whole },
  bet_returned: { seat: whole, amount: whole },
  bets_collected: { pots: list(record({ amount: whole, seats: wholes })) },
  street_dealt: { street: one("flop", "turn", "river"), cards },
  hand_shown: { seat: whole, cards, ranking: or(text, ""), best: or(cards, []) },
  pot_awarded: { pot: whole, amount: whole, awards: list(record({ seat: whole, amount: whole })) },
  hand_ended: { stacks: wholes, deck_key: text },
};

const CONTROLS = [
  ...["started", "paused", "held", "speed", "governed", "card", "graphics", "sound", "stage_end", "unseen"],
  ...["chat", "media"],
];

/** What bots and the operator did beside the game; it proves nothing and changes nothing. @type {typeof OF_A_HAND} */
const BESIDE = {
  bot_connected: { bot: whole },
  bot_disconnected: { bot: whole, reason: text },
  fault_noted: { bot: whole, fault, detail: text },
  chat_sent: { bot: whole, text },
  note_given: { bot: whole, action: whole, text },
  control_set: {
    control: one(...CONTROLS),
    value: setting,
    was: setting,
    bot: or(whole, 0),
    operator: or(text, ""),
    undoes: or(whole, 0),
  },
  cue_given: { cue: one("next", "replay", "best"), operator: or(text, "") },
};

const pair = (/** @type {any} */ value) => (Array.isArray(value) && value.length === 2 ? wholes(value) : undefined);
/** The events of a season's ledger. @type {typeof OF_A_HAND} */
const OF_A_SEASON = {
  season_opened: { title: text, seed_commitment: text },
  player_entered: { player: whole, name: text, seal: or(text, "") },
  player_removed: { player: whole },
  bot_uploaded: { upload: whole, player: whole, name: text, digest: or(text, "") },
  bot_built: { upload: whole, fault: or(text, "") },
  bot_tested: { upload: whole, fault: or(text, "") },
  bot_activated: { upload: whole },
  draw_begun: { draw: whole, order: wholes },
  game_paired: { game: whole, draw: whole, uploads: pair, ratings: pair },
  game_rated: {
    game: whole,
    stacks: pair,
    ratings: pair,
    hands: whole,
    forfeited: or(whole, -1),
    fault: or(fault, ""),
    reason: or(text, ""),
  },
  game_voided: { game: whole, reason: text },
  season_ended: { seed: text },
};

/** @type {ReadonlyMap<string, Field>} */
const KINDS = new Map(
  Object.entries({ ...OF_A_CONTEST, ...OF_A_HAND, ...BESIDE, ...OF_A_SEASON }).map(([type, fields]) => [
    type,
    record({ type: one(type), ...fields }),
  ]),
);

/**
 * A line's object as what happened; null where it is nothing that can happen.
 *
 * @param {Record<string, any>} recorded
 * @returns {Happening | null}
 */
export function happening(recorded) {
  return KINDS.get(recorded.type)?.(recorded) ?? null;
}

/**
 * The same, of our own making.
 *
 * @param {string} type
 * @param {Record<string, any>} fields
 * @returns {Happening}
 */
export function expected(type, fields) {
  const event = happening({ type, ...fields });
  if (!event) throw new RangeError(`${type} cannot be like that`);
  return event;
}

/**
 * The complete rules of a table: those that a recording leaves out have their default values.
 *
 * @param {Record<string, unknown>} recorded
 * @returns {Record<string, any>}
 */
export function rulesFrom(recorded) {
  return RULES(recorded);
}

/** @param {Happening} event */
export function isOfAHand(event) {
  return Object.hasOwn(OF_A_HAND, event.type);
}

/** @param {Happening} event */
export function isOfAContest(event) {
  return Object.hasOwn(OF_A_CONTEST, event.type);
}

/** @param {Happening} event */
export function isOfASeason(event) {
  return Object.hasOwn(OF_A_SEASON, event.type);
}
