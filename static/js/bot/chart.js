/**
 * The chart of a bot's chips, hand by hand, with the chips in the last place that advances.
 *
 * @import { Course } from "./career.js"
 */

import { el, redraw, svg } from "../common/dom.js";
import { chips, ordinal } from "../common/format.js";

const WIDTH = 600;
const HEIGHT = 180;
/** The maximum number of points. More points would not be visible. */
const POINTS = 200;

/** Draws the chart into an empty host. @type {(host: HTMLElement, course: Course, name: string) => void} */
export function drawChart(host, course, name) {
  redraw(host, course, () => {
    const { mine, cut, place } = course;
    const [start, now, last] = [mine[0] ?? 0, mine.at(-1) ?? 0, cut.at(-1) ?? 0];
    const most = Math.max(1, ...mine, ...cut) * 1.08;
    const frame = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" };
    const drawing = svg("svg", frame);
    const words = [labelOf("start", start / most, chips(start))];
    const legend = el("p.chart__key", el("span.chart__dash"), el("span.", el("bdi.", name), ` ${chips(now)}`));
    drawing.append(svg("path", { d: `M0 ${HEIGHT * (1 - start / most)}H${WIDTH}`, class: "chart__start" }));
    if (cut.length) {
      drawing.append(svg("path", { d: lineOf(cut, most), class: "chart__cut" }));
      words.push(labelOf("cut", last / most, ordinal(place)));
      const line = `${ordinal(place)} place, the last that rides on: ${chips(last)}`;
      legend.append(el("span.chart__dash chart__dash--cut"), el("span.", line));
    }
    drawing.append(svg("path", { d: lineOf(mine, most), class: "chart__mine" }));
    return [el("chart__lines", drawing, ...words), legend];
  });
}

/** @type {(values: number[], most: number) => string} */
function lineOf(values, most) {
  const every = Math.ceil(values.length / POINTS);
  const wide = Math.max(1, values.length - 1);
  const points = values.flatMap((value, at) => {
    const isKept = at % every === 0 || at === values.length - 1;
    return isKept ? [`${((at / wide) * WIDTH).toFixed(1)} ${(HEIGHT * (1 - value / most)).toFixed(1)}`] : [];
  });
  return `M${points.join("L")}h0`;
}

/** A label at a height of 0 to 1. @type {(kind: string, height: number, words: string) => HTMLElement} */
function labelOf(kind, height, words) {
  const node = el(`span.chart__word chart__word--${kind}`, words);
  node.style.bottom = `${height * 100}%`;
  return node;
}
