/**
 * The web component of an OGraf graphic (EBU OGraf 1.0). The page `stage.html` draws the picture in a frame, with the
 * show's scripts and style sheets. The frame keeps these apart from the scripts and style sheets of other graphics and
 * of the renderer (the program that shows the graphics). No imports from outside this folder.
 *
 * A frame works only in a page. But a renderer may load the component before putting it into a page, or may move it.
 * Requests that arrive while the component is outside a page are answered at once, and the picture follows later.
 *
 * @import { GraphicsAPI } from "ograf"
 * @import { Data } from "./data.js"
 * @typedef {Parameters<GraphicsAPI.Graphic["setActionsSchedule"]>[0]["schedule"][number]} Scheduled
 * @typedef {Parameters<GraphicsAPI.Graphic["playAction"]>[0]} PlayOptions
 * @typedef {Awaited<ReturnType<GraphicsAPI.Graphic["playAction"]>>} PlayAnswer
 * @typedef {{ shown: boolean, since: number, data: Data }} GraphicState whether the graphic is shown, since when, and its
 *   data
 * @typedef {{ live: boolean }} SourceInfo `live`: whether the picture comes from a live server, not from a film
 */

import { defaultData, readData } from "./data.js";

/** How long the frame may take to answer, in milliseconds. */
const ANSWER_TIMEOUT_MS = 30_000;
/** The maximum number of actions in a schedule. A longer schedule is refused. */
const MAX_ACTIONS = 10_000;
const OK_ANSWER = { statusCode: 200 };

/**
 * @param {string} name the name of the graphic, such as "table"
 * @returns {{ new (): HTMLElement & GraphicsAPI.Graphic }} the class of the graphic's component
 */
