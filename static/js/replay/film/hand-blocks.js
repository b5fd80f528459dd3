/**
 * The hands that an index leaves out, as they change no more: they are in files of their own, which a browser keeps. No
 * DOM.
 *
 * @import { FilmHand } from "./film.js"
 * @import { Index } from "./studio-source.js"
 */

/**
 * @param {Pick<Index, "epoch" | "blocks">} index
 * @returns {string[]} the names of the files, below the channel's address
 */
export function blockNames({ epoch, blocks = 0 }) {
  return Array.from({ length: blocks }, (_, number) => `${epoch}/${number}.hands`);
}

/**
 * @template {Index} Told
 * @param {Told} index
 * @param {{ hands: FilmHand[] }[]} blocks what is in those files
 * @returns {Told} the index with their hands
 */
export function joined(index, blocks) {
  if (!blocks.length) return index;
  const hands = [...blocks.flatMap((block) => block.hands), ...index.outline.hands];
  return { ...index, since: 0, outline: { ...index.outline, hands } };
}
