/**
 * The positions of seats around the table, in screen pixels. On a wide screen, seats go clockwise from the upper left.
 * On a tall screen, seats still in the hand are large, above and below the board. Other seats are small, at the edge.
 * Seats move rarely, because viewers cannot follow a table that changes with every fold. On a wide screen, they move
 * when the show focuses on a few seats: these seats are large, and other seats show only face, stack and short name.
 *
 * @import { Focus, Seat } from "../../common/types.js"
 * @import { SeatKind } from "../seat/seat-kinds.js"
 * @typedef {{ kind: SeatKind, left: number, top: number, width: number, height: number, mirrored: boolean,
 *   flipped: boolean }} SeatBox `mirrored`: the poster is on the right; `flipped`: the parts beside the poster are in
 *   reverse order
 * @typedef {Pick<SeatBox, "kind" | "top" | "width" | "height">} FirstSeat the first seat of the first row
 * @typedef {{ left: number, width: number, top: number }} SeatArea a place for rows of seats
 */

const LEFT = 68;
const WIDTH = 1784;
/** The extra space at each side of a table of seven or more seats: the texts of these seats begin at their edges. */
const INDENT = 14;
const TOPS = { upper: 40, lower: 596 };
const HEIGHT = 320;

/** The seats on a tall screen: their left edge, their total width, and the height of each of two blocks of seats. */
const TALL = { left: 36, width: 708, height: 312 };
/** The tops of the block above the board and of the block below it. */
const BLOCKS = [144, 796];
const GAP = 9;
/** The size of a small seat. */
const BENCH = { width: 134, height: 84 };
/** On a wide screen, a table of at most this many seats has wide seats. A larger table has narrower seats. */
const MAX_WIDE_SEATS = 6;
/**
 * Where the small seats of a wide screen are: in the lower corners if two seats are large, and in the middle if three
 * or four seats are large.
 */
const CORNER_AREAS = [
  { left: LEFT, width: 420, top: 750 },
  { left: LEFT + WIDTH - 420, width: 420, top: 750 },
];
const MIDDLE_AREAS = [
  { left: 668, width: 584, top: TOPS.upper },
  { left: 668, width: 584, top: TOPS.lower + 50 },
];
/**
 * A table with at least `MANY_SEATS` seats is large. On a tall screen, its folded seats shrink once only `FEW_SEATS`
 * bots are left in the hand. Folded seats at a smaller table shrink once two bots are left.
 */
const MANY_SEATS = 7;
const FEW_SEATS = 4;
/** The number of columns on a tall screen, for 0 to 8 large seats. Nine or more large seats have three columns. */
const COLUMN_COUNTS = [1, 1, 1, 2, 2, 3, 3, 2, 2];

/** Returns the boxes on a wide screen, in the order of the seats. @type {(count: number, focus: Focus) => SeatBox[]} */
export function layoutFor(count, { near, seats }) {
  if (near === "duel" && count > 2) return focusedLayout(count, seats, tableLayout(2), CORNER_AREAS, 3);
  if (near === "group" && count > MAX_WIDE_SEATS) return focusedLayout(count, seats, cornerBoxes(), MIDDLE_AREAS, 4);
  return tableLayout(count);
}

/**
 * Puts the seats in focus into `boxes`. Half of the other seats go into each of the two `areas`, in rows of at most
 * `columns` seats. Every bot stays as near to its seat at the table as possible, so that viewers find it again.
 *
 * @type {(count: number, seats: number[], boxes: SeatBox[], areas: SeatArea[], columns: number) => SeatBox[]}
 */
