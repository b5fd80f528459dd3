/**
 * The fuse that shows a bot's time to think: the rope grows short, and a spark runs along it.
 *
 * @import { Animations } from "./animations.js"
 */

/** It is small and burns for as long as a bot thinks, so twenty steps a second are enough. */
const STEP_MS = 50;
/** The spark changes with the rope, so that both are painted at once. */
const SPARKLE_MS = 2 * STEP_MS;

/**
 * @param {Animations} motions
 * @param {Element} fuse
 * @param {number} ms
 * @returns {(Animation | null)[]} all that moves, null where the settings allow none
 */
export function burn(motions, fuse, ms) {
  const [rope, spark] = fuse.children;
  if (!rope || !spark || ms <= 0) return [];
  const pace = { ms, easing: `steps(${Math.ceil(ms / STEP_MS)})` };
  const length = rope.clientWidth;
  const sparkle = Array.from({ length: Math.ceil(ms / SPARKLE_MS) + 1 }, (_, at) => ({
    transform: `scale(${at % 2 ? 1.35 : 0.75})`,
    easing: "steps(2)",
  }));
  return [
    motions.play(rope, [{ transform: "none" }, { transform: "scaleX(0)" }], pace),
    motions.play(spark, [{ transform: "none" }, { transform: `translateX(${-length}px)` }], pace),
    motions.play(spark, sparkle, { ms, easing: "linear", part: "::after" }),
  ];
}
