/**
 * The comparison of a deal: at several tables, bots got the same cards in the same seat. Shows what each bot did with
 * the cards, and what it won. If bots are ranked by earned chips (profit without the luck of the board), shows each
 * bot's earned chips, profit and luck.
 *
 * @import { Size } from "../common/settings.js"
 * @import { Bot, DealComparison, SeatHeld, State } from "../common/types.js"
 * @typedef {typeof LAYOUTS.wide} Layout
 */

import { el, emptyImage, position, redraw, setData, setText, showFace } from "../common/dom.js";
import { BOLD_FONT, fitText, TITLE_FONT } from "../common/fit-text.js";
import { actWords, capitalize, numberInWords, signed, upperCase } from "../common/format.js";
import { CardPart } from "../overlay/parts/card.js";
import { explainDealWords } from "./deal-words.js";

/**
 * `left`, `top`, `width`, `height`: the box of the rows; `pitch`: the maximum height of a row; `line`, `lines`,
 * `wrappedSize`: the width, the number of lines and the font size of the text above the rows; `name`, `act`, `luck`,
 * `won`, `all`: the widths of the texts in a row; `cards`, `words`: the boxes of the cards and of the explanations. If
 * `luck` is 0, a bot's luck is shown in place of its acts after the compared decision.
 */
const LAYOUTS = {
  wide: {
    ...{ left: 96, top: 262, width: 1728, height: 660, pitch: 132, line: 860, lines: 1, wrappedSize: 38 },
    ...{ name: 380, act: 500, luck: 336, won: 176, all: 200, cards: { left: 1000, top: 52, width: 824 } },
    words: { left: 98, top: 184, width: 860 },
  },
  tall: {
    ...{ left: 36, top: 496, width: 708, height: 618, pitch: 108, line: 708, lines: 2, wrappedSize: 28 },
    ...{ name: 190, act: 224, luck: 0, won: 150, all: 150, cards: { left: 36, top: 292, width: 708 } },
    words: { left: 36, top: 424, width: 708 },
  },
};
/** Rows that are at least this high have a second line, with the bot's acts after the compared decision. */
const TWO_LINE_HEIGHT = 76;
const HEADS_HEIGHT = 36;

/** The scene after each deal, with a row for each bot in the compared seat. */
export class ComparisonScene {
  #layout;
  #title = el("standings__title");
  #line = el("standings__line");
  #hole = [new CardPart(), new CardPart()];
  #board = Array.from({ length: 5 }, () => new CardPart());
  #cards = el("compared__cards", ...[...this.#hole, ...this.#board].map((card) => card.root));
  #words = el("deal-words");
  #onAir = el("span.compared__on-air", "the table on air");
  #resultHead = el("span.");
  #totalHead = el("span.compared__all");
  #heads = el("compared__heads", this.#onAir, this.#resultHead, this.#totalHead);
  #list = el("standings__list");
  /** @type {Row[]} */
  rows = [];