function focusedLayout(count, seats, boxes, areas, columns) {
  const table = tableLayout(count);
  const leftOf = (/** @type {number} */ seat) => table[seat]?.left ?? 0;
  const topOf = (/** @type {number} */ seat) => table[seat]?.top ?? 0;
  /** @type {SeatBox[]} */
  const all = [];
  nearestBoxes(seats, boxes, table).forEach((box, index) => {
    all[seats[index] ?? 0] = box;
  });
  const others = table.map((_, seat) => seat).filter((seat) => !seats.includes(seat));
  others.sort((one, other) => topOf(one) - topOf(other) || leftOf(one) - leftOf(other));
  const areBeside = areas[0]?.top === areas[1]?.top;
  const split = areBeside ? others.toSorted((one, other) => leftOf(one) - leftOf(other)) : others;
  areas.forEach((place, block) => {
    const blockSeats = seatsInBlock(split, block);
    const shown = others.filter((seat) => blockSeats.includes(seat));
    placeInRows(shown, columns, { kind: "bench", top: place.top, ...BENCH }, all, place);
  });
  return all;
}

/**
 * Returns one of `boxes` for each of `seats`, as near as possible to the boxes of these seats in `table`.
 *
 * @type {(seats: number[], boxes: SeatBox[], table: SeatBox[]) => SeatBox[]}
 */
function nearestBoxes(seats, boxes, table) {
  const distance = (/** @type {SeatBox[]} */ orderedBoxes) =>
    seats.reduce((sum, seat, index) => {
      const [from, to] = [table[seat], orderedBoxes[index]];
      return from && to ? sum + Math.hypot(centreX(to) - centreX(from), to.top - from.top) ** 2 : sum;
    }, 0);
  const [best = []] = ordersOf(boxes).sort((one, other) => distance(one) - distance(other));
  return best.slice(0, seats.length);
}

/** Returns a few boxes in every possible order. @type {(boxes: SeatBox[]) => SeatBox[][]} */
function ordersOf(boxes) {
  if (!boxes.length) return [[]];
  return boxes.flatMap((box, index) => ordersOf(boxes.toSpliced(index, 1)).map((rest) => [box, ...rest]));
}

/** @param {SeatBox} box */
function centreX({ left, width }) {
  return left + width / 2;
}

/** The places of up to four seats in the corners, clockwise. @type {() => SeatBox[]} */
function cornerBoxes() {
  const [upperLeft, , upperRight, lowerRight, , lowerLeft] = tableLayout(MAX_WIDE_SEATS);
  return [upperLeft, upperRight, lowerRight, lowerLeft].filter((box) => box !== undefined);
}

/** @type {(count: number) => SeatBox[]} */
function tableLayout(count) {
  if (count <= 2) {
    const box = { kind: /** @type {const} */ ("large"), top: 84, width: 716, height: 660, flipped: false };
    return [
      { ...box, left: LEFT, mirrored: false },
      { ...box, left: LEFT + WIDTH - box.width, mirrored: true },
    ];
  }
  if (count <= MAX_WIDE_SEATS) return placeAround("wide", 3, count, { width: 584, gap: 16 });
  const columns = Math.ceil(Math.min(count, 12) / 2);
  const gap = 14;
  const width = (WIDTH - 2 * INDENT - gap * (columns - 1)) / columns;
  return placeAround(columns > 4 ? "compact" : "broad", columns, count, { width, gap });
}

/** @type {(kind: SeatKind, columns: number, count: number, column: { width: number, gap: number }) => SeatBox[]} */
function placeAround(kind, columns, count, { width, gap }) {
  const boxAt = (/** @type {number} */ column, /** @type {"upper" | "lower"} */ row) => ({
    kind,
    left: Math.round(LEFT + (kind === "wide" ? 0 : INDENT) + column * (width + gap)),
    top: TOPS[row],
    width: Math.floor(width),
    height: HEIGHT,
    mirrored: kind === "compact" && column === columns - 1,
    flipped: kind === "wide" && row === "lower",
  });
  const above = Math.min(columns, Math.ceil(count / 2));
  const upper = usedColumns(above, columns).map((column) => boxAt(column, "upper"));
  const lower = usedColumns(count - above, columns).map((column) => boxAt(column, "lower"));
  return [...upper, ...lower.reverse()];
}

/**
 * Returns the columns of `count` seats. If there are fewer seats than columns, columns in the middle stay empty.
 *
 * @type {(count: number, columns: number) => number[]}
 */
