/**
 * Follows a recording event by event and proves its cards and draws.
 *
 * @import { RecordedEvent } from "./events.js"
 */

import { DealtHand } from "./hand.js";
import { bytesToHex } from "./noble-hashes.js";
import { expectEqual, expectTrue, parseKey } from "./refutation.js";
import { SeatDraws } from "./seats.js";
import { commitmentTo, deckName, deckOf, keyOf } from "./shuffle.js";

/** Checks a tournament, or a file of published hands. The decks of published hands cannot be checked. */
export class TournamentChecker {
  #openingEvent;
  #seatDraws;
  /** The names and keys of all decks and draws so far. The seed must give every key. @type {[string, Uint8Array][]} */
  #keys = [];
  /** @type {RecordedEvent | null} */
  #game = null;
  #stage = "";
  #hands = 0;
  /** @type {DealtHand | null} */
  #hand = null;
  count = { decks: 0, hands: 0, cards: 0, draws: 0, concealed: 0 };
  /** Whether the tournament is over. If it is, the seed has been proved. */
  finished = false;

  /** Throws Refuted if the first event does not open a tournament. @param {RecordedEvent} opened the first event */
  constructor(opened) {
    expectTrue(opened.type === "tournament_opened", "the recording does not begin with the opening of a tournament");
    this.kind = opened.contest === "published" && !opened.seed_commitment ? "published" : "tournament";
    this.#openingEvent = opened;
    this.#seatDraws = new SeatDraws(opened);
  }

  /** Whether the last hand is incomplete. */
  get open() {
    return this.#hand !== null;
  }

  /** The current position: "The Trials, game 3, hand 2". */
  get where() {
    const hand = this.#hand ? `hand ${this.#hand.number}` : "";
    return [this.#stage, this.#game ? `game ${this.#game.game}` : "", hand].filter(Boolean).join(", ");
  }

  /** Throws Refuted if the event contradicts earlier events. @param {RecordedEvent} event */
  apply(event) {
    if (event.type === "hand_started") this.#beginHand(event);
    else if (event.type === "hand_ended") this.#endHand(event);
    else if (this.#hand) this.#hand.apply(event);
    else this.#applyBetweenHands(event);
  }

  /** @param {RecordedEvent} event */
  #applyBetweenHands(event) {
    const isCard = ["hole_dealt", "street_dealt", "hand_shown"].includes(event.type);
    expectTrue(!isCard, "an event of a hand happens outside a hand");
    if (event.type === "tournament_opened") expectTrue(this.kind === "published", "the tournament is opened twice");
    if (event.type === "stage_started") this.#stage = event.title;
    if (event.type === "stage_ended")
      this.#keys.push([`stage ${event.stage}`, parseKey(event.draw_key, "the key of the lots")]);
    if (event.type === "game_started") this.#beginGame(event);
    if (this.kind === "tournament") this.#seatDraws.apply(event);
    if (event.type === "game_ended") this.#game = null;
    if (event.type === "tournament_ended") this.#checkSeed(event);
  }

  /** @param {RecordedEvent} game */
  #beginGame(game) {
    [this.#game, this.#hands] = [game, 0];
    if (this.kind === "published") return;
    const key = parseKey(game.draw_key, "the key of the draw");
    const { isDuplicateStage: areDuplicates, isDealStage: haveDeals, gameToRepeat } = this.#seatDraws;
    // `dealt_as` is the number of the earlier game whose decks this game repeats.
    expectTrue(!game.dealt_as || areDuplicates || haveDeals, "a game reuses decks, but each game must have its own");
    if (haveDeals) expectEqual("the game whose decks are dealt again", game.dealt_as, gameToRepeat);
    const areSeatsDrawn = key.length || areDuplicates || gameToRepeat;
    expectTrue(
      areSeatsDrawn || !this.#openingEvent.prizes_cents.length,
      "the seats of a contest for prizes were not drawn",
    );
    this.#seatDraws.check(game, key);
    if (!key.length) return;
    this.#keys.push([`game ${game.game}`, key]);
    this.count.draws += 1;
  }

  /** @param {RecordedEvent} started */
  #beginHand(started) {
    expectTrue(!this.#hand, "a hand begins within a hand");
    expectTrue(this.#game, "a hand is dealt outside a game");
    if (this.kind === "tournament") expectEqual("the number of the hand", started.hand, this.#hands + 1);
    this.#hand = new DealtHand(started);
  }

  /** @param {RecordedEvent} ended */
  #endHand({ deck_key }) {
    const hand = this.#hand;
    expectTrue(hand && this.#game, "an event of a hand happens outside a hand");
    if (this.kind === "published") {
      expectEqual("the seal and the key of the deck", [hand.commitment, deck_key], ["", ""]);
      hand.checkShown();
    } else {
      const key = parseKey(deck_key, "the key of the deck");
      expectEqual("the seal that was put on the deck before the hand", hand.commitment, commitmentTo(key));
      hand.checkDeal(deckOf(key));
      const name = deckName(this.#game.dealt_as || this.#game.game, hand.number);
      this.#keys.push([name, key]);
      this.count.decks += 1;
    }
    this.count.hands += 1;
    this.count.cards += hand.cards;
    this.count.concealed += hand.concealed ? 1 : 0;
    this.#hands += 1;
    this.#hand = null;
  }

  /** @param {RecordedEvent} ended */
  #checkSeed(ended) {
    const seed = parseKey(ended.seed, "the seed");
    expectEqual("the seal of the seed", this.#openingEvent.seed_commitment, commitmentTo(seed));
    for (const [name, key] of this.#keys)
      expectEqual(`the key of ${name}`, bytesToHex(key), bytesToHex(keyOf(seed, name)));
    this.finished = true;
  }
}

/** Checks the ledger, the record of a whole season. Only its seed is proved here. */
export class LedgerChecker {
  kind = "season";
  count = { seeds: 0 };
  finished = false;
  open = false;
  where = "";
  #commitment;

  /** @param {RecordedEvent} opened */
  constructor(opened) {
    this.#commitment = opened.seed_commitment;
  }

  /** Throws Refuted if the season's seed is not the sealed seed. @param {RecordedEvent} event */
  apply(event) {
    if (event.type !== "season_ended") return;
    expectEqual("the seal of the seed", this.#commitment, commitmentTo(parseKey(event.seed, "the seed")));
    this.count.seeds = 1;
    this.finished = true;
  }
}
