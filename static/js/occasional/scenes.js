/**
 * The entry point of the scenes that few shows have. `static/js/overlay/lazy-scene.js` loads it when a show needs such
 * a scene, so that other shows start with fewer bytes. The scenes' style sheet is `static/css/overlay/occasional.css`.
 *
 * @import { Size } from "../common/settings.js"
 * @import { State } from "../common/types.js"
 * @typedef {{ root: HTMLElement, fill: HTMLElement, moved: number }} Row `fill`: the bar, which grows; `moved`: the
 *   places gained (+) or lost (-)
 * @typedef {{ update: (state: State) => void, rows?: Row[] | Map<number, Row> }} OccasionalScene
 * @typedef {new (root: HTMLElement, size: Size) => OccasionalScene} SceneConstructor draws into `root`, which is empty
 * at first
 */

import { CertaintyScene } from "./certainty.js";
import { ComparisonScene } from "./comparison.js";
import { MatrixScene } from "./matrix.js";
import { ReadingScene } from "./reading-scores.js";
import { StatisticsScene } from "./statistics.js";

/**
 * The scenes by name. "certainty" is the title race, "matrix" shows which bot is likely to be better than which other,
 * and "reading" shows how true the bots' thoughts are.
 *
 * @type {Record<string, SceneConstructor>}
 */
export const OCCASIONAL_SCENES = {
  comparison: ComparisonScene,
  certainty: CertaintyScene,
  matrix: MatrixScene,
  reading: ReadingScene,
  statistics: StatisticsScene,
};

/** Loads the style sheet of these scenes. Resolves even if loading fails, because the picture must go on. */
export function loadStyle() {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = new URL("../../css/overlay/occasional.css", import.meta.url).href;
  const loaded = new Promise((done) => {
    sheet.onload = sheet.onerror = done;
  });
  document.head.append(sheet);
  return loaded;
}
