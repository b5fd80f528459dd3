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
let film;
/** The hand that was started last. @type {Playhead | undefined} */
let latest;

for (const item of document.querySelectorAll("li[data-seq]")) makePlayable(/** @type {HTMLElement} */ (item));

/** Makes a click on a hand's picture or button play the hand, pause it, or play it again. @param {HTMLElement} item */
function makePlayable(item) {
  const [host, button, status] = /** @type {[HTMLElement, HTMLElement, HTMLElement]} */ ([...item.children]);
  const [seq, lastSeq] = [Number(item.dataset.seq), Number(item.dataset.lastSeq)];
  /** @type {Promise<Playhead> | undefined} */
  let opened;

  async function open() {
    film ??= Film.open(document.body.dataset.recording ?? "");
    const loaded = await film;
    host.replaceChildren();
    const box = new PictureBox(item, host);
    /** @type {Playhead} */
    const head = new Playhead(
      loaded,
      (change) => {
        box.applyChange(change);
        if (change.after.seq >= lastSeq) head.pause();
      },
      (trouble) => {
        setText(button, head.playing ? "Pause" : head.state.seq >= lastSeq ? "Play again" : "Play");
        setText(status, trouble ?? "");
      },
    );
    box.show(head);
    await head.seek(seq);
    item.scrollIntoView({ block: "nearest" });
    return head;
  }

  async function press() {
    opened ??= open();
    const head = await opened;
    if (head.playing) return head.pause();
    latest?.pause();
    latest = head;
    if (head.state.seq >= lastSeq) await head.seek(seq);
    head.play();
  }

  for (const part of [host, button]) {
    part.addEventListener("click", () => {
      press().catch((error) => {
        film = opened = undefined;
        setText(status, error.message);
      });
    });
  }
}
