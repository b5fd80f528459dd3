// Lists what covers a text, a face or a card. The browser's hit tests say what is on top at a point.
(() => {
  const READABLE = ":is(.poster__photo, .poster__name .line, .poster__stack .line, .plate__number .line, " +
    ".seat__won .line, .card[data-suit], .pot__number .line, .pot__winner .line, .side__amount, " +
    ".poster__wanted .line, .speaker__name .line, .speaker__text .line, .at-stake__words .line, .row__name .line, .row__stack .line, .listed__name .line, .step__prize .line, .third__caption .line)";
  const PAINTED = ":is(.poster, .strip, .plate, .pot, .seat__won, .card, .stamp, .speaker, .chance, .badge, .fuse__rope, " +
    ".fuse__spark, .poster__star, .flight, .third, .at-stake, .row, .listed, .step, .notice, .panel, canvas)";
  const SHEETS = ".poster, .strip, .plate, .pot, .seat__won, .speaker, .at-stake, .third, .row, .listed, .panel";
  /** How far torn paper or a face's frame may cover the edge of a name or card, as a share of the window's height. */
  const SLACK = innerHeight < innerWidth ? 4 / 1080 : 4 / 1488;
  const POINTS_ACROSS = 4;
  const POINTS_DOWN = 3;
  const FAINT_OPACITY = 0.05;

  // Makes hit tests find elements that let clicks through, such as flying cards. Of a spark, they find only the star.
  const hitTestStyles = new CSSStyleSheet();
  hitTestStyles.replaceSync(".flights *, .particles, .fuse__spark path { pointer-events: auto !important }" +
    ".fuse__spark { pointer-events: none }");
  document.adoptedStyleSheets.push(hitTestStyles);

  const all = (selector) => [...document.querySelectorAll(selector)]
    .filter((node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
  const named = (node) => `${node.getAttribute("class")}: ${node.textContent.slice(0, 30)}`;
  const opacityOf = (node) => node === document.body ? 1 : Number(getComputedStyle(node).opacity) * opacityOf(node.parentElement);

  const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

  function* pointsIn({ left, top, right, bottom }) {
    const slack = SLACK * innerHeight;
    for (let row = 0; row < POINTS_DOWN; row += 1)
      for (let column = 0; column < POINTS_ACROSS; column += 1)
        yield [
          left + slack + ((right - left - 2 * slack) * column) / (POINTS_ACROSS - 1),
          top + slack + ((bottom - top - 2 * slack) * row) / (POINTS_DOWN - 1),
        ];
  }

  // A quick check. Usually nothing covers the element, so the slow list of all elements at the point is not needed.
  const isOnTop = (readable, x, y) => readable.contains(document.elementFromPoint(x, y));

  const holds = ({ left, top, right, bottom }, x, y) => left <= x && x <= right && top <= y && y <= bottom;

  // Returns the elements of `neighbours` that cover the element `readable` at one or more points.
  function findCovering(readable, bounds, neighbours) {
    const found = new Set();
    for (const [x, y] of pointsIn(bounds)) {
      if (!neighbours.some(([, box]) => holds(box, x, y)) || isOnTop(readable, x, y)) continue;
      const pile = document.elementsFromPoint(x, y);
      const depth = pile.findIndex((node) => node === readable || readable.contains(node));
      for (const node of pile.slice(0, Math.max(0, depth))) {
        const painted = node.closest(PAINTED);
        if (neighbours.some(([node]) => node === painted)) found.add(painted);
      }
    }
    return [...found].filter((node) => opacityOf(node) > FAINT_OPACITY);
  }

  window.covered = () => {
    const painted = all(PAINTED).map((node) => [node, node.getBoundingClientRect()]);
    return all(READABLE).flatMap((readable) => {
      const bounds = readable.getBoundingClientRect();
      const neighbours = painted.filter(([node, box]) => meet(box, bounds) &&
        !node.contains(readable) && !readable.contains(node));
      if (!neighbours.length || opacityOf(readable) <= FAINT_OPACITY) return [];
      return findCovering(readable, bounds, neighbours).map((node) => `${named(node)} on ${named(readable)}`);
    });
  };

  // Lists texts, faces and cards that extend beyond the window, and texts that extend beyond their poster or panel.
  window.cut = () => all(`:is(.scene--table, .third) ${READABLE}`).filter((readable) => {
    const bounds = readable.getBoundingClientRect();
    const sheet = readable.matches(".line") ? readable.parentElement.closest(SHEETS)?.getBoundingClientRect() : null;
    const slack = SLACK * innerHeight;
    const within = ({ left, top, right, bottom }) => left - slack <= bounds.left && bounds.right <= right + slack &&
      top - slack <= bounds.top && bounds.bottom <= bottom + slack;
    return !within({ left: 0, top: 0, right: innerWidth, bottom: innerHeight }) || (sheet && !within(sheet));
  }).map((readable) => `${named(readable)} is cut`);

  // Returns whether a bot's words are shown, whether a bot's thought is shown, and what is covered or cut off.
  window.findCovered = () => [all(".speaker").length > 0, all('.speaker[data-kind="thought"]').length > 0, [...window.covered(), ...window.cut()]];
})();
