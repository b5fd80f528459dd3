/**
 * The timeline below the picture: the whole recording as one line, divided into games. Marks above the line show
 * remarkable hands. For hands that have not been shown yet, marks show only what kind of hand it is, not who will lose.
 * While the show is on, the line also shows the time until the show's expected end, if that time can be estimated.
 *
 * @import { Film } from "../film/film.js"
 * @import { Mark } from "./timeline-marks.js"
 */

import { byId, el, setData, setText, svg } from "../../common/dom.js";
import { durationText } from "../../common/format.js";
import { lastIndexWhere, whichHand } from "../film/film.js";
import { KIND_WORDS, marksOf, pathOf, timelineParts } from "./timeline-marks.js";

/** The middle of the marks, in pixels from the top. */
const MARKS_Y = 12;
/** The line that is divided into games: its top and its height, in pixels. */
const LINE_Y = 30;
const LINE_HEIGHT = 10;
/** The gap between two games, in pixels. */
const GAP = 2;
/** The line is redrawn whenever the film has grown by this share of its length. */
const GROWTH = 0.005;
/** A click at most this far from a mark counts as a click on the mark. */
const MARK_CLICK_PX = 16;
const MINUTE_MS = 60_000;

export class Timeline {
  #film;
  #host = byId("timeline");
  #lane = byId("games");
  #markLayer = byId("marks");
  #slider = /** @type {HTMLInputElement} */ (byId("at"));
  #bubble = byId("bubble");
  /** @type {Mark[]} */
  #marks = [];
  #drawn = { width: 0, revision: -1, end: 0, until: 0 };
  #seq = 0;

