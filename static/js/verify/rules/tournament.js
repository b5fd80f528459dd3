/**
 * The rules of tournaments: the state after each event, what may follow, and who is ranked where.
 *
 * @import { Happening } from "./events.js"
 * @import { Dice } from "./shuffle.js"
 * @typedef {{ stack: number, games: number, place: number, withdrawn: boolean, won: number, places: number }} Standing
 *   one bot's state; `place` is 0 while it is open; of a series `won` games, and the sum of its `places` in them
 * @typedef {{ records: Map<number, Standing>, stageBots: number[], stage: Happening | null, inStage: boolean,
 *   cut: boolean, gamesInStage: number, game: Happening | null, forfeited: boolean, games: number }} Tournament
 *   all bots; those of the stage, or between stages of the next one; the stage and the game that were started last
 */

/**
 * The tournament before its first stage.
 *
 * @param {Happening} opened
 * @returns {Tournament}
 */
export function openTournament(opened) {
  const fresh = { stack: opened.starting_stack, games: 0, place: 0, withdrawn: false, won: 0, places: 0 };
  const records = new Map(opened.entrants.map((/** @type {any} */ entrant) => [entrant.bot, { ...fresh }]));
  return {
    ...{ records, stageBots: [...records.keys()], stage: null, inStage: false, cut: false, gamesInStage: 0 },
    ...{ game: null, forfeited: false, games: 0 },
  };
}

/**
 * What is known of a bot. Throws RangeError for one that was never entered.
 *
 * @param {Tournament} tournament
 * @param {number} bot
 */
export function recordOf({ records }, bot) {
  const found = records.get(bot);
  if (!found) throw new RangeError(`bot ${bot} was never entered`);
  return found;
}

/**
 * Takes in an event that has been proved.
 *
 * @param {Tournament} tournament
 * @param {Happening} event
 */
export function evolveTournament(tournament, event) {
  switch (event.type) {
    case "stage_started":
    case "stage_cut":
    case "stage_ended":
      return evolveStage(tournament, event);
    case "game_started":
    case "game_ended":
      return evolveGame(tournament, event);
    case "game_forfeited":
      tournament.forfeited = true;
      return undefined;
    case "bot_eliminated":
      return void Object.assign(recordOf(tournament, event.bot), { stack: 0, place: event.place });
    case "bot_withdrawn":
      Object.assign(recordOf(tournament, event.bot), { stack: 0, place: undecided(tournament), withdrawn: true });
      tournament.stageBots = tournament.stageBots.filter((bot) => bot !== event.bot);
      return undefined;
    default:
      return undefined;
  }
}

/**
 * @param {Tournament} tournament
 * @param {Happening} event
 */
function evolveStage(tournament, event) {
  if (event.type === "stage_cut") {
    tournament.cut = true;
  } else if (event.type === "stage_started") {
    for (const [at, bot] of event.bots.entries()) {
      Object.assign(recordOf(tournament, bot), { stack: event.stacks[at], won: 0, places: 0 });
    }
    Object.assign(tournament, { stage: event, inStage: true, cut: false, gamesInStage: 0 });
  } else {
    const best = event.advancing.length;
    for (const [at, bot] of event.ranking.entries()) recordOf(tournament, bot).place = at >= best ? at + 1 : 0;
    Object.assign(tournament, { stageBots: event.advancing, inStage: false });
  }
}

/**
 * @param {Tournament} tournament
 * @param {Happening} event
 */
function evolveGame(tournament, event) {
  const seats = event.seats ?? tournament.game?.seats ?? [];
  for (const [seat, bot] of seats.entries()) recordOf(tournament, bot).stack = event.stacks[seat];
  if (event.type === "game_started") {
    for (const bot of seats) {
      const one = recordOf(tournament, bot);
      Object.assign(one, { games: one.games + 1, place: 0 });
    }
    Object.assign(tournament, { game: event, forfeited: false });
    tournament.games += 1;
    tournament.gamesInStage += 1;
    return;
  }
  for (const [at, bot] of event.ranking.entries()) {
    const one = recordOf(tournament, bot);
    Object.assign(one, { won: one.won + (at === 0 ? 1 : 0), places: one.places + at + 1 });
  }
  tournament.game = null;
}

