/**
 * The WANTED poster: mugshot, placard, name, reward, stamps and the winner's star.
 *
 * @import { Bot, Seat } from "../../common/types.js"
 * @import { SeatShape } from "./seat-kinds.js"
 */

import { el, emptyPicture, mark, picture, place, write } from "../../common/dom.js";
import { fit, widthOf } from "../../common/fit-text.js";
import { avatarOf, chips, ordinal } from "../../common/format.js";
import { paperSheet, sheriffStar } from "../parts/shapes.js";
import { ChancePart } from "./chance.js";

/** Room for the word REWARD and the gap after it. */
const LABEL = 104;
const NUMBER = { width: 0, size: 0, weight: 700 };

/** A poster. `update` changes only those of its elements that show something else now. */
export class Poster {
  #shape;
  #stamped = "none";
  #image = emptyPicture();
  #name = el("poster__name");
  #label = el("span.poster__label");
  #lost = el("poster__lost");
  stack = el("span.poster__stack");
  photo = el("poster__photo", this.#image, this.#lost);
  reward = el("poster__reward", this.#label, this.stack);
  stamp = el("stamp");
  star = el("poster__star", sheriffStar());
  chance = new ChancePart();

  /**
   * @param {Pick<SeatShape, "poster" | "photo" | "name" | "reward" | "wanted" | "stamp" | "out">
   *   & Partial<Pick<SeatShape, "chance">>} shape chances are shown at tables only
   * @param {number} seed which sheet of paper
   */
  constructor(shape, seed) {
    this.#shape = shape;
    const { poster, photo, name, reward, chance } = shape;
    const parts = [this.photo, this.chance.root, this.#name, this.reward, this.stamp, this.star];
    if (shape.wanted) parts.unshift(el("poster__wanted"));
    this.root = el("poster", paperSheet(poster.width, poster.height, seed + 1), ...parts);
    mark(this.root, "tilt", seed % 3);
    place(this.root, poster);
    place(this.photo, photo);
    place(this.#name, name);
    place(this.reward, reward);
    if (chance) place(this.chance.root, chance);
    this.reward.hidden = reward.height === 0;
    this.#press("");
    const size = photo.width < 96 ? 64 : Math.max(84, Math.round(photo.width * 0.36));
    place(this.star, {
      left: photo.left + photo.width - size * 0.4,
      top: photo.top - size * 0.26,
      width: size,
      height: size,
    });
  }

  /**
   * @param {Pick<Seat, "stack" | "all_in" | "place" | "won"> & Partial<Pick<Seat, "win" | "tie">>} seat
   * @param {Bot | undefined} bot
   * @param {boolean} leads whether nobody's chance is better
   */
  update(seat, bot, leads = false) {
    const { name } = this.#shape;
    picture(this.#image, avatarOf(bot), "/assets/avatars/default.webp");
    const lines = name.height < 56 ? 1 : 2;
    fit(this.#name, bot?.name ?? "", { width: name.width, size: name.size, pair: name.pair ?? name.size, lines });
    this.setStack(seat.stack);
    this.#lost.hidden = bot?.presence !== "lost";
    mark(this.root, "lost", !this.#lost.hidden);
    this.star.hidden = !seat.won;
    this.chance.update({ win: seat.win ?? null, tie: seat.tie ?? null, leads });
    mark(this.root, "placard", !this.chance.root.hidden);
    this.#press(seat.place ? `out ${seat.place}` : seat.all_in && !seat.won ? "allin" : "");
  }

  /** @param {number} amount */
  setStack(amount) {
    const { reward, wanted } = this.#shape;
    const text = chips(amount);
    const labelled = wanted && widthOf(text, NUMBER) * reward.size <= reward.width - LABEL;
    this.#label.hidden = !labelled;
    const width = labelled ? reward.width - LABEL : reward.width;
    fit(this.stack, text, { ...NUMBER, width, size: reward.size, least: Math.min(36, reward.size) });
  }

  /** @param {string} words what stands where chips do */
  setWords(words) {
    const { reward } = this.#shape;
    this.#label.hidden = true;
    fit(this.stack, words, { ...NUMBER, width: reward.width, size: reward.size, least: Math.min(36, reward.size) });
  }

  /** @param {string} stamped */
  #press(stamped) {
    if (stamped === this.#stamped) return;
    this.#stamped = stamped;
    const [kind = "", number] = stamped.split(" ");
    // "All in" does not cover the face; the stamp of a bot that is out does.
    const { photo, stamp, out } = this.#shape;
    const across = out ?? { x: photo.left + photo.width / 2, y: photo.top + photo.height / 2 };
    const { x, y } = kind === "out" ? across : stamp;
    place(this.stamp, { left: x, top: y });
    mark(this.stamp, "stamp", kind);
    const rank = el("stamp__place");
    write(rank, `${ordinal(Number(number))} place`);
    this.stamp.replaceChildren(...(kind ? [el("stamp__word")] : []), ...(kind === "out" ? [rank] : []));
  }
}
