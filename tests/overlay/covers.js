// Lists what lies on a name, a face, a card or an amount: by hit tests in the browser, at rest and on the way there.
(() => {
  const READ = ":is(.poster__photo, .poster__name .line, .poster__stack .line, .plate__number .line, " +
    ".seat__won .line, .card[data-suit], .pot__number .line, .pot__winner .line, .side__amount, " +
    ".at-stake__words .line, .row__name .line, .row__stack .line, .listed__name .line, .step__prize .line, .third__caption .line)";
  const PAINTED = ":is(.poster, .strip, .plate, .pot, .seat__won, .card, .stamp, .bubble, .chance, .badge, .fuse__rope, " +
    ".fuse__spark, .poster__star, .flight, .third, .at-stake, .row, .listed, .step, .notice, .panel, canvas)";
  /** What may lie at the edge of something, as a share of the window's height: torn paper, and the frame of a face. */
  const SLACK = innerHeight < innerWidth ? 4 / 1080 : 4 / 1488;
  const ACROSS = 4;
  const DOWN = 3;
  const PARTS = [0.15, 0.45, 0.8];
  const FAINT = 0.05;
  const motions = [];

  // What flies lets clicks through, and would not be hit.
  const hit = new CSSStyleSheet();
  hit.replaceSync(".flights *, .particles { pointer-events: auto !important }");
  document.adoptedStyleSheets.push(hit);

  const all = (selector) => [...document.querySelectorAll(selector)]
    .filter((node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
  const named = (node) => `${node.getAttribute("class")}: ${node.textContent.slice(0, 30)}`;
  const opacityOf = (node) => node === document.body ? 1 : Number(getComputedStyle(node).opacity) * opacityOf(node.parentElement);
  // Speech takes the place of its own bot's cards for its time.
  const allowed = (above, read) => above.matches(".bubble") && read.matches(".card") && above.closest(".seat").contains(read);

  const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

  function* pointsIn({ left, top, right, bottom }) {
    const slack = SLACK * innerHeight;
    for (let row = 0; row < DOWN; row += 1)
      for (let column = 0; column < ACROSS; column += 1)
        yield [
          left + slack + ((right - left - 2 * slack) * column) / (ACROSS - 1),
          top + slack + ((bottom - top - 2 * slack) * row) / (DOWN - 1),
        ];
  }

  // Most is hit where nothing is above it, which takes no list of all that is there.
  const isOnTop = (read, x, y) => read.contains(document.elementFromPoint(x, y));

  const holds = ({ left, top, right, bottom }, x, y) => left <= x && x <= right && top <= y && y <= bottom;

  // Of those whose boxes meet the one that is read, those that are above it where it is hit.
  function above(read, its, near) {
    const found = new Set();
    for (const [x, y] of pointsIn(its)) {
      if (!near.some(([, box]) => holds(box, x, y)) || isOnTop(read, x, y)) continue;
      const pile = document.elementsFromPoint(x, y);
      const depth = pile.findIndex((node) => node === read || read.contains(node));
      for (const node of pile.slice(0, Math.max(0, depth))) {
        const painted = node.closest(PAINTED);
        if (near.some(([node]) => node === painted)) found.add(painted);
      }
    }
    return [...found].filter((node) => !allowed(node, read) && opacityOf(node) > FAINT);
  }

  // `moves` says which nodes may have come to lie on something, or below it.
  window.covered = (moves = () => true) => {
    const painted = all(PAINTED).map((node) => [node, node.getBoundingClientRect(), moves(node)]);
    return all(READ).flatMap((read) => {
      const its = read.getBoundingClientRect();
      const moved = moves(read);
      const near = painted
        .filter(([node, box, moving]) => (moved || moving) && meet(box, its) && !node.contains(read) && !read.contains(node));
      if (!near.length || opacityOf(read) <= FAINT) return [];
      return above(read, its, near).map((node) => `${named(node)} on ${named(read)}`);
    });
  };

  // From now on every animation stands still where it begins.
  window.holdMotions = () => {
    const plain = Element.prototype.animate;
    Element.prototype.animate = function held(...how) {
      const motion = plain.apply(this, how);
      motion.pause();
      motions.push(motion);
      return motion;
    };
  };
  // Waits until the page has all that is on air, and what it sets in motion has begun.
  const caughtUp = async (seq, until = Date.now() + 60_000) => {
    while (window.highnoon.state().seq !== seq && Date.now() < until) await new Promise(requestAnimationFrame);
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    if (window.highnoon.state().seq !== seq) throw new Error(`${seq} is not shown after a minute`);
  };
  // What lies on something in a frame in which everything is at the same part of its way: two parts for each moment, and
  // for the next moments the others.
  const coveredOnTheWay = (at) => {
    const parts = [PARTS[at % PARTS.length], PARTS[(at + 2) % PARTS.length]];
    const moving = new Set(motions.map((motion) => motion.effect.target));
    const moves = (node) => Boolean(node) && (moving.has(node) || moves(node.parentElement));
    return motions.length ? parts.flatMap((part) => {
      for (const motion of motions) motion.currentTime = part * motion.effect.getComputedTiming().endTime;
      return window.covered(moves).map((each) => `${part}: ${each}`);
    }) : [];
  };
  const arrive = async () => {
    for (const motion of motions.splice(0)) motion.finish();
    await new Promise((done) => { setTimeout(done); });
  };

  // Shows everything up to `seq` as it is at rest.
  window.pass = async (seq) => {
    await caughtUp(seq);
    await arrive();
  };
  // Shows the moment `at`, which ends with `seq`: what lies on something, what is read, and how much moves.
  window.lookAt = async ([seq, at]) => {
    await caughtUp(seq);
    const moved = motions.length;
    const onTheWay = coveredOnTheWay(at);
    await arrive();
    return { covered: [...onTheWay, ...window.covered()], read: all(READ).map((node) => node.getAttribute("class")), moved };
  };
})();
