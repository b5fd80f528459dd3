/**
 * The evening, counted: who took how much from whom, what each bot won, earned and had by luck, and the awards.
 *
 * @import { Size } from "../../common/settings.js"
 * @import { Notice, State } from "../../common/types.js"
 */

import { el, emptyPicture, picture, place, write } from "../../common/dom.js";
import { fit } from "../../common/fit-text.js";
import { chips } from "../../common/format.js";
import { paperSheet } from "../parts/shapes.js";
import { Tally } from "./tally.js";

/** The room of the title and the line beside it or below, and the places of the awards with what is written on them. */
const ROOMS = {
  wide: {
    ...{ title: 940, line: 800, awards: 5, left: 80, top: 762, pitch: [354, 0], across: 5 },
    ...{ award: { width: 344, height: 170 }, words: 202, lines: 2 },
  },
  tall: {
    ...{ title: 690, line: 700, awards: 4, left: 36, top: 880, pitch: [358, 117], across: 2 },
    ...{ award: { width: 350, height: 111 }, words: 238, lines: 1 },
  },
};

/** The scene at the end of the evening. */
export class StatisticsScene {
  #room;
  #title = el("counted__title");
  #line = el("counted__line");
  #tally;
  #awards;
  root;

  /** @param {Size} size */
  constructor({ shape }) {
    const room = ROOMS[shape];
    this.#room = room;
    this.#tally = new Tally(shape);
    this.#awards = Array.from({ length: room.awards }, (_, at) => new Award(room, at));
    const papers = this.#awards.map((award) => award.root);
    this.root = el("scene scene--statistics", this.#title, this.#line, this.#tally.root, ...papers);
  }

  /** @param {State} state */
  update(state) {
    const { title, line } = this.#room;
    fit(this.#title, "The evening, counted", { width: title, size: 68, weight: 400, family: "title", least: 40 });
    fit(this.#line, headline(state), { width: line, size: 36 });
    this.#tally.update(state);
    const awards = (state.statistics.awards ?? []).slice(0, this.#awards.length);
    this.#awards.forEach((award, at) => {
      award.update(state, awards[at], awards.length);
    });
  }
}

/** @param {State} state "12 bots · 114 hands · 60,000 chips" */
function headline({ bots, statistics, tournament, stage }) {
  const count = Object.keys(bots).length;
  const hands = statistics.hands ?? 0;
  const parts = [`${count} bots`, `${chips(hands)} ${hands === 1 ? "hand" : "hands"}`];
  if (!stage?.series) parts.push(`${chips(count * tournament.starting_stack)} chips`);
  return parts.join(" · ");
}

class Award {
  #room;
  #at;
  #image = emptyPicture();
  #title = el("award__title");
  #name = el("award__name");
  #text = el("award__text");
  root;

  /**
   * @param {typeof ROOMS.wide} room
   * @param {number} at
   */
  constructor(room, at) {
    this.#room = room;
    this.#at = at;
    const { width, height } = room.award;
    const written = el("award__words", this.#name, this.#text);
    this.root = el("award", paperSheet(width, height, at + 11), this.#title, el("award__photo", this.#image), written);
  }

  /**
   * @param {State} state
   * @param {Notice | undefined} award
   * @param {number} count how many there are
   */
  update(state, award, count) {
    this.root.hidden = !award;
    if (!award) return;
    const bot = state.bots[award.bot];
    picture(this.#image, bot);
    write(this.#title, award.title);
    const { words: width, lines } = this.#room;
    fit(this.#name, bot?.name ?? "", { width, size: 32 });
    fit(this.#text, award.text, { width, size: 28, lines });
    // In rows of as many as there is room for; the last row stands in the middle.
    const { across: columns, left, top, pitch, award: size } = this.#room;
    const [across = 0, down = 0] = pitch;
    const row = Math.floor(this.#at / columns);
    const indent = ((columns - Math.min(columns, count - row * columns)) * across) / 2;
    place(this.root, { left: left + indent + (this.#at % columns) * across, top: top + row * down, ...size });
  }
}
