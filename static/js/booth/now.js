/**
 * The current hand: the board, the pot, all bots' cards and chances, and what a call costs the bot to act.
 *
 * @import { Seat, State, Turn } from "../common/types.js"
 * @import { Booth, HandNow } from "./booth-state.js"
 */

import { byId, el, mark, write } from "../common/dom.js";
import { cardName, chanceOf, chips, isShowdown, percent, plateOf, sentence } from "../common/format.js";
import { cardFace, cardLine } from "../lists/cards.js";

const BOARD = 5;

/** @type {(state: State, booth: Booth | null) => void} */
export function showNow(state, booth) {
  const { hand, board, pot, pots, seats, bots, caption, turn } = state;
  const isCurrent = hand && !hand.over && booth?.board.join() === board.join();
  const hands = new Map((isCurrent ? booth.hands : []).map((each) => [each.seat, each]));
  write(byId("street"), hand ? `Now · ${hand.over ? "over" : hand.street}` : "Now");
  write(byId("tempo"), booth?.tempo ? `A ${booth.tempo} hand` : "");
  write(byId("pot"), pot ? `Pot ${chips(pot)}` : "");
  write(byId("pots"), pots.length > 1 ? partsOf(pots, state) : "");
  byId("board").replaceChildren(...Array.from({ length: BOARD }, (_, at) => cardFace(board[at] ?? "")));
  byId("board").setAttribute("aria-label", `Board: ${board.map(cardName).join(", ") || "no cards yet"}`);
  const rank = (/** @type {Seat} */ seat) => (isIn(seat) ? 1 + (seat.win ?? 0) : 0);
  const inOrder = seats.filter((seat) => !seat.unseated).sort((one, other) => rank(other) - rank(one));
  byId("players").replaceChildren(...inOrder.map((seat) => player(seat, state, hands.get(seats.indexOf(seat)))));
  write(byId("caption"), caption);
  const actor = turn && seats[turn.seat];
  byId("act").hidden = !actor;
  if (!turn || !actor) return;
  const needs = percent(neededToCall(seats, turn));
  const words = turn.to_call ? `${chips(turn.to_call)} to call · must win ${needs}` : "can check";
  byId("act").replaceChildren(el("b.", el("bdi.", bots[actor.bot]?.name ?? "")), el("span.", words));
}

/**
 * Returns the chance to win that a call needs to break even, in tenths of a percent. Bets count only as far as the
 * caller's stack can match them, because the caller cannot win more.
 *
 * @type {(seats: Pick<Seat, "committed">[], turn: Pick<Turn, "seat" | "to_call">) => number}
 */
export function neededToCall(seats, { seat, to_call }) {
  const most = (seats[seat]?.committed ?? 0) + to_call;
  const all = seats.reduce((sum, { committed }) => sum + Math.min(committed, most), to_call);
  return all ? Math.round((1000 * to_call) / all) : 0;
}

/**
 * Lists the pots, and for side pots the bots that can win them: "Main pot 1,400, side pot 825 (Doc, Tess)".
 *
 * @type {(pots: State["pots"], state: Pick<State, "seats" | "bots">) => string}
 */
export function partsOf(pots, { seats, bots }) {
  const name = (/** @type {number} */ at) => bots[seats[at]?.bot ?? 0]?.name ?? "";
  const parts = pots.map(({ amount, seats: who }, at) =>
    at ? `side pot ${chips(amount)} (${who.map(name).join(", ")})` : `main pot ${chips(amount)}`,
  );
  return sentence(parts.join(", "));
}

/** @param {Seat} seat */
function isIn(seat) {
  return seat.dealt_in && !seat.folded;
}

/** @type {(seat: Seat, state: State, now: HandNow | undefined) => HTMLElement} */
function player(seat, state, now) {
  const { seats, bots, turn } = state;
  const bot = bots[seat.bot];
  const mine = turn && seats[turn.seat] === seat ? turn : null;
  const { label, tone } = plateOf(seat, mine, bot?.presence === "lost", isShowdown(state));
  const name = el("bdi.player__name", bot?.name ?? "");
  const held = cardLine("span.player__cards", seat.cards);
  const stack = `${chips(seat.stack)} chips`;
  const made = madeBeside(tone, now);
  const words = [seat.won ? `Won ${chips(seat.won)}` : label, now ? made : stack];
  const about = el("span.player__words", words.filter(Boolean).map(sentence).join(" · "));
  const ahead = el(
    "span.player__ahead",
    now ? `${stack} · ${now.since ? `has led since the ${now.since}` : outs(now)}` : "",
  );
  const root = el("li.player", name, about, ahead, held, el("b.", chanceOf(seat)));
  mark(root, "leads", Boolean(now?.since));
  mark(root, "quiet", !isIn(seat));
  mark(root, "turn", mine !== null);
  return root;
}

/**
 * Returns the name of a hand; "" if the plate already names it in other words, such as "Three kings".
 *
 * @type {(tone: string, now: Pick<HandNow, "made"> | undefined) => string}
 */
export function madeBeside(tone, now) {
  return now && tone !== "hand" ? now.made : "";
}

/** @param {HandNow} now */
function outs({ outs: many }) {
  if (many === null) return "behind";
  return many === 1 ? "1 out" : many ? `${many} outs` : "no outs";
}
