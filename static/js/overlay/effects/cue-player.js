/**
 * Plays cues on whatever scene is on: each kind of cue is one effect. Never changes the state.
 *
 * @import { Cue, State } from "../../common/types.js"
 * @import { Settings, Size } from "../../common/settings.js"
 * @import { Scene } from "../scenes/scenes.js"
 * @import { TableScene } from "../scenes/table.js"
 * @typedef {import("../seat/seat.js").SeatPart} SeatPart
 */

import { particleOf } from "../../common/addresses.js";
import { Animations } from "./animations.js";
import { burn } from "./countdown.js";
import { duel } from "./duel.js";
import { draw, fadeIn, hang, regroup, ride, rise } from "./entrances.js";
import { Flights } from "./flights.js";
import { Particles } from "./particles.js";

const POP = "cubic-bezier(.3,1.6,.5,1)";
/** How many of all particles fly. */
const SHARES = { nod: 0.15, win: 0.4, burst: 1, screen: 1 };

/** Plays the cues of an entry on the present scene. */
export class Player {
  #motions;
  #flights;
  #particles;
  /** Chances that are kept back. @type {Set<import("../seat/chance.js").ChancePart>} */
  #kept = new Set();
  /** @type {(Animation | null)[]} */
  #burning = [];
  speed = 1;

  /**
   * @param {HTMLElement} stage
   * @param {Settings} settings
   * @param {Size} size
   */
  constructor(stage, settings, size) {
    this.#motions = new Animations(settings.motion);
    this.#flights = new Flights(stage, size, this.#motions);
    this.#particles = new Particles(stage, size);
  }

