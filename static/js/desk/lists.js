/**
 * The desk's lists: lights, bots, pages and the log. Rows are kept and changed, so that nothing jumps under a finger.
 *
 * @import { Desk, Light, Line, Page } from "./socket.js"
 * @typedef {(what: "set" | "undo" | "page", request: object) => void} AskDesk
 */

import { el, mark, write } from "../common/dom.js";
import { moment } from "./words.js";

/** The word beside each colour, for those who cannot see colours. */
const TAGS = { green: "fine", yellow: "look", red: "act", grey: "off" };

/** A list whose rows are made once for each name. @template Item */
class Rows {
  #list;
  #make;
  /** @type {Map<string, (item: Item) => void>} */
  #rows = new Map();
  #order = "";

  /**
   * @param {string} id
   * @param {() => { row: HTMLElement, show: (item: Item) => void }} make
   */
  constructor(id, make) {
    this.#list = /** @type {HTMLElement} */ (document.getElementById(id));
    this.#make = make;
  }

  /** @param {[string, Item][]} items by name */
  update(items) {
    const order = items.map(([name]) => name).join("\n");
    if (order !== this.#order) this.#renew(items);
    this.#order = order;
    for (const [name, item] of items) this.#rows.get(name)?.(item);
  }

  /** @param {[string, Item][]} items */
  #renew(items) {
    const made = items.map(([name]) => ({ name, ...this.#make() }));
    this.#rows = new Map(made.map(({ name, show }) => [name, show]));
    this.#list.replaceChildren(...made.map(({ row }) => row));
  }
}

/** The four lists of the page. */
export class Lists {
  #request;
  #able = false;
  /** @type {Rows<Light>} */
  #lights = new Rows("lights", () => lightRow());
  /** @type {Rows<{ bot: number, name: string, desk: Desk }>} */
  #bots = new Rows("bots", () => this.#botRow());
  /** @type {Rows<Page>} */
  #pages = new Rows("pages", () => this.#pageRow());
  /** @type {Rows<Line>} */
  #log = new Rows("log", () => this.#logRow());

  /** @param {AskDesk} request */
  constructor(request) {
    this.#request = request;
  }

  /**
   * @param {Desk} desk
   * @param {boolean} able whether anything may be changed
   */
  update(desk, able) {
    this.#able = able;
    this.#lights.update(desk.lights.filter(({ bot }) => !bot).map((light) => [light.of, light]));
    this.#bots.update(desk.bots.map((bot) => [String(bot.bot), { ...bot, desk }]));
    this.#pages.update(desk.pages.map((page) => [page.id, page]));
    this.#log.update(desk.log.map((line) => [`${line.number} ${line.at} ${line.words}`, line]));
  }

  /** @param {number} bot whose row is to be seen */
  reveal(bot) {
    document.querySelector(`#bots [data-bot="${bot}"]`)?.scrollIntoView({ block: "center" });
  }

  #botRow() {
    const light = lightRow();
    const [chat, media] = [this.#button("Chat"), this.#button("Media")];
    light.row.append(el("choices", chat, media));
    return {
      row: light.row,
      show: (/** @type {{ bot: number, name: string, desk: Desk }} */ { bot, name, desk }) => {
        const own = desk.lights.find((each) => each.bot === bot);
        mark(light.row, "bot", String(bot));
        light.show(own ?? { of: name, colour: "grey", words: "nothing known", bot, log: "" });
        this.#choice(chat, "chat", bot, !desk.controls.chat_off.includes(bot), `chat of ${name}`);
        this.#choice(media, "media", bot, !desk.controls.media_off.includes(bot), `pictures and sound of ${name}`);
      },
    };
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {"chat" | "media"} control
   * @param {number} bot
   * @param {boolean} shown
   * @param {string} label
   */
  #choice(button, control, bot, shown, label) {
    const words = control === "chat" ? (shown ? "Chat" : "Muted") : shown ? "Media" : "Hidden";
    write(button, words);
    button.setAttribute("aria-pressed", String(!shown));
    button.title = `${shown ? (control === "chat" ? "Mute the" : "Hide the") : "Allow the"} ${label}`;
    button.disabled = !this.#able;
    button.onclick = () => this.#request("set", { control, value: !shown, bot });
  }

  #pageRow() {
    const words = el("span.words");
    const [reload, sound] = [this.#button("Reload"), this.#button("Test sound")];
    return {
      row: el("li.page", words, el("choices", reload, sound)),
      show: (/** @type {Page} */ page) => {
        write(words, pageWords(page));
        for (const button of [reload, sound]) button.disabled = !this.#able;
        sound.hidden = page.sound === "off";
        reload.onclick = () => this.#request("page", { page: page.id, order: "reload" });
        sound.onclick = () => this.#request("page", { page: page.id, order: "sound" });
      },
    };
  }

  #logRow() {
    const [time, who, words] = [el("time.time"), el("b.who"), el("span.words")];
    const undo = this.#button("Undo");
    const row = el("li.line", time, el("span.text", who, " ", words), undo);
    return {
      row,
      show: (/** @type {Line} */ line) => {
        write(time, moment(line.at));
        write(who, line.operator || "somebody");
        write(words, (line.undoing ? "undo: " : "") + line.words);
        mark(row, "undone", line.undone);
        undo.hidden = !line.can_undo;
        undo.disabled = !this.#able;
        undo.onclick = () => this.#request("undo", { number: line.number });
      },
    };
  }

  /** @param {string} words */
  #button(words) {
    const button = /** @type {HTMLButtonElement} */ (el("button.small", words));
    button.type = "button";
    return button;
  }
}

function lightRow() {
  const [name, words, tag] = [el("b.of"), el("span.words"), el("span.tag")];
  const [log, printed] = [el("details.printed", el("summary.", "What it printed")), el("pre.")];
  log.append(printed);
  const row = el("li.light", tag, el("span.text", name, " ", words, log));
  return {
    row,
    show: (/** @type {Light} */ light) => {
      write(name, light.of);
      write(words, light.words);
      write(tag, light.bot && light.colour === "grey" ? "out" : TAGS[light.colour]);
      write(printed, light.log);
      log.hidden = !light.log;
      mark(row, "colour", light.colour);
    },
  };
}

/** @param {Page} page */
function pageWords({ page, obs, address, ours, frames, sound, heard, channel }) {
  const where = !ours ? `of a viewer at ${address}` : obs ? `in OBS ${obs}` : address;
  const loud = { off: "", blocked: ", sound blocked", on: heard ? ", sounding" : ", sound on" }[sound];
  return `${page}${channel === "main" ? "" : ` of ${channel}`} ${where}: ${frames} frames${loud}`;
}
