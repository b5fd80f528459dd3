/**
 * The course of a contest: which stage and game follows, who sits down, who is out, who advances, who is paid what.
 *
 * @import { Happening } from "./rules/events.js"
 * @import { Field } from "./rules/draws.js"
 * @import { Table } from "./table.js"
 */

import { isNextStage, rulesOfContest } from "./contest-rules.js";
import { checkNames } from "./names.js";
import {
  alive,
  finalTable,
  lotsAmong,
  ranked,
  rankedBy,
  rankedInGame,
  retired,
  seatsDrawn,
  standing,
  undecided,
} from "./rules/draws.js";
import { expected } from "./rules/events.js";
import { ratedAfter } from "./rules/ratings.js";
import { must, same } from "./rules/refutation.js";
import { hexOf } from "./rules/sha256.js";
import { bytesOf, diceOf, keyOf, sealOf } from "./rules/shuffle.js";

export class Contest {
  /** @type {Field} */
  #field;
  /** @type {Happening | null} */
  #stage = null;
  #inStage = false;
  #cut = false;
  #gamesInStage = 0;
  /** @type {Happening | null} */
  game = null;
  games = 0;
  /** How many hands of the present game were played. */
  hands = 0;
  /** Of the last deck in the present game. @type {Uint8Array | null} */
  #lastKey = null;
  /** Everybody's chips in the present game. @type {number[]} */
  stacks = [];
  over = false;
  /** @type {string[]} */
  notes = [];
  count = { draws: 0, lots: 0, out: 0, won: 0, ratings: 0, places: 0, prizes: 0, cents: 0, dice: 0 };
  #forfeited = false;
  /** What must come next, before anything else of the contest. @type {Happening[]} */
  #due = [];
  /** @type {Map<string, string>} */
  #keys = new Map();

  /** @param {Happening} opened */
  constructor(opened) {
    /** @type {number[]} */
    const bots = opened.entrants.map((/** @type {any} */ entrant) => entrant.bot);
    must(new Set(bots).size === bots.length, "a bot is entered twice");
    checkNames(opened.entrants);
    this.opened = opened;
    const fresh = { stack: opened.starting_stack, games: 0, place: 0, withdrawn: false, won: 0, places: 0 };
    this.#field = { standings: new Map(bots.map((bot) => [bot, { ...fresh }])), stageBots: bots };
    const usual = this.#isContest && rulesOfContest(opened.contest);
    if (usual && JSON.stringify(usual) !== JSON.stringify(opened.rules)) {
      this.notes.push("The rules at the table are not those of the rule book.");
    }
  }

  /** Where in the contest we are, in words. */
  get where() {
    const stage = this.#inStage ? (this.#stage?.title ?? "") : "";
    return [stage, this.game ? `game ${this.game.game}` : ""].filter(Boolean).join(", ");
  }

  /**
   * What happens between hands.
   *
   * @param {Happening} event
   */
  take(event) {
    if (this.#due[0]?.type === event.type) {
      this.#settle(event);
      return;
    }
    this.#nothingIsDue();
    switch (event.type) {
      case "tournament_opened":
        return must(false, "the tournament is opened twice");
      case "bot_withdrawn":
        return this.#withdraw(event);
      case "stage_started":
        return this.#startStage(event);
      case "stage_cut":
        return this.#cutStage(event);
      case "stage_ended":
        return this.#endStage(event);
      case "game_started":
        return this.#startGame(event);
      case "game_ended":
        return this.#endGame(event);
      case "tournament_ended":
        return this.#end(event);
      default:
        return this.#settle(event);
    }
  }

  /** @param {number} number of the hand that begins, in its game */
  beginHand(number) {
    this.#nothingIsDue();
    must(this.game, "a hand is dealt outside a game");
    same("the number of the hand", number, this.hands + 1);
    must(!this.#gameOver, "a hand is dealt after the last one of its game");
  }

  /**
   * A hand was proved.
   *
   * @param {readonly number[]} stacks after it
   * @param {Uint8Array} key of its deck
   * @param {Table | null} played
   */
  endHand(stacks, key, played) {
    const game = this.game;
    if (!game) throw new RangeError("a hand ends in the game in which it began");
    same("the chips at the table", total(stacks) + (played?.gone ?? 0), total(this.stacks));
    const dice = diceOf(key);
    /** @type {Map<number, number>} */
    const broke = new Map();
    for (const [seat, bot] of game.seats.entries()) {
      if (this.stacks[seat] && !stacks[seat]) broke.set(bot, this.stacks[seat]);
    }
    const among = this.#stage?.series ? game.seats : this.#field.standings.keys();
    this.#due = retired(this.#field, broke, dice, among).map(([bot, place]) =>
      expected("bot_eliminated", { bot, seat: game.seats.indexOf(bot), place }),
    );
    if (played && played.lost >= 0) {
      const { lost, fault } = played;
      this.#due.push(expected("game_forfeited", { game: game.game, seat: lost, fault }));
    }
    this.count.lots += lotsAmong([...broke.values()]);
    this.#keys.set(`game ${game.game} hand ${this.hands + 1}`, hexOf(key));
    this.#lastKey = key;
    this.stacks = [...stacks];
    this.hands += 1;
  }

