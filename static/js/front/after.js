/**
 * The entry point of a published site's front page after a show. Plays the best hands on the front page itself, one at
 * a time, without sound.
 */

import { setText } from "../common/dom.js";
import { parseSettings } from "../common/settings.js";
import { Film } from "../replay/film/film.js";
import { Playhead } from "../replay/film/playhead.js";
import { PictureBox } from "../replay/picture-box.js";

document.documentElement.dataset.theme = parseSettings(location.search, false).theme;
/** @type {Promise<Film> | undefined} */
let openedFilm;
/** The player of the hand that was started last. @type {Playhead | undefined} */
let latestPlayhead;

for (const item of document.querySelectorAll("li[data-seq]")) makePlayable(/** @type {HTMLElement} */ (item));

/** A click on a hand's picture or button plays the hand, pauses it, or plays it again. @param {HTMLElement} item */
function makePlayable(item) {
  const [host, button, status] = /** @type {[HTMLElement, HTMLElement, HTMLElement]} */ ([...item.children]);
  const [seq, lastSeq] = [Number(item.dataset.seq), Number(item.dataset.lastSeq)];
  /** @type {Promise<Playhead> | undefined} */
  let opening;

  async function open() {
    openedFilm ??= Film.open(document.body.dataset.recording ?? "");
    const loaded = await openedFilm;
    host.replaceChildren();
    const box = new PictureBox(item, host);
    /** @type {Playhead} */
    const playhead = new Playhead(
      loaded,
      (change) => {
        box.applyChange(change);
        if (change.after.seq >= lastSeq) playhead.pause();
      },
      (trouble) => {
        setText(button, playhead.playing ? "Pause" : playhead.state.seq >= lastSeq ? "Play again" : "Play");
        setText(status, trouble ?? "");
      },
    );
    box.show(playhead);
    await playhead.seek(seq);
    item.scrollIntoView({ block: "nearest" });
    return playhead;
  }

  async function press() {
    opening ??= open();
    const playhead = await opening;
    if (playhead.playing) return playhead.pause();
    latestPlayhead?.pause();
    latestPlayhead = playhead;
    if (playhead.state.seq >= lastSeq) await playhead.seek(seq);
    playhead.play();
  }

  for (const part of [host, button]) {
    part.addEventListener("click", () => {
      press().catch((error) => {
        openedFilm = opening = undefined;
        setText(status, error.message);
      });
    });
  }
}
