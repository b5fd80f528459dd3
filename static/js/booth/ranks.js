/**
 * The standings beside the hand. In the booth, a click on a bot shows its profile card. At the desk, the click scrolls
 * to the bot's row.
 *
 * @import { Bot, State } from "../common/types.js"
 * @import { FilmHand } from "../replay/film/film.js"
 * @import { Evening } from "./evening.js"
 */

import { button, byId, el, setData, setText } from "../common/dom.js";
import { ordinal } from "../common/format.js";
import { advancingCount, rankBots, rankingMetric } from "../common/ranking.js";
import { makeRowList } from "../lists/rows.js";

/**
 * Makes the ranking, with a line below the last bot that advances.
 *
 * @type {(evening: Evening, choose: (bot: number) => void) => (state: State) => void}
 */
export function ranksPanel(evening, choose) {
  const showRows = makeRowList(
    byId("ranks"),
    (/** @type {{ bot: Bot, place: number, sum: string, isCut: boolean }} */ { bot }) => bot.bot,
    ({ bot: { bot: number } }) => {
      const [rank, name, worth] = [el("span.rank__place"), el("bdi."), el("b.")];
      const root = el(
        "li.rank",
        button("rank__button", () => choose(number), rank, name, worth),
      );
      return {
        root,
        update: ({ bot, place, sum, isCut }) => {
          setText(rank, ordinal(place));
          setText(name, bot.name);
          setText(worth, sum);
          setData(root, "cut", isCut);
        },
      };
    },
  );
  return (state) => {
    const [bots, metric] = [rankBots(state), rankingMetric(state)];
    const advancing = advancingCount(state, bots.length);
    setText(byId("worth"), metric.title);
    setText(byId("leader"), metric.title === "chips" ? leaderWords(evening.hands, state) : "");
    showRows(
      bots.map((bot, index) => ({
        bot,
        place: bot.place || index + 1,
        isCut: index + 1 === advancing,
        sum: bot.place && !state.placings.length ? "out" : metric.text(bot),
      })),
    );
  };
}

/**
 * Says who leads the stage in chips, and since when: "Doc has led since hand 12". Returns "" before the end of the
 * first hand, and if several bots share the lead.
 *
 * @type {(hands: FilmHand[], state: Pick<State, "stage" | "bots">) => string}
 */
export function leaderWords(hands, { stage, bots }) {
  const played = hands.filter((hand) => hand.stage === stage?.title && Object.keys(hand.stacks).length);
  const leader = leaderOf(played.at(-1), stage?.bots ?? []);
  if (!leader) return "";
  const since = played.findLastIndex((hand) => leaderOf(hand, stage?.bots ?? []) !== leader) + 1;
  const { game = 0, hand = 0 } = played[since] ?? {};
  const several = played.some((each) => each.game !== played[0]?.game);
  const from = since === 0 ? "from the start" : `since hand ${hand}${several ? ` of game ${game}` : ""}`;
  return `${bots[leader]?.name ?? ""} has led ${from}`;
}

/**
 * Returns the number of the bot with the most chips after a hand, or 0 for a tie.
 *
 * @type {(hand: FilmHand | undefined, numbers: number[]) => number}
 */
export function leaderOf(hand, numbers) {
  const stacks = numbers.map((number) => ({ number, chips: hand?.stacks[number] ?? 0 }));
  const [first, second] = stacks.sort((one, other) => other.chips - one.chips);
  return first && first.chips > (second?.chips ?? 0) ? first.number : 0;
}
