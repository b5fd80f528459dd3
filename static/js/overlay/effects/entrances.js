/**
 * The animations that begin a scene: the bots' posters appear, rows move to their new positions, bars and lines grow,
 * the sun rises. An elimination takes longer: the posters appear, a shot is fired after a pause, and the loser is
 * stamped.
 *
 * @import { Animations } from "./animations.js"
 * @import { Chart } from "../parts/chart.js"
 * @import { DuelScene } from "../scenes/duel.js"
 * @import { Poster } from "../seat/poster.js"
 * @template Thing
 * @typedef {(motions: Animations, thing: Thing, ms: number) => void} EntranceAnimation
 */

const SWING = "cubic-bezier(.3,1.5,.5,1)";
const STEP = "cubic-bezier(.2,.9,.3,1)";
const FALL = "cubic-bezier(.5,0,.9,.5)";
/** When the shot of an elimination is fired, as a fraction of the scene's time. */
const SHOT_FRACTION = 0.34;

/** @type {EntranceAnimation<Element>} */
export function fadeIn(animations, root, ms) {
  const time = Math.min(ms, 450);
  animations.play(root, { opacity: [0.3, 1] }, { ms: time, fade: true });
  animations.play(root, { transform: ["translateY(18px)", "none"] }, { ms: time });
}

/** Shows posters one after another. @type {EntranceAnimation<Iterable<Poster>>} */
export function hangPosters(animations, posters, ms) {
  const all = [...posters];
  const lag = Math.min(160, (ms * 0.6) / Math.max(1, all.length));
  all.forEach((poster, index) => {
    const transform = ["rotate(-9deg) scale(.7)", "rotate(3deg)", "none"];
    const frames = { transform, opacity: [0, 1, 1], offset: [0, 0.55] };
    animations.play(poster.root, frames, { ms: Math.min(520, ms * 0.4), delay: index * lag, easing: SWING });
  });
}

/**
 * Fades in seats that have moved or changed size. They start half transparent, not invisible: otherwise the table would
 * be empty for a moment. They do not slide, because they would cover one another.
 * @type {EntranceAnimation<HTMLElement[]>}
 */
export function regroup(animations, moved, ms) {
  for (const root of moved) {
    animations.play(root, { opacity: [0.5, 1] }, { ms, fade: true });
    animations.play(root, { transform: ["scale(0.94)", "none"] }, { ms });
  }
}

/** Slides rows into position. @type {EntranceAnimation<Iterable<{ root: HTMLElement, fill: HTMLElement, moved: number }>>} */
export function slideRows(animations, rows, ms) {
  [...rows].forEach((row, index) => {
    const before = `translateY(${row.moved * (row.root.offsetHeight + 6)}px)`;
    const moves = { transform: [before, before, "none"], opacity: [0.2, 1, 1], offset: [0, 0.35] };
    animations.play(row.root, moves, { ms: Math.min(1400, ms * 0.5), delay: index * 40, easing: "ease-in-out" });
    const grows = { transform: ["scaleX(0)", row.fill.style.transform] };
    animations.play(row.fill, grows, { ms: Math.min(900, ms * 0.4), delay: 200 + index * 40 });
  });
}

/** Reveals the chart's lines, then the faces at their ends. @type {EntranceAnimation<Chart>} */
export function revealChart(animations, chart, ms) {
  const reveal = { transform: ["none", "scaleX(0)"], opacity: [1, 1] };
  animations.play(chart.veil, reveal, { ms: ms * 0.6, delay: 200, easing: "ease-in-out" });
  [...chart.root.querySelectorAll(".chart__face")].forEach((face, index) => {
    const frames = { transform: ["scale(0)", "none"], opacity: [0, 1] };
    animations.play(face, frames, { ms: 320, delay: ms * 0.6 + index * 60, easing: SWING });
  });
}

/** @type {EntranceAnimation<Element>} */
export function raiseSun(animations, sun, ms) {
  const frames = { transform: ["translateY(560px)", "none"] };
  animations.play(sun, frames, { ms: Math.min(ms, 1800), easing: "cubic-bezier(.2,.7,.3,1)" });
}

/** @type {EntranceAnimation<DuelScene>} */
export function playDuel(animations, { loser, winners }, ms) {
  if (!loser) return;
  const walkMs = Math.min(600, ms * 0.2);
  const shotMs = ms * SHOT_FRACTION;
  const steps = { transform: ["translateX(760px)", "none"] };
  for (const poster of winners) animations.play(poster.root, steps, { ms: walkMs, easing: STEP });
  const falls = {
    transform: ["translateX(-700px)", "none", "none", "translateX(-26px) rotate(-7deg)", "rotate(-3deg)"],
    offset: [0, walkMs, shotMs, shotMs + 120].map((time) => time / (shotMs + 420)),
    easing: [STEP, "linear", "ease-out", "linear"],
  };
  animations.play(loser.root, falls, { ms: shotMs + 420, easing: "linear" });
  // The loser is not revealed before the shot.
  const hideUntilShot = (/** @type {string} */ parts, /** @type {Keyframe} */ look) => {
    for (const part of loser.root.querySelectorAll(parts)) animations.play(part, [look, look], { ms: shotMs });
  };
  hideUntilShot(".holes", { opacity: 0 });
  hideUntilShot(".poster__photo img", { opacity: 1 });
  hideUntilShot(".paper__sheet, .paper__light", { fill: "var(--paper)" });
  const recoil = { transform: ["none", "translateX(22px) rotate(2deg)", "none"], offset: [0, 0.25] };
  const shine = { transform: ["scale(0)", "none"], opacity: [0, 1] };
  for (const poster of winners) {
    animations.play(poster.root, recoil, { ms: 420, delay: shotMs });
    animations.play(poster.star, shine, { ms: 420, delay: shotMs + 700 });
  }
  const still = "translate(-50%, -50%) rotate(2deg)";
  const transform = [`${still} scale(1.05)`, `${still} scale(.94)`, still];
  const stamped = { transform, opacity: [0, 1, 1], offset: [0, 0.8] };
  animations.play(loser.stamp, stamped, { ms: 300, delay: shotMs + 480, easing: FALL });
}
