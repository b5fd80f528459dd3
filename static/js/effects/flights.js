/**
 * Chips that fly from one place to another, and cards from the deck to theirs. Positions in stage pixels.
 *
 * @import { Motions } from "./motions.js"
 */

import { el, place } from "../dom.js";
import { chipShape } from "../parts/shapes.js";

const CHIP = 40;
/** Where the deck lies: cards come from here. */
const DECK = { x: 960, y: 484 };

/** Things in the air, on a layer of their own. */
export class Flights {
  #stage;
  #motions;
  #layer = el("flights");

  /**
   * @param {HTMLElement} stage
   * @param {Motions} motions
   */
  constructor(stage, motions) {
    this.#stage = stage;
    this.#motions = motions;
    stage.append(this.#layer);
  }

  /**
   * The middle of an element on the stage.
   *
   * @param {Element} node
   */
  middle(node) {
    const stage = this.#stage.getBoundingClientRect();
    const scale = stage.width / 1920 || 1;
    const box = node.getBoundingClientRect();
    return {
      x: (box.left + box.width / 2 - stage.left) / scale,
      y: (box.top + box.height / 2 - stage.top) / scale,
    };
  }

  /**
   * @param {Element} from
   * @param {Element} to
   * @param {number} amount more chips fly for more of them
   * @param {number} ms
   */
  chips(from, to, amount, ms) {
    if (!this.#motions.full) return;
    const [start, end] = [this.middle(from), this.middle(to)];
    const count = Math.min(7, 2 + Math.floor(Math.log10(Math.max(1, amount))));
    const lag = (ms * 0.4) / count;
    for (let each = 0; each < count; each += 1) {
      const node = el("flight", chipShape());
      place(node, { left: end.x - CHIP / 2, top: end.y - CHIP / 2 });
      const [dx, dy] = [start.x - end.x + spread(each, 9), start.y - end.y + spread(each, 5)];
      const frames = [
        { transform: `translate(${dx}px, ${dy}px) scale(.7)`, opacity: 0 },
        { transform: `translate(${dx * 0.85}px, ${dy * 0.85 - 16}px)`, opacity: 1, offset: 0.15 },
        { transform: `translate(${dx * 0.4}px, ${dy * 0.4 - 34}px)`, offset: 0.6 },
        { transform: "none", opacity: 1, offset: 0.94 },
        { transform: "scale(.8)", opacity: 0 },
      ];
      const motion = this.#motions.play(node, frames, { ms: ms * 0.6, delay: each * lag, easing: "ease-in-out" });
      if (!motion) return;
      this.#layer.append(node);
      motion.finished.then(
        () => node.remove(),
        () => node.remove(),
      );
    }
  }

  /**
   * @param {HTMLElement} card
   * @param {number} ms
   * @param {number} delay
   */
  deal(card, ms, delay) {
    const end = this.middle(card);
    const [dx, dy] = [DECK.x - end.x, DECK.y - end.y];
    const frames = [
      { transform: `translate(${dx}px, ${dy}px) rotate(-160deg) scale(.5)`, opacity: 0 },
      { opacity: 1, offset: 0.25 },
      { transform: "none", opacity: 1 },
    ];
    this.#motions.play(card, frames, { ms, delay, easing: "cubic-bezier(.16,.84,.3,1)" });
    this.faceDown(card, ms * 0.6, delay);
  }

  /**
   * Shows the back of a card for the first part of its way.
   *
   * @param {HTMLElement} card
   * @param {number} ms
   * @param {number} delay
   */
  faceDown(card, ms, delay) {
    const frames = [{ opacity: 1 }, { opacity: 1, offset: 0.99 }, { opacity: 0 }];
    this.#motions.play(card, frames, { ms, delay, easing: "linear", part: "::before" });
  }

  drop() {
    this.#layer.replaceChildren();
  }
}

/**
 * @param {number} each
 * @param {number} width
 */
function spread(each, width) {
  return ((each * 7) % 5) * width - 2 * width;
}
