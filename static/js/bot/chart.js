/**
 * The chart of a bot's chips, hand by hand. A second curve, called the line, shows the chips of the last bot that
 * advances. In a stage of deals (several tables play the same cards), the chart shows what the bot had won after each
 * deal.
 *
 * @import { ChipHistory } from "./career.js"
 */

import { el, redraw, svg } from "../common/dom.js";
import { chips, ordinal, signed } from "../common/format.js";

const WIDTH = 600;
const HEIGHT = 180;
/** The maximum number of points. More points would not be visible. */
const MAX_POINTS = 200;

/**
 * Draws the chart into the empty element `host`.
 *
 * @type {(host: HTMLElement, history: ChipHistory, name: string) => void}
 */
export function drawChart(host, history, name) {
  redraw(host, history, () => {
    const { botChips, lineChips, linePlace, ofDeals } = history;
    const amount = ofDeals ? signed : chips;
    const [start, now, lastLineChips] = [botChips[0] ?? 0, botChips.at(-1) ?? 0, lineChips.at(-1) ?? 0];
    const highest = Math.max(1, ...botChips, ...lineChips) * 1.08;
    const lowest = Math.min(0, ...botChips) * 1.08;
    const heightOf = (/** @type {number} */ value) => (value - lowest) / (highest - lowest);
    const frame = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" };
    const drawing = svg("svg", frame);
    const words = [labelOf("start", heightOf(start), chips(start))];
    const legend = el("p.chart__key", el("span.chart__dash"), el("span.", el("bdi.", name), ` ${amount(now)}`));
    drawing.append(svg("path", { d: `M0 ${HEIGHT * (1 - heightOf(start))}H${WIDTH}`, class: "chart__start" }));
    if (lineChips.length) {
      drawing.append(svg("path", { d: linePath(lineChips, heightOf), class: "chart__cut" }));
      words.push(labelOf("cut", heightOf(lastLineChips), ordinal(linePlace)));
      const line = `${ordinal(linePlace)} place, the last that rides on: ${chips(lastLineChips)}`;
      legend.append(el("span.chart__dash chart__dash--cut"), el("span.", line));
    }
    drawing.append(svg("path", { d: linePath(botChips, heightOf), class: "chart__mine" }));
    return [el("chart__lines", drawing, ...words), legend];
  });
}

/** @type {(values: number[], heightOf: (value: number) => number) => string} */
function linePath(values, heightOf) {
  const every = Math.ceil(values.length / MAX_POINTS);
  const wide = Math.max(1, values.length - 1);
  const points = values.flatMap((value, index) => {
    const isKept = index % every === 0 || index === values.length - 1;
    return isKept ? [`${((index / wide) * WIDTH).toFixed(1)} ${(HEIGHT * (1 - heightOf(value))).toFixed(1)}`] : [];
  });
  return `M${points.join("L")}h0`;
}

/** A label at height 0 (bottom) to 1 (top). @type {(kind: string, height: number, words: string) => HTMLElement} */
function labelOf(kind, height, words) {
  const node = el(`span.chart__word chart__word--${kind}`, words);
  node.style.bottom = `${height * 100}%`;
  return node;
}
