/**
 * Plays cues, such as "deal cards to seat 3", as animations on the current scene. Never changes the state.
 *
 * @import { Cue, ParticlesCue, State } from "../../common/types.js"
 * @import { Settings, Size } from "../../common/settings.js"
 * @import { SeatPart } from "../seat/seat.js"
 * @import { Scene } from "../scenes/scenes.js"
 * @import { TableScene } from "../scenes/table.js"
 * @typedef {"act" | "burn" | "chance" | "deal" | "muck" | "pin" | "stamp"} SeatEffect
 */

import { particleOf } from "../../common/addresses.js";
import { Animations } from "./animations.js";
import { fadeIn, hangPosters, playDuel, raiseSun, regroup, revealChart, slideRows } from "./entrances.js";
import { Flights } from "./flights.js";
import { Particles } from "./particles.js";

const POP = "cubic-bezier(.3,1.6,.5,1)";
/** The share of a full burst's particles that fly, by the size of the win. */
const PARTICLE_SHARES = { nod: 0.15, win: 0.4, burst: 1, screen: 1 };
/**
 * The fuse shows how much time a bot has left. It burns in twenty steps a second, because more steps would not be
 * visible.
 */
const FUSE_STEP_MS = 50;

/** Plays the cues of an entry (an event, such as a bet) on the current scene. */
export class CuePlayer {
  #animations;
  #flights;
  #particles;
  /** The motions of the cards that are being turned over. @type {Animation[]} */
  #cardTurns = [];
  #onTurned;
  /** @type {(Animation | null)[]} */
  #fuseMotions = [];
  speed = 1;

  /**
   * @param {HTMLElement} screen
   * @param {Settings} settings
   * @param {Size} size
   * @param {() => void} onTurned called when the cards that are being turned over lie face up
   */
  constructor(screen, settings, size, onTurned) {
    this.#onTurned = onTurned;
    this.#animations = new Animations(settings.motion);
    this.#flights = new Flights(screen, size, this.#animations);
    this.#particles = new Particles(screen, size);
  }

