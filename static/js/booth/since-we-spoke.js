/**
 * "Since we last spoke": what has happened since the commentator last pressed "Spoken", or since the page was last
 * hidden.
 *
 * @import { State } from "../common/types.js"
 * @import { FilmHand } from "../replay/film/film.js"
 * @import { Evening } from "./evening.js"
 */

import { byId, el, redraw, setText } from "../common/dom.js";
import { chips, signed } from "../common/format.js";
import { rankingMetric } from "../common/ranking.js";
import { leaderOf } from "./ranks.js";

/** The maximum number of eliminated bots that the panel names. */
const MAX_NAMED = 3;

/**
 * Makes the panel. The panel appears once something has happened. Its button clears the panel.
 *
 * @param {Evening} evening
 * @returns {(state: State) => void} draws the panel
 */
export function missedPanel(evening) {
  let seenCount = -1;
  const finishedHands = () => evening.hands.filter(({ stacks }) => Object.keys(stacks).length);
  const restart = () => {
    seenCount = finishedHands().length;
    byId("since").hidden = true;
  };
  byId("spoken").addEventListener("click", restart);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) restart();
  });
  return (state) => {
    const hands = finishedHands();
    if (!evening.hands.length) return;
    if (seenCount < 0 || seenCount > hands.length) seenCount = hands.length; // in a new page or show, nothing is missed
    const missed = hands.slice(seenCount);
    byId("since").hidden = !missed.length;
    setText(byId("since-hands"), missed.length === 1 ? "one hand" : `${missed.length} hands`);
    redraw(byId("since-what"), [seenCount, hands.length, state.stage?.title, state.standings.rows], () =>
      missedWords(hands[seenCount - 1], missed, state).map((words) => el("li.", words)),
    );
  };
}

/**
 * Says what has happened in the hands after `before`: who is out, who leads now, and who won the largest pots. In a
 * stage of deals (several tables play the same cards), results per deal, not stacks, decide who leads.
 *
 * @type {(before: FilmHand | undefined, missed: FilmHand[], state: Pick<State, "stage" | "bots" | "standings">) =>
 *   string[]}
 */
export function missedWords(before, missed, { stage, bots, standings }) {
  const nameOf = (/** @type {number} */ bot) => bots[bot]?.name ?? "";
  const numbers = stage?.bots ?? [];
  const out = missed.flatMap((hand) => hand.out.map(([bot]) => nameOf(bot)));
  const [leaderBefore, leaderNow] = [leaderOf(before, numbers), leaderOf(missed.at(-1), numbers)];
  const sentences = [];
  const [first, second] = standings.rows;
  if (out.length) sentences.push(`Out: ${out.slice(-MAX_NAMED).join(", ")}${moreText(out.length)}.`);
  if (stage?.deals) {
    const { bot = 0, per_deal: mean = 0 } = first ?? {};
    const { title } = rankingMetric({ stage, bots, standings });
    if (mean > (second?.per_deal ?? 0)) sentences.push(`${nameOf(bot)} leads with ${signed(mean)} ${title}.`);
  } else if (leaderNow && leaderBefore !== leaderNow) {
    const stack = chips(missed.at(-1)?.stacks[leaderNow] ?? 0);
    sentences.push(
      leaderBefore
        ? `${nameOf(leaderNow)} leads instead of ${nameOf(leaderBefore)}, with ${stack}.`
        : `${nameOf(leaderNow)} leads with ${stack}.`,
    );
  }
  const largest = missed.filter(({ told }) => told).sort((one, other) => other.pot - one.pot);
  return [...sentences, ...largest.slice(0, sentences.length ? 1 : 2).map(({ told }) => `${told}.`)];
}

/** @param {number} count */
function moreText(count) {
  return count > MAX_NAMED ? ` and ${count - MAX_NAMED} before them` : "";
}
