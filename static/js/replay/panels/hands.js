/**
 * All hands so far: which, the pot, who won it, and its marks; a click goes there. Of hands after the moment that is
 * shown only the numbers are told, unless the visitor wants results.
 *
 * @import { Followed } from "../../common/followed.js"
 * @import { State } from "../../common/types.js"
 * @import { Film, FilmHand } from "../film/film.js"
 */

import { button, el, mark, write } from "../../common/dom.js";
import { markedNames } from "../../common/followed.js";
import { chips } from "../../common/format.js";

/** The list; rows are made once and used again. */
export class Hands {
  #host;
  #film;
  #followed;
  #results;
  #go;
  /** @type {Row[]} */
  #rows = [];
  #drawn = "";
  /** @type {Row | undefined} */
  #now;

  /**
   * @param {HTMLElement} host an empty list
   * @param {Film} film
   * @param {Followed} followed
   * @param {boolean} results whether it tells results of hands after the moment that is shown, too
   * @param {(hand: number) => void} go called with the hand that was pressed
   */
  constructor(host, film, followed, results, go) {
    this.#host = host;
    this.#film = film;
    this.#followed = followed;
    this.#results = results;
    this.#go = go;
  }

  /**
   * @param {number} hand that is shown
   * @param {State} state
   */
  update(hand, state) {
    const over = state.hand?.over !== false;
    const { outline, revision, first } = this.#film;
    const key = JSON.stringify([hand, over, revision, outline.hands.length, first, this.#followed.names]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const before = this.#rows.length;
    for (let number = before + 1; number < outline.hands.length; number += 1)
      this.#rows.push(new Row(this.#followed, () => this.#go(number)));
    for (const row of this.#rows.splice(Math.max(0, outline.hands.length - 1))) row.root.remove();
    this.#host.append(...this.#rows.slice(before).map(({ root }) => root));
    const names = new Map(outline.bots.map(({ bot, name }) => [bot, name]));
    outline.hands.slice(1).forEach((each, at) => {
      const told = this.#results || at + 1 < hand || (at + 1 === hand && over);
      this.#rows[at]?.update(each, outline.hands[at], told, names, at + 1 < first);
    });
    this.#point(this.#rows[hand - 1]);
  }

  /** @param {Row | undefined} row that is shown now */
  #point(row) {
    if (row === this.#now) return;
    const wasSeen = this.#now?.seen ?? false;
    this.#now?.point(false);
    row?.point(true);
    this.#now = row;
    if (wasSeen) row?.root.scrollIntoView({ block: "nearest" });
  }
}

class Row {
  #number = el("span.handline__number");
  #pot = el("span.handline__pot");
  #who = el("span.handline__who");
  #marks = el("span.handline__marks");
  #button;
  #game = el("b.handline__game");
  #drawn = "";
  #followed;
  root;

  /**
   * @param {Followed} followed
   * @param {() => void} go
   */
  constructor(followed, go) {
    this.#followed = followed;
    this.#button = button("handline__button", go, this.#number, this.#who, this.#pot, this.#marks);
    this.root = el("li.handline", this.#game, this.#button);
  }

  /**
   * @param {FilmHand} hand
   * @param {FilmHand | undefined} before
   * @param {boolean} told whether its result is
   * @param {Map<number, string>} names of the bots
   * @param {boolean} gone whether it cannot be had any more
   */
  update(hand, before, told, names, gone) {
    const won = told ? hand.won : [];
    const winners = won.map(([bot]) => names.get(bot) ?? "");
    const own = winners.filter((name) => this.#followed.has(name));
    const key = JSON.stringify([hand, told, gone, winners, own]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const game = hand.stage === before?.stage && hand.game === before.game ? "" : `${hand.stage} · game ${hand.game}`;
    write(this.#game, game);
    this.#game.hidden = !game;
    write(this.#number, `Hand ${hand.hand}`);
    this.#who.replaceChildren(...markedNames(winners, this.#followed));
    write(this.#pot, told && hand.pot ? chips(hand.pot) : "");
    this.#marks.replaceChildren(...(told ? hand.marks : []).map((name) => el("span.handline__mark", name)));
    mark(this.root, "later", !told);
    this.#button.disabled = gone;
  }

  /** @param {boolean} now whether this is the hand that is shown */
  point(now) {
    if (now) this.#button.setAttribute("aria-current", "true");
    else this.#button.removeAttribute("aria-current");
  }

  /** Whether any of it can be seen. */
  get seen() {
    const { top, bottom, height } = this.#button.getBoundingClientRect();
    const box = this.root.parentElement?.closest(".tabpanel")?.getBoundingClientRect();
    return height > 0 && bottom > Math.max(0, box?.top ?? 0) && top < Math.min(innerHeight, box?.bottom ?? 0);
  }
}
