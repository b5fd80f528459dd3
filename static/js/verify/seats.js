/**
 * Proves which bots play each game, and in which seats. The seats follow from the random key of the game's draw, from
 * the bots that can still play, and from how often each bot has played. The recording says which bots are out.
 *
 * @import { RecordedEvent } from "./events.js"
 * @typedef {{ stack: number, games: number, isOut: boolean }} EntrantState
 */

import { chooseGroup, nextSeatOrder } from "./deals.js";
import { expectEqual, expectTrue } from "./refutation.js";
import { keyOf, shuffled } from "./shuffle.js";

/** Tracks what the draws of a contest depend on: its bots, their games and their chips. */
export class SeatDraws {
  /** @type {Map<number, EntrantState>} */
  #entrantStates = new Map();
  /** The bots of the current stage or, between stages, of the next stage. @type {number[]} */
  #bots = [];
  /** @type {RecordedEvent | null} */
  #stage = null;
  /** @type {number[]} */
  #seats = [];
  /** In a stage of deals, in which several tables have the same cards, the bots of each deal. @type {number[][]} */
  #deals = [];
  /** How many tables of the current deal have been started, and the number of the deal's first game. */
  #currentDeal = { tables: 0, game: 0 };

  /** @param {RecordedEvent} opened */
  constructor({ entrants }) {
    this.#bots = entrants.map((/** @type {any} */ entrant) => entrant.bot);
    for (const bot of this.#bots) this.#entrantStates.set(bot, { stack: 0, games: 0, isOut: false });
    expectTrue(this.#entrantStates.size === this.#bots.length, "a bot is entered twice");
  }

  /** Whether the later games of the stage repeat the cards of its first game, with the seats exchanged. */
  get isDuplicateStage() {
    return this.#stage?.duplicate === true;
  }

  /** In a deal, the number of the game whose decks the next table must repeat, or 0 if the next table is the first. */
  get gameToRepeat() {
    return this.#currentDeal.tables ? this.#currentDeal.game : 0;
  }

  get isDealStage() {
    return Boolean(this.#stage?.deals);
  }

  /** @param {RecordedEvent} event of the contest */
  apply(event) {
    if (event.type === "bot_withdrawn") this.#bots = this.#bots.filter((bot) => bot !== event.bot);
    else if (event.type === "bot_eliminated") Object.assign(this.#entrantState(event.bot), { stack: 0, isOut: true });
    else if (event.type === "stage_started") {
      [this.#stage, this.#bots] = [event, event.bots];
      [this.#deals, this.#currentDeal] = [[], { tables: 0, game: 0 }];
      this.#setStacks(event.bots, event.stacks);
    } else if (event.type === "stage_ended") {
      expectTrue(!this.#currentDeal.tables, "the stage ends in the middle of a deal");
      [this.#stage, this.#bots] = [null, event.advancing];
      for (const bot of event.advancing) this.#entrantState(bot).isOut = false;
    } else if (event.type === "deal_ended") this.#endDeal();
    else if (event.type === "game_started") this.#seatBots(event);
    else if (event.type === "game_ended") this.#setStacks(this.#seats, event.stacks);
  }

  /**
   * Throws Refuted unless a game's seats follow from the draw's `key`. In contests without draws, `key` is empty.
   *
   * @type {(started: RecordedEvent, key: Uint8Array) => void}
   */
  check({ seats }, key) {
    const stage = this.#stage;
    expectTrue(stage, "a game is started outside a stage");
    if (stage.deals) {
      this.#checkDealTable(stage, seats, key);
      return;
    }
    if (stage.duplicate) {
      expectEqual("the bots of the game", [...seats].sort(), [...this.#bots].sort());
      return;
    }
    const bots = this.#bots.filter(
      (bot) => stage.series || (this.#entrantState(bot).stack > 0 && !this.#entrantState(bot).isOut),
    );
    const expected = key.length ? this.#drawSeats(stage, bots, key) : bots.slice(0, stage.seats);
    expectEqual("the bots drawn, seat by seat,", seats, expected);
  }

  /**
   * Throws Refuted unless the next table of a deal has the right `seats`. From each table to the next, every bot moves
   * on by one seat. The seats drawn with `key` may belong to any table, because any table may be recorded first.
   *
   * @type {(stage: RecordedEvent, seats: number[], key: Uint8Array) => void}
   */
  #checkDealTable(stage, seats, key) {
    if (this.#currentDeal.tables) {
      expectTrue(this.#currentDeal.tables < this.#seats.length, "a deal has more tables than seats");
      expectEqual("the bots of the table, seat by seat,", seats, nextSeatOrder(this.#seats));
      return;
    }
    expectTrue(key.length, "the seats of a deal were not drawn");
    const group = chooseGroup(shuffled(keyOf(key, "players"), this.#bots), stage.seats, this.#deals);
    let expected = shuffled(
      keyOf(key, "seats"),
      group.sort((one, other) => one - other),
    );
    for (let moves = 1; moves < expected.length && String(expected) !== String(seats); moves++)
      expected = nextSeatOrder(expected);
    expectEqual("the bots drawn, seat by seat,", seats, expected);
  }

  #endDeal() {
    expectEqual("the number of tables of the deal", this.#currentDeal.tables, this.#seats.length);
    this.#deals.push(this.#seats);
    this.#currentDeal = { tables: 0, game: 0 };
  }

  /**
   * Draws the bots of a game at random from the bots with the fewest games, and then their seats.
   *
   * @type {(stage: RecordedEvent, bots: number[], key: Uint8Array) => number[]}
   */
  #drawSeats(stage, bots, key) {
    const games = (/** @type {number} */ bot) => this.#entrantState(bot).games;
    const shuffledBots = shuffled(keyOf(key, "players"), bots).sort((one, other) => games(one) - games(other));
    const drawn = shuffledBots.slice(0, seatCount(stage, bots.map(games)));
    return shuffled(
      keyOf(key, "seats"),
      drawn.sort((one, other) => one - other),
    );
  }

  /** @param {RecordedEvent} game */
  #seatBots({ game, seats, stacks }) {
    if (this.isDealStage)
      this.#currentDeal = { tables: this.#currentDeal.tables + 1, game: this.#currentDeal.game || game };
    this.#seats = seats;
    this.#setStacks(seats, stacks);
    for (const bot of seats) {
      const standing = this.#entrantState(bot);
      Object.assign(standing, { games: standing.games + 1, isOut: false });
    }
  }

  /** @type {(bots: readonly number[], stacks: readonly number[]) => void} */
  #setStacks(bots, stacks) {
    expectEqual("the number of stacks", stacks.length, bots.length);
    for (const [index, bot] of bots.entries()) this.#entrantState(bot).stack = stacks[index] ?? 0;
  }

  /** @param {number} bot */
  #entrantState(bot) {
    const found = this.#entrantStates.get(bot);
    expectTrue(found, `bot ${bot} was never entered`);
    return found;
  }
}

/**
 * Returns the number of seats at the next table. In a stage with `even` tables, the bots with the fewest games are
 * spread evenly over tables.
 *
 * @type {(stage: RecordedEvent, games: readonly number[]) => number} `games` has the number of each bot's games
 */
function seatCount(stage, games) {
  if (!stage.even) return stage.seats;
  const fewestGames = Math.min(...games);
  const waiting = games.filter((count) => count === fewestGames).length;
  return Math.max(Math.ceil(waiting / Math.ceil(waiting / stage.seats)), Math.min(2, games.length));
}
