/**
 * Lists the bots at the table with their chips, and the events of this hand, with all chances after each street.
 *
 * @import { Chance, Checked, Entry, Seat, State } from "../../common/types.js"
 * @import { FollowedBots } from "../../common/followed.js"
 * @import { Row } from "../../lists/rows.js"
 * @import { Outline } from "../film/film.js"
 * @typedef {{ seq: number, bot: number, text: string, checked: Checked[] }} Note a bot's thought about its action
 * @typedef {{ seq: number, kind: string, parts: string[], chances: Chance[], notes: Note[] }} TranscriptLine `notes`:
 *   the part of the bot's thought that was on air, if any, and then the whole thought
 * @typedef {TranscriptLine & { outline: Outline, bots: number[], state: State, isNow: boolean }} ShownLine
 */

import { areThoughtsHidden, thoughtElements } from "../../common/checked-thought.js";
import { button, el, redraw, setData, setText } from "../../common/dom.js";
import { FollowButton, linkToBot } from "../../common/followed.js";
import { chanceOf, chips, ordinal } from "../../common/format.js";
import { makeRowList } from "../../lists/rows.js";
import { drawSwatch } from "./graphs.js";

/**
 * @param {HTMLElement} host
 * @param {FollowedBots} followed
 * @param {string} channel where the bots play, "" for none
 * @returns {(outline: Outline, state: State) => void} draws the list
 */
export function seatsPanel(host, followed, channel) {
  const showRows = makeRowList(
    host,
    (/** @type {{ at: number, seat: Seat, outline: Outline, state: State }} */ { at }) => at,
    ({ at }) => {
      const [star, swatch, link] = [new FollowButton(followed), el("i.swatch"), el("a.seatline__name")];
      const [chance, stack] = [el("span.seatline__win"), el("span.seatline__chips")];
      const root = el("li.seatline", star.root, swatch, link, chance, stack);
      link.dir = "auto";
      return {
        root,
        update: ({ seat, outline, state: { turn, bots } }) => {
          const name = bots[seat.bot]?.name ?? "";
          drawSwatch(swatch, outline, seat.bot);
          setData(root, "quiet", seat.folded || !seat.dealt_in);
          setData(root, "turn", turn?.seat === at);
          setData(root, "followed", star.update(name));
          linkToBot(link, name, channel);
          setText(link, name);
          setText(chance, chanceOf(seat));
          setText(stack, seat.place ? ordinal(seat.place) : chips(seat.stack));
        },
      };
    },
  );
  return (outline, state) => showRows(state.seats.map((seat, index) => ({ at: index, seat, outline, state })));
}

/**
 * Makes the transcript of a hand. A click on a line goes to the line's moment. Lines after the current moment are
 * hidden. The style sheet lays the list out from the bottom, so that the last line stays in view.
 *
 * @param {HTMLElement} host an empty list
 * @param {(seq: number) => void} go called with the number of the entry of the line that was clicked
 * @returns {(outline: Outline, section: { entries: Entry[], bots: number[] }, state: State) => void} draws the current
 *   hand. `bots` has the bot in each seat
 */
export function transcriptPanel(host, go) {
  const scroller = host.parentElement;
  let isScrolled = false;
  scroller?.addEventListener("scroll", () => {
    isScrolled = scroller.scrollTop !== 0;
  });
  /** @type {Entry[]} */
  let shownEntries = [];
  const showRows = makeRowList(
    host,
    (/** @type {ShownLine} */ { seq }) => seq,
    (line) => lineRow(line, go),
  );
  return (outline, { entries, bots }, state) => {
    if (entries !== shownEntries) {
      showRows([]);
      if (isScrolled) scroller?.scrollTo(0, 0);
    }
    shownEntries = entries;
    const lines = linesOf(entries, state);
    const now = lines.findLast(({ seq, kind }) => seq <= state.seq && kind !== "chances");
    showRows(lines.map((line) => ({ ...line, outline, bots, state, isNow: line === now })));
  };
}

/** @type {(line: ShownLine, go: (seq: number) => void) => Row<ShownLine>} */
function lineRow({ seq, kind, parts, chances, outline, bots }, go) {
  const all = chances.map((chance) => {
    const bot = bots[chance.seat] ?? 0;
    const [swatch, name] = [el("i.swatch"), outline.bots.find((each) => each.bot === bot)?.name ?? ""];
    drawSwatch(swatch, outline, bot);
    return el("span.transcript__chance", swatch, el("bdi.", name), " ", el("b.", chanceOf(chance)));
  });
  const words = button("transcript__line", () => go(seq), ...parts, ...all);
  setData(words, "kind", kind);
  const root = el("li.", words);
  const said = el("q.transcript__note");
  said.dir = "auto";
  return {
    root,
    update: ({ notes, state, isNow }) => {
      root.hidden = seq > state.seq;
      setData(root, "now", isNow);
      if (notes.length && !said.parentElement) root.append(said);
      const note = notes.findLast((each) => each.seq <= state.seq);
      said.hidden = !note || areThoughtsHidden(state, note.bot);
      if (note) redraw(said, [note], () => thoughtElements(note.text, note.checked));
    },
  };
}

/** @type {(entries: Entry[], state: State) => TranscriptLine[]} */
function linesOf(entries, state) {
  /** @type {TranscriptLine[]} */
  const lines = [];
  /** The line of each action. @type {TranscriptLine[]} */
  const actions = [];
  let hasDealt = false;
  let hasActed = false;
  for (const entry of entries) {
    if (entry.type === "street_dealt") hasDealt = true;
    if (entry.type === "action_taken") hasActed = true;
    if (entry.type === "note_given") {
      const { seq, bot, action, text, thought = text } = entry;
      actions[action - 1]?.notes.push({ seq, bot, text: thought, checked: [] });
    }
    if (entry.type === "thought_shown") actions.at(-1)?.notes.push(entry);
    if (entry.type === "thought_checked") {
      const note = actions[entry.action - 1]?.notes.at(-1);
      if (note) note.checked = entry.checked;
    }
    const words = lineContent(entry, state, hasDealt);
    if (!words) continue;
    const line = { seq: entry.seq, notes: [], chances: [], parts: [], ...words };
    if (line.kind === "chances") hasDealt = false;
    if (hasActed) actions.push(line);
    hasActed = false;
    lines.push(line);
  }
  return lines;
}

/**
 * @param {Entry} entry
 * @param {State} state
 * @param {boolean} hasDealt whether a street was dealt and its chances are not listed yet
 * @returns {{ kind: string, parts?: string[], chances?: Chance[] } | null}
 */
function lineContent(entry, state, hasDealt) {
  switch (entry.type) {
    case "caption_spoken":
      return { kind: "", parts: [entry.text] };
    case "chat_sent":
      return { kind: "chat", parts: [`${state.bots[entry.bot]?.name ?? ""}: “${entry.text}”`] };
    case "highlight_marked":
      return { kind: "mark", parts: [entry.mark] };
    case "equities_changed":
      return hasDealt ? { kind: "chances", chances: entry.chances } : null;
    default:
      return null;
  }
}
