/**
 * The standings beside the hand: a press on a bot shows its card.
 *
 * @import { State } from "../common/types.js"
 * @import { Evening, PlayedHand } from "./evening.js"
 */

import { byId, el, mark, write } from "../common/dom.js";
import { ordinal } from "../common/format.js";
import { cutOf, ranked, worthOf } from "../common/ranking.js";
import { keyed } from "./keyed.js";

/** The list of all bots, the first on top; a line stands below the last who goes on. */
export class Ranks {
  #evening;
  #choose;

  /**
   * @param {Evening} evening
   * @param {(bot: number) => void} choose
   */
  constructor(evening, choose) {
    this.#evening = evening;
    this.#choose = choose;
  }

  /** @param {State} state */
  update(state) {
    const [bots, worth] = [ranked(state), worthOf(state)];
    const cut = cutOf(state, bots.length);
    write(byId("worth"), worth.title);
    write(byId("leader"), worth.title === "chips" ? leading(this.#evening.hands, state) : "");
    keyed(
      byId("ranks"),
      bots.map((each, at) => ({ ...each, at })),
      ({ number }) => number,
      ({ number }) => {
        const button = el("button.rank__button", el("span.rank__place"), el("bdi."), el("b."));
        button.addEventListener("click", () => this.#choose(number));
        return el("li.rank", button);
      },
      (node, { bot, at }) => {
        const [place, name, sum] = [...(node.firstElementChild?.children ?? [])];
        if (place && name && sum) {
          write(place, ordinal(bot.place || at + 1));
          write(name, bot.name);
          write(sum, bot.place && !state.placings.length ? "out" : worth.words(bot));
        }
        mark(node, "cut", at + 1 === cut);
      },
    );
  }
}

/**
 * Who has the most chips of the stage, and since when: "Doc leads since hand 12". "" before the first hand has ended,
 * or where two have as many.
 *
 * @param {PlayedHand[]} hands
 * @param {Pick<State, "stage" | "bots">} state
 */
export function leading(hands, { stage, bots }) {
  const played = hands.filter((hand) => hand.stage === stage?.title && Object.keys(hand.stacks ?? {}).length);
  const leader = leaderOf(played.at(-1), stage?.bots ?? []);
  if (!leader) return "";
  const since = played.findLastIndex((hand) => leaderOf(hand, stage?.bots ?? []) !== leader) + 1;
  const { game = 0, hand = 0 } = played[since] ?? {};
  const several = played.some((each) => each.game !== played[0]?.game);
  const from = since === 0 ? "from the start" : `since hand ${hand}${several ? ` of game ${game}` : ""}`;
  return `${bots[leader]?.name ?? ""} leads ${from}`;
}

/**
 * @param {PlayedHand | undefined} hand
 * @param {number[]} numbers
 * @returns {number} 0 where nobody leads alone
 */
function leaderOf(hand, numbers) {
  const stacks = numbers.map((number) => ({ number, chips: hand?.stacks?.[number] ?? 0 }));
  const [first, second] = stacks.sort((one, other) => other.chips - one.chips);
  return first && first.chips > (second?.chips ?? 0) ? first.number : 0;
}
