/**
 * The randomness of a tournament. HMAC-SHA256 derives keys from the tournament's secret seed. A Fisher-Yates shuffle
 * with rejection sampling derives orders from keys, so that every order is equally likely.
 */

import { bytesToHex, hmac, sha256 } from "./noble-hashes.js";

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
/** 52 cards before they are shuffled: rank by rank, clubs, diamonds, hearts, spades. */
const ORDERED_DECK = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));

const textEncoder = new TextEncoder();

/** The key of the deck or draw `name` ("game 3 hand 2"). @type {(seed: Uint8Array, name: string) => Uint8Array} */
export function keyOf(seed, name) {
  return hmac(sha256, seed, textEncoder.encode(name));
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
  const ordered = [...things];
  const nextNumber = randomNumbers(key);
  for (let last = ordered.length - 1; last > 0; last--) {
    const bound = last + 1;
    const limit = 2 ** 32 - (2 ** 32 % bound);
    let number = nextNumber();
    while (number >= limit) number = nextNumber();
    const otherIndex = number % bound;
    const swapped = /** @type {Thing} */ (ordered[last]);
    ordered[last] = /** @type {Thing} */ (ordered[otherIndex]);
    ordered[otherIndex] = swapped;
  }
  return ordered;
}

/** Returns an endless source of 32-bit numbers: eight from each HMAC of a counter. @param {Uint8Array} key */
function randomNumbers(key) {
  const counter = new DataView(new ArrayBuffer(8));
  let block = new DataView(new ArrayBuffer(0));
  let [blocks, offset] = [0, 0];
  return () => {
    if (offset === block.byteLength) {
      counter.setUint32(4, blocks++);
      block = new DataView(hmac(sha256, key, new Uint8Array(counter.buffer)).buffer);
      offset = 0;
    }
    offset += 4;
    return block.getUint32(offset - 4);
  };
}
