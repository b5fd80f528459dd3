/**
 * The timeline below the picture: the whole recording as one line with its highlights marked above it. What is still
 * to come is marked by its kind alone, so it does not give away who will lose.
 *
 * @import { Outline, FilmHand } from "./film.js"
 */

import { mark, svg, write } from "../common/dom.js";
import { lastBefore } from "./film.js";
import { byId, timeOf } from "./page.js";

/** Hands with a lower score are not marked. There is room for some marks only. */
const WORTH = 25;
const ROOM_PX = 18;
const HEIGHT = 30;
/** A click this near to a mark goes to the mark. */
const NEAR_PX = 16;

/** The timeline of one recording. */
export class Timeline {
  #outline;
  #host = byId("timeline");
  #lane = byId("marks");
  #at = /** @type {HTMLInputElement} */ (byId("at"));
  #bubble = byId("bubble");
  #names;
  /** @type {{ hand: number, kind: "out" | "hand", share: number, score: number }[]} */
  #marks = [];
  #room = 0;
  #seq = 0;

  /**
   * @param {Outline} outline
   * @param {{ hand: (hand: number) => void, time: (atMs: number) => void }} go
   */
  constructor(outline, go) {
    this.#outline = outline;
    this.#names = new Map(outline.bots.map((star) => [star.bot, star.name]));
    this.#at.max = String(outline.length_ms);
    write(byId("length"), timeOf(outline.length_ms));
    this.#at.addEventListener("input", () => go.time(Number(this.#at.value)));
    this.#lane.addEventListener("click", (event) => {
      const share = this.#share(event);
      const near = this.#near(share);
      if (near) go.hand(near.hand);
      else go.time(share * outline.length_ms);
    });
    this.#host.addEventListener("pointermove", (event) => this.#tell(event));
    this.#host.addEventListener("pointerleave", () => mark(this.#bubble, "on", false));
    new ResizeObserver(() => this.#draw()).observe(this.#lane);
  }

  /**
   * @param {number} seq the number of the last entry that has been
   * @param {number} now in milliseconds
   * @param {string} where
   * @param {boolean} playing
   */
  update(seq, now, where, playing) {
    this.#seq = seq;
    if (this.#at !== document.activeElement || playing) this.#at.value = String(Math.round(now));
    this.#host.style.setProperty("--played", `${(100 * now) / Math.max(1, this.#outline.length_ms)}%`);
    this.#at.setAttribute("aria-valuetext", where);
    write(byId("time"), timeOf(now));
  }

  /** Draws the marks that there is room for. */
  #draw() {
    const width = this.#lane.clientWidth;
    const room = Math.floor(width / ROOM_PX);
    if (room === this.#room || !width) return;
    this.#room = room;
    this.#marks = marksOf(this.#outline, room);
    const { hands, length_ms } = this.#outline;
    const x = (/** @type {number} */ atMs) => Math.round((atMs / Math.max(1, length_ms)) * 10_000) / 10;
    const begins = hands.flatMap((hand, at) => {
      const before = hands[at - 1];
      if (!hand.game || hand.game === before?.game) return [];
      return [{ at: x(hand.at_ms), kind: hand.stage === before?.stage ? "game" : "stage" }];
    });
    const crowded = begins.length > room;
    const line = (/** @type {string} */ kind, /** @type {string[]} */ paths) =>
      svg("path", { d: paths.join(""), class: "timeline__line", "data-kind": kind });
    const of = (/** @type {"out" | "hand"} */ kind) =>
      this.#marks
        .filter((each) => each.kind === kind)
        .map(({ share, score }) => `M${share * 1000} ${HEIGHT}v${-heightOf(score)}`);
    const began = (/** @type {string} */ kind) =>
      begins.filter((each) => each.kind === kind).map(({ at }) => `M${at} ${HEIGHT}V0`);
    this.#lane.replaceChildren(
      svg(
        "svg",
        { viewBox: `0 0 1000 ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
        line("game", crowded ? [] : began("game")),
        line("stage", began("stage")),
        line("hand", of("hand")),
        line("out", of("out")),
      ),
    );
  }

  /** @param {PointerEvent} event says where and when that is below the pointer */
  #tell(event) {
    const share = this.#share(event);
    const { hands, length_ms } = this.#outline;
    const near = this.#near(share);
    const atMs = near ? (hands[near.hand]?.at_ms ?? 0) : share * length_ms;
    const hand = near?.hand ?? lastBefore(hands.length, (at) => (hands[at]?.at_ms ?? 0) <= atMs);
    write(this.#bubble, [timeOf(atMs), ...this.#words(hand)].join(" · "));
    mark(this.#bubble, "on", true);
    this.#bubble.style.left = `clamp(7rem, ${(near?.share ?? share) * 100}%, 100% - 7rem)`;
  }

  /** @param {number} hand */
  #words(hand) {
    const entry = this.#outline.hands[hand];
    if (!entry?.game) return ["before the first hand"];
    const been = entry.out.filter(([, seq]) => seq <= this.#seq).map(([bot]) => `${this.#names.get(bot) ?? ""} is out`);
    const out = been.length || !entry.out.length ? been : ["an elimination"];
    return [
      entry.stage,
      `game ${entry.game}, hand ${entry.hand}`,
      ...entry.marks.filter((each) => each !== "Elimination"),
      ...out,
    ];
  }

  /** @param {MouseEvent} event */
  #share(event) {
    const box = this.#lane.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / Math.max(1, box.width)));
  }

  /** @param {number} share the mark that is meant there, if one is */
  #near(share) {
    const reach = NEAR_PX / Math.max(1, this.#lane.clientWidth);
    const from = (/** @type {{ share: number }} */ each) => Math.abs(each.share - share);
    const nearest = this.#marks.reduce(
      (best, each) => (from(each) < from(best) ? each : best),
      this.#marks[0] ?? { hand: 0, share: -9 },
    );
    return from(nearest) <= reach ? nearest : undefined;
  }
}

/**
 * The hands to mark: every elimination, and the best others that there is room for.
 *
 * @param {Outline} outline
 * @param {number} room
 */
function marksOf({ hands, length_ms }, room) {
  const all = hands.map((hand, at) => ({
    hand: at,
    kind: /** @type {"out" | "hand"} */ (hand.out.length ? "out" : "hand"),
    share: hand.at_ms / Math.max(1, length_ms),
    score: hand.score,
  }));
  const worth = (/** @type {FilmHand} */ hand) => hand.marks.length > 0 && hand.score >= WORTH;
  const best = all
    .filter(({ kind, hand }) => kind === "hand" && worth(/** @type {FilmHand} */ (hands[hand])))
    .sort((one, other) => other.score - one.score);
  return [...all.filter(({ kind }) => kind === "out"), ...best.slice(0, room)];
}

/** @param {number} score */
function heightOf(score) {
  return 8 + Math.min(100, score) * 0.16;
}
