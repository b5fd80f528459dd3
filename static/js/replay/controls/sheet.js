/**
 * A sheet beside or below the picture, which leaves in sight what it is about. It lies over the controls; a close
 * button, Escape and whatever opened it take it away again.
 */

/** One sheet. The style sheet says where it lies; here it learns how much of the page it must leave free. */
export class Sheet {
  #root;
  #kept;
  /** @type {HTMLElement | null} */
  #opener = null;
  /** Called after it was shown or hidden. */
  changed = () => {};

  /**
   * @param {HTMLElement} root
   * @param {() => Element[]} kept what has to stay in sight
   */
  constructor(root, kept) {
    this.#root = root;
    this.#kept = kept;
    root.querySelector(".sheet__close")?.addEventListener("click", () => this.hide());
    // Keys that are meant for the sheet are not meant for the player.
    root.addEventListener("keydown", (event) => event.key === "Escape" || event.stopPropagation());
    addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
    addEventListener("resize", () => this.dock());
  }

  get open() {
    return !this.#root.hidden;
  }

  /** @param {HTMLElement | null} opener gets the focus back when the sheet is closed */
  show(opener) {
    this.#opener = opener;
    this.#root.hidden = false;
    this.dock();
    this.#root.querySelector("button")?.focus({ preventScroll: true });
    this.changed();
  }

  hide() {
    if (!this.open) return;
    const focused = this.#root.contains(document.activeElement);
    this.#root.hidden = true;
    if (focused) this.#opener?.focus({ preventScroll: true });
    this.changed();
  }

  /** Moves it out of the way of what has to stay in sight. */
  dock() {
    if (!this.open) return;
    const boxes = this.#kept().map((part) => part.getBoundingClientRect());
    this.#root.style.setProperty("--below", `${Math.max(0, ...boxes.map((box) => box.bottom))}px`);
    this.#root.style.setProperty("--beside", `${Math.max(0, ...boxes.map((box) => box.right))}px`);
  }
}
