/**
 * Higher blinds: the new blinds, and every stack at the table in big blinds.
 *
 * @import { Size } from "../../common/settings.js"
 * @import { Bot, Hand, Seat, State } from "../../common/types.js"
 */

import { el, emptyImage, position, setData, setText, showFace } from "../../common/dom.js";
import { fitText, TITLE_FONT } from "../../common/fit-text.js";
import { chips, upperCase } from "../../common/format.js";

/**
 * `left` to `height`: the box of all rows; `pitch`: a row's maximum height; `line`, `blinds`, `name`: widths of the
 * texts.
 */
const LAYOUTS = {
  wide: { left: 96, top: 210, width: 1728, height: 704, pitch: 92, line: 1120, blinds: 430, name: 560 },
  tall: { left: 36, top: 446, width: 708, height: 662, pitch: 82, line: 708, blinds: 640, name: 360 },
};
/** A stack with fewer big blinds than this is short. */
const SHORT_STACK_BB = 10;

/** The scene before a hand with higher blinds. */
export class BlindsScene {
  #layout;
  #title = el("standings__title");
  #line = el("standings__line");
  #blinds = el("blinds__amounts");
  #list = el("standings__list");
  /** @type {Row[]} */
  rows = [];
  root = el("scene scene--blinds", this.#title, this.#line, el("blinds__plate", this.#blinds), this.#list);

  /** @param {Size} size */
  constructor({ shape }) {
    this.#layout = LAYOUTS[shape];
    fitText(this.#title, upperCase("Blinds up"), { ...TITLE_FONT, width: 700, size: 80 });
  }

  /** @param {State} state */
  update({ hand, seats, bots }) {
    if (!hand) return;
    const { left, top, width, height, line, blinds } = this.#layout;
    const inPlay = seats.filter((seat) => seat.dealt_in).sort((one, other) => other.stack - one.stack);
    const average = inPlay.reduce((sum, seat) => sum + seat.stack, 0) / Math.max(1, inPlay.length);
    const ante = hand.ante ? `Ante ${chips(hand.ante)} · ` : "";
    fitText(this.#line, `${ante}The average stack is ${stackInBigBlinds(average, hand)} big blinds (BB)`, {
      width: line,
      size: 38,
    });
    const amounts = `${chips(hand.small_blind)} / ${chips(hand.big_blind)}`;
    fitText(this.#blinds, amounts, { width: blinds, size: 76, weight: 700 });
    const pitch = Math.min(this.#layout.pitch, height / Math.max(1, inPlay.length));
    this.rows = inPlay.map((seat, index) => {
      const row = this.rows[index] ?? new Row();
      const share = seat.stack / (inPlay[0]?.stack || 1);
      row.update(seat, bots[seat.bot], hand, { share, width: this.#layout.name, lines: pitch > 72 ? 2 : 1 });
      position(row.root, { left, top: top + index * pitch, width, height: pitch - 6 });
      return row;
    });
    this.#list.replaceChildren(...this.rows.map((row) => row.root));
  }
}

class Row {
  #image = emptyImage();
  #name = el("row__name");
  #worth = el("row__stack");
  #stack = el("row__games");
  fill = el("row__fill");
  root = el("row", el("row__photo", this.#image), this.#name, el("row__bar", this.fill), this.#worth, this.#stack);
  moved = 0;

  /**
   * @param {Seat} seat
   * @param {Bot | undefined} bot
   * @param {Hand} hand
   * @param {{ share: number, width: number, lines: number }} look `share`: the stack as a share of the largest stack;
   *   `width`, `lines`: the room for the name
   */
  update(seat, bot, hand, { share, width, lines }) {
    setData(this.root, "below", seat.stack < SHORT_STACK_BB * hand.big_blind);
    showFace(this.#image, bot);
    fitText(this.#name, bot?.name ?? "", { width, size: 36, lines });
    this.fill.style.transform = `scaleX(${share.toFixed(4)})`;
    fitText(this.#worth, `${stackInBigBlinds(seat.stack, hand)} BB`, { width: 190, size: 40, weight: 700 });
    setText(this.#stack, chips(seat.stack));
  }
}

/** A stack in big blinds, with a decimal if it is short: "4.5". @type {(stack: number, hand: Hand) => string} */
function stackInBigBlinds(stack, { big_blind }) {
  const bigBlinds = stack / Math.max(1, big_blind);
  return bigBlinds < SHORT_STACK_BB ? `${Math.floor(bigBlinds * 10) / 10}` : chips(Math.floor(bigBlinds));
}
