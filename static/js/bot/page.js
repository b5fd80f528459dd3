/**
 * The parts of a bot's page that follow the show: poster, place, chips, hands, figures, games.
 *
 * @import { Bot, Card, State } from "../common/types.js"
 * @import { Film, Segment } from "../replay/film/film.js"
 * @import { GameResult, HandResult } from "./career.js"
 * @import { Thought } from "./thoughts.js"
 */

import { thoughtElements } from "../common/checked-thought.js";
import { byId, el, link, redraw, setText, showFace } from "../common/dom.js";
import { chips, gameOfStage, hasSeveralGames, money, ordinal, ratingText, signed } from "../common/format.js";
import { hasPlaces, placeAndDistance, rankingMetric } from "../common/ranking.js";
import { cardLine } from "../lists/cards.js";
import { titleOf, whenOf } from "../lists/schedule.js";
import { withDeskRules } from "../overlay/desk-rules.js";
import { whichHand } from "../replay/film/film.js";
import { chipHistoryOf, gameResults, handResults, notableHands } from "./career.js";
import { drawChart } from "./chart.js";
import { awardsOf, calibrationOf, figuresOf } from "./figures.js";
import { latestThoughts } from "./thoughts.js";

/** The maximum numbers of hands and games in the lists. */
const MAX_HANDS = 8;
const MAX_GAMES = 30;
/** An ordinary hand is listed only if the bot won or lost at least the starting stack divided by SMALL_DIVISOR. */
const SMALL_DIVISOR = 20;

export class BotPage {
  #name;
  #film;
  #addressOf;
  #drawCards;
  #revision = -1;
  /** A text that changes whenever the shown thoughts may change. */
  #thoughtsKey = "";
  /** @type {State["statistics"] | null} */
  #statistics = null;

