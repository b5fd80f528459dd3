/**
 * The entry point of the front page: a small live picture of one channel, with the standings, schedule and best hands.
 *
 * @import { State } from "../common/types.js"
 * @import { Change } from "../overlay/store.js"
 */

import { momentAddress } from "../common/addresses.js";
import { byId, link, setData, setText } from "../common/dom.js";
import { FollowedBots } from "../common/followed.js";
import { showPosition } from "../common/format.js";
import { parseSettings, screenSize } from "../common/settings.js";
import { requestedDelay } from "../common/viewer-delay.js";
import { FollowedNews } from "../lists/followed-news.js";
import { drawSchedule } from "../lists/schedule.js";
import { standingsTable } from "../lists/standings-table.js";
import { withDeskRules } from "../overlay/desk-rules.js";
import { fitScreen, Screen } from "../overlay/screen.js";
import { LiveFilm } from "../replay/film/live-film.js";
import { Playhead } from "../replay/film/playhead.js";
import { PublishedSource } from "../replay/film/published-source.js";
import { studioSource } from "../replay/film/studio-source.js";
import { drawBestHands, drawFollowed } from "./lists.js";

/** The schedule lists the current or next item, at most this many items after it, and the last item of the show. */
const MAX_NEXT = 4;

const parameters = new URLSearchParams(location.search);
parameters.set("channel", document.body.dataset.channel ?? "main");
parameters.delete("audio");
const prefersReducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
const settings = parseSettings(`?${parameters}`, prefersReducedMotion);
const { theme, deck, motion, shape } = settings;
Object.assign(document.documentElement.dataset, { theme, deck, motion, shape });

const picture = byId("picture");
const { published } = document.body.dataset;
const source = published ? new PublishedSource(published) : studioSource(settings.channel);
const film = new LiveFilm(source, requestedDelay() * 1000);
const playhead = new Playhead(film, onChange, schedule);
const screen = new Screen(picture, settings, () => playhead);
const followed = new FollowedBots(schedule);
const news = new FollowedNews(followed, byId("told"));
const showStandings = standingsTable(byId("rows"), followed, settings.channel);
const linkTo = (/** @type {number} */ hand) => link("", momentAddress(settings.channel, hand));
let frameRequest = 0;
new ResizeObserver(() => fitScreen(picture, screenSize(settings))).observe(picture);

/** @param {Change} change */
function onChange(change) {
  screen.applyChange(change);
  if (change.entry) news.announce(change.entry, change.after, playhead.following);
  schedule();
}

function schedule() {
  if (!frameRequest) frameRequest = requestAnimationFrame(draw);
}

function draw() {
  frameRequest = 0;
  const state = withDeskRules(playhead.state);
  const { tournament, stage: played } = state;
  setText(byId("live"), statusOf(state));
  setData(byId("live"), "on", film.up && statusOf(state) === "Live");
  setText(byId("title"), tournament.title);
  if (played || tournament.title) setText(byId("on"), played?.title ?? tournament.title);
  setText(byId("where"), state.scene === "champion" ? "" : showPosition(state));
  setText(byId("caption"), state.caption);
  setText(byId("after"), showStandings(state));
  drawFollowed(byId("followed"), followed, settings.channel, state);
  byId("best").hidden = !drawBestHands(byId("hands"), followed, settings.channel, state, film.outline.hands);
  const coming = (film.schedule?.items ?? []).filter((item) => item.state !== "played");
  const items = coming.filter((_, index) => index <= MAX_NEXT || index === coming.length - 1);
  drawSchedule(byId("schedule"), followed, linkTo, { ...film.schedule, items });
  byId("next").hidden = !items.length;
}

/** @param {State} state */
function statusOf({ scene, desk, tournament }) {
  if (scene === "champion") return "Over";
  if (film.lost) return "Connection lost";
  if (!film.up) return "Connecting";
  if (desk.card === "break") return "Break";
  if (film.showState === "paused") return "Paused";
  return scene === "starting" || !tournament.contest ? "Soon" : "Live";
}

film.audience = {
  grown: () => {
    playhead.showNewEntries();
    screen.setOffline(film.lost);
    document.documentElement.dataset.wire = film.up ? "up" : "down";
    schedule();
  },
  renewed: () => void playhead.follow(),
};
film.follow(document.body.dataset.epoch ?? "", (why) => setText(byId("caption"), why));
screen.schedule();
if (settings.debug) Object.assign(window, { highnoon: { state: () => playhead.state, film } });
