/**
 * The front door of the pages: settings, store, stage and wire, joined.
 */

import { settingsOf } from "./settings.js";
import { Stage } from "./stage.js";
import { Store } from "./store.js";
import { follow } from "./transport.js";

performance.mark("highnoon:script");

const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
const settings = settingsOf(location.search, calm);
const page = document.documentElement;
page.dataset.theme = settings.theme;
page.dataset.deck = settings.deck;
page.dataset.motion = settings.motion;
if (settings.safe) page.dataset.safe = "yes";
if (settings.layers.length) page.dataset.layers = settings.layers.join(" ");

const stage = new Stage(document.body, settings, () => store);
const store = new Store((change) => stage.changed(change));
const wire = follow(settings.channel, {
  position: () => ({ seq: store.state.seq, epoch: store.epoch }),
  welcome: (message) => {
    performance.mark("highnoon:welcome");
    store.welcome(message);
  },
  snapshot: (message) => store.snapshot(message),
  entry: (message) => store.entry(message),
  connected: (up) => {
    page.dataset.wire = up ? "up" : "down";
  },
});
stage.schedule();

if (settings.debug) {
  Object.assign(window, {
    highnoon: {
      state: () => store.state,
      epoch: () => store.epoch,
      level: () => stage.sounds.level(),
      frames: () => stage.frames,
      drop: () => wire.drop(),
    },
  });
}
