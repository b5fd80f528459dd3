/**
 * The band at the bottom of the picture: a sun that climbs during the tournament, the stage and the hand, the caption,
 * and what is at stake.
 *
 * @import { Size } from "../../common/settings.js"
 * @import { Chat, State } from "../../common/types.js"
 * @import { StakesLine } from "./stage-progress.js"
 */

import { pieceElement } from "../../common/checked-thought.js";
import { el, setData, svg } from "../../common/dom.js";
import { fitText, TITLE_FONT, widthOf } from "../../common/fit-text.js";
import { OUTCOME_HEADINGS, outcomesOf, outcomeWords, showPosition, sunHeight, upperCase } from "../../common/format.js";
import { stakesLines } from "./stage-progress.js";

/** The maximum width of the lines about what is at stake. A line that needs more room is left out. */
const MAX_STAKES_WIDTH = 450;
const ARC_RADIUS = 45;
/**
 * `where`: the maximum width of the text left of the caption; `caption`: the caption's width, 0 if it depends on what
 * is beside the caption; `size`, `lines`: the caption's font size and number of lines; `above`: the caption's font size
 * if a line below it says what is at stake, 0 if a panel says this instead.
 */
const LAYOUTS = {
  wide: { where: 500, caption: 0, size: 34, lines: 2, above: 0 },
  tall: { where: 590, caption: 656, size: 46, lines: 3, above: 36 },
};
/** The width of the words on the right that explain the marks in a bot's thoughts. */
const MARKS_WIDTH = 330;
/** The line that shows what is at stake where there is no room for the panel. */
const AT_STAKE_BOX = { width: 656, size: 32, lines: 2, isRunningText: true };

/** The lower third; `update` redraws only the parts that have changed. */
export class LowerThird {
  #layout;
  #sun = new Sun();
  #title = el("third__title");
  #where = el("third__where");
  #caption = el("third__caption");
  #atStake = el("third__at-stake");
  #stakes = el("third__stakes");
  #marks = el(
    "third__marks",
    ...[pieceElement(["right", "true"]), " by what it could see ", el("br.")],
    ...[pieceElement(["wrong", "false"]), pieceElement(["truth", " [the truth]"])],
  );
  root = el(
    "third",
    ...[this.#sun.root, el("third__place", this.#title, this.#where), this.#caption, this.#atStake, this.#stakes],
    this.#marks,
  );

  /** @param {Size} size */
  constructor({ shape }) {
    this.#layout = LAYOUTS[shape];
  }

  /**
   * @param {State} state
   * @param {Chat | null} line the current spoken line
   */
  update(state, line = null) {
    const { where: maxWidth, caption, size, lines, above } = this.#layout;
    this.#sun.update(sunHeight(state));
    const title = upperCase(state.stage?.title || state.tournament.title || "High Noon");
    const where = showPosition(state);
    fitText(this.#title, title, { ...TITLE_FONT, width: maxWidth, size: 34 });
    fitText(this.#where, where, { width: maxWidth, size: 30 });
    const used = Math.min(maxWidth, Math.max(widthOf(title, TITLE_FONT) * 34, widthOf(where) * 30));
    const { replay, desk } = state;
    if (replay) this.#stakes.replaceChildren(el("third__replay", "REPLAY"), `Hand ${replay.hand}`);
    const explains = state.scene === "table" && Boolean(line?.checked?.length);
    const stakesWidth = replay ? MAX_STAKES_WIDTH : explains ? MARKS_WIDTH : this.#showStakes(stakesLines(state));
    this.#marks.hidden = !explains;
    this.#stakes.hidden = explains;
    setData(this.#stakes, "replay", replay !== null);
    setData(this.root, "trouble", desk.trouble !== "");
    this.#stakes.style.width = `${stakesWidth}px`;
    const width = caption || 1728 - 166 - used - 64 - (stakesWidth ? stakesWidth + 26 : 0);
    this.#caption.style.width = `${width}px`;
    const outcomes = above && state.scene === "table" && !desk.trouble ? outcomesOf(state) : [];
    const atStake = outcomes
      .map((each) => `${OUTCOME_HEADINGS[each.case]}: ${outcomeWords(each, state.bots)}`)
      .join(" · ");
    setData(this.#atStake, "shown", atStake !== "");
    if (atStake) fitText(this.#atStake, atStake, AT_STAKE_BOX);
    const isStorylineShown = state.chat.some((line) => line.about && line.text === state.caption);
    const said = isStorylineShown ? "" : state.caption; // a storyline already stands beside its bot's face
    fitText(this.#caption, desk.trouble || desk.storyline || said || state.tournament.title, {
      dir: "ltr",
      width,
      size: atStake ? above : size,
      lines: replay || atStake ? 2 : lines,
      isRunningText: true,
    });
  }

  /** Shows what is at stake. Returns the width used. @type {(lines: StakesLine[]) => number} */
  #showStakes(lines) {
    const shown = [...lines];
    while (shown.length && widthOfLines(shown) > MAX_STAKES_WIDTH) shown.pop();
    this.#stakes.replaceChildren(...shown.flatMap((line) => [el("b.", line.lead), ` ${line.rest}`, el("i.")]));
    return shown.length && widthOfLines(shown);
  }
}

/** @param {StakesLine[]} lines */
function widthOfLines(lines) {
  const text = lines.map((line) => `${line.lead} ${line.rest}`).join("  ");
  return Math.ceil(widthOf(text) * 30) + 30 + 16 * lines.length;
}

/** The sun on its arc, from dawn at the left to high noon at the top. */
class Sun {
  #disc = svg("g", { class: "sun__disc" }, svg("circle", { r: 14 }), svg("circle", { r: 19, class: "sun__rays" }));
  root = el(
    "sun",
    svg(
      "svg",
      { viewBox: "-68 -72 136 88", "aria-hidden": "true" },
      svg("path", { d: `M-${ARC_RADIUS} 0A${ARC_RADIUS} ${ARC_RADIUS} 0 0 1 ${ARC_RADIUS} 0`, class: "sun__arc" }),
      svg("path", { d: "M-66 8H66", class: "sun__earth" }),
      svg("clipPath", { id: "sky" }, svg("path", { d: "M-72-76H72V7H-72Z" })),
      svg("g", { "clip-path": "url(#sky)" }, this.#disc),
    ),
  );

  /** @param {number} height 0 at dawn, 1 at noon */
  update(height) {
    const angle = Math.PI * (1 - height / 2);
    const [x, y] = [Math.cos(angle) * ARC_RADIUS, -Math.sin(angle) * ARC_RADIUS];
    this.#disc.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }
}
