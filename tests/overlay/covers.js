// Lists what lies on a name, a face, a card or an amount of the table, as boxes in the browser; and what a canvas is above.
(() => {
  const READ = ".scene--table :is(.poster__photo, .poster__name .line, .poster__stack .line, .plate__number .line, " +
    ".seat__won .line, .card[data-suit], .pot__number .line, .pot__winner .line, .side__amount)";
  const EFFECTS = ".scene--table :is(.stamp, .bubble, .chance, .badge, .poster__star), .flight";
  const SLACK = 3;
  const all = (selector) => [...document.querySelectorAll(selector)]
    .filter((node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
  const named = (node) => `${node.getAttribute("class")}: ${node.textContent.slice(0, 30)}`;
  const meet = (one, other) =>
    one.left < other.right - SLACK && other.left < one.right - SLACK &&
    one.top < other.bottom - SLACK && other.top < one.bottom - SLACK;
  // Speech takes the place of its own bot's cards for its time.
  const allowed = (effect, read) => effect.matches(".bubble") && read.matches(".card") &&
    effect.closest(".seat").contains(read);

  window.read = () => all(READ).map((node) => node.getAttribute("class"));
  window.covered = () => {
    const read = all(READ).map((node) => [node, node.getBoundingClientRect()]);
    return all(EFFECTS).flatMap((effect) => {
      const box = effect.getBoundingClientRect();
      return read.filter(([node, its]) => meet(box, its) && !allowed(effect, node))
        .map(([node]) => `${named(effect)} on ${named(node)}`);
    });
  };

  // The canvas fills the stage and lets clicks through: asked as if it did not, it must lie below all that is read.
  window.underCanvas = () => {
    const canvas = document.querySelector("canvas.particles");
    if (!canvas) return null;
    canvas.style.pointerEvents = "auto";
    const under = all(READ).filter((node) => {
      const { left, top, width, height } = node.getBoundingClientRect();
      const pile = document.elementsFromPoint(left + width / 2, top + height / 2);
      const above = pile.slice(0, pile.indexOf(canvas));
      return !pile.includes(canvas) || !above.some((each) => each === node || node.contains(each) || each.contains(node));
    });
    canvas.style.pointerEvents = "";
    return under.map(named);
  };
})();
