/**
 * Explains on a published page that was opened from disk how to view it: browsers load modules and films from web
 * servers only. This is a plain script, which they run from disk as well.
 */

const where = document.querySelector("[data-from-file]");
if (where instanceof HTMLElement && location.protocol === "file:") {
  where.hidden = false;
  where.textContent =
    "A browser shows this from a web server only. Run “python3 -m http.server” in the folder of the site.";
}
