/**
 * Draws particles on one canvas. Their motion depends on the time, not on the frame rate. They are drawn from
 * pre-rotated sprites at whole-pixel positions, and only the touched area is cleared. The canvas is on the page only
 * while particles are shown. If frames are late, the number of particles is reduced.
 *
 * @import { Size } from "../../common/settings.js"
 * @import { Sprite } from "./sprites.js"
 * @typedef {{ x: number, y: number, vx: number, vy: number, born: number, dies: number, turn: number, spin: number,
 *   sprites: Sprite[], ring?: Ring }} Particle `turn`: which of the sprites is shown; `spin`: by how many sprites
 *   `turn` grows in a second
 * @typedef {{ x: number, y: number, across: number, down: number, angle: number, speed: number, leaves: number }} Ring
 *   a particle's path around a point; the particle leaves the path `leaves` milliseconds before the particle dies
 * @typedef {Pick<Particle, "x" | "y" | "vx" | "vy" | "born" | "dies" | "ring">} ParticleStart
 */

import { spriteMaker } from "./sprites.js";

const GRAVITY = 900;
const DRAG = 0.6;
/** Particles circle around a box, such as a seat, in three rings. These are the rings' distances from the box. */
const RING_DISTANCES = [10, 34, 58];
/** The shape of the rings: 1 is an ellipse, and 0 is a rectangle. */
const RING_EXPONENT = 0.45;
/** The maximum speed of a particle that leaves its ring, in pixels per second. */
const MAX_SPEED = 700;
/** How many screen pixels there are per particle. On the wide screen, a burst has 190 particles, and a rain has 320. */
const AREA_PER_BURST_PARTICLE = 10914;
const AREA_PER_RAIN_PARTICLE = 6480;
/** Viewers who prefer little motion see a motionless wreath. A whole wreath has this many particles. */
const WREATH_PARTICLES = 48;
/** The number of particles is reduced if the mean time between frames is this many times the usual time. */
const LATE_FACTOR = 1.45;
/** How long a particle takes to fade out. */
const FADE_MS = 300;

/** The particle canvas of a screen. */
export class Particles {
  #size;
  #canvas = document.createElement("canvas");
  #context = /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext("2d"));
  #spritesOf = spriteMaker();
  /** @type {Particle[]} */
  #flying = [];
  #dirtyBox = { left: 0, top: 0, right: 0, bottom: 0 };
  #lastFrameAt = 0;
  #frameMs = 0;
  /** The usual time between frames, in milliseconds. It starts at 34: many OBS sources show 30 frames a second. */
  #usualFrameMs = 34;
  #density = 1;
  /** The number of calls of `drop`. Particles that were requested before the latest call are not shown. */
  #generation = 0;

  /**
   * @param {HTMLElement} host the parent of the canvas; the canvas is above all other children
   * @param {Size} size
   */
  constructor(host, size) {
    this.host = host;
    this.#size = size;
    this.#canvas.width = size.width;
    this.#canvas.height = size.height;
    this.#canvas.className = "particles";
  }

  /** Makes an image's sprites in advance. @param {string} address */
  prepare(address) {
    this.#spritesOf(address);
  }

