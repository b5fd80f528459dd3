/**
 * The chart of a bot's chips, hand by hand, beside those of the last place that goes on.
 *
 * @import { Course } from "./career.js"
 */

import { el, svg } from "../common/dom.js";
import { chips, ordinal } from "../common/format.js";

const WIDTH = 600;
const HEIGHT = 180;
/** Lines of more points have no room to show them. */
const POINTS = 200;

/** The chart, drawn anew when it changes. */
export class ChipsChart {
  #host;
  #drawn = "";

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#host = host;
  }

  /**
   * @param {Course} course
   * @param {string} name the bot's
   */
  update(course, name) {
    const key = JSON.stringify(course);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const { mine, cut, place } = course;
    const most = Math.max(1, ...mine, ...cut) * 1.08;
    const frame = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" };
    const level = svg("path", { d: `M0 ${HEIGHT * (1 - (mine[0] ?? 0) / most)}H${WIDTH}`, class: "chart__start" });
    const lines = [level];
    if (cut.length) lines.push(svg("path", { d: lineOf(cut, most), class: "chart__cut" }));
    lines.push(svg("path", { d: lineOf(mine, most), class: "chart__mine" }));
    const words = [labelOf("start", mine[0] ?? 0, chips(mine[0] ?? 0), most)];
    if (cut.length) words.push(labelOf("cut", cut.at(-1) ?? 0, ordinal(place), most));
    const drawing = el("chart__lines", svg("svg", frame, ...lines), ...words);
    const now = ` ${chips(mine.at(-1) ?? 0)}`;
    const legend = el("p.chart__key", el("span.chart__dash"), el("span.", el("bdi.", name), now));
    if (cut.length) {
      const line = `${ordinal(place)} place, the last that rides on: ${chips(cut.at(-1) ?? 0)}`;
      legend.append(el("span.chart__dash chart__dash--cut"), el("span.", line));
    }
    this.#host.replaceChildren(drawing, legend);
  }
}

/**
 * @param {number[]} values
 * @param {number} most
 */
function lineOf(values, most) {
  const every = Math.ceil(values.length / POINTS);
  const wide = Math.max(1, values.length - 1);
  const kept = values.flatMap((value, at) => (at % every === 0 || at === values.length - 1 ? [{ value, at }] : []));
  const points = kept.map(
    ({ value, at }) => `${((at / wide) * WIDTH).toFixed(1)} ${(HEIGHT * (1 - value / most)).toFixed(1)}`,
  );
  return `M${points.join("L")}h0`;
}

/**
 * @param {string} kind
 * @param {number} value
 * @param {string} words
 * @param {number} most
 */
function labelOf(kind, value, words, most) {
  const node = el(`span.chart__word chart__word--${kind}`, words);
  node.style.bottom = `${(value / most) * 100}%`;
  return node;
}
