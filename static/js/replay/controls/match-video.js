/**
 * The sheet "Match a video" delays this page, so that the page keeps pace with a video of the show. To measure the
 * delay, the visitor taps when the next board card is dealt on the video.
 *
 * @import { Change } from "../../overlay/store.js"
 * @import { LiveFilm } from "../film/live-film.js"
 */

import { MAX_BEHIND, storeDelay } from "../../common/behind.js";
import { byId, write } from "../../common/dom.js";
import { printedRank } from "../../common/format.js";
import { Sheet } from "./sheet.js";

const NEXT = "the next card of the board";
/** @type {Record<string, string>} */
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const STEP = 0.5;

/**
 * @param {LiveFilm} film
 * @returns {(change: Change, following: boolean) => void} a function to call with every change of the picture.
 *   `following` says whether the page follows the live edge
 */
export function matchVideo(film) {
  const opener = byId("match-open");
  const slider = /** @type {HTMLInputElement} */ (byId("match-at"));
  const tap = /** @type {HTMLButtonElement} */ (byId("match-tap"));
  const sheet = new Sheet(byId("match"), () => [...document.querySelectorAll(".screen :is(.board, .pot)")]);
  /** When the measured card was dealt on this page; 0 if it has not been dealt yet. */
  let dealtAt = 0;
  /** When the visitor tapped; 0 if the card was dealt on this page before the tap. */
  let tappedAt = 0;

  function reset() {
    dealtAt = 0;
    tappedAt = 0;
    ask(NEXT);
  }

  /** @param {string} card */
  function ask(card) {
    write(tap, `Tap when ${card} is dealt on your video`);
  }

  /** @param {number} laterMs how far the video is behind this page */
  function measured(laterMs) {
    set((film.heldMs + laterMs) / 1000);
    reset();
  }

  /** @param {number} seconds */
  function set(seconds) {
    const rounded = Math.min(MAX_BEHIND, Math.max(0, Math.round(seconds / STEP) * STEP));
    film.heldMs = rounded * 1000;
    storeDelay(rounded);
    show(rounded);
  }

  /** @param {number} seconds */
  function show(seconds) {
    slider.value = String(seconds);
    write(byId("match-seconds"), `${seconds} s`);
    write(opener.querySelector("span") ?? opener, seconds ? `Video: ${seconds} s` : "Match video");
    for (const button of buttons("behind"))
      button.setAttribute("aria-pressed", String(Number(button.dataset.behind) === seconds));
  }

  opener.addEventListener("click", () => (sheet.open ? sheet.hide() : sheet.show(opener)));
  sheet.changed = reset;
  slider.addEventListener("input", () => show(Number(slider.value)));
  slider.addEventListener("change", () => set(Number(slider.value)));
  tap.addEventListener("click", () => {
    const now = performance.now();
    if (dealtAt) return measured(now - dealtAt);
    tappedAt = now;
    write(tap, "Your video is ahead of this page: measuring until the card is dealt here");
  });
  for (const button of buttons("behind")) button.addEventListener("click", () => set(Number(button.dataset.behind)));
  for (const button of buttons("more"))
    button.addEventListener("click", () => set(film.heldMs / 1000 + Number(button.dataset.more)));
  show(film.heldMs / 1000);

  return ({ entry }, following) => {
    if (!sheet.open) return;
    tap.disabled = !following;
    const now = performance.now();
    const dealtLongAgo = dealtAt && now - dealtAt > MAX_BEHIND * 1000;
    if (!following || dealtLongAgo) reset();
    if (!following || dealtAt || entry?.type !== "street_dealt") return;
    if (tappedAt) return measured(tappedAt - now);
    dealtAt = now;
    const cards = entry.cards.map((card) => `${printedRank(card)}${SUITS[card.charAt(1)]}`);
    ask(`the ${entry.street}, ${cards.join(" ")},`);
  };
}

/** @param {"behind" | "more"} name "behind" for buttons that set the delay, "more" for buttons that add to the delay */
function buttons(name) {
  return /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`#match [data-${name}]`));
}
