/**
 * The champion: one large poster before the risen sun, two on the steps, everybody else with their prize.
 *
 * @import { Placing, State } from "../types.js"
 */

import { el, emptyPicture, mark, picture, place, write } from "../dom.js";
import { fit } from "../fit.js";
import { avatarOf, chips, heading, money, ordinal } from "../format.js";
import { Poster } from "../parts/poster.js";
import { sunrise } from "../parts/scenery.js";
import { posterShape } from "./lineup.js";

/** Where the first three stand; everything on the steps ends at FLOOR. */
const STEPS = [
  { left: 770, top: 152, width: 380, height: 510, step: 664 },
  { left: 372, top: 304, width: 310, height: 404, step: 710 },
  { left: 1252, top: 332, width: 290, height: 384, step: 718 },
];
const FLOOR = 822;
const LISTED = 4;

/** The last scene. */
export class ChampionScene {
  #title = el("champion__title");
  #steps = el("champion__steps");
  #list = el("champion__list");
  #shown = "";
  /** @type {Poster[]} the winner's last */
  posters = [];
  sun = el("sunrise__sun");
  root = el("scene scene--champion", sunrise(430, this.sun), this.#title, this.#steps, this.#list);

  /** @param {State} state */
  update(state) {
    const winner = state.bots[state.placings[0]?.bot ?? 0];
    fit(this.#title, heading(winner ? "Champion" : state.tournament.title), {
      width: 900,
      size: 84,
      weight: 400,
      family: "title",
      least: 40,
    });
    const key = JSON.stringify([state.placings, Object.values(state.bots).map((bot) => [bot.name, bot.avatar])]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.posters = [];
    this.#steps.replaceChildren(...STEPS.flatMap((_, at) => this.#step(state, at)));
    this.posters.reverse();
    const rest = state.placings.slice(3, 3 + LISTED);
    this.#list.replaceChildren(...rest.map((line) => listed(state, line)));
    this.#list.hidden = rest.length === 0;
  }

  /**
   * @param {State} state
   * @param {number} at
   */
  #step(state, at) {
    const line = state.placings[at];
    const step = STEPS[at];
    if (!line || !step) return [];
    const poster = new Poster(posterShape(step.left, step.top, step.width, step.height, true), at + 2);
    poster.update({ stack: line.stack, all_in: false, place: 0, won: at ? 0 : 1 }, state.bots[line.bot]);
    this.posters.push(poster);
    const prize = el("step__prize");
    const size = at ? 56 : 80;
    const room = step.width - (at ? 92 : 118);
    fit(prize, prizeOf(state, line) || (isPaid(state) ? "no prize" : chips(line.stack)), {
      width: room,
      size,
      least: 36,
      weight: 700,
    });
    const word = el("step__place");
    write(word, ordinal(line.place));
    const player = el("step__player");
    const paid = line.prize_cents ? state.bots[line.bot]?.player : "";
    fit(player, paid ? `to ${paid}` : "", { width: step.width + 10, size: 34, least: 28 });
    const block = el("step", el("step__head", word, prize), player);
    mark(block, "step", at + 1);
    place(block, { left: step.left - 20, top: step.step, width: step.width + 40, height: FLOOR - step.step });
    return [block, poster.root];
  }
}

/**
 * What a bot is paid. Prizes are for players: whose better bot was paid gets nothing for the other.
 *
 * @param {State} state
 * @param {Placing} line
 * @returns {string} "" for nothing
 */
function prizeOf(state, line) {
  if (line.prize_cents) return money(line.prize_cents);
  const player = state.bots[line.bot]?.player;
  const better = state.placings.find((other) => other.prize_cents && state.bots[other.bot]?.player === player);
  return player && better && better.place < line.place ? `paid as ${ordinal(better.place)}` : "";
}

/** @param {State} state */
function isPaid(state) {
  return state.placings.some((line) => line.prize_cents);
}

/**
 * @param {State} state
 * @param {Placing} line
 */
function listed(state, line) {
  const bot = state.bots[line.bot];
  const image = emptyPicture();
  picture(image, avatarOf(bot), "/assets/avatars/default.webp");
  const name = el("listed__name");
  fit(name, bot?.name ?? "", { width: 168, size: 30, lines: 2 });
  const rank = el("listed__place");
  write(rank, ordinal(line.place));
  const prize = el("listed__prize");
  fit(prize, prizeOf(state, line), { width: 104, size: 36, least: 28, weight: 700, lines: 2, pair: 28 });
  return el("listed", rank, el("listed__photo", image), name, prize);
}