  #nothingIsDue() {
    must(!this.over, "the contest goes on after its end");
    const [due] = this.#due;
    if (!due) return;
    must(due.type !== "bot_eliminated", `bot ${due.bot} has lost its last chip, but is not out`);
    must(due.type !== "game_forfeited", `a fault cost seat ${due.seat + 1} the game, but it goes on`);
    must(false, `bot ${due.bot} has played a game, but its rating is not told`);
  }

  /**
   * What was due: a bot is out, a game is lost by a fault, a rating changes.
   *
   * @param {Happening} event
   */
  #settle(event) {
    const due = this.#due.shift();
    const { type, ...fields } = due ?? { type: "" };
    must(due && type === event.type, "somebody is put out, or a game is decided, although nothing led to it");
    const { type: _, ...recorded } = event;
    same(
      { bot_eliminated: "who is out in which place", bot_rated: "the rating" }[type] ?? "the lost game",
      recorded,
      fields,
    );
    if (type === "bot_eliminated") {
      this.count.out += 1;
      Object.assign(standing(this.#field.standings, event.bot), { stack: 0, place: event.place });
    } else if (type === "game_forfeited") {
      const chips = total(this.stacks);
      this.#forfeited = true;
      this.stacks = this.stacks.map((_stack, seat) => (seat === event.seat ? 0 : chips));
    } else this.count.ratings += 1;
  }

  /** @param {Happening} event */
  #withdraw(event) {
    const { standings, stageBots } = this.#field;
    must(!this.#stage && stageBots.includes(event.bot), `bot ${event.bot} is withdrawn when it is too late for that`);
    Object.assign(standing(standings, event.bot), {
      stack: 0,
      place: undecided(this.#field, standings.keys()),
      withdrawn: true,
    });
    this.#field.stageBots = stageBots.filter((bot) => bot !== event.bot);
    this.notes.push(`Bot ${event.bot} was withdrawn before the first stage: ${event.reason}.`);
  }

  /** @param {Happening} event */
  #startStage(event) {
    const { stage, bots, stacks, advance, carry } = event;
    const before = this.#stage;
    must(!this.#inStage && (!before || before.advance), "a stage is started within a stage or after the last one");
    must(stage > (before?.stage ?? 0), `stage ${stage} is started out of order`);
    same("the bots of the stage", bots, this.#field.stageBots);
    const records = bots.map((/** @type {number} */ bot) => standing(this.#field.standings, bot));
    const right = records.map((/** @type {any} */ one) => (carry ? one.stack : this.opened.starting_stack));
    same("the chips at the start of the stage", stacks, right);
    must(event.seats >= 2, `stage ${stage} is played at tables of ${event.seats}`);
    must(advance < Math.max(bots.length, 1), `stage ${stage} is played although everybody advances`);
    if (this.#isContest && !isNextStage(this.opened.contest, before?.stage ?? 0, bots.length, event)) {
      this.notes.push(`Stage ${stage}, ${event.title}, is announced otherwise than the rule book has it.`);
    }
    for (const [at, one] of records.entries()) Object.assign(one, { stack: stacks[at], won: 0, places: 0 });
    [this.#stage, this.#inStage, this.#cut, this.#gamesInStage] = [event, true, false, 0];
  }

  /** @param {Happening} event */
  #cutStage(event) {
    same("the stage that is cut", event.stage, this.#playing.stage);
    const isPlayed = this.game && !this.#gameOver;
    must(isPlayed || !this.#stageOver, `stage ${event.stage} is cut although it is over`);
    this.notes.push(`Stage ${event.stage} was ended early by the operator.`);
    this.#cut = true;
  }

  /** @param {Happening} event */
  #startGame(event) {
    const stage = this.#playing;
    must(!this.game && !this.#stageOver, "a game is started within a game or after the last one of its stage");
    const records = event.seats.map((/** @type {number} */ bot) => standing(this.#field.standings, bot));
    same("the chips at the start of the game", event.stacks, this.#firstStacks(event.seats));
    same("the number of the game", event.game, this.games + 1);
    same("how many hands are played in the game", event.hands, stage.hands);
    must(event.draw_key || !this.opened.prizes_cents.length, "the seats of a contest for prizes were not drawn");
    const key = bytesOf(event.draw_key, "the key of the draw");
    same(
      "the bots that were drawn, seat by seat,",
      event.seats,
      seatsDrawn(this.#field, stage, key.length ? diceOf(key) : null),
    );
    if (key.length) {
      this.#keys.set(`game ${event.game}`, hexOf(key));
      this.count.draws += 1;
    }
    for (const [seat, one] of records.entries()) {
      Object.assign(one, { games: one.games + 1, stack: event.stacks[seat], place: 0 });
    }
    this.games += 1;
    this.#gamesInStage += 1;
    [this.game, this.#forfeited, this.stacks, this.hands] = [event, false, [...event.stacks], 0];
  }

  /** @param {Happening} event */
  #endGame(event) {
    const game = this.game;
    must(game, "a game ends that was not started");
    same("the number of the game that ends", event.game, game.game);
    same("the chips at the end of the game", event.stacks, this.stacks);
    must(this.#gameOver, `the game ends after ${this.hands} of ${game.hands} hands, and nobody cut it short`);
    this.#rankGame(event, game);
    this.#due = ratedAfter(this.opened, game, event.stacks);
    for (const [seat, bot] of game.seats.entries()) standing(this.#field.standings, bot).stack = event.stacks[seat];
    this.game = null;
  }

  /**
   * Who has won a game of a series, and the order behind; nobody has where no hand was played.
   *
   * @param {Happening} event
   * @param {Happening} game
   */
  #rankGame(event, game) {
    const counts = this.#playing.series && this.hands && this.#lastKey;
    const right = counts ? rankedInGame(this.#field, game.seats, this.stacks, diceOf(counts)) : [];
    same("who won the game, and the order behind", event.ranking, right);
    if (counts) {
      this.count.won += 1;
      this.count.lots += lotsAmong(this.stacks.filter(Boolean));
    }
    for (const [at, bot] of right.entries()) {
      const one = standing(this.#field.standings, bot);
      Object.assign(one, { won: one.won + (at === 0 ? 1 : 0), places: one.places + at + 1 });
    }
  }

  /** @param {Happening} event */
  #endStage(event) {
    const stage = this.#playing;
    must(!this.game, "the stage ends within a game");
    const played = this.#gamesInStage;
    must(this.#stageOver, `the stage ends after ${played} of ${stage.games} games, and nobody cut it short`);
    const key = bytesOf(event.draw_key, "the key of the lots");
    const ranking = ranked(this.#field, stage, diceOf(key));
    const stacks = ranking.map((bot) => standing(this.#field.standings, bot).stack);
    const advancing = ranking.filter((_, at) => stage.series || stacks[at]).slice(0, stage.advance);
    same("the number of the stage that ends", event.stage, stage.stage);
    same("the ranking", event.ranking, ranking);
    same("the chips at the end of the stage", event.stacks, stacks);
    same("the bots that advance", event.advancing, advancing);
    this.count.lots += lotsAmong(this.#open(ranking));
    for (const [at, bot] of ranking.entries()) {
      standing(this.#field.standings, bot).place = at >= advancing.length ? at + 1 : 0;
    }
    this.#keys.set(`stage ${event.stage}`, hexOf(key));
    this.#field.stageBots = advancing;
    this.#inStage = false;
  }

  /** @param {Happening} event */
  #end(event) {
    const stage = this.#stage;
    must(stage && !this.#inStage && !stage.advance, "the tournament ends before its last stage has");
    const seed = bytesOf(event.seed, "the seed");
    same("the seal of the seed", this.opened.seed_commitment, sealOf(seed));
    for (const [name, key] of this.#keys) same(`the dice of ${name}`, key, hexOf(keyOf(seed, name)));
    const table = finalTable(this.opened, this.#field);
    for (const [at, line] of table.entries()) same(`line ${at + 1} of the final table`, event.placings[at], line);
    same("the number of lines of the final table", event.placings.length, table.length);
    const prizes = event.placings.map((/** @type {any} */ one) => one.prize_cents).filter(Boolean);
    const [places, cents] = [event.placings.length, total(prizes)];
    this.count = { ...this.count, places, prizes: prizes.length, cents, dice: this.#keys.size };
    this.over = true;
  }

  /**
   * What those are ranked by whose places no hand has decided: who is level there falls by lot.
   *
   * @param {readonly number[]} ranking
   */
  #open(ranking) {
    const stage = this.#playing;
    const records = ranking.map((bot) => standing(this.#field.standings, bot));
    return records.filter((one) => stage.series || !one.place).map((one) => rankedBy(one, stage).join(" "));
  }

  /**
   * What those in the seats begin their game with: in a series as much as at the stage's start, else what they have.
   *
   * @param {readonly number[]} seats
   */
  #firstStacks(seats) {
    const { series, bots, stacks } = this.#playing;
    return seats.map((bot) => (series ? stacks[bots.indexOf(bot)] : standing(this.#field.standings, bot).stack));
  }

  /** The stage that is played. */
  get #playing() {
    must(this.#inStage && this.#stage, "something of a stage happens outside one");
    return this.#stage;
  }

  get #decided() {
    const stage = this.#playing;
    return alive(this.#field, stage).length <= Math.max(stage.advance, 1);
  }

  get #stageOver() {
    const stage = this.#playing;
    return this.#cut || (stage.games && this.#gamesInStage >= stage.games) || this.#decided;
  }

  get #gameOver() {
    const { hands } = this.#playing;
    const lonely = this.stacks.filter((stack) => stack > 0).length < 2;
    return this.#forfeited || lonely || (hands && this.hands >= hands) || this.#cut || this.#decided;
  }

  /** Whether this is a contest, which claims to follow the rule book, and not a practice game: those have no prizes. */
  get #isContest() {
    return this.opened.prizes_cents.length > 0;
  }
}

/** @param {readonly number[]} numbers */
function total(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0);
}
