/**
 * The picture after each entry: one pure function per event. State is plain JSON and the very same as
 * `broadcast/on_air/picture.py` makes of the same entries. No DOM, no clock, no imports.
 *
 * @import { Award, Bot, Card, Entry, OnAirEvent, Seat, State } from "../common/types.js"
 */

const CHAT_KEPT = 8;
const HISTORY_KEPT = 120;
const MARKS_KEPT = 20;
/** Letters that fit on a poster; bots that are called may have longer names. */
const LONGEST_NAME = 30;

/**
 * The picture before the first entry.
 *
 * @returns {State}
 */
export function opening() {
  return {
    seq: 0,
    at_ms: 0,
    scene: "starting",
    tournament: { contest: "", title: "", starting_stack: 0, prizes_cents: [] },
    bots: {},
    stage: null,
    game: null,
    hand: null,
    seats: [],
    turn: null,
    board: [],
    pot: 0,
    pots: [],
    awards: [],
    lit: [],
    chat: [],
    standings: { rows: [], advance: 0 },
    statistics: { rows: [], notices: [] },
    marks: [],
    history: {},
    caption: "",
    placings: [],
    duel: null,
    replay: null,
    desk: { card: "", graphics: true, sound: true, chat_off: [], media_off: [], speed: 1, trouble: "" },
  };
}

/**
 * The picture after `entry`. Entries it does not know change nothing but number and time.
 *
 * @param {State} state
 * @param {Entry} entry
 * @returns {State}
 */
export function reduce(state, entry) {
  const fold = Object.hasOwn(FOLDS, entry.type) ? FOLDS[entry.type] : undefined;
  const changes = fold ? fold(state, entry, entry) : {};
  return { ...state, ...changes, seq: entry.seq, at_ms: entry.at_ms };
}

/** What a hand leaves on the table is swept away with these. */
const SWEPT = { turn: null, board: [], pot: 0, pots: [], awards: [], lit: [], duel: null };

/** There is nothing to say about a seat's chances. */
const NO_CHANCE = { win: null, tie: null };

/**
 * What each event changes in the picture; one that is not here shows nothing.
 *
 * @type {{ [T in OnAirEvent["type"]]?: (state: State, event: any, stamp: Entry) => Partial<State> }}
 */
