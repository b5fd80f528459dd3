/**
 * The entry point of the commentators' page: joins the show's connection, the hand that is on, and the standings.
 */

import { byId, mark, write } from "../common/dom.js";
import { whereabouts } from "../common/format.js";
import { Store } from "../overlay/store.js";
import { follow } from "../overlay/transport.js";
import { Now } from "./now.js";
import { Ranks } from "./ranks.js";

const now = new Now();
const ranks = new Ranks();
const store = new Store(({ after }) => {
  write(byId("where"), whereabouts(after));
  now.update(after);
  ranks.update(after);
});

follow("main", {
  position: () => ({ seq: store.state.seq, epoch: store.epoch }),
  welcome: (message) => store.welcome(message),
  snapshot: (message) => store.snapshot(message),
  entry: (message) => store.entry(message),
  absent: (why) => write(byId("where"), why || "No show is on."),
  connected: (up) => {
    mark(document.body, "wire", up ? "up" : "down");
    if (!up && store.epoch) write(byId("where"), "No connection to the show. Trying again by itself…");
    else if (up) write(byId("where"), whereabouts(store.state));
  },
});