  /**
   * @param {Cue} cue
   * @param {Scene} scene
   * @param {() => State} state
   */
  play(cue, scene, state) {
    if (cue.kind === "sound") return;
    if ("behind" in scene) for (const flying of [this.#flights, this.#particles]) flying.behind(scene.behind);
    if (cue.kind === "enter") return this.#enter(scene, cue.ms);
    if (cue.kind === "duel") return "loser" in scene ? duel(this.#motions, scene, cue.ms) : undefined;
    if (cue.kind === "particles") return this.#celebrate(cue, scene, state());
    if (!("seats" in scene)) return;
    if (cue.kind === "regroup") return regroup(this.#motions, scene.moved, cue.ms);
    this.#onTable(cue, scene);
  }

  /**
   * Prepares the particles of the bots that may win this hand.
   *
   * @param {State} state
   */
  prepare({ seats, bots }) {
    if (!this.#motions.full || document.hidden) return;
    for (const { bot } of seats) this.#particles.prepare(particleOf(bots[bot]));
  }

  /** Ends all motion; the state stays. */
  drop() {
    this.#motions.drop();
    this.#flights.drop();
    this.#particles.drop();
    for (const chance of this.#kept) chance.drop();
    this.#kept.clear();
  }

  /**
   * @param {Exclude<Cue, { kind: "sound" | "enter" | "duel" | "regroup" | "particles" }>} cue
   * @param {TableScene} scene
   */
  #onTable(cue, scene) {
    if (cue.kind === "board") return this.#turnOver(scene, cue.from, cue.ms);
    if (cue.kind === "chips") return this.#fly(cue, scene);
    const seat = scene.seats[cue.seat];
    if (!seat) return;
    const { ms } = cue;
    switch (cue.kind) {
      case "chance":
        this.#chance(seat.poster.chance, ms);
        break;
      case "deal":
        for (const [at, card] of seat.cards.entries()) this.#flights.deal(card.root, ms * 0.85, at * ms * 0.15);
        break;
      case "muck":
        this.#muck(seat, ms);
        break;
      case "act":
        this.#pop(seat.plate.root, Math.min(ms, 320), 0.84);
        break;
      case "pin":
        this.#pin(seat, ms);
        this.#raise(scene, ms);
        break;
      case "stamp":
        this.#stamp(seat, ms);
        break;
      case "burn":
        this.#burn(seat, ms);
        break;
    }
  }

  /**
   * @param {Scene} scene
   * @param {number} ms
   */
  #enter(scene, ms) {
    if (!("loser" in scene)) fadeIn(this.#motions, scene.root, ms);
    if ("sun" in scene) rise(this.#motions, scene.sun, ms * 3);
    if ("posters" in scene) hang(this.#motions, scene.posters.values(), ms * 3);
    if ("rows" in scene) ride(this.#motions, scene.rows.values(), ms * 4);
    if ("chart" in scene) draw(this.#motions, scene.chart, ms * 4);
  }

  /**
   * @param {import("../../common/types.js").ParticlesCue} cue
   * @param {Scene} scene
   * @param {State} state
   */
  #celebrate(cue, scene, state) {
    if (!this.#motions.full) return;
    const image = particleOf(state.bots[cue.bot]);
    const seat = "seats" in scene ? scene.seats[cue.seat] : undefined;
    if (seat) {
      const { offsetWidth: width, offsetHeight: height } = seat.root;
      const burst = { ms: cue.ms, share: SHARES[cue.size], variant: state.wins };
      this.#particles.burst({ ...this.#flights.middle(seat.root), width, height }, image, burst);
    }
    if (cue.size === "screen") this.#particles.rain(image, cue.ms);
  }

  /**
   * @param {import("../../common/types.js").ChipsCue} cue
   * @param {TableScene} scene
   */
  #fly(cue, scene) {
    const pot = scene.pots.plate;
    const [from, to] = [scene.seats[cue.from], scene.seats[cue.to]];
    const out = to !== undefined;
    this.#flights.chips(from?.plate.root ?? pot, to?.poster.stack ?? pot, cue.amount, { ms: cue.ms, out });
  }

  /**
   * @param {import("../seat/chance.js").ChancePart} chance
   * @param {number} ms
   */
  #chance(chance, ms) {
    if (!this.#motions.full) return;
    chance.keep(ms);
    this.#kept.add(chance);
    const frames = [{ transform: "scale(.8)" }, { transform: "none" }];
    this.#motions.play(chance.root, frames, { ms: Math.min(260, ms * 0.4), delay: ms });
  }

  /**
   * @param {TableScene} scene
   * @param {number} from
   * @param {number} ms
   */
  #turnOver(scene, from, ms) {
    const fresh = scene.board.cards.slice(from).filter((card) => card.root.dataset.suit);
    fresh.forEach((card, at) => {
      const frames = [
        { transform: "perspective(900px) scale(.7) rotateY(0deg)", opacity: 0 },
        { transform: "perspective(900px) scale(1) rotateY(0deg)", opacity: 1, offset: 0.35 },
        { transform: "perspective(900px) scale(1) rotateY(90deg)", offset: 0.6, easing: "ease-out" },
        { transform: "none", opacity: 1 },
      ];
      const [time, delay] = [Math.min(700, ms * 0.55), at * Math.min(180, ms * 0.12)];
      this.#motions.play(card.root, frames, { ms: time, delay, easing: "ease-in" });
      this.#flights.faceDown(card.root, time * 0.6, delay);
    });
  }

  /**
   * @param {SeatPart} seat
   * @param {number} ms
   */
  #muck(seat, ms) {
    this.#flights.muck(seat.hole, Math.min(ms, 620));
    this.#motions.play(seat.hole, [{ opacity: 0 }, { opacity: 0, offset: 0.6 }, { opacity: 1 }], {
      ms: Math.min(ms, 700),
    });
    this.#pop(seat.plate.root, Math.min(ms, 260), 0.92);
  }

  /**
   * @param {SeatPart} seat
   * @param {number} ms
   */
  #pin(seat, ms) {
    const frames = [
      { transform: "scale(.2) rotate(-420deg)", opacity: 0 },
      { transform: "rotate(10deg)", opacity: 1, offset: 0.7 },
      { transform: "none" },
    ];
    this.#motions.play(seat.poster.star, frames, { ms: Math.min(ms, 760), easing: "ease-out" });
    this.#pop(seat.root, Math.min(ms, 520), 0.95);
    this.#pop(seat.won, Math.min(ms, 420), 0.7);
  }

  /**
   * Lifts the winning cards, one after another.
   *
   * @param {TableScene} scene
   * @param {number} ms
   */
  #raise(scene, ms) {
    const lit = scene.board.cards.filter((card) => card.root.dataset.light === "lit");
    const frames = [
      { transform: "none" },
      { transform: "translateY(-16px)", offset: 0.5 },
      { transform: "translateY(-8px)" },
    ];
    lit.forEach((card, at) => {
      this.#motions.play(card.root, frames, { ms: Math.min(ms, 460), delay: at * 70, easing: "ease-in-out" });
    });
  }

  /**
   * @param {SeatPart} seat
   * @param {number} ms
   */
  #stamp(seat, ms) {
    const down = Math.min(260, ms * 0.4);
    const frames = [{ transform: "scale(.6)", opacity: 0 }, { opacity: 1 }];
    this.#motions.play(seat.plate.stamp, frames, { ms: down, easing: "cubic-bezier(.6,0,.9,.4)" });
    const shake = [0, 7, -6, 5, -3, 2, 0].map((x) => ({ transform: `translate(${x}px, ${Math.abs(x) / 2}px)` }));
    this.#motions.play(seat.root, shake, { ms: Math.min(320, ms * 0.4), delay: down * 0.8, easing: "linear" });
  }

  /**
   * @param {SeatPart} seat
   * @param {number} ms real time for thinking
   */
  #burn(seat, ms) {
    for (const motion of this.#burning) motion?.cancel();
    this.#burning = burn(this.#motions, seat.fuse, this.speed ? ms / this.speed : 0);
    this.#pop(seat.root, 260, 0.98);
  }

  /**
   * @param {Element} node
   * @param {number} ms
   * @param {number} size below 1, so that it never comes to lie on what is beside it
   */
  #pop(node, ms, size) {
    this.#motions.play(node, [{ transform: `scale(${size})` }, { transform: "none" }], { ms, easing: POP });
  }
}
