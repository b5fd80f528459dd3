/**
 * The replay of a recording or of a live show: connects the film (the show's entries), the playhead, the picture and
 * the controls. Moves of the playhead are carried out one after another.
 *
 * @import { Change } from "../overlay/store.js"
 * @import { Film } from "./film/film.js"
 * @import { LiveFilm } from "./film/live-film.js"
 * @import { Actions } from "./controls/actions.js"
 * @import { PictureBox } from "./picture-box.js"
 */

import { byId, setData, setText } from "../common/dom.js";
import { FollowedBots } from "../common/followed.js";
import { showPosition } from "../common/format.js";
import { FollowedNews } from "../lists/followed-news.js";
import { listenToKeys, listenToTouch, SPEEDS, setUpButtons } from "./controls/actions.js";
import { updateLiveButton } from "./controls/live-button.js";
import { matchVideo } from "./controls/match-video.js";
import { Timeline } from "./controls/timeline.js";
import { Playhead } from "./film/playhead.js";
import { TableSwitcher, tableText, tableWords } from "./film/tables.js";
import { makePanels } from "./panels/panels.js";
import { explainWords } from "./words/tapped-word.js";

/** The time between two redraws of the parts that depend on the time. */
const REDRAW_INTERVAL_MS = 250;
/**
 * Entries that turn cards over in the picture, and how long the turning takes. The text beside the picture waits
 * meanwhile.
 */
const TURNING_EVENTS = new Set(["street_dealt", "hand_shown"]);
const TURNING_MS = 1200;
/** The address changes only after the picture has not moved for this long, because browsers limit such changes. */
const ADDRESS_DELAY_MS = 250;
const NOTICE_MS = 4000;

export class Replay {
  #film;
  #box;
  #playhead;
  #messageTimer = 0;
  #followed = new FollowedBots(() => this.#schedule());
  #news = new FollowedNews(this.#followed, byId("told"));
  #drawPanels;
  #timeline;
  #tableSwitcher;
  #showButtons;
  #explainWords;
  /** @type {ReturnType<typeof matchVideo> | undefined} */
  #updateVideoMatch;
  #shownHand = -1;
  #frameRequest = 0;
  /** When the panels stop waiting for the picture, and the timer that ends their wait. */
  #panelsWaitUntil = 0;
  #panelsTimer = 0;
  #pendingMoves = 0;
  #lastMove = Promise.resolve();
  /** @type {number | null} */
  #scrubTarget = null;
  #addressTimer = 0;

