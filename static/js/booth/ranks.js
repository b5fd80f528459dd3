/**
 * The standings beside the hand.
 *
 * @import { State } from "../common/types.js"
 */

import { byId, el, mark, write } from "../common/dom.js";
import { ordinal } from "../common/format.js";
import { cutOf, ranked, worthOf } from "../common/ranking.js";

/** The list of all bots, the first on top; a line stands below the last who goes on. */
export class Ranks {
  /** @param {State} state */
  update(state) {
    const [bots, worth] = [ranked(state), worthOf(state)];
    const cut = cutOf(state, bots.length);
    write(byId("worth"), worth.title);
    const lines = bots.map(({ bot }, at) => {
      const place = ordinal(bot.place || at + 1);
      const line = el(
        "li.rank",
        el("span.", place),
        el("bdi.", bot.name),
        el("b.", bot.place ? "out" : worth.words(bot)),
      );
      mark(line, "cut", at + 1 === cut);
      return line;
    });
    byId("ranks").replaceChildren(...lines);
  }
}
