/**
 * One bot: whose it is, how to say it, how it plays, what the organiser knows of it, and whom it has met tonight.
 *
 * @import { Bot, State, Taken } from "../common/types.js"
 * @import { Booth, BotNotes, Said } from "./booth-state.js"
 * @import { Evening } from "./evening.js"
 */

import { button, byId, el, emptyPicture, mark, picture, write } from "../common/dom.js";
import { signed } from "../common/format.js";
import { ranked } from "../common/ranking.js";
import { rowsIn } from "../common/rows.js";
import { habitsOf } from "../common/statistics.js";
import { styleOf } from "./style.js";

/** @type {BotNotes} */
const NOTHING = { say: "", notes: "", met: {}, said: [] };

/** The card of the bot that was chosen last, at first of the one that leads. */
export class BotCard {
  #evening;
  #chosen = 0;
  #again;
  #choices = rowsIn(
    byId("choices"),
    (/** @type {Bot} */ { bot }) => bot,
    ({ bot: number }) => {
      const image = emptyPicture();
      const root = button("choice", () => this.choose(number), image);
      const update = (/** @type {Bot} */ bot) => {
        picture(image, bot);
        root.setAttribute("aria-label", bot.name);
        root.setAttribute("aria-pressed", String(number === this.#chosen));
      };
      return { root, update };
    },
  );

  /**
   * @param {Evening} evening
   * @param {() => void} again draws the page again
   */
  constructor(evening, again) {
    this.#evening = evening;
    this.#again = again;
  }

  /** @param {number} bot that is shown from now on */
  choose(bot) {
    this.#chosen = bot;
    this.#again();
  }

  /** @type {(state: State, booth: Booth | null) => void} */
  update(state, booth) {
    const order = ranked(state);
    this.#choices(order.filter(({ bot }) => state.seats.some((seat) => seat.bot === bot && !seat.unseated)));
    const number = state.bots[this.#chosen] ? this.#chosen : (order[0]?.bot ?? 0);
    const bot = state.bots[number];
    byId("card").hidden = !bot;
    if (!bot) return;
    const about = booth?.bots[number] ?? NOTHING;
    picture(/** @type {HTMLImageElement} */ (byId("portrait")), bot);
    write(byId("bot-name"), bot.name);
    write(byId("author"), [bot.player, bot.version && `version ${bot.version}`].filter(Boolean).join(" · "));
    part("say", about.say);
    part("notes-of", about.notes);
    const row = booth?.statistics.rows.find((each) => each.bot === number);
    byId("style").replaceChildren(...styleOf(row).map((words) => el("p.", words)));
    byId("habits").replaceChildren(
      ...habitsOf(row ?? { bot: number }).map(({ name, made, of }) => el("li.", name, el("b.", `${made} of ${of}`))),
    );
    this.#words(about.said);
    this.#met(state, number, about, booth?.statistics.crosstable ?? []);
  }

  /** @param {Said[]} said */
  #words(said) {
    byId("said-part").hidden = !said.length;
    const lines = said.toReversed().map(({ game, hand, text, note }) => {
      const where = hand ? this.#evening.link(game, hand) : el("span.");
      return el("li.", where, el("p.", note ? "On its play: " : "", el("q.", text)));
    });
    byId("said-by").replaceChildren(...lines);
  }

  /** @type {(state: State, number: number, about: BotNotes, crosstable: Taken[]) => void} */
  #met({ bots }, number, { met }, crosstable) {
    const net = new Map();
    for (const [by, of, chips] of crosstable) {
      if (by === number) net.set(of, chips);
      if (of === number) net.set(by, -chips);
    }
    const others = Object.keys(bots).map(Number);
    const rows = others.filter((other) => other !== number && (met[other] || net.has(other)));
    byId("met-part").hidden = !rows.length;
    byId("met").replaceChildren(
      ...rows.map((other) => {
        const [won, lost] = met[other] ?? [0, 0];
        const chips = net.get(other) ?? 0;
        const sum = el("td.", signed(chips));
        mark(sum, "sign", chips < 0 ? "less" : chips ? "more" : "");
        return el("tr.", el("th.", el("bdi.", bots[other]?.name ?? "")), el("td.", `${won}–${lost}`), sum);
      }),
    );
  }
}

/** @type {(id: string, words: string) => void} */
function part(id, words) {
  byId(`${id}-part`).hidden = !words;
  write(byId(id), words);
}
