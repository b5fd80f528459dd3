/**
 * The randomness of a tournament: keys from the seed by HMAC-SHA256, orders from keys by a Fisher-Yates shuffle with
 * rejection sampling, so that every order is equally likely.
 */

import { bytesToHex, hmac, sha256 } from "./noble-hashes.js";

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
/** 52 cards before they are shuffled: rank by rank, clubs, diamonds, hearts, spades. */
const CARDS = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));

const text = new TextEncoder();

/** The key of a deck or draw by its name, "game 3 hand 2". @type {(seed: Uint8Array, name: string) => Uint8Array} */
export function keyOf(seed, name) {
  return hmac(sha256, seed, text.encode(name));
}

/** The commitment to a secret: its SHA-256 in hexadecimal, published before it. @param {Uint8Array} secret */
export function sealOf(secret) {
  return bytesToHex(sha256(secret));
}

/** The name of a hand's deck, for `keyOf`. @type {(game: number, hand: number) => string} */
export function handName(game, hand) {
  return `game ${game} hand ${hand}`;
}

/** The 52 cards in the order that follows from a key. @param {Uint8Array} key */
export function deckOf(key) {
  return shuffled(key, CARDS);
}

/**
 * `things` in the order that follows from `key`.
 *
 * @template Thing
 * @param {Uint8Array} key
 * @param {readonly Thing[]} things
 * @returns {Thing[]}
 */
export function shuffled(key, things) {
  const order = [...things];
  const numbers = numbersOf(key);
  for (let last = order.length - 1; last > 0; last--) {
    const bound = last + 1;
    const fair = 2 ** 32 - (2 ** 32 % bound);
    let number = numbers();
    while (number >= fair) number = numbers();
    const other = number % bound;
    const kept = /** @type {Thing} */ (order[last]);
    order[last] = /** @type {Thing} */ (order[other]);
    order[other] = kept;
  }
  return order;
}

/** Endless 32-bit numbers: HMACs of an eight-byte counter, eight numbers from each. @param {Uint8Array} key */
function numbersOf(key) {
  const counter = new DataView(new ArrayBuffer(8));
  let block = new DataView(new ArrayBuffer(0));
  let [blocks, at] = [0, 0];
  return () => {
    if (at === block.byteLength) {
      counter.setUint32(4, blocks++);
      block = new DataView(hmac(sha256, key, new Uint8Array(counter.buffer)).buffer);
      at = 0;
    }
    at += 4;
    return block.getUint32(at - 4);
  };
}
