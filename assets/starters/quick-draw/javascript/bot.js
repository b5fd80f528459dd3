// A starter bot for the Quick Draw Circuit: change `decide`, and the name in bot_config.json.
//
//     node bot.js localhost:5000
//
// The bot registers over HTTP, then talks over TCP. The server sends one JSON object per line, and waits 3 seconds for
// an action. A late bot folds. The bot needs only Node itself. To submit it, you also need the Dockerfile and the
// picture.

const fs = require("node:fs");
const http = require("node:http");
const net = require("node:net");
const readline = require("node:readline");

const SERVER = "localhost:5000"; // where the bot registers for the tournament: ask the organiser
const VALUES = "23456789TJQKA";

// The action for a request: "call" (also for a check), "fold", or "raise" with an amount.
//
// The amount is the total bet for this round, not the chips that you add. If you cannot pay it all, you are all-in.
function decide(request) {
  const me = request.players.find((player) => player.hand.length > 0); // the server shows only our cards
  const pot = request.total_pot_value;
  const toCall = request.highest_bid_value - me.round_bet;
  const howGood = strength(request.hand, request.community_cards);
  console.log(`${howGood.toFixed(2)} with ${toCall} to call, ${me.bank} left`);
  if (howGood > 0.7) {
    return { action: "raise", raise_amount: request.highest_bid_value + Math.floor(pot / 2) };
  }
  if (toCall === 0 || howGood > 0.3 + toCall / (pot + toCall) / 2) {
    return { action: "call", raise_amount: 0 };
  }
  return { action: "fold", raise_amount: 0 };
}

// A rough value of the cards ({value: "A", suit: "S"}), from 0 to 1: high cards and pairs. Improve it!
function strength(hand, board) {
  const mine = hand.map((card) => VALUES.indexOf(card.value));
  const there = board.map((card) => VALUES.indexOf(card.value));
  const suited = hand[0].suit === hand[1].suit ? 0.1 : 0;
  const pairs = [...new Set(mine)].filter((value) => there.includes(value)).length + (mine[0] === mine[1] ? 1 : 0);
  return Math.min((mine[0] + mine[1]) / 40 + suited + 0.35 * pairs, 1);
}

// The reply to a message, if any. You may ignore the messages receive_chat and log_data.
function hear(message) {
  switch (message.command) {
    case "request_action":
      return { command: "take_action", ...decide(message) };
    case "confirm_action":
      if (message.result !== "success") {
        console.log("the server refused that:", message.error);
      }
      break;
    case "hand_result": {
      const banks = message.players.map((player) => `${player.name} ${player.bank}`);
      console.log(`hand ${message.hand_number} is over: ${banks.join(", ")}`);
      if (message.hand_number === 0) {
        return { command: "send_chat", message: "Howdy!" }; // at most one chat in five seconds
      }
    }
  }
  return null;
}

// The name in bot_config.json.
function ownName() {
  try {
    return JSON.parse(fs.readFileSync(`${__dirname}/bot_config.json`, "utf8")).name.trim();
  } catch {
    console.error("there is no bot_config.json with a name beside bot.js");
    process.exit(1);
  }
}

// Registers, and calls `registered` with the port to connect to. During practice, the answer also says where to watch.
function register(server, registered) {
  const headers = { "Content-Type": "application/json" };
  const request = http.request(`http://${server}/register`, { method: "POST", headers }, async (response) => {
    let text = "";
    for await (const piece of response) {
      text += piece;
    }
    console.log(text);
    registered(JSON.parse(text).port_number);
  });
  request.on("error", ({ message }) => {
    console.error(`no server answers at ${server} (${message}): start it, or name another: node bot.js HOST:PORT`);
    process.exitCode = 1;
  });
  request.end(JSON.stringify({ name: ownName() }));
}

const server = process.argv[2] || SERVER;
register(server, (port) => {
  const connection = net.connect(port, server.replace(/:\d+$/, ""));
  readline.createInterface({ input: connection }).on("line", (line) => {
    const answer = hear(JSON.parse(line));
    if (answer) {
      connection.write(JSON.stringify(answer));
    }
  });
});
