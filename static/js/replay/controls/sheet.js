/**
 * A sheet: a panel beside or below the picture, over the controls. It is closed with its close button, with Escape, or
 * with the control that opened it.
 */

/** One sheet. It measures the parts that must stay visible. The style sheet then positions it beside these parts. */
export class Sheet {
  #root;
  #visibleParts;
  /** @type {HTMLElement | null} */
  #opener = null;
  /** Called after the sheet is shown or hidden. */
  onToggle = () => {};

  /**
   * @param {HTMLElement} root
   * @param {() => Element[]} visibleParts returns the parts that must stay visible
   */
  constructor(root, visibleParts) {
    this.#root = root;
    this.#visibleParts = visibleParts;
    root.querySelector(".sheet__close")?.addEventListener("click", () => this.hide());
    // Keys pressed in the sheet must not also control the replay.
    root.addEventListener("keydown", (event) => event.key === "Escape" || event.stopPropagation());
    addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
    addEventListener("resize", () => this.dock());
  }

  get isOpen() {
    return !this.#root.hidden;
  }

  /** @param {HTMLElement | null} opener gets the focus back when the sheet is closed */
  show(opener) {
    this.#opener = opener;
    this.#root.hidden = false;
    this.dock();
    this.#root.querySelector("button")?.focus({ preventScroll: true });
    this.onToggle();
  }

  hide() {
    if (!this.isOpen) return;
    const focused = this.#root.contains(document.activeElement);
    this.#root.hidden = true;
    if (focused) this.#opener?.focus({ preventScroll: true });
    this.onToggle();
  }

  /** Moves the sheet away from the parts that must stay visible. */
  dock() {
    if (!this.isOpen) return;
    const boxes = this.#visibleParts().map((part) => part.getBoundingClientRect());
    this.#root.style.setProperty("--below", `${Math.max(0, ...boxes.map((box) => box.bottom))}px`);
    this.#root.style.setProperty("--beside", `${Math.max(0, ...boxes.map((box) => box.right))}px`);
  }
}
