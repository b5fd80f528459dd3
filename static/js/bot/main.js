/**
 * The entry point of a bot's page: follows the show that the bot plays in, where there is one.
 *
 * @import { Change } from "../overlay/store.js"
 */

import { behindAsked } from "../common/behind.js";
import { byId, el, mark, write } from "../common/dom.js";
import { Followed, Star } from "../common/followed.js";
import { FollowedNews, isTold, tell } from "../common/followed-news.js";
import { settingsOf } from "../common/settings.js";
import { LiveFilm } from "../replay/film/live-film.js";
import { Playhead } from "../replay/film/playhead.js";
import { studioSource } from "../replay/film/studio-source.js";
import { BotPage } from "./page.js";

const settings = settingsOf(location.search, matchMedia("(prefers-reduced-motion: reduce)").matches);
document.documentElement.dataset.theme = settings.theme;
const { bot = "", channel = "", epoch = "" } = document.body.dataset;

const followed = new Followed(drawStar);
const star = new Star(followed);
const words = el("span.");
star.root.append(words);
star.root.classList.add("star--wide");
byId("follow").append(star.root);
drawStar();
if (channel) follow();
else mark(document.body, "ready", true);

function drawStar() {
  if (channel) drawTold();
  write(words, star.update(bot) ? "Following" : "Follow");
}

function drawTold() {
  byId("tell").setAttribute("aria-pressed", String(isTold() && followed.has(bot)));
}

async function tellOrNot() {
  const on = byId("tell").getAttribute("aria-pressed") !== "true";
  if (on && !followed.has(bot)) followed.toggle(bot);
  write(byId("tell-words"), await tell(on));
  drawTold();
}

async function follow() {
  byId("tell").addEventListener("click", tellOrNot);
  const news = new FollowedNews(followed, byId("told"));
  const page = new BotPage(bot, channel);
  const absent = (/** @type {string} */ why) => write(byId("waits"), why);
  const film = await LiveFilm.watch(studioSource(channel), epoch, behindAsked() * 1000, absent);
  let drawn = 0;
  const draw = () => {
    drawn = 0;
    page.update(head.state, film.outline, film.revision, film.schedule ?? {});
  };
  const schedule = () => {
    if (!drawn) drawn = requestAnimationFrame(draw);
  };
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
    renewed: (anew) => void head.renew(anew),
  };
  await head.follow();
  draw();
  byId("waits").hidden = true;
  mark(document.body, "ready", true);
  if (settings.debug) Object.assign(window, { highnoon: { state: () => head.state, film, head } });
}
