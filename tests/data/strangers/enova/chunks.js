// A bot on Node's http. Answers in chunks, reads nested form keys as objects, and bets the maximum with a pair.
const http = require('http');
const { setTimeout: wait } = require('timers/promises');

function nest(form) {
  const root = {};
  for (const [key, value] of new URLSearchParams(form)) {
    const path = key.replaceAll(']', '').split('[');
    let at = root;
    path.slice(0, -1).forEach((step) => { at[step] ??= {}; at = at[step]; });
    at[path.at(-1)] = value;
  }
  return root;
}

function decide(p) {
  if (p.blind === 'true') return { action: 'blind', amount: Number(p.minimum_bet) };
  const hand = Object.values(p.your_hand);
  const others = Object.values(p.active_players).flatMap((one) => Object.values(one.actions_this_round ?? {}));
  if (hand[0].value === hand[1].value) return { action: 'bet', amount: Number(p.maximum_bet) };
  if (others.filter((one) => one.action === 'bet').length > 3 && Number(p.minimum_bet) > 6) return { action: 'fold', amount: null };
  return { action: 'bet', amount: p.minimum_bet };
}

http.createServer(async (req, res) => {
  let text = '';
  for await (const piece of req) text += piece;
  if (req.url.startsWith('/player/ready')) return res.end();
  if (!req.url.startsWith('/player/action')) return res.end('ok');
  const body = JSON.stringify(decide(nest(text)));
  res.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  res.write(body.slice(0, 4));
  await wait(20);
  res.write(body.slice(4, 9));
  res.end(body.slice(9));
}).listen(Number(process.argv[2]), '127.0.0.1');
