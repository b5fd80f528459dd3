/**
 * The tables of a deal, which all play the same cards. For each table number, a replay has one film. That film shows
 * the table with this number in every deal. Table 1 was on air.
 *
 * @import { Playhead } from "./playhead.js"
 */

import { Film, lastIndexWhere } from "./film.js";
import { decidingSeat, matchingStep } from "./same-moment.js";

export class TableSwitcher {
  #film;
  #recording;
  /** @type {Map<number, Film>} */
  #films = new Map();

  /**
   * @param {Film} film the replay's film; another table replaces its content
   * @param {string} recording
   */
  constructor(film, recording) {
    this.#film = film;
    this.#recording = recording;
  }

  /**
   * Goes to the same decision of the same deal at another table.
   *
   * @param {Playhead} playhead
   * @param {-1 | 1} direction -1 for the previous table, 1 for the next
   * @param {(words: string) => void} report called with the progress while the film is being made
   */
  async switchTable(playhead, direction, report) {
    const { outline, table } = this.#film;
    const { section, state } = playhead;
    const here = outline.hands[section.hand];
    if (!here?.deal) throw new Error("No deal is on the table yet.");
    const count = state.seats.length;
    const next = ((table - 1 + direction + count) % count) + 1;
    const other = this.#films.get(next) ?? (await Film.open(this.#recording, next, report));
    const { hands } = other.outline;
    // A table may end a deal sooner than the other tables.
    const hand = lastIndexWhere(hands.length, (index) => {
      const { game, hand: number } = hands[index] ?? here;
      return game < here.game || (game === here.game && number <= here.hand);
    });
    const isSame = hands[hand]?.hand === here.hand;
    const { entries } = await other.segment(hand);
    const step = isSame ? matchingStep(section.entries, state.seq, entries) : Number.MAX_SAFE_INTEGER;
    this.#films.set(table, this.#film.replaceContent(other));
    await playhead.replace(hand, step);
  }
}

/**
 * Says which table of a deal the replay shows, such as "Table 3 of 6", or "" before the first deal.
 *
 * @type {(film: Film, playhead: Playhead) => string}
 */
export function tableText({ outline, table }, { section, state }) {
  return outline.hands[section.hand]?.deal ? `Table ${table} of ${state.seats.length}` : "";
}

/**
 * Says which table the replay shows, and whose turn it is there: "Table 3 of 6 · Tess in seat 2".
 *
 * @type {(film: Film, playhead: Playhead) => string}
 */
export function tableWords(film, playhead) {
  const { section, state } = playhead;
  const seat = decidingSeat(section.entries, state.seq);
  const name = seat === null ? "" : state.bots[state.seats[seat]?.bot ?? 0]?.name;
  return [tableText(film, playhead), seat !== null && name ? `${name} in seat ${seat + 1}` : ""]
    .filter(Boolean)
    .join(" · ");
}
