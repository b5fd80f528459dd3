/**
 * All that stands beside the picture, below it on small screens: the tabs, and the panel of the one that is chosen,
 * which tells the moment that is shown.
 *
 * @import { Film } from "../film/film.js"
 * @import { Playhead } from "../film/playhead.js"
 * @import { Followed } from "../../common/followed.js"
 */

import { byId, el, write } from "../../common/dom.js";
import { Plays } from "../../lists/plays.js";
import { Schedule } from "../../lists/schedule.js";
import { StandingsTable } from "../../lists/standings-table.js";
import { ChancesGraph, ChipsGraph, drawSwatch, TitleGraph } from "./graphs.js";
import { Hands } from "./hands.js";
import { Tabs } from "./tabs.js";
import { Seats, Transcript } from "./transcript.js";

/** Here a panel takes the picture's place. */
const PHONE = matchMedia("(width < 40rem)");

/** The tabs with their panels. */
export class Panels {
  #film;
  #tabs;
  #seats;
  #transcript;
  #chances = new ChancesGraph(byId("chances"));
  #titleOdds = new TitleGraph(byId("title-odds"), byId("title-odds-section"));
  #chips;
  #standings;
  #plays = new Plays(byId("plays-section"), byId("plays"));
  #hands;
  #schedule;

  /**
   * @param {Film} film
   * @param {Followed} followed
   * @param {{ seq: (seq: number) => void, hand: (hand: number) => void, address: () => string }} go
   *   `address` gives that of this moment
   * @param {() => void} changed called when another panel is chosen, which `update` has to fill
   */
  constructor(film, followed, go, changed) {
    const { channel = "", results = "" } = document.body.dataset;
    const toHand = (/** @type {number} */ hand) => this.#leave(() => go.hand(hand));
    this.#film = film;
    this.#tabs = new Tabs(changed);
    this.#seats = new Seats(byId("seats"), followed, channel);
    this.#transcript = new Transcript(byId("transcript"), (seq) => this.#leave(() => go.seq(seq)));
    this.#chips = new ChipsGraph(byId("chips"), film, toHand);
    this.#standings = new StandingsTable(byId("standings"), followed, channel, (swatch, bot) =>
      drawSwatch(swatch, film.outline, bot),
    );
    const shown = (new URLSearchParams(location.search).get("results") ?? results) === "shown"; // a host may not look
    this.#hands = new Hands(byId("hands"), film, followed, shown, toHand);
    write(byId("results"), `${shown ? "Hide" : "Show"} results`);
    this.#schedule = new Schedule(byId("schedule"), followed, (hand) =>
      hand < film.first ? null : buttonTo(() => toHand(hand)),
    );
    byId("to-picture").addEventListener("click", () => this.#tabs.show("now"));
    byId("results").addEventListener("click", () => switchResults(go.address(), !shown));
  }

  /** @param {Playhead} head */
  update(head) {
    const { state, section } = head;
    write(byId("caption"), state.caption);
    if (this.#film.schedule) this.#schedule.update(this.#film.schedule);
    this.#tabs.offer("schedule", byId("schedule").childElementCount > 0);
    switch (this.#tabs.shown) {
      case "now":
        return this.#now(head);
      case "standings":
        this.#titleOdds.update(this.#film.outline, state);
        this.#plays.update(state);
        return write(byId("after"), this.#standings.update(state));
      case "hands":
        return this.#hands.update(section.hand, state);
    }
  }

  /** @param {Playhead} head */
  #now({ state, section, now }) {
    const { outline } = this.#film;
    this.#seats.update(outline, state);
    this.#transcript.update(outline, section, state);
    this.#chances.update(outline, section.entries, state, now);
    this.#chips.update(section.hand, state);
  }

  /** @param {() => void} go leads elsewhere in the film, which is to be seen */
  #leave(go) {
    go();
    if (PHONE.matches) this.#tabs.show("now");
    byId("screen").scrollIntoView({ block: "nearest" });
  }
}

/** @param {() => void} go */
function buttonTo(go) {
  const button = el("button.");
  button.setAttribute("type", "button");
  button.addEventListener("click", go);
  return button;
}

/**
 * Leads to this moment with results of later hands, or without: the studio remembers which.
 *
 * @param {string} moment
 * @param {boolean} shown
 */
function switchResults(moment, shown) {
  const address = new URL(moment);
  address.searchParams.set("results", shown ? "shown" : "hidden");
  /** @type {HTMLAnchorElement} */ (byId("results")).href = address.href;
}
