/**
 * The page that replaces the desk while the studio, the program that makes the show, is gone: the operator chooses how
 * to continue. When a studio answers again, this page reloads as the desk.
 *
 * @typedef {{ right: "view" | "control", why: string, seconds: number, started: boolean, unseen: boolean,
 *   waiting: number }} StudioGone `right`: whether the visitor may only look, or decide; `why`, `seconds`: why
 *   and for how long the studio has been gone; `unseen`: whether hands are dealt although nobody sees them; `waiting`:
 *   how many hands are still to be shown
 */

import { fromRoot } from "../common/addresses.js";
import { byId, setData, setText } from "../common/dom.js";
import { Confirmation } from "./confirm.js";
import { postRequest } from "./socket.js";
import { roughDuration } from "./words.js";

const ADDRESS = fromRoot("api/desk/studio");
const POLL_MS = 1000;
const ANSWER_TIMEOUT_MS = 10_000;
const UNSEEN_NOTE = "nobody sees the hands that are dealt; this ends when the show continues";
const UNSEEN_QUESTION = "Really? Press again: nobody sees the hands that are dealt";

const unseenButton = byId("unseen");
const confirmation = new Confirmation();

/**
 * Fetches the state of the studio. Once a studio is back, ADDRESS no longer exists, so the page reloads as the desk.
 */
async function pollStudio() {
  try {
    const answer = await fetch(ADDRESS, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    if (answer.ok) show(await answer.json());
    else location.reload();
  } catch {
    setText(byId("what"), "The server is not responding. Trying again…");
  }
}

/** @param {StudioGone} gone */
function show({ right, why, seconds, started, unseen, waiting }) {
  setText(byId("what"), `The studio ${why}. It has been gone for ${roughDuration(seconds)}, and nobody sees the show.`);
  const table = unseen ? "The table plays on unseen." : "The table waits and deals nothing.";
  const still = waiting === 1 ? "One hand is" : `${waiting} hands are`;
  const hands = waiting ? `${still} still to be shown.` : "Every hand that was dealt has been shown.";
  setText(byId("table"), `${started ? table : "The tournament has not begun."} ${hands}`);
  byId("wait").setAttribute("aria-pressed", String(!unseen));
  unseenButton.setAttribute("aria-pressed", String(unseen));
  const isAsking = confirmation.isAsking && !unseen;
  setData(unseenButton, "sure", isAsking);
  setText(/** @type {Element} */ (unseenButton.querySelector(".note")), isAsking ? UNSEEN_QUESTION : UNSEEN_NOTE);
  for (const id of ["wait", "restart", "unseen"]) byId(id).toggleAttribute("disabled", right !== "control");
  unseenButton.hidden = !started;
}

/** @param {"wait" | "restart" | "unseen"} answer */
async function decide(answer) {
  const operator = localStorage.getItem("highnoon:operator") ?? "";
  const { error } = await postRequest("desk", "studio", { answer, operator });
  setText(byId("said"), error ?? (answer === "restart" ? "A studio is being started." : ""));
  await pollStudio();
}

byId("wait").addEventListener("click", () => decide("wait"));
byId("restart").addEventListener("click", () => decide("restart"));
unseenButton.addEventListener("click", () => (confirmation.press() ? decide("unseen") : pollStudio()));
setInterval(pollStudio, POLL_MS);
pollStudio();