export const FOLDS = {
  tournament_opened: (state, /** @type {import("../common/types.js").TournamentOpened} */ event) => ({
    ...opening(),
    tournament: {
      contest: event.contest,
      title: event.title,
      starting_stack: event.starting_stack,
      prizes_cents: event.prizes_cents ?? [],
    },
    bots: Object.fromEntries(event.entrants.map((entrant) => [entrant.bot, entered(entrant, event.starting_stack)])),
    desk: state.desk,
  }),

  bot_connected: (state, /** @type {import("../common/types.js").BotConnected} */ event) =>
    withBot(state, event.bot, { presence: "here" }),
  bot_disconnected: (state, /** @type {import("../common/types.js").BotLost} */ event) =>
    withBot(state, event.bot, { presence: "lost" }),
  bot_withdrawn: (state, /** @type {import("../common/types.js").BotLost} */ event) =>
    withBot(state, event.bot, { presence: "lost" }),

  stage_started: (state, /** @type {import("../common/types.js").StageStarted} */ event) => ({
    ...SWEPT,
    scene: state.stage ? "finalists" : "starting",
    stage: {
      stage: event.stage,
      title: event.title,
      games: event.games,
      hands: event.hands,
      bots: event.bots,
      advance: event.advance ?? 0,
      next_title: event.next_title ?? "",
      series: event.series ?? false,
      first_game: 1 + (state.game?.game ?? 0),
    },
    game: null,
    hand: null,
    seats: [],
    caption: "",
    standings: { rows: [], advance: 0 },
    bots: withStacks(state.bots, event.bots, event.stacks, { wins: 0 }),
    history: Object.fromEntries(event.bots.map((bot, at) => [bot, [event.series ? 0 : (event.stacks[at] ?? 0)]])),
  }),

  game_started: (state, /** @type {import("../common/types.js").GameStarted} */ event) => ({
    ...SWEPT,
    scene: "table",
    game: { game: event.game, hands: event.hands, over: false },
    hand: null,
    seats: event.seats.map((bot, at) => seatOf(bot, event.stacks[at] ?? 0)),
    bots: withStacks(state.bots, event.seats, event.stacks, { place: 0 }),
  }),

  game_ended: (state, /** @type {import("../common/types.js").GameEnded} */ event) => {
    const bots = withWin(withStacks(state.bots, sitting(state), event.stacks), event.ranking?.[0]);
    return {
      ...duelOver(state),
      bots,
      history: grown(state.history, bots, state.stage?.series ? "wins" : "stack"),
      game: state.game && { ...state.game, over: true },
    };
  },

  bot_eliminated: (state, /** @type {import("../common/types.js").BotEliminated} */ event) => {
    const changes = {
      ...withBot(state, event.bot, { place: event.place }),
      seats: state.seats.map((seat) => (seat.bot === event.bot ? { ...seat, place: event.place } : seat)),
    };
    const loser = sitting(state).indexOf(event.bot);
    if (loser < 0 || state.seats[loser]?.unseated) return changes;
    const duel = { bot: event.bot, place: event.place, by: takers(state, loser) };
    return { ...changes, scene: "duel", duel };
  },

  game_forfeited: (state, /** @type {import("../common/types.js").GameForfeited} */ event) => {
    const chips = state.seats.reduce((sum, seat) => sum + seat.stack, 0);
    const seats = state.seats.map((seat, at) =>
      at === event.seat ? { ...seat, stack: 0, fault: event.fault } : { ...seat, stack: chips },
    );
    const stacks = seats.map((seat) => seat.stack);
    return { seats, bots: withStacks(state.bots, sitting(state), stacks) };
  },

  bot_rated: (state, /** @type {import("../common/types.js").BotRated} */ event) =>
    withBot(state, event.bot, { rating: event.rating }),

  stage_ended: (state, /** @type {import("../common/types.js").StageEnded} */ event) => ({
    ...duelOver(state),
    bots: withStacks(state.bots, event.ranking, event.stacks),
  }),

  tournament_ended: (_state, /** @type {import("../common/types.js").TournamentEnded} */ event) => ({
    scene: "champion",
    placings: event.placings.map((line) => ({ ...line, prize_cents: line.prize_cents ?? 0 })),
  }),

  hand_started: (state, /** @type {import("../common/types.js").HandStarted} */ event) => ({
    ...SWEPT,
    scene: state.replay ? "replay" : "table",
    hand: {
      hand: event.hand,
      button: event.button,
      small_blind: event.small_blind,
      big_blind: event.big_blind,
      ante: event.ante,
      street: "preflop",
      over: false,
    },
    caption: "",
    seats: state.seats.map((seat, at) => {
      const stack = event.stacks[at] ?? 0;
      return { ...seatOf(seat.bot, stack), dealt_in: stack > 0, place: seat.place };
    }),
  }),

  blind_posted: (state, /** @type {import("../common/types.js").BlindPosted} */ event) => ({
    turn: null,
    pot: state.pot + event.amount,
    seats: withSeat(state, event.seat, (seat) => ({
      stack: seat.stack - event.amount,
      bet: seat.bet + (event.blind === "ante" ? 0 : event.amount),
      committed: seat.committed + event.amount,
      blind: event.blind === "ante" ? seat.blind : event.blind,
      all_in: event.all_in,
    })),
  }),

  hole_dealt: (state, /** @type {import("../common/types.js").HoleDealt} */ event) => ({
    seats: withSeat(state, event.seat, () => ({ cards: event.cards })),
  }),

  turn_started: (_state, /** @type {import("../common/types.js").TurnStarted} */ event) => ({
    turn: {
      seat: event.seat,
      to_call: event.to_call,
      min_raise_to: event.min_raise_to,
      max_raise_to: event.max_raise_to,
      think_ms: event.think_ms,
    },
  }),

  action_taken: (state, /** @type {import("../common/types.js").ActionTaken} */ event) => ({
    turn: null,
    pot: state.pot + event.amount,
    seats: withSeat(state, event.seat, (seat) => ({
      stack: seat.stack - event.amount,
      bet: event.bet,
      committed: seat.committed + event.amount,
      folded: event.act === "fold",
      all_in: event.all_in,
      act: event.act,
      fault: event.fault ?? "",
    })),
  }),

  seat_vacated: (state, /** @type {import("../common/types.js").SeatVacated} */ event) => ({
    seats: withSeat(state, event.seat, (seat) => ({ stack: seat.stack - event.amount, folded: true, unseated: true })),
  }),

  bet_returned: (state, /** @type {import("../common/types.js").BetReturned} */ event) => ({
    pot: state.pot - event.amount,
    seats: withSeat(state, event.seat, (seat) => ({
      stack: seat.stack + event.amount,
      bet: seat.bet - event.amount,
      committed: seat.committed - event.amount,
      all_in: seat.all_in && event.amount === 0,
    })),
  }),

  bets_collected: (state, /** @type {import("../common/types.js").BetsCollected} */ event) => ({
    pots: event.pots,
    seats: state.seats.map((seat) => (seat.bet ? { ...seat, bet: 0 } : seat)),
  }),

  street_dealt: (state, /** @type {import("../common/types.js").StreetDealt} */ event) => ({
    hand: state.hand && { ...state.hand, street: event.street },
    board: [...state.board, ...event.cards],
    seats: state.seats.map((seat) => (seat.all_in || seat.folded ? seat : { ...seat, act: "", fault: "" })),
  }),

  hand_shown: (state, /** @type {import("../common/types.js").HandShown} */ event) => ({
    turn: null,
    seats: withSeat(state, event.seat, () => ({
      cards: event.cards,
      ranking: event.ranking ?? "",
      best: event.best ?? [],
    })),
  }),

  pot_awarded: (state, /** @type {import("../common/types.js").PotAwarded} */ event) => ({
    turn: null,
    pot: state.pot - event.amount,
    awards: [...state.awards, { pot: event.pot, amount: event.amount, awards: event.awards }],
    lit: litBy(state, event.awards),
    seats: state.seats.map((seat, at) => ({ ...paid(seat, at, event.awards), ...NO_CHANCE })),
  }),

  hand_ended: (state, /** @type {import("../common/types.js").HandEnded} */ event) => ({
    turn: null,
    hand: state.hand && { ...state.hand, over: true },
    bots: withStacks(state.bots, sitting(state), event.stacks),
    seats: state.seats.map((seat, at) => ({ ...seat, stack: event.stacks[at] ?? 0 })),
  }),

  chat_sent: (state, /** @type {import("../common/types.js").ChatSent} */ event, stamp) => ({
    chat: [...state.chat, { seq: stamp.seq, at_ms: stamp.at_ms, bot: event.bot, text: event.text }].slice(-CHAT_KEPT),
  }),

  standings_changed: (state, /** @type {import("../common/types.js").StandingsChanged} */ event) => ({
    scene: state.game && !state.game.over ? state.scene : "standings",
    standings: {
      rows: event.rows.map((row) => ({ ...row, place: row.place ?? 0, wins: row.wins ?? 0 })),
      advance: event.advance ?? 0,
    },
  }),

  equities_changed: (state, /** @type {import("../common/types.js").EquitiesChanged} */ event) => {
    const known = new Map(event.chances.map(({ seat, win, tie }) => [seat, { win, tie }]));
    return { seats: state.seats.map((seat, at) => ({ ...seat, ...(known.get(at) ?? NO_CHANCE) })) };
  },

  statistics_changed: (_state, /** @type {import("../common/types.js").StatisticsChanged} */ event) => ({
    statistics: { rows: event.rows, notices: event.notices },
  }),

  highlight_marked: (state, /** @type {import("../common/types.js").HighlightMarked} */ event) => {
    const mark = {
      mark: event.mark,
      game: state.game?.game ?? 0,
      hand: event.hand,
      bots: event.seats.map((seat) => state.seats[seat]?.bot ?? 0),
      score: event.score,
    };
    return { marks: [...state.marks, mark].slice(-MARKS_KEPT) };
  },

  caption_spoken: (_state, /** @type {import("../common/types.js").CaptionSpoken} */ event) => ({
    caption: event.text,
  }),

  replay_started: (state, /** @type {import("../common/types.js").ReplayStarted} */ event) => ({
    ...event.picture,
    ...SWEPT,
    scene: "replay",
    hand: null,
    seats: event.picture.seats.map((seat) => ({ ...seatOf(seat.bot, seat.stack), place: seat.place })),
    caption: event.told,
    replay: { hand: event.hand, before: state.replay?.before ?? state },
    desk: state.desk,
  }),

  replay_ended: (state) => (state.replay ? { ...state.replay.before, desk: state.desk } : {}),

  control_set: (state, /** @type {import("../common/types.js").ControlSet} */ event) => {
    const { desk } = state;
    const { control, value, bot } = event;
    if (control === "card" || control === "graphics" || control === "sound") {
      return { desk: { ...desk, [control]: value } };
    }
    if (control !== "chat" && control !== "media") return {};
    const listed = control === "chat" ? "chat_off" : "media_off";
    const others = desk[listed].filter((each) => each !== bot);
    return { desk: { ...desk, [listed]: value ? others : [...others, bot ?? 0].sort((one, other) => one - other) } };
  },

  pace_changed: (state, /** @type {import("../common/types.js").PaceChanged} */ event) => ({
    desk: { ...state.desk, speed: event.speed },
  }),

  trouble_shown: (state, /** @type {import("../common/types.js").TroubleShown} */ event) => ({
    desk: { ...state.desk, trouble: event.text },
  }),
};

