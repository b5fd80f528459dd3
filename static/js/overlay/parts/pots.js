/**
 * The pot on its brass plate: its amount and its chips. If there are several pots, the plate lists each pot with the
 * bots that can win it. Once pots are won, the plate shows who won which pots with which hand.
 *
 * @import { Size } from "../../common/settings.js"
 * @import { Pot, State } from "../../common/types.js"
 * @typedef {{ word: string, amount: number, who: string }} PotLine
 */

import { el, redraw, setData, setText } from "../../common/dom.js";
import { BOLD_FONT, fitText, widthOf } from "../../common/fit-text.js";
import { capitalize, chips, numberInWords, shortNames } from "../../common/format.js";
import { chipPiles } from "./chips.js";

/** The maximum number of lines in the list of pots. */
const ROW_COUNT = 4;
/** Names are narrowed to fit if they are at most this many times as wide as their room. */
const MAX_SQUEEZED = 1.15;
const FONT_SIZE = 28;
/**
 * `inner`: the plate's inner width; `innerOfTwo`: its inner width between two large seats; `size`: the font size of the
 * amount; `piles`: the width of the piles beside the amount; `listed`: the font size of the amount above a list;
 * `beside`: the width of the word POT and the piles above a list; `winner`, `hand`, `takes`: the font sizes of the
 * winner's lines; `word`: the width of the label before a pot.
 */
const LAYOUTS = {
  wide: {
    ...{ inner: 414, innerOfTwo: 272, size: 76, piles: 140, listed: 56, beside: 250 },
    ...{ winner: 52, hand: 40, takes: 30, word: 78 },
  },
  tall: {
    ...{ inner: 484, innerOfTwo: 484, size: 62, piles: 264, listed: 34, beside: 334 },
    ...{ winner: 40, hand: 32, takes: 28, word: 78 },
  },
};

