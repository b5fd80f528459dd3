// Lists the page's texts with colour, size and position. Lengths are in pixels of the picture, not of the window. Texts
// that may be faint, such as those of folded hands, are `exempt` from tests of contrast.
window.readings = () => {
  const stage = document.querySelector(".stage");
  const cover = document.querySelector(".cover:not([hidden])");
  const scale = stage.getBoundingClientRect().width / stage.offsetWidth;
  const isVisible = (node) => (!cover || cover.contains(node)) &&
    node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const opacityOf = (node) => node === stage ? 1 :
    Number(getComputedStyle(node).opacity) * opacityOf(node.parentElement);
  const describe = (node, text, box, style) => ({
    text,
    class: node.closest("[class]:not(.line)").getAttribute("class"),
    size: parseFloat(style.fontSize),
    colour: style.color,
    opacity: opacityOf(node),
    exempt: node.closest('.card[data-light="dim"], [data-state="folded"] .card, .top__words, ' +
      ".poster:has(.stamp[data-stamp]) .poster__wanted") !== null,
    box: [box.left, box.top, box.right, box.bottom].map((side) => side / scale),
  });

  const context = document.createElement("canvas").getContext("2d");
  function widthOf(text, style) {
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    return scale * Math.max(...text.split("\n").map((line) => context.measureText(line).width));
  }

  function readTextNodes() {
    const walker = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const node = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || !isVisible(node)) continue;
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      found.push(describe(node, walker.currentNode.data.trim(), range.getBoundingClientRect(), getComputedStyle(node)));
    }
    return found;
  }

  // Reads the theme's words in pseudo-elements. A pseudo-element without absolute position fills its element.
  function readPseudoElements() {
    return [...stage.querySelectorAll("*")].flatMap((node) => ["::before", "::after"].flatMap((pseudo) => {
      const style = getComputedStyle(node, pseudo);
      if (!/^"[^"]+"$/.test(style.content) || !isVisible(node)) return [];
      const text = style.content.slice(1, -1).replaceAll("\\a ", "\n");
      const { left, right, ...box } = node.getBoundingClientRect().toJSON();
      const width = Math.min(right - left, widthOf(text, style));
      const start = style.textAlign === "center" ? (left + right - width) / 2 : left;
      const top = style.position === "absolute" ? box.bottom - (parseFloat(style.height) + 8) * scale : box.top;
      return [describe(node, text, { left: start, top, right: start + width, bottom: box.bottom }, style)];
    }));
  }

  return [...readTextNodes(), ...readPseudoElements()];
};
