/**
 * Reports to the operator's desk whether this page paints, whether its sound can be heard, and whether it runs in OBS.
 * A page reports only if it runs in OBS, plays sound, or is for a projector. It stops when the desk answers "quiet".
 *
 * @import { Settings } from "../common/settings.js"
 * @import { Screen } from "./screen.js"
 * @typedef {{ pluginVersion: string, getStatus?: (done: (now: { streaming: boolean, recording: boolean }) => void) =>
 *   void }} ObsStudio
 * @typedef {{ version: string, visible: boolean, active: boolean, streaming: boolean, recording: boolean }} Obs
 */

import { fromRoot } from "../common/addresses.js";

const REPORT_INTERVAL_MS = 2000;
const ANSWER_TIMEOUT_MS = 4000;
const LISTEN_INTERVAL_MS = 150;
/** The lowest loudness that counts as sound, where 1 is full scale. */
const MIN_LEVEL = 0.001;
/** The number of frames over which the frame rate is measured. */
const FRAMES = 12;
/** The time limit for painting FRAMES frames. A page that takes longer is slow or frozen. */
const FRAMES_TIMEOUT_MS = 1000;

/**
 * Sends a report every two seconds until the answer is "quiet". A sound that the desk requested is reported as soon as
 * it is heard.
 *
 * @param {Settings} settings
 * @param {Screen} screen
 * @param {() => number} shownSeq the number of the last entry on screen
 */
export function startPageReports(settings, screen, shownSeq) {
  const obs = obsState();
  const page = location.pathname.endsWith("/projector") ? "projector" : "overlay";
  if (window.parent !== window || !(settings.audio || obs || page === "projector")) return;
  const id = Math.random().toString(36).slice(2);
  let [level, reportTimer, isSoundRequested] = [0, 0, false];
  const listenTimer = settings.audio ? setInterval(listen, LISTEN_INTERVAL_MS) : 0;

  function listen() {
    level = Math.max(level, screen.sounds.level());
    if (!isSoundRequested || level < MIN_LEVEL) return;
    clearTimeout(reportTimer);
    isSoundRequested = false;
    send();
  }

  async function send() {
    const frames = await measureFrameRate();
    const report = { page, id, channel: settings.channel, seq: shownSeq(), frames, sound: screen.sounds.state, obs };
    const order = await postReport({ ...report, level: Math.round(level * 1000) / 1000, hidden: document.hidden });
    level = 0;
    if (order === "quiet") return clearInterval(listenTimer);
    if (order === "reload") location.reload();
    isSoundRequested = order === "sound";
    if (isSoundRequested) screen.sounds.play({ kind: "sound", name: "game_start", bot: 0 });
    reportTimer = setTimeout(send, REPORT_INTERVAL_MS);
  }

  send();
}

/**
 * @param {object} report
 * @returns {Promise<string>} the desk's order to this page, "" for none
 */
async function postReport(report) {
  const token = new URLSearchParams(location.search).get("token");
  const address = fromRoot(`api/page-report${token ? `?token=${encodeURIComponent(token)}` : ""}`);
  try {
    const headers = { "Content-Type": "application/json" };
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(report), signal });
    return answer.ok ? (await answer.json()).order : "";
  } catch {
    return ""; // The studio (the program that makes the show) is down, so the desk has no orders.
  }
}

/** @returns {Promise<number>} the number of frames that the page paints per second */
function measureFrameRate() {
  return new Promise((done) => {
    let [count, first, next] = [0, 0, 0];
    const timer = setTimeout(() => {
      cancelAnimationFrame(next);
      done(count);
    }, FRAMES_TIMEOUT_MS);
    /** @param {number} now */
    const step = (now) => {
      count += 1;
      if (count === 1) first = now;
      if (count <= FRAMES) next = requestAnimationFrame(step);
      else {
        clearTimeout(timer);
        done(Math.round((FRAMES * 1000) / Math.max(1, now - first)));
      }
    };
    next = requestAnimationFrame(step);
  });
}

/** @returns {Obs | null} the state of OBS, kept up to date, or null outside OBS */
function obsState() {
  const obsStudio = /** @type {{ obsstudio?: ObsStudio }} */ (/** @type {unknown} */ (window)).obsstudio;
  if (!obsStudio) return null;
  /** @type {Obs} */
  const obs = {
    version: `${obsStudio.pluginVersion}`,
    visible: true,
    active: true,
    streaming: false,
    recording: false,
  };
  const on = (/** @type {string} */ name, /** @type {(detail: Partial<Obs>) => void} */ set) =>
    addEventListener(`obs${name}`, (event) => set(/** @type {CustomEvent<Partial<Obs>>} */ (event).detail ?? {}));
  on("SourceVisibleChanged", ({ visible }) => Object.assign(obs, { visible: visible !== false }));
  on("SourceActiveChanged", ({ active }) => Object.assign(obs, { active: active !== false }));
  on("StreamingStarted", () => Object.assign(obs, { streaming: true }));
  on("StreamingStopped", () => Object.assign(obs, { streaming: false }));
  on("RecordingStarted", () => Object.assign(obs, { recording: true }));
  on("RecordingStopped", () => Object.assign(obs, { recording: false }));
  obsStudio.getStatus?.(({ streaming, recording }) => Object.assign(obs, { streaming, recording }));
  return obs;
}
