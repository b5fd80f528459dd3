/**
 * How large a win is, from what is on air: the very same as in `broadcast/on_air/picture_win.py`. No DOM, no clock.
 *
 * @import { Seat, State, WinSize } from "../common/types.js"
 */

/**
 * How large the win is that leaves these seats and this pot, after the picture `state`. The whole screen is for who
 * takes somebody's last chips, or the lead in the last stage with a large pot.
 *
 * @param {State} state
 * @param {Seat[]} seats
 * @param {number} pot
 * @returns {WinSize}
 */
export function winSize(state, seats, pot) {
  const sum = (/** @type {(seat: Seat) => number} */ of) => seats.reduce((all, seat) => all + of(seat), 0);
  const chips = pot + sum((seat) => seat.stack);
  const amount = sum((seat) => seat.won);
  if (!pot && seats.some((seat) => seat.committed && !seat.stack)) return "screen";
  if (amount * 10 >= chips) return !pot && leadTurned(state, seats) ? "screen" : "burst";
  const fought = seats.filter((seat) => seat.dealt_in && !seat.folded).length > 1;
  const walk = seats.every((seat) => !seat.act || seat.act === "fold");
  return !fought && (walk || amount * 40 < chips) ? "nod" : "win";
}

/**
 * Whether another bot than at the start of the hand has most chips, in the stage that decides the title.
 *
 * @param {State} state
 * @param {Seat[]} seats
 */
function leadTurned({ stage, bots }, seats) {
  if (!stage || stage.advance) return false;
  const before = seats.map((seat) => (bots[seat.bot] ?? seat).stack);
  const after = seats.map((seat) => seat.stack);
  const most = Math.max(...after);
  return (before[after.indexOf(most)] ?? 0) < Math.max(...before) && after.filter((each) => each === most).length === 1;
}
