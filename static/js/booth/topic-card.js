/**
 * During a hand, says what is at stake. Between hands, shows a card with a topic to talk about.
 *
 * @import { State } from "../common/types.js"
 * @import { Booth, StandingIfWins, Storyline } from "./booth-state.js"
 */

import { byId, el, redraw, setText } from "../common/dom.js";

/** The maximum number of lines about what is at stake. */
const MAX_STAKES = 2;

/** Makes the card for pauses. Its button shows the next topic. @returns {(state: State, booth: Booth) => void} */
export function topicPanel() {
  /** @type {Set<string>} */
  const usedKeys = new Set();
  let currentKey = "";
  /** @type {Storyline[]} */
  let lines = [];
  byId("another").addEventListener("click", () => {
    usedKeys.add(currentKey);
    showTopic();
  });

  function showTopic() {
    const left = lines.filter(({ key }) => !usedKeys.has(key));
    const line = left.find(({ key }) => key === currentKey) ?? left[0] ?? lines[0];
    if (!left.length) usedKeys.clear();
    currentKey = line?.key ?? "";
    setText(byId("talk-text"), line?.text ?? "");
    setText(byId("talk-topic"), line?.topic ?? "");
  }

  return (state, booth) => {
    lines = topicsForPause(booth.lines);
    byId("talk").hidden = !isPause(state) || !lines.length;
    showTopic();
    drawStakes(state, booth);
  };
}

/** Whether no hand is being played. @param {State} state */
export function isPause({ hand, scene, replay }) {
  return !hand || hand.over || scene !== "table" || Boolean(replay);
}

/**
 * Returns the storylines that have not been on air yet. Storylines that are not urgent come first, because they suit a
 * pause.
 * @param {Storyline[]} lines
 */
export function topicsForPause(lines) {
  const unairedLines = lines.filter(({ told }) => told === null);
  const calm = unairedLines.filter(({ importance }) => importance === "background" || importance === "for a pause");
  return [...calm, ...unairedLines.filter((line) => !calm.includes(line))];
}

/** @type {(state: State, booth: Booth) => void} */
function drawStakes(state, { if_wins: cases, lines, board }) {
  const isCurrent = !isPause(state) && board.join() === state.board.join();
  const name = (/** @type {StandingIfWins} */ { seat }) => state.bots[state.seats[seat]?.bot ?? 0]?.name ?? "";
  const stakes = lines.filter(({ topic }) => topic === "at stake").slice(0, MAX_STAKES);
  const shown = isCurrent ? cases.map((each) => [name(each), each.text]) : [];
  byId("stakes").hidden = !shown.length && !stakes.length;
  redraw(byId("if-wins"), [shown], () =>
    shown.map(([who = "", text = ""]) => el("li.", "If ", el("bdi.", who), ` wins: ${text}.`)),
  );
  redraw(byId("at-stake"), [stakes.map(({ text }) => text)], () => stakes.map(({ text }) => el("li.", text)));
}
