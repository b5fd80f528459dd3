/**
 * Reloads a page from time to time. First checks that the server answers, because on a dead network a reload would show
 * the browser's error page instead. While the server is not responding, a line says so.
 */

import { fetchWithTimeout } from "../common/answer.js";

/** The maximum pause between two checks. */
const POLL_MS = 3000;

const reloadMeta = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=again]"));
const everyMs = Number(reloadMeta.content) * 1000;
const notice = document.createElement("p");
notice.className = "away";
notice.setAttribute("role", "status");
document.querySelector("main")?.before(notice);
setTimeout(checkServer, Math.min(POLL_MS, everyMs));

async function checkServer() {
  const answer = await fetchWithTimeout(location.href, { cache: "no-store" }).catch(() => null);
  void answer?.body?.cancel();
  const isAnswering = answer !== null && (answer.ok || answer.headers.has("Retry-After"));
  notice.textContent = isAnswering ? "" : "Connection lost. Trying again…";
  if (isAnswering && performance.now() >= everyMs) location.reload();
  setTimeout(checkServer, Math.min(POLL_MS, everyMs));
}
