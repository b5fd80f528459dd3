/**
 * The animation of an elimination: both posters come on, a pause, the shot, and the stamp on the loser.
 *
 * @import { Animations } from "./animations.js"
 * @import { DuelScene } from "../scenes/duel.js"
 */

const STEP = "cubic-bezier(.2,.9,.3,1)";
const FALL = "cubic-bezier(.5,0,.9,.5)";
/** When the shot is heard, as a fraction of the time. */
const SHOT = 0.34;

/**
 * @param {Animations} motions
 * @param {DuelScene} scene
 * @param {number} ms
 */
export function duel(motions, scene, ms) {
  const { loser, winners } = scene;
  if (!loser) return;
  const walk = Math.min(600, ms * 0.2);
  const shot = ms * SHOT;
  const steps = [{ transform: "translateX(760px)" }, { transform: "none" }];
  for (const poster of winners) motions.play(poster.root, steps, { ms: walk, easing: STEP });
  const falls = [
    { transform: "translateX(-700px)", easing: STEP },
    { transform: "none", offset: walk / (shot + 420) },
    { transform: "none", offset: shot / (shot + 420), easing: "ease-out" },
    { transform: "translateX(-26px) rotate(-7deg)", offset: (shot + 120) / (shot + 420) },
    { transform: "rotate(-3deg)" },
  ];
  motions.play(loser.root, falls, { ms: shot + 420, easing: "linear" });
  hold(motions, loser.photo, ".holes", { opacity: 0 }, shot);
  hold(motions, loser.photo, "img", { opacity: 1 }, shot);
  hold(motions, loser.root, ".paper__sheet, .paper__light", { fill: "var(--paper)" }, shot);
  for (const poster of winners) {
    const recoil = [
      { transform: "none" },
      { transform: "translateX(22px) rotate(2deg)", offset: 0.25 },
      { transform: "none" },
    ];
    motions.play(poster.root, recoil, { ms: 420, delay: shot });
    motions.play(
      poster.star,
      [
        { opacity: 0, transform: "scale(0)" },
        { opacity: 1, transform: "none" },
      ],
      { ms: 420, delay: shot + 700 },
    );
  }
  stampDown(motions, loser.stamp, shot + 480);
}

/**
 * Hides who has lost until the shot.
 *
 * @param {Animations} motions
 * @param {Element} root
 * @param {string} parts
 * @param {Keyframe} look
 * @param {number} ms
 */
function hold(motions, root, parts, look, ms) {
  for (const part of root.querySelectorAll(parts)) motions.play(part, [look, look], { ms });
}

/**
 * @param {Animations} motions
 * @param {Element} stamp
 * @param {number} delay
 */
function stampDown(motions, stamp, delay) {
  const still = "translate(-50%, -50%) rotate(2deg)";
  const frames = [
    { transform: `${still} scale(1.05)`, opacity: 0 },
    { transform: `${still} scale(.94)`, opacity: 1, offset: 0.8 },
    { transform: still, opacity: 1 },
  ];
  motions.play(stamp, frames, { ms: 300, delay, easing: FALL });
}
