/**
 * The text beside the picture: who sits at the table with which chips, and what has happened in this hand.
 *
 * @import { Entry, State } from "../../common/types.js"
 * @import { Followed } from "../../common/followed.js"
 * @import { Outline } from "../film/film.js"
 */

import { el, mark, write } from "../../common/dom.js";
import { botAddress, Star } from "../../common/followed.js";
import { chips, ordinal, percent } from "../../common/format.js";
import { lineOf } from "./graphs.js";

/** A line for each seat. */
export class Seats {
  #host;
  #followed;
  #channel;
  /** @type {{ root: HTMLElement, star: Star, swatch: Element, name: Element, chance: Element, stack: Element }[]} */
  #rows = [];

  /**
   * @param {HTMLElement} host
   * @param {Followed} followed
   * @param {string} channel where the bots play, "" for none
   */
  constructor(host, followed, channel) {
    this.#host = host;
    this.#followed = followed;
    this.#channel = channel;
  }

  /**
   * @param {Outline} outline
   * @param {State} state
   */
  update(outline, state) {
    while (this.#rows.length < state.seats.length) this.#add();
    this.#rows.forEach((row, at) => {
      const seat = state.seats[at];
      row.root.hidden = !seat;
      if (!seat) return;
      const { line, dashed } = lineOf(outline, seat.bot);
      mark(row.swatch, "line", line);
      mark(row.swatch, "dashed", dashed);
      mark(row.root, "quiet", seat.folded || !seat.dealt_in);
      mark(row.root, "turn", state.turn?.seat === at);
      const name = state.bots[seat.bot]?.name ?? "";
      mark(row.root, "followed", row.star.update(name));
      row.name.setAttribute("href", botAddress(name, this.#channel));
      write(row.name, name);
      write(row.chance, seat.win === null ? "" : percent(seat.win));
      write(row.stack, seat.place ? ordinal(seat.place) : chips(seat.stack));
    });
  }

  #add() {
    const star = new Star(this.#followed);
    const [swatch, name, chance, stack] = [
      el("i.swatch"),
      el("a.seatline__name"),
      el("span.seatline__win"),
      el("span.seatline__chips"),
    ];
    name.dir = "auto";
    const root = el("li.seatline", star.root, swatch, name, chance, stack);
    this.#rows.push({ root, star, swatch, name, chance, stack });
    this.#host.append(root);
  }
}

/**
 * What happens in a hand, line by line; a click on a line goes there. Later lines are hidden. The style sheet lays the
 * list out from its end, so it follows the last line without any measuring.
 */
export class Transcript {
  #host;
  #go;
  /** @type {Entry[]} */
  #of = [];
  /** How many entries of it have been read: the hand that is on grows. */
  #read = 0;
  /** @type {{ seq: number, node: HTMLElement }[]} */
  #lines = [];
  #last = -1;
  #scroller;
  #isScrolled = false;

  /**
   * @param {HTMLElement} host
   * @param {(seq: number) => void} go
   */
  constructor(host, go) {
    this.#host = host;
    this.#go = go;
    this.#scroller = host.parentElement;
    this.#scroller?.addEventListener("scroll", () => {
      this.#isScrolled = this.#scroller?.scrollTop !== 0;
    });
  }

  /**
   * @param {Entry[]} section
   * @param {State} state
   */
  update(section, state) {
    if (section !== this.#of) this.#clear(section);
    if (section.length > this.#read) this.#write(section.slice(this.#read), state);
    this.#read = section.length;
    const last = this.#lines.findLastIndex((line) => line.seq <= state.seq);
    if (last === this.#last) return;
    this.#lines.forEach((line, at) => {
      line.node.hidden = at > last;
      mark(line.node, "now", at === last);
    });
    this.#last = last;
  }

  /** @param {Entry[]} section the one that is shown from now on */
  #clear(section) {
    this.#of = section;
    this.#read = 0;
    this.#lines = [];
    this.#host.replaceChildren();
    if (this.#isScrolled) this.#scroller?.scrollTo(0, 0);
  }

  /**
   * @param {Entry[]} entries
   * @param {State} state
   */
  #write(entries, state) {
    this.#last = -2;
    const lines = entries.flatMap((entry) => {
      const line = wordsOf(entry, state);
      if (!line) return [];
      const button = el("button.transcript__line");
      write(button, line.words);
      mark(button, "kind", line.kind);
      button.addEventListener("click", () => this.#go(entry.seq));
      return [{ seq: entry.seq, node: el("li.", button) }];
    });
    this.#lines.push(...lines);
    this.#host.append(...lines.map((line) => line.node));
  }
}

/**
 * @param {Entry} entry
 * @param {State} state
 * @returns {{ words: string, kind: string } | null}
 */
function wordsOf(entry, state) {
  switch (entry.type) {
    case "caption_spoken":
      return { words: entry.text, kind: "" };
    case "chat_sent":
      return { words: `${state.bots[entry.bot]?.name ?? ""}: “${entry.text}”`, kind: "chat" };
    case "highlight_marked":
      return { words: entry.mark, kind: "mark" };
    default:
      return null;
  }
}