  /** @param {HTMLElement} root @param {Size} size */
  constructor(root, { shape }) {
    this.#layout = LAYOUTS[shape];
    root.append(this.#title, this.#line, this.#words, this.#cards, this.#heads, this.#list);
    position(this.#cards, this.#layout.cards);
    position(this.#words, this.#layout.words);
  }

  /** @param {State} state */
  update({ deal, bots, stage }) {
    if (!deal) return;
    const { left, top, width, height, line, lines, wrappedSize } = this.#layout;
    fitText(this.#title, upperCase(`Deal ${deal.deal}`), { ...TITLE_FONT, width: line, size: 80 });
    fitText(this.#line, comparedPosition(deal), { width: line, size: 38, wrappedSize, lines });
    fitText(this.#words, explainDealWords({ stage, deal }), { width: this.#layout.words.width, size: 28 });
    this.#cards.hidden = this.#onAir.hidden = deal.alike;
    for (const [index, part] of this.#hole.entries()) part.update(deal.cards?.[index] ?? "", "lit");
    for (const [index, part] of this.#board.entries()) part.update(deal.board?.[index] ?? "");
    // `deal.held`: the bots in the compared seat. Those that came to the compared decision are first, the best on top.
    const heldSeats = deal.alike ? mainTable(deal) : (deal.held ?? []);
    const byEarned = stage?.decided_by === "earned";
    setText(this.#resultHead, byEarned ? "earned here" : "profit here");
    setText(this.#totalHead, deal.alike ? "" : `all ${deal.tables.length} tables`);
    position(this.#heads, { left, top: top - HEADS_HEIGHT, width });
    const results = heldSeats.map(scoreOf);
    const [least, most] = [Math.min(0, ...results), Math.max(1, ...results)];
    const look = { room: this.#layout, least, most, alike: deal.alike, byEarned };
    const totalByBot = totalScores(deal);
    const stamps = deal.alike ? new Map() : stampsOf(deal);
    const pitch = Math.min(this.#layout.pitch, height / Math.max(1, heldSeats.length));
    this.rows = heldSeats.map((each, index) => {
      const row = this.rows[index] ?? new Row();
      row.update(each, bots[each.bot], { ...look, lines: pitch >= TWO_LINE_HEIGHT ? 2 : 1 });
      row.showStamp(stamps.get(each.bot) ?? "", deal.alike ? "" : signed(totalByBot.get(each.bot) ?? 0), this.#layout);
      setData(row.root, "on-air", !deal.alike && each.game === deal.tables[0]?.game);
      position(row.root, { left, top: top + index * pitch, width, height: pitch - 8 });
      return row;
    });
    redraw(this.#list, heldSeats.length, () => this.rows.map((row) => row.root));
  }
}

class Row {
  #image = emptyImage();
  #name = el("row__name");
  #decidingAct = el("compared__did");
  #rest = el("compared__rest");
  #zero = el("compared__zero");
  fill = el("compared__fill");
  #luck = el("compared__luck");
  #won = el("row__stack");
  #stamp = el("compared__stamp");
  #all = el("compared__all");
  root = el(
    "row",
    ...[el("row__photo", this.#image), this.#name, el("compared__acts", this.#decidingAct, this.#rest)],
    ...[el("compared__result", el("compared__bar", this.#zero, this.fill), this.#luck)],
    ...[el("compared__end", this.#won, this.#stamp), this.#all],
  );
  moved = 0;

  /**
   * @param {SeatHeld} held how a bot played the compared seat; `acts[at]` is its act at the compared decision
   * @param {Bot | undefined} bot
   * @param {{ room: Layout, least: number, most: number, alike: boolean, lines: number, byEarned: boolean }} look
   *   `least`, `most`: the ends of the bar; `alike`: all tables played alike, so nothing is compared
   */
  update(held, bot, { room, least, most, alike, lines, byEarned }) {
    const act = held.acts[held.at ?? -1];
    const noActText = act || alike ? "" : held.acts.length ? "other betting before" : "never had to act";
    setData(this.root, "below", noActText !== "");
    showFace(this.#image, bot);
    fitText(this.#name, bot?.name ?? "", { width: room.name, size: 38, lines });
    fitText(this.#decidingAct, act ? actWords(act) : noActText, { ...BOLD_FONT, width: room.act, size: 42 });
    const laterActs = act ? held.acts.slice((held.at ?? 0) + 1) : held.acts;
    const acts = laterActs.map(actWords).join(", ");
    const luck = byEarned && held.luck ? `luck ${signed(held.luck)}` : "";
    const words = (!room.luck && luck) || (acts && `then ${acts}`);
    this.#rest.hidden = lines < 2 || !words;
    fitText(this.#rest, words, { width: room.act, size: 30, isRunningText: true });
    const toPercent = (/** @type {number} */ chips) => (100 * (chips - least)) / (most - least);
    this.#zero.style.left = `${toPercent(0).toFixed(2)}%`;
    const score = scoreOf(held);
    this.fill.style.left = `${toPercent(Math.min(0, score)).toFixed(2)}%`;
    this.fill.style.width = `${(toPercent(Math.abs(score)) - toPercent(0)).toFixed(2)}%`;
    this.fill.style.transform = "none";
    setData(this.fill, "way", score < 0 ? "down" : "up");
    this.#luck.hidden = !luck;
    fitText(this.#luck, `profit ${signed(held.won)}, ${luck}`, { width: room.luck, size: 28 });
    fitText(this.#won, signed(score), { ...BOLD_FONT, width: room.won, size: 44 });
  }

  /** @type {(mood: string, all: string, layout: Layout) => void} */
  showStamp(mood, all, layout) {
    setData(this.root, "mood", mood);
    setText(this.#stamp, mood);
    fitText(this.#all, all, { ...BOLD_FONT, width: layout.all, size: 38 });
  }
}

/** The score: what a bot has won, minus its luck if that is known. @type {(held: SeatHeld) => number} */
function scoreOf({ won, luck = 0 }) {
  return won - luck;
}

/**
 * The stamps "best" and "worst" of the two bots that the caption names. The two did different things at the compared
 * decision. The best bot has its stamp only if every other bot in the picture has a lower score, even a bot that never
 * came to that decision. The worst bot has its stamp only if every other bot has a higher score.
 *
 * @type {(deal: DealComparison) => Map<number, string>}
 */
function stampsOf({ held = [], best, worst }) {
  return new Map(
    held.flatMap((each) => {
      const [score, others] = [scoreOf(each), held.filter((other) => other !== each).map(scoreOf)];
      if (each.bot === best && score > Math.max(...others)) return [[each.bot, "best"]];
      return each.bot === worst && score < Math.min(...others) ? [[each.bot, "worst"]] : [];
    }),
  );
}

/** Each bot's score at all tables together. @type {(deal: DealComparison) => Map<number, number>} */
function totalScores({ tables }) {
  /** @type {Map<number, number>} */
  const sums = new Map();
  for (const { seats, won, luck = [] } of tables) {
    for (const [seat, bot] of seats.entries()) {
      sums.set(bot, (sums.get(bot) ?? 0) + (won[seat] ?? 0) - (luck[seat] ?? 0));
    }
  }
  return sums;
}

/** The results at the main table (the one on air), seat by seat. @type {(deal: DealComparison) => SeatHeld[]} */
function mainTable({ tables: [main] }) {
  return (main?.seats ?? []).map((bot, seat) => {
    return { bot, game: 0, acts: [], won: main?.won[seat] ?? 0, luck: main?.luck?.[seat] ?? 0, at: -1 };
  });
}

/** Says which position is compared, and at how many tables. @param {DealComparison} deal */
function comparedPosition({ alike, tables, position, street, held }) {
  const count = numberInWords(tables.length);
  if (alike) return `All ${count} tables got the same result`;
  const here = held.filter((each) => (each.at ?? -1) >= 0).length;
  const when = street === "preflop" ? "before the flop" : `on the ${street}`;
  const many = here === tables.length ? `at all ${count} tables` : `at ${numberInWords(here)} of ${count} tables`;
  return `${capitalize([position, when].filter(Boolean).join(", "))}: the same cards and betting ${many}`;
}
