/**
 * Formats chips, money, times, names, seats and stages for the screen. No DOM, no imports.
 *
 * @import { Game, Hand, Outcome, Seat, SeatAct, Stage, State, Turn } from "./types.js"
 */

const NUMBERS = new Intl.NumberFormat("en-US");
const NUMBER_WORDS = "no one two three four five six seven eight nine ten eleven twelve".split(" ");

/** @param {number} amount @returns {string} "1,200" */
export function chips(amount) {
  return NUMBERS.format(amount);
}

/** What an action is called: "raises to 1,200". @param {Pick<SeatAct, "act" | "bet">} act */
export function actWords({ act, bet }) {
  if (act === "bet") return `bets ${chips(bet)}`;
  return act === "raise" ? `raises to ${chips(bet)}` : `${act}s`;
}

/** @param {number} amount @returns {string} "+1,200", "−300", "0" */
export function signed(amount) {
  return amount < 0 ? `−${chips(-amount)}` : amount ? `+${chips(amount)}` : "0";
}

/** @param {number} cents @returns {string} "$1,210" or "$12.50" */
export function money(cents) {
  return `$${formatDecimal(cents / 100, cents % 100 ? 2 : 0)}`;
}

/** @type {(number: number, digits: number) => string} */
function formatDecimal(number, digits) {
  return number.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** @param {number} number @returns {string} "1st" */
export function ordinal(number) {
  const isTeen = number % 100 > 10 && number % 100 < 14;
  return `${number}${(!isTeen && { 1: "st", 2: "nd", 3: "rd" }[number % 10]) || "th"}`;
}

/**
 * Returns a place by chips, such as "2nd". "T2" means a tie for second place, as on a golf leaderboard.
 *
 * @type {(stack: number, others: number[]) => string} `others`: the stacks of all other bots
 */
export function placeOf(stack, others) {
  const place = 1 + others.filter((other) => other > stack).length;
  return others.includes(stack) ? `T${place}` : ordinal(place);
}

/** @param {number} tenths of a percent @returns {string} "71%", or "<1%" and ">99%" for chances that are not certain */
export function percent(tenths) {
  if (tenths > 0 && tenths < 10) return "<1%";
  if (tenths > 990 && tenths < 1000) return ">99%";
  return `${Math.round(tenths / 10)}%`;
}

/**
 * Whether a tie is likelier than a win, and likely enough to be shown. Both chances are in tenths of a percent.
 *
 * @type {(win: number, tie: number) => boolean}
 */
export function isTieLikelier(win, tie) {
  return tie > win && tie >= 50;
}

/**
 * Formats a chance as the picture shows it. If a tie is likelier than a win, gives the chance to tie. An unknown chance
 * is "".
 *
 * @param {{ win: number | null, tie: number | null }} chance in tenths of a percent
 */
export function chanceOf({ win, tie }) {
  if (win === null) return "";
  return isTieLikelier(win, tie ?? 0) ? `tie ${percent(tie ?? 0)}` : percent(win);
}

/** @param {number} number @returns {string} a word such as "six", or digits above twelve */
export function numberInWords(number) {
  return NUMBER_WORDS[number] ?? String(number);
}

/** @param {number} ms @returns {string} "1:02:33" or "4:07" */
export function durationText(ms) {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** @param {string} words @returns {string} "Two pair, kings and fours" */
export function capitalize(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @param {string} title @returns {string} "HIGH NOON" */
export function upperCase(title) {
  return title.toLocaleUpperCase("en");
}

/** @param {string} card "Td" @returns {string} the rank as printed: "10" */
export function printedRank(card) {
  return card.startsWith("T") ? "10" : card.charAt(0);
}

/** @type {Record<string, string>} */
const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
/** @type {Record<string, string>} */
const RANK_NAMES = { J: "jack", Q: "queen", K: "king", A: "ace" };

/** @param {string} card "As" @returns {string} "ace of spades" */
export function cardName(card) {
  return `${RANK_NAMES[card.charAt(0)] ?? printedRank(card)} of ${SUIT_NAMES[card.charAt(1)] ?? ""}`;
}

/**
 * Returns short forms of names, such as "Billy" for "Billy the Kid". Bots whose short forms are the same, apart from
 * accents and case, keep their whole names.
 *
 * @param {string[]} names
 * @returns {string[]}
 */
export function shortNames(names) {
  const firsts = names.map((name) => shortFormOf(name));
  const plain = firsts.map((first) => first.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase());
  return names.map((name, index) =>
    plain.filter((first) => first === plain[index]).length > 1 ? name : (firsts[index] ?? name),
  );
}

/** The short form of a bot's name among all bots. @type {(bots: State["bots"], bot: number) => string} */
export function shortNameAmong(bots, bot) {
  const names = shortNames(Object.values(bots).map(({ name }) => name));
  return names[Object.keys(bots).indexOf(`${bot}`)];
}

/** Words that introduce an origin, as in "Jeanne of Arc". */
const ORIGIN_WORDS = new Set(["de", "del", "di", "da", "of", "von", "van"]);
/** Alone, each of these words looks like a poker term, not like a name. */
const POKER_WORDS = new Set(
  "ace ante bet bluff board call check counter dealer flop fold hand king pair pot queen quick raise river straight turn two-pair".split(
    " ",
  ),
);

/** @param {string} name */
function shortFormOf(name) {
  const [first = "", ...more] = name.split(/\s+/).filter(Boolean);
  const end = more.findIndex((word) => ORIGIN_WORDS.has(word.toLowerCase()));
  const words = [first, ...(end > 0 ? more.slice(0, end) : more)];
  const weak = new Set([...ORIGIN_WORDS, "the", "a", "an", "old", "man", "el", "la", "señor", "judge"]);
  const strong = words.filter((word) => !weak.has(word.toLowerCase()) && !POKER_WORDS.has(word.toLowerCase()));
  return (weak.has(first.toLowerCase()) ? strong.at(-1) : strong[0]) ?? name;
}

const FAULT_LABELS = { "": "", timeout: "Timed out", malformed: "Misfired", illegal: "Misfired", disconnected: "Gone" };
const ACT_LABELS = { "": "", fold: "Folded", check: "Check", call: "Call", bet: "Bet", raise: "Raise to" };

/**
 * The content of the plate below a seat's cards: a label, an amount and a tone. An amount of 0 means none.
 *
 * @param {Seat} seat
 * @param {Turn | null} turn the current turn, or null if another seat has it
 * @param {boolean} isOffline whether the bot is offline
 * @param {boolean} areHandsShown whether hands are shown, as at a showdown; if so, the plate shows no action
 * @returns {{ label: string, amount: number,
 *   tone: "none" | "quiet" | "calm" | "bold" | "allin" | "turn" | "hand" | "lost" }}
 */
export function plateOf(seat, turn, isOffline, areHandsShown) {
  if (seat.place || seat.won || !seat.dealt_in) return { label: "", amount: 0, tone: "none" };
  if (seat.ranking) return { label: capitalize(seat.ranking), amount: 0, tone: "hand" };
  const amount = areHandsShown || seat.act === "check" ? 0 : seat.street_bet || (seat.all_in ? seat.committed : 0);
  if (isOffline) return { label: "Offline", amount, tone: "lost" };
  if (turn) {
    return { label: turn.to_call ? `${chips(turn.to_call)} to call` : "To act", amount: seat.bet, tone: "turn" };
  }
  if (seat.folded) return { label: FAULT_LABELS[seat.fault] || "Folded", amount: 0, tone: "quiet" };
  if (areHandsShown) return { label: "", amount: 0, tone: "none" };
  if (seat.all_in) return { label: "All in", amount, tone: "allin" };
  const act = ACT_LABELS[seat.act];
  // A bet that nobody called has been returned. It has no amount any more, so the plate does not name it.
  if (act && (amount || seat.act === "check"))
    return { label: act, amount, tone: seat.act === "bet" || seat.act === "raise" ? "bold" : "calm" };
  if (amount) return { label: seat.blind === "small" ? "Small blind" : "Big blind", amount, tone: "calm" };
  return { label: "", amount: 0, tone: "none" };
}

/**
 * The text of a seat's clock: the time left in the bot's time bank or, after a long thought, how long the bot thought.
 * `hasRoomForWord`: whether there is room for the word "thought".
 *
 * @type {(seat: Seat, turn: Turn | null, hasRoomForWord: boolean) => string}
 */
export function clockOf({ bank_ms = 0, thought_ms }, turn, hasRoomForWord) {
  if (thought_ms && !turn) return `${hasRoomForWord ? "thought " : ""}${Math.floor(thought_ms / 1000)} s`;
  const seconds = Math.floor(bank_ms / 1000);
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
}

/** Whether hands are named in the picture, as at a showdown. @param {{ seats: Seat[] }} state */
export function isShowdown({ seats }) {
  return seats.some((seat) => seat.ranking !== "");
}

/** The current position of the show: "Game 3 of up to 15 · Hand 4 of 6 · Blinds 50/100". @param {State} state */
export function showPosition(state) {
  const { stage, game, hand, deal } = state;
  if (!stage) return state.tournament.contest ? "The bots are saddling up" : "Waiting for the show";
  const parts = [];
  const hasManyGames = hasSeveralGames(stage);
  // Before the first hand of a deal (the same cards at several tables), the scenes are still about the previous deal.
  const number = game && ((!hand && deal?.deal) || gameOfStage(stage, game));
  const which = stage.deals ? "deal" : "game";
  if (number && hasManyGames)
    parts.push(`${stage.decided ? "decided after " : ""}${which} ${number}${gamesOf(stage, " of ")}`);
  if (!game && hasManyGames)
    parts.push(
      `${numberInWords(stage.bots.length)} bots${stage.games ? `${gamesOf(stage, " · ")} ${stage.deals ? "deals" : "games"}` : ""}`,
    );
  if (hand && game && !game.over) {
    if (!stage.deals || game.hands !== 1) parts.push(`Hand ${outOf(hand.hand, game.hands)}`);
    parts.push(`Blinds ${chips(hand.small_blind)}/${chips(hand.big_blind)}`);
  }
  if (!parts.length)
    parts.push(`${stage.bots.length} bots · ${stage.hands ? `${stage.hands} hands` : "until one is left"}`);
  return capitalize(parts.join(" · "));
}

/**
 * Returns the words `before`, and then the number of games: " of up to 15". "Up to" means that the stage may end
 * sooner. It may end once only the bots that advance are left. A stage of deals may end once the best bot is known
 * with a certainty of `sure_percent`.
 *
 * @type {(stage: Stage, before: string) => string}
 */
function gamesOf({ games, advance, series, deals, sure_percent, decided }, before) {
  const mayEndSooner = deals ? sure_percent && !decided : advance && !series;
  return games ? `${before}${mayEndSooner ? "up to " : ""}${games}` : "";
}

/** @param {number} rating in hundredths of a point @returns {string} "1,012.3" */
export function ratingText(rating) {
  return formatDecimal(rating / 100, 1);
}

/** @param {{ games: number }} stage `games` is 0 if their number is unknown */
export function hasSeveralGames(stage) {
  return stage.games !== 1;
}

/** @param {number} won how many games of a series @returns {string} "2 wins" */
export function winsText(won) {
  return `${won} ${won === 1 ? "win" : "wins"}`;
}

/** "3 of 15", or "3" if `all` is 0 (unknown). @type {(count: number, all: number) => string} */
export function outOf(count, all) {
  return all ? `${count} of ${all}` : `${count}`;
}

/**
 * Says what the bots of a stage play for: "Top six ride on to High Noon", or the prizes.
 *
 * @param {State} state
 * @returns {{ lead: string, rest: string }[]} lines, each with a bright and a plain part
 */
export function stageRewards(state) {
  if (state.stage?.advance) {
    // Early recordings do not name the next stage.
    const onto = state.stage.next_title || "High Noon";
    return [{ lead: `Top ${numberInWords(state.stage.advance)}`, rest: `ride on to ${onto}` }];
  }
  const ratings = state.seats.map((seat) => state.bots[seat.bot]?.rating ?? 0);
  if (ratings.length && ratings.every(Boolean))
    return [{ lead: ratings.map(ratingText).join(" v "), rest: "by rating" }];
  const prizes = prizesOf(state);
  if (state.stage?.series && !prizes.length) return [{ lead: "Most games won", rest: "is champion" }];
  return prizes.slice(0, 3).map((cents, index) => ({ lead: ordinal(index + 1), rest: money(cents) }));
}

/**
 * Returns the prizes in cents, the champion's prize first. Each player wins at most one prize. If there are more prizes
 * than players, the champion also gets the prizes that are left.
 *
 * @param {State} state
 */
export function prizesOf({ bots, tournament }) {
  const players = new Set(Object.values(bots).map(({ bot, player }) => player || bot)).size;
  const prizes = tournament.prizes_cents;
  const rest = prizes.slice(players).reduce((sum, cents) => sum + cents, 0);
  return prizes.slice(0, players).map((cents, index) => (index ? cents : cents + rest));
}

/**
 * Returns the outcomes of a decision: what happens if the bot wins, loses, splits or folds. If a win or a loss is
 * impossible, the text of this outcome says so.
 *
 * @param {State} state
 * @returns {Outcome[]}
 */
export function outcomesOf({ stakes: shown, seats }) {
  if (!shown) return [];
  const { outcomes, seat } = shown;
  const { win = null } = seats[seat] ?? {};
  const has = (/** @type {Outcome["case"]} */ name) => outcomes.some((each) => each.case === name);
  if (win === 0 && has("loses") && !has("wins")) {
    return [{ case: "wins", text: has("shares") ? "can only split" : "drawing dead", rival: 0 }, ...outcomes];
  }
  if (win === 1000 && has("wins") && !has("loses")) {
    return outcomes.toSpliced(1, 0, { case: "loses", text: "cannot lose", rival: 0 });
  }
  return outcomes;
}

/** The headings for the outcomes of a decision. */
export const OUTCOME_HEADINGS = { wins: "Wins", loses: "Loses", shares: "Splits", folds: "Folds" };

/** Says where a bot would stand: "2nd, 1,300 behind Doc". @type {(outcome: Outcome, bots: State["bots"]) => string} */
export function outcomeWords({ text, rival }, bots) {
  const name = rival ? shortNameAmong(bots, rival) : "";
  return name ? `${text} ${name}` : text;
}

/** A game's number within its stage, from 1. @type {(stage: Stage, game: Pick<Game, "game">) => number} */
export function gameOfStage(stage, game) {
  return game.game - stage.first_game + 1;
}

/** The height of the sun in the picture: 0 at dawn, 1 at the last hand of the last stage. @param {State} state */
export function sunHeight(state) {
  const { stage, game, hand } = state;
  if (!stage) return 0;
  const isGameCountKnown = stage.games && (stage.hands || stage.series);
  const done = isGameCountKnown
    ? sharePlayed(stage, game, hand, stage.series ? shareEliminated(state) : 0)
    : shareEliminated(state);
  if (stage.advance) return 0.45 * done;
  return stage.stage > 1 ? 0.45 + 0.55 * done : done;
}

/**
 * Returns the share of a stage that has been played, 0 to 1. The stage's number of games must be known. The current
 * game counts as the share of its hands that are over, or as the share of its eliminations (`decided`) if this share
 * is larger.
 *
 * @type {(stage: Stage, game: Game | null, hand: Hand | null, decided: number) => number}
 */
function sharePlayed(stage, game, hand, decided) {
  const dealt = hand && game?.hands ? (hand.over ? hand.hand : hand.hand - 1) / game.hands : 0;
  const inGame = Math.max(dealt, decided);
  const before = game ? gameOfStage(stage, game) - 1 : 0;
  return Math.min(1, (before + (game?.over ? 1 : inGame)) / stage.games);
}

/** The share of the stage's eliminations that have already happened, 0 to 1. @param {State} state */
function shareEliminated({ stage, bots }) {
  if (!stage) return 0;
  const out = stage.bots.filter((bot) => bots[bot]?.place).length;
  return Math.min(1, out / Math.max(1, stage.bots.length - Math.max(1, stage.advance)));
}
