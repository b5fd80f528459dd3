/**
 * The entry point of the page inside an OGraf graphic, a web component. The page draws one part of the picture when the
 * component requests it. The picture comes from a recording in the graphic's package, or live from a server.
 *
 * @import { Data } from "./data.js"
 * @typedef {{ number: number } & ({ call: "open" } | { call: "set", data: Data, still: boolean } |
 *   { call: "show", shown: boolean, cut: boolean } | { call: "seek", data: Data, shown: boolean, passed: number })}
 *   Request `still`: nothing is animated; `passed`: milliseconds of the recording since hand `data.hand` began
 */

import { el, setData } from "../common/dom.js";
import { remeasure } from "../common/fit-text.js";
import { screenSize } from "../common/settings.js";
import { withDeskRules } from "../overlay/desk-rules.js";
import { brandingOfPage } from "../overlay/parts/branding.js";
import { speechAt } from "../overlay/reducer-speech.js";
import { fitScreen } from "../overlay/screen.js";
import { Store } from "../overlay/store.js";
import { connectToShow } from "../overlay/transport.js";
import { Film } from "../replay/film/film.js";
import { Playhead } from "../replay/film/playhead.js";
import { defaultData } from "./data.js";
import { PARTS } from "./parts.js";

const FONTS = ['600 32px "Barlow Condensed"', '700 32px "Barlow Condensed"', '400 32px "Rye"'];
const SHOW_PATH = "api/v1/show";

const page = document.documentElement;
const { channel, recording = "" } = document.body.dataset;
const name = new URLSearchParams(location.search).get("graphic") ?? "";
const size = screenSize({ shape: "wide" });
const makePart = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
if (!makePart) throw new Error(`there is no graphic ${name.slice(0, 60)}`);
const part = makePart(size);
const root = el("stage", el("backdrop"), part.root, ...(name === "lower-third" ? brandingOfPage() : []));
let data = defaultData();
let still = false;
/** @type {Store | null} */
let store = null;
let frameRequest = 0;

setData(root, "scene", part.scene);
setData(root, "graphic", name);
document.body.append(root);
page.dataset.shape = size.shape;
fitScreen(document.body, size);
addEventListener("resize", () => fitScreen(document.body, size));

/** Plays a recording. Null if the picture is live. @type {Playhead | null} */
let playhead = null;
const film = channel === undefined ? Film.open(recording) : null;
const ready = open();

async function open() {
  await Promise.all(FONTS.map((face) => document.fonts.load(face)));
  remeasure();
  if (channel !== undefined) return followShow(channel);
  playhead = new Playhead(/** @type {Film} */ (await film), schedule, () => undefined);
  store = playhead;
}

/** Lets the picture follow a live show. @param {string} channel the show's channel on the server */
function followShow(channel) {
  const liveStore = new Store(schedule);
  store = liveStore;
  const listener = {
    position: () => ({ seq: liveStore.state.seq, epoch: liveStore.epoch }),
    welcome: liveStore.welcome.bind(liveStore),
    snapshot: liveStore.snapshot.bind(liveStore),
    entry: liveStore.entry.bind(liveStore),
    connected: (/** @type {boolean} */ up) => setData(page, "wire", up ? "up" : "down"),
    absent: () => undefined,
  };
  connectToShow(channel, listener, SHOW_PATH);
}

function schedule() {
  frameRequest ||= requestAnimationFrame(draw);
}

/**
 * Draws the current moment. Leaves out media that the operator has switched off. The controller's text replaces the
 * show's text.
 */
function draw() {
  cancelAnimationFrame(frameRequest);
  frameRequest = 0;
  if (!store) return;
  const ruled = withDeskRules(store.state);
  const state = data.text ? { ...ruled, desk: { ...ruled.desk, storyline: data.text } } : ruled;
  const now = still ? state.at_ms : store.now;
  setData(root, "empty", !part.update(state, speechAt(state.chat, now).line, now));
  setData(root, "seq", state.seq);
  setData(root, "graphics", state.desk.graphics ? "" : "off");
}

/** Draws, and waits until the images in the picture are loaded. */
async function drawWhenLoaded() {
  draw();
  await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
}

/** Takes over a controller's data. `deck` counts the colours of suits. @param {Data} given @param {boolean} isStill */
function applyData(given, isStill) {
  data = given;
  still = isStill;
  const { theme, deck } = data;
  Object.assign(page.dataset, { theme, deck, motion: still ? "off" : "full" });
  setData(root, "background", data.background);
}

/** @param {Request} request */
async function carryOut(request) {
  await ready;
  if (request.call === "set") {
    applyData(request.data, request.still);
    await drawWhenLoaded();
  } else if (request.call === "show") {
    setData(root, "cut", request.cut);
    if (request.shown && playhead && !still) {
      await playhead.seekStep(data.hand, 0);
      playhead.pace = data.speed;
      playhead.play();
    } else if (!request.shown) playhead?.pause();
    setData(root, "shown", request.shown);
    await drawWhenLoaded();
  } else if (request.call === "seek" && playhead && film) {
    applyData(request.data, true);
    setData(root, "shown", request.shown);
    const { begin, end, outline } = await film;
    await playhead.seekTime(Math.min((outline.hands[data.hand]?.at_ms ?? begin) + request.passed, end));
    await drawWhenLoaded();
  }
  return request.call === "open" ? { live: !film } : undefined;
}

/** @param {MessagePort} port @param {Request} request */
async function reply(port, request) {
  const { number } = request;
  try {
    port.postMessage({ number, about: await carryOut(request) });
  } catch (error) {
    port.postMessage({ number, error: error instanceof Error ? error.message : String(error) });
  }
}

// Requests are carried out one after another. Otherwise a graphic would play on if it was stopped during its start.
addEventListener("message", ({ source, ports: [port] }) => {
  if (source !== parent || !port) return;
  let last = Promise.resolve();
  port.onmessage = ({ data: request }) => {
    last = last.then(() => reply(port, request));
  };
});
