/**
 * Describes the picture in sentences for people who cannot see it: gives its captions, and says what else it shows. The
 * sentences contain only facts that are on air.
 *
 * @import { Entry, State } from "../../common/types.js"
 * @import { Change } from "../../overlay/store.js"
 */

import { spokenThought } from "../../common/checked-thought.js";
import { el } from "../../common/dom.js";
import {
  cardName,
  chips,
  OUTCOME_HEADINGS,
  ordinal,
  outcomeWords,
  outOf,
  percent,
  showPosition,
  winsText,
} from "../../common/format.js";

/** The maximum number of bots in one sentence. A longer sentence would not end before the picture changes. */
const MAX_BOTS = 4;
/** The number of sentences that are kept, for screen readers that are behind. */
const MAX_SENTENCES = 12;

/** The description as invisible text. Screen readers read out each sentence that is added. */
export class DescriptionLog {
  root = el("spoken");
  #description = new Description();

  constructor() {
    this.root.setAttribute("role", "log");
    this.root.setAttribute("aria-label", "What is seen");
  }

  /** Describes a change. Ignores an entry that is not `live`, because it comes late. @param {Change} change */
  applyChange({ entry, after, live }) {
    if (entry && !live) return;
    const sentences = entry ? this.#description.describeEntry(entry, after) : this.#description.describeNow(after);
    this.root.append(...sentences.map((sentence) => el("p.", sentence)));
    while (this.root.childElementCount > MAX_SENTENCES) this.root.firstElementChild?.remove();
  }
}

/** Describes one show while it runs. */
export class Description {
  /** The number of board cards when chances were last described, or -1 before the first time in this hand. */
  #describedCards = -1;

  /** The state of the show, for a new visitor. @type {(state: State) => string[]} */
  describeNow(state) {
    this.#describedCards = -1;
    if (!state.seq) return [];
    const where = `${showPosition(state).replaceAll(" · ", ", ")}.`;
    return [where, boardText(state), state.desk.trouble || state.desk.storyline || state.caption].filter(Boolean);
  }

  /**
   * Describes what `entry` has changed.
   *
   * @param {Entry} entry
   * @param {State} after the picture after `entry`
   * @returns {string[]} sentences, or none if the entry shows nothing new
   */
  describeEntry(entry, after) {
    switch (entry.type) {
      case "caption_spoken":
        return [entry.text];
      case "replay_started":
        return entry.told ? [entry.told] : [];
      case "trouble_shown":
      case "storyline_shown":
        return entry.text ? [entry.text] : [];
      case "hand_started": {
        this.#describedCards = -1;
        const { small_blind: small, big_blind: big, ante } = entry;
        const blinds = `Blinds ${chips(small)} and ${chips(big)}${ante ? `, ante ${chips(ante)}` : ""}.`;
        return [`Hand ${outOf(entry.hand, after.game?.hands ?? 0)}. ${blinds}`];
      }
      case "street_dealt":
        return [entry.street === "flop" ? boardText(after) : potText(after)];
      case "equities_changed":
        return this.#describeChances(entry, after);
      case "stakes_shown":
        return atStakeText(after);
      case "standings_changed":
        return [standingsText(after)];
      case "chat_sent":
        return [`${nameOf(after, entry.bot)} says: ${entry.text}`];
      case "thought_shown":
        return [`${nameOf(after, entry.bot)} thinks: ${spokenThought(entry.text, entry.checked)}`];
      default:
        return [];
    }
  }

  /**
   * Describes all chances, once on each street. The first time in a hand, also names the hole cards.
   *
   * @param {import("../../common/types.js").EquitiesChanged} event
   * @param {State} state
   */
  #describeChances({ chances }, state) {
    const cards = state.board.length;
    if (!cards || chances.length < 2 || cards === this.#describedCards) return [];
    const first = this.#describedCards < 0;
    this.#describedCards = cards;
    const best = [...chances].sort((one, other) => other.win - one.win).slice(0, MAX_BOTS);
    const each = best.map(({ seat: seatIndex, win }) => {
      const seat = state.seats[seatIndex];
      const held = first && seat?.cards.length ? `, with ${seat.cards.map(cardName).join(" and ")}` : "";
      return `${nameOf(state, seat?.bot ?? 0)}${held}, ${percent(win)}`;
    });
    return [`To win: ${each.join("; ")}.`];
  }
}

/** @param {State} state */
function boardText(state) {
  if (!state.board.length) return "";
  return `On the table: ${state.board.map(cardName).join(", ")}. ${potText(state)}`;
}

/** @param {State} state */
function potText(state) {
  return `The pot is ${chips(state.pot)}.`;
}

/** @param {State} state */
function atStakeText(state) {
  if (!state.stakes) return [];
  const { seat, outcomes } = state.stakes;
  const cases = outcomes.map(
    (each) => `${OUTCOME_HEADINGS[each.case].toLowerCase()}: ${outcomeWords(each, state.bots)}`,
  );
  return [`What is at stake for ${nameOf(state, state.seats[seat]?.bot ?? 0)}: ${cases.join("; ")}.`];
}

/** @param {State} state */
function standingsText(state) {
  const first = state.standings.rows.slice(0, MAX_BOTS).map((row) => {
    const amount = state.stage?.series ? winsText(row.wins) : chips(row.stack);
    return `${ordinal(row.rank)} ${nameOf(state, row.bot)}, ${amount}`;
  });
  return `The standings: ${first.join("; ")}.`;
}

/** @type {(state: State, bot: number) => string} */
function nameOf(state, bot) {
  return state.bots[bot]?.name ?? "a bot";
}
