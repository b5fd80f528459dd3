/**
 * Tells visitors who open a published page from disk how to view it, because browsers load modules and films only from
 * web servers. This file is a plain script, so browsers run it from disk, too.
 */

const where = document.querySelector("[data-from-file]");
if (where instanceof HTMLElement && location.protocol === "file:") {
  where.hidden = false;
  where.textContent =
    "A browser can show this page only from a web server. Run “python3 -m http.server” in the folder of the site.";
}
