/**
 * Who sits at the table with how many chips, and what has happened in this hand, with everybody's chances after each
 * street.
 *
 * @import { Chance, Entry, Seat, State } from "../../common/types.js"
 * @import { Followed } from "../../common/followed.js"
 * @import { Outline } from "../film/film.js"
 */

import { button, el, mark, write } from "../../common/dom.js";
import { linkToBot, Star } from "../../common/followed.js";
import { chanceOf, chips, ordinal } from "../../common/format.js";
import { rowsIn } from "../../common/rows.js";
import { drawSwatch } from "./graphs.js";

/**
 * A line for each seat.
 *
 * @param {HTMLElement} host
 * @param {Followed} followed
 * @param {string} channel where the bots play, "" for none
 * @returns {(outline: Outline, state: State) => void} draws them
 */
export function seatsPanel(host, followed, channel) {
  const rows = rowsIn(
    host,
    (/** @type {{ at: number, seat: Seat, outline: Outline, state: State }} */ { at }) => at,
    ({ at }) => {
      const [star, swatch, link] = [new Star(followed), el("i.swatch"), el("a.seatline__name")];
      const [chance, stack] = [el("span.seatline__win"), el("span.seatline__chips")];
      const root = el("li.seatline", star.root, swatch, link, chance, stack);
      link.dir = "auto";
      return {
        root,
        update: ({ seat, outline, state: { turn, bots } }) => {
          const name = bots[seat.bot]?.name ?? "";
          drawSwatch(swatch, outline, seat.bot);
          mark(root, "quiet", seat.folded || !seat.dealt_in);
          mark(root, "turn", turn?.seat === at);
          mark(root, "followed", star.update(name));
          linkToBot(link, name, channel);
          write(link, name);
          write(chance, chanceOf(seat));
          write(stack, seat.place ? ordinal(seat.place) : chips(seat.stack));
        },
      };
    },
  );
  return (outline, state) => rows(state.seats.map((seat, at) => ({ at, seat, outline, state })));
}

/**
 * A hand line by line; a click on a line goes there. Later lines are hidden. The style sheet lays the list out from its
 * end, so that it follows the last line by itself.
 */
export class Transcript {
  #host;
  #go;
  /** @type {Entry[]} */
  #of = [];
  /** How many of the entries have been read: the hand on air grows. */
  #read = 0;
  /** Whether a street has been dealt whose chances have yet to come. */
  #dealt = false;
  /** @type {{ seq: number, node: HTMLElement, kind: string }[]} */
  #lines = [];
  /** Whether there was an action whose line has yet to come. */
  #acts = false;
  /** @type {HTMLElement[]} the line of each action */
  #actions = [];
  /** @type {{ seq: number, node: HTMLElement }[]} bots' words on their actions, shown once the hand is over */
  #notes = [];
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
   * @param {Outline} outline
   * @param {{ entries: Entry[], bots: number[] }} section the present hand, and the bot in each seat
   * @param {State} state
   */
  update(outline, { entries, bots }, state) {
    if (entries !== this.#of) this.#clear(entries);
    const chances = (/** @type {Chance[]} */ all) =>
      all.map((chance) => {
        const bot = bots[chance.seat] ?? 0;
        const [swatch, name] = [el("i.swatch"), outline.bots.find((each) => each.bot === bot)?.name ?? ""];
        drawSwatch(swatch, outline, bot);
        return el("span.transcript__chance", swatch, el("bdi.", name), " ", el("b.", chanceOf(chance)));
      });
    if (entries.length > this.#read) this.#write(entries.slice(this.#read), state, chances);
    this.#read = entries.length;
    for (const { seq, node } of this.#notes) node.hidden = seq > state.seq;
    const last = this.#lines.findLastIndex((line) => line.seq <= state.seq);
    if (last === this.#last) return;
    const now = this.#lines.findLastIndex((line, at) => at <= last && line.kind !== "chances");
    this.#lines.forEach((line, at) => {
      line.node.hidden = at > last;
      mark(line.node, "now", at === now);
    });
    this.#last = last;
  }

  /** @param {Entry[]} entries of the hand that is shown next */
  #clear(entries) {
    this.#of = entries;
    this.#read = 0;
    this.#dealt = false;
    this.#lines = [];
    this.#acts = false;
    this.#actions = [];
    this.#notes = [];
    this.#host.replaceChildren();
    if (this.#isScrolled) this.#scroller?.scrollTo(0, 0);
  }

  /** @type {(entries: Entry[], state: State, chances: (all: Chance[]) => Node[]) => void} */
  #write(entries, state, chances) {
    this.#last = -2;
    const lines = entries.flatMap((entry) => {
      if (entry.type === "action_taken") this.#acts = true;
      if (entry.type === "note_given") this.#note(entry);
      const line = this.#isFirst(entry) ? { parts: chances(entry.chances), kind: "chances" } : wordsOf(entry, state);
      if (!line) return [];
      const words = button("transcript__line", () => this.#go(entry.seq), ...line.parts);
      mark(words, "kind", line.kind);
      const node = el("li.", words);
      if (this.#acts) this.#actions.push(node);
      this.#acts = false;
      return [{ seq: entry.seq, node, kind: line.kind }];
    });
    this.#lines.push(...lines);
    this.#host.append(...lines.map((line) => line.node));
  }

  /** @param {Extract<Entry, { type: "note_given" }>} entry */
  #note({ seq, action, text }) {
    const node = el("q.transcript__note", text);
    node.dir = "auto";
    node.hidden = true;
    this.#actions[action - 1]?.append(node);
    this.#notes.push({ seq, node });
  }

  /**
   * @param {Entry} entry
   * @returns {entry is Extract<Entry, { type: "equities_changed" }>} whether it has the first chances of a street
   */
  #isFirst(entry) {
    if (entry.type === "street_dealt") this.#dealt = true;
    if (entry.type !== "equities_changed" || !this.#dealt) return false;
    this.#dealt = false;
    return true;
  }
}

/** @type {(entry: Entry, state: State) => { parts: string[], kind: string } | null} */
function wordsOf(entry, state) {
  switch (entry.type) {
    case "caption_spoken":
      return { parts: [entry.text], kind: "" };
    case "chat_sent":
      return { parts: [`${state.bots[entry.bot]?.name ?? ""}: “${entry.text}”`], kind: "chat" };
    case "highlight_marked":
      return { parts: [entry.mark], kind: "mark" };
    default:
      return null;
  }
}
