/**
 * Draws graphs up to the moment shown (the playhead): all chances in this hand, and all chips and title odds since the
 * stage began.
 *
 * @import { Entry, State } from "../../common/types.js"
 * @import { Film, FilmHand, Outline } from "../film/film.js"
 * @typedef {{ d: string, line: number, dashed: number }} GraphLine
 * @typedef {{ height: number, words: string }} Level a faint line in the background, with a label, at a height from 0
 *   (bottom) to 1 (top)
 */

import { byId, el, redraw, setData, setText, svg } from "../../common/dom.js";
import { chips, signed } from "../../common/format.js";

const WIDTH = 400;
const HEIGHT = 120;
const COLOUR_COUNT = 6;
/** The number of line styles: one solid and three dashed styles. */
const DASHES = 4;
/** The maximum number of points of a line. More points would not be visible. */
const MAX_POINTS = 200;
const HALF_LEVEL = { height: 0.5, words: "50%" };

/**
 * Returns the colour and the dashes of a bot's line, the same in every graph. Up to 24 bots have different lines.
 *
 * @type {(outline: Outline, bot: number) => Pick<GraphLine, "line" | "dashed">}
 */
function lineStyleOf({ bots }, bot) {
  const index = bots.findIndex((star) => star.bot === bot);
  return { line: Math.max(0, index) % COLOUR_COUNT, dashed: Math.floor(Math.max(0, index) / COLOUR_COUNT) % DASHES };
}

/** Draws a sample of a bot's line. @type {(swatch: HTMLElement, outline: Outline, bot: number) => void} */
export function drawSwatch(swatch, outline, bot) {
  const { line, dashed } = lineStyleOf(outline, bot);
  swatch.style.setProperty("--line", `var(--line-${line})`);
  setData(swatch, "dashed", dashed || "");
}

/** @type {(host: HTMLElement, lines: GraphLine[], level: Level, playheadShare: number) => void} the share is 0 to 1 */
function drawGraph(host, lines, { height, words }, playheadShare) {
  redraw(host, [lines, height, words, playheadShare], () => {
    const paths = lines.map(({ d, line, dashed }) => {
      const path = svg("path", { d, class: "graph__line", stroke: `var(--line-${line})` });
      setData(path, "dashed", dashed || "");
      return path;
    });
    const back = svg("path", { d: `M0 ${HEIGHT * (1 - height)}H${WIDTH}`, class: "graph__level" });
    const head = svg("path", { d: `M${playheadShare * WIDTH} 0V${HEIGHT}`, class: "graph__at" });
    const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" };
    const word = el("graph__word", words);
    word.style.bottom = `${height * 100}%`;
    return [svg("svg", box, back, head, ...paths), word];
  });
}

/**
 * Draws all bots' chances in the current hand, as they were on air. `section` has the entries of the hand.
 *
 * @type {(outline: Outline, section: Entry[], state: State, now: number) => void}
 */
export function drawChances(outline, section, state, now) {
  const begins = section[0]?.at_ms ?? 0;
  const ends = section.find((entry) => entry.type === "hand_ended")?.at_ms ?? now;
  const length = Math.max(1, ends - begins);
  const playheadShare = Math.min(1, Math.max(0, (now - begins) / length));
  /** @type {Map<number, string>} */
  const paths = new Map();
  for (const entry of section) {
    if (entry.seq > state.seq || entry.type !== "equities_changed") continue;
    const x = Math.round(((entry.at_ms - begins) / length) * WIDTH);
    for (const { seat, win } of entry.chances) {
      const y = Math.round(HEIGHT * (1 - win / 1000));
      paths.set(seat, paths.has(seat) ? `${paths.get(seat)}H${x}V${y}` : `M${x} ${y}h0`);
    }
  }
  const lines = [...paths].map(([number, d]) => {
    const seat = state.seats[number];
    const isStillIn = seat !== undefined && seat.win !== null;
    return { d: isStillIn ? `${d}H${Math.round(playheadShare * WIDTH)}` : d, ...lineStyleOf(outline, seat?.bot ?? 0) };
  });
  drawGraph(byId("chances"), lines, HALF_LEVEL, playheadShare);
}

/**
 * Draws all title odds, hand by hand or (if several tables play the same cards) deal by deal. Hides the graph if there
 * are no odds.
 *
 * @type {(outline: Outline, state: State) => void}
 */
export function drawTitleOdds(outline, { stage, title_odds: odds = {} }) {
  const all = Object.entries(odds);
  setText(byId("title-odds-title"), `Title odds, ${stage?.deals ? "deal by deal" : "hand by hand"}`);
  byId("title-odds-section").hidden = !all.length;
  const last = Math.max(1, ...all.map(([, line]) => line.length - 1));
  const lines = all.map(([bot, line]) => {
    const points = line.map((chance, index) => `${Math.round((index / last) * WIDTH)} ${HEIGHT * (1 - chance / 1000)}`);
    return { d: `M${points.join("L")}h0`, ...lineStyleOf(outline, Number(bot)) };
  });
  drawGraph(byId("title-odds"), lines, HALF_LEVEL, 1);
}

