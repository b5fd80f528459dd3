/**
 * The entry point of a bot's page: follows the show in which the bot plays, if there is such a show. On a published
 * site, one page serves all bots, and takes the bot's name from its address.
 *
 * @import { Change } from "../overlay/store.js"
 */

import { IS_PUBLISHED, momentAddress } from "../common/addresses.js";
import { byId, el, setData, setText } from "../common/dom.js";
import { FollowButton, FollowedBots } from "../common/followed.js";
import { parseSettings } from "../common/settings.js";
import { requestedDelay } from "../common/viewer-delay.js";
import { areNoticesOn, FollowedNews, switchNotices } from "../lists/followed-news.js";
import { LiveFilm } from "../replay/film/live-film.js";
import { Playhead } from "../replay/film/playhead.js";
import { PublishedSource } from "../replay/film/published-source.js";
import { studioSource } from "../replay/film/studio-source.js";
import { BotArchive } from "./archive.js";
import { BotPage } from "./page.js";

const settings = parseSettings(location.search, matchMedia("(prefers-reduced-motion: reduce)").matches);
document.documentElement.dataset.theme = settings.theme;
const { channel = "", epoch = "", published = "" } = document.body.dataset;
const bot = IS_PUBLISHED ? (new URLSearchParams(location.search).get("bot") ?? "") : (document.body.dataset.bot ?? "");

const followed = new FollowedBots(drawStar);
const star = new FollowButton(followed);
const starText = el("span.");
star.root.append(starText);
star.root.classList.add("star--wide");
byId("follow").append(star.root);
drawStar();
void start();

async function start() {
  const archive = IS_PUBLISHED ? await BotArchive.open(bot) : null;
  if (archive) setText(byId("name"), bot);
  if (bot) archive?.draw([bot]); // until the show reports who is on air
  if (channel) await followShow(archive);
  else await archive?.drawCareer();
  setData(document.body, "ready", true);
}

function drawStar() {
  if (channel) drawNotices();
  setText(starText, star.update(bot) ? "Following" : "Follow");
}

function drawNotices() {
  byId("tell").setAttribute("aria-pressed", String(areNoticesOn() && followed.has(bot)));
}

async function toggleNotices() {
  const isOn = byId("tell").getAttribute("aria-pressed") !== "true";
  if (isOn && !followed.has(bot)) followed.toggle(bot);
  setText(byId("tell-words"), await switchNotices(isOn));
  drawNotices();
}

/** @param {BotArchive | null} archive only on a published page */
async function followShow(archive) {
  byId("tell").addEventListener("click", toggleNotices);
  const news = new FollowedNews(followed, byId("told"));
  const showAbsence = (/** @type {string} */ why) => setText(byId("waits"), why);
  showAbsence("The show starts here.");
  const source = published ? new PublishedSource(published) : studioSource(channel);
  const film = await LiveFilm.watch(source, epoch, requestedDelay() * 1000, showAbsence);
  const page = new BotPage(bot, film, (hand) => momentAddress(channel, hand), schedule);
  let frame = 0;
  const draw = () => {
    frame = 0;
    page.update(playhead.state);
    byId("waits").hidden = !film.lost;
    setText(byId("waits"), film.lost ? "Connection lost. Reconnecting…" : "");
  };
  function schedule() {
    if (!frame) frame = requestAnimationFrame(draw);
  }
  /** @param {Change} change */
  const onChange = ({ entry, after }) => {
    if (entry) news.announce(entry, after, playhead.following);
    schedule();
  };
  const playhead = new Playhead(film, onChange, schedule);
  film.audience = {
    grown: () => {
      playhead.showNewEntries();
      schedule();
    },
    renewed: (isRenumbered) => void playhead.renew(isRenumbered),
  };
  await playhead.follow();
  archive?.draw(Object.values(playhead.state.bots).map(({ name }) => name));
  draw();
  if (settings.debug) Object.assign(window, { highnoon: { state: () => playhead.state, film, head: playhead } });
}
