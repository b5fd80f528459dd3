/**
 * Browsers load modules and films only from web servers. So this file tells visitors who open a published page from
 * disk how to view the page. This file is a plain script, which browsers run even from disk.
 */

const where = document.querySelector("[data-from-file]");
if (where instanceof HTMLElement && location.protocol === "file:") {
  where.hidden = false;
  where.textContent =
    "A browser can show this page only from a web server. Run “python3 -m http.server” in the folder of the site.";
}
