/**
 * The entry point of a bot's page: follows the show in which the bot plays, if there is such a show. On a published
 * site, one page serves all bots, and takes the bot's name from its address.
 *
 * @import { Change } from "../overlay/store.js"
 */

import { IS_PUBLISHED, momentAddress } from "../common/addresses.js";
import { requestedDelay } from "../common/behind.js";
import { byId, el, mark, write } from "../common/dom.js";
import { Followed, Star } from "../common/followed.js";
import { settingsOf } from "../common/settings.js";
import { FollowedNews, noticesAreOn, turnNotices } from "../lists/followed-news.js";
import { LiveFilm } from "../replay/film/live-film.js";
import { Playhead } from "../replay/film/playhead.js";
import { PublishedSource } from "../replay/film/published-source.js";
import { studioSource } from "../replay/film/studio-source.js";
import { BotArchive } from "./archive.js";
import { BotPage } from "./page.js";

const settings = settingsOf(location.search, matchMedia("(prefers-reduced-motion: reduce)").matches);
document.documentElement.dataset.theme = settings.theme;
const { channel = "", epoch = "", published = "" } = document.body.dataset;
const bot = IS_PUBLISHED ? (new URLSearchParams(location.search).get("bot") ?? "") : (document.body.dataset.bot ?? "");

const followed = new Followed(drawStar);
const star = new Star(followed);
const words = el("span.");
star.root.append(words);
star.root.classList.add("star--wide");
byId("follow").append(star.root);
drawStar();
void begin();

async function begin() {
  const archive = IS_PUBLISHED ? await BotArchive.open(bot) : null;
  if (archive) write(byId("name"), bot);
  if (bot) archive?.draw([bot]); // until the show reports who is on air
  if (channel) await follow(archive);
  else await archive?.drawCareer();
  mark(document.body, "ready", true);
}

function drawStar() {
  if (channel) drawNotices();
  write(words, star.update(bot) ? "Following" : "Follow");
}

function drawNotices() {
  byId("tell").setAttribute("aria-pressed", String(noticesAreOn() && followed.has(bot)));
}

async function toggleNotices() {
  const on = byId("tell").getAttribute("aria-pressed") !== "true";
  if (on && !followed.has(bot)) followed.toggle(bot);
  write(byId("tell-words"), await turnNotices(on));
  drawNotices();
}

/** @param {BotArchive | null} archive only on a published page */
async function follow(archive) {
  byId("tell").addEventListener("click", toggleNotices);
  const news = new FollowedNews(followed, byId("told"));
  const absent = (/** @type {string} */ why) => write(byId("waits"), why);
  absent("The show starts here.");
  const source = published ? new PublishedSource(published) : studioSource(channel);
  const film = await LiveFilm.watch(source, epoch, requestedDelay() * 1000, absent);
  const page = new BotPage(bot, film, (hand) => momentAddress(channel, hand), schedule);
  let drawn = 0;
  const draw = () => {
    drawn = 0;
    page.update(head.state);
    byId("waits").hidden = !film.lost;
    write(byId("waits"), film.lost ? "Connection lost. Reconnecting…" : "");
  };
  function schedule() {
    if (!drawn) drawn = requestAnimationFrame(draw);
  }
  /** @param {Change} change */
  const changed = ({ entry, after }) => {
    if (entry) news.shown(entry, after, head.following);
    schedule();
  };
  const head = new Playhead(film, changed, schedule);
  film.audience = {
    grown: () => {
      head.grown();
      schedule();
    },
    renewed: (isRenumbered) => void head.renew(isRenumbered),
  };
  await head.follow();
  archive?.draw(Object.values(head.state.bots).map(({ name }) => name));
  draw();
  if (settings.debug) Object.assign(window, { highnoon: { state: () => head.state, film, head } });
}
