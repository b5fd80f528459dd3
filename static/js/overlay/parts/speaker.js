/**
 * The panel of a bot that speaks, thinks, or is in a storyline: its face, its name and the words. A dotted line leads
 * to the bot's seat. The line is behind all text, in the gaps between seats and board.
 *
 * @import { Size } from "../../common/settings.js"
 * @import { Bot, Chat } from "../../common/types.js"
 * @import { SeatBox } from "../scenes/layout.js"
 */

import { piecesOf } from "../../common/checked-thought.js";
import { el, emptyImage, setData, showFace, svg } from "../../common/dom.js";
import { BOLD_FONT, fitText, widthOf } from "../../common/fit-text.js";

/**
 * The room for name and words in each place of the panel. `wide` is beside the board. `large` is below the board,
 * between two large seats. `tall` is in the band at the bottom of a tall picture.
 */
const LAYOUTS = {
  wide: { name: { width: 346, size: 32, lines: 2 }, text: { width: 434, height: 116 }, separator: "\n" },
  large: { name: { width: 626, size: 32 }, text: { width: 626, height: 84 }, separator: " " },
  tall: { name: { width: 546, size: 32 }, text: { width: 546, height: 104 }, separator: " " },
};

/** The font size of the words that say how true the bot's thoughts have been, and their distance from the name. */
const TALLY = { size: 28, gap: 16 };

/** The speaker's panel; `update` redraws only the parts that have changed. */
export class Speaker {
  #shape;
  #image = emptyImage();
  #name = el("speaker__name");
  #text = el("speaker__text");
  #path = svg("path", {});
  root = el("speaker", el("speaker__photo", this.#image), this.#name, this.#text);
  dottedLine = svg("svg", { class: "wire", "aria-hidden": "true" }, this.#path);

  /** @param {Size} size */
  constructor({ shape }) {
    this.#shape = shape;
  }

  /**
   * @param {Chat | null} chat
   * @param {Bot | undefined} bot
   * @param {SeatBox | undefined} seatBox
   * @param {boolean} hasTwoSeats whether two seats fill the picture
   */
  update(chat, bot, seatBox, hasTwoSeats) {
    const shown = chat !== null && seatBox !== undefined;
    this.root.hidden = !shown;
    setData(this.dottedLine, "on", shown);
    const kind = chat?.checked ? "thought" : chat?.about ? "about" : "";
    setData(this.root, "kind", kind);
    setData(this.dottedLine, "kind", kind);
    if (!shown) return;
    const { name, text, separator } = LAYOUTS[this.#shape === "wide" && hasTwoSeats ? "large" : this.#shape];
    showFace(this.#image, bot);
    const tally = kind === "thought" ? falseClaimsText(chat) : [];
    setData(this.#name, "tally", tally.join(separator));
    const taken = Math.max(
      ...tally
        .join(separator)
        .split("\n")
        .map((words) => widthOf(words, BOLD_FONT) * TALLY.size),
    );
    const width = name.width - (tally.length ? taken + TALLY.gap : 0);
    fitText(this.#name, bot?.name ?? "", { ...name, ...BOLD_FONT, width });
    const pieces = piecesOf(chat.text, chat.checked ?? []);
    const words = pieces.map(([, part]) => part).join("");
    fitText(this.#text, words, { ...text, size: 44, isRunningText: true }, pieces);
    this.#path.setAttribute(
      "d",
      this.#shape === "tall" ? pathAroundFelt(seatBox) : hasTwoSeats ? pathPastBoard(seatBox) : pathToSeat(seatBox),
    );
  }
}

/** How many claims in the bot's thoughts were false this evening. @type {(chat: Chat) => string[]} */
function falseClaimsText({ claims = 0, false_claims: wrong = 0 }) {
  return claims ? [`${wrong} of ${claims}`, "false tonight"] : ["thinks"];
}

/** The line past the board to one of two large seats. Other seats have a frame but no line. @param {SeatBox} seat */
function pathPastBoard({ kind, mirrored }) {
  if (kind !== "large") return "";
  return mirrored ? "M1368 864H1406V690H1446" : "M552 864H514V690H474";
}

/** @param {SeatBox} seat */
function pathToSeat({ kind, left, top, width }) {
  const x = left + (kind === "wide" ? 122 : width / 2);
  return `M${Math.max(1400, Math.min(1834, x))} ${top < 378 ? 369 : 595}H${x}`;
}

/** The line to a seat in a tall picture. A small seat in the upper part has a frame instead. @param {SeatBox} seat */
function pathAroundFelt({ kind, left, top, width }) {
  const x = left + width / 2;
  return top > 700 ? `M${x - 17} 1116h36` : kind === "bench" ? "" : `M756 1200H766V463H${x}`;
}
