/**
 * The band at the bottom: the climbing sun, stage and hand, the caption, and what the stage decides.
 *
 * @import { Size } from "../../common/settings.js"
 * @import { State } from "../../common/types.js"
 */

import { el, mark } from "../../common/dom.js";
import { fit, widthOf } from "../../common/fit-text.js";
import { CASES, heading, noon, outcomeWords, stakes, whereabouts } from "../../common/format.js";
import { Sun } from "./sun.js";

const STAKES_MOST = 420;
/**
 * The greatest width of what is left of the caption, the caption's width without anything beside it, and its font size;
 * and its font size above what is at stake, 0 where that has a panel.
 */
const ROOMS = {
  wide: { where: 500, caption: 0, size: 34, lines: 2, above: 0 },
  tall: { where: 590, caption: 656, size: 46, lines: 3, above: 36 },
};
/** What is at stake, where the picture has no room for its panel. */
const AT_STAKE = { width: 656, size: 32, lines: 2, clip: true };

/** A lower third. `update` changes only those of its elements that show something else now. */
export class LowerThird {
  #room;
  #sun = new Sun();
  #title = el("third__title");
  #where = el("third__where");
  #caption = el("third__caption");
  #atStake = el("third__at-stake");
  #stakes = el("third__stakes");
  root = el(
    "third",
    ...[this.#sun.root, el("third__place", this.#title, this.#where), this.#caption, this.#atStake, this.#stakes],
  );

  /** @param {Size} size */
  constructor({ shape }) {
    this.#room = ROOMS[shape];
  }

  /** @param {State} state */
  update(state) {
    const { where: most, caption, size, lines, above } = this.#room;
    this.#sun.update(noon(state));
    const title = heading(state.stage?.title || state.tournament.title || "High Noon");
    const where = whereabouts(state);
    fit(this.#title, title, { width: most, size: 34, weight: 400, family: "title" });
    fit(this.#where, where, { width: most, size: 30 });
    const taken = Math.max(
      Math.min(most, widthOf(title, { width: 0, size: 0, weight: 400, family: "title" }) * 34),
      Math.min(most, widthOf(where, { width: 0, size: 0 }) * 30),
    );
    const { replay, desk } = state;
    const breadth = replay ? this.#mark(replay.hand) : this.#showStakes(isTelling(state) ? stakes(state) : []);
    mark(this.#stakes, "replay", replay !== null);
    mark(this.root, "trouble", desk.trouble !== "");
    this.#stakes.style.width = `${breadth}px`;
    const width = caption || 1728 - 166 - taken - 64 - (breadth ? breadth + 26 : 0);
    this.#caption.style.width = `${width}px`;
    const atStake = above && state.scene === "table" && !desk.trouble ? stakesInLine(state) : "";
    mark(this.#atStake, "told", atStake !== "");
    if (atStake) fit(this.#atStake, atStake, AT_STAKE);
    fit(this.#caption, desk.trouble || desk.storyline || state.caption || state.tournament.title, {
      dir: "ltr",
      width,
      size: atStake ? above : size,
      lines: replay || atStake ? 2 : lines,
      clip: true,
    });
  }

  /**
   * Shows what the stage decides.
   *
   * @param {{ lead: string, rest: string }[]} lines
   * @returns {number} the width it takes
   */
  #showStakes(lines) {
    const shown = [...lines];
    while (shown.length > 1 && breadthOf(shown) > STAKES_MOST) shown.pop();
    this.#stakes.replaceChildren(...shown.flatMap((line) => [el("b.", line.lead), ` ${line.rest}`, el("i.")]));
    return shown.length && Math.min(STAKES_MOST, breadthOf(shown));
  }

  /**
   * Shows that the hand is a replay.
   *
   * @param {number} hand
   * @returns {number} the width it takes
   */
  #mark(hand) {
    this.#stakes.replaceChildren(el("third__replay", "REPLAY"), `Hand ${hand}`);
    return STAKES_MOST;
  }
}

/**
 * Whether it is worth saying what the stage decides: between hands, and in the first and the last hand of a game.
 *
 * @param {State} state
 */
function isTelling({ game, hand }) {
  return !game || !hand || hand.over || hand.hand === 1 || hand.hand === game.hands;
}

/** @param {State} state */
function stakesInLine({ stakes: told, bots }) {
  return (told?.outcomes ?? []).map((each) => `${CASES[each.case]}: ${outcomeWords(each, bots)}`).join(" · ");
}

/** @param {{ lead: string, rest: string }[]} lines */
function breadthOf(lines) {
  const text = lines.map((line) => `${line.lead} ${line.rest}`).join("  ");
  return Math.ceil(widthOf(text, { width: 0, size: 0 }) * 30) + 30 + 16 * lines.length;
}
