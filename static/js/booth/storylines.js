/**
 * The storylines (true stories of the bots' evening), the most important first. Each storyline has a button that shows
 * it in the picture, on the lower third.
 *
 * @import { Booth, Storyline } from "./booth-state.js"
 * @import { Evening } from "./evening.js"
 */

import { button, byId, el, redraw, setData, setText } from "../common/dom.js";
import { capitalize, chips } from "../common/format.js";
import { makeRowList } from "../lists/rows.js";

/** How many storylines are shown until the commentator asks for all. The style sheet has the same number. */
const SHOWN_AT_FIRST = 8;

/**
 * Makes the list of storylines, below the storyline that is on air.
 *
 * @param {Evening} evening
 * @param {(key: string, pinned: boolean) => void} announce puts a storyline on air; the key "" removes the current
 *   storyline
 * @returns {(booth: Booth) => void} draws the list
 */
export function storylinesPanel(evening, announce) {
  byId("away").addEventListener("click", () => announce("", false));
  let showsAll = false;
  byId("more").addEventListener("click", () => {
    showsAll = !showsAll;
    showMore();
  });
  const showMore = () => {
    setData(byId("lines"), "whole", showsAll);
    setText(byId("more"), showsAll ? `The first ${SHOWN_AT_FIRST} only` : "All storylines");
  };
  const showRows = makeRowList(
    byId("lines"),
    (/** @type {Storyline & { isOn: boolean }} */ { key }) => key,
    ({ key }) => {
      const [importance, rare, text] = [el("b.line__importance"), el("span.line__rare"), el("span.line__text")];
      const [aired, hands] = [el("span.line__told"), el("span.line__hands")];
      const open = button("line__open", () => setData(root, "open", !root.hasAttribute("data-open")), text);
      const air = button("line__air", () => announce(key, false), "To air");
      const pin = button("line__pin", () => announce(key, true), "Pin");
      const head = el("p.line__head", importance, rare, aired);
      const words = el("div.line__words", head, open, el("p.line__foot", hands, pin));
      const root = el("li.line", words, air);
      return {
        root,
        update: (line) => {
          setData(root, "importance", line.importance);
          setData(root, "told", line.told !== null);
          setData(root, "on", line.isOn);
          setText(importance, capitalize(line.importance));
          setText(rare, [agoWords(line.ago), rareWords(line.once_in)].filter(Boolean).join(" · "));
          setText(text, line.text);
          setText(aired, airedWords(line.told));
          redraw(hands, [line.hands, line.earlier, evening.hands.length], () => handLinks(line, evening));
        },
      };
    },
  );
  showMore();
  return ({ lines, on_air: onAir }) => {
    byId("on-air").hidden = !onAir?.text;
    setText(byId("on-air-text"), `${onAir?.pinned ? "Pinned" : "On air"}: ${onAir?.text ?? ""}`);
    const left = lines.filter(({ told }) => told === null).length;
    setText(byId("left"), lines.length ? `${left} not aired yet` : "");
    byId("no-lines").hidden = lines.length > 0;
    byId("more").hidden = lines.length <= SHOWN_AT_FIRST;
    showRows(lines.map((line) => ({ ...line, isOn: line.text === onAir?.text })));
  };
}

/** @param {number | null} ago how many hands ago */
function agoWords(ago) {
  if (ago === null) return "";
  return ago === 0 ? "last hand" : ago === 1 ? "a hand ago" : `${ago} hands ago`;
}

/** @param {number} often a storyline of this kind begins once in this many hands; 0 if unknown or common */
function rareWords(often) {
  return often > 1 ? `once in ${chips(often)} hands` : "";
}

/** @type {(line: Storyline, evening: Evening) => (Node | string)[]} */
function handLinks({ hands, earlier }, evening) {
  const links = [
    ...hands.map(([game, hand]) => evening.link(game, hand)),
    ...earlier.map(([recording, hand]) => evening.recordingLink(recording, hand)),
  ];
  return [hands.length ? "Hands " : "", ...links.flatMap((link) => [link, " "])];
}

/** @param {number | null} ago how many hands ago the storyline was on air, or null if it never was */
function airedWords(ago) {
  if (ago === null) return "";
  if (ago === 0) return "✓ aired just now";
  return ago === 1 ? "✓ aired a hand ago" : `✓ aired ${ago} hands ago`;
}
