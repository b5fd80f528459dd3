/**
 * The claims of a verdict: what was proved, how often, and what was not, in plain words.
 *
 * @typedef {{ of: string, count: number, words: string, how: string }} Claim `how` explains the check
 * @typedef {{ kind: string, finished: boolean, open: boolean, count: Record<string, number> }} Story
 */

/** @type {(story: Story, entries: number) => Claim[]} */
export function claimsOf({ count, finished, kind }, entries) {
  const lines = {
    of: "entries",
    count: entries,
    words: `${many(entries, "line")}: numbered without a gap, and the sum at the end of each fits it and all before it.`,
    how: "Each line ends with 24 hexadecimal digits of a SHA-256 over the line and the digits before it. A line changed, left out or put in breaks all that follow. Whoever computes all sums anew is found out by what follows.",
  };
  const claims = [lines];
  if (kind === "season") {
    claims.push({
      of: "seeds",
      count: count.seeds,
      words: `${many(count.seeds, "seed")}: the one that was sealed when the season opened.`,
      how: "Its SHA-256 stands in the first line, the seed itself in the last.",
    });
  }
  if (kind === "published") {
    claims.push({
      of: "cards",
      count: count.cards,
      words: `${many(count.cards, "card")}: none comes twice in its hand, and what was shown is what was dealt.`,
      how: "All cards of a hand that are known were compared with one another, and with those shown at its end.",
    });
  }
  if (kind === "tournament") claims.push(...ofTournament(count, finished));
  return claims.filter((claim) => claim.count > 0);
}

/** @type {(count: Record<string, number>, finished: boolean) => Claim[]} */
function ofTournament(count, finished) {
  const [given, seed] = finished ? [", and is the one the seed gives", "the seed"] : ["", "the key of the draw"];
  return [
    {
      of: "decks",
      count: count.decks,
      words: `${many(count.decks, "deck")}: each was sealed before its hand with the hash that is in the recording${given}.`,
      how: "The SHA-256 of the deck's key was published before the hand, and the key after it. The key is the HMAC-SHA256 of the seed and the hand's name; it gives the order of the cards by a Fisher-Yates shuffle that throws numbers away where they would favour a card. The seed itself was sealed when the tournament opened.",
    },
    {
      of: "cards",
      count: count.cards,
      words: `${many(count.cards, "card")}, in the bots' hands and on the board, came off those decks in the right order.`,
      how: "Two cards to each bot from the button's left, then flop, turn and river, from the top; and what was shown at the end is what was dealt.",
    },
    {
      of: "draws",
      count: count.draws,
      words: `${many(count.draws, "seat draw")}: who sat down, and where, follows from ${seed}, and from who had played least.`,
      how: "The bots that can still play are shuffled by the draw's key; those with the fewest games sit down, and are shuffled once more for the seats.",
    },
  ];
}

/** What this page does not prove, in sentences. @type {(story: Story, tornBytes: number) => string[]} */
export function openOf({ kind, finished, open: breaksOff, count }, torn) {
  const open = [];
  if (kind === "tournament") {
    if (!finished) {
      open.push("The tournament is not at its end: the seed behind the decks is not published yet, so not proved.");
    }
    open.push(
      "Before the seed was sealed, nothing bound anybody to it; from the opening on, every card and draw was fixed.",
    );
  }
  if (kind === "season") open.push("The cards of each game stand in a recording of its own: prove those one by one.");
  if (kind === "published") {
    open.push("Nobody sealed these decks beforehand: whether the cards fell by chance, nobody can prove.");
    const hidden = many(count.concealed, "hand");
    if (count.concealed) open.push(`In ${hidden} some cards are not known, as nobody had to show them.`);
  }
  const games = kind === "season" ? ", and draws every game again" : "";
  open.push(
    `Bets, pots, places and prizes: "highnoon verify" proves them, as it plays every hand again by the rules${games}.`,
  );
  if (kind !== "season") {
    open.push(
      "What a bot answered, and how long it thought, is as the server wrote it down: its owner can hold it against the bot's own log.",
    );
  }
  if (torn || breaksOff) open.push("The end of the file is cut off: what is only half there proves nothing.");
  return open;
}

/** @type {(count: number, thing: string) => string} */
function many(count, thing) {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
}
