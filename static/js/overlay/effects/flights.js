/**
 * Chips that fly between seats and pot, and cards that fly between deck and seats, below all text. Positions are in
 * screen pixels.
 *
 * @import { Animations } from "./animations.js"
 * @import { Size } from "../../common/settings.js"
 */

import { el, position } from "../../common/dom.js";
import { chipPile } from "../parts/chips.js";

const CHIP_SIZE = 40;
/** When a bot folds, its second card flies this many milliseconds after the first. */
const MUCK_LAG_MS = 50;
const FLICK = "cubic-bezier(.16,.84,.3,1)";

/** The layer of flying chips and cards. */
export class Flights {
  #screen;
  #size;
  #animations;
  #layer = el("flights");

  /** @param {HTMLElement} screen @param {Size} size @param {Animations} animations */
  constructor(screen, size, animations) {
    this.#screen = screen;
    this.#size = size;
    this.#animations = animations;
  }

  /** The centre of an element on the screen. @param {Element} node */
  centreOf(node) {
    const screen = this.#screen.getBoundingClientRect();
    const scale = screen.width / this.#size.width || 1;
    const box = node.getBoundingClientRect();
    return {
      x: (box.left + box.width / 2 - screen.left) / scale,
      y: (box.top + box.height / 2 - screen.top) / scale,
    };
  }

  /** Moves the layer into `host`, the scene's layer behind all text. @param {HTMLElement} host */
  placeBehind(host) {
    if (this.#layer.parentElement !== host) host.append(this.#layer);
  }

  /**
   * Flies chips between a seat and the pot, mostly along the row of the board.
   *
   * @param {Element[]} ends the start and the end
   * @param {number} amount a larger amount flies as more chips
   * @param {{ ms: number, out: boolean }} how `out`: whether the chips fly from the pot to a seat
   */
  flyChips([from, to], amount, { ms, out }) {
    if (!this.#animations.isFull) return;
    const [start, end] = [this.centreOf(from), this.centreOf(to)];
    const count = Math.min(7, 2 + Math.floor(Math.log10(Math.max(1, amount))));
    const lag = (ms * 0.4) / count;
    for (let index = 0; index < count; index += 1) {
      const node = el("flight", chipPile(10 ** (index % 4)));
      position(node, { left: end.x - CHIP_SIZE / 2, top: end.y - CHIP_SIZE / 2 });
      const [dx, dy] = [start.x - end.x + spreadOffset(index, 9), start.y - end.y + spreadOffset(index, 5)];
      this.#fly(node, chipPath(dx, dy, out), { ms: ms * 0.6, delay: index * lag, easing: "ease-in-out" });
    }
  }

  /** Flies two face-down cards to the middle. They vanish on the way. @type {(from: Element, ms: number) => void} */
  flyToMuck(from, ms) {
    const start = this.centreOf(from);
    const { deck } = this.#size;
    [-1, 1].forEach((side, index) => {
      const node = el("flight flight--card");
      position(node, { left: start.x + side * 60 - 56, top: start.y - 78 });
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
      this.#fly(node, frames, { ms: ms - MUCK_LAG_MS, delay: index * MUCK_LAG_MS, easing: "cubic-bezier(.3,.6,.5,1)" });
    });
  }

  /**
   * @param {HTMLElement} node the element that flies; it is removed afterwards
   * @param {Keyframe[]} frames
   * @param {import("./animations.js").Timing} timing
   * @returns {Animation[]} the flight's animation, or none if it is not played
   */
  #fly(node, frames, timing) {
    const motion = this.#animations.play(node, frames, timing);
    if (!motion) return [];
    this.#layer.append(node);
    const remove = () => node.remove();
    motion.finished.then(remove, remove);
    return [motion];
  }

  /**
   * Flies a card into position and turns it over.
   *
   * @type {(card: HTMLElement, ms: number, delay: number) => Animation[]}
   */
  dealCard(card, ms, delay) {
    if (!this.#animations.isFull) return [];
    const end = this.centreOf(card);
    const node = el("flight flight--card");
    position(node, { left: end.x - card.offsetWidth / 2, top: end.y - card.offsetHeight / 2 });
    position(node, { width: card.offsetWidth, height: card.offsetHeight });
    const [dx, dy] = [this.#size.deck.x - end.x, this.#size.deck.y - end.y];
    const way = [
      { transform: `translate(${dx}px, ${dy}px) rotate(-200deg) scale(.5)`, easing: FLICK },
      { transform: "rotate(5deg)", offset: 0.75, easing: "ease-in" },
      { transform: "scale(0, 1)" },
    ];
    const flight = this.#fly(node, way, { ms: ms * 0.8, delay, easing: "linear" });
    const reveal = { ms: ms * 0.2, delay: delay + ms * 0.8 };
    return [...flight, this.#animations.play(card, { transform: ["scale(0, 1)", "none"] }, reveal) ?? []].flat();
  }

  drop() {
    this.#layer.replaceChildren();
  }
}

/**
 * The path of a chip from a seat: towards the row of the board, then along this row. A chip to a seat flies in reverse.
 *
 * @param {number} dx the horizontal distance from the end of the path to its start
 * @param {number} dy the vertical distance
 * @param {boolean} isToSeat whether the chip flies from the pot to a seat
 * @returns {Keyframe[]}
 */
function chipPath(dx, dy, isToSeat) {
  return [0, 0.2, 0.4, 0.6, 0.8, 1].map((travelled) => {
    const [late, soon] = [1 - travelled ** 2, (1 - travelled) ** 2];
    const [x, y] = isToSeat ? [soon, late] : [late, soon];
    return { transform: `translate(${dx * x}px, ${dy * y}px) rotate(${-200 * (1 - travelled)}deg)` };
  });
}

/** @type {(index: number, width: number) => number} */
function spreadOffset(index, width) {
  return ((index * 7) % 5) * width - 2 * width;
}
