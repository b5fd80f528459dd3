/**
 * The fields of the picture: plain JSON values, as in `broadcast/on_air/picture_state.py`. No imports.
 *
 * @import { Bot, Seat, State } from "../common/types.js"
 */

/** The fields of a table on which no hand is played. They also clear a finished hand. */
export const FRESH_TABLE = {
  focus: /** @type {State["focus"]} */ ({ near: "table", seats: [], seat: null, role: "" }),
  ...{ turn: null, board: [], pot: 0, pots: [], awards: [], lit: [], stakes: null, duel: null },
  win: /** @type {State["win"]} */ (""),
};

/** The picture before the first entry. @type {() => State} */
export function initialState() {
  return {
    ...FRESH_TABLE,
    seq: 0,
    at_ms: 0,
    scene: "starting",
    tournament: { contest: "", title: "", starting_stack: 0, prizes_cents: [] },
    bots: {},
    stage: null,
    game: null,
    hand: null,
    seats: [],
    wins: 0,
    chat: [],
    standings: { rows: [], advance: 0 },
    statistics: { rows: [], notices: [], hands: 0, crosstable: [], awards: [] },
    marks: [],
    history: {},
    title_odds: {},
    caption: "",
    placings: [],
    replay: null,
    desk: { card: "", graphics: true, sound: true, chat_off: [], media_off: [], speed: 1, trouble: "", view: "" },
  };
}

/** The chances of a seat whose chances are unknown. */
export const UNKNOWN_CHANCE = { win: null, tie: null };

/** @type {(bot: number, stack: number) => Seat} */
export function newSeat(bot, stack) {
  return {
    bot,
    stack,
    bet: 0,
    street_bet: 0,
    committed: 0,
    blind: "",
    cards: [],
    dealt_in: false,
    folded: false,
    all_in: false,
    act: "",
    fault: "",
    won: 0,
    ranking: "",
    best: [],
    place: 0,
    unseated: false,
    ...UNKNOWN_CHANCE,
    away: false,
  };
}

/** The bots at the table, by seat. @param {State} state */
export function botsBySeat(state) {
  return state.seats.map((seat) => seat.bot);
}

/** @type {(bots: State["bots"], botNumbers: number[], stacks: number[], changes?: Partial<Bot>) => State["bots"]} */
export function withStacks(bots, botNumbers, stacks, changes = {}) {
  const after = { ...bots };
  botNumbers.forEach((bot, index) => {
    const known = after[bot];
    if (known) after[bot] = { ...known, stack: stacks[index] ?? 0, ...changes };
  });
  return after;
}
