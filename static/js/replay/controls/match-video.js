/**
 * The sheet "Match a video": how long this page waits for a video of the show, which comes later. It can be measured:
 * the visitor taps when the next card of the board falls on the video.
 *
 * @import { Change } from "../../overlay/store.js"
 * @import { LiveFilm } from "../film/live-film.js"
 */

import { keepBehind, MOST_BEHIND } from "../../common/behind.js";
import { byId, write } from "../../common/dom.js";
import { printedRank } from "../../common/format.js";
import { Sheet } from "./sheet.js";

const NEXT = "the next card of the board";
/** @type {Record<string, string>} */
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const STEP = 0.5;

/** Of a film that still grows. */
export class MatchVideo {
  #film;
  #sheet = new Sheet(byId("match"), () => [...document.querySelectorAll(".screen :is(.board, .pot)")]);
  #opener = byId("match-open");
  #slider = /** @type {HTMLInputElement} */ (byId("match-at"));
  #tap = /** @type {HTMLButtonElement} */ (byId("match-tap"));
  /** When the card fell on this page by which it measures; 0: it has not. */
  #fellAt = 0;
  /** When it was tapped before the card fell on this page; 0: it was not. */
  #tappedAt = 0;

  /** @param {LiveFilm} film */
  constructor(film) {
    this.#film = film;
    this.#opener.addEventListener("click", () => {
      if (this.#sheet.open) this.#sheet.hide();
      else this.#sheet.show(this.#opener);
    });
    this.#sheet.changed = () => this.#forget();
    this.#slider.addEventListener("input", () => this.#tell(Number(this.#slider.value)));
    this.#slider.addEventListener("change", () => this.#set(Number(this.#slider.value)));
    this.#tap.addEventListener("click", () => this.#measure());
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#match [data-behind]")))
      button.addEventListener("click", () => this.#set(Number(button.dataset.behind)));
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#match [data-more]")))
      button.addEventListener("click", () => this.#set(this.#film.heldMs / 1000 + Number(button.dataset.more)));
    this.#tell(this.#film.heldMs / 1000);
  }

  /** Takes a change of the picture, at the live edge or not. @type {(change: Change, following: boolean) => void} */
  changed({ entry }, following) {
    if (!this.#sheet.open) return;
    this.#tap.disabled = !following;
    const fellLongAgo = this.#fellAt && performance.now() - this.#fellAt > MOST_BEHIND * 1000;
    if (!following || fellLongAgo) this.#forget();
    if (!following || this.#fellAt || entry?.type !== "street_dealt") return;
    const now = performance.now();
    if (this.#tappedAt) return this.#found(this.#tappedAt - now);
    this.#fellAt = now;
    const cards = entry.cards.map((card) => `${printedRank(card)}${SUITS[card.charAt(1)]}`);
    this.#ask(`the ${entry.street}, ${cards.join(" ")},`);
  }

  /** The tap: the card falls on the video. */
  #measure() {
    const now = performance.now();
    if (this.#fellAt) return this.#found(now - this.#fellAt);
    this.#tappedAt = now;
    write(this.#tap, "Your video is ahead of this page: measuring until the card falls here");
  }

  /** @param {number} laterMs by how much the video is later than this page */
  #found(laterMs) {
    this.#set((this.#film.heldMs + laterMs) / 1000);
    this.#forget();
  }

  #forget() {
    this.#fellAt = 0;
    this.#tappedAt = 0;
    this.#ask(NEXT);
  }

  /** @param {string} card */
  #ask(card) {
    write(this.#tap, `Tap when ${card} falls on your video`);
  }

  /** @param {number} seconds */
  #set(seconds) {
    const rounded = Math.min(MOST_BEHIND, Math.max(0, Math.round(seconds / STEP) * STEP));
    this.#film.heldMs = rounded * 1000;
    keepBehind(rounded);
    this.#tell(rounded);
  }

  /** @param {number} seconds */
  #tell(seconds) {
    this.#slider.value = String(seconds);
    write(byId("match-seconds"), `${seconds} s`);
    write(this.#opener.querySelector("span") ?? this.#opener, seconds ? `Video: ${seconds} s` : "Match video");
    for (const button of document.querySelectorAll("#match [data-behind]"))
      button.setAttribute("aria-pressed", String(Number(button.getAttribute("data-behind")) === seconds));
  }
}
