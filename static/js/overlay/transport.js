/**
 * Connects a page to the show by one WebSocket, and again whenever the connection is lost. Also decides how soon the
 * page reports an outage. The show's entries are numbered without gaps. Independent of poker and of the DOM.
 *
 * @import { Entry, Heartbeat, Snapshot, Welcome } from "../common/types.js"
 * @typedef {{
 *   position: () => { seq: number, epoch: string },
 *   welcome: (message: Welcome) => void,
 *   snapshot: (message: Snapshot) => void,
 *   entry: (message: Entry) => "next" | "old" | "gap",
 *   connected: (up: boolean, silentMs?: number) => void,
 *   absent: (why: string) => void,
 * }} Listener `position`: the number of the page's last entry, and the id of the show's run (the epoch);
 *   `silentMs`: for how long the server has not answered, if the connection is lost; `absent` is called if there is
 *   no such channel
 */

import { fromRoot } from "../common/addresses.js";

/** The pauses before the attempts to reconnect. The last pause repeats. */
const RETRY_DELAYS_MS = [100, 250, 500, 1000, 2000, 3000];
const OPENING_TIMEOUT_MS = 8000;
/**
 * A connection without a message for this long is dead, because the server sends something every two or three seconds.
 */
const SILENCE_MS = 5000;
/** The page shows an outage when the connection has been lost for this long. */
const OUTAGE_MS = 4000;
/** The close code for an unknown channel. The close reason is empty if the channel may still open. */
const CLOSE_NO_CHANNEL = 4404;

/**
 * Follows the show of `channel` until the page is closed.
 *
 * @param {string} channel
 * @param {Listener} listener
 * @param {string} path of the WebSocket; pages of other sites may use only the API's WebSocket
 * @returns {{ drop: () => void, again: () => void }} `drop` ends the connection as a broken network would; `again`
 *   replaces the connection, whatever its state
 */
export function connectToShow(channel, listener, path = "ws/show") {
  let attempts = 0;
  /** @type {WebSocket | null} */
  let socket = null;
  /** The timer of the next attempt, or of the silence that ends the connection. */
  let timer = 0;

  function connect() {
    const address = new URL(fromRoot(path), location.href);
    const { seq, epoch } = listener.position();
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.search = String(new URLSearchParams({ channel, after: String(seq), epoch }));
    const current = new WebSocket(address);
    socket = current;
    restartSilenceTimer(OPENING_TIMEOUT_MS);
    current.onopen = () => current === socket && restartSilenceTimer(SILENCE_MS);
    current.onmessage = (event) => {
      if (current !== socket) return;
      restartSilenceTimer(SILENCE_MS);
      receive(current, String(event.data));
    };
    current.onclose = ({ code, reason }) => {
      if (current !== socket) return;
      if (code === CLOSE_NO_CHANNEL) listener.absent(reason);
      reconnect();
    };
  }

  /**
   * @param {number} ms of silence after which the page gives up the connection, because a lost connection may never
   *   report its end
   */
  function restartSilenceTimer(ms) {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const silent = socket;
      reconnect();
      silent?.close();
    }, ms);
  }

  function reconnect() {
    clearTimeout(timer);
    socket = null;
    listener.connected(false);
    const wait = RETRY_DELAYS_MS[Math.min(attempts, RETRY_DELAYS_MS.length - 1)] ?? 1000;
    attempts += 1;
    timer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
  }

  /** @type {(current: WebSocket, text: string) => void} */
  function receive(current, text) {
    /** @type {Welcome | Snapshot | Heartbeat | Entry} */
    const message = JSON.parse(text);
    if (message.type === "heartbeat") return;
    if (message.type === "welcome") {
      attempts = 0;
      listener.welcome(message);
      listener.connected(true);
    } else if (message.type === "snapshot") listener.snapshot(message);
    else if (listener.entry(message) === "gap") current.close();
  }

  connect();
  return {
    drop: () => {
      if (socket?.readyState === WebSocket.OPEN) socket.close();
    },
    again: () => {
      clearTimeout(timer);
      const former = socket;
      connect();
      former?.close();
    },
  };
}

/**
 * @param {(lost: boolean) => void} report called with true when a working connection has been lost for a few seconds,
 *   and with false when the page is connected again
 * @returns {(up: boolean, silentMs?: number) => void} for `Listener.connected`
 */
export function outageReporter(report) {
  let [wasUp, timer] = [false, 0];
  return (up, silentMs = 0) => {
    if (up) {
      clearTimeout(timer);
      [wasUp, timer] = [true, 0];
      report(false);
    } else if (wasUp) timer ||= setTimeout(() => report(true), OUTAGE_MS - silentMs);
  };
}
