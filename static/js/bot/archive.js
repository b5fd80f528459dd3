/**
 * A bot's page on a published site (files without a server of their own) lists the recordings in which the bot played.
 * Visitors who want results also see the bot's latest result. Without a known bot, the page lists all bots.
 *
 * @typedef {{ name: string, title: string, begun: string, played: string }} Recording `played`: what was played
 * @typedef {{ name: string, player: string, avatar: string, version: string,
 *   played: [recording: number, place: number][] }} KnownBot `played`: the bot's recordings, the latest first
 */

import { fromRoot, replayAddress } from "../common/addresses.js";
import { byId, el, link, setText, showFace } from "../common/dom.js";
import { linkToBot } from "../common/followed.js";
import { reduce } from "../overlay/reducer.js";
import { fetchJson } from "../replay/film/fetched.js";
import { Film } from "../replay/film/film.js";
import { BotPage } from "./page.js";

/** The recordings of a site, and one bot's part in them. */
export class BotArchive {
  #bot;
  #recordings;
  #bots;
  #knownBot;
  #showsResults = new URLSearchParams(location.search).get("results") === "shown";

  /**
   * @param {string} bot the bot's name
   * @param {Recording[]} recordings
   * @param {KnownBot[]} bots
   */
  constructor(bot, recordings, bots) {
    this.#bot = bot;
    this.#recordings = recordings;
    this.#bots = bots;
    this.#knownBot = bots.find(({ name }) => name === bot);
  }

  /** Loads the archive. The archive is empty if the host has no list of bots. @param {string} bot */
  static async open(bot) {
    const none = { recordings: [], bots: [] };
    const { recordings, bots } = await fetchJson(fromRoot("bots/bots.json"), "no-cache").catch(() => none);
    return new BotArchive(bot, recordings, bots);
  }

  /** @param {string[]} onAir the names of the bots on air */
  draw(onAir) {
    const known = this.#knownBot;
    const isBotKnown = this.#bot !== "" && (known !== undefined || onAir.includes(this.#bot));
    document.title = `${isBotKnown ? this.#bot : "Bots"}: High Noon`;
    byId("top").hidden = !isBotKnown;
    byId("played-box").hidden = !(isBotKnown && known);
    if (isBotKnown) this.#drawPlayed(known?.played ?? []);
    else this.#drawAll(onAir);
  }

  /** Draws the page when no show is on. Only visitors who want results see the bot's latest result. */
  async drawCareer() {
    this.draw([]);
    const known = this.#knownBot;
    const latest = this.#recordings[known?.played[0]?.[0] ?? -1];
    if (!known || !latest) return;
    byId("live").hidden = false;
    byId("tell").hidden = true;
    showFace(/** @type {HTMLImageElement} */ (byId("face")), known);
    setText(byId("player"), known.player !== known.name ? known.player : "");
    setText(byId("version"), known.version ? `Version ${known.version}` : "");
    setText(byId("table"), `Last seen in ${latest.title || latest.name}, ${latest.begun.slice(0, 10)}`);
    if (this.#showsResults) await this.#drawLatest(latest);
  }

  /** @param {Recording} latest */
  async #drawLatest({ name }) {
    const film = await Film.open(name);
    const last = await film.segment(film.outline.hands.length - 1);
    const state = last.entries.reduce(reduce, last.opening);
    const draw = () => page.update(state);
    const page = new BotPage(this.#bot, film, (hand) => replayAddress(name, hand), draw);
    draw();
  }

  /** @param {KnownBot["played"]} played */
  #drawPlayed(played) {
    const parameters = new URLSearchParams(location.search);
    parameters.set("results", this.#showsResults ? "hidden" : "shown");
    byId("switch").setAttribute("href", `?${parameters}`);
    setText(byId("switch"), `${this.#showsResults ? "Hide" : "Show"} results`);
    byId("played").replaceChildren(
      ...played.flatMap(([number, place]) => {
        const recording = this.#recordings[number];
        return recording ? [recordingRow(recording, this.#showsResults ? place : 0)] : [];
      }),
    );
  }

  /** @param {string[]} onAir */
  #drawAll(onAir) {
    const names = [...new Set([...onAir, ...this.#bots.map(({ name }) => name)])].sort();
    byId("all-box").hidden = false;
    setText(byId("all-title"), this.#bot ? "No such bot" : "Bots");
    const nobody = names.length ? "" : "No bot has been on air here yet.";
    setText(byId("all-words"), this.#bot ? `No bot called ${this.#bot} has been on air here.` : nobody);
    byId("all").replaceChildren(
      ...names.map((name) => {
        const page = el("a.", el("bdi.", name));
        linkToBot(page, name);
        return el("li.", page);
      }),
    );
  }
}

/** A `place` of 0 is not shown. @type {(recording: Recording, place: number) => HTMLElement} */
function recordingRow({ name, title, begun, played }, place) {
  const page = link("", fromRoot(`recordings/${encodeURIComponent(name)}/index.html`), el("b.", title || name));
  const watch = link("own__watch", replayAddress(name), "Watch");
  const about = el("small.", `${begun.slice(0, 10)}, ${played}`);
  const places = place ? [el("span.own__place", `Place ${place}`)] : [];
  return el("li.own", el("span.own__words", page, about), ...places, watch);
}
