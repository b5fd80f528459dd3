/**
 * The web component of an OGraf graphic (EBU OGraf 1.0). The page `stage.html` draws the picture in a frame, with the
 * show's scripts and style sheets. The frame keeps these apart from the scripts and style sheets of the renderer and of
 * other graphics. No imports from outside this folder.
 *
 * A frame works only in a page. But a renderer may load the component before putting it into a page, or may move it.
 * Requests that arrive while the component is outside a page are answered at once, and the picture follows later.
 *
 * @import { GraphicsAPI } from "ograf"
 * @import { Data } from "./data.js"
 * @typedef {Parameters<GraphicsAPI.Graphic["setActionsSchedule"]>[0]["schedule"][number]} Scheduled
 * @typedef {Parameters<GraphicsAPI.Graphic["playAction"]>[0]} Play
 * @typedef {Awaited<ReturnType<GraphicsAPI.Graphic["playAction"]>>} Played
 * @typedef {{ shown: boolean, since: number, data: Data }} Standing whether the graphic is shown, since when, and its
 *   data
 * @typedef {{ live: boolean }} About
 */

import { readData, standardData } from "./data.js";

/** How long the frame may take to answer, in milliseconds. */
const PATIENCE_MS = 30_000;
/** The maximum number of actions in a schedule; a longer schedule is refused. */
const MAX_ACTIONS = 10_000;
const DONE = { statusCode: 200 };

/**
 * @param {string} name of the graphic: "table"
 * @returns {{ new (): HTMLElement & GraphicsAPI.Graphic }} the class of its component
 */
