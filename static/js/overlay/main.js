/**
 * The entry point of the pages that show a tournament in OBS (the overlay) and on a projector.
 */

import { el } from "../common/dom.js";
import { parseSettings } from "../common/settings.js";
import { startPageReports } from "./page-report.js";
import { Screen } from "./screen.js";
import { Store } from "./store.js";
import { connectToShow, outageReporter } from "./transport.js";

performance.mark("highnoon:script");

const page = document.documentElement;
const prefersReducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
const uprightQuery = matchMedia("(max-aspect-ratio: 3/4)");
const readSettings = () =>
  parseSettings(location.search, prefersReducedMotion, page.className === "opaque" && uprightQuery.matches);
const settings = readSettings();
uprightQuery.onchange = () => readSettings().shape === settings.shape || location.reload();
const { theme, deck, motion, shape } = settings;
Object.assign(page.dataset, { theme, deck, motion, shape });
if (settings.safe) page.dataset.safe = "yes";
if (settings.layers.length) page.dataset.layers = settings.layers.join(" ");

const screen = new Screen(document.body, settings, () => store);
const store = new Store((change) => screen.applyChange(change));
const absenceNote = el("absent");
document.body.append(absenceNote);
const reportConnection = outageReporter((isLost) => screen.setOffline(isLost));
const connection = connectToShow(settings.channel, {
  position: () => ({ seq: store.state.seq, epoch: store.epoch }),
  welcome: (message) => {
    performance.mark("highnoon:welcome");
    absenceNote.textContent = "";
    store.welcome(message);
  },
  snapshot: (message) => store.snapshot(message),
  entry: (message) => store.entry(message),
  absent: (why) => {
    if (!store.epoch) absenceNote.textContent = why;
  },
  connected: (up) => {
    page.dataset.wire = up ? "up" : "down";
    reportConnection(up);
  },
});
screen.schedule();
startPageReports(settings, screen, () => store.state.seq);

if (settings.debug) {
  Object.assign(window, {
    highnoon: {
      state: () => store.state,
      epoch: () => store.epoch,
      speed: () => store.speed,
      level: () => screen.sounds.level(),
      frames: () => screen.frames,
      drop: () => connection.drop(),
    },
  });
}
