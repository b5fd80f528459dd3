/**
 * The current hand on the commentators' page: the board, the pot, all bots' cards and chances, and the price of a call.
 *
 * @import { Seat, State, Turn } from "../common/types.js"
 * @import { Booth, LiveHand } from "./booth-state.js"
 */

import { byId, el, setData, setText } from "../common/dom.js";
import { capitalize, cardName, chanceOf, chips, isShowdown, percent, plateOf } from "../common/format.js";
import { cardFace, cardLine } from "../lists/cards.js";

const BOARD_SIZE = 5;

/** @type {(state: State, booth: Booth | null) => void} */
export function showNow(state, booth) {
  const { hand, board, pot, pots, seats, bots, caption, turn } = state;
  const isCurrent = hand && !hand.over && booth?.board.join() === board.join();
  const hands = new Map((isCurrent ? booth.hands : []).map((each) => [each.seat, each]));
  setText(byId("street"), hand ? `Now · ${hand.over ? "over" : hand.street}` : "Now");
  setText(byId("tempo"), booth?.tempo ? `A ${booth.tempo} hand` : "");
  setText(byId("pot"), pot ? `Pot ${chips(pot)}` : "");
  setText(byId("pots"), pots.length > 1 ? potList(pots, state) : "");
  byId("board").replaceChildren(...Array.from({ length: BOARD_SIZE }, (_, index) => cardFace(board[index] ?? "")));
  byId("board").setAttribute("aria-label", `Board: ${board.map(cardName).join(", ") || "no cards yet"}`);
  const rank = (/** @type {Seat} */ seat) => (isInHand(seat) ? 1 + (seat.win ?? 0) : 0);
  const inOrder = seats.filter((seat) => !seat.unseated).sort((one, other) => rank(other) - rank(one));
  byId("players").replaceChildren(...inOrder.map((seat) => seatRow(seat, state, hands.get(seats.indexOf(seat)))));
  setText(byId("caption"), caption);
  const actor = turn && seats[turn.seat];
  byId("act").hidden = !actor;
  if (!turn || !actor) return;
  const needs = percent(neededToCall(seats, turn));
  const words = turn.to_call ? `${chips(turn.to_call)} to call · must win ${needs}` : "can check";
  byId("act").replaceChildren(el("b.", el("bdi.", bots[actor.bot]?.name ?? "")), el("span.", words));
}

/**
 * Returns the chance to win at which a call breaks even, in tenths of a percent. A bet counts only up to the amount
 * that the caller can match, because the caller cannot win more.
 *
 * @type {(seats: Pick<Seat, "committed">[], turn: Pick<Turn, "seat" | "to_call">) => number}
 */
export function neededToCall(seats, { seat, to_call }) {
  const maxMatched = (seats[seat]?.committed ?? 0) + to_call;
  const potAfterCall = seats.reduce((sum, { committed }) => sum + Math.min(committed, maxMatched), to_call);
  return potAfterCall ? Math.round((1000 * to_call) / potAfterCall) : 0;
}

/**
 * Lists the pots, with the bots that can win each side pot: "Main pot 1,400, side pot 825 (Doc, Tess)".
 *
 * @type {(pots: State["pots"], state: Pick<State, "seats" | "bots">) => string}
 */
export function potList(pots, { seats, bots }) {
  const name = (/** @type {number} */ seat) => bots[seats[seat]?.bot ?? 0]?.name ?? "";
  const parts = pots.map(({ amount, seats: who }, index) =>
    index ? `side pot ${chips(amount)} (${who.map(name).join(", ")})` : `main pot ${chips(amount)}`,
  );
  return capitalize(parts.join(", "));
}

/** @param {Seat} seat */
function isInHand(seat) {
  return seat.dealt_in && !seat.folded;
}

/** @type {(seat: Seat, state: State, liveHand: LiveHand | undefined) => HTMLElement} */
function seatRow(seat, state, liveHand) {
  const { seats, bots, turn } = state;
  const bot = bots[seat.bot];
  const ownTurn = turn && seats[turn.seat] === seat ? turn : null;
  const { label, tone } = plateOf(seat, ownTurn, bot?.presence === "lost", isShowdown(state));
  const name = el("bdi.player__name", bot?.name ?? "");
  const holeCards = cardLine("span.player__cards", seat.cards);
  const stack = `${chips(seat.stack)} chips`;
  const handName = madeBeside(tone, liveHand);
  const words = [seat.won ? `Won ${chips(seat.won)}` : label, liveHand ? handName : stack];
  const about = el("span.player__words", words.filter(Boolean).map(capitalize).join(" · "));
  const ahead = el(
    "span.player__ahead",
    liveHand ? `${stack} · ${liveHand.since ? `has led since the ${liveHand.since}` : outsText(liveHand)}` : "",
  );
  const root = el("li.player", name, about, ahead, holeCards, el("b.", chanceOf(seat)));
  setData(root, "leads", Boolean(liveHand?.since));
  setData(root, "quiet", !isInHand(seat));
  setData(root, "turn", ownTurn !== null);
  return root;
}

/**
 * Returns the name of a hand. Returns "" if the seat's plate already shows the hand, for example as "Three kings".
 *
 * @type {(tone: string, liveHand: Pick<LiveHand, "made"> | undefined) => string}
 */
export function madeBeside(tone, liveHand) {
  return liveHand && tone !== "hand" ? liveHand.made : "";
}

/** @param {LiveHand} now */
function outsText({ outs: many }) {
  if (many === null) return "behind";
  return many === 1 ? "1 out" : many ? `${many} outs` : "no outs";
}
