// A bot on Node's http with a table of routes, one of them GET /health. Answers in chunks. Adds `confidence` to raises.
const http = require('http');
const routes = {
  'GET /health': () => ({ status: 'ok' }),
  'POST /action': (state) => {
    const me = state.players[state.current_player];
    const can = Object.fromEntries(state.valid_actions.map((one) => [one.action, one.amount]));
    const [a, b] = me.hole_cards.map((card) => '23456789TJQKA'.indexOf(card[0]));
    const worth = (a + b) / 24 + (a === b ? 0.4 : 0);
    if (worth > 0.8 && can.raise) return { action: 'raise', amount: can.raise.min, confidence: worth };
    if ('check' in can) return { amount: 0, action: 'check' };
    if (worth > 0.4 && 'call' in can) return { amount: can.call, action: 'call' };
    if (worth > 1) return { amount: can.all_in, action: 'all_in' };
    return { action: 'fold', amount: 0 };
  },
};
http.createServer((req, res) => {
  const pieces = [];
  req.on('data', (piece) => pieces.push(piece));
  req.on('end', () => {
    const handler = routes[`${req.method} ${req.url}`];
    if (!handler) { res.writeHead(404).end(); return; }
    const text = Buffer.concat(pieces).toString();
    res.setHeader('Content-Type', 'application/json');
    res.write('\n ');
    res.end(JSON.stringify(handler(text ? JSON.parse(text) : null), null, '\t') + '\n');
  });
}).listen(process.argv[2], '127.0.0.1');
