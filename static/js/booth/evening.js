/**
 * Follows the show on a channel until the page is closed. Knows what has been played and what comes next, and makes
 * links to hands.
 *
 * @import { ShowSchedule } from "../common/types.js"
 * @import { FilmHand } from "../replay/film/film.js"
 */

import { momentAddress, replayAddress } from "../common/addresses.js";
import { el, link } from "../common/dom.js";
import { Store } from "../overlay/store.js";
import { connectToShow } from "../overlay/transport.js";
import { IndexRefresher } from "../replay/film/live-edge.js";
import { studioSource } from "../replay/film/studio-source.js";

export class Evening {
  /** @type {ShowSchedule} */
  schedule = {};
  /** All hands so far. A hand's index is its number in the show. @type {FilmHand[]} */
  hands = [];
  store;
  #channel;
  #onChange;
  #indexRefresher = new IndexRefresher(() => this.#fetchIndex());

  /**
   * @param {string} channel
   * @param {() => void} onChange called when the picture, the hands or the schedule have changed
   * @param {{ absent: (why: string) => void, connected: (up: boolean) => void }} listener
   */
  constructor(channel, onChange, listener) {
    const store = new Store(onChange);
    this.store = store;
    this.#channel = channel;
    this.#onChange = onChange;
    connectToShow(channel, {
      position: () => ({ seq: store.state.seq, epoch: store.epoch }),
      welcome: (message) => store.welcome(message),
      snapshot: (message) => {
        store.snapshot(message);
        this.#indexRefresher.requestSoon();
      },
      entry: (entry) => {
        this.#indexRefresher.onEntry(entry);
        return store.entry(entry);
      },
      ...listener,
    });
  }

  async #fetchIndex() {
    const index = await studioSource(this.#channel)
      .index(0)
      .catch(() => null);
    if (!index) return; // The page keeps its old content. The next hand causes another request.
    this.hands = index.outline.hands;
    this.schedule = index.schedule;
    this.#onChange();
  }

  /**
   * A link to a hand of this show: "12", or "3.12" for hand 12 of game 3 if the show has several games.
   *
   * @type {(game: number, hand: number) => HTMLElement}
   */
  link(game, hand) {
    const number = this.hands.findLastIndex((each) => each.game === game && each.hand === hand);
    const words = this.hands.some((each) => each.game > 1) ? `${game}.${hand}` : `${hand}`;
    return number < 0 ? el("span.hand", words) : newTabLink(words, momentAddress(this.#channel, number));
  }

  /**
   * A link to a hand of an earlier recording, or to the whole recording if `hand` is 0.
   * @type {(recording: string, hand: number) => HTMLElement}
   */
  recordingLink(recording, hand) {
    return newTabLink(recording, replayAddress(recording, hand || undefined));
  }
}

/** @type {(words: string, address: string) => HTMLElement} */
function newTabLink(words, address) {
  const node = link("hand", address, words);
  node.setAttribute("target", "_blank");
  return node;
}