  /** @type {(cue: Cue, scene: Scene, state: State) => void} */
  play(cue, scene, state) {
    if (cue.kind === "sound") return;
    if ("behind" in scene) {
      this.#flights.placeBehind(scene.behind);
      this.#particles.host = scene.behind;
    }
    if (cue.kind === "enter") return this.#playEntrance(scene, cue.ms);
    if (cue.kind === "duel") return "loser" in scene ? playDuel(this.#animations, scene, cue.ms) : undefined;
    if (cue.kind === "particles") return this.#celebrate(cue, scene, state);
    if (!("seats" in scene)) return;
    if (cue.kind === "regroup") return regroup(this.#animations, scene.moved, cue.ms);
    if (cue.kind === "board") return this.#turnBoardCards(scene, cue.from, cue.ms);
    if (cue.kind === "chips") {
      const [from, to] = [scene.seats[cue.from], scene.seats[cue.to]];
      const ends = [from?.plate.root ?? scene.pots.plate, to?.poster.stack ?? scene.pots.plate];
      return this.#flights.flyChips(ends, cue.amount, { ms: cue.ms, out: to !== undefined });
    }
    const seat = scene.seats[cue.seat];
    if (seat) this.#seatEffects[cue.kind](seat, cue.ms, scene);
  }

  /** Prepares the particles of all bots at the table, because any of them may win. @param {State} state */
  prepare({ seats, bots }) {
    if (!this.#animations.isFull || document.hidden) return;
    for (const { bot } of seats) this.#particles.prepare(particleOf(bots[bot]));
  }

  /** Ends all motion. The state stays on screen. */
  drop() {
    this.#animations.drop();
    this.#flights.drop();
    this.#particles.drop();
    this.#cardTurns = [];
  }

  get isTurning() {
    return this.#cardTurns.length > 0;
  }

  /** Ends the turning of cards at once, so that the cards lie face up. */
  finishTurning() {
    for (const motion of this.#cardTurns) motion.finish();
    this.#cardTurns = [];
  }

  /**
   * "burn" burns down the fuse of the bot to act, "pin" pins a star to the winner, and "stamp" stamps "ALL IN".
   *
   * @type {Record<SeatEffect, (seat: SeatPart, ms: number, scene: TableScene) => void>}
   */
  #seatEffects = {
    act: ({ plate }, ms) => this.#pop(plate.root, Math.min(ms, 320), 0.84),

    burn: ({ root, fuse }, thinkMs) => {
      for (const motion of this.#fuseMotions) motion?.cancel();
      const [rope, spark] = /** @type {[Element, Element]} */ ([...fuse.children]);
      const ms = this.speed ? thinkMs / this.speed : 0;
      const timing = { ms, easing: `steps(${Math.ceil(ms / FUSE_STEP_MS)})` };
      // The spark moves in the same steps as the rope, so that both are painted together.
      const count = Math.ceil(ms / (2 * FUSE_STEP_MS)) + 1;
      const transform = Array.from({ length: count }, (_, index) => `scale(${index % 2 ? 1.35 : 0.75})`);
      this.#fuseMotions = [
        this.#animations.play(rope, { transform: ["none", "scaleX(0)"] }, timing),
        this.#animations.play(spark, { transform: ["none", `translateX(${-rope.clientWidth}px)`] }, timing),
        this.#animations.play(spark, { transform, easing: "steps(2)" }, { ms, easing: "linear", part: "::after" }),
      ];
      this.#pop(root, 260, 0.98);
    },

    chance: ({ poster: { chance } }, ms) => {
      // The new chances of winning appear when the cards lie face up, and stop moving before the next entry.
      const turned = Math.max(0, ...this.#cardTurns.map(({ effect }) => Number(effect?.getComputedTiming().endTime)));
      const pop = Math.min(260, ms * 0.28);
      const timing = { ms: pop, delay: Math.min(turned, ms - pop) };
      this.#animations.play(chance.root, { transform: ["scale(.8)", "none"] }, timing);
    },

    deal: ({ cards }, ms) => {
      this.#trackTurning(
        cards.flatMap((card, index) => this.#flights.dealCard(card.root, ms * 0.85, index * ms * 0.15)),
      );
    },

    muck: ({ hole, plate }, ms) => {
      this.#flights.flyToMuck(hole, Math.min(ms, 620));
      this.#animations.play(hole, { opacity: [0, 0, 1], offset: [0, 0.6] }, { ms: Math.min(ms, 700) });
      this.#pop(plate.root, Math.min(ms, 260), 0.92);
    },

    pin: ({ root, poster, won }, ms, { board }) => {
      const transform = ["scale(.2) rotate(-420deg)", "rotate(10deg)", "none"];
      const frames = { transform, opacity: [0, 1, 1], offset: [0, 0.7] };
      this.#animations.play(poster.star, frames, { ms: Math.min(ms, 760), easing: "ease-out" });
      this.#pop(root, Math.min(ms, 520), 0.95);
      this.#pop(won, Math.min(ms, 420), 0.7);
      const lifted = { transform: ["none", "translateY(-16px)", "translateY(-8px)"] };
      const lit = board.cards.filter((card) => card.root.dataset.light === "lit");
      lit.forEach((card, index) => {
        this.#animations.play(card.root, lifted, { ms: Math.min(ms, 460), delay: index * 70, easing: "ease-in-out" });
      });
    },

    stamp: ({ root, plate }, ms) => {
      const down = Math.min(260, ms * 0.4);
      const frames = [{ transform: "scale(.6)", opacity: 0 }, { opacity: 1 }];
      this.#animations.play(plate.stamp, frames, { ms: down, easing: "cubic-bezier(.6,0,.9,.4)" });
      const transform = [0, 7, -6, 5, -3, 2, 0].map((x) => `translate(${x}px, ${Math.abs(x) / 2}px)`);
      this.#animations.play(root, { transform }, { ms: Math.min(320, ms * 0.4), delay: down * 0.8, easing: "linear" });
    },
  };

  /** @type {(scene: Scene, ms: number) => void} */
  #playEntrance(scene, ms) {
    if (!("loser" in scene)) fadeIn(this.#animations, scene.root, ms);
    if ("sun" in scene) raiseSun(this.#animations, scene.sun, ms * 3);
    if ("posters" in scene) hangPosters(this.#animations, scene.posters.values(), ms * 3);
    if ("rows" in scene) slideRows(this.#animations, scene.rows.values(), ms * 4);
    if ("chart" in scene) revealChart(this.#animations, scene.chart, ms * 4);
  }

  /** @type {(cue: ParticlesCue, scene: Scene, state: State) => void} */
  #celebrate(cue, scene, state) {
    if (this.#animations.isOff) return;
    const image = particleOf(state.bots[cue.bot]);
    const seat = "seats" in scene ? scene.seats[cue.seat] : undefined;
    if (seat) {
      const { offsetWidth: width, offsetHeight: height } = seat.root;
      const box = { ...this.#flights.centreOf(seat.root), width, height };
      const how = { ms: cue.ms, share: PARTICLE_SHARES[cue.size], variant: state.wins };
      if (!this.#animations.isFull) return void this.#particles.showWreath(box, image, how);
      this.#particles.burst(box, image, how);
    }
    if (!this.#animations.isFull) return;
    if (cue.size === "screen") this.#particles.rain(image, cue.ms);
  }

  /** @type {(scene: TableScene, from: number, ms: number) => void} */
  #turnBoardCards(scene, from, ms) {
    const newCards = scene.board.cards.slice(from).filter((card) => card.root.dataset.suit);
    const frames = [
      { transform: "perspective(900px) scale(.7) rotateY(0deg)", opacity: 0 },
      { transform: "perspective(900px) scale(1) rotateY(0deg)", opacity: 1, offset: 0.35 },
      { transform: "perspective(900px) scale(1) rotateY(90deg)", offset: 0.6, easing: "ease-out" },
      { transform: "none", opacity: 1 },
    ];
    const back = { opacity: [1, 1, 0], offset: [0, 0.99] };
    const time = Math.min(700, ms * 0.5);
    this.#trackTurning(
      newCards.flatMap((card, index) => {
        const delay = index * Math.min(180, ms * 0.1);
        return [
          this.#animations.play(card.root, frames, { ms: time, delay, easing: "ease-in" }) ?? [],
          this.#animations.play(card.root, back, { ms: time * 0.6, delay, easing: "linear", part: "::before" }) ?? [],
        ].flat();
      }),
    );
  }

  /** Calls `#onTurned` once the motions in `turns` are over and the cards lie face up. @param {Animation[]} turns */
  #trackTurning(turns) {
    if (!turns.length) return;
    this.#cardTurns = turns;
    // A timer would end too early on a busy machine: viewers see the cards only when the browser has played the
    // motions.
    Promise.allSettled(turns.map((motion) => motion.finished)).then(() => {
      if (this.#cardTurns !== turns) return;
      this.#cardTurns = [];
      this.#onTurned();
    });
  }

  /**
   * @param {Element} node
   * @param {number} ms
   * @param {number} size the scale at the start; below 1, because a larger element would cover its neighbours
   */
  #pop(node, ms, size) {
    this.#animations.play(node, { transform: [`scale(${size})`, "none"] }, { ms, easing: POP });
  }
}
