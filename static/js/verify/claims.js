/**
 * The claims of a verdict: what was proved, how often, and what was not, in plain words.
 *
 * @typedef {{ of: string, count: number, words: string, how: string }} Claim `how` explains the check
 * @typedef {{ kind: "tournament" | "published" | "season", finished: boolean, open: boolean,
 *   count: Record<string, number> }} Story
 */

/**
 * @param {Story} story
 * @param {number} entries
 * @returns {Claim[]}
 */
export function claimsOf(story, entries) {
  const { count, finished } = story;
  const claims = [lines(entries)];
  if (story.kind === "season") claims.push(...ofASeason(count, finished));
  if (story.kind === "published") claims.push(...ofPlay(count, count.hands));
  if (story.kind === "tournament") {
    claims.push(decks(count, finished), cards(count), ...ofPlay(count, count.decks), ...ofAContest(count, finished));
  }
  return claims.filter((claim) => claim.count > 0);
}

/**
 * What this file cannot prove, in sentences.
 *
 * @param {Story} story
 * @param {number} torn bytes of a half-written last line
 */
export function openOf(story, torn) {
  const open = [];
  if (story.kind === "tournament" && !story.finished) {
    open.push(
      "The tournament is not at its end: the seed behind the decks, the places and the prizes are not told yet, so they are not proved.",
    );
  }
  if (story.kind === "tournament") {
    open.push(
      "Before the seed was sealed nobody was bound to it; from the opening on every card and every draw was fixed.",
    );
  }
  if (story.kind === "season") {
    open.push("The cards of each game stand in a recording of its own: prove those one by one.");
    if (!story.finished)
      open.push("The season is not over: who was drawn against whom cannot be proved before its seed is told.");
  }
  if (story.kind === "published") {
    open.push("Nobody sealed these decks beforehand: whether the cards fell by chance, nobody can prove.");
    const { concealed } = story.count;
    if (concealed) open.push(`In ${hands(concealed)} some cards are not known, as nobody had to show them.`);
  }
  if (story.kind !== "season") {
    open.push(
      "What a bot answered, and how long it thought, is as the server wrote it down: its owner can hold it against the bot's own log.",
    );
  }
  if (torn || story.open) open.push("The end of the file is cut off: what is only half there proves nothing.");
  return open;
}

/** @param {number} entries @returns {Claim} */
function lines(entries) {
  return {
    of: "entries",
    count: entries,
    words: `${many(entries, "line")}: numbered without a gap, and the sum at the end of each fits it and all before it.`,
    how: "Each line ends with 24 hexadecimal digits of a SHA-256 over the line and the digits before it. A line changed, left out or put in breaks all that follow. Who makes all sums anew is found by what comes next.",
  };
}

/** @param {Record<string, number>} count @param {boolean} finished @returns {Claim} */
function decks(count, finished) {
  const seed = finished ? ", and is the one the seed gives" : "";
  return {
    of: "decks",
    count: count.decks,
    words: `${many(count.decks, "deck")}: each was sealed before its hand with the hash that is in the recording${seed}.`,
    how: "The SHA-256 of the deck's key was told before the hand and the key after it. The key is the HMAC-SHA256 of the seed and the hand's name; it gives the order of the cards by a Fisher-Yates shuffle whose numbers are thrown away where they would favour a card. The seed itself was sealed when the tournament opened.",
  };
}

/** @param {Record<string, number>} count @returns {Claim} */
function cards(count) {
  return {
    of: "cards",
    count: count.cards,
    words: `${many(count.cards, "card")}, in the bots' hands and on the board, came off those decks in the right order.`,
    how: "Two cards to each bot from the button's left, then flop, turn and river, from the top.",
  };
}