/**
 * Whether a bot may be taken out: only before the first stage, and once.
 *
 * @param {Tournament} tournament
 * @param {number} bot
 */
export function mayWithdraw({ stage, stageBots }, bot) {
  return !stage && stageBots.includes(bot);
}

/**
 * The bots that can still be seated; in a series that is everybody.
 *
 * @param {Tournament} tournament
 */
export function alive(tournament) {
  if (tournament.stage?.series) return [...tournament.stageBots];
  return tournament.stageBots.filter((bot) => {
    const one = recordOf(tournament, bot);
    return one.stack > 0 && !one.place;
  });
}

/**
 * Whether so few are left that all of them go on, or one is left.
 *
 * @param {Tournament} tournament
 * @param {Happening} stage
 */
function decided(tournament, stage) {
  return alive(tournament).length <= Math.max(stage.advance, 1);
}

/**
 * Whether no further game of the stage is played.
 *
 * @param {Tournament} tournament
 * @param {Happening} stage
 */
export function stageOver(tournament, stage) {
  const played = stage.games && tournament.gamesInStage >= stage.games;
  return Boolean(tournament.cut || played || decided(tournament, stage));
}

/**
 * Whether no further hand of the game is dealt after `hands` of them, which left `stacks`.
 *
 * @param {Tournament} tournament
 * @param {Happening} stage
 * @param {number} hands
 * @param {readonly number[]} stacks
 */
export function gameOver(tournament, stage, hands, stacks) {
  const lonely = stacks.filter((stack) => stack > 0).length < 2;
  const played = stage.hands && hands >= stage.hands;
  return Boolean(tournament.forfeited || lonely || played || tournament.cut || decided(tournament, stage));
}

/**
 * Who plays the next game, in seat order: those who have played least, drawn at random.
 *
 * @param {Tournament} tournament
 * @param {Happening} stage
 * @param {Dice | null} dice null where seats are not drawn
 */
export function drawSeats(tournament, stage, dice) {
  const bots = alive(tournament);
  if (!dice) return bots.slice(0, stage.seats);
  const games = (/** @type {number} */ bot) => recordOf(tournament, bot).games;
  const byLot = dice(bots, "players").sort((one, other) => games(one) - games(other));
  const drawn = byLot.slice(0, placesAt(stage, bots.map(games)));
  return dice(drawn.sort(up), "seats");
}

/**
 * How many sit at the next table. Where tables are even, those who have sat less often than others share them equally.
 *
 * @param {Happening} stage
 * @param {readonly number[]} games how many each has played
 */
function placesAt(stage, games) {
  if (!stage.even) return stage.seats;
  const least = Math.min(...games);
  const waiting = games.filter((count) => count === least).length;
  return Math.max(Math.ceil(waiting / Math.ceil(waiting / stage.seats)), Math.min(2, games.length));
}

/**
 * What those in the seats begin their game with: in a series as much as at the stage's start, else what they have.
 *
 * @param {Tournament} tournament
 * @param {Happening} stage
 * @param {readonly number[]} seats
 */
export function firstStacks(tournament, { series, bots, stacks }, seats) {
  const begun = new Map(bots.map((/** @type {number} */ bot, /** @type {number} */ at) => [bot, stacks[at]]));
  return seats.map((bot) => {
    if (!series) return recordOf(tournament, bot).stack;
    if (!begun.has(bot)) throw new RangeError(`bot ${bot} is not in the stage`);
    return begun.get(bot);
  });
}

/**
 * The stacks of a game of two that `lost` has lost by a fault: the other seat has all chips.
 *
 * @param {number} lost
 * @param {readonly number[]} stacks
 */
