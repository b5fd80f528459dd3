/**
 * The sheet "Match a video" delays this page, so that the page keeps pace with a video of the show. To measure the
 * delay, the visitor taps when the next board card is dealt on the video.
 *
 * @import { Change } from "../../overlay/store.js"
 * @import { LiveFilm } from "../film/live-film.js"
 */

import { byId, setText } from "../../common/dom.js";
import { printedRank } from "../../common/format.js";
import { MAX_DELAY_SECONDS, storeDelay } from "../../common/viewer-delay.js";
import { Sheet } from "./sheet.js";

const NEXT_CARD_TEXT = "the next card of the board";
/** @type {Record<string, string>} */
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const STEP_SECONDS = 0.5;

/**
 * @param {LiveFilm} film
 * @returns {(change: Change, following: boolean) => void} a function to call with every change of the picture.
 *   `following` says whether the page follows the live edge (the newest moment)
 */
export function matchVideo(film) {
  const opener = byId("match-open");
  const slider = /** @type {HTMLInputElement} */ (byId("match-at"));
  const tapButton = /** @type {HTMLButtonElement} */ (byId("match-tap"));
  const sheet = new Sheet(byId("match"), () => [...document.querySelectorAll(".screen :is(.board, .pot)")]);
  /** When the measured card was dealt on this page, or 0 if it has not been dealt yet. */
  let dealtAt = 0;
  /** When the visitor tapped before the card was dealt on this page, or 0 without such a tap. */
  let tappedAt = 0;

  function reset() {
    dealtAt = 0;
    tappedAt = 0;
    askForTap(NEXT_CARD_TEXT);
  }

  /** @param {string} card */
  function askForTap(card) {
    setText(tapButton, `Tap when ${card} is dealt on your video`);
  }

  /** @param {number} laterMs how far the video is behind this page, whose own delay is `film.heldMs` */
  function applyMeasurement(laterMs) {
    setDelay((film.heldMs + laterMs) / 1000);
    reset();
  }

  /** @param {number} seconds */
  function setDelay(seconds) {
    const rounded = Math.min(MAX_DELAY_SECONDS, Math.max(0, Math.round(seconds / STEP_SECONDS) * STEP_SECONDS));
    film.heldMs = rounded * 1000;
    storeDelay(rounded);
    showDelay(rounded);
  }

  /** @param {number} seconds */
  function showDelay(seconds) {
    slider.value = String(seconds);
    setText(byId("match-seconds"), `${seconds} s`);
    setText(opener.querySelector("span") ?? opener, seconds ? `Video: ${seconds} s` : "Match video");
    for (const button of delayButtons("behind"))
      button.setAttribute("aria-pressed", String(Number(button.dataset.behind) === seconds));
  }

  opener.addEventListener("click", () => (sheet.isOpen ? sheet.hide() : sheet.show(opener)));
  sheet.onToggle = reset;
  slider.addEventListener("input", () => showDelay(Number(slider.value)));
  slider.addEventListener("change", () => setDelay(Number(slider.value)));
  tapButton.addEventListener("click", () => {
    const now = performance.now();
    if (dealtAt) return applyMeasurement(now - dealtAt);
    tappedAt = now;
    setText(tapButton, "Your video is ahead of this page: measuring until the card is dealt here");
  });
  for (const button of delayButtons("behind"))
    button.addEventListener("click", () => setDelay(Number(button.dataset.behind)));
  for (const button of delayButtons("more"))
    button.addEventListener("click", () => setDelay(film.heldMs / 1000 + Number(button.dataset.more)));
  showDelay(film.heldMs / 1000);

  return ({ entry }, following) => {
    if (!sheet.isOpen) return;
    tapButton.disabled = !following;
    const now = performance.now();
    const dealtLongAgo = dealtAt && now - dealtAt > MAX_DELAY_SECONDS * 1000;
    if (!following || dealtLongAgo) reset();
    if (!following || dealtAt || entry?.type !== "street_dealt") return;
    if (tappedAt) return applyMeasurement(tappedAt - now);
    dealtAt = now;
    const cards = entry.cards.map((card) => `${printedRank(card)}${SUITS[card.charAt(1)]}`);
    askForTap(`the ${entry.street}, ${cards.join(" ")},`);
  };
}

/** @param {"behind" | "more"} name "behind" for buttons that set the delay, "more" for buttons that add to the delay */
function delayButtons(name) {
  return /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`#match [data-${name}]`));
}
