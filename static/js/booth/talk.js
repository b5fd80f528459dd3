/**
 * During a hand, what is at stake; between hands, a card with a topic to talk about.
 *
 * @import { State } from "../common/types.js"
 * @import { Booth, IfWins, Line } from "./booth-state.js"
 */

import { byId, el, redraw, write } from "../common/dom.js";

/** The maximum number of lines about what is at stake. */
const MAX_STAKES = 2;

/** Makes the card for pauses. Its button shows the next topic. @returns {(state: State, booth: Booth) => void} */
export function talkPanel() {
  /** @type {Set<string>} */
  const spoken = new Set();
  let current = "";
  /** @type {Line[]} */
  let lines = [];
  byId("another").addEventListener("click", () => {
    spoken.add(current);
    choose();
  });

  function choose() {
    const left = lines.filter(({ key }) => !spoken.has(key));
    const line = left.find(({ key }) => key === current) ?? left[0] ?? lines[0];
    if (!left.length) spoken.clear();
    current = line?.key ?? "";
    write(byId("talk-text"), line?.text ?? "");
    write(byId("talk-topic"), line?.topic ?? "");
  }

  return (state, booth) => {
    lines = talkOf(booth.lines);
    byId("talk").hidden = !isPause(state) || !lines.length;
    choose();
    drawStakes(state, booth);
  };
}

/** Whether no hand is being played. @param {State} state */
export function isPause({ hand, scene, replay }) {
  return !hand || hand.over || scene !== "table" || Boolean(replay);
}

/**
 * Returns the lines for a pause that have not been on air. Those that are not urgent come first.
 * @param {Line[]} lines
 */
export function talkOf(lines) {
  const left = lines.filter(({ told }) => told === null);
  const calm = left.filter(({ importance }) => importance === "background" || importance === "for a pause");
  return [...calm, ...left.filter((line) => !calm.includes(line))];
}

/** @type {(state: State, booth: Booth) => void} */
function drawStakes(state, { if_wins: cases, lines, board }) {
  const isCurrent = !isPause(state) && board.join() === state.board.join();
  const name = (/** @type {IfWins} */ { seat }) => state.bots[state.seats[seat]?.bot ?? 0]?.name ?? "";
  const stakes = lines.filter(({ topic }) => topic === "at stake").slice(0, MAX_STAKES);
  const shown = isCurrent ? cases.map((each) => [name(each), each.text]) : [];
  byId("stakes").hidden = !shown.length && !stakes.length;
  redraw(byId("if-wins"), [shown], () =>
    shown.map(([who = "", text = ""]) => el("li.", "If ", el("bdi.", who), ` wins: ${text}.`)),
  );
  redraw(byId("at-stake"), [stakes.map(({ text }) => text)], () => stakes.map(({ text }) => el("li.", text)));
}
