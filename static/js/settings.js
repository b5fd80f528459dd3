/**
 * What the page's address asks for. Unknown settings and values are ignored.
 *
 * @typedef {{ channel: string, theme: string, deck: "2" | "4", motion: "full" | "reduced" | "off", audio: boolean,
 *   volume: number, layers: string[], start: string, still: boolean, debug: boolean,
 *   safe: boolean }} Settings `start`: the hour the show begins, "20:00"
 */

/**
 * @param {string} search the query of the address, "?theme=plain&deck=2"
 * @param {boolean} calm whether the viewer asked for less motion
 * @returns {Settings}
 */
export function settingsOf(search, calm) {
  const asked = new URLSearchParams(search);
  const motion = asked.get("motion");
  const volume = Number(asked.get("vol") ?? "1");
  return {
    channel: asked.get("channel") || "main",
    theme: asked.get("theme") === "plain" ? "plain" : "western",
    deck: asked.get("deck") === "2" ? "2" : "4",
    motion: motion === "full" || motion === "reduced" || motion === "off" ? motion : calm ? "reduced" : "full",
    audio: asked.get("audio") === "1",
    volume: volume >= 0 && volume <= 1 ? volume : 1,
    layers: (asked.get("layers") ?? "").split(",").filter(Boolean),
    start: /^([01]?\d|2[0-3]):[0-5]\d$/.test(asked.get("start") ?? "") ? (asked.get("start") ?? "") : "",
    still: on(asked, "still"),
    debug: on(asked, "debug"),
    safe: on(asked, "safe"),
  };
}

/**
 * @param {URLSearchParams} asked
 * @param {string} name
 */
function on(asked, name) {
  const value = asked.get(name);
  return value !== null && value !== "0";
}