/**
 * @param {Partial<import("../common/types.js").Entrant> & { bot: number, name: string }} entrant
 * @param {number} stack
 * @returns {Bot}
 */
function entered(entrant, stack) {
  return {
    bot: entrant.bot,
    name: shortName(entrant.name),
    player: shortName(entrant.player ?? ""),
    avatar: entrant.avatar ?? "",
    particle: entrant.particle ?? "",
    sound: entrant.sound ?? "",
    sound_ms: entrant.sound_ms ?? 0,
    rating: entrant.rating ?? 0,
    stack,
    place: 0,
    presence: "",
    wins: 0,
  };
}

/** @param {string} name */
function shortName(name) {
  const letters = [...name];
  return letters.length <= LONGEST_NAME ? name : `${letters.slice(0, LONGEST_NAME - 1).join("")}…`;
}

/**
 * @param {number} bot
 * @param {number} stack
 * @returns {Seat}
 */
function seatOf(bot, stack) {
  return {
    bot,
    stack,
    bet: 0,
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
    ...NO_CHANCE,
  };
}

/**
 * @param {State} state
 * @returns {number[]}
 */
function sitting(state) {
  return state.seats.map((seat) => seat.bot);
}

/**
 * Whoever lost a duel has been seen to lose it.
 *
 * @param {State} state
 * @returns {Partial<State>}
 */
