/**
 * Lists with one row per item. Each row is created only once, so that a row stays in place while it has the focus or a
 * finger is on it.
 *
 * @template Item
 * @typedef {{ root: HTMLElement, update: (item: Item) => void }} Row
 */

/**
 * @template Item
 * @param {Element} host
 * @param {(item: Item) => string | number} keyOf returns the key that identifies an item
 * @param {(item: Item) => Row<Item>} make makes the row of a new item
 * @returns {(items: Item[]) => void} fills `host` with one row per item, in order
 */
export function makeRowList(host, keyOf, make) {
  /** @type {Map<string | number, Row<Item>>} */
  let rows = new Map();
  return (items) => {
    const former = rows;
    rows = new Map(items.map((item) => [keyOf(item), former.get(keyOf(item)) ?? make(item)]));
    for (const [key, { root }] of former) if (!rows.has(key)) root.remove();
    [...rows.values()].forEach(({ root }, index) => {
      if (host.children[index] !== root) host.insertBefore(root, host.children[index] ?? null);
    });
    for (const item of items) rows.get(keyOf(item))?.update(item);
  };
}