  /**
   * @param {Film} film
   * @param {{ hand: (hand: number) => void, time: (atMs: number) => void }} go
   */
  constructor(film, go) {
    this.#film = film;
    this.#showLength();
    const legend = KIND_WORDS.map(([kind, words]) => {
      const d = pathOf(kind, [{ hand: 0, kind, x: 10 }], 10);
      const shape = svg("path", { d, class: "timeline__mark", "data-kind": kind });
      return el("span.", svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, shape), words);
    });
    byId("legend").append(...legend);
    this.#slider.addEventListener("input", () => go.time(Math.min(Number(this.#slider.value), film.end)));
    for (const layer of [this.#lane, this.#markLayer]) {
      layer.addEventListener("click", (event) => {
        const share = this.#shareAtPointer(event);
        const near = this.#markNear(share);
        if (near) go.hand(near.hand);
        else go.time(Math.min(this.#timeAt(share), film.end));
      });
    }
    this.#host.addEventListener("pointermove", (event) => this.#showBubble(event));
    this.#host.addEventListener("pointerleave", () => setData(this.#bubble, "on", false));
    new ResizeObserver(() => this.#draw()).observe(this.#lane);
  }

  /**
   * @param {number} seq the number of the last entry shown
   * @param {number} now in milliseconds
   * @param {string} where a description of the position, for screen readers
   * @param {boolean} playing
   */
  update(seq, now, where, playing) {
    this.#seq = seq;
    if (this.#film.live) this.#showLength();
    if (this.#slider !== document.activeElement || playing) this.#slider.value = String(Math.round(now));
    this.#host.style.setProperty("--played", `${100 * this.#shareOf(now)}%`);
    this.#slider.setAttribute("aria-valuetext", where);
    setText(byId("time"), durationText(now));
  }

  #showLength() {
    const { begin, end, live } = this.#film;
    const until = this.#lineEnd;
    const left = Math.ceil((until - end) / MINUTE_MS);
    this.#slider.min = String(Math.round(begin));
    this.#slider.max = String(Math.round(until));
    setText(byId("length"), live ? `${durationText(end)} live` : durationText(end));
    setText(byId("left"), left > 0 ? ` · about ${left} min to come` : "");
    this.#draw();
  }

  /** The end of the line, including the remaining time, in milliseconds. */
  get #lineEnd() {
    return Math.max(this.#film.end, this.#film.expected);
  }

  /** @param {number} atMs */
  #shareOf(atMs) {
    const { begin } = this.#film;
    return Math.max(0, atMs - begin) / Math.max(1, this.#lineEnd - begin);
  }

  /** @param {number} share */
  #timeAt(share) {
    const { begin } = this.#film;
    return begin + share * (this.#lineEnd - begin);
  }

  /** Redraws games and marks if they have changed. */
  #draw() {
    const width = this.#lane.clientWidth;
    const { revision, end, first } = this.#film;
    const until = this.#lineEnd;
    const { width: drawnWidth, revision: drawnRevision, end: drawnEnd, until: drawnUntil } = this.#drawn;
    const hasGrown = Math.max(end - drawnEnd, Math.abs(until - drawnUntil)) >= GROWTH * until;
    if (!width || (width === drawnWidth && revision === drawnRevision && !hasGrown)) return;
    this.#drawn = { width, revision, end, until };
    const xOf = (/** @type {number} */ atMs) => Math.round(this.#shareOf(atMs) * width * 10) / 10;
    const { hands } = this.#film.outline;
    this.#marks = marksOf(hands, xOf);
    const pieces = timelineParts(hands.slice(first), xOf, 0, xOf(end));
    const box = { viewBox: `0 0 ${width} ${LINE_Y + LINE_HEIGHT}`, "aria-hidden": "true" };
    const games = pieces.map(({ from, to }) => {
      return `M${from} ${LINE_Y}H${Math.max(from + 1, to - GAP)}v${LINE_HEIGHT}H${from}z`;
    });
    const line = () => svg("path", { d: games.join("") });
    const stages = pieces.filter(({ opens }) => opens).map(({ from }) => `M${from - GAP / 2} ${LINE_Y - 8}v18`);
    const toCome = el("div.timeline__to-come");
    toCome.style.left = `${xOf(end)}px`;
    this.#lane.replaceChildren(
      svg("svg", box, line(), svg("path", { d: stages.join(""), class: "timeline__stage" })),
      svg("svg", { ...box, class: "timeline__played" }, line()),
      toCome,
    );
    setData(toCome, "any", until > end);
    const shapes = KIND_WORDS.map(([kind]) => {
      const d = pathOf(kind, this.#marks, MARKS_Y);
      return svg("path", { d, class: "timeline__mark", "data-kind": kind });
    });
    this.#markLayer.replaceChildren(svg("svg", box, ...shapes));
  }

  /** Describes the moment below the pointer. @param {PointerEvent} event */
  #showBubble(event) {
    const share = this.#shareAtPointer(event);
    const { hands } = this.#film.outline;
    const near = this.#markNear(share);
    const atMs = near ? (hands[near.hand]?.at_ms ?? 0) : this.#timeAt(share);
    const hand = near?.hand ?? lastIndexWhere(hands.length, (number) => (hands[number]?.at_ms ?? 0) <= atMs);
    setText(this.#bubble, [durationText(atMs), ...this.#handWords(hand)].join(" · "));
    setData(this.#bubble, "on", true);
    this.#bubble.style.left = `clamp(7rem, ${near ? `${near.x}px` : `${share * 100}%`}, 100% - 7rem)`;
  }

  /** Describes a hand. Does not name the bots of an elimination that has not been shown yet. @param {number} hand */
  #handWords(hand) {
    const entry = this.#film.outline.hands[hand];
    if (!entry?.game) return ["before the first hand"];
    const nameOf = (/** @type {number} */ bot) => this.#film.outline.bots.find((row) => row.bot === bot)?.name ?? "";
    const eliminations = entry.out.filter(([, seq]) => seq <= this.#seq).map(([bot]) => `${nameOf(bot)} is out`);
    const out = eliminations.length || !entry.out.length ? eliminations : ["an elimination"];
    return [entry.stage, whichHand(entry), ...entry.marks.filter((each) => each !== "Elimination"), ...out];
  }

  /** @param {MouseEvent} event */
  #shareAtPointer(event) {
    const box = this.#lane.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / Math.max(1, box.width)));
  }

  /** The mark near a position, if there is one. @param {number} share */
  #markNear(share) {
    const x = share * this.#lane.clientWidth;
    const from = (/** @type {Mark} */ each) => Math.abs(each.x - x);
    const nearest = this.#marks.toSorted((one, other) => from(one) - from(other))[0];
    return nearest && from(nearest) <= MARK_CLICK_PX ? nearest : undefined;
  }
}
