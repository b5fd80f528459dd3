/**
 * Reloads a page from time to time. First checks that the server answers, because on a dead network a reload would show
 * the browser's error page instead. While the server is not responding, a line says so.
 */

import { answerFrom } from "../common/answer.js";

/** The maximum pause between two checks. */
const LOOK_MS = 3000;

const again = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=again]"));
const everyMs = Number(again.content) * 1000;
const line = document.createElement("p");
line.className = "away";
line.setAttribute("role", "status");
document.querySelector("main")?.before(line);
setTimeout(look, Math.min(LOOK_MS, everyMs));

async function look() {
  const answer = await answerFrom(location.href, { cache: "no-store" }).catch(() => null);
  void answer?.body?.cancel();
  const there = answer !== null && (answer.ok || answer.headers.has("Retry-After"));
  line.textContent = there ? "" : "Connection lost. Trying again…";
  if (there && performance.now() >= everyMs) location.reload();
  setTimeout(look, Math.min(LOOK_MS, everyMs));
}
