/**
 * The organiser's programme (the run of the show) with items to tick off, and the list of the next games.
 *
 * @import { ShowSchedule, State } from "../common/types.js"
 * @import { Booth, ShowItem } from "./booth-state.js"
 * @import { Evening } from "./evening.js"
 */

import { button, byId, el, setData, setText } from "../common/dom.js";
import { zoneNote } from "../common/time-of-day.js";
import { makeRowList } from "../lists/rows.js";
import { aboutTime, titleOf, whenOf } from "../lists/schedule.js";

/** The maximum number of upcoming games in the list. */
const MAX_COMING = 4;

/**
 * Makes the list of the organiser's plan. Each line is a button that ticks the line off.
 *
 * @type {(tick: (item: number, done: boolean) => void) => (booth: Booth, state: State) => void}
 */
export function runOfShowPanel(tick) {
  const showRows = makeRowList(
    byId("items"),
    (/** @type {ShowItem & { number: number, isNow: boolean }} */ { number }) => number,
    ({ number }) => {
      const [what, timeElement] = [el("span.item__what"), el("span.item__at")];
      const press = () => tick(number, box.getAttribute("aria-checked") !== "true");
      const box = button("item__button", press, el("span.item__tick"), what, timeElement);
      box.setAttribute("role", "checkbox");
      const root = el("li.item", box);
      return {
        root,
        update: (item) => {
          box.setAttribute("aria-checked", String(item.done));
          setData(root, "now", item.isNow);
          setText(what, item.what);
          setText(timeElement, item.at);
        },
      };
    },
  );
  return ({ run_of_show: items }, { stage }) => {
    byId("run").hidden = !items.length;
    showRows(items.map((item, number) => ({ ...item, number, isNow: !item.done && item.what === stage?.title })));
  };
}

/**
 * Says when the game (or the deal: the same cards at several tables), its stage, and the show are expected to end.
 *
 * @param {Pick<ShowSchedule, "items" | "ends">} schedule
 */
export function endWords({ items = [], ends = {} }) {
  const said = [];
  const unit = items.some(({ deals }) => deals) ? "deal" : "game";
  if (ends.game) said.push(`End of this ${unit}: ${aboutTime(ends.game)}.`);
  if (ends.stage) said.push(`End of its stage: ${aboutTime(ends.stage)}.`);
  if (ends.show) said.push(`End of the show: ${aboutTime(ends.show)}.`);
  return said;
}

/**
 * Shows who plays next, who has yet to play, and when the game, its stage and the show end.
 *
 * @param {Evening} evening
 */
export function showNext({ schedule: { items = [], names = {}, due = [], ends = {}, blinds } }) {
  const coming = items.filter(({ state }) => state === "to come").slice(0, MAX_COMING);
  byId("coming").replaceChildren(
    ...coming.map((item) => {
      const who = (item.bots ?? []).map((bot) => names[bot] ?? "").join(", ");
      return el("li.", el("b.", titleOf(item)), el("span.", whenOf(item)), ...(who ? [el("p.", who)] : []));
    }),
  );
  const said = endWords({ items, ends });
  if (blinds)
    said.push(`Blinds of ${blinds.small}/${blinds.big}: ${blinds.begins ? aboutTime(blinds.begins) : "next"}.`);
  if (due.length) said.push(`Still to play: ${due.map((bot) => names[bot] ?? "").join(", ")}.`);
  if (coming.length + said.length && zoneNote()) said.push(zoneNote());
  byId("ends").replaceChildren(...said.map((words) => el("p.", words)));
  byId("nothing-next").hidden = coming.length + said.length > 0;
}
