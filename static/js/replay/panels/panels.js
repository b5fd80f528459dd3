/**
 * The text beside the picture, or below it on small screens: the tabs, and the panel of the selected tab. The panel
 * describes the current moment.
 *
 * @import { Film } from "../film/film.js"
 * @import { Playhead } from "../film/playhead.js"
 * @import { FollowedBots } from "../../common/followed.js"
 */

import { button, byId, setText } from "../../common/dom.js";
import { playsPanel } from "../../lists/play-statistics.js";
import { drawSchedule } from "../../lists/schedule.js";
import { standingsTable } from "../../lists/standings-table.js";
import { chipsGraph, drawChances, drawSwatch, drawTitleOdds } from "./graphs.js";
import { handsPanel } from "./hands.js";
import { Tabs } from "./tabs.js";
import { seatsPanel, transcriptPanel } from "./transcript.js";

/** On these screens a panel replaces the picture. */
const PHONE_QUERY = matchMedia("(width < 40rem)");

/**
 * @param {Film} film
 * @param {FollowedBots} followed
 * @param {{ seq: (seq: number) => void, hand: (hand: number) => void, address: () => string }} go
 *   `address` returns the address of the current moment
 * @param {() => void} onChange called when another panel is selected and must be drawn
 * @returns {(head: Playhead) => void} draws the selected panel
 */
export function makePanels(film, followed, go, onChange) {
  const { channel = "", results = "" } = document.body.dataset;
  // A static host ignores the parameter `results`, so the page itself reads it.
  const showsResults = (new URLSearchParams(location.search).get("results") ?? results) === "shown";
  const tabs = new Tabs(onChange);

  /** Moves the playhead and brings the picture into view. @param {() => void} move */
  function moveAndShowPicture(move) {
    move();
    if (PHONE_QUERY.matches) tabs.show("now");
    byId("screen").scrollIntoView({ block: "nearest" });
  }

  const toHand = (/** @type {number} */ hand) => moveAndShowPicture(() => go.hand(hand));
  const showSeats = seatsPanel(byId("seats"), followed, channel);
  const showTranscript = transcriptPanel(byId("transcript"), (seq) => moveAndShowPicture(() => go.seq(seq)));
  const showChips = chipsGraph(film, toHand);
  const showPlays = playsPanel(byId("plays-section"), byId("plays"));
  const showHands = handsPanel(byId("hands"), film, followed, showsResults, toHand);
  const showStandings = standingsTable(byId("standings"), followed, channel, (swatch, bot) =>
    drawSwatch(swatch, film.outline, bot),
  );
  setText(byId("results"), `${showsResults ? "Hide" : "Show"} results`);
  byId("to-picture").addEventListener("click", () => tabs.show("now"));
  // The link leads to the current moment, with or without results of later hands. The server remembers the choice.
  byId("results").addEventListener("click", () => {
    const address = new URL(go.address());
    address.searchParams.set("results", showsResults ? "hidden" : "shown");
    byId("results").setAttribute("href", address.href);
  });

  return ({ state, section, now }) => {
    const { outline, schedule, first } = film;
    setText(byId("caption"), state.caption);
    const linkTo = (/** @type {number} */ hand) => (hand < first ? null : button("", () => toHand(hand)));
    if (schedule) drawSchedule(byId("schedule"), followed, linkTo, schedule);
    tabs.offer("schedule", byId("schedule").childElementCount > 0);
    switch (tabs.shown) {
      case "now":
        showSeats(outline, state);
        showTranscript(outline, section, state);
        drawChances(outline, section.entries, state, now);
        return showChips(section.hand, state);
      case "standings":
        drawTitleOdds(outline, state);
        showPlays(state);
        return setText(byId("after"), showStandings(state));
      case "hands":
        return showHands(section.hand, state);
    }
  };
}
