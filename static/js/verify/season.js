/**
 * Checks the ledger of a season: who was drawn against whom, and how each game changed the ratings. The games have
 * recordings of their own.
 *
 * @import { Happening } from "./rules/events.js"
 * @import { Player } from "./standings.js"
 */

import { checkName } from "./names.js";
import { gain } from "./rules/ratings.js";
import { keyIn, must, same } from "./rules/refutation.js";
import { keyOf, sealOf, shuffled } from "./rules/shuffle.js";
import { near, nextPairing, Standings } from "./standings.js";

/** The ledger of a season, followed fact by fact. */
export class Ledger {
  kind = /** @type {const} */ ("season");
  open = false;
  /** Whether it came to its end, so that the draws could be proved too. */
  finished = false;
  /** @type {string[]} */
  notes = [];
  /** @type {Record<string, number>} */
  count = { draws: 0, pairings: 0, ratings: 0 };
  #seed;
  #standings = new Standings();

  /**
   * Throws Refuted where the seed is not the committed one.
   *
   * @param {Happening} opened
   * @param {string} seed in hexadecimal, "" while nobody knows it
   */
  constructor(opened, seed) {
    this.#seed = seed ? keyIn(seed, "the seed") : null;
    if (this.#seed) same("the seal of the seed", opened.seed_commitment, sealOf(this.#seed));
  }

  get where() {
    const { games } = this.#standings;
    return games.length ? `game ${games.length} of the season` : "";
  }

  /**
   * Checks the next fact. Throws Refuted where it cannot be right.
   *
   * @param {Happening} fact
   */
  take(fact) {
    this.#check(fact);
    this.#standings.take(fact);
  }

  /** @param {Happening} fact */
  #check(fact) {
    switch (fact.type) {
      case "season_opened":
        return must(false, "the season is opened twice");
      case "player_entered":
      case "bot_uploaded":
        return checkName(fact.name, "the name");
      case "draw_begun":
        return this.#checkDraw(fact);
      case "game_paired":
        return this.#checkPairing(fact);
      case "game_rated":
        return this.#checkRating(fact);
      case "game_voided":
        return void this.#openGame(fact.game);
      case "season_ended":
        this.finished = true;
        return undefined;
      default:
        return undefined;
    }
  }

  /** @param {Happening} fact */
  #checkDraw({ draw, order }) {
    const sorted = [...order].sort(up);
    const active = this.#standings.active().map((one) => one.number);
    same("the number of the draw", draw, this.#standings.draw + 1);
    same("who is in the draw", sorted, active.sort(up));
    if (!this.#seed) return;
    same("the order of the draw", order, shuffled(keyOf(this.#seed, `draw ${draw}`), sorted));
    this.count.draws += 1;
  }

  /** @param {Happening} fact */
  #checkPairing({ game, uploads, ratings }) {
    const standings = this.#standings;
    same("the number of the game", game, standings.games.length + 1);
    /** @type {Player[]} */
    const pair = uploads.map((/** @type {number} */ upload) => standings.owner(upload));
    const [active, were] = [pair.map((one) => one.active), pair.map((one) => one.rating)];
    same("the versions that play", uploads, active);
    same("the ratings before the game", ratings, were);
    const [defender, challenger] = pair.map((one) => one.number);
    const isFree = !standings.busy.has(defender) && !standings.busy.has(challenger);
    const isNear = near(standings.ranking(), challenger).includes(defender);
    must(isNear && isFree, `game ${game} should not have been paired`);
    if (this.#seed) {
      same("the pair that was drawn", [defender, challenger], nextPairing(this.#seed, game, standings));
    }
    this.count.pairings += 1;
  }

  /** @param {Happening} fact */
  #checkRating({ game: number, stacks, ratings }) {
    const [one, other] = this.#openGame(number).before;
    const chips = stacks[0] + stacks[1];
    const gained = chips ? gain(one, other, stacks[0] / chips) : 0;
    same("the ratings after the game", ratings, [one + gained, other - gained]);
    this.count.ratings += 1;
  }

  /**
   * The game of that number. Throws Refuted unless it is being played.
   *
   * @param {number} number
   */
  #openGame(number) {
    const game = this.#standings.games[number - 1];
    must(game && !game.over, `game ${number} is over already, or was never paired`);
    return game;
  }
}

/**
 * @param {number} one
 * @param {number} other
 */
function up(one, other) {
  return one - other;
}
