/**
 * The connection to the show: one WebSocket, entries numbered without a gap, a new attempt whenever it is lost. Knows
 * no poker and no DOM.
 *
 * @import { Entry, Snapshot, Welcome } from "../common/types.js"
 * @typedef {{
 *   position: () => { seq: number, epoch: string },
 *   welcome: (message: Welcome) => void,
 *   snapshot: (message: Snapshot) => void,
 *   entry: (message: Entry) => "next" | "old" | "gap",
 *   connected: (up: boolean) => void,
 *   absent: (why: string) => void,
 * }} Listener
 */

import { fromRoot } from "../common/addresses.js";

/** Waits before the next attempt, in milliseconds; the last one is kept for all further attempts. */
const WAITS_MS = [100, 250, 500, 1000, 2000, 3000];
/** A connection that has not opened after this long is given up. */
const OPENING_MS = 8000;
/** The close code where there is no such channel. The reason is empty if the channel may still be opened. */
const NO_CHANNEL = 4404;

/**
 * Follows the show of `channel` until the page is closed.
 *
 * @param {string} channel
 * @param {Listener} listener
 * @returns {{ drop: () => void, again: () => void }} `drop` cuts the connection as a broken network would; `again`
 *   leaves it, however it is, for a new one
 */
export function follow(channel, listener) {
  let attempts = 0;
  /** @type {WebSocket | null} */
  let socket = null;
  let waiting = 0;

  function connect() {
    clearTimeout(waiting);
    const current = new WebSocket(addressOf(channel, listener.position()));
    socket = current;
    const timer = setTimeout(() => current.close(), OPENING_MS);
    current.onopen = () => clearTimeout(timer);
    current.onmessage = (event) => {
      if (current === socket) receive(current, String(event.data));
    };
    current.onclose = ({ code, reason }) => {
      clearTimeout(timer);
      if (current !== socket) return;
      if (code === NO_CHANNEL) listener.absent(reason);
      again();
    };
  }

  function again() {
    socket = null;
    listener.connected(false);
    const wait = WAITS_MS[Math.min(attempts, WAITS_MS.length - 1)] ?? 1000;
    attempts += 1;
    waiting = setTimeout(connect, wait * (0.75 + Math.random() / 2));
  }

  /**
   * @param {WebSocket} current
   * @param {string} text
   */
  function receive(current, text) {
    /** @type {Welcome | Snapshot | Entry} */
    const message = JSON.parse(text);
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
      const former = socket;
      connect();
      former?.close();
    },
  };
}

/**
 * @param {string} channel
 * @param {{ seq: number, epoch: string }} position
 */
function addressOf(channel, position) {
  const address = new URL(fromRoot("ws/show"), location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.searchParams.set("channel", channel);
  address.searchParams.set("after", String(position.seq));
  address.searchParams.set("epoch", position.epoch);
  return address.href;
}
