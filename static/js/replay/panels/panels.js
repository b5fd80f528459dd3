/**
 * All that stands beside the picture, below it on small screens: the tabs, and the panel of the one that is chosen,
 * which tells the moment that is shown.
 *
 * @import { Film } from "../film/film.js"
 * @import { Playhead } from "../film/playhead.js"
 * @import { Followed } from "../../common/followed.js"
 */

import { button, byId, write } from "../../common/dom.js";
import { playsPanel } from "../../lists/plays.js";
import { drawSchedule } from "../../lists/schedule.js";
import { standingsTable } from "../../lists/standings-table.js";
import { chipsGraph, drawChances, drawSwatch, drawTitleOdds } from "./graphs.js";
import { Hands } from "./hands.js";
import { Tabs } from "./tabs.js";
import { seatsPanel, Transcript } from "./transcript.js";

/** Here a panel takes the picture's place. */
const PHONE = matchMedia("(width < 40rem)");

/** The tabs with their panels. */
export class Panels {
  #film;
  #tabs;
  #showSeats;
  #transcript;
  #followed;
  #toHand;
  #showChips;
  #showStandings;
  #showPlays = playsPanel(byId("plays-section"), byId("plays"));
  #hands;

  /**
   * @param {Film} film
   * @param {Followed} followed
   * @param {{ seq: (seq: number) => void, hand: (hand: number) => void, address: () => string }} go
   *   `address` gives that of this moment
   * @param {() => void} changed called when another panel is chosen, which `update` has to fill
   */
  constructor(film, followed, go, changed) {
    const { channel = "", results = "" } = document.body.dataset;
    this.#film = film;
    this.#followed = followed;
    this.#toHand = (/** @type {number} */ hand) => this.#leave(() => go.hand(hand));
    this.#tabs = new Tabs(changed);
    this.#showSeats = seatsPanel(byId("seats"), followed, channel);
    this.#transcript = new Transcript(byId("transcript"), (seq) => this.#leave(() => go.seq(seq)));
    this.#showChips = chipsGraph(film, this.#toHand);
    this.#showStandings = standingsTable(byId("standings"), followed, channel, (swatch, bot) =>
      drawSwatch(swatch, film.outline, bot),
    );
    const shown = (new URLSearchParams(location.search).get("results") ?? results) === "shown"; // a host may not look
    this.#hands = new Hands(byId("hands"), film, followed, shown, this.#toHand);
    write(byId("results"), `${shown ? "Hide" : "Show"} results`);
    byId("to-picture").addEventListener("click", () => this.#tabs.show("now"));
    // Leads to this moment with results of later hands, or without: the studio remembers which.
    byId("results").addEventListener("click", () => {
      const address = new URL(go.address());
      address.searchParams.set("results", shown ? "hidden" : "shown");
      /** @type {HTMLAnchorElement} */ (byId("results")).href = address.href;
    });
  }

  /** @param {Playhead} head */
  update(head) {
    const { state, section, now } = head;
    const { outline, schedule, first } = this.#film;
    write(byId("caption"), state.caption);
    const linkTo = (/** @type {number} */ hand) => (hand < first ? null : button("", () => this.#toHand(hand)));
    if (schedule) drawSchedule(byId("schedule"), this.#followed, linkTo, schedule);
    this.#tabs.offer("schedule", byId("schedule").childElementCount > 0);
    switch (this.#tabs.shown) {
      case "now":
        this.#showSeats(outline, state);
        this.#transcript.update(outline, section, state);
        drawChances(outline, section.entries, state, now);
        return this.#showChips(section.hand, state);
      case "standings":
        drawTitleOdds(outline, state);
        this.#showPlays(state);
        return write(byId("after"), this.#showStandings(state));
      case "hands":
        return this.#hands.update(section.hand, state);
    }
  }

  /** @param {() => void} go leads elsewhere in the film, which is to be seen */
  #leave(go) {
    go();
    if (PHONE.matches) this.#tabs.show("now");
    byId("screen").scrollIntoView({ block: "nearest" });
  }
}
