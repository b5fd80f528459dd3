/**
 * Creates and updates elements. Text that strangers wrote, such as names and chat, is set with `textContent` only: no
 * code in this file parses HTML.
 */

import { avatarOf, DEFAULT_AVATAR } from "./addresses.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an element: `el("photo")` is `<div class="photo">`, and `el("img.photo")` is `<img class="photo">`.
 *
 * @param {string} className with the tag and a dot in front; a class name alone makes a div
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

/** @type {(tag: string, attributes?: Record<string, string | number>, ...children: Node[]) => SVGElement} */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** Sets an element's text, unless the element has it already. @type {(node: Element, text: string) => void} */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Sets the attribute `data-name`, or removes it if the value is empty.
 *
 * @type {(node: Element, name: string, value: string | number | boolean) => void}
 */
export function setData(node, name, value) {
  const text = value === true ? "yes" : value === false ? "" : String(value);
  const attribute = `data-${name}`;
  if ((node.getAttribute(attribute) ?? "") === text) return;
  if (text) node.setAttribute(attribute, text);
  else node.removeAttribute(attribute);
}

/**
 * @param {HTMLElement | SVGElement} node
 * @param {Partial<Record<"left" | "top" | "width" | "height" | "right" | "bottom", number>>} box in screen pixels
 */
export function position(node, box) {
  for (const [side, value] of Object.entries(box)) node.style.setProperty(side, `${value}px`);
}

/**
 * Shows a bot's face in `image`. If loading it fails, shows the default face. If that face fails, too, shows nothing.
 *
 * Loading is retried after 1, 5, 25 seconds and so on. On the machine that runs the show, the network drops out briefly
 * whenever a container starts, and browsers then abandon their downloads.
 *
 * @param {HTMLImageElement} image
 * @param {{ avatar: string } | undefined} bot
 */
export function showFace(image, bot) {
  const address = avatarOf(bot);
  if (image.dataset.of === address) return image;
  image.dataset.of = address;
  let pause = 1000;
  const show = () => {
    if (image.dataset.of !== address) return;
    image.style.visibility = "";
    image.src = address;
  };
  image.onerror = () => {
    const failed = image.getAttribute("src");
    if (failed === DEFAULT_AVATAR) image.style.visibility = "hidden";
    else image.src = DEFAULT_AVATAR;
    if (failed !== address) return;
    setTimeout(show, pause);
    pause *= 5;
  };
  show();
  return image;
}

export function emptyImage() {
  const image = document.createElement("img");
  image.alt = "";
  image.decoding = "sync";
  image.draggable = false;
  return image;
}

/** @param {string} id of an element that must be on the page */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * A button that calls `onClick` when it is clicked.
 *
 * @param {string} className as for `el`, without the tag
 * @param {() => unknown} onClick
 * @param {(Node | string)[]} children
 * @returns {HTMLButtonElement}
 */
export function button(className, onClick, ...children) {
  const node = /** @type {HTMLButtonElement} */ (el(`button.${className}`, ...children));
  node.type = "button";
  node.addEventListener("click", onClick);
  return node;
}

/**
 * @param {string} className as for `el`, without the tag
 * @param {string} address
 * @param {(Node | string)[]} children
 */
export function link(className, address, ...children) {
  const node = el(`a.${className}`, ...children);
  node.setAttribute("href", address);
  return node;
}

/** The `dependencies` of the last `redraw` of each element, as JSON. @type {WeakMap<Element, string>} */
const drawnKeys = new WeakMap();

/**
 * Replaces the children of `host` if its `dependencies` have changed since the last call.
 *
 * @param {Element} host
 * @param {unknown} dependencies all values that the content depends on; compared as JSON
 * @param {() => (Node | string)[]} makeChildren
 */
export function redraw(host, dependencies, makeChildren) {
  const key = JSON.stringify(dependencies);
  if (drawnKeys.get(host) === key) return;
  drawnKeys.set(host, key);
  host.replaceChildren(...makeChildren());
}

/** Takes the focus from a clicked button, so that Space does not click it again. */
export function blurClicked() {
  addEventListener("click", (event) => {
    if (event.detail && event.target instanceof Element) event.target.closest("button")?.blur();
  });
}
