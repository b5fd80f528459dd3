/**
 * What each OGraf graphic shows: a part of the show's picture, drawn by the overlay's own scripts.
 *
 * @import { Size } from "../common/settings.js"
 * @import { Chat, State } from "../common/types.js"
 * @typedef {{ root: HTMLElement, scene: string, update: (state: State, line: Chat | null, now: number) => boolean }} Part
 *   `scene`: the scene that gives the part its style; `update` returns whether there is anything to show; `line`: the
 *   chat or thought that is on screen
 */

import { el } from "../common/dom.js";
import { fitText } from "../common/fit-text.js";
import { LowerThird } from "../overlay/parts/lower-third.js";
import { ChampionScene } from "../overlay/scenes/champion.js";
import { StandingsScene } from "../overlay/scenes/standings.js";
import { TableScene } from "../overlay/scenes/table.js";

const STORYLINE = { width: 1716, size: 34, lines: 2, isRunningText: true };

/** @type {Record<string, (size: Size) => Part>} */
export const PARTS = {
  "lower-third": (size) => {
    const third = new LowerThird(size);
    const update = (/** @type {State} */ state) => {
      third.update(state);
      return state.tournament.contest !== "";
    };
    return { root: third.root, scene: "", update };
  },
  standings: (size) => {
    const scene = new StandingsScene(size);
    return scenePart(scene, "standings", (state) => state.standings.rows.length > 0);
  },
  table: (size) => scenePart(new TableScene(size), "table", (state) => state.seats.length > 0),
  champion: (size) => scenePart(new ChampionScene(size), "champion", (state) => state.placings.length > 0),
  storyline: () => {
    const words = el("third__caption");
    const update = (/** @type {State} */ { desk }) => {
      fitText(words, desk.storyline ?? "", STORYLINE);
      return Boolean(desk.storyline);
    };
    return { root: el("third", words), scene: "", update };
  },
};

/**
 * @param {{ root: HTMLElement, update: (state: State, line: Chat | null, now: number) => void }} scene
 * @param {string} name
 * @param {(state: State) => boolean} hasContent whether the scene has something to show
 * @returns {Part}
 */
function scenePart(scene, name, hasContent) {
  const floor = el("floor", scene.root);
  const update = (/** @type {State} */ state, /** @type {Chat | null} */ line, /** @type {number} */ now) => {
    const shown = hasContent(state);
    if (shown) scene.update(state, line, now);
    return shown;
  };
  return { root: floor, scene: name, update };
}