  /**
   * Shows three rings of particles around a box, alternately turning clockwise and anticlockwise, until the particles
   * fly off. The box itself stays readable.
   *
   * @param {{ x: number, y: number, width: number, height: number }} box its middle and its size
   * @param {string} address of the image
   * @param {{ ms: number, share: number, variant: number }} how `ms`: the duration; `share`: the share of a full
   *   burst's particles; with an odd `variant`, the rings turn the other way
   */
  burst(box, address, { ms, share, variant }) {
    const life = Math.min(ms, 4500);
    const count = (share * this.#area) / AREA_PER_BURST_PARTICLE;
    const direction = variant % 2 ? -1 : 1;
    this.#addParticles(address, count, (fraction) => {
      const ringIndex = Math.floor(fraction * count) % RING_DISTANCES.length;
      const distance = (RING_DISTANCES[ringIndex] ?? 0) + Math.random() * 22;
      const born = fraction * Math.min(500, life * 0.15);
      const dies = Math.max(born + 300, life * (0.78 + Math.random() * 0.2));
      const ring = {
        x: box.x,
        y: box.y,
        across: box.width / 2 + distance,
        down: box.height / 2 + distance,
        angle: Math.random() * Math.PI * 2,
        speed: direction * (ringIndex % 2 ? -1 : 1) * (0.9 + Math.random() * 0.5),
        leaves: (dies - born) * (0.2 + Math.random() * 0.5),
      };
      return { x: box.x, y: box.y, vx: 0, vy: 0, born, dies, ring };
    });
  }

  /**
   * Lays a wreath of motionless particles around a box, for viewers who prefer little motion.
   *
   * @param {{ x: number, y: number, width: number, height: number }} box its middle and its size
   * @param {string} address of the image
   * @param {{ ms: number, share: number }} how the duration, and the share of a whole wreath's particles
   */
  async showWreath({ x, y, width, height }, address, { ms, share }) {
    const generation = this.#generation;
    const sprites = await this.#spritesOf(address);
    if (generation !== this.#generation || document.hidden) return;
    this.#context.globalAlpha = 1;
    const count = Math.round(share * WREATH_PARTICLES);
    for (let index = 0; index < count; index += 1) {
      const angle = (index / count) * Math.PI * 2;
      const distance = RING_DISTANCES[index % RING_DISTANCES.length] ?? 0;
      const sprite = sprites[index % sprites.length];
      if (!sprite) continue;
      const left = x + (width / 2 + distance) * flatten(Math.cos(angle)) + sprite.left;
      const top = y + (height / 2 + distance) * flatten(Math.sin(angle)) + sprite.top;
      this.#context.drawImage(sprite.picture, Math.round(left), Math.round(top));
    }
    this.host.append(this.#canvas);
    setTimeout(() => generation === this.#generation && this.drop(), ms);
  }

  /**
   * Shows a rain of particles over the whole screen.
   *
   * @param {string} address of the image
   * @param {number} ms the duration
   */
  rain(address, ms) {
    const life = Math.min(ms, 12000);
    this.#addParticles(address, this.#area / AREA_PER_RAIN_PARTICLE, (fraction) => {
      const born = fraction * life * 0.7;
      return {
        x: Math.random() * this.#size.width,
        y: -60,
        vx: (Math.random() - 0.5) * 160,
        vy: 60 + Math.random() * 160,
        born,
        dies: Math.min(life, born + 3200),
      };
    });
  }

  get #area() {
    return this.#density * this.#size.width * this.#size.height;
  }

  /** Removes all particles at once. */
  drop() {
    this.#generation += 1;
    this.#flying = [];
    this.#canvas.remove();
    this.#context.clearRect(0, 0, this.#size.width, this.#size.height);
  }

  /**
   * @param {string} address of the image
   * @param {number} count
   * @param {(fraction: number) => ParticleStart} makeParticle makes one particle; `fraction` goes from 0 for the first
   *   particle to almost 1 for the last. Times are in milliseconds from now. Speeds are in pixels per second
   */
  async #addParticles(address, count, makeParticle) {
    const generation = this.#generation;
    const sprites = await this.#spritesOf(address);
    if (generation !== this.#generation || document.hidden) return;
    const now = performance.now();
    for (let index = 0; index < count; index += 1) {
      const particleStart = makeParticle(index / count);
      const turn = Math.random() * sprites.length;
      const spin = (Math.random() - 0.5) * 30;
      this.#flying.push({
        ...particleStart,
        born: now + particleStart.born,
        dies: now + particleStart.dies,
        turn,
        spin,
        sprites,
      });
    }
    if (this.#canvas.isConnected) return;
    this.host.append(this.#canvas);
    this.#density = Math.min(1, this.#density * 1.2);
    this.#lastFrameAt = now;
    requestAnimationFrame((time) => this.#draw(time));
  }

  /** @param {number} time */
  #draw(time) {
    const seconds = Math.min(0.1, Math.max(0, time - this.#lastFrameAt) / 1000);
    this.#thinOutIfLate(time - this.#lastFrameAt);
    this.#lastFrameAt = time;
    this.#wipe();
    this.#flying = this.#flying.filter((each) => time < each.dies && each.y < this.#size.height + 60);
    for (const each of this.#flying) if (time >= each.born) this.#move(each, seconds, time);
    if (this.#flying.length) requestAnimationFrame((next) => this.#draw(next));
    else this.#canvas.remove();
  }

  #wipe() {
    const { left, top, right, bottom } = this.#dirtyBox;
    if (right > left) this.#context.clearRect(left, top, right - left, bottom - top);
    this.#dirtyBox = { left: this.#size.width, top: this.#size.height, right: 0, bottom: 0 };
  }

  /** @type {(each: Particle, seconds: number, time: number) => void} */
  #move(each, seconds, time) {
    if (each.ring && each.dies - time > each.ring.leaves) moveOnRing(each, each.ring, seconds);
    else fall(each, seconds);
    each.turn += each.spin * seconds;
    const sprite = each.sprites.at(Math.floor(each.turn) % each.sprites.length);
    if (!sprite) return;
    const { picture } = sprite;
    const left = Math.round(each.x) + sprite.left;
    const top = Math.round(each.y) + sprite.top;
    this.#context.globalAlpha = Math.max(0, Math.min(1, (each.dies - time) / FADE_MS));
    this.#context.drawImage(picture, left, top);
    const touched = this.#dirtyBox;
    touched.left = Math.min(touched.left, left);
    touched.top = Math.min(touched.top, top);
    touched.right = Math.max(touched.right, left + picture.width);
    touched.bottom = Math.max(touched.bottom, top + picture.height);
  }

  /** Removes some particles if frames are late. @param {number} elapsed milliseconds since the last frame */
  #thinOutIfLate(elapsed) {
    if (elapsed <= 0 || elapsed >= 500) return;
    this.#usualFrameMs += (elapsed - this.#usualFrameMs) * (elapsed < this.#usualFrameMs ? 0.1 : 0.002);
    this.#frameMs += (elapsed - this.#frameMs) * 0.08;
    if (this.#frameMs < this.#usualFrameMs * LATE_FACTOR || this.#flying.length < 40) return;
    this.#density = Math.max(0.25, this.#density * 0.75);
    this.#flying = this.#flying.filter((_, index) => index % 4 !== 0);
    this.#frameMs = 0;
  }
}

/** @type {(each: Particle, seconds: number) => void} */
function fall(each, seconds) {
  const gravity = each.ring ? GRAVITY * 0.35 : GRAVITY;
  each.vx *= 1 - DRAG * seconds;
  each.vy += (gravity - each.vy * DRAG) * seconds;
  each.x += each.vx * seconds;
  each.y += each.vy * seconds;
}

/**
 * Moves a particle on its ring, and sets the speed at which the particle will leave the ring.
 *
 * @type {(each: Particle, ring: Ring, seconds: number) => void}
 */
function moveOnRing(each, ring, seconds) {
  ring.angle += ring.speed * seconds;
  const x = ring.x + ring.across * flatten(Math.cos(ring.angle));
  const y = ring.y + ring.down * flatten(Math.sin(ring.angle));
  if (seconds) [each.vx, each.vy] = [clampSpeed((x - each.x) / seconds), clampSpeed((y - each.y) / seconds)];
  [each.x, each.y] = [x, y];
}

/** @param {number} part a coordinate on the unit circle */
function flatten(part) {
  return Math.sign(part) * Math.abs(part) ** RING_EXPONENT;
}

/** @param {number} speed */
function clampSpeed(speed) {
  return Math.max(-MAX_SPEED, Math.min(MAX_SPEED, speed));
}
