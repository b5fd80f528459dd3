// A bot on Node's readline. With an ace, raises by more chips than anybody has. Prints its cards and bets to stderr.
const lines = require('readline').createInterface({ input: process.stdin });
let hole = [];
let side = '';
const order = '23456789TJQKA';
lines.on('line', (line) => {
  const [word, ...rest] = line.trim().split(/\s+/);
  if (word === 'START') [side] = rest;
  else if (word === 'PREFLOP') hole = rest;
  else if (word === 'STACK') {
    const [mine, stack, theirs] = rest.map(Number);
    const high = Math.max(...hole.map((card) => order.indexOf(card[0])));
    console.error(side, hole.join(), mine, theirs);
    if (high === 12 && mine < stack) console.log('R100');
    else if (theirs - mine > 8 && high < 10) console.log('F');
    else console.log('R0');
  }
});
