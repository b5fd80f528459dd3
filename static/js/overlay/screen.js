/**
 * The screen: a page area of a fixed size, wide or tall, scaled to the window. It chooses the scene, draws the state,
 * and then plays cues (sounds and animations). Because it draws the state first, the picture is right even if no
 * animation runs.
 *
 * @import { Cue, Entry, SoundCue, State } from "../common/types.js"
 * @import { Settings, Size } from "../common/settings.js"
 * @import { Scene } from "./scenes/scenes.js"
 * @import { Change, Store } from "./store.js"
 */

import { el, setData, setText } from "../common/dom.js";
import { remeasure } from "../common/fit-text.js";
import { screenSize } from "../common/settings.js";
import { cuesOf } from "./cues.js";
import { withDeskRules } from "./desk-rules.js";
import { CuePlayer } from "./effects/cue-player.js";
import { FreezeWatch } from "./effects/freeze-watch.js";
import { Sounds } from "./effects/sounds.js";
import { brandingOfPage } from "./parts/branding.js";
import { LowerThird } from "./parts/lower-third.js";
import { speechAt } from "./reducer-speech.js";
import { initialState } from "./reducer-state.js";
import { Cover } from "./scenes/cover.js";
import { makeScenes } from "./scenes/scenes.js";

/** Fonts that are loaded at once, so that text is measured correctly from the start. */
const FONTS = ['600 32px "Barlow Condensed"', '700 32px "Barlow Condensed"', '400 32px "Rye"'];
/** Cues that turn cards over. */
const TURNING_CUES = new Set(["board", "deal"]);
/** If an animation cannot start within this many milliseconds, it is dropped. */
const STALE_MS = 400;

/** All parts of the picture: scenes, effects, and the full-screen cards, such as the technical card. */
export class Screen {
  #settings;
  #getStore;
  #scenes;
  #lowerThird;
  #cover;
  /** Captions for screen readers. They are not painted. */
  #screenReaderText = el("spoken");
  #sceneHost = el("floor");
  #root = el("stage");
  #cuePlayer;
  #freezeWatch = new FreezeWatch();
  /** @type {{ cue: Cue, since: number }[]} */
  #pendingCues = [];
  /** The spoken line that waits until the cards lie face up. @type {SoundCue | null} */
  #waitingVoice = null;
  /** The last picture before cards began to turn over. It does not reveal these cards. */
  #pictureBeforeTurn = initialState();
  #frameRequest = 0;
  #redrawTimer = 0;
  #isMounted = false;
  #isOffline = false;
  frames = 0;

