/**
 * The storylines, the most important first, each with one press to have it on the lower third.
 *
 * @import { Booth, Line } from "./booth-state.js"
 * @import { Evening } from "./evening.js"
 */

import { byId, el, mark, write } from "../common/dom.js";
import { chips } from "../common/format.js";
import { keyed } from "./keyed.js";

/** What each importance means to those who talk. @type {Record<Line["importance"], string>} */
const LABELS = { breaking: "Just now", analyst: "Worth telling", normal: "Background", whatever: "To fill a pause" };

/** The list of storylines, and above it what is on the lower third now. */
export class Storylines {
  #evening;
  #tell;
  #onAir = "";

  /**
   * @param {Evening} evening
   * @param {(key: string, pinned: boolean) => void} tell asks for a storyline on air; "" takes away what is there
   */
  constructor(evening, tell) {
    this.#evening = evening;
    this.#tell = tell;
    byId("away").addEventListener("click", () => tell("", false));
  }

  /** @param {Booth} booth */
  update({ lines, on_air: onAir }) {
    this.#onAir = onAir?.text ?? "";
    byId("on-air").hidden = !this.#onAir;
    write(byId("on-air-text"), `${onAir?.pinned ? "Pinned" : "On air"}: ${this.#onAir}`);
    const left = lines.filter(({ told }) => told === null).length;
    write(byId("left"), lines.length ? `${left} still to tell` : "");
    byId("no-lines").hidden = lines.length > 0;
    keyed(
      byId("lines"),
      lines,
      (line) => line.key,
      (line) => this.#make(line.key),
      (node, line) => this.#update(node, line),
    );
  }

  /** @param {string} key */
  #make(key) {
    const [air, pin] = [button("To air", "line__air"), button("Pin", "line__pin")];
    air.addEventListener("click", () => this.#tell(key, false));
    pin.addEventListener("click", () => this.#tell(key, true));
    const head = el("p.line__head", el("b.line__importance"), el("span.line__rare"));
    const foot = el("p.line__foot", el("span.line__told"), el("span.line__hands"));
    return el("li.line", el("div.line__words", head, el("p.line__text"), foot), el("div.line__buttons", air, pin));
  }

  /**
   * @param {HTMLElement} node
   * @param {Line} line
   */
  #update(node, line) {
    mark(node, "importance", line.importance);
    mark(node, "told", line.told !== null);
    mark(node, "on", line.text === this.#onAir);
    write(find(node, "importance"), LABELS[line.importance]);
    write(find(node, "rare"), line.once_in > 1 ? `once in ${chips(line.once_in)} hands` : "");
    write(find(node, "text"), line.text);
    write(find(node, "told"), told(line));
    const hands = find(node, "hands");
    const key = JSON.stringify([line.hands, line.earlier, this.#evening.hands.length]);
    if (hands.getAttribute("data-links") === key) return;
    hands.setAttribute("data-links", key);
    const links = [
      ...line.hands.map(([game, hand]) => this.#evening.link(game, hand)),
      ...line.earlier.map(([recording, hand]) => this.#evening.earlier(recording, hand)),
    ];
    hands.replaceChildren(line.hands.length ? "Hands " : "", ...links.flatMap((link) => [link, " "]));
  }
}

/** @param {Line} line */
function told({ told: ago }) {
  if (ago === null) return "";
  if (ago === 0) return "✓ told just now";
  return ago === 1 ? "✓ told a hand ago" : `✓ told ${ago} hands ago`;
}

/**
 * @param {HTMLElement} node
 * @param {string} part
 */
function find(node, part) {
  return /** @type {HTMLElement} */ (node.querySelector(`.line__${part}`));
}

/**
 * @param {string} words
 * @param {string} name
 */
function button(words, name) {
  const node = el(`button.${name}`, words);
  node.setAttribute("type", "button");
  return node;
}
