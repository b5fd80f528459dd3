/**
 * Checks the ledger of a season: who was drawn against whom, and how each game changed the ratings. The games have
 * recordings of their own.
 *
 * @import { Happening } from "./rules/events.js"
 * @typedef {{ player: number, rating: number, active: number }} Player `active` is its upload, 0: none
 * @typedef {{ players: number[], ratings: number[], over: boolean }} Game
 */

import { checkName } from "./names.js";
import { isOfASeason } from "./rules/events.js";
import { gain } from "./rules/ratings.js";
import { keyIn, must, same } from "./rules/refutation.js";
import { keyOf, sealOf, shuffled } from "./rules/shuffle.js";

const START = 100_000;
/** Opponents are at most so many places apart. */
const NEAR = 5;

/** Follows the entries of a season. Throws Refuted at the first one that is wrong. */
export class Ledger {
  kind = /** @type {const} */ ("season");
  open = false;
  /** @type {string[]} */
  notes = [];
  /** @type {Record<string, number>} */
  count = { players: 0, draws: 0, pairings: 0, ratings: 0 };
  #seed;
  #over = false;
  /** @type {Map<number, Player>} */
  #players = new Map();
  /** Whose upload it is. @type {Map<number, number>} */
  #uploads = new Map();
  /** @type {Game[]} */
  #games = [];
  /** @type {Set<number>} */
  #playing = new Set();
  #draw = 0;
  /** Who has still to challenge in this draw. @type {number[]} */
  #turns = [];

  /**
   * @param {Happening} opened
   * @param {string} seed in hexadecimal, "" while nobody knows it
   */
  constructor(opened, seed) {
    this.#seed = seed ? keyIn(seed, "the seed") : null;
    if (this.#seed) same("the seal of the seed", opened.seed_commitment, sealOf(this.#seed));
  }

  get finished() {
    return this.#over;
  }

  get where() {
    return this.#games.length ? `game ${this.#games.length} of the season` : "";
  }

  /** @param {Happening} fact */
  take(fact) {
    must(isOfASeason(fact), "it is no fact of a season");
    switch (fact.type) {
      case "season_opened":
        return must(false, "the season is opened twice");
      case "draw_begun":
        return this.#begin(fact);
      case "game_paired":
        return this.#pair(fact);
      case "game_rated":
        return this.#rate(fact);
      case "game_voided":
        this.#close(fact.game);
        return undefined;
      case "season_ended":
        this.#over = true;
        return undefined;
      default:
        return this.#takeOfABot(fact);
    }
  }

  /** @param {Happening} fact */
  #takeOfABot(fact) {
    const { type, upload } = fact;
    if (type === "player_entered" || type === "bot_uploaded") checkName(fact.name, "the name");
    if (type === "player_entered") {
      this.#players.set(fact.player, { player: fact.player, rating: START, active: 0 });
      this.count.players += 1;
    } else if (type === "bot_uploaded") {
      this.#uploads.set(upload, this.#player(fact.player).player);
    } else if (type === "bot_activated") {
      this.#owner(upload).active = upload;
    } else {
      const owner = this.#owner(upload);
      if (type === "bot_built" && fact.fault && owner.active === upload) owner.active = 0;
    }
  }

  /** @param {Happening} fact */
  #begin({ draw, order }) {
    const active = [...this.#players.values()].filter((one) => one.active).map((one) => one.player);
    const sorted = [...order].sort(up);
    same("the number of the draw", draw, this.#draw + 1);
    same("who is in the draw", sorted, active.sort(up));
    if (this.#seed) {
      same("the order of the draw", order, shuffled(keyOf(this.#seed, `draw ${draw}`), sorted));
      this.count.draws += 1;
    }
    [this.#draw, this.#turns] = [draw, order];
  }

  /** @param {Happening} fact */
  #pair({ game, uploads, ratings }) {
    same("the number of the game", game, this.#games.length + 1);
    const pair = uploads.map((/** @type {number} */ upload) => this.#owner(upload));
    const [defender, challenger] = pair.map((/** @type {Player} */ one) => one.player);
    same(
      "the versions that play",
      uploads,
      pair.map((/** @type {Player} */ one) => one.active),
    );
    same(
      "the ratings before the game",
      ratings,
      pair.map((/** @type {Player} */ one) => one.rating),
    );
    const ranking = this.#ranking();
    const isFree = (/** @type {number} */ player) => !this.#playing.has(player);
    const fits = near(ranking, challenger).includes(defender) && isFree(defender) && isFree(challenger);
    must(fits, `game ${game} should not have been paired`);
    if (this.#seed) {
      same("the pair that was drawn", [defender, challenger], this.#drawn(this.#seed, game, ranking, isFree));
    }
    this.#games.push({ players: [defender, challenger], ratings, over: false });
    this.#turns = this.#turns.filter((player) => player !== challenger);
    this.#playing.add(defender).add(challenger);
    this.count.pairings += 1;
  }

  /**
   * The pair that must play next: the first challenger that is free and has a free opponent near, and the drawn
   * opponent.
   *
   * @param {Uint8Array} seed
   * @param {number} game
   * @param {readonly number[]} ranking
   * @param {(player: number) => boolean} isFree
   */
  #drawn(seed, game, ranking, isFree) {
    for (const challenger of this.#turns) {
      const free = ranking.includes(challenger) && isFree(challenger) ? near(ranking, challenger).filter(isFree) : [];
      if (free.length) return [shuffled(keyOf(seed, `game ${game} opponent`), free)[0], challenger];
    }
    return null;
  }

  /** @param {Happening} fact */
  #rate({ game: number, stacks, ratings }) {
    const { players, ratings: before } = this.#close(number);
    const chips = stacks[0] + stacks[1];
    const gained = chips ? gain(before[0], before[1], stacks[0] / chips) : 0;
    same("the ratings after the game", ratings, [before[0] + gained, before[1] - gained]);
    for (const [at, player] of players.entries()) {
      const one = this.#player(player);
      one.rating += ratings[at] - before[at];
    }
    this.count.ratings += 1;
  }

  /** @param {number} number */
  #close(number) {
    const game = this.#games[number - 1];
    must(game && !game.over, `game ${number} is over already, or was never paired`);
    game.over = true;
    for (const player of game.players) this.#playing.delete(player);
    return game;
  }

  /** Active players, the best first; of equals who entered first. */
  #ranking() {
    const active = [...this.#players.values()].filter((one) => one.active);
    return active.sort((one, other) => other.rating - one.rating || one.player - other.player).map((one) => one.player);
  }

  /** @param {number} upload */
  #owner(upload) {
    return this.#player(this.#uploads.get(upload) ?? 0);
  }

  /** @param {number} player */
  #player(player) {
    const found = this.#players.get(player);
    must(found, "somebody plays who never entered");
    return found;
  }
}

/**
 * The other players at most `NEAR` places away from a player.
 *
 * @param {readonly number[]} ranking
 * @param {number} player
 */
function near(ranking, player) {
  const at = ranking.indexOf(player);
  must(at >= 0, `player ${player} has no bot that plays`);
  return [...ranking.slice(Math.max(at - NEAR, 0), at), ...ranking.slice(at + 1, at + NEAR + 1)];
}

/**
 * @param {number} one
 * @param {number} other
 */
function up(one, other) {
  return one - other;
}
