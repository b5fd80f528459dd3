/**
 * The front door of the page that plays a recording again: film, playhead, stage and controls, joined.
 *
 * @import { Entry } from "../types.js"
 * @import { Change } from "../store.js"
 * @import { Deeds } from "./keys.js"
 */

import { el, mark, write } from "../dom.js";
import { whereabouts } from "../format.js";
import { settingsOf, sizeOf } from "../settings.js";
import { Stage } from "../stage.js";
import { Film } from "./film.js";
import { ChancesGraph, ChipsGraph } from "./graphs.js";
import { keysOf, SPEEDS } from "./keys.js";
import { Playhead } from "./playhead.js";
import { drawMarks } from "./reel.js";
import { Seats, Told } from "./told.js";

/** How often what follows the time, and not the entries, is drawn anew. */
const EVERY_MS = 100;
const SAID_MS = 1500;

const asked = new URLSearchParams(location.search);
const settings = settingsOf(location.search, matchMedia("(prefers-reduced-motion: reduce)").matches);
const page = document.documentElement;
page.dataset.theme = settings.theme;
page.dataset.deck = settings.deck;
page.dataset.motion = settings.motion;
page.dataset.shape = settings.shape;

Film.open(document.body.dataset.recording ?? "").then(
  (film) => new Replay(film).begin(),
  (error) => write(byId("word"), error.message),
);

/** One recording on this page. */
class Replay {
  #film;
  #head;
  #stage;
  #loud = settings.audio;
  #seats = new Seats(byId("seats"));
  #told;
  #chances = new ChancesGraph(byId("chances"));
  #chips = new ChipsGraph(byId("chips"));
  #at = /** @type {HTMLInputElement} */ (byId("at"));
  #hand = -1;
  /** @type {Entry[]} */
  #section = [];
  #frame = 0;
  #moves = 0;
  #moving = Promise.resolve();

