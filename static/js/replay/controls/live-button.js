/**
 * The button that leads to the live edge: the newest moment of a show that is on air. If the page is behind the edge,
 * the button shows by how much. At the edge, it shows the state of the show. When a published show is over, a link
 * leads to its replay.
 *
 * @import { Film } from "../film/film.js"
 * @import { Playhead } from "../film/playhead.js"
 */

import { replayAddress } from "../../common/addresses.js";
import { byId, setData, setText } from "../../common/dom.js";
import { durationText } from "../../common/format.js";

const MINUTE_MS = 60_000;
const STATE_LABELS = { live: "Live", waiting: "Waiting", paused: "Paused", over: "Over" };

/** Shows the button only if the film is live. @type {(film: Film, head: Playhead) => void} */
export function updateLiveButton(film, { following, behind }) {
  const button = byId("live");
  button.hidden = !film.live;
  if (!film.live) return;
  button.setAttribute("aria-pressed", String(following));
  setData(button, "lost", !film.up); // `film.up` changes at once, but `film.lost` only after some seconds
  setData(button, "standing", film.showState);
  if (film.recording) {
    byId("over").setAttribute("href", replayAddress(film.recording));
    byId("over").hidden = false;
  }
  const delay = behind < MINUTE_MS ? `${Math.ceil(behind / 1000)} s behind` : `${durationText(behind)} behind`;
  const now = film.up ? (following ? STATE_LABELS[film.showState] : delay) : "Connecting";
  setText(byId("behind"), film.lost ? "Connection lost" : now);
}
