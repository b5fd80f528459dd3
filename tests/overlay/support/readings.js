// Lists the page's texts with colour, size and position. Lengths are in pixels of the picture, not of the window. Texts
// that may be faint, such as those of folded hands, are `exempt` from tests of contrast.
window.readings = () => {
  const screen = document.querySelector(".stage");
  const cover = document.querySelector(".cover:not([hidden])");
  const scale = screen.getBoundingClientRect().width / screen.offsetWidth;
  const seen = (node) => (!cover || cover.contains(node)) &&
    node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const opacityOf = (node) => node === screen ? 1 :
    Number(getComputedStyle(node).opacity) * opacityOf(node.parentElement);
  const reading = (node, text, box, style) => ({
    text,
    class: node.closest("[class]:not(.line)").getAttribute("class"),
    size: parseFloat(style.fontSize),
    colour: style.color,
    opacity: opacityOf(node),
    exempt: node.closest('.card[data-light="dim"], [data-state="folded"] .card, .top__words, ' +
      ".poster:has(.stamp[data-stamp]) .poster__wanted") !== null,
    box: [box.left, box.top, box.right, box.bottom].map((side) => side / scale),
  });

  const pen = document.createElement("canvas").getContext("2d");
  function widthOf(text, style) {
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    return scale * Math.max(...text.split("\n").map((line) => pen.measureText(line).width));
  }

  function written() {
    const walker = document.createTreeWalker(screen, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const node = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || !seen(node)) continue;
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      found.push(reading(node, walker.currentNode.data.trim(), range.getBoundingClientRect(), getComputedStyle(node)));
    }
    return found;
  }

  // Reads the theme's words in pseudo-elements. A pseudo-element without absolute position fills its element.
  function themed() {
    return [...screen.querySelectorAll("*")].flatMap((node) => ["::before", "::after"].flatMap((pseudo) => {
      const style = getComputedStyle(node, pseudo);
      if (!/^"[^"]+"$/.test(style.content) || !seen(node)) return [];
      const text = style.content.slice(1, -1).replaceAll("\\a ", "\n");
      const { left, right, ...box } = node.getBoundingClientRect().toJSON();
      const width = Math.min(right - left, widthOf(text, style));
      const from = style.textAlign === "center" ? (left + right - width) / 2 : left;
      const top = style.position === "absolute" ? box.bottom - (parseFloat(style.height) + 8) * scale : box.top;
      return [reading(node, text, { left: from, top, right: from + width, bottom: box.bottom }, style)];
    }));
  }

  return [...written(), ...themed()];
};
