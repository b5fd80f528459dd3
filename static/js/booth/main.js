/**
 * The entry point of the commentators' page, the booth: connects to the show and to the server, and updates the page.
 *
 * @import { State } from "../common/types.js"
 * @import { Booth } from "./booth-state.js"
 * @import { Answer } from "../desk/socket.js"
 */

import { byId, setData, setText } from "../common/dom.js";
import { gameOfStage, showPosition } from "../common/format.js";
import { timeOfDay, ZONE } from "../common/time-of-day.js";
import { listenToRoom, postRequest } from "../desk/socket.js";
import { botCard } from "./bot-card.js";
import { showNow } from "./current-hand.js";
import { Evening } from "./evening.js";
import { notesPanel } from "./notes.js";
import { ranksPanel } from "./ranks.js";
import { runOfShowPanel, showNext } from "./run-of-show.js";
import { missedPanel } from "./since-we-spoke.js";
import { storylinesPanel } from "./storylines.js";
import { topicPanel } from "./topic-card.js";

const MESSAGE_MS = 5000;
const REFUSED = "This server no longer accepts this page. Open the new /booth address that it printed.";

/** @type {Booth | null} */
let booth = null;
let messageTimer = 0;
/**
 * The latest picture that is not part of a replay. A replay shows the stacks of an earlier moment.
 *
 * @type {State | null}
 */
let latestPicture = null;

const evening = new Evening("main", draw, {
  absent: (why) => setText(byId("where"), why || "No show is on."),
  connected: (up) => {
    setData(document.body, "wire", up ? "up" : "down");
    if (!up && evening.store.epoch) setText(byId("where"), "No connection to the show. Reconnecting…");
    else if (up) draw();
  },
});
const card = botCard(evening, draw);
const showRanks = ranksPanel(evening, (bot) => card.choose(bot));
const showStorylines = storylinesPanel(evening, (key, pinned) =>
  reportAnswer(postRequest("booth", "tell", { key, pinned })),
);
const showRunOfShow = runOfShowPanel((item, done) => reportAnswer(postRequest("booth", "tick", { item, done })));
const showTalk = topicPanel();
const showMissed = missedPanel(evening);
const showNotes = notesPanel(
  (text) => reportAnswer(postRequest("booth", "note", { text, by: nameField.value })),
  (number) => reportAnswer(postRequest("booth", "erase", { number })),
);
const nameField = /** @type {HTMLInputElement} */ (byId("name"));
nameField.value = localStorage.getItem("highnoon:commentator") ?? "";
nameField.addEventListener("change", () => localStorage.setItem("highnoon:commentator", nameField.value));

listenToRoom("booth", () => nameField.value, {
  state: (/** @type {Booth} */ message) => {
    booth = message;
    if (document.body.dataset.booth === "down") setText(byId("said"), "");
    setData(document.body, "booth", "up");
    draw();
  },
  lost: (refused) => {
    setData(document.body, "booth", "down");
    clearTimeout(messageTimer);
    setText(byId("said"), refused ? REFUSED : "The booth is not responding. Reconnecting…");
    setData(byId("said"), "mood", "bad");
  },
});
setInterval(showClock, 1000);
showClock();

function draw() {
  const { state } = evening.store;
  setText(byId("where"), showPosition(state));
  if (!state.replay || !latestPicture) latestPicture = state;
  showNow(state, booth);
  showRanks(latestPicture);
  setText(byId("after"), afterWords(booth, state));
  card.update(latestPicture, booth);
  showNext(evening);
  showMissed(latestPicture);
  if (!booth) return;
  showTalk(state, booth);
  showStorylines(booth);
  showRunOfShow(booth, state);
  showNotes(booth);
}

/**
 * Names the last hand that standings, storylines and statistics count: "after hand 12". In a stage of deals (several
 * tables play the same cards), names the last deal: "after deal 3".
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
  setText(byId("clock"), `${timeOfDay(Date.now())} ${ZONE}`);
}

/**
 * Shows the answer to a request. Resolves to true if the request was accepted.
 *
 * @type {(answer: Promise<Answer>) => Promise<boolean>}
 */
async function reportAnswer(answer) {
  const { error, said: words } = await answer;
  setText(byId("said"), error || words || "");
  setData(byId("said"), "mood", error ? "bad" : "");
  clearTimeout(messageTimer);
  messageTimer = setTimeout(() => setText(byId("said"), ""), MESSAGE_MS);
  return !error;
}
