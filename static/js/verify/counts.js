/**
 * What there is to prove within hands, counted as it is proved.
 *
 * @import { Happening } from "./rules/events.js"
 */

import { decides } from "./rules/decide.js";

/** What happened in hands: cards dealt, decisions of bots, pots (of these: side pots, with odd chips), showdowns. */
export class Play {
  cards = 0;
  decisions = 0;
  pots = 0;
  sides = 0;
  odd = 0;
  showdowns = 0;

  /**
   * Adds the events of a hand to the counts; unknown cards are not counted.
   *
   * @param {Record<string, any>} rules
   * @param {readonly Happening[]} events
   */
  add(rules, events) {
    for (const event of events) {
      if (decides(rules, event)) this.decisions += 1;
      if (event.type === "hole_dealt" || event.type === "street_dealt") {
        this.cards += event.cards.filter(Boolean).length;
      } else if (event.type === "pot_awarded") {
        this.pots += 1;
        this.sides += event.pot > 0 ? 1 : 0;
        this.odd += event.amount % event.awards.length ? 1 : 0;
      }
    }
    this.showdowns += events.some((event) => event.type === "hand_shown" && event.ranking) ? 1 : 0;
  }
}