  /**
   * @param {Film | LiveFilm} film
   * @param {PictureBox} box
   */
  constructor(film, box) {
    this.#film = film;
    this.#box = box;
    this.#playhead = new Playhead(
      film,
      (change) => this.#onPictureChange(change),
      (trouble) => this.#onPlayheadChange(trouble),
    );
    box.show(this.#playhead);
    const toHand = (/** @type {number} */ hand) => this.#queueMove(() => this.#playhead.seekStep(hand, 0));
    const toSeq = (/** @type {number} */ seq) => this.#queueMove(() => this.#playhead.seek(seq));
    const go = { hand: toHand, seq: toSeq, address: () => this.#momentAddress() };
    this.#drawPanels = makePanels(film, this.#followed, go, () => this.#schedule());
    this.#timeline = new Timeline(film, { hand: toHand, time: (atMs) => this.#scrub(atMs) });
    const { recording = "", tables } = document.body.dataset;
    this.#tableSwitcher = tables === undefined ? null : new TableSwitcher(film, recording);
    const actions = this.#makeActions();
    this.#showButtons = setUpButtons(actions);
    listenToKeys(actions);
    this.#explainWords = explainWords(byId("screen"));
    listenToTouch(byId("screen"), actions);
    if (!("audience" in film)) return; // only a live film grows, and is renewed after a gap in its entries
    const grown = () => {
      this.#playhead.showNewEntries();
      this.#schedule();
    };
    film.audience = { grown, renewed: (isRenumbered) => this.#queueMove(() => this.#playhead.renew(isRenumbered)) };
    this.#updateVideoMatch = matchVideo(film);
  }

  /**
   * Goes to the moment in the address.
   *
   * @param {{ hand: number, step: number, game: number }} moment the hand and its step. If `game` is not 0, the hand
   *   is the first of that game instead
   * @param {URLSearchParams} parameters
   */
  async begin({ hand: number, step, game }, parameters) {
    const isOn = (/** @type {string} */ name) => parameters.has(name) && parameters.get(name) !== "0";
    const { hands } = this.#film.outline;
    const last = hands.length - 1;
    const first = hands.findIndex((each) => each.game === game);
    const hand = game ? Math.max(0, first) : number;
    const isHandGiven = hand <= last && (parameters.has("hand") || !this.#film.live);
    await (isHandGiven
      ? this.#playhead.seekStep(hand, step)
      : this.#film.live
        ? this.#playhead.follow()
        : this.#playhead.seekStep(0, 0));
    if (hand > last) this.#showMessage(`There is no hand ${hand} in this recording: its hands are 1 to ${last}.`);
    const speed = Number(parameters.get("speed") ?? "1");
    this.#playhead.pace = SPEEDS.includes(speed) ? speed : 1;
    this.#playhead.loop = isOn("loop");
    if (isOn("autoplay")) this.#playhead.play();
    setInterval(() => (this.#playhead.playing || this.#film.live) && this.#schedule(), REDRAW_INTERVAL_MS);
    if (this.#box.settings.debug) {
      const shown = { state: () => this.#playhead.state, head: this.#playhead, film: this.#film };
      Object.assign(window, { highnoon: shown });
    }
    performance.mark("highnoon:replay");
    setData(document.body, "ready", true);
  }

  /** @param {Change} change */
  #onPictureChange(change) {
    this.#box.applyChange(change);
    this.#updateVideoMatch?.(change, this.#playhead.following);
    if (change.live && TURNING_EVENTS.has(change.entry?.type ?? ""))
      this.#panelsWaitUntil = performance.now() + TURNING_MS / this.#playhead.pace;
    if (change.entry) this.#news.announce(change.entry, change.after, this.#playhead.following);
    this.#schedule();
  }

  /** Updates the controls after a change of playing, speed or position. @type {(trouble?: string) => void} */
  #onPlayheadChange(trouble) {
    const { playing, pace } = this.#playhead;
    this.#showButtons(playing, pace, this.#box.settings.audio);
    this.#box.setHushed(playing && pace > 1);
    setData(document.body, "playing", playing);
    if (trouble) this.#showMessage(trouble);
    this.#updateAddress();
    this.#schedule();
  }

  #schedule() {
    if (!this.#frameRequest) this.#frameRequest = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#frameRequest = 0;
    const { state, now, playing, section } = this.#playhead;
    if (section.hand !== this.#shownHand) {
      this.#shownHand = section.hand;
      this.#updateAddress();
    }
    if (this.#tableSwitcher) {
      setText(byId("table"), tableText(this.#film, this.#playhead));
      setText(byId("seats-title"), tableWords(this.#film, this.#playhead) || "At the table");
    }
    const where = [state.stage?.title, showPosition(state)].filter(Boolean).join(" · ");
    setText(byId("where"), where);
    this.#timeline.update(state.seq, now, where, playing);
    updateLiveButton(this.#film, this.#playhead);
    this.#box.screen.setOffline(this.#film.lost && this.#playhead.following);
    const wait = this.#panelsWaitUntil - performance.now();
    clearTimeout(this.#panelsTimer);
    if (wait > 0) this.#panelsTimer = setTimeout(() => this.#schedule(), wait);
    else this.#drawPanels(this.#playhead);
    this.#explainWords(state);
  }

  /** Puts the current hand and step into the address. */
  #updateAddress() {
    clearTimeout(this.#addressTimer);
    this.#addressTimer = setTimeout(() => history.replaceState(null, "", this.#momentAddress()), ADDRESS_DELAY_MS);
  }

  #momentAddress() {
    const { hand, step } = this.#playhead.place;
    const address = new URL(location.href);
    for (const name of ["game", "hand", "table"]) address.searchParams.delete(name);
    address.searchParams.delete("step");
    address.searchParams.delete("results"); // the link must not give results away to people who have not watched yet
    if (this.#playhead.following) return address.href;
    if (this.#film.table > 1) address.searchParams.set("table", String(this.#film.table));
    address.searchParams.set("hand", String(hand));
    address.searchParams.set("step", String(step));
    return address.href;
  }

  /** @returns {Actions} */
  #makeActions() {
    const playhead = this.#playhead;
    const pauseAndStep = (/** @type {-1 | 1} */ direction) => {
      playhead.pause();
      this.#queueMove(() => playhead.goToKeyStop(direction));
    };
    // From the middle of a hand, "back" leads to the start of that hand.
    const toHand = (/** @type {-1 | 1} */ direction) =>
      this.#queueMove(() => {
        const { hand, step } = playhead.place;
        return playhead.seekStep(direction < 0 && step > 0 ? hand : hand + direction, 0);
      });
    return {
      play: () => (playhead.playing ? playhead.pause() : playhead.play()),
      back: () => pauseAndStep(-1),
      on: () => pauseAndStep(1),
      "hand-back": () => toHand(-1),
      "hand-on": () => toHand(1),
      "out-back": () => this.#queueMove(() => this.#goToElimination(-1)),
      "out-on": () => this.#queueMove(() => this.#goToElimination(1)),
      "mark-on": () => this.#queueMove(() => this.#goToNextHighlight()),
      "table-back": () => this.#queueMove(() => this.#changeTable(-1)),
      "table-on": () => this.#queueMove(() => this.#changeTable(1)),
      speed: (speed) => {
        playhead.pace = speed;
      },
      begin: () => this.#queueMove(() => playhead.seek(1)),
      live: () =>
        this.#queueMove(() => (this.#film.live ? playhead.follow() : playhead.seek(this.#film.outline.entries))),
      full: () =>
        this.#tryAction(() => this.#box.toggleFullScreen(), "This browser cannot show the picture full screen."),
      sound: () => {
        this.#box.toggleSound();
        this.#onPlayheadChange();
      },
      link: () =>
        this.#tryAction(async () => {
          history.replaceState(null, "", this.#momentAddress());
          await navigator.clipboard.writeText(location.href);
          this.#showMessage("Copied: the link leads to this moment.");
        }, "The address of this moment is in the address bar."),
      share: () => this.#tryAction(() => navigator.share({ title: document.title, url: this.#momentAddress() }), ""),
      help: () => /** @type {HTMLDialogElement} */ (byId("keys")).showModal(),
    };
  }

  /** Runs moves one by one. Each move begins where the last ended. @type {(move: () => Promise<unknown>) => void} */
  #queueMove(move) {
    this.#pendingMoves += 1;
    setData(document.body, "moving", true);
    this.#lastMove = this.#lastMove
      .then(async () => void (await move()))
      .catch((error) => this.#showMessage(error.message))
      .finally(() => {
        this.#pendingMoves -= 1;
        setData(document.body, "moving", this.#pendingMoves > 0);
      });
  }

  /** Goes to a time. If several requests wait, only the last is carried out. @param {number} atMs */
  #scrub(atMs) {
    const waits = this.#scrubTarget !== null;
    this.#scrubTarget = atMs;
    if (waits) return;
    this.#queueMove(() => {
      const wanted = this.#scrubTarget ?? 0;
      this.#scrubTarget = null;
      return this.#playhead.seekTime(wanted);
    });
  }

  async #goToNextHighlight() {
    const { hand: here } = this.#playhead.place;
    const found = this.#film.outline.hands.findIndex((hand, number) => number > here && hand.marks.length > 0);
    if (found > 0) await this.#playhead.seekStep(found, 0);
    else this.#showMessage("There is no highlight after this hand.");
  }

  /** Each item of `hand.out` is an eliminated bot and the entry of its elimination. @param {-1 | 1} direction */
  async #goToElimination(direction) {
    const { seq } = this.#playhead.state;
    const all = this.#film.outline.hands.flatMap((hand) => hand.out.map(([, entry]) => entry));
    const found = direction > 0 ? all.find((entry) => entry > seq) : all.findLast((entry) => entry < seq);
    if (found) await this.#playhead.seek(found);
    else
      this.#showMessage(
        direction > 0 ? "Nobody is eliminated after this moment." : "Nobody was eliminated before this moment.",
      );
  }

  /** @param {-1 | 1} direction */
  async #changeTable(direction) {
    if (!this.#tableSwitcher) return;
    await this.#tableSwitcher.switchTable(this.#playhead, direction, (words) => this.#showMessage(words));
    this.#showMessage(tableWords(this.#film, this.#playhead));
  }

  /** Shows a message over the picture for a few seconds. @param {string} words */
  #showMessage(words) {
    clearTimeout(this.#messageTimer);
    setText(byId("notice"), words);
    setData(byId("notice"), "said", true);
    this.#messageTimer = setTimeout(() => setData(byId("notice"), "said", false), NOTICE_MS);
  }

  /**
   * Does something that the browser may refuse. If it refuses, shows `message`.
   *
   * @type {(action: () => Promise<void>, message: string) => void}
   */
  #tryAction(action, message) {
    Promise.resolve()
      .then(action)
      .catch(() => message && this.#showMessage(message));
  }
}