export function graphicOf(name) {
  /** @implements {GraphicsAPI.Graphic} */
  class Graphic extends HTMLElement {
    /** @type {Stage | null} */
    #stage = null;
    #loaded = false;
    #realtime = true;
    /** @type {Standing} */
    #standing = { shown: false, since: 0, data: standardData() };
    /** @type {Scheduled[]} */
    #schedule = [];

    connectedCallback() {
      if (this.#loaded && !this.#stage) this.#open();
    }

    disconnectedCallback() {
      this.#close();
    }

    /** @type {GraphicsAPI.Graphic["load"]} */
    async load({ data, renderType }) {
      const read = readData(data, standardData());
      if (typeof read === "string") return refused(read);
      this.#close();
      this.#loaded = true;
      this.#realtime = renderType !== "non-realtime";
      this.#standing = { shown: false, since: 0, data: read };
      this.#schedule = [];
      return this.isConnected ? this.#open() : DONE;
    }

    /** @type {GraphicsAPI.Graphic["dispose"]} */
    async dispose() {
      this.#close();
      this.#loaded = false;
      return DONE;
    }

    /** @type {GraphicsAPI.Graphic["updateAction"]} */
    async updateAction({ data }) {
      const read = readData(data, this.#standing.data);
      if (typeof read === "string") return refused(read);
      this.#standing = { ...this.#standing, data: read };
      return this.#ask("set", { data: read, still: !this.#realtime });
    }

    /**
     * After the last step, omits `currentStep` from the answer, as OGraf requires.
     *
     * @type {GraphicsAPI.Graphic["playAction"]}
     */
    async playAction(how = {}) {
      this.#standing = played(this.#standing, how, 0);
      const { shown } = this.#standing;
      const done = await this.#ask("show", { shown, cut: how.skipAnimation ?? false });
      return /** @type {Played} */ (shown ? { ...done, currentStep: 0 } : done);
    }

    /** @type {GraphicsAPI.Graphic["stopAction"]} */
    async stopAction({ skipAnimation = false } = {}) {
      this.#standing = { ...this.#standing, shown: false };
      return this.#ask("show", { shown: false, cut: skipAnimation });
    }

    /** @type {GraphicsAPI.Graphic["customAction"]} */
    async customAction({ id }) {
      return refused(`there is no action ${String(id).slice(0, 60)}`);
    }

    /** Shows the moment of the recording after `timestamp` milliseconds. @type {GraphicsAPI.Graphic["goToTime"]} */
    async goToTime({ timestamp }) {
      if (this.#realtime) return refused("the graphic was loaded for real time: load it as non-realtime");
      if (!Number.isFinite(timestamp) || timestamp < 0) return refused("timestamp should be a number from 0 on");
      const { shown, since, data } = this.#standingAt(timestamp);
      return this.#ask("seek", { data, shown, passed: (timestamp - since) * data.speed });
    }

    /** @type {GraphicsAPI.Graphic["setActionsSchedule"]} */
    async setActionsSchedule({ schedule }) {
      if (!Array.isArray(schedule)) return refused("schedule should be a list of actions");
      if (schedule.length > MAX_ACTIONS) return refused(`a schedule has at most ${MAX_ACTIONS} actions`);
      const given = schedule.map(({ action }) => (action.type === "updateAction" ? action.params.data : undefined));
      const fault = given.map((data) => readData(data, standardData())).find((read) => typeof read === "string");
      if (fault) return refused(String(fault));
      this.#schedule = [...schedule].sort((one, other) => one.timestamp - other.timestamp);
      return DONE;
    }

    /** @param {number} timestamp @returns {Standing} after the actions that are due */
    #standingAt(timestamp) {
      let standing = this.#standing;
      for (const { timestamp: since, action } of this.#schedule) {
        if (since > timestamp) break;
        if (action.type === "playAction") standing = played(standing, action.params, since);
        if (action.type === "stopAction") standing = { ...standing, shown: false };
        const read = action.type === "updateAction" ? readData(action.params.data, standing.data) : "";
        if (typeof read !== "string") standing = { ...standing, data: read };
      }
      return standing;
    }

    /** Opens the frame, and draws the graphic in its current state. Later requests wait until this is done. */
    #open() {
      const stage = new Stage(new URL(`../../../stage.html?graphic=${name}`, import.meta.url));
      this.#stage = stage;
      this.replaceChildren(stage.frame);
      const { shown, data } = this.#standing;
      const asked = [stage.ask("open", {}), stage.ask("set", { data, still: !this.#realtime })];
      if (shown) asked.push(stage.ask("show", { shown, cut: true }));
      return answer(async () => {
        const [about] = await Promise.all(asked);
        if (about?.live && !this.#realtime) return refused("this package shows a live server: only in real time");
        return DONE;
      });
    }

    #close() {
      this.#stage?.close();
      this.#stage = null;
    }

    /** @param {string} call @param {Record<string, unknown>} how */
    async #ask(call, how) {
      if (!this.#loaded) return refused("the graphic is not loaded");
      return answer(async () => {
        await this.#stage?.ask(call, how);
        return DONE;
      });
    }
  }
  return Graphic;
}

/** The frame that draws the picture, and the connection to it. */
class Stage {
  frame = document.createElement("iframe");
  #channel = new MessageChannel();
  #number = 0;
  /** @type {Map<number, (answer: { error?: string, about?: About }) => void>} */
  #asked = new Map();

  /** @param {URL} address */
  constructor(address) {
    this.frame.src = String(address);
    this.frame.title = "High Noon";
    this.frame.style.cssText = "position:absolute;inset:0;width:100%;height:100%;border:0;color-scheme:normal";
    const begin = () => this.frame.contentWindow?.postMessage("high noon", "*", [this.#channel.port2]);
    this.frame.addEventListener("load", begin, { once: true });
    this.#channel.port1.onmessage = ({ data }) => {
      this.#asked.get(data.number)?.(data);
      this.#asked.delete(data.number);
    };
  }

  /**
   * @param {string} call
   * @param {Record<string, unknown>} how
   * @returns {Promise<About | undefined>} rejected with a sentence if the frame cannot carry out the call
   */
  ask(call, how) {
    const number = ++this.#number;
    return new Promise((done, fail) => {
      const timer = setTimeout(() => fail(new Error("the picture does not answer")), PATIENCE_MS);
      this.#asked.set(number, ({ error, about }) => {
        clearTimeout(timer);
        if (error) fail(new Error(error));
        else done(about);
      });
      this.#channel.port1.postMessage({ number, call, ...how });
    });
  }

  /** Closes the frame. Requests that the frame has not answered yet fail. */
  close() {
    this.#channel.port1.close();
    this.frame.remove();
    for (const settle of this.#asked.values()) settle({ error: "the graphic was removed" });
    this.#asked.clear();
  }
}

/**
 * Returns the state after a play action. The graphic has one step, number 0. After step 0, it ends.
 *
 * @param {Standing} standing
 * @param {Play} how
 * @param {number} since the time of the action, in milliseconds
 * @returns {Standing}
 */
function played(standing, { delta = 1, goto }, since) {
  const step = goto ?? (standing.shown ? 0 : -1) + delta;
  return step === 0 ? { ...standing, shown: true, since } : { ...standing, shown: false };
}

/** @param {string} statusMessage */
function refused(statusMessage) {
  return { statusCode: 400, statusMessage };
}

/** @param {() => Promise<{ statusCode: number, statusMessage?: string }>} work */
async function answer(work) {
  try {
    return await work();
  } catch (error) {
    return { statusCode: 500, statusMessage: error instanceof Error ? error.message : String(error) };
  }
}
