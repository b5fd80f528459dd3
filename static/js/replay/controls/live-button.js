/**
 * The button that leads to the live edge, and says how far one is behind it; there, how the show stands. Once a
 * published show is over, a line leads to its replay.
 *
 * @import { Film } from "../film/film.js"
 * @import { Playhead } from "../film/playhead.js"
 */

import { replayAddress } from "../../common/around.js";
import { byId, mark, write } from "../../common/dom.js";
import { timeOf } from "../../common/format.js";

const MINUTE_MS = 60_000;
const WORDS = { live: "Live", waiting: "Waiting", paused: "Paused", over: "Over" };

/** Of a film that still grows; hidden for any other. */
export class LiveButton {
  #button = byId("live");
  #words = byId("behind");

  /** @param {boolean} live whether the film still grows */
  constructor(live) {
    this.#button.hidden = !live;
  }

  /**
   * @param {Film} film
   * @param {Playhead} head
   */
  update(film, { following, behind }) {
    if (!film.live) return;
    this.#button.setAttribute("aria-pressed", String(following));
    mark(this.#button, "lost", !film.up);
    mark(this.#button, "standing", film.standing);
    const late = behind < MINUTE_MS ? `${Math.ceil(behind / 1000)} s behind` : `${timeOf(behind)} behind`;
    if (film.recording && byId("over").hidden) end(film.recording);
    write(
      this.#words,
      film.lost ? "Connection lost" : film.up ? (following ? WORDS[film.standing] : late) : "Connecting",
    );
  }
}

/** @param {string} recording */
function end(recording) {
  byId("over").setAttribute("href", replayAddress(recording));
  byId("over").hidden = false;
}
