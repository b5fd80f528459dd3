/**
 * Computes what the events of a tournament change in the picture: bots, stages, games, standings and marked hands. Does
 * the same as `broadcast/on_air/picture_tournament.py`. No DOM, no clock.
 *
 * @import { Bot, Entrant, Reducers, State } from "../common/types.js"
 */

import { botsBySeat, FRESH_TABLE, initialState, newSeat, withStacks } from "./reducer-state.js";

/** The maximum number of games in the chart of a bot's chips. */
const HISTORY_KEPT = 120;
/** The maximum number of points in the chart of a bot's title odds. */
const TITLE_ODDS_KEPT = 60;
/** The maximum number of hands with a mark, such as "Bluff", in the picture. */
const MARKS_KEPT = 20;
/** The number of characters that fit on a poster. Bots that are reached over HTTP may have longer names. */
const MAX_NAME_CHARACTERS = 30;

/** What each event of a tournament changes in the previous picture. @type {Reducers} */
export const TOURNAMENT_REDUCERS = {
  tournament_opened: (state, { contest, title, starting_stack, prizes_cents = [], entrants }) => ({
    ...initialState(),
    tournament: { contest, title, starting_stack, prizes_cents },
    bots: Object.fromEntries(entrants.map((entrant) => [entrant.bot, newBot(entrant, starting_stack)])),
    desk: state.desk,
  }),

  bot_connected: (state, event) => withBot(state, event.bot, { presence: "here", gone: "" }),

  bot_disconnected: (state, event) => withBot(state, event.bot, { presence: "lost", gone: describePosition(state) }),

  bot_withdrawn: (state, event) => withBot(state, event.bot, { presence: "lost", gone: describePosition(state) }),

  stage_started: (state, event) => {
    const { stage, title, hands, bots, stacks, advance = 0, next_title = "", series = false } = event;
    const games = event.deals || event.games;
    const deals = event.deals ? true : undefined;
    const first_game = 1 + (state.game?.game ?? 0);
    return {
      ...FRESH_TABLE,
      scene: state.stage ? "finalists" : "starting",
      stage: {
        stage,
        title,
        games,
        hands,
        bots,
        advance,
        next_title,
        series,
        first_game,
        deals,
        sure_percent: event.sure_percent,
        decided_by: event.decided_by,
      },
      game: null,
      hand: null,
      seats: [],
      caption: "",
      standings: { rows: [], advance: 0 },
      bots: withStacks(state.bots, bots, stacks, { wins: 0 }),
      history: Object.fromEntries(bots.map((bot, index) => [bot, [series || deals ? 0 : (stacks[index] ?? 0)]])),
      title_odds: {},
      deal: undefined,
      pairs: undefined,
    };
  },

  game_started: (state, event) => ({
    ...FRESH_TABLE,
    scene: "table",
    stage: state.stage?.deals ? { ...state.stage, first_game: event.game - (state.deal?.deal ?? 0) } : state.stage,
    game: { game: event.game, hands: event.hands, over: false },
    hand: null,
    seats: event.seats.map((bot, index) => newSeat(bot, event.stacks[index] ?? 0)),
    bots: withStacks(state.bots, event.seats, event.stacks, { place: 0 }),
  }),

  game_ended: (state, event) => {
    const bots = withStacks(state.bots, botsBySeat(state), event.stacks);
    const winner = bots[event.ranking?.[0] ?? -1];
    if (winner) bots[winner.bot] = { ...winner, wins: winner.wins + 1 };
    const historyField = state.stage?.series ? "wins" : "stack";
    return {
      ...endDuel(state),
      bots,
      history: state.stage?.deals ? state.history : extendHistory(state, (bot) => bots[bot]?.[historyField]),
      game: state.game && { ...state.game, over: true },
    };
  },

  game_forfeited: (state, event) => {
    const chips = state.seats.reduce((sum, seat) => sum + seat.stack, 0);
    const seats = state.seats.map((seat, index) =>
      index === event.seat ? { ...seat, stack: 0, fault: event.fault } : { ...seat, stack: chips },
    );
    const stacks = seats.map((seat) => seat.stack);
    return { seats, bots: withStacks(state.bots, botsBySeat(state), stacks) };
  },

  bot_rated: (state, event) => withBot(state, event.bot, { rating: event.rating }),

  bot_eliminated: (state, event) => {
    const changes = {
      ...withBot(state, event.bot, { place: event.place }),
      seats: state.seats.map((seat) => (seat.bot === event.bot ? { ...seat, place: event.place } : seat)),
    };
    const loserSeat = botsBySeat(state).indexOf(event.bot);
    if (loserSeat < 0 || state.seats[loserSeat]?.unseated) return changes;
    const duel = { bot: event.bot, place: event.place, by: winnersOfLastChips(state, loserSeat) };
    return { ...changes, scene: "duel", duel };
  },

  stage_ended: (state, event) => ({
    ...endDuel(state),
    bots: withStacks(state.bots, event.ranking, event.stacks),
  }),

  tournament_ended: (_state, event) => ({
    scene: "champion",
    placings: event.placings.map((line) => ({ ...line, prize_cents: line.prize_cents ?? 0 })),
  }),

  standings_changed: (state, event) => ({
    scene: state.game && !state.game.over ? state.scene : "standings",
    standings: {
      rows: event.rows.map((row) => ({ ...row, place: row.place ?? 0, wins: row.wins ?? 0 })),
      advance: event.advance ?? 0,
    },
  }),

  title_odds_changed: (state, event) => ({
    title_odds: Object.fromEntries(
      event.chances.map(({ bot, chance }) => [
        bot,
        [...(state.title_odds?.[bot] ?? []), chance].slice(-TITLE_ODDS_KEPT),
      ]),
    ),
  }),

  deal_ended: (state, { decided }) => (decided && state.stage ? { stage: { ...state.stage, decided } } : {}),

  deal_compared: (state, { deal }) => ({
    scene: "comparison",
    deal,
    history: extendHistory(state, (bot) => state.standings.rows.find((row) => row.bot === +bot)?.stack),
  }),

  pairs_compared: (_state, event) => ({ pairs: event.chances }),

  statistics_changed: (state, { rows, notices = [], hands = 0, crosstable = [], awards = [], closing }) => ({
    statistics: { rows, notices, hands, crosstable, awards },
    scene: closing ? "statistics" : state.scene,
  }),

  highlight_marked: (state, { mark, hand, seats, score }) => {
    const bots = seats.map((seat) => state.seats[seat]?.bot ?? 0);
    const marked = { mark, game: state.game?.game ?? 0, hand, bots, score };
    return { marks: [...state.marks, marked].slice(-MARKS_KEPT) };
  },
};

