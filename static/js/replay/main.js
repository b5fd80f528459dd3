/**
 * The entry point of the replay page: shows the stage while the film is being loaded.
 */

import { write } from "../common/dom.js";
import { Film } from "./film.js";
import { byId } from "./page.js";
import { Replay } from "./replay.js";
import { Screen } from "./screen.js";

/** @param {string | null} text a number of the address; nonsense is 0 */
function whole(text) {
  return /^\d{1,7}$/.test(text ?? "") ? Number(text) : 0;
}

const asked = new URLSearchParams(location.search);
const moment = { hand: whole(asked.get("hand")), step: whole(asked.get("step")) };
const coming = Film.open(document.body.dataset.recording ?? "", Number(document.body.dataset.hand));
const screen = new Screen(byId("player"), byId("screen"));
coming.then(
  (film) => new Replay(film, screen).begin(moment, asked),
  (error) => write(byId("word"), error.message),
);
