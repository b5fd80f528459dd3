/**
 * Plays animations through the Web Animations API. Each animation ends with the style that the element has without
 * animations. So the picture is right even if an animation is skipped.
 *
 * @typedef {{ ms: number, delay?: number, easing?: string, fade?: boolean, part?: string }} Timing
 *   `fade`: the animation is also played with reduced motion; `part`: the pseudo-element to animate instead of the
 *   element
 */

/** Plays the animations of a page, or none if `level` is "off". */
export class Animations {
  #motionLevel;

  /** @param {"full" | "reduced" | "off"} level */
  constructor(level) {
    this.#motionLevel = level;
  }

  /**
   * @param {Element} node
   * @param {Keyframe[] | PropertyIndexedKeyframes} frames
   * @param {Timing} timing
   * @returns {Animation | null} null if the animation is not played
   */
  play(node, frames, { ms, delay = 0, easing = "cubic-bezier(.2,.8,.25,1)", fade = false, part }) {
    const allowed = this.isFull || (this.#motionLevel === "reduced" && fade);
    if (!allowed || ms <= 0 || document.hidden) return null;
    return node.animate(frames, { duration: ms, delay, easing, fill: "backwards", pseudoElement: part });
  }

  get isFull() {
    return this.#motionLevel === "full";
  }

  get isOff() {
    return this.#motionLevel === "off";
  }

  /** Ends all animations at once, except those that style sheets start. The screen then shows the current state. */
  drop() {
    for (const motion of document.getAnimations()) if (motion.constructor === Animation) motion.cancel();
  }
}
