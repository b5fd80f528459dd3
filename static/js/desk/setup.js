/**
 * The setup page: addresses to copy with one click, and a live checklist.
 *
 * @typedef {{ of: string, done: boolean, words: string, needed: boolean }} Step
 * @typedef {{ steps: Step[], sounding: string[], builds: boolean }} Checklist
 * @typedef {{ made?: string[], left?: string[], error?: string }} Built
 */

import { fromRoot } from "../common/addresses.js";
import { answerFrom } from "../common/answer.js";
import { button, byId, el, mark, write } from "../common/dom.js";
import { rowsIn } from "../lists/rows.js";
import { ask } from "./socket.js";

const EVERY_MS = 1000;
const MESSAGE_MS = 6000;
/** How long OBS may take to build scenes. */
const ANSWER_MS = 30_000;
const COPIED_MS = 2000;
/** The step with a button that plays a sound. */
const SOUND = "The sound is heard";

const showSteps = rowsIn(byId("steps"), (/** @type {Step} */ { of }) => of, stepRow);
/** @type {string[]} */
let sounding = [];
let clearing = 0;
const play = button("play", playSound, "Play a sound");

for (const copy of document.querySelectorAll("button.copy")) {
  if (copy instanceof HTMLButtonElement) copy.addEventListener("click", () => copyAddress(copy));
}
byId("build").addEventListener("click", build);
look();

async function look() {
  try {
    const answer = await answerFrom(fromRoot("api/setup"));
    if (answer.status === 403)
      showMessage("This server no longer accepts this page. Open the address with the token that it printed.");
    else if (answer.ok) show(await answer.json());
  } catch {
    write(byId("count"), "The server is not responding");
    mark(document.body, "wire", "down");
  }
  setTimeout(look, EVERY_MS);
}

/** @param {Checklist} now */
function show(now) {
  mark(document.body, "wire", "up");
  sounding = now.sounding;
  play.hidden = sounding.length === 0;
  byId("building").hidden = !now.builds;
  const needed = now.steps.filter((step) => step.needed);
  const done = needed.filter((step) => step.done).length;
  write(byId("count"), done === needed.length ? "All is ready" : `Ready: ${done} of ${needed.length}`);
  mark(byId("count"), "ready", done === needed.length);
  showSteps(now.steps);
}

/** @param {Step} step */
function stepRow({ of }) {
  const [tick, words] = [el("span.tick"), el("p.words")];
  const root = el("li.step", tick, el("div", el("h3.of", of), words));
  if (of === SOUND) root.append(play);
  return {
    root,
    update: (/** @type {Step} */ step) => {
      mark(root, "state", step.done ? "done" : step.needed ? "open" : "aside");
      write(tick, step.done ? "✓" : step.needed ? "!" : "–");
      tick.title = step.done ? "done" : step.needed ? "to be done" : "optional";
      if (words.textContent !== step.words) words.replaceChildren(...withWholeOptions(step.words));
    },
  };
}

/** Keeps each option in one line, because browsers break lines after hyphens. @param {string} text */
function withWholeOptions(text) {
  return text.split(/(--\w+)/).map((part, at) => (at % 2 ? el("span.option", part) : part));
}

/** @param {HTMLButtonElement} copy */
async function copyAddress(copy) {
  const input = /** @type {HTMLInputElement} */ (byId(copy.dataset.copies ?? ""));
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    write(copy, "Copied");
  } catch {
    write(copy, "Ctrl+C"); // Over plain http, browsers allow copying on this machine's own addresses only.
  }
  setTimeout(() => write(copy, "Copy"), COPIED_MS);
}

async function playSound() {
  for (const page of sounding) {
    const { said: done, error } = await ask("desk", "page", { page, order: "sound" });
    showMessage(done ?? error ?? "");
  }
}

async function build() {
  const pressed = /** @type {HTMLButtonElement} */ (byId("build"));
  pressed.disabled = true;
  showBuilt(await ask("setup", "scenes", {}, ANSWER_MS));
  pressed.disabled = false;
}

/** @param {Built} built */
function showBuilt({ made = [], left = [], error }) {
  const done = made.length > 0 ? `Made: ${made.join(", ")}.` : left.length > 0 ? "" : "Everything is already there.";
  const lines = error ? [error] : [done, ...left].filter(Boolean);
  byId("built").replaceChildren(...lines.map((line) => el("li.line", line)));
}

/** @param {string} words */
function showMessage(words) {
  clearTimeout(clearing);
  write(byId("said"), words);
  clearing = setTimeout(() => write(byId("said"), ""), MESSAGE_MS);
}
