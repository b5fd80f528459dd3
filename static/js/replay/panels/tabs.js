/**
 * The tabs beside the picture, or below it on small screens. While a tab has the focus, Left, Right, Home and End
 * select another tab, as on other web pages.
 */

import { byId, setData } from "../../common/dom.js";

/** @typedef {"now" | "standings" | "hands" | "schedule"} TabName */

export class Tabs {
  #host = byId("tabs");
  #onChange;
  /** @type {TabName} */
  shown = "now";

  /** @param {() => void} onChange called when another tab is selected */
  constructor(onChange) {
    this.#onChange = onChange;
    for (const tab of this.#all) tab.addEventListener("click", () => this.show(nameOf(tab)));
    this.#host.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** @param {TabName} name */
  show(name) {
    for (const tab of this.#all) {
      const selected = nameOf(tab) === name;
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
      byId(`panel-${nameOf(tab)}`).hidden = !selected;
    }
    if (name === this.shown) return;
    this.shown = name;
    setData(document.body, "tab", name);
    this.#onChange();
  }

  /** Shows a tab, or hides it while its panel is empty. @type {(name: TabName, hasContent: boolean) => void} */
  offer(name, hasContent) {
    byId(`tab-${name}`).hidden = !hasContent;
    if (!hasContent && this.shown === name) this.show("now");
  }

  get #all() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.#host.querySelectorAll("[role=tab]"))];
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const tabs = this.#all.filter((tab) => !tab.hidden);
    const index = tabs.findIndex((tab) => nameOf(tab) === this.shown);
    /** @type {Record<string, number>} */
    const ways = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: tabs.length - 1 };
    const to = ways[event.key];
    if (to === undefined || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const tab = tabs[(to + tabs.length) % tabs.length];
    if (tab) this.show(nameOf(tab));
    tab?.focus();
  }
}

/** @param {HTMLElement} tab */
function nameOf(tab) {
  return /** @type {TabName} */ (tab.id.slice("tab-".length));
}
