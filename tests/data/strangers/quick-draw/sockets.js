// A bot on Node's net and http. Sends each answer in two writes, without a newline. Sometimes adds a chat message.
const net = require('net');
const http = require('http');
const [host, port] = process.argv[2].split(':');

const body = JSON.stringify({ name: 'El Nodo', test_game_size: 6, test_hand_count: 6 });
const options = { host, port, path: '/register', method: 'POST', headers: { 'Content-Type': 'application/json' } };
http.request(options, (res) => {
  let text = '';
  res.on('data', (piece) => { text += piece; });
  res.on('end', () => play(JSON.parse(text)));
}).end(body);

function play({ port_number: number, bot_id: id }) {
  const line = net.connect(number, host);
  let rest = '';
  let lastChat = 0;
  line.setEncoding('utf8');
  line.on('data', (piece) => {
    rest += piece;
    const lines = rest.split('\n');
    rest = lines.pop();
    lines.filter(Boolean).map((one) => JSON.parse(one)).forEach(handle);
  });
  line.on('error', () => {});

  function handle(message) {
    if (message.command === 'request_action') {
      const me = message.players.find((p) => p.id === id);
      let answer = { command: 'take_action', action: 'call' };
      if (message.round_number === 3) {
        answer = { command: 'take_action', action: 'raise', raise_amount: message.highest_bid_value + 1 };
      } else if (message.highest_bid_value > 4 * 100 && me.hand_bet < 200) {
        answer = { command: 'take_action', action: 'fold', raise_amount: null };
        delete answer.raise_amount;
      }
      let text = JSON.stringify(answer);
      if (Date.now() - lastChat > 6000) {
        lastChat = Date.now();
        text += JSON.stringify({ command: 'send_chat', message: 'ándale — ' + me.name });
      }
      const bytes = Buffer.from(text);
      line.write(bytes.subarray(0, 17));
      setTimeout(() => line.write(bytes.subarray(17)), 5);
    } else if (message.command === 'hand_result') {
      line.write('{"command":"get_logs"}');
    }
  }
}
