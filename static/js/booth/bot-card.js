/**
 * The profile card of one bot: its author, the pronunciation of its name, its style of play, the organiser's notes, and
 * its opponents tonight.
 *
 * @import { Bot, State, Taken } from "../common/types.js"
 * @import { Booth, BotBrief, BotLine } from "./booth-state.js"
 * @import { Evening } from "./evening.js"
 */

import { thoughtElements } from "../common/checked-thought.js";
import { button, byId, el, emptyImage, setData, setText, showFace } from "../common/dom.js";
import { signed } from "../common/format.js";
import { rankBots } from "../common/ranking.js";
import { playStatistics, readingFigures } from "../common/statistics.js";
import { makeRowList } from "../lists/rows.js";
import { styleOf } from "./playing-style.js";

/** @type {BotBrief} */
const EMPTY_BRIEF = { say: "", notes: "", met: {}, said: [] };

/**
 * Shows the profile card of the chosen bot. Until a bot is chosen, shows the leader's card.
 *
 * @param {Evening} evening
 * @param {() => void} redrawPage redraws the page
 */
export function botCard(evening, redrawPage) {
  let chosenBot = 0;
  const showChoices = makeRowList(
    byId("choices"),
    (/** @type {Bot} */ { bot }) => bot,
    ({ bot: number }) => {
      const image = emptyImage();
      const root = button("choice", () => choose(number), image);
      const update = (/** @type {Bot} */ bot) => {
        showFace(image, bot);
        root.setAttribute("aria-label", bot.name);
        root.setAttribute("aria-pressed", String(number === chosenBot));
      };
      return { root, update };
    },
  );

  /** @param {number} bot */
  function choose(bot) {
    chosenBot = bot;
    redrawPage();
  }

  /** @type {(state: State, booth: Booth | null) => void} */
  function update(state, booth) {
    const rankedBots = rankBots(state);
    showChoices(rankedBots.filter(({ bot }) => state.seats.some((seat) => seat.bot === bot && !seat.unseated)));
    const shownBot = state.bots[chosenBot] ? chosenBot : (rankedBots[0]?.bot ?? 0);
    const bot = state.bots[shownBot];
    byId("card").hidden = !bot;
    if (!bot) return;
    const brief = booth?.bots[shownBot] ?? EMPTY_BRIEF;
    showFace(/** @type {HTMLImageElement} */ (byId("portrait")), bot);
    setText(byId("bot-name"), bot.name);
    setText(byId("author"), [bot.player, bot.version && `version ${bot.version}`].filter(Boolean).join(" · "));
    fillPart("say", brief.say);
    fillPart("notes-of", brief.notes);
    const row = booth?.statistics.rows.find((each) => each.bot === shownBot);
    byId("style").replaceChildren(...styleOf(row).map((words) => el("p.", words)));
    byId("habits").replaceChildren(
      ...playStatistics(row ?? { bot: shownBot }).map(({ name, made, chances }) =>
        el("li.", name, el("b.", `${made} of ${chances}`)),
      ),
      ...readingFigures(row?.reading).map(({ figure, words }) => el("li.", words, el("b.", figure))),
    );
    byId("said-part").hidden = !brief.said.length;
    byId("said-by").replaceChildren(...brief.said.toReversed().map((said) => saidLine(said, evening)));
    const met = opponentRows(state, shownBot, brief, booth?.statistics.crosstable ?? []);
    byId("met-part").hidden = !met.length;
    byId("met").replaceChildren(...met);
  }

  return { choose, update };
}

/** @type {(id: string, words: string) => void} */
function fillPart(id, words) {
  byId(`${id}-part`).hidden = !words;
  setText(byId(id), words);
}

/** @type {(said: BotLine, evening: Evening) => HTMLElement} */
function saidLine({ game, hand, text, note, checked }, evening) {
  const where = hand ? evening.link(game, hand) : el("span.");
  return el("li.", where, el("p.", note ? "On its play: " : "", el("q.", ...thoughtElements(text, checked))));
}

/** @type {(state: State, number: number, about: BotBrief, crosstable: Taken[]) => HTMLElement[]} */
function opponentRows({ bots }, number, { met }, crosstable) {
  const net = new Map();
  for (const [winner, loser, chips] of crosstable) {
    if (winner === number) net.set(loser, chips);
    if (loser === number) net.set(winner, -chips);
  }
  const others = Object.keys(bots).map(Number);
  const rows = others.filter((other) => other !== number && (met[other] || net.has(other)));
  return rows.map((other) => {
    const [won, lost] = met[other] ?? [0, 0];
    const chips = net.get(other) ?? 0;
    const sum = el("td.", signed(chips));
    setData(sum, "sign", chips < 0 ? "less" : chips ? "more" : "");
    return el("tr.", el("th.", el("bdi.", bots[other]?.name ?? "")), el("td.", `${won}–${lost}`), sum);
  });
}
