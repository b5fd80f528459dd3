/**
 * The entry point of the report page for a bot's owner: a click plays what viewers see and hear when the bot wins.
 */

import { screenSize } from "../common/settings.js";
import { Particles } from "../overlay/effects/particles.js";

/** The box of a seat: its middle, here the middle of the screen, and its size. */
const SEAT = { x: 960, y: 540, width: 584, height: 320 };
const BURST_MS = 4500;

for (const win of document.querySelectorAll(".win")) {
  const host = win.querySelector(".win__stage");
  const button = win.querySelector("button");
  const particle = win.querySelector("img");
  const sound = win.closest(".sheet")?.querySelector("audio");
  if (!(host instanceof HTMLElement) || !button || !particle) continue;
  const particles = new Particles(host, screenSize({ shape: "wide" }));
  button.hidden = false;
  button.addEventListener("click", () => {
    particles.drop();
    particles.burst(SEAT, particle.src, { ms: BURST_MS, share: 1, variant: 0 });
    if (!sound) return;
    sound.currentTime = 0;
    sound.play();
  });
}
