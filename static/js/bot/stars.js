/**
 * The entry point of pages that also work without scripts. Adds a star to every element with `data-star`. A click on
 * the star follows the bot that `data-star` names.
 */

import { setData } from "../common/dom.js";
import { FollowButton, FollowedBots } from "../common/followed.js";

const followed = new FollowedBots(draw);
const stars = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-star]"))].map((host) => {
  const star = new FollowButton(followed);
  host.append(star.root);
  return { star, name: host.dataset.star ?? "", row: host.closest("tr, h2") };
});
draw();

function draw() {
  for (const { star, name, row } of stars) {
    const isOn = star.update(name);
    if (row) setData(row, "followed", isOn);
  }
}
