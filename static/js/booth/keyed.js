/** Keeps one element for each thing of a list, so that what is focused or being pressed stays where it is. */

/**
 * Has `host` hold one element for each item, in their order.
 *
 * @template Item
 * @param {Element} host
 * @param {Item[]} items
 * @param {(item: Item) => string | number} keyOf
 * @param {(item: Item) => HTMLElement} make
 * @param {(node: HTMLElement, item: Item) => void} update
 */
export function keyed(host, items, keyOf, make, update) {
  const there = new Map([...host.children].map((node) => [node.getAttribute("data-key"), node]));
  items.forEach((item, at) => {
    const key = String(keyOf(item));
    const node = /** @type {HTMLElement} */ (there.get(key) ?? make(item));
    there.delete(key);
    if (node.getAttribute("data-key") !== key) node.setAttribute("data-key", key);
    update(node, item);
    if (host.children[at] !== node) host.insertBefore(node, host.children[at] ?? null);
  });
  for (const node of there.values()) node.remove();
}
