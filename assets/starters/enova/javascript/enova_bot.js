// A starter bot for Enova Hold'em: change `decide`, start it, and register it with the tournament.
//
//     node enova_bot.js 3001 "Bot Awesome (netid2)" http://localhost:5000
//
// The last two arguments are the bot's name and the tournament's address. Without these two, the bot only starts, and
// you register it by hand. The bot is a small web server. The tournament sends requests, and waits 5 seconds for an
// answer. The bot folds if it is late or sends something invalid. The bot is out if it posts no blind. The bot needs
// only Node itself. Try it by hand:
//
//     curl --data "minimum_bet=2&maximum_bet=9&blind=false&your_chips=9&your_hand[0][suit]=D&your_hand[0][value]=A&\
// your_hand[1][suit]=S&your_hand[1][value]=A&betting_phase=pre_flop" localhost:3001/player/action

const http = require("node:http");

const VALUES = "23456789TJQKA";
const [port = "3001", name, tournament] = process.argv.slice(2);

// The answer to a request. An amount is the total bet for this betting phase: 0 checks, the minimum calls.
function decide(form) {
  const [minimum, maximum, chips] = [form.minimum_bet, form.maximum_bet, form.your_chips].map(Number);
  if (form.blind === "true") {
    return { action: "blind", amount: minimum }; // Post the blind with any cards, or you are out of the tournament.
  }
  const howGood = strength(Object.values(form.your_hand), Object.values(form.community_cards ?? {}));
  console.log(`${howGood.toFixed(2)} with ${minimum} to ${maximum} to bet of ${chips}`);
  if (howGood > 0.7) {
    return { action: "bet", amount: Math.min(Math.max(2 * minimum, 4), maximum) };
  }
  if (minimum === 0 || howGood > 0.3 + minimum / (chips + 1)) {
    return { action: "bet", amount: minimum };
  }
  return { action: "fold" };
}

// A rough value of the cards ({ suit: "S", value: "A" }), from 0 to 1: high cards and pairs. Improve it!
function strength(hand, board) {
  const mine = hand.map((card) => VALUES.indexOf(card.value));
  const there = board.map((card) => VALUES.indexOf(card.value));
  const suited = hand[0].suit === hand[1].suit ? 0.1 : 0;
  const onBoard = [...new Set(mine)].filter((value) => there.includes(value)).length;
  const pairs = mine[0] === mine[1] ? onBoard + 1 : onBoard;
  return Math.min((mine[0] + mine[1]) / 40 + suited + 0.35 * pairs, 1);
}

// Reads a form with nested keys: "your_hand[0][suit]=D" becomes { your_hand: { 0: { suit: "D" } } }.
function nested(body) {
  const form = Object.create(null);
  for (const [key, value] of new URLSearchParams(body)) {
    const folders = key.match(/[^[\]]+/g) ?? [];
    const last = folders.pop();
    let inside = form;
    for (const folder of folders) {
      inside[folder] ??= Object.create(null);
      inside = inside[folder];
    }
    inside[last] = value;
  }
  return form;
}

// /player/ready must return 200, or the bot gets no seat. /player/seat names a new table. In /player/notify, the field
// `event` says what has happened. The last two requests expect only the answer 200.
function reply(path, body) {
  return path === "/player/action" ? JSON.stringify(decide(nested(body))) : "";
}

const server = http.createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (piece) => {
    body += piece;
  });
  request.on("end", () => response.end(reply(request.url, body)));
});

server.on("error", ({ message }) => {
  console.error(`port ${port} is not available (${message}): give another port`);
  process.exitCode = 1;
});

// If requests come from other machines, leave "127.0.0.1" out, and register this machine's address, not localhost.
server.listen(Number(port), "127.0.0.1", async () => {
  const hostname = `localhost:${server.address().port}`;
  console.log(`listening on http://${hostname}`);
  if (tournament) {
    const form = new URLSearchParams({ hostname, name });
    try {
      const answer = await fetch(`${tournament}/tournament/register`, { method: "POST", body: form });
      console.log(await answer.text(), answer.headers.get("Watch-Url") || ""); // where to watch during practice
    } catch ({ cause, message }) {
      console.error(`no tournament answers at ${tournament} (${cause?.message ?? message}): start it, or name another`);
      process.exit(1);
    }
  }
});
