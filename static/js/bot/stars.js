/**
 * The entry point of pages that also work without scripts: adds to every element with `data-star` the star that follows
 * a bot.
 */

import { mark } from "../common/dom.js";
import { Followed, Star } from "../common/followed.js";

const followed = new Followed(draw);
const stars = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-star]"))].map((room) => {
  const star = new Star(followed);
  room.append(star.root);
  return { star, name: room.dataset.star ?? "", row: room.closest("tr, h2") };
});
draw();

function draw() {
  for (const { star, name, row } of stars) {
    const isOn = star.update(name);
    if (row) mark(row, "followed", isOn);
  }
}
