/**
 * The web component of an OGraf graphic (EBU OGraf 1.0). The page `stage.html` draws the picture in a frame, with the
 * show's scripts and style sheets. The frame keeps these apart from the scripts and style sheets of the renderer and of
 * other graphics. No imports from outside this folder.
 *
 * @import { GraphicsAPI } from "ograf"
 * @import { Data } from "./data.js"
 * @typedef {Parameters<GraphicsAPI.Graphic["setActionsSchedule"]>[0]["schedule"][number]} Scheduled
 * @typedef {{ shown: boolean, since: number, data: Data }} Standing whether the graphic is shown, since when, and its
 *   data
 * @typedef {{ live: boolean }} About
 */

import { readData, standardData } from "./data.js";

/** How long the frame may take to answer, in milliseconds. */
const PATIENCE_MS = 30_000;
/** The most actions in a schedule. */
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
    #realtime = true;
    /** @type {Standing} */
    #standing = { shown: false, since: 0, data: standardData() };
    /** @type {Scheduled[]} */
    #schedule = [];

    /** @type {GraphicsAPI.Graphic["load"]} */
    async load({ data, renderType }) {
      const read = readData(data, standardData());
      if (typeof read === "string") return refused(read);
      this.#realtime = renderType !== "non-realtime";
      this.#standing = { shown: false, since: 0, data: read };
      this.#schedule = [];
      this.#stage?.close();
      const stage = new Stage(new URL(`../../../stage.html?graphic=${name}`, import.meta.url));
      this.#stage = stage;
      this.replaceChildren(stage.frame);
      return answer(async () => {
        const about = await stage.open();
        if (about.live && !this.#realtime) return refused("this package shows a live server: only in real time");
        await stage.ask("set", { data: read, still: !this.#realtime });
        return DONE;
      });
    }

    /** @type {GraphicsAPI.Graphic["dispose"]} */
    async dispose() {
      this.#stage?.close();
      this.#stage = null;
      this.replaceChildren();
      return DONE;
    }

    /** @type {GraphicsAPI.Graphic["updateAction"]} */
    async updateAction({ data }) {
      const read = readData(data, this.#standing.data);
      if (typeof read === "string") return refused(read);
      this.#standing = { ...this.#standing, data: read };
      return answer(() => this.#ask("set", { data: read, still: !this.#realtime }));
    }

    /** The graphic has one step. @type {GraphicsAPI.Graphic["playAction"]} */
    async playAction({ delta = 1, goto, skipAnimation = false }) {
      const step = goto ?? (this.#standing.shown ? 0 : -1) + delta;
      if (step !== 0) return { ...(await this.#hide(skipAnimation)), currentStep: -1 };
      this.#standing = { ...this.#standing, shown: true, since: 0 };
      return { ...(await answer(() => this.#ask("show", { shown: true, cut: skipAnimation }))), currentStep: 0 };
    }

    /** @type {GraphicsAPI.Graphic["stopAction"]} */
    async stopAction({ skipAnimation = false }) {
      return this.#hide(skipAnimation);
    }

    /** @type {GraphicsAPI.Graphic["customAction"]} */
    async customAction({ id }) {
      return refused(`there is no action ${String(id).slice(0, 60)}`);
    }

    /** Shows the moment of the recording after `timestamp` milliseconds. @type {GraphicsAPI.Graphic["goToTime"]} */
    async goToTime({ timestamp }) {
      if (this.#realtime) return refused("it was loaded for real time: load it with the render type non-realtime");
      if (!Number.isFinite(timestamp) || timestamp < 0) return refused("timestamp should be a number from 0 on");
      const { shown, since, data } = this.#standingAt(timestamp);
      return answer(() => this.#ask("seek", { data, shown, passed: (timestamp - since) * data.speed }));
    }

    /** @type {GraphicsAPI.Graphic["setActionsSchedule"]} */
    async setActionsSchedule({ schedule }) {
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
        if (action.type === "playAction") standing = { ...standing, shown: true, since };
        if (action.type === "stopAction") standing = { ...standing, shown: false };
        const read = action.type === "updateAction" ? readData(action.params.data, standing.data) : "";
        if (typeof read !== "string") standing = { ...standing, data: read };
      }
      return standing;
    }

    /** @param {boolean} cut */
    #hide(cut) {
      this.#standing = { ...this.#standing, shown: false };
      return answer(() => this.#ask("show", { shown: false, cut }));
    }

    /** @param {string} call @param {Record<string, unknown>} how */
    async #ask(call, how) {
      if (!this.#stage) return refused("it is not loaded");
      await this.#stage.ask(call, how);
      return DONE;
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
    this.#channel.port1.onmessage = ({ data }) => {
      this.#asked.get(data.number)?.(data);
      this.#asked.delete(data.number);
    };
  }

  /** Waits until the frame can draw. @returns {Promise<About>} */
  async open() {
    await new Promise((done) => this.frame.addEventListener("load", done, { once: true }));
    this.frame.contentWindow?.postMessage("high noon", "*", [this.#channel.port2]);
    return (await this.ask("open", {})) ?? { live: false };
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

  close() {
    this.#channel.port1.close();
    this.frame.remove();
  }
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
