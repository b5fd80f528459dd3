/**
 * The entry point of the page that verifies a recording. A web worker checks the file, and the page shows the verdict.
 *
 * @import { Verdict } from "../file.js"
 * @import { WorkerMessage, Task } from "./worker.js"
 */

import { encodePath, fromRoot } from "../../common/addresses.js";
import { byId, el, setData, setText } from "../../common/dom.js";

const dropArea = byId("choose");
const progress = /** @type {HTMLProgressElement} */ (byId("progress"));
const fileInput = /** @type {HTMLInputElement} */ (byId("file"));
/** @type {Worker | null} */
let worker = null;

fileInput.addEventListener("change", () => verifyChosenFile(fileInput.files?.[0]));
byId("stop").addEventListener("click", () => {
  stopWorker();
  byId("proof").hidden = true;
});
addEventListener("dragover", (event) => {
  event.preventDefault();
  setData(dropArea, "over", true);
});
addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) setData(dropArea, "over", false);
});
addEventListener("drop", (event) => {
  event.preventDefault();
  setData(dropArea, "over", false);
  verifyChosenFile(event.dataTransfer?.files[0]);
});

const { recording } = document.body.dataset;
if (recording) {
  const { download = `recordings/${encodePath(recording)}.jsonl` } = document.body.dataset;
  startTask({ address: new URL(fromRoot(download), location.href).href }, "the recording");
}

/** @param {File | undefined} chosen */
function verifyChosenFile(chosen) {
  if (chosen) startTask({ file: chosen }, chosen.name);
  fileInput.value = "";
}

/** Starts a task after ending the current one, if any. @type {(task: Task, name: string) => void} */
function startTask(task, name) {
  stopWorker();
  byId("verdict").replaceChildren();
  byId("proof").hidden = false;
  byId("busy").hidden = false;
  progress.value = 0;
  setText(byId("doing"), `Proving ${name}…`);
  worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }) => receive(data));
  worker.addEventListener("error", () => receive({ trouble: "This file is too large for this browser." }));
  worker.postMessage(task);
}

function stopWorker() {
  worker?.terminate();
  worker = null;
}

/** @param {WorkerMessage} news */
function receive(news) {
  if ("share" in news) {
    progress.value = 100 * news.share;
    return;
  }
  stopWorker();
  byId("busy").hidden = true;
  byId("verdict").replaceChildren(...("verdict" in news ? drawVerdict(news.verdict) : [el("p.fault", news.trouble)]));
}

/** @param {Verdict} verdict */
function drawVerdict(verdict) {
  const { holds, whole, title, begun, claims, open, where, fault } = verdict;
  const stamp = el("p.stamp", holds ? (whole ? "Cards proved" : "Cards proved in part") : "Refuted");
  setData(stamp, "holds", holds && (whole ? "whole" : "part"));
  const name = [title, begun.slice(0, 16).replace("T", " ")].filter(Boolean).join(", ");
  const head = el("verdict__head", stamp, el("p.verdict__of", el("bdi.", name)));
  if (!holds) {
    const faultLine = el(
      "p.fault",
      ...(where ? [el("b.", `${capitalize(where)}: `)] : []),
      where ? `${fault}.` : capitalize(`${fault}.`),
    );
    const after = "This is the first fault found. Nothing after it was checked.";
    return [head, faultLine, el("p.quiet", after)];
  }
  const lines = el("ul.lines", ...open.map((line) => el("li.", line)));
  return [head, el("ul.claims", ...claims.map(drawClaim)), el("h2.", "Not proved by this"), lines];
}

/** @param {Verdict["claims"][0]} claim */
function drawClaim({ count, words, how }) {
  const number = count.toLocaleString("en");
  const rest = words.startsWith(number) ? words.slice(number.length) : words;
  const sentence = el("summary.claim__words", el("b.claim__count", number), rest);
  return el("li.claim", el("details.claim__how", sentence, el("p.claim__why", how)));
}

/** @param {string} words */
function capitalize(words) {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
