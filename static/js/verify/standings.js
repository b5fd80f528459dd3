/**
 * The state of a season: players, their uploads and games, kept up to date fact by fact; and who may be drawn.
 *
 * @import { Happening } from "./rules/events.js"
 * @typedef {{ number: number, rating: number, active: number, removed: boolean }} Player `active`: its upload, or 0
 * @typedef {{ players: number[], before: number[], over: boolean }} Game
 */

import { keyOf, shuffled } from "./rules/shuffle.js";

const START = 100_000;
/** Opponents are at most so many places apart. */
const NEAR = 5;

export class Standings {
  /** @type {Map<number, Player>} */
  players = new Map();
  /** Whose upload it is. @type {Map<number, number>} */
  #uploads = new Map();
  /** @type {Game[]} */
  games = [];
  /** The players who are in a game now. @type {Set<number>} */
  busy = new Set();
  draw = 0;
  /** Who has still to challenge in this draw. @type {number[]} */
  turns = [];

  /** The players who have an active bot. */
  active() {
    return [...this.players.values()].filter((one) => one.active);
  }

  /** The active players, the best first; of equals who entered first. */
  ranking() {
    const active = this.active().filter((one) => !one.removed);
    return active.sort((one, other) => other.rating - one.rating || one.number - other.number).map((one) => one.number);
  }

  /**
   * Whose upload it is. Throws RangeError where nobody has handed it in.
   *
   * @param {number} upload
   */
  owner(upload) {
    return this.#player(this.#uploads.get(upload) ?? 0);
  }

  /**
   * Takes in a fact that has been proved.
   *
   * @param {Happening} fact
   */
  take(fact) {
    switch (fact.type) {
      case "draw_begun":
        [this.draw, this.turns] = [fact.draw, fact.order];
        return;
      case "game_paired":
        this.#pair(fact);
        return;
      case "game_rated":
        this.#rate(fact);
        return;
      case "game_voided":
        this.#close(fact.game);
        return;
      default:
        this.#takeOfABot(fact);
    }
  }

  /** @param {Happening} fact */
  #takeOfABot({ type, player, upload, fault }) {
    switch (type) {
      case "player_entered":
        this.players.set(player, { number: player, rating: START, active: 0, removed: false });
        return;
      case "player_removed":
        Object.assign(this.#player(player), { active: 0, removed: true });
        return;
      case "bot_uploaded":
        this.#uploads.set(upload, this.#player(player).number);
        return;
      case "bot_activated":
        this.owner(upload).active = upload;
        return;
      case "bot_built":
      case "bot_tested": {
        const owner = this.owner(upload);
        if (type === "bot_built" && fault && owner.active === upload) owner.active = 0;
      }
    }
  }

  /** @param {Happening} fact */
  #pair({ uploads, ratings }) {
    const players = uploads.map((/** @type {number} */ upload) => this.owner(upload).number);
    this.games.push({ players, before: ratings, over: false });
    this.turns = this.turns.filter((player) => player !== players[1]);
    for (const player of players) this.busy.add(player);
  }

  /** @param {Happening} fact */
  #rate({ game: number, ratings }) {
    const { players, before } = this.#close(number);
    for (const [at, player] of players.entries()) this.#player(player).rating += ratings[at] - before[at];
  }

  /** @param {number} number */
  #close(number) {
    const game = this.games[number - 1];
    game.over = true;
    for (const player of game.players) this.busy.delete(player);
    return game;
  }

  /** @param {number} number */
  #player(number) {
    const found = this.players.get(number);
    if (!found) throw new RangeError(`player ${number} never entered`);
    return found;
  }
}

/**
 * The others within five places of a player, the best first. Throws RangeError for one that has no active bot.
 *
 * @param {readonly number[]} ranking
 * @param {number} player
 */
export function near(ranking, player) {
  const at = ranking.indexOf(player);
  if (at < 0) throw new RangeError(`player ${player} has no bot that plays`);
  return [...ranking.slice(Math.max(at - NEAR, 0), at), ...ranking.slice(at + 1, at + NEAR + 1)];
}

/**
 * The pair that must play next: the first challenger that is free and has a free opponent near, and the drawn
 * opponent; null while no such pair is free.
 *
 * @param {Uint8Array} seed
 * @param {number} game its number
 * @param {Standings} standings
 */
export function nextPairing(seed, game, standings) {
  const ranking = standings.ranking();
  const isFree = (/** @type {number} */ player) => !standings.busy.has(player);
  for (const challenger of standings.turns) {
    const mayPlay = ranking.includes(challenger) && isFree(challenger);
    const free = mayPlay ? near(ranking, challenger).filter(isFree) : [];
    if (free.length) return [shuffled(keyOf(seed, `game ${game} opponent`), free)[0], challenger];
  }
  return null;
}