/** @type {(entrant: Partial<Entrant> & { bot: number, name: string }, stack: number) => Bot} */
function newBot(entrant, stack) {
  return {
    bot: entrant.bot,
    name: truncateName(entrant.name),
    player: truncateName(entrant.player ?? ""),
    avatar: entrant.avatar ?? "",
    particle: entrant.particle ?? "",
    sound: entrant.sound ?? "",
    sound_ms: entrant.sound_ms ?? 0,
    rating: entrant.rating ?? 0,
    version: entrant.version ?? "",
    stack,
    place: 0,
    presence: "",
    gone: "",
    wins: 0,
  };
}

/**
 * Returns the history (the values in the bots' charts) with one more value for each bot.
 *
 * @type {(state: State, nextValue: (bot: string) => number | undefined) => State["history"]}
 */
function extendHistory({ history }, nextValue) {
  return Object.fromEntries(
    Object.entries(history).map(([bot, past]) => [bot, [...past, nextValue(bot) ?? 0].slice(-HISTORY_KEPT)]),
  );
}

/** @param {string} fullName */
function truncateName(fullName) {
  const name = fullName.normalize("NFC");
  if ([...name].length <= MAX_NAME_CHARACTERS) return name;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(name)) {
    if ([...kept, ...segment].length >= MAX_NAME_CHARACTERS) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Ends the scene of an elimination. @type {(state: State) => Partial<State>} */
function endDuel(state) {
  return state.scene === "duel" ? { scene: "table", duel: null } : {};
}

/** The bots that won the loser's last chips. @type {(state: State, loserSeat: number) => number[]} */
function winnersOfLastChips(state, loserSeat) {
  const lastPot = state.pots.findLastIndex((pot) => pot.seats.includes(loserSeat));
  const shares = state.awards.filter((share) => share.pot === lastPot);
  return shares.flatMap((share) => share.awards.map((award) => state.seats[award.seat]?.bot ?? 0));
}

/** @type {(state: State, bot: number, changes: Partial<Bot>) => Partial<State>} */
function withBot(state, bot, changes) {
  const known = state.bots[bot];
  return { bots: known ? { ...state.bots, [bot]: { ...known, ...changes } } : state.bots };
}

/** Names the current or latest hand: "game 3, hand 2". @param {State} state */
function describePosition({ stage, game, hand }) {
  if (!hand) return "the start";
  const hasManyGames = game && stage && stage.games !== 1;
  return `${hasManyGames ? `${stage.deals ? "deal" : "game"} ${game.game - stage.first_game + 1}, ` : ""}hand ${hand.hand}`;
}
