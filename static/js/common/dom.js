/**
 * Functions that make and change elements. Strangers' text goes through `textContent` only; nothing here parses HTML.
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an element: `el("photo")` is `<div class="photo">`, `el("img.photo")` an `<img class="photo">`.
 *
 * @param {string} className after the tag and a dot, if it is no div
 * @param {(Node | string)[]} children
 * @returns {HTMLElement}
 */
export function el(className, ...children) {
  const [tag, name] = className.includes(".") ? className.split(".", 2) : ["div", className];
  const node = document.createElement(tag || "div");
  if (name) node.className = name;
  node.append(...children);
  return node;
}

/**
 * Makes an SVG element.
 *
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {Node[]} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/**
 * Sets the text of an element, if it is another one now.
 *
 * @param {Element} node
 * @param {string} text
 */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Sets `data-name`, or removes it where the value is empty.
 *
 * @param {Element} node
 * @param {string} name
 * @param {string | number | boolean} value
 */
export function mark(node, name, value) {
  const text = value === true ? "yes" : value === false ? "" : String(value);
  const attribute = `data-${name}`;
  if ((node.getAttribute(attribute) ?? "") === text) return;
  if (text) node.setAttribute(attribute, text);
  else node.removeAttribute(attribute);
}

/**
 * Positions an element.
 *
 * @param {HTMLElement | SVGElement} node
 * @param {Partial<Record<"left" | "top" | "width" | "height" | "right" | "bottom", number>>} box in stage pixels
 */
export function place(node, box) {
  for (const [side, value] of Object.entries(box)) node.style.setProperty(side, `${value}px`);
}

/**
 * Shows the picture at `address` in `image`; while it cannot be loaded `fallback`, and where that cannot be, nothing.
 *
 * It is asked for again after 1, 5, 25 seconds and so on. On the machine of an event the network blinks whenever a
 * container starts, and a browser then gives up what was on its way; phones lose theirs anyway.
 *
 * @param {HTMLImageElement} image
 * @param {string} address
 * @param {string} fallback
 */
export function picture(image, address, fallback) {
  if (image.dataset.of === address) return;
  image.dataset.of = address;
  let pause = 1000;
  const show = () => {
    if (image.dataset.of !== address) return;
    image.style.visibility = "";
    image.src = address;
  };
  image.onerror = () => {
    const failed = image.getAttribute("src");
    if (failed === fallback) image.style.visibility = "hidden";
    else image.src = fallback;
    if (failed !== address) return;
    setTimeout(show, pause);
    pause *= 5;
  };
  show();
}

/** @returns {HTMLImageElement} */
export function emptyPicture() {
  const image = document.createElement("img");
  image.alt = "";
  image.decoding = "sync";
  image.draggable = false;
  return image;
}

/**
 * An element that the page always has.
 *
 * @param {string} id
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}
