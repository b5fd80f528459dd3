/**
 * The WANTED poster: mugshot, name and chips. At the table, some parts are beside the poster: the strip with the name,
 * the chance, the stamp and the star.
 *
 * @import { Bot, Seat, State } from "../../common/types.js"
 * @import { PosterShape, SeatShape } from "./seat-kinds.js"
 */

import { el, emptyImage, position, redraw, setData, showFace } from "../../common/dom.js";
import { BOLD_FONT, fitText, widthOf } from "../../common/fit-text.js";
import { chips, ordinal, shortNameAmong } from "../../common/format.js";
import { paperSheet, sheriffStar } from "../parts/shapes.js";
import { ChancePart } from "./chance.js";

/** The width of the word CHIPS and the gap after it. */
const LABEL_WIDTH = 70;
/** The minimum font size of a number beside the word CHIPS. */
const MIN_FONT_SIZE = 36;

const DEFAULT_MARKS = { leads: false, badged: false, head: "", bots: {} };

/** A poster; `update` redraws only the parts that have changed. */
export class Poster {
  #shape;
  #image = emptyImage();
  #name = el("poster__name");
  #label = el("span.poster__label");
  #headText = el("poster__told");
  #head = el("poster__wanted", this.#headText);
  #offlineSign = el("poster__lost", "OFFLINE");
  stack = el("span.poster__stack");
  photo = el("poster__photo", this.#image);
  reward = el("poster__reward", this.#label, this.stack);
  stamp = el("stamp");
  star = el("poster__star", sheriffStar());
  chance = new ChancePart();
  /** @type {HTMLElement[]} */
  beside = [];

  /**
   * @param {PosterShape & Partial<Pick<SeatShape, "chance" | "strip">>} shape has a `chance` if the poster is at a
   *   table. The stamp and the star are then parts of the seat, otherwise of the poster
   * @param {number} seed of the paper's torn edges
   */
  constructor(shape, seed) {
    this.#shape = shape;
    const { poster, photo, name, reward, chance, strip, star } = shape;
    const parts = [this.photo, this.reward];
    if (strip) {
      const torn = el("strip", paperSheet(strip.width, strip.height, seed + 20), this.#name);
      position(torn, strip);
      this.beside.push(torn);
    } else parts.push(this.#name);
    if (shape.wanted) parts.unshift(this.#head);
    if (chance) this.beside.push(this.chance.root);
    else parts.push(this.stamp, this.star, this.#offlineSign);
    this.root = el("poster", paperSheet(poster.width, poster.height, seed + 1), ...parts);
    setData(this.root, "tilt", seed % 3);
    position(this.root, poster);
    position(this.photo, photo);
    position(this.#name, name);
    position(this.reward, reward);
    position(this.star, star);
    position(this.stamp, { left: shape.stamp.x, top: shape.stamp.y });
    if (chance) position(this.chance.root, chance);
    this.reward.hidden = reward.height === 0;
  }

  /**
   * @param {Pick<Seat, "stack" | "place" | "won"> & Partial<Pick<Seat, "win" | "tie">>} seat
   * @param {Bot | undefined} bot
   * @param {{ leads: boolean, badged: boolean, head: string, bots: State["bots"] }} marks `leads`: no bot has a better
   *   chance; `badged`: a badge takes room from the name; `head`: the words above the photo. If `head` is "", the word
   *   WANTED is there, unless the bot is out
   */
  update(
    { stack, place: finishPlace, won, win = null, tie = null },
    bot,
    { leads, badged, head, bots } = DEFAULT_MARKS,
  ) {
    const { name, photo, reward, wanted } = this.#shape;
    setData(this.#head, "told", head !== "" || finishPlace > 0);
    if (wanted)
      fitText(this.#headText, head, {
        ...BOLD_FONT,
        width: photo.width,
        size: Math.min(56, Math.round(photo.top * 0.7)),
      });
    showFace(this.#image, bot);
    const called = bot?.name ?? "";
    fitText(this.#name, (name.short && bot && shortNameAmong(bots, bot.bot)) || called, {
      width: name.width - (badged ? (name.badged ?? 0) : 0),
      size: name.size,
      wrappedSize: name.wrappedSize ?? name.size,
      lines: name.height < 52 ? 1 : 2,
    });
    const amount = chips(stack);
    this.writeStack(amount, wanted && widthOf(amount, BOLD_FONT) * MIN_FONT_SIZE <= reward.width - LABEL_WIDTH);
    this.#offlineSign.hidden = bot?.presence !== "lost";
    this.star.hidden = !won;
    this.chance.update({ win, tie, leads });
    setData(this.stamp, "stamp", finishPlace ? "out" : "");
    redraw(this.stamp, finishPlace, () =>
      finishPlace ? [el("stamp__word"), el("stamp__place", `${ordinal(finishPlace)} place`)] : [],
    );
  }

  /** Shows the chips, or other text instead. @type {(text: string, isLabelled?: boolean) => void} */
  writeStack(text, isLabelled = false) {
    const { width, size } = this.#shape.reward;
    this.#label.hidden = !isLabelled;
    fitText(this.stack, text, {
      ...BOLD_FONT,
      width: width - (isLabelled ? LABEL_WIDTH : 0),
      size,
      minSize: Math.min(MIN_FONT_SIZE, size),
    });
  }
}
