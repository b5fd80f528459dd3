/**
 * The text of the verdict on a recording: the claims that were proved, with counts, and caveats about everything else.
 *
 * @typedef {{ of: string, count: number, words: string, how: string }} ProvedFact `count` is the number of things of
 *   the kind `of`. `how` explains the check
 * @typedef {{ kind: string, finished: boolean, open: boolean, count: Record<string, number> }} Checker what was read
 *   in a recording: `kind` is "tournament", "season" or "published"; `open` says whether the last hand is incomplete
 */

/** @type {(checker: Checker, entries: number) => ProvedFact[]} `entries` is the number of lines */
export function listProvedFacts({ count, finished, kind }, entries) {
  const lines = {
    of: "entries",
    count: entries,
    words: `${countText(entries, "line")}: numbered without a gap, and every checksum is valid.`,
    how: "Each line ends with 24 hexadecimal digits of a SHA-256 over this line and the previous line's digits. If a line is changed, removed or added, all later checksums are wrong. The checks below catch a forger who computes new checksums.",
  };
  const facts = [lines];
  if (kind === "season") {
    facts.push({
      of: "seeds",
      count: count.seeds,
      words: `${countText(count.seeds, "seed")}: it is the seed that was sealed when the season opened.`,
      how: "The first line contains the seed's SHA-256, the last line the seed itself.",
    });
  }
  if (kind === "published") {
    facts.push({
      of: "cards",
      count: count.cards,
      words: `${countText(count.cards, "card")}: no hand has a card twice, and the cards shown are the cards dealt.`,
      how: "All known cards of a hand were compared with one another and with the cards shown at the end of it.",
    });
  }
  if (kind === "tournament") facts.push(...tournamentFacts(count, finished));
  return facts.filter((claim) => claim.count > 0);
}

/** @type {(count: Record<string, number>, finished: boolean) => ProvedFact[]} */
function tournamentFacts(count, finished) {
  const [given, seed] = finished ? [", and follows from the seed", "the seed"] : ["", "the draw's key"];
  return [
    {
      of: "decks",
      count: count.decks,
      words: `${countText(count.decks, "deck")}: each was sealed before its hand with the hash that is in the recording${given}.`,
      how: "The SHA-256 of the deck's key was published before the hand, and the key after it. The key is the HMAC-SHA256 of the hand's name under the seed. It determines the order of the cards by a Fisher-Yates shuffle. The shuffle discards random numbers that would favour a card. The seed itself was sealed when the tournament opened.",
    },
    {
      of: "cards",
      count: count.cards,
      words: `${countText(count.cards, "card")}, in the bots' hands and on the board, came off those decks in the right order.`,
      how: "From the top of the deck: two cards for each bot, starting at the button's left, then flop, turn and river. The cards shown at the end are the cards dealt.",
    },
    {
      of: "draws",
      count: count.draws,
      words: `${countText(count.draws, "seat draw")}: the bots and their seats follow from ${seed} and from how often each bot had played.`,
      how: "The draw's key shuffles the bots that can still play. The bots with the fewest games play, and are shuffled once more for their seats.",
    },
  ];
}

/** Sentences about what this page does not prove. @type {(checker: Checker, tornBytes: number) => string[]} */
export function caveatsOf({ kind, finished, open: isIncomplete, count }, tornBytes) {
  const caveats = [];
  if (kind === "tournament") {
    if (!finished) {
      caveats.push("The tournament is not over: the seed behind the decks is not published yet, so it is not proved.");
    }
    caveats.push(
      "Until the seed was sealed, the organiser could choose any seed; once the tournament opened, every card and draw was fixed.",
    );
  }
  if (kind === "season")
    caveats.push("Each game's cards are in the game's recording: prove these recordings one by one.");
  if (kind === "published") {
    caveats.push("Nobody sealed these decks beforehand: nobody can prove that the cards were dealt at random.");
    const hidden = countText(count.concealed, "hand");
    if (count.concealed) caveats.push(`In ${hidden} some cards are unknown, because nobody had to show them.`);
  }
  const games = kind === "season" ? " and repeats the draw of every game" : "";
  caveats.push(
    `Bets, pots, places and prizes: "highnoon verify" proves them, because it replays every hand by the rules${games}.`,
  );
  if (kind !== "season") {
    caveats.push(
      "Each bot's answers and thinking times are as the server recorded them: the bot's owner can compare them with its log.",
    );
  }
  if (tornBytes || isIncomplete) caveats.push("The end of the file is cut off: the incomplete part proves nothing.");
  return caveats;
}

/** @type {(count: number, thing: string) => string} */
function countText(count, thing) {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
}