export function forfeit(lost, stacks) {
  const chips = stacks.reduce((sum, stack) => sum + stack, 0);
  return stacks.map((_, seat) => (seat === lost ? 0 : chips));
}

/**
 * The bots that lost their last chips in a hand, each with its stack at the start of it.
 *
 * @param {readonly number[]} seats
 * @param {readonly number[]} before
 * @param {readonly number[]} after
 * @returns {Map<number, number>}
 */
export function busted(seats, before, after) {
  const broke = new Map();
  for (const [seat, bot] of seats.entries()) if (before[seat] && !after[seat]) broke.set(bot, before[seat]);
  return broke;
}

/**
 * The bots that lost their last chips in a hand with the places they get, worst first: who had more comes out ahead,
 * equals by lot.
 *
 * @param {Tournament} tournament
 * @param {ReadonlyMap<number, number>} broke each with its stack at the start of the hand
 * @param {Dice} dice
 * @returns {[number, number][]}
 */
export function eliminated(tournament, broke, dice) {
  const had = (/** @type {number} */ bot) => broke.get(bot) ?? 0;
  const best = dice([...broke.keys()].sort(up), "out").sort((one, other) => had(other) - had(one));
  const worst = undecided(tournament);
  return best.reverse().map((bot, behind) => [bot, worst - behind]);
}

/**
 * How many have no place yet; in a series at the table alone.
 *
 * @param {Tournament} tournament
 */
function undecided(tournament) {
  const { records, game, stage } = tournament;
  const among = game && stage?.series ? game.seats : [...records.keys()];
  return among.filter((/** @type {number} */ bot) => !recordOf(tournament, bot).place).length;
}

/**
 * Who has won the game that is over, and the order behind: those with chips by their chips, equals by lot, then whoever
 * went out last. Nobody has where no hand was played or games are not separate.
 *
 * @param {Tournament} tournament
 * @param {readonly number[]} seats
 * @param {readonly number[]} stacks
 * @param {Dice | null} dice null where no hand was played
 */
export function rankedInGame(tournament, seats, stacks, dice) {
  if (!dice || !tournament.stage?.series) return [];
  const place = (/** @type {number} */ bot) => recordOf(tournament, bot).place;
  const left = new Map(seats.map((bot, seat) => [bot, stacks[seat] ?? 0]));
  return dice([...seats].sort(up), "game").sort(
    (one, other) => place(one) - place(other) || (left.get(other) ?? 0) - (left.get(one) ?? 0),
  );
}

/**
 * What must stand in the event that ends the stage: the bots best first, equals by lot, their stacks, who advances.
 *
 * @param {Tournament} tournament
 * @param {Happening} stage
 * @param {Dice} dice
 */
export function endStage(tournament, stage, dice) {
  const of = (/** @type {number} */ bot) => standingOf(tournament, stage, bot);
  const ranking = dice([...tournament.stageBots].sort(up), "ties").sort(
    (one, other) => (of(one)[0] ?? 0) - (of(other)[0] ?? 0) || (of(one)[1] ?? 0) - (of(other)[1] ?? 0),
  );
  const stacks = ranking.map((bot) => recordOf(tournament, bot).stack);
  const advancing = ranking.filter((_, at) => stage.series || stacks[at]).slice(0, stage.advance);
  return { stage: stage.stage, ranking, stacks, advancing };
}

/**
 * What a bot is ranked by at the end of a stage, the least first: its place where that is decided, then its chips; in a
 * series the games it has won, then its places in all of them.
 *
 * @param {Tournament} tournament
 * @param {Happening} stage
 * @param {number} bot
 */
export function standingOf(tournament, stage, bot) {
  const one = recordOf(tournament, bot);
  return stage.series ? [-one.won, one.places] : [one.place, -one.stack];
}

/**
 * @param {number} one
 * @param {number} other
 */
function up(one, other) {
  return one - other;
}
