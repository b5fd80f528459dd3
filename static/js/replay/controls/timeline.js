/**
 * The timeline below the picture: the whole recording as one line with its highlights marked above it. What is still
 * to come is marked by its kind alone, so it does not give away who will lose. That of a film that still grows ends at
 * its live edge.
 *
 * @import { Film, FilmHand } from "../film/film.js"
 */

import { byId, mark, svg, write } from "../../common/dom.js";
import { timeOf } from "../../common/format.js";
import { lastBefore } from "../film/film.js";

/** Hands with a lower score are not marked. There is room for some marks only. */
const WORTH = 25;
const ROOM_PX = 18;
const HEIGHT = 30;
/** Marks are drawn anew when the film has grown by such a part of it. */
const GROWTH = 0.005;
/** A click this near to a mark goes to the mark. */
const NEAR_PX = 16;

/** The timeline of one recording. */
export class Timeline {
  #film;
  #outline;
  #host = byId("timeline");
  #lane = byId("marks");
  #at = /** @type {HTMLInputElement} */ (byId("at"));
  #bubble = byId("bubble");
  /** @type {{ hand: number, kind: "out" | "hand", share: number, score: number }[]} */
  #marks = [];
  #drawn = { room: 0, revision: -1, end: 0 };
  #seq = 0;

  /**
   * @param {Film} film
   * @param {{ hand: (hand: number) => void, time: (atMs: number) => void }} go
   */
  constructor(film, go) {
    this.#film = film;
    this.#outline = film.outline;
    this.#grow();
    this.#at.addEventListener("input", () => go.time(Number(this.#at.value)));
    this.#lane.addEventListener("click", (event) => {
      const share = this.#share(event);
      const near = this.#near(share);
      if (near) go.hand(near.hand);
      else go.time(this.#timeAt(share));
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
    if (this.#film.live) this.#grow();
    if (this.#at !== document.activeElement || playing) this.#at.value = String(Math.round(now));
    this.#host.style.setProperty("--played", `${100 * this.#shareOf(now)}%`);
    this.#at.setAttribute("aria-valuetext", where);
    write(byId("time"), timeOf(now));
  }

  /** Takes in how long the film is now. */
  #grow() {
    const { begin, end, live } = this.#film;
    this.#at.min = String(Math.round(begin));
    this.#at.max = String(Math.round(end));
    write(byId("length"), live ? `${timeOf(end)} live` : timeOf(end));
    this.#draw();
  }

  /** @param {number} atMs */
  #shareOf(atMs) {
    const { begin, end } = this.#film;
    return Math.max(0, atMs - begin) / Math.max(1, end - begin);
  }

  /** @param {number} share */
  #timeAt(share) {
    const { begin, end } = this.#film;
    return begin + share * (end - begin);
  }

  /** Draws the marks that there is room for, where they are others now. */
  #draw() {
    const room = Math.floor(this.#lane.clientWidth / ROOM_PX);
    const { revision, end, first } = this.#film;
    const same = room === this.#drawn.room && revision === this.#drawn.revision;
    if (!room || (same && end - this.#drawn.end < GROWTH * end)) return;
    this.#drawn = { room, revision, end };
    this.#marks = marksOf(this.#outline.hands, room).map((each) => ({ ...each, share: this.#shareOf(each.atMs) }));
    const hands = this.#outline.hands.slice(first);
    const x = (/** @type {number} */ atMs) => Math.round(this.#shareOf(atMs) * 10_000) / 10;
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
    const { hands } = this.#outline;
    const near = this.#near(share);
    const atMs = near ? (hands[near.hand]?.at_ms ?? 0) : this.#timeAt(share);
    const hand = near?.hand ?? lastBefore(hands.length, (at) => (hands[at]?.at_ms ?? 0) <= atMs);
    write(this.#bubble, [timeOf(atMs), ...this.#words(hand)].join(" · "));
    mark(this.#bubble, "on", true);
    this.#bubble.style.left = `clamp(7rem, ${(near?.share ?? share) * 100}%, 100% - 7rem)`;
  }

  /** @param {number} hand */
  #words(hand) {
    const entry = this.#outline.hands[hand];
    if (!entry?.game) return ["before the first hand"];
    const named = (/** @type {number} */ bot) => this.#outline.bots.find((star) => star.bot === bot)?.name ?? "";
    const been = entry.out.filter(([, seq]) => seq <= this.#seq).map(([bot]) => `${named(bot)} is out`);
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
 * @param {FilmHand[]} hands
 * @param {number} room
 */
function marksOf(hands, room) {
  const all = hands.map((hand, at) => ({
    hand: at,
    kind: /** @type {"out" | "hand"} */ (hand.out.length ? "out" : "hand"),
    atMs: hand.at_ms,
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
