/**
 * The desk's lists: status lights, bots, pages and the log. Their rows stay in place, so that nothing jumps under a
 * finger.
 *
 * @import { Row } from "../lists/rows.js"
 * @import { Controls, Desk, Light, LogLine, Page } from "./socket.js"
 * @typedef {(what: "set" | "undo" | "page", request: object) => void} AskDesk
 * @typedef {{ bot: number, name: string, light: Light | undefined, controls: Controls }} DeskBot
 */

import { button, byId, el, setData, setText } from "../common/dom.js";
import { makeRowList } from "../lists/rows.js";
import { timeWithSeconds } from "./words.js";

/** A word for each colour, for operators who cannot see colours. */
const COLOUR_WORDS = { green: "fine", yellow: "look", red: "act", grey: "off" };

/** The switches of a bot, each with the labels of its button and the words of its tooltip. */
const BOT_SWITCHES = /** @type {const} */ ([
  { control: "chat", list: "chat_off", shown: "Chat", off: "Muted", stop: "Mute", what: "chat" },
  { control: "media", list: "media_off", shown: "Media", off: "Hidden", stop: "Hide", what: "pictures and sound" },
]);

/**
 * The four lists of the page. A light's `of` names what the light is about: a bot, or a part of the program.
 *
 * @param {AskDesk} request
 * @returns {(desk: Desk, canControl: boolean) => void} draws the lists; `canControl`: whether buttons work
 */
export function deskLists(request) {
  const showLights = makeRowList(byId("lights"), (/** @type {Light} */ { of }) => of, lightRow);
  const showBots = makeRowList(
    byId("bots"),
    (/** @type {DeskBot} */ { bot }) => bot,
    (bot) => botRow(bot, request),
  );
  const showPages = makeRowList(
    byId("pages"),
    (/** @type {Page} */ { id }) => id,
    (page) => pageRow(page, request),
  );
  const showLog = makeRowList(
    byId("log"),
    (/** @type {LogLine} */ line) => `${line.number} ${line.at} ${line.words}`,
    (line) => logRow(line, request),
  );
  return (desk, canControl) => {
    showLights(desk.lights.filter(({ bot }) => !bot));
    const lightOf = (/** @type {number} */ bot) => desk.lights.find((each) => each.bot === bot);
    showBots(desk.bots.map(({ bot, name }) => ({ bot, name, light: lightOf(bot), controls: desk.controls })));
    showPages(desk.pages);
    showLog(desk.log);
    for (const each of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("li button.small")))
      each.disabled = !canControl;
  };
}

/** @returns {Row<Light>} */
function lightRow() {
  const [name, words, tag] = [el("b.of"), el("span.words"), el("span.tag")];
  const [log, printed] = [el("details.printed", el("summary.", "What it printed")), el("pre.")];
  log.append(printed);
  const root = el("li.light", tag, el("span.text", name, " ", words, log));
  return {
    root,
    update: (light) => {
      setText(name, light.of);
      setText(words, light.words);
      setText(tag, light.bot && light.colour === "grey" ? "out" : COLOUR_WORDS[light.colour]);
      setText(printed, light.log);
      log.hidden = !light.log;
      setData(root, "colour", light.colour);
    },
  };
}

/** @type {(bot: DeskBot, request: AskDesk) => Row<DeskBot>} */
function botRow({ bot }, request) {
  const light = lightRow();
  const choices = BOT_SWITCHES.map(({ control, list, ...words }) => {
    let shown = true;
    const root = button("small", () => request("set", { control, value: !shown, bot }));
    const update = (/** @type {DeskBot} */ { name, controls }) => {
      shown = !controls[list].includes(bot);
      setText(root, shown ? words.shown : words.off);
      root.setAttribute("aria-pressed", String(!shown));
      root.title = `${shown ? words.stop : "Allow"} the ${words.what} of ${name}`;
    };
    return { root, update };
  });
  light.root.append(el("choices", ...choices.map(({ root }) => root)));
  setData(light.root, "bot", bot);
  return {
    root: light.root,
    update: (now) => {
      light.update(now.light ?? { of: now.name, colour: "grey", words: "nothing known", bot: 0, log: "" });
      for (const choice of choices) choice.update(now);
    },
  };
}

/** @type {(page: Page, request: AskDesk) => Row<Page>} */
function pageRow({ id }, request) {
  const words = el("span.words");
  const reload = button("small", () => request("page", { page: id, order: "reload" }), "Reload");
  const sound = button("small", () => request("page", { page: id, order: "sound" }), "Test sound");
  return {
    root: el("li.page", words, el("choices", reload, sound)),
    update: (page) => {
      setText(words, pageWords(page));
      sound.hidden = page.sound === "off";
    },
  };
}

/** @type {(line: LogLine, request: AskDesk) => Row<LogLine>} */
function logRow({ number }, request) {
  const [time, who, words] = [el("time.time"), el("b.who"), el("span.words")];
  const undo = button("small", () => request("undo", { number }), "Undo");
  const root = el("li.line", time, el("span.text", who, " ", words), undo);
  return {
    root,
    update: (line) => {
      setText(time, timeWithSeconds(line.at));
      setText(who, line.operator || "somebody");
      setText(words, (line.undoing ? "undo: " : "") + line.words);
      setData(root, "undone", line.undone);
      undo.hidden = !line.can_undo;
    },
  };
}

/** @param {Page} page */
function pageWords({ page, obs, address, ours, frames, sound, heard, channel }) {
  const where = !ours ? `of a viewer at ${address}` : obs ? `in OBS ${obs}` : address;
  const loud = { off: "", blocked: ", sound blocked", on: heard ? ", sounding" : ", sound on" }[sound];
  return `${page}${channel === "main" ? "" : ` of ${channel}`} ${where}: ${frames} frames${loud}`;
}
