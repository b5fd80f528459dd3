/**
 * The entry point of a bot's page: follows the show that the bot plays in, where there is one.
 */

import { byId, el, mark, write } from "../common/dom.js";
import { Followed, Star } from "../common/followed.js";
import { settingsOf } from "../common/settings.js";
import { LiveFilm } from "../replay/film/live-film.js";
import { Playhead } from "../replay/film/playhead.js";
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
  write(words, star.update(bot) ? "Following" : "Follow");
}

async function follow() {
  const page = new BotPage(bot, channel);
  const film = await LiveFilm.watch(channel, epoch, (why) => write(byId("waits"), why));
  let drawn = 0;
  const draw = () => {
    drawn = 0;
    page.update(head.state, film.outline, film.revision);
  };
  const schedule = () => {
    if (!drawn) drawn = requestAnimationFrame(draw);
  };
  const head = new Playhead(film, schedule, schedule);
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