  /**
   * @param {string} name
   * @param {Film} film
   * @param {(hand: number) => string} addressOf returns the address that shows a hand of the show
   * @param {() => void} onChange called when there is more to draw
   */
  constructor(name, film, addressOf, onChange) {
    this.#name = name;
    this.#film = film;
    this.#addressOf = addressOf;
    this.#drawCards = cardDrawer(film, () => {
      this.#revision = -1;
      onChange();
    });
  }

  /** @param {State} picture the picture on screen, which may be a replay */
  update(picture) {
    const { revision, schedule } = this.#film;
    const state = withDeskRules(picture.replay ? picture.replay.before : picture);
    const bot = Object.values(state.bots).find((each) => each.name === this.#name);
    byId("live").hidden = !bot;
    if (!bot) return;
    this.#drawPoster(state, bot);
    this.#drawTablePosition(state, bot);
    const { items = [], names = {} } = schedule ?? {};
    const next = items.find(
      ({ state: when, bots = [] }) => when === "to come" && bots.some((each) => names[each] === this.#name),
    );
    setText(byId("next"), next ? `Next: ${[titleOf(next), whenOf(next)].filter(Boolean).join(", ")}` : "");
    const { thoughts = true, chat_off: muted } = state.desk;
    const key = JSON.stringify([revision, thoughts, muted, state.hand?.over === false ? 0 : state.seq]);
    if (key !== this.#thoughtsKey) void this.#drawThoughts(key, state, bot.bot);
    if (revision === this.#revision && state.statistics === this.#statistics) return;
    this.#revision = revision;
    this.#statistics = state.statistics;
    this.#drawResults(state, bot.bot);
  }

  /** @type {(state: State, bot: Bot) => void} */
  #drawPoster(state, bot) {
    showFace(/** @type {HTMLImageElement} */ (byId("face")), bot);
    setText(byId("stack"), posterText(state, bot));
    setText(byId("player"), bot.player && bot.player !== bot.name ? bot.player : "");
    setText(byId("version"), bot.version ? `Version ${bot.version}` : "");
    setText(byId("rating"), bot.rating ? `Rated ${ratingText(bot.rating)}` : "");
    const { place, count, distance } = placeAndDistance(state, bot.bot);
    setText(byId("place"), place && (state.stage || state.placings.length) ? `${ordinal(place)} of ${count}` : "");
    setText(byId("apart"), distance);
    setText(
      byId("line"),
      distance ? `Top ${state.stage?.advance} ride on to ${state.stage?.next_title || "High Noon"}` : "",
    );
    const prize = state.placings.find((line) => line.bot === bot.bot)?.prize_cents ?? 0;
    setText(byId("prize"), prize ? `wins ${money(prize)}` : "");
  }

  /** @type {(state: State, bot: Bot) => void} */
  #drawTablePosition(state, bot) {
    const { stage, game, hand, seats, scene } = state;
    const seat = seats.find((each) => each.bot === bot.bot);
    const sits = seat && game && !game.over && !seat.place && scene !== "champion";
    const number =
      stage && game && hasSeveralGames(stage) ? `, ${stage.deals ? "deal" : "game"} ${gameOfStage(stage, game)}` : "";
    const isOneHand = stage?.deals && game?.hands === 1;
    const now = `At the table${number}${hand && !isOneHand ? `, hand ${hand.hand}` : ""}${seat?.all_in && !hand?.over ? ": all in" : ""}`;
    const away = scene === "champion" ? "The show is over" : bot.place ? "Out of chips" : "Not at the table just now";
    setText(byId("table"), sits ? now : away);
  }

  /** @type {(key: string, state: State, bot: number) => Promise<void>} */
  async #drawThoughts(key, state, bot) {
    this.#thoughtsKey = key;
    const thoughts = await latestThoughts(this.#film, state, bot);
    if (key !== this.#thoughtsKey) return;
    byId("thoughts-box").hidden = thoughts.length === 0;
    redraw(byId("thoughts"), thoughts, () => thoughts.map((thought) => this.#thoughtRow(thought)));
  }

  /** @param {Thought} thought */
  #thoughtRow({ number, did, street, text, checked }) {
    const hand = this.#film.outline.hands[number];
    const words = el("q.own__thought", ...thoughtElements(text, checked));
    words.dir = "auto";
    const where = el("small.", hand ? whichHand(hand) : "");
    return el("li.own own--thought", link("", this.#addressOf(number), el("b.", `${did} ${street}`), where), words);
  }

  /** @type {(state: State, bot: number) => void} */
  #drawResults(state, bot) {
    const { outline } = this.#film;
    const handsOfBot = handResults(outline, state, bot);
    const history = chipHistoryOf(outline, state, bot);
    byId("chips-box").hidden = history.botChips.length < 2;
    setText(byId("steps"), history.ofDeals ? "won, deal by deal: " : "hand by hand: ");
    setText(byId("stage"), history.title);
    drawChart(byId("chips"), history, this.#name);
    const games = gameResults(handsOfBot, outline.hands, bot).slice(0, MAX_GAMES);
    setText(byId("games-title"), history.ofDeals ? "Deal by deal" : "Game by game");
    this.#fillList(
      "hands",
      notableHands(handsOfBot, state.tournament.starting_stack / SMALL_DIVISOR, MAX_HANDS).map((hand) =>
        this.#handRow(hand, bot),
      ),
    );
    this.#fillList("games", games.length > 1 ? games.map(gameLine) : []);
    byId("awards").replaceChildren(...awardsOf(state, bot).map((words) => el("li.", words)));
    this.#fillList(
      "calibration",
      calibrationOf(state, bot).map((words) => el("li.", words)),
    );
    this.#fillList(
      "figures",
      figuresOf(state, bot).map(({ figure, words }) => el("figure", el("dt.", figure), el("dd.", words))),
    );
  }

  /** Fills a list and hides its section if it is empty. @type {(id: string, nodes: HTMLElement[]) => void} */
  #fillList(id, nodes) {
    byId(id).replaceChildren(...nodes);
    byId(`${id}-box`).hidden = nodes.length === 0;
  }

  /** @type {(hand: HandResult, bot: number) => HTMLElement} */
  #handRow({ number, hand, change, ranking, isOut }, bot) {
    const kind = ranking.split(",")[0] ?? "";
    const articled = /^(two|three|four)| high$/.test(kind) ? kind : `a ${kind}`;
    const how = ranking ? `Wins with ${articled}` : change > 0 ? "Wins without a showdown" : "Loses";
    const marks = hand.marks.slice(0, 2).map((words) => el("span.own__mark", words));
    const where = el("small.", `${hand.stage}, ${whichHand(hand)}`);
    const words = link("", this.#addressOf(number), el("b.", isOut ? "Out of chips" : how), ...marks, where);
    return el("li.own", el("own__words", words), this.#drawCards(number, hand.seq, bot), changeOf(change));
  }
}

/** The words on the poster: the bot's chips, or what it has won. @type {(state: State, bot: Bot) => string} */
function posterText(state, bot) {
  if (state.stage?.deals) return hasPlaces(state) ? `${rankingMetric(state).text(bot)} per\u00a0deal` : "";
  return state.stage?.series ? rankingMetric(state).text(bot) : chips(bot.stack);
}

/** @param {GameResult} game */
function gameLine({ game, stage, change, place, isDeal }) {
  const what = el("span.own__words", `${isDeal ? "Deal" : "Game"} ${game} `, el("small.", stage));
  return el("li.own", what, el("span.own__place", place ? `then ${ordinal(place)}` : ""), changeOf(change));
}

/** @param {number} change in chips */
function changeOf(change) {
  return el(`b.own__change own__change--${change < 0 ? "down" : "up"}`, signed(change));
}

/**
 * Returns a function that draws a bot's cards in a hand, if the cards have been fetched. If not, the function fetches
 * the cards, and calls `onCardsKnown` when the cards have arrived. The function takes the hand's number, the number of
 * the hand's first entry, and the bot.
 *
 * @type {(film: Film, onCardsKnown: () => void) => (number: number, seq: number, bot: number) => HTMLElement | string}
 */
function cardDrawer(film, onCardsKnown) {
  /** Cards, keyed by the number of the hand and the number of its first entry. @type {Map<string, Card[]>} */
  const cardsByHand = new Map();
  return (number, seq, bot) => {
    const key = `${number} ${seq}`;
    const cards = cardsByHand.get(key);
    if (cards) return cards.length ? cardLine("span.own__cards", cards) : "";
    cardsByHand.set(key, []); // requested only once
    const storeCards = (/** @type {Segment} */ { opening, entries }) => {
      const seat = opening.seats.findIndex((each) => each.bot === bot);
      const dealt = entries.find((entry) => entry.type === "hole_dealt" && entry.seat === seat);
      cardsByHand.set(key, dealt?.type === "hole_dealt" ? dealt.cards : []);
      onCardsKnown();
    };
    film.segment(number).then(storeCards, () => undefined);
    return "";
  };
}
