/**
 * The entry point of the replay page and of the live page. The live page replays a show that is still on.
 */

import { byId, setText } from "../common/dom.js";
import { requestedDelay } from "../common/viewer-delay.js";
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
const [hand, step] = [parseNumber(parameters.get("hand")), parseNumber(parameters.get("step"))];
const game = parseNumber(parameters.get("game"));
const { recording = "", making, channel, published, epoch = "", tables } = document.body.dataset;
const table = tables === undefined ? 1 : Math.max(1, parseNumber(parameters.get("table")));
const showMessage = (/** @type {string} */ words) => setText(byId("word"), words);
showMessage(byId("word").dataset.says ?? "");
const makeSource = () => (published ? new PublishedSource(published) : studioSource(channel ?? ""));
const openLiveFilm = () => LiveFilm.watch(makeSource(), epoch, requestedDelay() * 1000, showMessage);
const isMade = making === undefined && table === 1;
const openedFilm = channel ? openLiveFilm() : Film.open(recording, table, isMade ? undefined : showMessage);
const box = new PictureBox(byId("player"), byId("screen"));
openedFilm.then(
  (film) => new Replay(film, box).begin({ hand, step, game }, parameters),
  (error) => showMessage(error.message),
);
