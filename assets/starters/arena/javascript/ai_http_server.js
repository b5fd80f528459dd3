// A starter bot for the Arena: change `decide`, start it, and add its port to the tournament's configuration file.
//
//     node ai_http_server.js 5000
//
// The bot is a web server. On each turn of the bot, the Arena sends the whole state of the game to POST /action and
// waits 3 seconds for the answer. A bot that is late or sends something invalid folds. The bot needs only Node itself.
// Try it by hand: curl --data @state.json localhost:5000/action, with the example state in the guide.

const http = require("node:http");

const RANKS = "23456789TJQKA";

// The action: one of state.valid_actions. A raise also needs an amount, between the min and max of that action.
//
// A raise's amount is the total bet for the street, not the chips that you add. Amounts are always whole numbers.
function decide(state) {
  const me = state.players[state.current_player];
  const valid = Object.fromEntries(state.valid_actions.map(({ action, amount }) => [action, amount]));
  const toCall = valid.call ?? 0;
  const howGood = strength(me.hole_cards, state.community_cards);
  console.log(`${me.hole_cards} ${state.community_cards}: ${howGood.toFixed(2)}, ${toCall} to call`);
  if (howGood > 0.7 && valid.raise) {
    const wanted = state.current_bet + Math.floor(state.pot / 2);
    return { action: "raise", amount: Math.min(Math.max(wanted, valid.raise.min), valid.raise.max) };
  }
  if (howGood > 0.9 && "all_in" in valid) {
    return { action: "all_in", amount: valid.all_in };
  }
  if ("check" in valid) {
    return { action: "check", amount: 0 };
  }
  if (howGood > 0.3 + toCall / (state.pot + toCall) / 2) {
    return { action: "call", amount: toCall };
  }
  return { action: "fold", amount: 0 };
}

// A rough value of the cards ("As", "Td", "2c"), from 0 to 1: high cards and pairs. Improve it!
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

function answer(response, status, message) {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(message));
}

// The Arena requests /action on each turn of the bot. /health only shows that the bot runs.
const server = http.createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (piece) => {
    body += piece;
  });
  request.on("end", () => {
    if (request.method === "GET") {
      answer(response, 200, { status: "healthy" });
    } else if (request.url === "/action") {
      answer(response, 200, decide(JSON.parse(body)));
    } else {
      answer(response, 404, { error: "there is only /action" });
    }
  });
});

const port = process.argv[2] ?? 5000;
server.on("error", ({ message }) => {
  console.error(`port ${port} is not available (${message}): give another port`);
  process.exitCode = 1;
});

// To accept requests from other machines, leave "127.0.0.1" out.
server.listen(Number(port), "127.0.0.1", () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