function usedColumns(count, columns) {
  const all = Array.from({ length: columns }, (_, column) => column);
  while (all.length > count) all.splice(Math.floor(all.length / 2), 1);
  return all;
}

/** Returns the boxes on a tall screen, in the order of the seats. @type {(seats: Seat[], focus: Focus) => SeatBox[]} */
export function tallLayoutFor(seats, focus) {
  const large = largeSeats(seats, focus);
  const small = seats.map((_, seat) => seat).filter((seat) => !large.includes(seat));
  const columns = COLUMN_COUNTS[large.length] ?? 3;
  const width = Math.floor((TALL.width - GAP * (columns - 1)) / columns);
  /** @type {SeatBox[]} */
  const boxes = [];
  BLOCKS.forEach((top, block) => {
    const [shown, benched] = [seatsInBlock(large, block), seatsInBlock(small, block)];
    const bench = block ? top + TALL.height - BENCH.height : top;
    placeInRows(benched, benched.length, { kind: "bench", top: bench, ...BENCH }, boxes);
    const room = TALL.height - (benched.length ? BENCH.height + GAP : 0);
    const rows = Math.ceil(shown.length / columns);
    const height = Math.floor((room - GAP * (rows - 1)) / rows);
    const kind = kindOf(large.length, height);
    placeInRows(shown, columns, { kind, top: top + (block ? 0 : TALL.height - room), width, height }, boxes);
  });
  return boxes;
}

/**
 * Returns the large seats. Once only two seats are left in a hand, or four at a large table, these seats are large.
 * Before that, the seats in focus are large, or all seats if none is in focus. When only one bot is left, the rival
 * that has put the most into the pot stays large, too.
 *
 * @type {(seats: Seat[], focus: Focus) => number[]}
 */
function largeSeats(seats, { near, seats: inFocus }) {
  const all = seats.map((_, seat) => seat);
  const live = all.filter((seat) => seats[seat]?.dealt_in && !seats[seat]?.folded && !seats[seat]?.place);
  if (!live.length || live.length > (seats.length >= MANY_SEATS ? FEW_SEATS : 2)) {
    return near === "table" ? all : inFocus.filter((seat) => !seats[seat]?.away);
  }
  if (live.length > 1) return live;
  const chipsIn = (/** @type {number} */ seat) => seats[seat]?.committed ?? 0;
  const [rival] = all.filter((seat) => seat !== live[0]).sort((one, other) => chipsIn(other) - chipsIn(one));
  return all.filter((seat) => seat === live[0] || seat === rival);
}

/** The seats above the board (block 0) or below it (block 1). @type {(seats: number[], block: number) => number[]} */
function seatsInBlock(seats, block) {
  const above = Math.ceil(seats.length / 2);
  return block ? seats.slice(above) : seats.slice(0, above);
}

/**
 * Puts seats into as few rows as possible, all of about the same length. A row has at most `columns` seats.
 *
 * @type {(seats: number[], columns: number, first: FirstSeat, boxes: SeatBox[], area?: Omit<SeatArea, "top">) => void}
 */
function placeInRows(seats, columns, { kind, top, width, height }, boxes, area = TALL) {
  const maxPerRow = Math.ceil(seats.length / Math.ceil(seats.length / columns));
  seats.forEach((seat, index) => {
    const row = Math.floor(index / maxPerRow);
    const count = Math.min(maxPerRow, seats.length - row * maxPerRow);
    const indent = (area.width - count * width - (count - 1) * GAP) / 2;
    const left = Math.round(area.left + indent + (index % maxPerRow) * (width + GAP));
    boxes[seat] = { kind, left, top: top + row * (height + GAP), width, height, mirrored: false, flipped: false };
  });
}

/** @type {(largeCount: number, height: number) => SeatKind} */
function kindOf(largeCount, height) {
  if (largeCount <= 2) return "duo";
  if (height < 300) return "tile";
  return largeCount <= 4 ? "compact" : "narrow";
}
