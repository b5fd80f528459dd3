/**
 * Connects the operator's desk and the commentators' booth to the server. A WebSocket sends the whole state whenever
 * the state changes. Requests go by POST.
 *
 * @typedef {{ started: boolean, paused: boolean, held: boolean, speed: number, governed: boolean, card: string,
 *   graphics: boolean, sound: boolean, stage_end: boolean, unseen: boolean, view: string, thoughts: boolean,
 *   chat_off: number[], media_off: number[] }} Controls `held`: the show pauses after the hand or leaderboard on air;
 *   `governed`: the show adapts its speed to end on time; `stage_end`: the stage ends after this hand; `unseen`: the
 *   table plays on while nobody shows the hands
 * @typedef {{ scene: string, doing: string, hands_shown: number, hands_ahead: number, eta_s: number, pace: number,
 *   governor: number, waiting: string, timed: boolean, is_over: boolean }} ShowStatus `pace`: the pace that viewers
 *   see; `governor`: the factor by which the operator's speed is multiplied, so that the stage ends on time; `timed`:
 *   whether the stage has a deadline; `is_over`: whether viewers have seen the champion and nothing follows
 * @typedef {{ number: number, title: string, follows: string, ended: boolean }} Stage the stage on air; `ended`:
 *   whether it is over at the table
 * @typedef {{ of: string, colour: "green" | "yellow" | "red" | "grey", words: string, bot: number,
 *   log: string }} Light `of`: what the light is for; `log`: the last output of a bot whose process has ended
 * @typedef {{ id: string, page: string, channel: string, address: string, ours: boolean, obs: string, frames: number,
 *   sound: "off" | "blocked" | "on", heard: boolean }} Page a page of the show; `ours`: it reported from this machine
 *   or with a desk token; `obs`: the version of OBS in which it is open, or ""; `heard`: it plays a sound now
 * @typedef {{ number: number, at: number, operator: string, words: string, undone: boolean, undoing: boolean,
 *   can_undo: boolean }} LogLine
 * @typedef {{ name: string, right: "view" | "control", address: string }} DeskUser
 * @typedef {{ you: DeskUser, controls: Controls, status: ShowStatus, stage: Stage | null, trouble: string, notice: string,
 *   bots: { bot: number, name: string }[], lights: Light[], pages: Page[], desks: DeskUser[],
 *   undo: { number: number, words: string }, done: number, log: LogLine[] }} Desk `done`: how many
 *   changes and cues there have been
 * @typedef {"desk" | "booth"} Room
 * @typedef {{ said?: string, done?: number, error?: string }} Answer `said`: what was done; `error`: why nothing was
 *   done; `done`: how many changes and cues there have been. States with at least this number show the request's effect
 */

import { fromRoot } from "../common/addresses.js";

/** The connection counts as lost after this silence, because the server sends something at least once a second. */
const SILENCE_MS = 3500;
const RETRY_MS = 700;
const ANSWER_TIMEOUT_MS = 10_000;
/** HTTP status: the server does not accept this page's cookie. */
const FORBIDDEN = 403;
/** HTTP status: the studio (the program that makes the show) is gone. This page then reloads and asks what to do. */
const STUDIO_GONE = 503;

/** The page of each room. @type {Record<Room, string>} */
const ROOM_PAGES = { desk: "control", booth: "booth" };

/**
 * Receives the state of a room until the page is closed. Reconnects whenever the connection is lost.
 *
 * @template State
 * @param {Room} room
 * @param {() => string} getName returns the name of the page's user
 * @param {{ state: (state: State) => void, lost: (refused: boolean) => void }} listener
 * @returns {() => void} reconnects under the current name
 */
export function listenToRoom(room, getName, listener) {
  /** @type {WebSocket} */
  let socket;
  let silenceTimer = 0;

  function open() {
    const address = new URL(fromRoot(`ws/${room}`), location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("name", getName());
    const mine = new WebSocket(address);
    socket = mine;
    restartTimer();
    mine.onmessage = (event) => {
      if (mine !== socket) return;
      restartTimer();
      listener.state(JSON.parse(String(event.data)));
    };
    mine.onclose = () => {
      if (mine === socket) reconnect();
    };
  }

  function restartTimer() {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(reconnect, SILENCE_MS);
  }

  async function reconnect() {
    clearTimeout(silenceTimer);
    const lostSocket = socket;
    lostSocket.onmessage = lostSocket.onclose = null;
    lostSocket.close();
    listener.lost(false);
    // A failed WebSocket gives no reason, but the HTTP status of the room's page does.
    const options = { method: "HEAD", signal: AbortSignal.timeout(SILENCE_MS) };
    const status = await fetch(fromRoot(ROOM_PAGES[room]), options).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === STUDIO_GONE) location.reload();
    if (status === FORBIDDEN) listener.lost(true);
    setTimeout(open, RETRY_MS);
  }

  open();
  return () => {
    socket.onclose = null;
    socket.close();
    open();
  };
}

/**
 * @param {Room | "setup"} room
 * @param {string} what the last part of the address: "set", "note"
 * @param {object} request
 * @param {number} [timeoutMs] how long to wait for the answer
 * @returns {Promise<Answer>}
 */
export async function postRequest(room, what, request, timeoutMs = ANSWER_TIMEOUT_MS) {
  try {
    const answer = await fetch(fromRoot(`api/${room}/${what}`), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await answer.json();
  } catch {
    return { error: "the server did not answer; check what is on air before you try again" };
  }
}
