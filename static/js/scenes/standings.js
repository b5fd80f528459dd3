/**
 * The standings between games: ranks, movement, bars, the line that decides who rides on, chips over time.
 *
 * @import { Bot, Standing, State } from "../types.js"
 */

import { el, emptyPicture, mark, picture, place, write } from "../dom.js";
import { fit } from "../fit.js";
import { avatarOf, chips, counted, heading, ordinal } from "../format.js";
import { Chart } from "../parts/chart.js";

const TOP = 178;
const HEIGHT = 736;
const MOST_IN_COLUMN = 12;

/** The scene between two games. */
export class StandingsScene {
  #title = el("standings__title");
  #line = el("standings__line");
  #list = el("standings__list");
  #cut = el("standings__cut", el("span.standings__cut-word"));
  #chart = new Chart();
  #panel = el("panel", el("panel__title"), this.#chart.root);
  /** @type {Map<number, Row>} */
  rows = new Map();
  root = el("scene scene--standings", this.#title, this.#line, this.#list, this.#cut, this.#panel);

  /** @param {State} state */
  update(state) {
    const { rows, advance } = state.standings;
    fit(this.#title, heading(state.stage?.title ?? "Standings"), {
      width: 900,
      size: 76,
      weight: 400,
      family: "title",
      least: 40,
    });
    fit(this.#line, headline(state), { width: 1100, size: 38 });
    this.#chart.update(state);
    const columns = rows.length > MOST_IN_COLUMN ? 2 : 1;
    mark(this.root, "columns", columns);
    this.#panel.hidden = columns > 1;
    const shown = rows.slice(0, MOST_IN_COLUMN * 2);
    const perColumn = Math.ceil(shown.length / columns);
    const cutting = advance > 0 && advance < shown.length;
    const pitch = Math.min(78, (HEIGHT - (cutting ? 34 : 0)) / Math.max(1, perColumn));
    const most = Math.max(1, ...shown.map((row) => row.stack));
    const kept = new Map(shown.map((row) => [row.bot, this.rows.get(row.bot) ?? new Row()]));
    shown.forEach((row, at) => {
      const below = cutting && at >= advance;
      const column = Math.floor(at / perColumn);
      const top = TOP + (at % perColumn) * pitch + (below && column === Math.floor(advance / perColumn) ? 34 : 0);
      const part = kept.get(row.bot);
      part?.update(row, state.bots[row.bot], { below, share: row.stack / most, height: pitch - 6 });
      if (part) place(part.root, { left: column ? 970 : 96, top, width: columns > 1 ? 854 : 1210, height: pitch - 6 });
    });
    if (this.rows.size !== kept.size || [...kept.keys()].some((bot) => !this.rows.has(bot))) {
      this.#list.replaceChildren(...[...kept.values()].map((row) => row.root));
    }
    this.rows = kept;
    this.#cut.hidden = !cutting || columns > 1;
    place(this.#cut, { left: 96, top: TOP + advance * pitch - 3, width: 1210 });
    const word = this.#cut.firstElementChild;
    if (word) write(word, `Top ${counted(advance)} ride on to High Noon`);
  }
}

/** @param {State} state */
function headline(state) {
  const { stage, game } = state;
  if (!stage || !game) return "Standings";
  return stage.games > 1 ? `Standings after game ${game.game} of ${stage.games}` : "Standings";
}

class Row {
  #rank = el("row__rank");
  #image = emptyPicture();
  #name = el("row__name");
  #moved = el("row__moved");
  #fill = el("row__fill");
  #stack = el("row__stack");
  #games = el("row__games");
  root = el(
    "row",
    this.#rank,
    el("row__photo", this.#image),
    this.#name,
    this.#moved,
    el("row__bar", this.#fill),
    this.#stack,
    this.#games,
  );
  moved = 0;

  /**
   * @param {Standing} row
   * @param {Bot | undefined} bot
   * @param {{ below: boolean, share: number, height: number }} look
   */
  update(row, bot, look) {
    this.moved = row.moved;
    mark(this.root, "below", look.below);
    mark(this.root, "out", row.place > 0);
    write(this.#rank, String(row.rank));
    picture(this.#image, avatarOf(bot), "/assets/avatars/default.webp");
    fit(this.#name, bot?.name ?? "", { width: 400, size: 36, lines: look.height > 66 ? 2 : 1 });
    mark(this.#moved, "way", row.moved > 0 ? "up" : row.moved < 0 ? "down" : "");
    write(this.#moved, row.moved ? `${row.moved > 0 ? "▲" : "▼"} ${Math.abs(row.moved)}` : "–");
    mark(this.#fill, "rank", Math.min(row.rank - 1, 6));
    this.#fill.style.transform = `scaleX(${Math.max(0, look.share).toFixed(4)})`;
    fit(this.#stack, chips(row.stack), { width: 160, size: 40, least: 32, weight: 700 });
    write(this.#games, row.place ? `${ordinal(row.place)}` : `${row.games} ${row.games === 1 ? "game" : "games"}`);
  }
}
