// A starter player for the Annual Computer Poker Competition: change `decide`.
//
//     node bot.js 127.0.0.1 18791
//
// The arguments are the dealer's host and port. Each line from the dealer is the whole state of the hand. The answer is
// the same line, a colon and an action. Only you can read the bot's standard error.

const net = require("node:net");
const readline = require("node:readline");

const RANKS = "23456789TJQKA";
const STACK = 20000; // from the game definition
const SMALL = 50;
const BIG = 100;

// The action: "f" folds, "c" calls or checks, "r600" raises to a total of 600 for this hand.
function decide(now) {
  const howGood = strength(now.hole, now.board);
  const pot = now.spent.reduce((sum, chips) => sum + chips);
  const highest = Math.max(...now.spent);
  const toCall = highest - now.spent[now.me];
  console.error(`hand ${now.hand} ${now.hole} ${now.board}: ${howGood.toFixed(2)}, ${toCall} to call`);
  if (howGood > 0.7 && highest < STACK) {
    return `r${Math.min(Math.max(highest + Math.floor(pot / 2), now.least), STACK)}`;
  }
  return toCall === 0 || howGood > 0.3 + toCall / (pot + toCall) / 2 ? "c" : "f";
}

// A rough value of the cards ("As", "Td"), from 0 to 1: high cards and pairs. Improve it!
function strength(hole, board) {
  const mine = hole.map((card) => RANKS.indexOf(card[0]));
  const there = board.map((card) => RANKS.indexOf(card[0]));
  const suited = hole[0][1] === hole[1][1] ? 0.1 : 0;
  const pairs = [...new Set(mine)].filter((rank) => there.includes(rank)).length + (mine[0] === mine[1] ? 1 : 0);
  return Math.min((mine[0] + mine[1]) / 40 + suited + 0.35 * pairs, 1);
}

// The state of one hand, read from a line. A player's number is its position: 0 is the first after the button.
function read(line) {
  const [, position, hand, betting, cards] = line.split(":");
  const [hole, ...board] = cards.split("/");
  const holes = hole.split("|");
  const me = Number(position);
  const duel = holes.length === 2;
  const now = {
    me,
    hand: Number(hand),
    hole: holes[me].match(/../g),
    board: board.join("").match(/../g) || [],
    spent: holes.map((_, at) => (at === (duel ? 0 : 1) ? BIG : at < 2 ? SMALL : 0)), // in the whole hand
    folded: new Set(),
  };
  betting.split("/").forEach((street, number) => {
    follow(now, street, number, number ? 0 : duel ? 1 : 2);
  });
  return now;
}

// The players who can still act, clockwise from `first`.
function able(now, first) {
  const circle = now.spent.map((_, step) => (first + step) % now.spent.length);
  return circle.filter((at) => !now.folded.has(at) && now.spent[at] < STACK);
}

// Follows the actions of a round. `due` has the players who have yet to act. `least` is the smallest total to raise to.
function follow(now, street, number, first) {
  let raisedBy = BIG;
  now.due = able(now, first);
  if (number && now.due.length < 2) {
    now.due = [];
  }
  for (const action of street.match(/f|c|r\d+/g) || []) {
    const at = now.due.shift();
    const highest = Math.max(...now.spent);
    if (action === "f") {
      now.folded.add(at);
    } else if (action === "c") {
      now.spent[at] = highest;
    } else {
      now.spent[at] = Number(action.slice(1));
      raisedBy = Math.max(raisedBy, now.spent[at] - highest);
      now.due = able(now, at + 1).filter((other) => other !== at);
    }
  }
  now.least = Math.max(...now.spent) + raisedBy;
}

const [host, port] = process.argv.slice(2);
const connection = net.connect(Number(port), host, () => connection.write("VERSION:2.0.0\r\n"));
connection.on("error", ({ message }) => {
  console.error(`nobody listens at ${host}:${port} (${message}): start the dealer, or name another`);
  process.exitCode = 1;
});
readline.createInterface({ input: connection }).on("line", (line) => {
  if (!line || "#;".includes(line[0])) {
    return;
  }
  const now = read(line);
  if (now.due[0] === now.me && now.folded.size < now.spent.length - 1) {
    connection.write(`${line}:${decide(now)}\r\n`);
  }
});
