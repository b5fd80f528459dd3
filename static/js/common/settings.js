/**
 * The settings in a page's address. Unknown settings and values are ignored.
 *
 * @typedef {{ channel: string, theme: string, deck: "2" | "4", motion: "full" | "reduced" | "off", audio: boolean,
 *   volume: number, layers: string[], start: string, still: boolean, debug: boolean,
 *   safe: boolean, shape: Shape, describe: boolean }} Settings `layers`: the only layers of the picture that are shown,
 *   empty for all; `start`: the time at which the show begins, "20:00"; `still`: nothing moves, and the picture changes
 *   only when an event happens; `safe`: lines mark the area that every screen shows; `describe`: screen readers get a
 *   description of the picture instead of only the captions
 * @typedef {"wide" | "tall"} Shape the shape of the picture
 * @typedef {{ shape: Shape, width: number, height: number, deck: { x: number, y: number } }} Size in screen pixels;
 *   cards are dealt from `deck`, a point near the middle
 */

/** @type {Record<Shape, Size>} */
const SIZES = {
  wide: { shape: "wide", width: 1920, height: 1080, deck: { x: 960, y: 484 } },
  // Here the smallest text is 28 pixels high. Scaled to a height of 1920, it is 36 pixels high: legible on a phone.
  tall: { shape: "tall", width: 837, height: 1488, deck: { x: 390, y: 694 } },
};

/** The screen's size in its own pixels, before scaling. @type {(settings: Pick<Settings, "shape">) => Size} */
export function screenSize({ shape }) {
  return SIZES[shape];
}

/**
 * Reads the settings from the query of the address.
 *
 * @param {string} search "?theme=plain&deck=2"
 * @param {boolean} prefersReducedMotion whether the viewer prefers less motion
 * @param {boolean} isTallByDefault whether the picture is tall by default
 * @returns {Settings}
 */
export function parseSettings(search, prefersReducedMotion, isTallByDefault = false) {
  const parameters = new URLSearchParams(search);
  const isOn = (/** @type {string} */ name) => (parameters.get(name) ?? "0") !== "0";
  const motion = parameters.get("motion");
  const volume = Number(parameters.get("vol") ?? "1");
  const shape = parameters.get("shape");
  return {
    channel: parameters.get("channel") || "main",
    theme: parameters.get("theme") === "plain" ? "plain" : "western",
    deck: parameters.get("deck") === "2" ? "2" : "4",
    motion:
      motion === "full" || motion === "reduced" || motion === "off"
        ? motion
        : prefersReducedMotion
          ? "reduced"
          : "full",
    audio: parameters.get("audio") === "1",
    volume: volume >= 0 && volume <= 1 ? volume : 1,
    layers: (parameters.get("layers") ?? "").split(",").filter(Boolean),
    start: /^([01]?\d|2[0-3]):[0-5]\d$/.test(parameters.get("start") ?? "") ? (parameters.get("start") ?? "") : "",
    still: isOn("still"),
    debug: isOn("debug"),
    safe: isOn("safe"),
    describe: parameters.get("voice") === "describe",
    shape: shape === "tall" || (isTallByDefault && shape !== "wide") ? "tall" : "wide",
  };
}
