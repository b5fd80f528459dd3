/**
 * Chips that fly from one place to another, and cards from the deck to their seats. Positions in stage pixels.
 *
 * @import { Animations } from "./animations.js"
 * @import { Size } from "../../common/settings.js"
 */

import { el, place } from "../../common/dom.js";
import { chipPile } from "../parts/chips.js";

const CHIP = 40;
const FLICK = "cubic-bezier(.16,.84,.3,1)";

/** The layer of flying chips and cards. */
export class Flights {
  #stage;
  #size;
  #motions;
  #layer = el("flights");

  /**
   * @param {HTMLElement} stage
   * @param {Size} size
   * @param {Animations} motions
   */
  constructor(stage, size, motions) {
    this.#stage = stage;
    this.#size = size;
    this.#motions = motions;
    stage.append(this.#layer);
  }

  /**
   * The centre of an element on the stage.
   *
   * @param {Element} node
   */
  middle(node) {
    const stage = this.#stage.getBoundingClientRect();
    const scale = stage.width / this.#size.width || 1;
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
      const node = el("flight", chipPile(10 ** (each % 4)));
      place(node, { left: end.x - CHIP / 2, top: end.y - CHIP / 2 });
      const [dx, dy] = [start.x - end.x + spread(each, 9), start.y - end.y + spread(each, 5)];
      this.#throw(node, arc(dx, dy), { ms: ms * 0.6, delay: each * lag, easing: "ease-in-out" });
    }
  }

  /**
   * Two cards, face down, fly to the middle and vanish.
   *
   * @param {Element} from
   * @param {number} ms
   */
  muck(from, ms) {
    const start = this.middle(from);
    const { deck } = this.#size;
    [-1, 1].forEach((side, at) => {
      const node = el("flight flight--card");
      place(node, { left: start.x + side * 60 - 56, top: start.y - 78 });
      const [dx, dy] = [deck.x - start.x, deck.y - start.y];
      const frames = [
        { transform: "none", opacity: 1 },
        {
          transform: `translate(${dx * 0.45}px, ${dy * 0.5 - 24}px) rotate(${side * 130}deg) scale(.85)`,
          offset: 0.55,
        },
        { opacity: 0.9, offset: 0.75 },
        { transform: `translate(${dx * 0.7}px, ${dy * 0.75}px) rotate(${side * 210}deg) scale(.6)`, opacity: 0 },
      ];
      this.#throw(node, frames, { ms, delay: at * 50, easing: "cubic-bezier(.3,.6,.5,1)" });
    });
  }

  /**
   * @param {HTMLElement} node stands where it comes from or where it goes; gone when it has landed
   * @param {Keyframe[]} frames
   * @param {import("./animations.js").Pace} pace
   */
  #throw(node, frames, pace) {
    const motion = this.#motions.full ? this.#motions.play(node, frames, pace) : null;
    if (!motion) return;
    this.#layer.append(node);
    const gone = () => node.remove();
    motion.finished.then(gone, gone);
  }

  /**
   * @param {HTMLElement} card
   * @param {number} ms
   * @param {number} delay
   */
  deal(card, ms, delay) {
    const end = this.middle(card);
    const [dx, dy] = [this.#size.deck.x - end.x, this.#size.deck.y - end.y];
    const frames = [
      { transform: `translate(${dx}px, ${dy}px) rotate(-200deg) scale(.5)`, opacity: 0, easing: FLICK },
      { opacity: 1, offset: 0.12, easing: "ease-out" },
      { transform: "rotate(5deg)", offset: 0.6, easing: "ease-in" },
      { transform: "scale(0, 1.06)", offset: 0.8, easing: "ease-out" },
      { transform: "none", opacity: 1 },
    ];
    this.#motions.play(card, frames, { ms, delay, easing: "linear" });
    this.faceDown(card, ms * 0.8, delay);
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
 * The path of a tossed chip: it rises, turns a little and comes down.
 *
 * @param {number} dx where it comes from, seen from where it lands
 * @param {number} dy
 * @returns {Keyframe[]}
 */
function arc(dx, dy) {
  const rise = 26 + Math.min(130, Math.hypot(dx, dy) * 0.24);
  return [0, 0.2, 0.4, 0.6, 0.8, 1].map((gone) => {
    const left = 1 - gone;
    const height = 4 * gone * left;
    const way = `translate(${dx * left}px, ${dy * left - rise * height}px)`;
    return { transform: `${way} rotate(${-200 * left}deg) scale(${1 + height * 0.25})`, opacity: gone % 1 ? 1 : gone };
  });
}

/**
 * @param {number} each
 * @param {number} width
 */
function spread(each, width) {
  return ((each * 7) % 5) * width - 2 * width;
}