function duelOver(state) {
  return state.scene === "duel" ? { scene: "table", duel: null } : {};
}

/**
 * The bots that won the last pot the seat's chips were in: they had it covered.
 *
 * @param {State} state
 * @param {number} loser
 * @returns {number[]}
 */
function takers(state, loser) {
  const last = state.pots.findLastIndex((pot) => pot.seats.includes(loser));
  const shares = state.awards.filter((share) => share.pot === last);
  return shares.flatMap((share) => share.awards.map((award) => state.seats[award.seat]?.bot ?? 0));
}

/**
 * @param {State} state
 * @param {number} bot
 * @param {Partial<Bot>} changes
 */
function withBot(state, bot, changes) {
  const known = state.bots[bot];
  return { bots: known ? { ...state.bots, [bot]: { ...known, ...changes } } : state.bots };
}

/**
 * @param {Record<string, Bot>} bots
 * @param {number[]} numbers
 * @param {number[]} stacks
 * @param {Partial<Bot>} changes of all of them
 */
function withStacks(bots, numbers, stacks, changes = {}) {
  const after = { ...bots };
  numbers.forEach((bot, at) => {
    const known = after[bot];
    if (known) after[bot] = { ...known, stack: stacks[at] ?? 0, ...changes };
  });
  return after;
}

/**
 * @param {Record<string, Bot>} bots
 * @param {number | undefined} winner of a game that counts by itself
 */
function withWin(bots, winner) {
  const known = winner === undefined ? undefined : bots[winner];
  return known ? { ...bots, [known.bot]: { ...known, wins: known.wins + 1 } } : bots;
}

/**
 * @param {State} state
 * @param {number} at
 * @param {(seat: Seat) => Partial<Seat>} change
 */
function withSeat(state, at, change) {
  return state.seats.map((seat, here) => (here === at ? { ...seat, ...change(seat) } : seat));
}

/**
 * @param {Record<string, number[]>} history
 * @param {Record<string, Bot>} bots
 * @param {"stack" | "wins"} counted
 */
function grown(history, bots, counted) {
  return Object.fromEntries(
    Object.entries(history).map(([bot, past]) => [bot, [...past, bots[bot]?.[counted] ?? 0].slice(-HISTORY_KEPT)]),
  );
}

/**
 * The cards that won this pot, each once, in the winners' order.
 *
 * @param {State} state
 * @param {Award[]} awards
 * @returns {Card[]}
 */
function litBy(state, awards) {
  return [...new Set(awards.flatMap((award) => state.seats[award.seat]?.best ?? []))];
}

/**
 * @param {Seat} seat
 * @param {number} at
 * @param {Award[]} awards
 * @returns {Seat}
 */
function paid(seat, at, awards) {
  const amount = awards.reduce((sum, award) => sum + (award.seat === at ? award.amount : 0), 0);
  return amount ? { ...seat, stack: seat.stack + amount, won: seat.won + amount } : seat;
}
