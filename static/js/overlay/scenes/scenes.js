/**
 * All scenes by name. `broadcast/on_air/scenes.py` defines which scenes interrupt the table, when and for how long.
 * In a stage of deals (several tables play the same cards), `comparison` compares the tables of a deal, `certainty`
 * shows how certain the standings are, and `matrix` shows who beats whom. `reading` is about the bots' thoughts.
 *
 * @import { Settings, Size } from "../../common/settings.js"
 * @import { SceneName } from "../../common/types.js"
 * @typedef {ReturnType<typeof makeScenes>[SceneName]} Scene
 */

import { LazyScene } from "../lazy-scene.js";
import { BlindsScene } from "./blinds.js";
import { ChampionScene } from "./champion.js";
import { DuelScene } from "./duel.js";
import { LineupScene } from "./lineup.js";
import { StandingsScene } from "./standings.js";
import { TableScene } from "./table.js";

/**
 * @param {Size} size
 * @param {Settings} settings
 */
export function makeScenes(size, { start }) {
  const lineup = new LineupScene(size, start);
  const table = new TableScene(size);
  return {
    starting: lineup,
    finalists: lineup,
    table,
    replay: table,
    duel: new DuelScene(size),
    standings: new StandingsScene(size),
    statistics: new LazyScene("statistics", size),
    champion: new ChampionScene(size),
    blinds: new BlindsScene(size),
    comparison: new LazyScene("comparison", size),
    certainty: new LazyScene("certainty", size),
    matrix: new LazyScene("matrix", size),
    reading: new LazyScene("reading", size),
  };
}
