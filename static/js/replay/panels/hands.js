/**
 * Lists all hands with pot, winners and marks (such as "Bluff"). A click goes to a hand. Hands after the current moment
 * show only their numbers, unless the visitor wants to see results.
 *
 * @import { FollowedBots } from "../../common/followed.js"
 * @import { Row } from "../../lists/rows.js"
 * @import { State } from "../../common/types.js"
 * @import { Film, FilmHand } from "../film/film.js"
 * @typedef {{ number: number, hand: FilmHand, before: FilmHand | undefined, hasResult: boolean, winners: string[],
 *   isGone: boolean, isNow: boolean }} HandLine `isGone` means that the hand is no longer available
 */

import { button, el, redraw, setData, setText } from "../../common/dom.js";
import { markedNames } from "../../common/followed.js";
import { chips } from "../../common/format.js";
import { makeRowList } from "../../lists/rows.js";

/**
 * @param {HTMLElement} host an empty list
 * @param {Film} film
 * @param {FollowedBots} followed
 * @param {boolean} showsResults whether to show results of later hands, too
 * @param {(hand: number) => void} go called with the hand that was clicked
 * @returns {(shownHand: number, state: State) => void} draws the list, and marks the hand `shownHand`
 */
export function handsPanel(host, film, followed, showsResults, go) {
  let drawn = "";
  const showRows = makeRowList(
    host,
    (/** @type {HandLine} */ { number }) => number,
    ({ number }) => handRow(followed, () => go(number)),
  );
  return (shownHand, state) => {
    const { outline, revision, first: firstAvailable } = film;
    const isOver = state.hand?.over !== false;
    const key = JSON.stringify([shownHand, isOver, revision, outline.hands.length, firstAvailable, followed.names]);
    if (key === drawn) return;
    drawn = key;
    const names = new Map(outline.bots.map(({ bot, name }) => [bot, name]));
    const previous = host.querySelector("[aria-current]");
    const wasSeen = previous !== null && isSeen(previous);
    const lines = outline.hands.map((hand, number) => {
      const hasResult = showsResults || number < shownHand || (number === shownHand && isOver);
      const winners = (hasResult ? hand.won : []).map(([bot]) => names.get(bot) ?? "");
      const before = outline.hands[number - 1];
      return { number, hand, before, hasResult, winners, isGone: number < firstAvailable, isNow: number === shownHand };
    });
    showRows(lines.slice(1));
    const now = host.querySelector("[aria-current]");
    if (wasSeen && now !== previous) now?.parentElement?.scrollIntoView({ block: "nearest" });
  };
}

/** @type {(followed: FollowedBots, go: () => void) => Row<HandLine>} */
function handRow(followed, go) {
  const game = el("b.handline__game");
  const lineButton = button("handline__button", go);
  const root = el("li.handline", game, lineButton);
  return {
    root,
    update: ({ hand, before, hasResult, winners, isGone, isNow }) => {
      const isFirst = hand.stage !== before?.stage || gameOf(hand) !== gameOf(before);
      setText(game, isFirst ? [hand.stage, gameOf(hand)].filter(Boolean).join(" · ") : "");
      game.hidden = !isFirst;
      setData(root, "later", !hasResult);
      lineButton.disabled = isGone;
      if (isNow) lineButton.setAttribute("aria-current", "true");
      else lineButton.removeAttribute("aria-current");
      const marks = hasResult ? hand.marks : [];
      const pot = hasResult && hand.pot ? chips(hand.pot) : "";
      const number = gameOf(hand) ? `Hand ${hand.hand}` : `Deal ${hand.deal}`;
      redraw(lineButton, [number, winners, winners.map((name) => followed.has(name)), pot, marks], () => [
        el("span.handline__number", number),
        el("span.handline__who", ...markedNames(winners, followed)),
        el("span.handline__pot", pot),
        el("span.handline__marks", ...marks.map((name) => el("span.handline__mark", name))),
      ]);
    },
  };
}

/** @param {Element} line */
function isSeen(line) {
  const { top, bottom, height } = line.getBoundingClientRect();
  const box = line.closest(".tabpanel")?.getBoundingClientRect();
  return height > 0 && bottom > Math.max(0, box?.top ?? 0) && top < Math.min(innerHeight, box?.bottom ?? 0);
}

/** The heading above a game's hands, or "" if each hand is a deal (played at several tables). @param {FilmHand} hand */
function gameOf({ game, deal, deal_hands = 0 }) {
  if (!deal) return `game ${game}`;
  return deal_hands > 1 ? `deal ${deal}` : "";
}
