/**
 * Proves which bots play each game, and in which seats. Both follow from the draw's key, from the bots that can still
 * play, and from how often each bot has played. Which bots are out is taken from the recording.
 *
 * @import { RecordedEvent } from "./events.js"
 * @typedef {{ stack: number, games: number, isOut: boolean }} Standing
 */

import { must, same } from "./refutation.js";
import { keyOf, shuffled } from "./shuffle.js";

/** Tracks what the draws of a contest depend on: its bots, their games and their chips. */
export class Seats {
  /** @type {Map<number, Standing>} */
  #standings = new Map();
  /** The bots of the current stage; between stages, the bots of the next stage. @type {number[]} */
  #bots = [];
  /** @type {RecordedEvent | null} */
  #stage = null;
  /** @type {number[]} */
  #seats = [];
  /** The bots of each deal of the stage that is over. @type {(readonly number[])[]} */
  #deals = [];
  /** The games of the current deal, each at another table. @type {RecordedEvent[]} */
  #deal = [];

  /** @param {RecordedEvent} opened */
  constructor({ entrants }) {
    this.#bots = entrants.map((/** @type {any} */ entrant) => entrant.bot);
    for (const bot of this.#bots) this.#standings.set(bot, { stack: 0, games: 0, isOut: false });
    must(this.#standings.size === this.#bots.length, "a bot is entered twice");
  }

  /** Whether the next game deals the cards of an earlier game again, with the seats exchanged. */
  get areDuplicates() {
    return this.#stage?.duplicate === true || this.#deal.length > 0;
  }

  /** @param {RecordedEvent} event of the contest */
  apply(event) {
    if (event.type === "bot_withdrawn") this.#bots = this.#bots.filter((bot) => bot !== event.bot);
    else if (event.type === "bot_eliminated") Object.assign(this.#of(event.bot), { stack: 0, isOut: true });
    else if (event.type === "stage_started") {
      [this.#stage, this.#bots, this.#deals, this.#deal] = [event, event.bots, [], []];
      this.#setStacks(event.bots, event.stacks);
    } else if (event.type === "stage_ended") {
      [this.#stage, this.#bots] = [null, event.advancing];
      for (const bot of event.advancing) this.#of(bot).isOut = false;
    } else if (event.type === "game_started") this.#sit(event);
    else if (event.type === "game_ended") this.#setStacks(this.#seats, event.stacks);
    else if (event.type === "deal_ended") [this.#deals, this.#deal] = [[...this.#deals, event.bots], []];
  }

  /**
   * Throws Refuted unless a game's seats follow from the draw's `key`. In contests without draws, `key` is empty.
   *
   * @type {(started: RecordedEvent, key: Uint8Array) => void}
   */
  check(started, key) {
    const { seats } = started;
    const stage = this.#stage;
    must(stage, "a game is started outside a stage");
    if (stage.deals) {
      this.#checkTable(stage, started, key);
      return;
    }
    if (stage.duplicate) {
      same("the bots of the game", [...seats].sort(), [...this.#bots].sort());
      return;
    }
    const bots = this.#bots.filter((bot) => stage.series || (this.#of(bot).stack > 0 && !this.#of(bot).isOut));
    const expected = key.length ? this.#draw(stage, bots, key) : bots.slice(0, stage.seats);
    same("the bots drawn, seat by seat,", seats, expected);
  }

  /**
   * The first table of a deal to be recorded may be any of them; from one to the next, every bot moves on by one seat.
   *
   * @type {(stage: RecordedEvent, started: RecordedEvent, key: Uint8Array) => void}
   */
  #checkTable(stage, { seats, dealt_as }, key) {
    const [first, last] = [this.#deal[0], this.#deal.at(-1)];
    same("the game whose decks are dealt again", dealt_as, first?.game ?? 0);
    if (last) {
      same("the bots of the next table, seat by seat,", seats, nextTable(last.seats));
      return;
    }
    const group = groupFor(shuffled(keyOf(key, "players"), this.#bots), stage.seats, this.#deals);
    let table = shuffled(
      keyOf(key, "seats"),
      group.sort((one, other) => one - other),
    );
    for (const _ of group) if (table[0] !== seats[0]) table = nextTable(table);
    same("the bots drawn, seat by seat,", seats, table);
  }

  /**
   * Draws the bots of a game at random from the bots with the fewest games, and then their seats.
   *
   * @type {(stage: RecordedEvent, bots: number[], key: Uint8Array) => number[]}
   */
  #draw(stage, bots, key) {
    const games = (/** @type {number} */ bot) => this.#of(bot).games;
    const byLot = shuffled(keyOf(key, "players"), bots).sort((one, other) => games(one) - games(other));
    const drawn = byLot.slice(0, seatsAt(stage, bots.map(games)));
    return shuffled(
      keyOf(key, "seats"),
      drawn.sort((one, other) => one - other),
    );
  }

  /** @param {RecordedEvent} game */
  #sit(game) {
    const { seats, stacks } = game;
    this.#seats = seats;
    if (this.#stage?.deals) this.#deal.push(game);
    this.#setStacks(seats, stacks);
    for (const bot of seats) {
      const standing = this.#of(bot);
      Object.assign(standing, { games: standing.games + 1, isOut: false });
    }
  }

  /** @type {(bots: readonly number[], stacks: readonly number[]) => void} */
  #setStacks(bots, stacks) {
    same("the number of stacks", stacks.length, bots.length);
    for (const [at, bot] of bots.entries()) this.#of(bot).stack = stacks[at] ?? 0;
  }

  /** @param {number} bot */
  #of(bot) {
    const found = this.#standings.get(bot);
    must(found, `bot ${bot} was never entered`);
    return found;
  }
}

/** @param {readonly number[]} seats */
function nextTable([first, ...others]) {
  return first === undefined ? [] : [...others, first];
}

/**
 * Returns the bots of the next deal: those with the fewest deals, and of these those that have met the others of the
 * group least often. The order of `byLot` decides between equals.
 *
 * @type {(byLot: readonly number[], seats: number, deals: readonly (readonly number[])[]) => number[]}
 */
function groupFor(byLot, seats, deals) {
  /** @type {number[]} */
  const group = [];
  const played = (/** @type {number} */ bot) => deals.filter((bots) => bots.includes(bot)).length;
  const met = (/** @type {number} */ bot) =>
    group.reduce((sum, other) => sum + deals.filter((bots) => bots.includes(bot) && bots.includes(other)).length, 0);
  while (group.length < Math.min(seats, byLot.length)) {
    const left = byLot.filter((bot) => !group.includes(bot));
    left.sort((one, other) => played(one) - played(other) || met(one) - met(other));
    group.push(...left.slice(0, 1));
  }
  return group;
}

/**
 * Returns the number of seats at the next table. In a stage with `even` tables, the bots with the fewest games are
 * spread evenly over tables.
 *
 * @type {(stage: RecordedEvent, games: readonly number[]) => number} `games` has the number of each bot's games
 */
function seatsAt(stage, games) {
  if (!stage.even) return stage.seats;
  const least = Math.min(...games);
  const waiting = games.filter((count) => count === least).length;
  return Math.max(Math.ceil(waiting / Math.ceil(waiting / stage.seats)), Math.min(2, games.length));
}