export function defineGraphic(name) {
  /** @implements {GraphicsAPI.Graphic} */
  class Graphic extends HTMLElement {
    /** @type {GraphicFrame | null} */
    #graphicFrame = null;
    #isLoaded = false;
    #isRealTime = true; // if false, every moment is shown `still`, that is, without animation
    /** @type {GraphicState} */
    #state = { shown: false, since: 0, data: defaultData() };
    /** @type {Scheduled[]} */
    #schedule = [];

    connectedCallback() {
      if (this.#isLoaded && !this.#graphicFrame) this.#open();
    }

    disconnectedCallback() {
      this.#close();
    }

    /** @type {GraphicsAPI.Graphic["load"]} */
    async load({ data, renderType }) {
      const read = readData(data, defaultData());
      if (typeof read === "string") return refusal(read);
      this.#close();
      this.#isLoaded = true;
      this.#isRealTime = renderType !== "non-realtime";
      this.#state = { shown: false, since: 0, data: read };
      this.#schedule = [];
      return this.isConnected ? this.#open() : OK_ANSWER;
    }

    /** @type {GraphicsAPI.Graphic["dispose"]} */
    async dispose() {
      this.#close();
      this.#isLoaded = false;
      return OK_ANSWER;
    }

    /** @type {GraphicsAPI.Graphic["updateAction"]} */
    async updateAction({ data }) {
      const read = readData(data, this.#state.data);
      if (typeof read === "string") return refusal(read);
      this.#state = { ...this.#state, data: read };
      return this.#ask("set", { data: read, still: !this.#isRealTime });
    }

    /**
     * After the last step, omits `currentStep` from the answer, as OGraf requires.
     *
     * @type {GraphicsAPI.Graphic["playAction"]}
     */
    async playAction(how = {}) {
      this.#state = stateAfterPlay(this.#state, how, 0);
      const { shown } = this.#state;
      const done = await this.#ask("show", { shown, cut: how.skipAnimation ?? false });
      return /** @type {PlayAnswer} */ (shown ? { ...done, currentStep: 0 } : done);
    }

    /** @type {GraphicsAPI.Graphic["stopAction"]} */
    async stopAction({ skipAnimation = false } = {}) {
      this.#state = { ...this.#state, shown: false };
      return this.#ask("show", { shown: false, cut: skipAnimation });
    }

    /** @type {GraphicsAPI.Graphic["customAction"]} */
    async customAction({ id }) {
      return refusal(`there is no action ${String(id).slice(0, 60)}`);
    }

    /**
     * Shows the graphic as it is at `timestamp` (in milliseconds), after all actions that are due by then.
     *
     * @type {GraphicsAPI.Graphic["goToTime"]}
     */
    async goToTime({ timestamp }) {
      if (this.#isRealTime) return refusal("the graphic was loaded for real time: load it as non-realtime");
      if (!Number.isFinite(timestamp) || timestamp < 0) return refusal("timestamp should be a number from 0 on");
      const { shown, since, data } = this.#stateAt(timestamp);
      return this.#ask("seek", { data, shown, passed: (timestamp - since) * data.speed });
    }

    /** @type {GraphicsAPI.Graphic["setActionsSchedule"]} */
    async setActionsSchedule({ schedule }) {
      if (!Array.isArray(schedule)) return refusal("schedule should be a list of actions");
      if (schedule.length > MAX_ACTIONS) return refusal(`a schedule has at most ${MAX_ACTIONS} actions`);
      const given = schedule.map(({ action }) => (action.type === "updateAction" ? action.params.data : undefined));
      const fault = given.map((data) => readData(data, defaultData())).find((read) => typeof read === "string");
      if (fault) return refusal(String(fault));
      this.#schedule = [...schedule].sort((one, other) => one.timestamp - other.timestamp);
      return OK_ANSWER;
    }

    /** @param {number} timestamp @returns {GraphicState} the state after all actions that are due by then */
    #stateAt(timestamp) {
      let state = this.#state;
      for (const { timestamp: since, action } of this.#schedule) {
        if (since > timestamp) break;
        if (action.type === "playAction") state = stateAfterPlay(state, action.params, since);
        if (action.type === "stopAction") state = { ...state, shown: false };
        const read = action.type === "updateAction" ? readData(action.params.data, state.data) : "";
        if (typeof read !== "string") state = { ...state, data: read };
      }
      return state;
    }

    /** Opens the frame, and draws the graphic in its current state. Later requests wait until this is done. */
    #open() {
      const graphicFrame = new GraphicFrame(new URL(`../../../stage.html?graphic=${name}`, import.meta.url));
      this.#graphicFrame = graphicFrame;
      this.replaceChildren(graphicFrame.frame);
      const { shown, data } = this.#state;
      const asked = [graphicFrame.ask("open", {}), graphicFrame.ask("set", { data, still: !this.#isRealTime })];
      if (shown) asked.push(graphicFrame.ask("show", { shown, cut: true }));
      return runAndAnswer(async () => {
        const [about] = await Promise.all(asked);
        if (about?.live && !this.#isRealTime) return refusal("this package shows a live server: only in real time");
        return OK_ANSWER;
      });
    }

    #close() {
      this.#graphicFrame?.close();
      this.#graphicFrame = null;
    }

    /** @param {string} call @param {Record<string, unknown>} how */
    async #ask(call, how) {
      if (!this.#isLoaded) return refusal("the graphic is not loaded");
      return runAndAnswer(async () => {
        await this.#graphicFrame?.ask(call, how);
        return OK_ANSWER;
      });
    }
  }
  return Graphic;
}

/** The frame that draws the picture, and the connection to it. */
class GraphicFrame {
  frame = document.createElement("iframe");
  #channel = new MessageChannel();
  #lastNumber = 0;
  /** @type {Map<number, (answer: { error?: string, about?: SourceInfo }) => void>} */
  #pendingAnswers = new Map();

  /** @param {URL} address */
  constructor(address) {
    this.frame.src = String(address);
    this.frame.title = "High Noon";
    this.frame.style.cssText = "position:absolute;inset:0;width:100%;height:100%;border:0;color-scheme:normal";
    const begin = () => this.frame.contentWindow?.postMessage("high noon", "*", [this.#channel.port2]);
    this.frame.addEventListener("load", begin, { once: true });
    this.#channel.port1.onmessage = ({ data }) => {
      this.#pendingAnswers.get(data.number)?.(data);
      this.#pendingAnswers.delete(data.number);
    };
  }

  /**
   * @param {string} call
   * @param {Record<string, unknown>} how
   * @returns {Promise<SourceInfo | undefined>} rejected with a sentence if the frame cannot carry out the call
   */
  ask(call, how) {
    const number = ++this.#lastNumber;
    return new Promise((done, fail) => {
      const timer = setTimeout(() => fail(new Error("the picture does not answer")), ANSWER_TIMEOUT_MS);
      this.#pendingAnswers.set(number, ({ error, about }) => {
        clearTimeout(timer);
        if (error) fail(new Error(error));
        else done(about);
      });
      this.#channel.port1.postMessage({ number, call, ...how });
    });
  }

  /** Closes the frame. Unanswered requests fail. */
  close() {
    this.#channel.port1.close();
    this.frame.remove();
    for (const settle of this.#pendingAnswers.values()) settle({ error: "the graphic was removed" });
    this.#pendingAnswers.clear();
  }
}

/**
 * Returns the state after a play action. The graphic has only step 0. Any other step hides the graphic.
 *
 * @param {GraphicState} state
 * @param {PlayOptions} how
 * @param {number} since the time of the action, in milliseconds
 * @returns {GraphicState}
 */
function stateAfterPlay(state, { delta = 1, goto }, since) {
  const step = goto ?? (state.shown ? 0 : -1) + delta;
  return step === 0 ? { ...state, shown: true, since } : { ...state, shown: false };
}

/** @param {string} statusMessage */
function refusal(statusMessage) {
  return { statusCode: 400, statusMessage };
}

/** @param {() => Promise<{ statusCode: number, statusMessage?: string }>} work */
async function runAndAnswer(work) {
  try {
    return await work();
  } catch (error) {
    return { statusCode: 500, statusMessage: error instanceof Error ? error.message : String(error) };
  }
}