/** The pots; `update` redraws only the parts that have changed. */
export class Pots {
  #layout;
  #word = el("pot__word");
  #number = el("pot__number");
  #pile = el("pot__pile");
  #winner = el("pot__winner");
  #hand = el("pot__hand");
  #takes = el("pot__takes");
  #rows = Array.from({ length: ROW_COUNT }, () => new PotRow());
  plate = el(
    "pot",
    el("pot__head", this.#word, this.#pile, this.#number),
    el("pot__rows", ...this.#rows.map((row) => row.root)),
    ...[this.#winner, this.#hand, this.#takes],
  );

  /** @param {Size} size */
  constructor({ shape }) {
    this.#layout = LAYOUTS[shape];
  }

  /** @param {State} state @param {boolean} hasTwoSeats whether two seats fill the picture */
  update(state, hasTwoSeats) {
    const { seats, bots, pots, pot } = state;
    const isWon = state.awards.length > 0;
    const isListed = pots.length > 1 && pot > 0 && !isWon;
    const layout = this.#layout;
    const inner = hasTwoSeats ? layout.innerOfTwo : layout.inner;
    setData(this.plate, "won", isWon);
    setData(this.plate, "listed", isListed);
    setData(this.plate, "empty", pot === 0 && !isWon);
    setText(this.#word, isWon ? "WINNER" : "POT");
    redraw(this.#pile, pot, () => [chipPiles(pot)]);
    const names = shortNames(seats.map((seat) => bots[seat.bot]?.name ?? ""));
    this.#listPots(isListed ? pots : [], names, inner - layout.word);
    if (isWon) return this.#nameWinners(state, names, inner);
    const [width, size] = isListed ? [inner - layout.beside, layout.listed] : [inner - layout.piles, layout.size];
    fitText(this.#number, chips(pot), { width, size, minSize: 34, weight: 700 });
  }

  /**
   * Lists the pots, the main pot first. If there are not enough rows, the last row sums up the remaining side pots.
   *
   * @type {(pots: Pot[], names: string[], width: number) => void}
   */
  #listPots(pots, names, width) {
    const listedCount = pots.length > ROW_COUNT ? ROW_COUNT - 1 : pots.length;
    const rest = pots.slice(listedCount);
    const amount = rest.reduce((sum, each) => sum + each.amount, 0);
    const amounts = [...pots.slice(0, listedCount).map((pot) => pot.amount), ...(rest.length ? [amount] : [])];
    const widest = Math.max(0, ...amounts.map((each) => widthOf(chips(each), BOLD_FONT) * FONT_SIZE));
    const namesWidth = width - widest - 28;
    const lines = pots.slice(0, listedCount).map((pot, index) => ({
      word: index ? `Side ${index}` : "Main",
      amount: pot.amount,
      who: index ? eligibleBots(pot, pots[0] ?? pot, names, namesWidth) : `all ${numberInWords(pot.seats.length)}`,
    }));
    if (rest.length) lines.push({ word: `${rest.length} more`, amount, who: "side pots" });
    this.#rows.forEach((row, index) => {
      row.update(lines[index] ?? null, { amount: widest, who: namesWidth });
    });
  }

  /**
   * Shows who won the last pot and with which hand, and all pots that the same bots have won.
   *
   * @type {(state: State, names: string[], width: number) => void}
   */
  #nameWinners({ awards, seats, bots, pots }, names, width) {
    const winnersOf = (/** @type {State["awards"][0] | undefined} */ award) => [
      ...new Set(award?.awards.map((each) => each.seat)),
    ];
    const winnerSeats = winnersOf(awards.at(-1));
    const wonPots = awards
      .filter((award) => winnersOf(award).join(" ") === winnerSeats.join(" "))
      .map((award) => award.pot);
    const { winner, hand, takes } = this.#layout;
    const first = seats[winnerSeats[0] ?? 0];
    const winnerName = bots[first?.bot ?? 0]?.name ?? "";
    const who =
      winnerSeats.length > 2
        ? `Split ${numberInWords(winnerSeats.length)} ways`
        : winnerSeats.map((seat) => names[seat]).join(" & ");
    fitText(this.#winner, winnerSeats.length > 1 ? who : winnerName, {
      width,
      size: winner,
      wrappedSize: 32,
      minSize: 32,
      weight: 700,
    });
    fitText(this.#hand, capitalize(first?.ranking ?? ""), { width, size: hand, wrappedSize: 32 });
    const words = `${winnerSeats.length > 1 ? "share" : "takes"} ${labelFor(wonPots, pots.length)}`;
    fitText(this.#takes, words, { width, size: takes });
  }
}

/**
 * @param {number[]} wonPots numbers of pots, 0 for the main pot
 * @param {number} potCount the number of pots in the hand
 */
function labelFor(wonPots, potCount) {
  if (potCount <= 1) return "the pot";
  if (wonPots.length === potCount) return potCount === 2 ? "both pots" : `all ${numberInWords(potCount)} pots`;
  const sides = wonPots.filter(Boolean).sort((one, other) => one - other);
  const words = sides.length ? `side pot${sides.length > 1 ? "s" : ""} ${sides.join(", ")}` : "";
  return wonPots.includes(0) ? `the main pot${words && ` and ${words}`}` : words;
}

/**
 * Says which bots can win a side pot, in the first of these ways that fits: their names; "all but Doc", if Doc is the
 * only bot in the main pot that cannot win the side pot; "three of five".
 *
 * @type {(pot: Pot, mainPot: Pot, names: string[], width: number) => string}
 */
function eligibleBots(pot, mainPot, names, width) {
  const others = mainPot.seats.filter((seat) => !pot.seats.includes(seat));
  const options = [pot.seats.map((seat) => names[seat]).join(" · ")];
  if (others.length === 1) options.push(`all but ${names[others[0] ?? 0]}`);
  const fits = options.find((words) => widthOf(words) * FONT_SIZE <= width * MAX_SQUEEZED);
  return fits ?? `${numberInWords(pot.seats.length)} of ${numberInWords(mainPot.seats.length)}`;
}

class PotRow {
  #word = el("side__word");
  #amount = el("side__amount");
  #who = el("side__names");
  root = el("side", this.#word, this.#amount, this.#who);

  /** @type {(line: PotLine | null, widths: { amount: number, who: number }) => void} */
  update(line, widths) {
    this.root.hidden = !line;
    if (!line) return;
    setText(this.#word, line.word);
    setText(this.#amount, chips(line.amount));
    this.#amount.style.width = `${Math.ceil(widths.amount)}px`;
    fitText(this.#who, line.who, { width: widths.who, size: FONT_SIZE });
  }
}
