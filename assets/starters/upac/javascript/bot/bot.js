// A starter bot for UPAC: change `decide`, zip the folder `bot`, and submit it.
//
// The bot reads standard input and writes standard output, one message per line. It has one second for each action.
// Output of console.error goes to a log that only you can read.
// Try it by hand: node bot.js, then type START SB, PREFLOP As Kd, STACK 1 50 2 50.

const readline = require("node:readline");

const RANKS = "23456789TJQKA";

// The known facts about the current round, which is one hand. Cards are written "As", "Td". `blind` is "SB" or "BB".
let now = { blind: "", hole: [], board: [] };

// The action: "F" folds, "C" calls or checks, "R6" raises by 6.
//
// `pushed` is how much we have bet in this round, and `stack` is `pushed` plus our remaining chips. The other two
// numbers are the opponent's. A raise first matches the opponent's bet, and then adds its amount. A raise that is too
// large is reduced to the amount that both can pay.
function decide(pushed, stack, theirPushed, theirStack) {
  const toCall = theirPushed - pushed;
  const pot = pushed + theirPushed;
  const howGood = strength(now.hole, now.board);
  console.error(`${now.hole} ${now.board}: ${howGood.toFixed(2)}, ${toCall} to call`);
  if (stack === pushed || (theirStack === theirPushed && toCall === 0)) {
    return "C"; // Somebody is all-in: we must still answer on every street, but there is nothing to decide.
  }
  if (howGood > 0.7) {
    return `R${Math.max(Math.floor(pot / 2), 2)}`; // A whole number: "R1.5" would lose the game.
  }
  if (toCall === 0 || howGood > 0.3 + toCall / (pot + toCall) / 2) {
    return "C";
  }
  return "F";
}

// A rough value of the cards, from 0 to 1: high cards and pairs. Improve it!
function strength(hole, board) {
  const ranks = hole.map((card) => RANKS.indexOf(card[0]));
  const onBoard = board.map((card) => RANKS.indexOf(card[0]));
  let worth = (ranks[0] + ranks[1]) / 40;
  if (hole[0][1] === hole[1][1]) {
    worth += 0.1;
  }
  if (ranks[0] === ranks[1]) {
    worth += 0.35;
  }
  const pairs = [...new Set(ranks)].filter((rank) => onBoard.includes(rank)).length;
  return Math.min(worth + 0.35 * pairs, 1);
}

// Lines arrive until the game is over.
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, ...rest] = line.trim().split(" ");
  switch (word) {
    case "START":
      now = { blind: rest[0], hole: [], board: [] };
      break;
    case "PREFLOP":
      now.hole = rest;
      break;
    case "FLOP":
    case "TURN":
    case "RIVER":
      now.board.push(...rest);
      break;
    case "STACK":
      console.log(decide(...rest.map(Number)));
      break;
    case "END":
      console.error("the round ended:", ...rest);
      break;
  }
});
