/**
 * The entry point of the commentators' page: connects to the show and the booth, and updates the parts of the page.
 *
 * @import { State } from "../common/types.js"
 * @import { Booth } from "./booth-state.js"
 * @import { Answer } from "../desk/socket.js"
 */

import { byId, mark, write } from "../common/dom.js";
import { gameOfStage, whereabouts } from "../common/format.js";
import { timeOfDay, ZONE } from "../common/time-of-day.js";
import { ask, listen } from "../desk/socket.js";
import { awayPanel } from "./away.js";
import { botCard } from "./bot-card.js";
import { Evening } from "./evening.js";
import { notesPanel } from "./notes.js";
import { showNow } from "./now.js";
import { ranksPanel } from "./ranks.js";
import { runPanel, showNext } from "./run-of-show.js";
import { storylinesPanel } from "./storylines.js";
import { talkPanel } from "./talk.js";

const MESSAGE_MS = 5000;
const REFUSED = "This server no longer accepts this page. Open the new /booth address that it printed.";

/** @type {Booth | null} */
let booth = null;
let clearing = 0;
/** The latest picture outside replays, because a replay shows the stacks of an earlier moment. @type {State | null} */
let settled = null;

const evening = new Evening("main", draw, {
  absent: (why) => write(byId("where"), why || "No show is on."),
  connected: (up) => {
    mark(document.body, "wire", up ? "up" : "down");
    if (!up && evening.store.epoch) write(byId("where"), "No connection to the show. Reconnecting…");
    else if (up) draw();
  },
});
const card = botCard(evening, draw);
const showRanks = ranksPanel(evening, (bot) => card.choose(bot));
const showLines = storylinesPanel(evening, (key, pinned) => reportAnswer(ask("booth", "tell", { key, pinned })));
const showRun = runPanel((item, done) => reportAnswer(ask("booth", "tick", { item, done })));
const showTalk = talkPanel();
const showAway = awayPanel(evening);
const showNotes = notesPanel(
  (text) => reportAnswer(ask("booth", "note", { text, by: name.value })),
  (number) => reportAnswer(ask("booth", "erase", { number })),
);
const name = /** @type {HTMLInputElement} */ (byId("name"));
name.value = localStorage.getItem("highnoon:commentator") ?? "";
name.addEventListener("change", () => localStorage.setItem("highnoon:commentator", name.value));

listen("booth", () => name.value, {
  state: (/** @type {Booth} */ message) => {
    booth = message;
    if (document.body.dataset.booth === "down") write(byId("said"), "");
    mark(document.body, "booth", "up");
    draw();
  },
  lost: (refused) => {
    mark(document.body, "booth", "down");
    clearTimeout(clearing);
    write(byId("said"), refused ? REFUSED : "The booth is not responding. Reconnecting…");
    mark(byId("said"), "mood", "bad");
  },
});
setInterval(showClock, 1000);
showClock();

function draw() {
  const { state } = evening.store;
  write(byId("where"), whereabouts(state));
  if (!state.replay || !settled) settled = state;
  showNow(state, booth);
  showRanks(settled);
  write(byId("after"), afterWords(booth, state));
  card.update(settled, booth);
  showNext(evening);
  showAway(settled);
  if (!booth) return;
  showTalk(state, booth);
  showLines(booth);
  showRun(booth, state);
  showNotes(booth);
}

/**
 * Says which hand the standings, storylines and statistics still include: "after hand 12". In a stage of deals, says
 * which deal they include: "after deal 3".
 *
 * @type {(booth: Booth | null, state: State) => string}
 */
function afterWords(booth, { stage, game: now }) {
  if (stage?.deals) {
    const deals = now ? gameOfStage(stage, now) - (now.over ? 0 : 1) : 0;
    return deals ? `after deal ${deals}` : "";
  }
  const { game = 0, hand = 0 } = booth?.after ?? {};
  if (!hand) return "";
  return game > 1 ? `after game ${game}, hand ${hand}` : `after hand ${hand}`;
}

function showClock() {
  write(byId("clock"), `${timeOfDay(Date.now())} ${ZONE}`);
}

/**
 * Shows the answer to a request. Resolves to true if the request was accepted.
 *
 * @type {(answer: Promise<Answer>) => Promise<boolean>}
 */
async function reportAnswer(answer) {
  const { error, said: words } = await answer;
  write(byId("said"), error || words || "");
  mark(byId("said"), "mood", error ? "bad" : "");
  clearTimeout(clearing);
  clearing = setTimeout(() => write(byId("said"), ""), MESSAGE_MS);
  return !error;
}