  /** @param {Film} film */
  constructor(film) {
    this.#film = film;
    byId("screen").replaceChildren();
    this.#head = new Playhead(
      film,
      (change) => this.#changed(change),
      () => this.#moved(),
    );
    this.#stage = this.#build();
    this.#told = new Told(byId("told"), (seq) => this.#goto(() => this.#head.seek(seq)));
  }

  /** To where the address says. */
  async begin() {
    const { outline } = this.#film;
    this.#fit();
    new ResizeObserver(() => this.#fit()).observe(byId("screen"));
    drawMarks(byId("marks"), outline, (hand) => this.#goto(() => this.#head.seekStep(hand, 0)));
    this.#at.max = String(outline.length_ms);
    this.#join();
    const speed = Number(asked.get("speed") ?? "1");
    this.#head.pace = SPEEDS.includes(speed) ? speed : 1;
    this.#head.loop = asked.has("loop") && asked.get("loop") !== "0";
    await this.#head.seekStep(whole(asked.get("hand")), whole(asked.get("step")));
    if (asked.has("autoplay") && asked.get("autoplay") !== "0") this.#head.play();
    setInterval(() => this.#head.playing && this.#schedule(), EVERY_MS);
    if (settings.debug) {
      const told = { state: () => this.#head.state, head: this.#head, film: this.#film, stage: this.#stage };
      Object.assign(window, { highnoon: told });
    }
    performance.mark("highnoon:replay");
    mark(document.body, "ready", true);
  }

  #build() {
    byId("screen").replaceChildren();
    return new Stage(byId("screen"), { ...settings, audio: this.#loud }, () => this.#head);
  }

  /** @param {Change} change */
  #changed(change) {
    this.#stage.changed(change);
    this.#schedule();
  }

  /** Something besides the picture has changed: what plays, how fast, where. */
  #moved() {
    const { playing, pace } = this.#head;
    write(byId("play"), playing ? "Pause" : "Play");
    mark(document.body, "playing", playing);
    for (const button of byId("speeds").children) {
      button.setAttribute("aria-pressed", String(Number(button.getAttribute("data-speed")) === pace));
    }
    if (!playing) this.#note();
    this.#schedule();
  }

  #schedule() {
    if (!this.#frame) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  async #draw() {
    this.#frame = 0;
    const { outline } = this.#film;
    const { state, now } = this.#head;
    const hand = this.#film.handOf(state.seq);
    if (hand !== this.#hand) {
      this.#hand = hand;
      this.#section = [];
      this.#film.section(hand).then(({ entries }) => {
        if (hand === this.#hand) this.#section = entries;
        this.#schedule();
      }, ignored);
      if (this.#head.playing) this.#note();
    }
    if (this.#at !== document.activeElement || this.#head.playing) this.#at.value = String(Math.round(now));
    this.#at.setAttribute("aria-valuetext", `${state.stage?.title ?? ""} ${whereabouts(state)}`);
    write(byId("where"), [state.stage?.title, whereabouts(state)].filter(Boolean).join(" · "));
    this.#seats.update(outline, state);
    this.#told.update(this.#section, state);
    this.#chances.update(outline, this.#section, state, now);
    this.#chips.update(outline, hand, state);
  }

  /** Has the address say where this is. */
  async #note() {
    const { hand, step } = await this.#head.place();
    history.replaceState(null, "", addressOf(hand, step));
  }

  #join() {
    const deeds = this.#deeds();
    keysOf(deeds);
    const on = (/** @type {string} */ id, /** @type {() => void} */ deed) => byId(id).addEventListener("click", deed);
    on("play", deeds.play);
    on("back", () => deeds.halt(-1));
    on("on", () => deeds.halt(1));
    on("hand-back", () => deeds.hand(-1));
    on("hand-on", () => deeds.hand(1));
    on("out-back", () => deeds.out(-1));
    on("out-on", () => deeds.out(1));
    on("mark-on", deeds.highlight);
    on("sound", deeds.sound);
    on("link", deeds.link);
    on("full", deeds.full);
    on("help", deeds.help);
    byId("speeds").append(...SPEEDS.map((speed) => speedButton(speed, () => deeds.speed(speed))));
    this.#at.addEventListener("input", () => this.#goto(() => this.#head.seekTime(Number(this.#at.value))));
    byId("screen").addEventListener("click", deeds.play);
    byId("chips").addEventListener("click", (event) => this.#goto(() => this.#head.seekStep(this.#handAt(event), 0)));
  }

  /** @returns {Deeds} */
  #deeds() {
    const head = this.#head;
    return {
      play: () => (head.playing ? head.pause() : head.play()),
      halt: (way) => {
        head.pause();
        this.#goto(() => head.halt(way));
      },
      hand: (way) => this.#goto(() => this.#handBeside(way)),
      out: (way) => this.#goto(() => this.#out(way)),
      highlight: () => this.#goto(() => this.#highlight()),
      speed: (speed) => {
        head.pace = speed;
      },
      end: (way) => this.#goto(() => head.seek(way < 0 ? 1 : this.#film.outline.entries)),
      full: () => (document.fullscreenElement ? document.exitFullscreen() : byId("screen").requestFullscreen()),
      sound: () => this.#hear(!this.#loud),
      link: () => this.#copy(),
      help: () => /** @type {HTMLDialogElement} */ (byId("keys")).showModal(),
    };
  }

  /**
   * One move after the other: each begins where the one before it has led.
   *
   * @param {() => Promise<void>} way
   */
  #goto(way) {
    this.#moves += 1;
    mark(document.body, "moving", true);
    this.#moving = this.#moving
      .then(way)
      .catch((error) => this.#say("play", error.message))
      .finally(() => {
        this.#moves -= 1;
        mark(document.body, "moving", this.#moves > 0);
      });
  }

  /**
   * Back from the middle of a hand leads to its beginning.
   *
   * @param {-1 | 1} way
   */
  async #handBeside(way) {
    const { hand, step } = await this.#head.place();
    await this.#head.seekStep(way < 0 && step > 0 ? hand : hand + way, 0);
  }

  /** @param {-1 | 1} way */
  async #out(way) {
    const { seq } = this.#head.state;
    const all = this.#film.outline.hands.flatMap((hand) => hand.out.map(([, entry]) => entry));
    const found = way > 0 ? all.find((entry) => entry > seq) : all.findLast((entry) => entry < seq);
    if (found) await this.#head.seek(found);
  }

  async #highlight() {
    const { hands } = this.#film.outline;
    const here = this.#film.handOf(this.#head.state.seq);
    const found = hands.findIndex((hand, at) => at > here && hand.marks.length > 0);
    if (found > 0) await this.#head.seekStep(found, 0);
  }

  /**
   * A page that is not to be heard fetches no sound; the first time it is, the stage is built anew with its sound.
   *
   * @param {boolean} loud
   */
  #hear(loud) {
    this.#loud = loud;
    this.#stage = this.#build();
    const { state } = this.#head;
    this.#stage.changed({ entry: null, before: state, after: state, live: false });
    byId("sound").setAttribute("aria-pressed", String(loud));
    write(byId("sound"), loud ? "Sound on" : "Sound off");
  }

  async #copy() {
    const { hand, step } = await this.#head.place();
    history.replaceState(null, "", addressOf(hand, step));
    const done = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    this.#say("link", done ? "Copied" : "It is in the address bar");
  }

  /**
   * @param {string} id
   * @param {string} words
   */
  #say(id, words) {
    const before = byId(id).textContent ?? "";
    if (before === words) return;
    write(byId(id), words);
    setTimeout(() => {
      write(byId(id), before);
      this.#moved();
    }, SAID_MS);
  }

  /** @param {MouseEvent} event on the graph of chips */
  #handAt(event) {
    const box = byId("chips").getBoundingClientRect();
    const { hands } = this.#film.outline;
    const stage = hands[this.#hand]?.stage;
    const first = hands.findIndex((hand) => hand.stage === stage);
    const count = hands.filter((hand) => hand.stage === stage).length;
    return first + Math.min(count - 1, Math.floor(((event.clientX - box.left) / box.width) * count));
  }

  #fit() {
    const screen = byId("screen");
    const { width, height } = screen.getBoundingClientRect();
    const size = sizeOf(settings);
    const scale = Math.min(width / size.width, height / size.height);
    screen.style.setProperty("--scale", String(scale));
    screen.style.setProperty("--left", `${Math.round((width - size.width * scale) / 2)}px`);
    screen.style.setProperty("--top", `${Math.round((height - size.height * scale) / 2)}px`);
  }
}

/**
 * @param {number} speed
 * @param {() => void} deed
 */
function speedButton(speed, deed) {
  const button = el("button.speed");
  button.setAttribute("type", "button");
  button.setAttribute("data-speed", String(speed));
  write(button, speed === 0.25 ? "¼" : speed === 0.5 ? "½" : `${speed}×`);
  button.setAttribute("aria-label", `Speed ${speed}`);
  button.addEventListener("click", deed);
  return button;
}

/**
 * @param {number} hand
 * @param {number} step
 */
function addressOf(hand, step) {
  const address = new URL(location.href);
  address.searchParams.set("hand", String(hand));
  address.searchParams.set("step", String(step));
  return address.href;
}

/** @param {string | null} text a number of the address; nonsense is 0 */
function whole(text) {
  return /^\d{1,7}$/.test(text ?? "") ? Number(text) : 0;
}

/** @param {string} id */
function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

function ignored() {
  return undefined;
}
