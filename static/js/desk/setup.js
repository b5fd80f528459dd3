/**
 * The setup page: addresses to copy with one click, and a live checklist.
 *
 * @typedef {{ of: string, done: boolean, words: string, needed: boolean }} Step `of`: its title; `needed`: not optional
 * @typedef {{ steps: Step[], sounding: string[], builds: boolean }} Checklist
 * @typedef {{ made?: string[], left?: string[], error?: string }} BuildResult
 */

import { fromRoot } from "../common/addresses.js";
import { fetchWithTimeout } from "../common/answer.js";
import { button, byId, el, setData, setText } from "../common/dom.js";
import { makeRowList } from "../lists/rows.js";
import { postRequest } from "./socket.js";

const POLL_MS = 1000;
const MESSAGE_MS = 6000;
/** How long OBS may take to build scenes. */
const BUILD_TIMEOUT_MS = 30_000;
const COPIED_MS = 2000;
/** The step with a button that plays a sound. */
const SOUND_STEP = "The sound is heard";

const showSteps = makeRowList(byId("steps"), (/** @type {Step} */ { of }) => of, stepRow);
/** @type {string[]} */
let soundPages = [];
let messageTimer = 0;
const playButton = button("play", playSound, "Play a sound");

for (const copyButton of document.querySelectorAll("button.copy")) {
  if (copyButton instanceof HTMLButtonElement) copyButton.addEventListener("click", () => copyAddress(copyButton));
}
byId("build").addEventListener("click", buildScenes);
pollSetup();

async function pollSetup() {
  try {
    const answer = await fetchWithTimeout(fromRoot("api/setup"));
    if (answer.status === 403)
      showMessage("This server no longer accepts this page. Open the address with the token that it printed.");
    else if (answer.ok) show(await answer.json());
  } catch {
    setText(byId("count"), "The server is not responding");
    setData(document.body, "wire", "down");
  }
  setTimeout(pollSetup, POLL_MS);
}

/** @param {Checklist} checklist */
function show(checklist) {
  setData(document.body, "wire", "up");
  soundPages = checklist.sounding;
  playButton.hidden = soundPages.length === 0;
  byId("building").hidden = !checklist.builds;
  const needed = checklist.steps.filter((step) => step.needed);
  const done = needed.filter((step) => step.done).length;
  setText(byId("count"), done === needed.length ? "All is ready" : `Ready: ${done} of ${needed.length}`);
  setData(byId("count"), "ready", done === needed.length);
  showSteps(checklist.steps);
}

/** @param {Step} step */
function stepRow({ of }) {
  const [tick, words] = [el("span.tick"), el("p.words")];
  const root = el("li.step", tick, el("div", el("h3.of", of), words));
  if (of === SOUND_STEP) root.append(playButton);
  return {
    root,
    update: (/** @type {Step} */ step) => {
      setData(root, "state", step.done ? "done" : step.needed ? "open" : "aside");
      setText(tick, step.done ? "✓" : step.needed ? "!" : "–");
      tick.title = step.done ? "done" : step.needed ? "to be done" : "optional";
      if (words.textContent !== step.words) words.replaceChildren(...keepOptionsUnbroken(step.words));
    },
  };
}

/** Keeps each command-line option in one line, because browsers break lines after hyphens. @param {string} text */
function keepOptionsUnbroken(text) {
  return text.split(/(--\w+)/).map((part, index) => (index % 2 ? el("span.option", part) : part));
}

/** @param {HTMLButtonElement} copyButton */
async function copyAddress(copyButton) {
  const input = /** @type {HTMLInputElement} */ (byId(copyButton.dataset.copies ?? ""));
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    setText(copyButton, "Copied");
  } catch {
    setText(copyButton, "Ctrl+C"); // Over plain http, a page may copy only if it comes from this machine.
  }
  setTimeout(() => setText(copyButton, "Copy"), COPIED_MS);
}

async function playSound() {
  for (const page of soundPages) {
    const { said: done, error } = await postRequest("desk", "page", { page, order: "sound" });
    showMessage(done ?? error ?? "");
  }
}

async function buildScenes() {
  const pressed = /** @type {HTMLButtonElement} */ (byId("build"));
  pressed.disabled = true;
  showBuilt(await postRequest("setup", "scenes", {}, BUILD_TIMEOUT_MS));
  pressed.disabled = false;
}

/** @param {BuildResult} built */
function showBuilt({ made = [], left = [], error }) {
  const done = made.length > 0 ? `Made: ${made.join(", ")}.` : left.length > 0 ? "" : "Everything is already there.";
  const lines = error ? [error] : [done, ...left].filter(Boolean);
  byId("built").replaceChildren(...lines.map((line) => el("li.line", line)));
}

/** @param {string} words */
function showMessage(words) {
  clearTimeout(messageTimer);
  setText(byId("said"), words);
  messageTimer = setTimeout(() => setText(byId("said"), ""), MESSAGE_MS);
}
