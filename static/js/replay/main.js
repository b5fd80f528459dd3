/**
 * The entry point of the replay page and of the live one: shows the stage while the film is being loaded. Live is a
 * replay whose last hand is not there yet.
 */

import { behindAsked } from "../common/behind.js";
import { byId, write } from "../common/dom.js";
import { Film } from "./film/film.js";
import { LiveFilm } from "./film/live-film.js";
import { PublishedSource } from "./film/published-source.js";
import { studioSource } from "./film/studio-source.js";
import { Replay } from "./replay.js";
import { Screen } from "./screen.js";

/** @param {string | null} text a number of the address; nonsense is 0 */
function whole(text) {
  return /^\d{1,7}$/.test(text ?? "") ? Number(text) : 0;
}

const asked = new URLSearchParams(location.search);
const moment = { hand: whole(asked.get("hand")), step: whole(asked.get("step")) };
const { recording = "", making, channel, published, epoch = "" } = document.body.dataset;
const tell = (/** @type {string} */ words) => write(byId("word"), words);
tell(byId("word").dataset.says ?? "");
const source = () => (published ? new PublishedSource(published) : studioSource(channel ?? ""));
const live = () => LiveFilm.watch(source(), epoch, behindAsked() * 1000, tell);
const coming = channel ? live() : Film.open(recording, making === undefined ? undefined : tell);
const screen = new Screen(byId("player"), byId("screen"));
coming.then(
  (film) => new Replay(film, screen).begin(moment, asked),
  (error) => tell(error.message),
);