  /** @param {HTMLElement} host @param {Settings} settings @param {() => Pick<Store, "state" | "now" | "speed">} store */
  constructor(host, settings, store) {
    this.#settings = settings;
    this.#getStore = store;
    const size = screenSize(settings);
    this.#scenes = makeScenes(size, settings);
    this.#lowerThird = new LowerThird(size);
    this.#cover = new Cover(size);
    this.sounds = new Sounds(host, settings);
    this.#cuePlayer = new CuePlayer(this.#root, settings, size, () => this.schedule());
    this.#root.append(el("backdrop"), this.#sceneHost, this.#lowerThird.root, this.#cover.root, ...brandingOfPage());
    this.#screenReaderText.setAttribute("role", "log");
    this.#screenReaderText.setAttribute("aria-live", "polite");
    host.append(this.#root, this.#screenReaderText);
    if (host === document.body) {
      fitScreen(host, size);
      addEventListener("resize", () => fitScreen(host, size));
    }
    document.addEventListener("visibilitychange", () => this.#dropAnimations());
    document.fonts.addEventListener("loadingdone", () => {
      remeasure();
      this.schedule();
    });
    for (const face of FONTS) document.fonts.load(face);
  }

  /** Draws a change. Plays its cues only if it is `live`, that is, if it arrived in time. @param {Change} change */
  applyChange({ entry, before, after, live }) {
    this.sounds.setMuted(!after.desk.sound);
    const { thinker } = this.sounds;
    if (thinker && !after.chat.some(({ bot, checked }) => bot === thinker && checked)) this.sounds.endThought();
    if (!entry || !live || this.#freezeWatch.hasJustWoken) this.#dropAnimations();
    else if (!this.#settings.still) this.#playEntry(entry, before, after);
    if (!entry || entry.type === "tournament_opened") this.sounds.prepare(Object.values(after.bots));
    if (!entry || (live && entry.type === "hand_started")) this.#cuePlayer.prepare(withDeskRules(after));
    this.schedule();
  }

  /**
   * Plays the sounds of an entry (an event, such as a bet) now, and its animations in the next frame.
   *
   * @type {(entry: Entry, before: State, after: State) => void}
   */
  #playEntry(entry, before, after) {
    const since = performance.now();
    const cues = cuesOf(entry, before, after);
    this.#pendingCues = this.#pendingCues.filter((each) => since - each.since < STALE_MS);
    // This entry may reveal the cards that are still turning, so these cards finish turning first.
    const isNext = entry.at_ms > before.at_ms && (cues.length || after.seats !== before.seats);
    if (isNext) this.#finishTurning();
    for (const cue of cues) {
      if (cue.kind === "sound" && cue.file && this.#isTurning) this.#waitingVoice = cue;
      else if (cue.kind === "sound") this.sounds.play(cue, withDeskRules(after).bots[cue.bot]);
      else if (cue.ms > 0 && !document.hidden) this.#pendingCues.push({ cue, since });
    }
  }

  /** Turns cards face up at once, both those that are being turned over and those that soon will be. */
  #finishTurning() {
    if (!this.#isTurning) return;
    this.#pendingCues = this.#pendingCues.filter(({ cue }) => !TURNING_CUES.has(cue.kind));
    this.#cuePlayer.finishTurning();
    this.#playWaitingVoice();
    this.schedule();
  }

  #playWaitingVoice() {
    if (this.#waitingVoice) this.sounds.play(this.#waitingVoice);
    this.#waitingVoice = null;
  }

  /** Ends all animations, and drops those that are waiting. */
  #dropAnimations() {
    this.#pendingCues = [];
    this.#waitingVoice = null;
    this.#cuePlayer.drop();
    this.schedule();
  }

  /** Shows the technical card while the connection is lost. @param {boolean} offline whether it is lost now */
  setOffline(offline) {
    if (offline === this.#isOffline) return;
    this.#isOffline = offline;
    this.schedule();
  }

  /** Draws the state in the next frame. */
  schedule() {
    if (!this.#frameRequest) this.#frameRequest = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#frameRequest = 0;
    this.frames += 1;
    const store = this.#getStore();
    const state = withDeskRules(store.state);
    const { desk } = state;
    const now = this.#settings.still ? state.at_ms : store.now;
    const { line, next } = speechAt(state.chat, now);
    const scene = this.#scenes[state.scene];
    this.#pendingCues = this.#pendingCues.filter(({ since }) => performance.now() - since < STALE_MS);
    const isTurning = this.#isTurning;
    if (!isTurning) {
      this.#pictureBeforeTurn = state;
      this.#playWaitingVoice();
    }
    const shown = isTurning ? concealTurningCards(state, this.#pictureBeforeTurn) : state;
    scene.update(shown, line, now);
    setText(this.#screenReaderText, desk.trouble || desk.storyline || shown.caption);
    // The operator's card covers the picture. If there is none, the technical card covers it during an outage.
    const card = desk.card || (this.#isOffline ? "technical" : "");
    this.#cover.update(state, card, this.#isOffline);
    setData(this.#root, "card", card);
    setData(this.#root, "graphics", desk.graphics ? "" : "off");
    if (this.#sceneHost.firstElementChild !== scene.root) this.#sceneHost.replaceChildren(scene.root);
    setData(this.#root, "scene", state.scene);
    this.#redrawAfter(Math.min(next - now, "wait" in scene ? scene.wait(now) : Number.POSITIVE_INFINITY));
    this.#playPendingCues(scene, state);
    if (isTurning && !this.#cuePlayer.isTurning) this.schedule();
    this.#lowerThird.update(shown, line);
    if (this.#isMounted || !state.seq) return;
    this.#isMounted = true;
    // By the next frame, the first picture has been painted.
    requestAnimationFrame(() => performance.mark("highnoon:mounted"));
  }

  /** Whether a card is being turned over, or starts to be turned over in this frame. */
  get #isTurning() {
    const startsTurning =
      this.#settings.motion === "full" && this.#pendingCues.some(({ cue }) => TURNING_CUES.has(cue.kind));
    return startsTurning || this.#cuePlayer.isTurning;
  }

  /** @type {(scene: Scene, state: State) => void} */
  #playPendingCues(scene, state) {
    const waiting = this.#pendingCues;
    this.#pendingCues = [];
    this.#cuePlayer.speed = this.#getStore().speed;
    for (const { cue } of waiting) this.#cuePlayer.play(cue, scene, state);
  }

  /** Draws again after a delay, because the picture then changes without a new entry. @param {number} delayMs */
  #redrawAfter(delayMs) {
    clearTimeout(this.#redrawTimer);
    if (this.#settings.still || !Number.isFinite(delayMs)) return;
    this.#redrawTimer = setTimeout(() => this.schedule(), Math.max(16, delayMs + 1));
  }
}

/**
 * The picture while cards are turned over. Nothing in it reveals which cards they are.
 *
 * @param {State} state
 * @param {State} pictureBeforeTurn the picture before cards began to turn over
 * @returns {State}
 */
function concealTurningCards(state, pictureBeforeTurn) {
  const { seat, role } = pictureBeforeTurn.focus;
  const seats = state.seats.map((each, index) => {
    const { win = null, tie = null } = (each.win !== null && pictureBeforeTurn.seats[index]) || {};
    return { ...each, win, tie };
  });
  return { ...state, caption: pictureBeforeTurn.caption, focus: { ...state.focus, seat, role }, seats };
}

/**
 * Fits the screen into its box by setting custom properties of the box.
 *
 * @param {HTMLElement} host the whole page, or a box with the class `boxed`
 * @param {Size} size of the screen
 * @param {{ left: number, top: number, width: number, height: number }} visibleArea the part that must be visible
 */
export function fitScreen(host, size, visibleArea = { left: 0, top: 0, ...size }) {
  const { width, height } = host.getBoundingClientRect();
  const scale = Math.min(width / visibleArea.width, height / visibleArea.height);
  const offset = (/** @type {number} */ room, /** @type {number} */ whole, /** @type {number} */ begin) =>
    `${Math.max(-begin * scale, Math.round((room - whole * scale) / 2))}px`;
  host.style.setProperty("--scale", String(scale));
  host.style.setProperty("--left", offset(width, size.width, visibleArea.left));
  host.style.setProperty("--top", offset(height, size.height, visibleArea.top));
}
