/**
 * Lists how every bot has played so far: the chips that it earned (its winnings minus its luck), and its luck. Opening
 * a row shows the bot's statistics.
 *
 * @import { State, BotStatistics } from "../common/types.js"
 * @import { Row } from "./rows.js"
 */

import { el, setText } from "../common/dom.js";
import { signed } from "../common/format.js";
import { percentageOf, playStatistics } from "../common/statistics.js";
import { makeRowList } from "./rows.js";

/**
 * Returns a function that draws the rows into `host`, an empty list. Rows that the visitor has opened stay open.
 * `section` is hidden until there are statistics.
 *
 * @type {(section: HTMLElement, host: HTMLElement) => (state: State) => void}
 */
export function playsPanel(section, host) {
  /** @type {BotStatistics[] | null} */
  let shown = null;
  const showRows = makeRowList(host, (/** @type {BotStatistics & { name: string }} */ { bot }) => bot, playsRow);
  const gained = (/** @type {BotStatistics} */ { earned, won = 0 }) => earned ?? won;
  return ({ statistics, bots }) => {
    if (statistics.rows === shown) return;
    shown = statistics.rows;
    const counted = shown.filter(({ hands }) => hands).sort((one, other) => gained(other) - gained(one));
    section.hidden = counted.length === 0;
    showRows(counted.map((row) => ({ ...row, name: bots[row.bot]?.name ?? "" })));
  };
}

/** @returns {Row<BotStatistics & { name: string }>} */
function playsRow() {
  const [name, earned, luck] = [el("bdi.plays__name"), el("b.plays__earned"), el("span.plays__luck")];
  const habits = el("dl.plays__habits");
  return {
    root: el("li.", el("details.", el("summary.", name, earned, luck), habits)),
    update: (row) => {
      const isEarnedKnown = typeof row.earned === "number";
      setText(name, row.name);
      setText(earned, isEarnedKnown ? signed(row.earned ?? 0) : "–");
      setText(luck, isEarnedKnown ? signed(row.luck ?? 0) : "–");
      const shares = playStatistics(row).map(({ name: term, made, chances }) => [
        term,
        `${percentageOf(made, chances)}, ${made} of ${chances}`,
      ]);
      const all = [["Hands", String(row.hands ?? 0)], ["Chips won", signed(row.won ?? 0)], ...shares];
      habits.replaceChildren(
        ...all.map(([term = "", words = ""]) => el("plays__habit", el("dt.", term), el("dd.", words))),
      );
    },
  };
}
