/**
 * The run of the show with its ticks, and what comes next.
 *
 * @import { State } from "../common/types.js"
 * @import { Booth } from "./booth-state.js"
 * @import { Evening } from "./evening.js"
 */

import { byId, el, mark, write } from "../common/dom.js";
import { aboutTime, titleOf, whenOf } from "../lists/schedule.js";
import { keyed } from "./keyed.js";

/** So many of the games to come are listed. */
const MOST = 4;

/** What the organiser has planned: each line is a button that ticks it off. */
export class RunOfShow {
  #tick;

  /** @param {(item: number, done: boolean) => void} tick */
  constructor(tick) {
    this.#tick = tick;
  }

  /**
   * @param {Booth} booth
   * @param {State} state
   */
  update({ run_of_show: items }, { stage }) {
    byId("run").hidden = !items.length;
    keyed(
      byId("items"),
      items.map((item, number) => ({ ...item, number })),
      ({ number }) => number,
      ({ number }) => this.#make(number),
      (node, { what, at, done }) => {
        const [button] = /** @type {HTMLElement[]} */ ([...node.children]);
        button?.setAttribute("aria-checked", String(done));
        mark(node, "now", !done && what === stage?.title);
        write(/** @type {Element} */ (node.querySelector(".item__what")), what);
        write(/** @type {Element} */ (node.querySelector(".item__at")), at);
      },
    );
  }

  /** @param {number} number */
  #make(number) {
    const button = el("button.item__button", el("span.item__tick"), el("span.item__what"), el("span.item__at"));
    button.setAttribute("type", "button");
    button.setAttribute("role", "checkbox");
    button.addEventListener("click", () => this.#tick(number, button.getAttribute("aria-checked") !== "true"));
    return el("li.item", button);
  }
}

/**
 * Writes who plays next, who must still play, and when things end.
 *
 * @param {Evening} evening
 */
export function showNext({ schedule: { items = [], names = {}, due = [], ends = {}, blinds } }) {
  const coming = items.filter(({ state }) => state === "to come").slice(0, MOST);
  byId("coming").replaceChildren(
    ...coming.map((item) => {
      const who = (item.bots ?? []).map((bot) => names[bot] ?? "").join(", ");
      return el("li.", el("b.", titleOf(item)), el("span.", whenOf(item)), ...(who ? [el("p.", who)] : []));
    }),
  );
  const said = [];
  if (ends.game) said.push(`This game ends ${aboutTime(ends.game)}.`);
  if (ends.stage) said.push(`Its stage ends ${aboutTime(ends.stage)}.`);
  if (ends.show) said.push(`The show ends ${aboutTime(ends.show)}.`);
  if (blinds)
    said.push(`Blinds of ${blinds.small}/${blinds.big} come ${blinds.begins ? aboutTime(blinds.begins) : "next"}.`);
  if (due.length) said.push(`Still to play: ${due.map((bot) => names[bot] ?? "").join(", ")}.`);
  byId("ends").replaceChildren(...said.map((words) => el("p.", words)));
  byId("nothing-next").hidden = coming.length + said.length > 0;
}
