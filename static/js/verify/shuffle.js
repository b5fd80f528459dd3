/**
 * The randomness of a tournament. HMAC-SHA256 derives keys from the seed. A Fisher-Yates shuffle with rejection
 * sampling derives orders from keys, so that every order is equally likely.
 */

import { bytesToHex, hmac, sha256 } from "./noble-hashes.js";

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
/** 52 cards before they are shuffled: rank by rank, clubs, diamonds, hearts, spades. */
const ORDERED_DECK = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));

const text = new TextEncoder();

/** The key of a deck or draw: "game 3 hand 2". @type {(seed: Uint8Array, name: string) => Uint8Array} */
export function keyOf(seed, name) {
  return hmac(sha256, seed, text.encode(name));
}

/** The commitment to a secret: its SHA-256 in hexadecimal, published before the secret. @param {Uint8Array} secret */
export function commitmentTo(secret) {
  return bytesToHex(sha256(secret));
}

/** The name of a hand's deck, for `keyOf`. @type {(game: number, hand: number) => string} */
export function deckName(game, hand) {
  return `game ${game} hand ${hand}`;
}

/** The 52 cards in the order that `key` determines. @param {Uint8Array} key */
export function deckOf(key) {
  return shuffled(key, ORDERED_DECK);
}

/**
 * Returns `things` in the order that `key` determines.
 *
 * @template Thing
 * @param {Uint8Array} key
 * @param {readonly Thing[]} things
 * @returns {Thing[]}
 */
export function shuffled(key, things) {
  const order = [...things];
  const nextNumber = randomNumbers(key);
  for (let last = order.length - 1; last > 0; last--) {
    const bound = last + 1;
    const limit = 2 ** 32 - (2 ** 32 % bound);
    let number = nextNumber();
    while (number >= limit) number = nextNumber();
    const other = number % bound;
    const swapped = /** @type {Thing} */ (order[last]);
    order[last] = /** @type {Thing} */ (order[other]);
    order[other] = swapped;
  }
  return order;
}

/** Returns an endless source of 32-bit numbers: eight from each HMAC of a counter. @param {Uint8Array} key */
function randomNumbers(key) {
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
