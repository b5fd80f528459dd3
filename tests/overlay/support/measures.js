// Finds text that is too small, text that extends beyond its box, overlapping boxes, and parts outside the safe area.
(() => {
  const LEAST_FONT_SIZE = 28;
  const BOXES = ".poster, .plate, .speaker, .pot, .at-stake, .third, .row, .listed, .step, .badge, .panel, .standings__cut, " +
    ".covered, .cover__note, .chance, .notice, .duel__made, .award, .tallied__cell, .tallied__amount";
  const SLACK = 3;
  // The area in which boxes must stay. On the wide picture, it is within the action-safe area of EBU R 95.
  const SAFE = document.documentElement.dataset.shape === "tall"
    ? { left: 36, right: 744, top: 140, bottom: 1294 } : { left: 68, right: 1852, top: 40, bottom: 1042 };
  // Returns the area inside margins like those of EBU R 95. Each margin is the fraction `margin` of the window's
  // width or height.
  const inset = (margin) => ({
    left: innerWidth * margin, right: innerWidth * (1 - margin),
    top: innerHeight * margin, bottom: innerHeight * (1 - margin),
  });
  const visible = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const named = (node) => `${node.className.baseVal ?? node.className}: ${node.textContent.slice(0, 40)}`;
  const all = (selector) => [...document.querySelectorAll(selector)].filter(visible);
  const boxOf = (node) => node.getBoundingClientRect();
  const meet = (one, other, slack) =>
    one.left < other.right - slack && other.left < one.right - slack &&
    one.top < other.bottom - slack && other.top < one.bottom - slack;

  function texts() {
    const walker = document.createTreeWalker(document.querySelector(".stage"), NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (walker.currentNode.data.trim() && visible(parent)) found.push([walker.currentNode, parent]);
    }
    return found;
  }

  const small = () => texts()
    .filter(([, parent]) => parseFloat(getComputedStyle(parent).fontSize) < LEAST_FONT_SIZE)
    .map(([, parent]) => named(parent));

  const exceeds = (inner, outer) =>
    inner.left < outer.left - SLACK || inner.right > outer.right + SLACK ||
    inner.top < outer.top - SLACK || inner.bottom > outer.bottom + SLACK;

  // Returns the boxes of a text's lines. A line is higher than its capitals, and only the capitals are measured.
  function linesOf([text, parent]) {
    const range = document.createRange();
    range.selectNodeContents(text);
    const capitals = parseFloat(getComputedStyle(parent).fontSize) * 0.72;
    return [...range.getClientRects()].map(({ left, right, top, height }) => {
      const above = (height - capitals) / 2;
      return { left, right, top: top + above, bottom: top + height - above };
    });
  }

  const strayFaces = () => all(".chart__face").filter((face) => exceeds(boxOf(face), boxOf(face.closest(".panel")))).map(named);

  const outside = () => texts().flatMap((text) => {
    const [, parent] = text;
    const box = parent.closest(BOXES);
    if (!box || parent.closest(".stamp, [data-shape=tall] :is(.third__place, .third__marks)")) return [];
    const bad = linesOf(text).some((line) => exceeds(line, boxOf(box)));
    return bad ? [`${named(parent)} in ${box.className}`] : [];
  });

  function overlapping() {
    const found = [];
    const among = (nodes, slack) => nodes.forEach((one, at) => nodes.slice(at + 1).forEach((other) => {
      if (meet(boxOf(one), boxOf(other), slack)) found.push(`${named(one)} over ${named(other)}`);
    }));
    const between = (ones, others, slack) => ones.forEach((one) => others.forEach((other) => {
      if (meet(boxOf(one), boxOf(other), slack)) found.push(`${named(one)} over ${named(other)}`);
    }));
    const cards = all(".card[data-suit]");
    among(all(".seat"), 0);
    among(all(".row"), 0);
    among(all(".covered"), 0);
    among(all(".tallied"), 0);
    among(all(".award"), 0);
    among(all(".tally__head, .tally__number .line, .tally__photo, .tally__key, .tally__corner .line"), SLACK);
    all(".tallied").forEach((row) => among([...row.querySelectorAll(".tallied__name .line, .tallied__cell, .tallied__amount .line, .tally__photo")], SLACK));
    among(all(".lineup__wall .poster"), 0);
    among(all(".duel__ring > *, .duel__title, .scene--duel .board"), SLACK);
    among(cards, SLACK);
    among(all(".seat__cards, .plate, .seat__badges, .board, .pot, .at-stake, .speaker"), SLACK);
    between(all(".seat > *"), all(".board, .pot, .at-stake, .speaker, .third"), SLACK);
    between(all(".poster__name .line"), all(".poster__photo, .poster__stack"), 8);
    between(all(".chance"), [...cards, ...all(".plate, .badge, .stamp, .poster__name .line, .poster__stack, .poster__lost")], SLACK);
    between(all(".stage > .branding"), [...cards, ...all(".seat > *, .board, .pot, .at-stake, .speaker, .third, .row, .listed, " +
      ".step, .panel, .covered, .tallied, .award, .poster, .duel__made, .cover__line")], SLACK);
    between(all(".clock"), all(".poster__photo, .poster__name, .poster__reward, .seat__cards, .plate, .chance, .badge"), 1);
    between(all(".award__title"), all(".award__words"), 0);
    among(all(".chart__face"), 0);
    between(all(".third__caption"), all(".third__place, .third__stakes, .third__marks"), SLACK);
    return found;
  }

  function unsafe() {
    const boxes = all(".seat, .card[data-suit], .plate, .speaker, .pot, .third, .row, .panel, .covered, .cover__note, .tallied, .award");
    const branding = texts().filter(([, parent]) => parent.closest(".branding"));
    return [
      ...boxes.filter((box) => exceeds(boxOf(box), SAFE)),
      ...all(".stage > .branding").filter((box) => exceeds(boxOf(box), inset(0.035))),
      ...all(".stage > .branding img").filter((logo) => exceeds(boxOf(logo), inset(0.05))),
      ...branding.filter((text) => linesOf(text).some((box) => exceeds(box, inset(0.05)))).map(([, parent]) => parent),
    ].map(named);
  }

  window.measures = () => ({ small: small(), outside: [...outside(), ...strayFaces()], overlapping: overlapping(), unsafe: unsafe() });
})();