/** @param {Record<string, number>} count @param {number} played @returns {Claim[]} */
function ofPlay(count, played) {
  return [
    {
      of: "decisions",
      count: count.decisions,
      words: `${many(count.decisions, "decision")}: each was made by the bot whose turn it was, and the rules allowed it.`,
      how: "Every hand was played again here, with the decisions that are recorded and the rules that were announced: whose turn it was, what there was to call, how far a raise could go.",
    },
    {
      of: "hands",
      count: played,
      words: `${hands(played)} came out to the chip: ${potsOf(count)}. No chip was made or lost.`,
      how: "Blinds, bets, what nobody called, main pot and side pots were worked out anew, and everybody's chips at the end of each hand.",
    },
    {
      of: "showdowns",
      count: count.showdowns,
      words: `${many(count.showdowns, "showdown")}: the best five cards won.`,
      how: "All hands that were left were ranked by an evaluator of this page's own.",
    },
  ];
}

/** @param {Record<string, number>} count @param {boolean} finished @returns {Claim[]} */
function ofAContest(count, finished) {
  const seed = finished ? "the seed" : "the key of the draw";
  const after = finished ? ", and the dice are those of the seed" : "";
  return [
    {
      of: "draws",
      count: count.draws,
      words: `${many(count.draws, "seat draw")}: who sat down, and where, follows from ${seed}, and from who had played least.`,
      how: "The bots that can still play are shuffled by the draw's key; those with the fewest games sit down, and are shuffled once more for the seats.",
    },
    {
      of: "lots",
      count: count.lots,
      words: `${many(count.lots, "tie")} fell by lot, by dice that were sealed before${after}.`,
      how: "Who lost its last chips in the same hand with the same stack, or stood level at the end of a stage, was put in order by committed dice.",
    },
    {
      of: "out",
      count: count.out,
      words: `${many(count.out, "bot")} went out when the last chip was gone, in the right place.`,
      how: "Of those that go out in the same hand, who had more before it comes out ahead.",
    },
    {
      of: "won",
      count: count.won,
      words: `${many(count.won, "game")} went to who is recorded, and so did the places behind; games won rank the bots.`,
      how: "The last one with chips has won, or at the end of the game whoever has most; who has as many is put in order by the dice of the last hand. Bots with as many games won stand by the sum of their places.",
    },
    {
      of: "ratings",
      count: count.ratings,
      words: `${many(count.ratings, "rating")} changed by what the game's chips come to.`,
      how: "Elo with K = 12; the score is the share of the chips.",
    },
    {
      of: "places",
      count: count.places,
      words: `${many(count.places, "place")} on the final table follow from all that.`,
      how: "By place where it was decided at the table, else by chips.",
    },
    {
      of: "prizes",
      count: count.prizes,
      words: `${many(count.prizes, "prize")}, ${dollars(count.cents)} in all, go to who is owed them.`,
      how: "A player's second bot is passed over and the money moves up; nothing of the pool is left.",
    },
  ];
}

/** @param {Record<string, number>} count @param {boolean} finished @returns {Claim[]} */
function ofASeason(count, finished) {
  const drawn = finished ? ", the one the seed gives" : "";
  return [
    {
      of: "draws",
      count: count.draws,
      words: `${many(count.draws, "draw")}: the order in which everybody challenged follows from the seed.`,
      how: "The seed was sealed when the season opened and told at its end.",
    },
    {
      of: "pairings",
      count: count.pairings,
      words: `${many(count.pairings, "game")}: each between two that were free and within five places of each other${drawn}.`,
      how: "Opponents are drawn by committed dice among those who are near on the leaderboard.",
    },
    {
      of: "ratings",
      count: count.ratings,
      words: `${many(count.ratings, "result")} changed both ratings by what its chips come to.`,
      how: "Elo from 1000 with K = 12; the score is the share of the chips.",
    },
  ];
}

/** @param {Record<string, number>} count */
function potsOf({ pots, sides, odd }) {
  const parts = [many(pots, "pot"), sides && `${many(sides, "side pot")} among them`, odd && `${odd} with odd chips`];
  return parts.filter(Boolean).join(", ");
}

/** @param {number} count */
function hands(count) {
  return many(count, "hand");
}

/**
 * @param {number} count
 * @param {string} thing
 */
function many(count, thing) {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
}

/** @param {number} cents */
function dollars(cents) {
  return (cents / 100).toLocaleString("en", { style: "currency", currency: "USD" });
}
