/**
 * The entry point of the replay page and of the live page. The live page replays a show that is still on. The screen is
 * shown while the film is loading.
 */

import { requestedDelay } from "../common/behind.js";
import { byId, write } from "../common/dom.js";
import { Film } from "./film/film.js";
import { LiveFilm } from "./film/live-film.js";
import { PublishedSource } from "./film/published-source.js";
import { studioSource } from "./film/studio-source.js";
import { PictureBox } from "./picture-box.js";
import { Replay } from "./replay.js";

/** @param {string | null} text a number in the address; anything else counts as 0 */
function parseNumber(text) {
  return /^\d{1,7}$/.test(text ?? "") ? Number(text) : 0;
}

const parameters = new URLSearchParams(location.search);
const moment = { hand: parseNumber(parameters.get("hand")), step: parseNumber(parameters.get("step")) };
const { recording = "", making, channel, published, epoch = "" } = document.body.dataset;
const say = (/** @type {string} */ words) => write(byId("word"), words);
say(byId("word").dataset.says ?? "");
const source = () => (published ? new PublishedSource(published) : studioSource(channel ?? ""));
const live = () => LiveFilm.watch(source(), epoch, requestedDelay() * 1000, say);
const coming = channel ? live() : Film.open(recording, making === undefined ? undefined : say);
const box = new PictureBox(byId("player"), byId("screen"));
coming.then(
  (film) => new Replay(film, box).begin(moment, parameters),
  (error) => say(error.message),
);
