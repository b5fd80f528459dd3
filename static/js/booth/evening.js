/**
 * What has been played and what comes: asked for anew after each hand. Gives hands their addresses.
 *
 * @import { ShowSchedule } from "../common/types.js"
 * @import { Store } from "../overlay/store.js"
 * @typedef {{ game?: number, hand?: number, stage?: string, stacks?: Record<string, number> }} PlayedHand
 */

import { momentAddress, replayAddress } from "../common/addresses.js";
import { el, link } from "../common/dom.js";
import { follow } from "../overlay/transport.js";
import { studioSource } from "../replay/film/studio-source.js";

/** So long after a hand has ended it is asked what there is. */
const AFTER_MS = 700;

/** After these the evening has something new. */
const TELLING = new Set(["game_started", "game_ended", "hand_started", "hand_ended", "stage_started", "stage_ended"]);

/** The evening on a channel, as far as it has been on air. */
export class Evening {
  /** @type {ShowSchedule} */
  schedule = {};
  /** By their numbers. @type {PlayedHand[]} */
  hands = [];
  #channel;
  #changed;
  #timer = 0;
  /** @type {Map<string, number>} */
  #numbers = new Map();

  /**
   * @param {string} channel
   * @param {() => void} changed is called when there is something new
   */
  constructor(channel, changed) {
    this.#channel = channel;
    this.#changed = changed;
  }

  /** Asks in a moment. */
  soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), AFTER_MS);
  }

  /**
   * Keeps `store` as the show on this channel is, and the evening with it, until the page is closed.
   *
   * @param {Store} store
   * @param {{ absent: (why: string) => void, connected: (up: boolean) => void }} listener
   */
  follow(store, listener) {
    follow(this.#channel, {
      position: () => ({ seq: store.state.seq, epoch: store.epoch }),
      welcome: (message) => store.welcome(message),
      snapshot: (message) => {
        store.snapshot(message);
        this.soon();
      },
      entry: (message) => {
        if (TELLING.has(message.type)) this.soon();
        return store.entry(message);
      },
      ...listener,
    });
  }

  async #ask() {
    try {
      const { outline, schedule } = await studioSource(this.#channel).index(0);
      this.hands = outline.hands;
      this.schedule = schedule;
    } catch {
      return; // The page shows what it had; the next hand asks again.
    }
    this.#numbers = new Map(this.hands.map(({ game = 0, hand = 0 }, number) => [`${game}-${hand}`, number]));
    this.#changed();
  }

  /**
   * A link to a hand of this evening, in words: "hand 12", with its game where there are several.
   *
   * @param {number} game
   * @param {number} hand
   */
  link(game, hand) {
    const number = this.#numbers.get(`${game}-${hand}`);
    const words = this.hands.some((each) => (each.game ?? 0) > 1) ? `${game}.${hand}` : `${hand}`;
    return number === undefined ? el("span.hand", words) : toTab(words, momentAddress(this.#channel, number));
  }

  /**
   * A link to a hand of an earlier recording, or with 0 to all of it.
   *
   * @param {string} recording
   * @param {number} hand
   */
  earlier(recording, hand) {
    return toTab(recording, replayAddress(recording, hand || undefined));
  }
}

/** @type {(words: string, address: string) => HTMLElement} */
function toTab(words, address) {
  const node = link("hand", address, words);
  node.setAttribute("target", "_blank");
  return node;
}