/**
 * Makes the graph of all bots' chips after each hand of the stage, up to the current hand. In a stage of deals, the
 * graph shows what each bot had won after each deal.
 *
 * @param {Film} film
 * @param {(hand: number) => void} go called with the hand that was clicked
 * @returns {(hand: number, state: State) => void} draws the graph up to a hand
 */
export function chipsGraph(film, go) {
  const host = byId("chips");
  /** @type {FilmHand[]} */
  let stageHands = [];
  let [first, drawnKey] = [0, ""];
  host.addEventListener("click", (event) => {
    const box = host.getBoundingClientRect();
    const index = Math.floor(((event.clientX - box.left) / box.width) * stageHands.length);
    if (stageHands.length) go(first + Math.min(stageHands.length - 1, Math.max(0, index)));
  });
  return (hand, state) => {
    const key = `${hand} ${state.hand?.over} ${state.stage?.stage} ${state.deal?.deal} ${film.revision}`;
    if (key === drawnKey) return;
    drawnKey = key;
    const { hands } = film.outline;
    const stage = hands[hand]?.stage;
    const begins = hands.findIndex((each) => each.stage === stage);
    first = Math.max(1, film.first, begins);
    stageHands = stage ? hands.slice(first).filter((each) => each.stage === stage) : [];
    const done = stageHands.slice(0, Math.max(0, hand + (state.hand?.over === false ? 0 : 1) - first));
    // A hand that has just ended has no stacks yet.
    const counted = done.filter((each) => Object.keys(each.stacks).length > 0);
    const draw = state.stage?.deals ? drawWon : drawStacks;
    setText(byId("chips-title"), chipsTitle(state));
    draw(host, counted, Math.max(1, stageHands.length), film.outline, state);
  };
}

/** @param {State} state */
function chipsTitle({ stage }) {
  if (!stage?.deals) return "Chips, hand by hand";
  return `Chips ${stage.decided_by === "earned" ? "earned" : "won"}, deal by deal`;
}

/** @type {(host: HTMLElement, finishedHands: FilmHand[], count: number, outline: Outline, state: State) => void} */
function drawStacks(host, finishedHands, count, outline, { history, stage, tournament }) {
  const [bots, start] = [stage?.bots ?? [], tournament.starting_stack];
  const most = Math.max(1, ...finishedHands.flatMap((each) => bots.map((bot) => each.stacks[bot] ?? 0)), 1.2 * start);
  const every = Math.ceil(finishedHands.length / MAX_POINTS);
  const kept = finishedHands.flatMap((each, index) =>
    index % every === 0 || index === finishedHands.length - 1 ? [{ each, x: index + 1 }] : [],
  );
  const point = (/** @type {number} */ x, /** @type {number} */ stack) =>
    `${Math.round((x / count) * WIDTH)} ${Math.round(HEIGHT * (1 - stack / most))}`;
  const lines = bots.map((bot) => {
    const points = kept.map(({ each, x }) => point(x, each.stacks[bot] ?? 0));
    return { d: `M${[point(0, history[bot]?.[0] ?? start), ...points].join("L")}h0`, ...lineStyleOf(outline, bot) };
  });
  drawGraph(host, lines, { height: start / most, words: chips(start) }, finishedHands.length / count);
}

/** @type {(host: HTMLElement, finishedHands: FilmHand[], count: number, outline: Outline, state: State) => void} */
function drawWon(host, finishedHands, count, outline, { deal, stage }) {
  const bots = stage?.bots ?? [];
  let won = bots.map(() => 0);
  const sums = [{ x: 0, won }];
  for (const [handIndex, { deal: number = 0, deal_won = {} }] of finishedHands.entries()) {
    if (!Object.keys(deal_won).length || number > (deal?.deal ?? 0)) continue; // the deal is not over yet
    won = won.map((sum, index) => sum + (deal_won[bots[index] ?? 0] ?? 0));
    sums.push({ x: handIndex + 1, won });
  }
  const every = Math.ceil(sums.length / MAX_POINTS);
  const kept = sums.filter((_, index) => index % every === 0 || index === sums.length - 1);
  const most = Math.max(1, ...kept.flatMap((each) => each.won.map(Math.abs)));
  const lines = bots.map((bot, index) => {
    const points = kept.map((each) => {
      const height = 0.5 + (each.won[index] ?? 0) / most / 2;
      return `${Math.round((each.x / count) * WIDTH)} ${Math.round(HEIGHT * (1 - height))}`;
    });
    return { d: `M${points.join("L")}h0`, ...lineStyleOf(outline, bot) };
  });
  drawGraph(host, lines, { height: 0.5, words: signed(0) }, (sums.at(-1)?.x ?? 0) / count);
}
