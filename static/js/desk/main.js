/**
 * The entry point of the operator's page: connects the page's buttons, lists and keys to the server.
 *
 * @import { Desk } from "./socket.js"
 */

import { Evening } from "../booth/evening.js";
import { ranksPanel } from "../booth/ranks.js";
import { showNext } from "../booth/run-of-show.js";
import { byId, setData, setText } from "../common/dom.js";
import { ButtonBoard } from "./board.js";
import { listenToKeys } from "./keys.js";
import { deskLists } from "./lists.js";
import { showPreview } from "./preview.js";
import { listenToRoom, postRequest } from "./socket.js";
import { handsAhead, onAirText, paceText, timeLeftText } from "./words.js";

const MESSAGE_MS = 8000;
const RECONNECTED_MS = 4000;

/** @type {Desk | null} */
let desk = null;
let isConnected = false;
let lostAt = performance.now();
let isRefused = false;
let messageTimer = 0;
/** This operator's last request, until the desk's state shows it. @type {{ words: string, done: number } | null} */
let unconfirmedRequest = null;

const board = new ButtonBoard(
  ({ what, request }) => send(what, request),
  (words) => words && showMessage(words, ""),
);
const showLists = deskLists(send);
const nameField = /** @type {HTMLInputElement} */ (byId("name"));
nameField.value = localStorage.getItem("highnoon:operator") ?? "";
const reconnect = listenToRoom("desk", () => nameField.value, { state: receive, lost: onLost });
const evening = new Evening("main", showEvening, { absent: () => undefined, connected: () => undefined });
const showRanks = ranksPanel(evening, (bot) =>
  document.querySelector(`#bots [data-bot="${bot}"]`)?.scrollIntoView({ block: "center" }),
);
nameField.addEventListener("change", () => {
  localStorage.setItem("highnoon:operator", nameField.value);
  reconnect();
});

byId("play-on").addEventListener("click", () => {
  const control = desk?.controls.unseen ? "unseen" : "stage_end";
  send("set", { control, value: false });
});
listenToKeys(byId("arm"), (key) => board.pressKey(key));
showPreview(byId("glass"), byId("preview"));

function showEvening() {
  showRanks(evening.store.state);
  showNext(evening);
}

/** @param {Desk} newDesk */
function receive(newDesk) {
  const isBack = !isConnected && desk !== null;
  const awaySeconds = Math.round((performance.now() - lostAt) / 1000);
  desk = newDesk;
  isConnected = true;
  isRefused = false;
  show();
  if (isBack) showMessage(`The server is back after ${awaySeconds} s`, "good");
  reportDone();
}

/** @param {boolean} unknown true if the server answers, but does not accept this page's cookie */
function onLost(unknown) {
  if (isConnected) lostAt = performance.now();
  isConnected = false;
  isRefused = unknown;
  show();
}

/** @type {(what: "set" | "cue" | "undo" | "page", request: object) => Promise<void>} */
async function send(what, request) {
  const operator = desk?.you.name ?? "";
  const answer = await postRequest("desk", what, what === "page" ? request : { ...request, operator });
  if (answer.error) showMessage(answer.error, "bad");
  else unconfirmedRequest = { words: `You: ${answer.said}`, done: answer.done ?? 0 };
  reportDone();
}

/** Reports a request as done once every button shows its effect. The operator may then press again at once. */
function reportDone() {
  if (!unconfirmedRequest || !desk || desk.done < unconfirmedRequest.done) return;
  showMessage(unconfirmedRequest.words, "");
  unconfirmedRequest = null;
}

/** @type {(words: string, mood: string) => void} */
function showMessage(words, mood) {
  setText(byId("said"), words);
  setData(byId("said"), "mood", mood);
  clearTimeout(messageTimer);
  messageTimer = setTimeout(() => setText(byId("said"), ""), mood === "good" ? RECONNECTED_MS : MESSAGE_MS);
}

function show() {
  const canControl = isConnected && desk?.you.right === "control";
  setData(document.body, "wire", isConnected ? "up" : "down");
  setData(document.body, "right", desk?.you.right ?? "");
  board.update(desk, canControl);
  showBanner();
  if (!desk) return;
  showLists(desk, canControl);
  showStatus(desk);
  showWho(desk);
}

function showBanner() {
  const banner = byId("banner");
  // The operator can take back two orders: to end the stage, and to play on while the show is down.
  const canPlayOn = !desk?.trouble && Boolean(desk?.controls.unseen || desk?.controls.stage_end);
  const asks = canPlayOn || Boolean(desk?.notice);
  const words = bannerWords();
  setData(banner, "kind", isConnected ? (desk?.trouble ? "lost" : asks ? "asks" : "calm") : "lost");
  banner.hidden = !words;
  setText(byId("banner-words"), words);
  byId("play-on").hidden = !(isConnected && desk?.you.right === "control" && canPlayOn);
  setText(byId("play-on"), desk?.controls.unseen ? "Wait for the show" : "Play on");
  document.title = isConnected ? "High Noon: control desk" : "LOST: control desk";
}

function bannerWords() {
  if (isRefused) return "This server no longer accepts this page. Open the new /control address that it printed.";
  if (!isConnected) {
    const away = Math.round((performance.now() - lostAt) / 1000);
    return desk ? `NO CONNECTION TO THE SERVER for ${away} s. Reconnecting…` : "Connecting to the server…";
  }
  if (desk?.trouble) return `The game waits: ${desk.trouble}`;
  if (desk?.controls.unseen) return "The table plays on unseen until the show continues.";
  if (desk?.controls.stage_end) return `The table ends ${desk.stage?.title ?? "the stage"} after the hand it plays.`;
  if (desk?.notice) return desk.notice;
  return desk?.you.right === "view" ? "You can only watch: this address gives no control." : "";
}

/** @param {Desk} now */
function showStatus({ status, controls, lights }) {
  setText(byId("doing"), status.doing);
  setText(byId("scene"), onAirText(status.scene, controls));
  setText(byId("ahead"), handsAhead(status));
  byId("ends-in").hidden = status.is_over || status.scene === "champion";
  setText(byId("eta"), timeLeftText(status.eta_s));
  setText(byId("pace"), paceText(status.pace));
  setText(byId("waiting"), status.waiting);
  byId("waiting").hidden = !status.waiting;
  const bad = lights.filter(({ colour }) => colour === "red").length;
  const odd = lights.filter(({ colour }) => colour === "yellow").length;
  setText(byId("summary"), bad ? `${bad} to act on` : odd ? `${odd} to look at` : "all is well");
  setData(byId("summary"), "colour", bad ? "red" : odd ? "yellow" : "green");
}

/** @param {Desk} now */
function showWho({ you, desks }) {
  nameField.placeholder = you.name;
  const others = desks.filter((seat) => seat.name !== you.name);
  const words = others.map((seat) => (seat.right === "view" ? `${seat.name} (watching)` : seat.name));
  setText(byId("desks"), others.length ? `Also at the desk: ${words.join(", ")}` : "Nobody else is at the desk");
}
