/**
 * Says on a published page that was opened from a file how it can be seen: browsers load modules and films from web
 * servers only. It is loaded as a plain script, which they do run.
 */

const where = document.querySelector("[data-from-file]");
if (where instanceof HTMLElement && location.protocol === "file:") {
  where.hidden = false;
  where.textContent =
    "A browser shows this from a web server only. Run “python3 -m http.server” in the folder of the site.";
}
